//! The vocabulary lent to rules: what a script can ask, read, change and say. `docs/vocabulary.md` is made of it.

#![expect(clippy::uninlined_format_args, reason = "a parameter called `type` cannot stand in a format text")]

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use starlark::docs::{DocFunction, DocMember, DocType};
use starlark::environment::{Globals, GlobalsBuilder};
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::list::UnpackList;
use starlark::values::none::{NoneOr, NoneType};
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, UnpackValue, Value, ValueLike};

use super::limits;
use super::question::{By, Halt, Options, Question, What};
use super::table::{Table, one_of, refusal};
use super::values::{Player, Roll, Space, lend as lend_value, take_back};
use crate::game::{Commenced, LogEntry, PlayerId, SpaceId};
use crate::rulebook::{Action, Rulebook};
use crate::value::{Key, Value as Data};

thread_local! {
    // Attributes of a script's values reach no evaluator, so the table of the running action waits here. It is
    // borrowed for one call at a time and never across a call back into a script.
    static TABLE: RefCell<Option<Table>> = const { RefCell::new(None) };
}

/// Seats a table for the time of `play` and gives it back.
pub(super) fn seat<R>(table: Table, play: impl FnOnce() -> R) -> (Table, R) {
    let before = TABLE.with(|seat| seat.borrow_mut().replace(table));
    let result = play();
    let table = TABLE.with(|seat| std::mem::replace(&mut *seat.borrow_mut(), before));
    (table.expect("the table seated above"), result)
}

#[derive(Debug)]
struct Stopped(String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Does something at the table. The first halt stays; everything after it fails at once, so no script can go on.
pub(super) fn at<R>(work: impl FnOnce(&mut Table) -> Result<R, Halt>) -> starlark::Result<R> {
    let stopped = |text: &str| starlark::Error::new_other(Stopped(text.to_owned()));
    TABLE.with(|seat| {
        let Ok(mut seat) = seat.try_borrow_mut() else { return Err(stopped("the table is in use")) };
        let Some(table) = seat.as_mut() else { return Err(stopped("rules can do this only while an action runs")) };
        if table.halt.is_some() {
            return Err(stopped("the action has stopped"));
        }
        work(table).map_err(|halt| {
            let text = if let Halt::Failed(error) = &halt { error.message.clone() } else { "stopped".into() };
            table.halt = Some(halt);
            stopped(&text)
        })
    })
}

/// Calls a function of a rule file by name.
pub(super) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    name: &str,
    args: &[Value<'v>],
) -> starlark::Result<Value<'v>> {
    let rulebook = at(|table| Ok(Arc::clone(&table.rulebook)))?;
    let function = rulebook.scripts.function(name).or_else(|error| at(|_| Err(Halt::Failed(error))))?;
    let function = eval.heap().access_owned_frozen_value(&function);
    eval.eval_function(function, args, &[])
}

/// Lets the watches look that wait for the end of an effect.
pub(super) fn settle(eval: &mut Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    loop {
        let next = at(|table| {
            Ok(if table.together == 0 && !table.due.is_empty() { Some(table.due.remove(0)) } else { None })
        })?;
        let Some(watch) = next else { return Ok(()) };
        let cause = at(|table| Ok(table.cause.clone()))?;
        call(eval, &watch, &[])?;
        at(|table| {
            table.cause = cause;
            Ok(())
        })?;
    }
}

/// The names that rules can use.
pub(super) fn globals() -> Globals {
    GlobalsBuilder::standard().with(vocabulary_module).build()
}

/// The vocabulary as Markdown, from the same lists that scripts use.
pub fn vocabulary() -> String {
    let lent = GlobalsBuilder::new().with(vocabulary_module).build().documentation();
    let functions = lent
        .members
        .into_iter()
        .filter_map(|(name, item)| Some((name, item.try_as_member_with_collapsed_object().ok()?)));
    let mut page = section("Functions", "", functions);
    for (title, before, described) in [
        ("A player", "player.", DocType::from_starlark_value::<Player>()),
        ("A space", "space.", DocType::from_starlark_value::<Space>()),
        ("A roll", "roll.", DocType::from_starlark_value::<Roll>()),
    ] {
        page.push_str(&section(title, before, described.members.into_iter()));
    }
    page
}

fn section(title: &str, before: &str, members: impl Iterator<Item = (String, DocMember)>) -> String {
    let mut members: Vec<_> = members.filter(|(name, _)| !name.starts_with('_')).collect();
    members.sort_by(|a, b| a.0.cmp(&b.0));
    let mut page = format!("## {title}\n\n| | |\n|---|---|\n");
    for (name, member) in members {
        let (shape, docs) = match member {
            DocMember::Property(property) => (format!("{} → {}", name, property.typ), property.docs),
            DocMember::Function(function) => {
                let code = DocFunction { docs: None, ..function.clone() }.render_as_code(&name);
                let code =
                    code.trim_start_matches("def ").split(":\n").next().unwrap_or_default().replace(" -> ", " → ");
                let code = code.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                (code.replace("( ", "(").replace(", )", ")").replace(",)", ")"), function.docs)
            }
        };
        let text = docs.map_or_else(String::new, |docs| {
            let details = docs.details.map_or_else(String::new, |details| format!(" {details}"));
            format!("{}{details}", docs.summary).split_whitespace().collect::<Vec<_>>().join(" ")
        });
        page.push_str(&format!("| `{before}{}` | {} |\n", shape.replace('|', "or"), text.replace('|', "or")));
    }
    page.push('\n');
    page
}

fn chosen_by(table: &Table, player: Player) -> By {
    By::Player(table.name(player.id()))
}

/// Asks for one of several spaces.
fn pick_space(
    key: &str,
    by: Option<Player>,
    options: &[Space],
    text: &str,
    whole: bool,
    none: bool,
) -> starlark::Result<Option<Space>> {
    at(|table| {
        let by = by.map_or(By::Random, |player| chosen_by(table, player));
        let mut values: Vec<Data> = options.iter().map(|space| Data::Int(space.0)).collect();
        if none {
            values.push(Data::from("none"));
        }
        let question = Question { whole, ..one_of(key, by, What::Space, values, text.to_owned(), &table.cause) };
        let answer = table.ask(question)?;
        Ok(SpaceId::of(&answer).map(Space::from))
    })
}

fn pick_player(key: &str, by: Option<Player>, options: &[Player], text: &str) -> starlark::Result<Player> {
    at(|table| {
        let by = by.map_or(By::Random, |player| chosen_by(table, player));
        let names = options.iter().map(|player| Data::from(&*table.name(player.id()))).collect();
        let question = one_of(key, by, What::Player, names, text.to_owned(), &table.cause);
        let answer = table.ask(question)?;
        let found = answer.as_text().and_then(|name| table.game.player_named(name));
        Ok(found.expect("an answer is one of the players offered").into())
    })
}

fn pick_name(key: &str, by: Option<Player>, what: What, options: &[String], text: &str) -> starlark::Result<String> {
    at(|table| {
        let by = by.map_or(By::Random, |player| chosen_by(table, player));
        let options = options.iter().map(|name| Data::from(name.as_str())).collect();
        let question = one_of(key, by, what, options, text.to_owned(), &table.cause);
        Ok(table.ask(question)?.to_string())
    })
}

/// Reads dice such as `2d4`: how many, and how many faces each.
pub fn read_dice(dice: &str) -> Option<(u32, u32)> {
    let (count, faces) = dice.split_once('d')?;
    let count = if count.is_empty() { 1 } else { count.parse().ok()? };
    let faces = faces.parse().ok()?;
    (count <= 1000 && (1..=1_000_000).contains(&faces)).then_some((count, faces))
}

fn longest(value: Value<'_>) -> usize {
    value.length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

fn bounded(length: usize) -> starlark::Result<()> {
    if length <= limits::LENGTH {
        return Ok(());
    }
    at(|_| Err(Table::failed(&format!("a list or text of {length} parts is more than the {} allowed", limits::LENGTH))))
}

#[starlark_module]
fn vocabulary_module(builder: &mut GlobalsBuilder) {
    /// Throws dice such as "2d4" and gives the roll: `.dice` as they fell, `.total` their sum (D-1).
    fn roll(key: &str, dice: &str, #[starlark(default = NoneOr::None)] text: NoneOr<&str>) -> starlark::Result<Roll> {
        at(|table| {
            let (count, faces) = read_dice(dice).ok_or_else(|| Table::failed(&format!("`{dice}` are no dice")))?;
            if count == 0 {
                return Ok(Roll(Vec::new()));
            }
            let question = Question {
                key: key.to_owned(),
                by: By::Random,
                what: What::Dice,
                options: Options::Dice { count, faces },
                text: text.into_option().map_or_else(|| format!("{dice} for {key}"), str::to_owned),
                rule: table.cause.clone(),
                whole: false,
            };
            let shown = table.ask(question)?;
            Ok(Roll(shown.items().iter().filter_map(Data::as_int).collect()))
        })
    }

    /// Asks the player yes or no.
    fn choose_yes_no(player: Player, key: &str, text: &str) -> starlark::Result<bool> {
        at(|table| {
            let by = chosen_by(table, player);
            let options = vec![Data::from("yes"), Data::from("no")];
            let question = one_of(key, by, What::YesNo, options, text.to_owned(), &table.cause);
            Ok(table.ask(question)? == Data::from("yes"))
        })
    }

    /// Asks the player for one of the spaces. With `whole`, the answers to this key are given all together, those with
    /// only one legal answer included.
    fn choose_space(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(default = false)] whole: bool,
    ) -> starlark::Result<Space> {
        let space = pick_space(key, Some(player), &options.items, text, whole, false)?;
        Ok(space.expect("none was not offered"))
    }

    /// Asks the player for one of the spaces, or for none; gives None for none.
    fn choose_space_or_none(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
    ) -> starlark::Result<NoneOr<Space>> {
        Ok(NoneOr::from_option(pick_space(key, Some(player), &options.items, text, false, true)?))
    }

    /// Asks the player for one of the players.
    fn choose_player(player: Player, key: &str, options: UnpackList<Player>, text: &str) -> starlark::Result<Player> {
        pick_player(key, Some(player), &options.items, text)
    }

    /// Asks the player for one of the numbers.
    fn choose_number(player: Player, key: &str, options: UnpackList<i64>, text: &str) -> starlark::Result<i64> {
        at(|table| {
            let by = chosen_by(table, player);
            let options = options.items.into_iter().map(Data::Int).collect();
            let question = one_of(key, by, What::Number, options, text.to_owned(), &table.cause);
            Ok(table.ask(question)?.as_int().expect("an answer is one of the numbers offered"))
        })
    }

    /// Asks the player for one of the kinds of item.
    fn choose_item(player: Player, key: &str, options: UnpackList<String>, text: &str) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Item, &options.items, text)
    }

    /// Asks the player for one of the space types.
    fn choose_type(player: Player, key: &str, options: UnpackList<String>, text: &str) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Type, &options.items, text)
    }

    /// Draws one of the spaces, each equally likely.
    fn random_space(key: &str, options: UnpackList<Space>, text: &str) -> starlark::Result<Space> {
        Ok(pick_space(key, None, &options.items, text, false, false)?.expect("none was not offered"))
    }

    /// Draws one of the players, each equally likely.
    fn random_player(key: &str, options: UnpackList<Player>, text: &str) -> starlark::Result<Player> {
        pick_player(key, None, &options.items, text)
    }

    /// Draws one of the kinds of item, each equally likely.
    fn random_item(key: &str, options: UnpackList<String>, text: &str) -> starlark::Result<String> {
        pick_name(key, None, What::Item, &options.items, text)
    }

    /// Draws one of the numbered rows of items as they stand now, each equally likely (GB-5, R-38).
    fn random_row(key: &str, text: &str) -> starlark::Result<String> {
        at(|table| {
            let rulebook = Arc::clone(&table.rulebook);
            let rows = rulebook.rows(&table.game).into_iter().map(|(_, name)| Data::from(&*name)).collect();
            let question = one_of(key, By::Random, What::Item, rows, text.to_owned(), &table.cause);
            Ok(table.ask(question)?.to_string())
        })
    }

    /// Draws one of the space types, each equally likely unless the list names one more often (C-1).
    fn random_type(key: &str, options: UnpackList<String>, text: &str) -> starlark::Result<String> {
        pick_name(key, None, What::Type, &options.items, text)
    }

    /// All players, in the order of the file.
    fn players() -> starlark::Result<Vec<Player>> {
        at(|table| Ok(table.game.players().map(|(id, _)| Player::from(id)).collect()))
    }

    /// All spaces, in the order of the file.
    fn spaces() -> starlark::Result<Vec<Space>> {
        at(|table| Ok(table.game.board().spaces().map(|space| Space::from(space.id)).collect()))
    }

    /// The space with this identifier, or None.
    fn space(id: i64) -> starlark::Result<NoneOr<Space>> {
        at(|table| Ok(NoneOr::from_option(table.game.space(SpaceId(id)).map(|space| Space::from(space.id)))))
    }

    /// Whether a line runs from one identifier up to another: each of its spaces but the last precedes the next (B-7).
    fn is_line(start: i64, end: i64) -> starlark::Result<bool> {
        at(|table| Ok(table.game.board().is_line(SpaceId(start), SpaceId(end))))
    }

    /// Whether a loop runs from one identifier up to another: a line, and its start succeeds its end (B-8).
    fn is_loop(start: i64, end: i64) -> starlark::Result<bool> {
        at(|table| Ok(table.game.board().is_loop(SpaceId(start), SpaceId(end))))
    }

    /// The members of a category, or None where the name is no category (C-1).
    fn category(name: &str) -> starlark::Result<NoneOr<Vec<String>>> {
        at(|table| {
            let members = table.rulebook.category(name);
            Ok(NoneOr::from_option(
                members.map(|members| members.iter().map(std::string::ToString::to_string).collect()),
            ))
        })
    }

    /// Whether a space type is declared unique (S-5).
    fn is_unique(r#type: &str) -> starlark::Result<bool> {
        at(|table| Ok(table.rulebook.space_type(r#type).is_some_and(|rule| rule.unique)))
    }

    /// Whether there is such a kind of item now.
    fn is_item(name: &str) -> starlark::Result<bool> {
        at(|table| Ok(table.rulebook.is_item(&table.game, name)))
    }

    /// A value of the game's state.
    fn state<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|table| {
            let value = Table::declared(&table.rulebook.ruleset.state, &table.game.state, name);
            value
                .map(|value| lend_value(heap, &value))
                .ok_or_else(|| Table::failed(&format!("the ruleset declares no state `{name}`")))
        })
    }

    /// Sets a value of the game's state; None clears it.
    fn set_state(name: &str, value: Value) -> starlark::Result<NoneType> {
        let value = take_back(value);
        at(|table| {
            if !table.rulebook.ruleset.state.iter().any(|field| &*field.name == name) {
                return Err(Table::failed(&format!("the ruleset declares no state `{name}`")));
            }
            let value = value.ok_or_else(|| Table::failed(&format!("this cannot be kept as state `{name}`")))?;
            let state = Arc::make_mut(&mut table.game.state);
            if value == Data::Null {
                state.remove(name);
            } else {
                state.set(Key::from(name), value);
            }
            Ok(NoneType)
        })
    }

    /// A number that the ruleset declares as data, or that the game has changed.
    fn setting<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|table| {
            let value = table.rulebook.setting(&table.game, name);
            value
                .map(|value| lend_value(heap, value))
                .ok_or_else(|| Table::failed(&format!("the ruleset declares no setting `{name}`")))
        })
    }

    /// The running phase, counted from 1.
    fn phase() -> starlark::Result<i64> {
        at(|table| Ok(table.game.phase))
    }

    /// The phase that holds a moment written like a `joined` field; 0 where the game does not say when it started.
    fn phase_at(time: &str) -> starlark::Result<i64> {
        at(|table| {
            let time = time.parse().map_err(|_| Table::failed(&format!("`{time}` is no time")))?;
            Ok(table.rulebook.phase_at(&table.game, time).unwrap_or(0))
        })
    }

    /// Sets the running phase.
    fn set_phase(number: i64) -> starlark::Result<NoneType> {
        at(|table| {
            let before = std::mem::replace(&mut table.game.phase, number);
            let start = table.rulebook.phase_start(&table.game, number);
            let day = start
                .map_or_else(String::new, |start| format!(", by the calendar on {}", start.strftime("%A %-d %B %Y")));
            table.tell(format!("phase {before} ends, phase {number} begins{day}"), &[], &[], &[]);
            Ok(NoneType)
        })
    }

    /// Ends every action that was commenced and not performed; gives the commands. Their draws stay in the log.
    fn lapse_pending() -> starlark::Result<Vec<String>> {
        at(|table| {
            let pending = std::mem::take(Arc::make_mut(&mut table.game.pending));
            let commands: Vec<String> = pending.iter().map(|action| action.what.clone()).collect();
            for command in &commands {
                table.tell(
                    format!("`{command}` was not completed and lapses; its draws stay in the log"),
                    &[],
                    &[],
                    &[],
                );
            }
            table.lapsed.extend(pending);
            Ok(commands)
        })
    }

    /// The value of a switch of the rulings list.
    fn ruling(key: &str) -> starlark::Result<String> {
        at(|table| table.ruling(key))
    }

    /// The dice that players have thrown in this phase, this action's included: a list of (player, key, dice).
    fn rolls<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|table| {
            let found = past_rolls(table);
            let row = |(player, key, dice): (PlayerId, String, Vec<i64>)| heap.alloc((Player::from(player), key, dice));
            Ok(heap.alloc(found.into_iter().map(row).collect::<Vec<_>>()))
        })
    }

    /// Gives the player items, made for them (I-3).
    fn grant<'v>(
        player: Player,
        item: &str,
        #[starlark(default = 1)] amount: i64,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|table| table.change_items(player.id(), item, amount))?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Destroys items of the player's (I-4).
    fn revoke<'v>(
        player: Player,
        item: &str,
        #[starlark(default = 1)] amount: i64,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|table| table.change_items(player.id(), item, amount.saturating_neg()))?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Sets where the player stands, and nothing else; `how` says it in words, such as "moves to".
    fn relocate(player: Player, to: Space, #[starlark(default = "is now on")] how: &str) -> starlark::Result<NoneType> {
        at(|table| {
            let to = table.space(to.id())?.id;
            table.game.player_mut(player.id()).location = to;
            let name = table.name(player.id());
            table.tell(format!("{name} {how} space {to}"), &[player.id()], &[to], &[]);
            Ok(NoneType)
        })
    }

    /// Adds a link, so that `to` succeeds `from` (CN-1).
    fn link(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|table| {
            table.space(to.id())?;
            let linked = table.space(from.id())?.successors.contains(&to.id());
            if !linked {
                if let Some(space) = table.game.board_mut().get_mut(from.id()) {
                    space.successors.push(to.id());
                }
                table.tell(format!("space {} now precedes space {}", from.0, to.0), &[], &[from.id(), to.id()], &[]);
            }
            Ok(NoneType)
        })
    }

    /// Takes a link away.
    fn unlink(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|table| {
            if table.space(from.id())?.successors.contains(&to.id()) {
                if let Some(space) = table.game.board_mut().get_mut(from.id()) {
                    space.successors.retain(|id| *id != to.id());
                }
                table.tell(
                    format!("space {} no longer precedes space {}", from.0, to.0),
                    &[],
                    &[from.id(), to.id()],
                    &[],
                );
            }
            Ok(NoneType)
        })
    }

    /// Makes a space without successors and gives it; None where its identifier is in use (B-4).
    fn create_space(id: i64, r#type: &str) -> starlark::Result<NoneOr<Space>> {
        at(|table| {
            if !table.rulebook.has_type(r#type) {
                return Err(Table::failed(&format!("there is no space type `{}`", r#type)));
            }
            let space = crate::game::Space {
                id: SpaceId(id),
                kind: r#type.into(),
                successors: Vec::new(),
                fields: Data::Map(Vec::new()),
            };
            if !table.game.board_mut().create(space) {
                return Ok(NoneOr::None);
            }
            table.tell(format!("space {id} is made, {}", r#type), &[], &[SpaceId(id)], &[]);
            Ok(NoneOr::Other(Space(id)))
        })
    }

    /// Runs an effect of a space type, such as "on-land", and gives what it returns; None where the type has none.
    fn space_effect<'v>(
        r#type: &str,
        effect: &str,
        #[starlark(args)] args: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let rulebook = at(|table| Ok(Arc::clone(&table.rulebook)))?;
        let Some(rule) = rulebook.space_type(r#type) else { return Ok(Value::new_none()) };
        let Some(params) = rulebook.ruleset.hooks.get(effect) else {
            return at(|_| Err(Table::failed(&format!("the ruleset declares no effect `{effect}`"))));
        };
        let function = rulebook.scripts.effect(rule.file, effect, params);
        let Some(function) = function.or_else(|error| at(|_| Err(Halt::Failed(error))))? else {
            return Ok(Value::new_none());
        };
        let cause = at(|table| {
            table.enter(rule.file, effect)?;
            Ok(std::mem::replace(&mut table.cause, rule.rule().to_owned()))
        })?;
        let function = eval.heap().access_owned_frozen_value(function);
        let result = eval.eval_function(function, &args.items, &[])?;
        at(|table| {
            table.running.pop();
            table.cause = cause;
            Ok(())
        })?;
        Ok(result)
    }

    /// Carries out effects of one sentence on several players at the same instant: `effects` is a function without
    /// parameters, and nothing is looked at until it is through.
    fn simultaneously<'v>(effects: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        at(|table| {
            table.together += 1;
            Ok(())
        })?;
        eval.eval_function(effects, &[], &[])?;
        at(|table| {
            table.together -= 1;
            Ok(())
        })?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Names the rule that is at work, by its catalogue ID; what happens next has it as its cause.
    fn rule(id: &str) -> starlark::Result<NoneType> {
        at(|table| {
            table.cause.clear();
            table.cause.push_str(id);
            Ok(NoneType)
        })
    }

    /// Tells something that happened and changed nothing.
    fn tell(text: &str, #[starlark(args)] about: UnpackTuple<Value<'_>>) -> starlark::Result<NoneType> {
        at(|table| {
            let players: Vec<PlayerId> =
                about.items.iter().filter_map(|value| Some(value.downcast_ref::<Player>()?.id())).collect();
            let spaces: Vec<SpaceId> =
                about.items.iter().filter_map(|value| Some(value.downcast_ref::<Space>()?.id())).collect();
            table.tell(text.to_owned(), &players, &spaces, &[]);
            Ok(NoneType)
        })
    }

    /// Stops the action: the rules forbid it. Nothing of it has happened then.
    fn refuse(
        code: &str,
        message: &str,
        #[starlark(default = NoneOr::None)] help: NoneOr<&str>,
    ) -> starlark::Result<NoneType> {
        at(|table| {
            let help = help.into_option().map(str::to_owned);
            Err(refusal(code, message.to_owned(), help, &table.cause))
        })
    }

    /// Stops the action: the rules leave it open, and a ruling on this R-number must settle it.
    fn needs_ruling(id: &str, message: &str) -> starlark::Result<NoneType> {
        at(|_| Err(Halt::NeedsRuling { ruling: id.to_owned(), message: message.to_owned() }))
    }

    /// Ends the action here; what has happened stays.
    fn end_action() -> starlark::Result<NoneType> {
        at(|_| Err(Halt::Ended))
    }

    /// The whole numbers from `start` up to, but without, `end`; of one number, those from 0 on.
    fn range<'v>(
        start: i64,
        #[starlark(default = NoneOr::None)] end: NoneOr<i64>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        let (start, end) = end.into_option().map_or((0, start), |end| (start, end));
        let length = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
        bounded(length)?;
        Ok(heap.alloc((start..end).collect::<Vec<_>>()))
    }

    /// What `left + right` means, with a bound on lists and texts.
    fn _plus<'v>(left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if let (Ok(Some(left)), Ok(Some(right))) = (i64::unpack_value(left), i64::unpack_value(right))
            && let Some(sum) = left.checked_add(right)
        {
            return Ok(heap.alloc(sum));
        }
        bounded(longest(left).saturating_add(longest(right)))?;
        left.add(right, heap)
    }

    /// What `left * right` means, with a bound on lists and texts.
    fn _times<'v>(left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if let (Ok(Some(left)), Ok(Some(right))) = (i64::unpack_value(left), i64::unpack_value(right))
            && let Some(product) = left.checked_mul(right)
        {
            return Ok(heap.alloc(product));
        }
        let factor = |value| i64::unpack_value(value).ok().flatten().map_or(1, |n| usize::try_from(n).unwrap_or(0));
        let length =
            longest(left).max(1).saturating_mul(factor(right)).max(longest(right).max(1).saturating_mul(factor(left)));
        bounded(length)?;
        left.mul(right, heap)
    }
}

/// Every throw of dice in this phase: of performed actions, of those under way, and of this one.
fn past_rolls(table: &Table) -> Vec<(PlayerId, String, Vec<i64>)> {
    let rulebook = Arc::clone(&table.rulebook);
    let mut found = Vec::new();
    let entries = table.game.log.iter().rev().map(|entry: &Arc<LogEntry>| &entry.action);
    let this_phase = entries.take_while(|action| action.phase >= table.game.phase);
    let mut actions: Vec<&Commenced> = this_phase.filter(|action| action.phase == table.game.phase).collect();
    actions.reverse();
    actions.extend(table.game.pending.iter().filter(|action| action.what != table.action.what));
    for action in actions {
        let Some(player) = actor(&rulebook, table, action) else { continue };
        for (key, value) in action.random.entries() {
            let key = key.to_string();
            let dice: Vec<i64> = value.items().iter().filter_map(Data::as_int).collect();
            if rulebook.ruleset.is_dice(&key) && !dice.is_empty() {
                found.push((player, key, dice));
            }
        }
    }
    if let Some(player) = table.action.player() {
        for selection in table.selections.iter().filter(|selection| selection.dice) {
            found.push((
                player,
                selection.key.clone(),
                selection.value.items().iter().filter_map(Data::as_int).collect(),
            ));
        }
    }
    found
}

fn actor(rulebook: &Rulebook, table: &Table, action: &Commenced) -> Option<PlayerId> {
    let words = shlex::split(&action.what)?;
    Action::read(rulebook, &table.game, &words).ok()?.player()
}
