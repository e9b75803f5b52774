//! The vocabulary lent to rules: what a script can ask, read, change and say. `docs/vocabulary.md` is made of it.

#![expect(clippy::uninlined_format_args, reason = "a parameter called `type` cannot stand in a format text")]

use std::sync::Arc;

use starlark::environment::{Globals, GlobalsBuilder};
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::dict::AllocDict;
use starlark::values::list::UnpackList;
use starlark::values::none::{NoneOr, NoneType};
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, UnpackValue, Value};

use super::cell::{after_the_end, at, settle};
use super::compile::scripts;
use super::handles::{Player, Roll, Space, lend as lend_value, take_back};
use super::id::Id;
use super::limits;
use super::message::{Message, called, said};
use crate::data::{Dice, Key, NotDice, Value as Data};
use crate::engine::Interrupt;
use crate::engine::context::{Context, one_of, refusal};
use crate::game::{
    Alteration, Amended, Amendment, Amends, PendingAction, Player as GamePlayer, PlayerId, Rolled, SpaceId,
};
use crate::protocol::{By, Options, Question, What};
use crate::ruleset::{Action, Argument, Field, Ruleset};

/// The names that rules can use.
pub(in crate::engine) fn globals() -> Globals {
    GlobalsBuilder::standard().with(vocabulary_module).build()
}

/// Those of them that are ours.
pub(in crate::engine) fn lent() -> Globals {
    GlobalsBuilder::new().with(vocabulary_module).build()
}

fn chosen_by(context: &Context, player: Player, optional: bool) -> By {
    By::Player(context.name(context.decider(player.id(), optional)))
}

/// Asks for one of several spaces.
fn pick_space(
    key: &str,
    by: Option<Player>,
    options: &[Space],
    text: (&str, &[Value<'_>]),
    step: u32,
    none: bool,
) -> starlark::Result<Option<Space>> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, none));
        let mut values: Vec<Data> = options.iter().map(|space| space.id().into()).collect();
        if none {
            values.push(Data::from("none"));
        }
        let question = Question { step, ..one_of(key, by, What::Space, values, said(context, text)?, &context.cause) };
        let answer = context.ask(question)?;
        Ok(SpaceId::of(&answer).map(Space::from))
    })
}

fn pick_player(
    key: &str,
    by: Option<Player>,
    options: &[Player],
    text: (&str, &[Value<'_>]),
) -> starlark::Result<Player> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, false));
        let names = options.iter().map(|player| Data::from(&*context.name(player.id()))).collect();
        let question = one_of(key, by, What::Player, names, said(context, text)?, &context.cause);
        let answer = context.ask(question)?;
        let found = answer.as_text().and_then(|name| context.game.player_named(name));
        Ok(found.expect("an answer is one of the players offered").into())
    })
}

fn pick_name(
    key: &str,
    by: Option<Player>,
    what: What,
    options: &[String],
    text: (&str, &[Value<'_>]),
    optional: bool,
) -> starlark::Result<String> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, optional));
        let options = options.iter().map(|name| Data::from(name.as_str())).collect();
        let question = one_of(key, by, what, options, said(context, text)?, &context.cause);
        Ok(context.ask(question)?.to_string())
    })
}

/// Runs an effect of a rule file, with the rule as the cause of what happens.
fn run_effect<'v>(
    ruleset: &Ruleset,
    file: usize,
    rule: &str,
    effect: &str,
    args: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let Some(params) = ruleset.declared.hooks.get(effect) else {
        return at(|_| Err(Context::failed(&format!("the ruleset declares no effect `{effect}`"))));
    };
    let function = scripts(&ruleset).effect(file, effect, params);
    let Some(function) = function.or_else(|error| at(|_| Err(Interrupt::Failed(error))))? else {
        return Ok(Value::new_none());
    };
    let cause = at(|context| {
        context.enter(file, effect)?;
        Ok(std::mem::replace(&mut context.cause, rule.to_owned()))
    })?;
    let function = eval.heap().access_owned_frozen_value(function);
    let result = eval.eval_function(function, args, &[])?;
    at(|context| {
        context.running.pop();
        context.cause = cause;
        Ok(())
    })?;
    Ok(result)
}

/// The changes of the dice that fell just now.
fn changes_of(context: &mut Context, key: &str, count: usize) -> Vec<(Option<usize>, bool, i64)> {
    let each = |(die, change)| match change {
        Alteration::Add(amount) => (die, true, amount),
        Alteration::From(from) => (die, false, from),
    };
    context.amendments(key, count).into_iter().map(each).collect()
}

fn longest(value: Value<'_>) -> usize {
    value.length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

fn bounded(length: usize) -> starlark::Result<()> {
    if length <= limits::LENGTH {
        return Ok(());
    }
    at(|_| {
        Err(Context::failed(&format!("a list or text of {length} parts is more than the {} allowed", limits::LENGTH)))
    })
}

#[starlark_module]
fn vocabulary_module(builder: &mut GlobalsBuilder) {
    /// Throws dice such as "2d4" and gives the roll: `.dice` as they fell, `.total` their sum (D-1).
    fn roll(
        key: &str,
        dice: &str,
        #[starlark(default = NoneOr::None)] text: NoneOr<&str>,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Roll> {
        at(|context| {
            let Dice { count, faces } = dice.parse().map_err(|error: NotDice| Context::failed(&error.to_string()))?;
            if count == 0 {
                return Ok(Roll { dice: Vec::new(), sum: 0, changes: Vec::new() });
            }
            let text = match text.into_option() {
                Some(text) => said(context, (text, &values.items))?,
                None => format!("{dice} for {key}"),
            };
            let options = Options::Dice { count, faces };
            let question = Question::new(key, By::Random, What::Dice, options, text, &context.cause);
            let shown = context.ask(question)?;
            let dice: Vec<i64> = shown.items().iter().filter_map(Data::as_int).collect();
            let changes = changes_of(context, key, dice.len());
            Ok(Roll { sum: dice.iter().sum(), dice, changes })
        })
    }

    /// A roll whose total a rule fixes, without dice.
    fn fixed_roll(key: &str, total: i64) -> starlark::Result<Roll> {
        at(|context| {
            context.throw_nothing(key);
            let changes = changes_of(context, key, 0);
            Ok(Roll { dice: Vec::new(), sum: total, changes })
        })
    }

    /// Asks the player which roll of another action of this phase is meant: by a number among the dice of the only
    /// pending roll, else of the player's own last roll of the key `own`; by `ENTRY.N`, die N of a log entry; by
    /// `PLAYER.N`, die N of their pending action. With `only`, none but rolls of the key `own` can be meant, with
    /// `fixed` also those without dice, and the only one there is needs no answer. Gives (whether it is pending still, the action, the key, the die).
    fn choose_roll<'v>(
        player: Player,
        key: &str,
        own: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = false)] only: bool,
        #[starlark(require = named, default = false)] fixed: bool,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        at(|context| {
            let text = said(context, (text, &values.items))?;
            let found = crate::engine::rolls::choose(context, player, key, own, &text, (only, fixed))?;
            let (pending, action) = match &found.of {
                Rolled::Entry(id) => (false, heap.alloc(*id)),
                Rolled::Pending(what) => (true, heap.alloc(what.as_str())),
            };
            let place = found.die.place.map(|place| heap.alloc(i64::try_from(place).unwrap_or(i64::MAX)));
            let die = place.unwrap_or_else(Value::new_none);
            Ok(heap.alloc(vec![Value::new_bool(pending), action, heap.alloc(found.die.key), die]))
        })
    }

    /// Changes a roll of another action (D-4): the die, or with None the total, gains `add`, or becomes `minus_from`
    /// less what it was. The roll of a pending action is changed where it stands; one of an action that was performed
    /// makes what followed be played again.
    fn amend_roll<'v>(
        action: Value<'v>,
        key: &str,
        die: NoneOr<i64>,
        #[starlark(default = 0)] add: i64,
        #[starlark(default = NoneOr::None)] minus_from: NoneOr<i64>,
        #[starlark(default = false)] record_only: bool,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let of = match i64::unpack_value(action) {
                Ok(Some(id)) => Rolled::Entry(id),
                _ => Rolled::Pending(action.unpack_str().unwrap_or_default().to_owned()),
            };
            let die = die.into_option().and_then(|die| usize::try_from(die).ok());
            let change = minus_from.into_option().map_or(Alteration::Add(add), Alteration::From);
            let amendment = Amendment { key: key.to_owned(), die, change };
            let amends = Amends { of, change: Amended::Roll(amendment) };
            crate::engine::rolls::amend(context, amends, record_only)?;
            Ok(NoneType)
        })
    }

    /// What was performed in a phase: a list of (id, command), in order of time.
    fn performed<'v>(phase: i64, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let game = &context.game;
            let own = game.log.iter().filter(|entry| entry.action.phase == phase && game.took_place(entry));
            Ok(heap.alloc(own.map(|entry| heap.alloc((entry.id, entry.action.what.clone()))).collect::<Vec<_>>()))
        })
    }

    /// Says that an action which was performed has not taken place (M-7): what followed it is played again without it.
    fn void_entry(id: i64) -> starlark::Result<NoneType> {
        at(|context| {
            crate::engine::rolls::amend(context, Amends { of: Rolled::Entry(id), change: Amended::Void }, false)?;
            Ok(NoneType)
        })
    }

    /// Asks the player yes or no.
    fn choose_yes_no(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<bool> {
        at(|context| {
            let by = chosen_by(context, player, true);
            let options = vec![Data::from("yes"), Data::from("no")];
            let question = one_of(key, by, What::YesNo, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)? == Data::from("yes"))
        })
    }

    /// Asks the player for one of the spaces. With a `step`, from 1 on, it is a step of a selection that is given whole: the
    /// steps with only one legal answer included.
    fn choose_space(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = 0)] step: u32,
    ) -> starlark::Result<Space> {
        let space = pick_space(key, Some(player), &options.items, (text, &values.items), step, false)?;
        Ok(space.expect("none was not offered"))
    }

    /// Asks the player for one of the spaces, or for none; gives None for none.
    fn choose_space_or_none(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneOr<Space>> {
        Ok(NoneOr::from_option(pick_space(key, Some(player), &options.items, (text, &values.items), 0, true)?))
    }

    /// Asks the player for one of the places (x, y) on a map, whether or not there is a space (L-1). `words` name them in other
    /// words, one each. With a `step` it is a step of a selection that is given whole; with `implied` a step with one legal
    /// answer can be left out of it.
    fn choose_place(
        player: Player,
        key: &str,
        places: UnpackList<(i64, i64)>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = 0)] step: u32,
        #[starlark(require = named, default = UnpackList::default())] words: UnpackList<String>,
        #[starlark(require = named, default = false)] implied: bool,
    ) -> starlark::Result<(i64, i64)> {
        at(|context| {
            let by = chosen_by(context, player, false);
            let ids = places.items.iter().map(|(x, y)| SpaceId::at(*x, *y));
            let ids = ids.collect::<Option<Vec<_>>>().ok_or_else(|| Context::failed("a place is beyond the map"))?;
            let options: Vec<Data> = ids.into_iter().map(Data::from).collect();
            let words = words.items.into_iter().zip(options.iter().cloned()).collect();
            let question = one_of(key, by, What::Space, options, said(context, (text, &values.items))?, &context.cause);
            let answer = context.ask(Question { step, implied, words, ..question })?;
            Ok(SpaceId::of(&answer).and_then(SpaceId::place).expect("an answer is one of the places offered"))
        })
    }

    /// Asks the player for one of the players.
    fn choose_player(
        player: Player,
        key: &str,
        options: UnpackList<Player>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Player> {
        pick_player(key, Some(player), &options.items, (text, &values.items))
    }

    /// Asks the player for one of the numbers. With `optional` it is a choice that they may, but need not, make.
    fn choose_number(
        player: Player,
        key: &str,
        options: UnpackList<i64>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = false)] optional: bool,
    ) -> starlark::Result<i64> {
        at(|context| {
            let by = chosen_by(context, player, optional);
            let options = options.items.into_iter().map(Data::Int).collect();
            let question =
                one_of(key, by, What::Number, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.as_int().expect("an answer is one of the numbers offered"))
        })
    }

    /// Asks the player for any whole number from `least` to `most`; without them, for any that an identifier can be.
    fn choose_whole(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = NoneOr::None)] least: NoneOr<i64>,
        #[starlark(require = named, default = NoneOr::None)] most: NoneOr<i64>,
    ) -> starlark::Result<i64> {
        at(|context| {
            let bounds = (least.into_option().unwrap_or(-SpaceId::MOST), most.into_option().unwrap_or(SpaceId::MOST));
            let options = Options::Whole(bounds.0, bounds.1);
            let by = chosen_by(context, player, false);
            let question = Question {
                options,
                ..one_of(key, by, What::Number, vec![], said(context, (text, &values.items))?, &context.cause)
            };
            Ok(context.ask(question)?.as_int().expect("an answer is a number"))
        })
    }

    /// Asks the player for a text.
    fn choose_text(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        at(|context| {
            let by = chosen_by(context, player, false);
            let options = Options::Text;
            let question = Question {
                options,
                ..one_of(key, by, What::Text, vec![], said(context, (text, &values.items))?, &context.cause)
            };
            Ok(context.ask(question)?.to_string())
        })
    }

    /// Asks the player for one of the kinds of item.
    fn choose_item(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Item, &options.items, (text, &values.items), false)
    }

    /// Asks the player for one of the kinds of item, or for none; gives None for none.
    fn choose_item_or_none(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneOr<String>> {
        let options: Vec<String> = options.items.into_iter().chain(["none".to_owned()]).collect();
        let picked = pick_name(key, Some(player), What::Item, &options, (text, &values.items), true)?;
        Ok(if picked == "none" { NoneOr::None } else { NoneOr::Other(picked) })
    }

    /// Asks the player for one of the space types.
    fn choose_type(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Type, &options.items, (text, &values.items), false)
    }

    /// Asks the player for one of several words.
    fn choose_word(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Text, &options.items, (text, &values.items), false)
    }

    /// Asks the steward for one of several words.
    fn ask_steward(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        at(|context| {
            let options = options.items.iter().map(|word| Data::from(word.as_str())).collect();
            let question = one_of(
                key,
                By::Player("the steward".into()),
                What::Text,
                options,
                said(context, (text, &values.items))?,
                &context.cause,
            );
            Ok(context.ask(question)?.to_string())
        })
    }

    /// Draws one of the spaces, each equally likely.
    fn random_space(
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Space> {
        Ok(pick_space(key, None, &options.items, (text, &values.items), 0, false)?.expect("none was not offered"))
    }

    /// Draws one of the numbers, each equally likely.
    fn random_number(
        key: &str,
        options: UnpackList<i64>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<i64> {
        at(|context| {
            let options = options.items.into_iter().map(Data::Int).collect();
            let question =
                one_of(key, By::Random, What::Number, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.as_int().expect("an answer is one of the numbers offered"))
        })
    }

    /// Draws one of the players, each equally likely.
    fn random_player(
        key: &str,
        options: UnpackList<Player>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Player> {
        pick_player(key, None, &options.items, (text, &values.items))
    }

    /// Draws one of the kinds of item, each equally likely.
    fn random_item(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, None, What::Item, &options.items, (text, &values.items), false)
    }

    /// Draws one of the numbered rows of items as they stand now, each equally likely (GB-5, R-38).
    fn random_row(key: &str, text: &str, #[starlark(args)] values: UnpackTuple<Value<'_>>) -> starlark::Result<String> {
        at(|context| {
            let ruleset = Arc::clone(&context.ruleset);
            let rows = ruleset.rows(&context.game).into_iter().map(|(_, name)| Data::from(&*name)).collect();
            let question =
                one_of(key, By::Random, What::Item, rows, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.to_string())
        })
    }

    /// Draws one of the space types, each equally likely unless the list names one more often (C-1).
    fn random_type(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, None, What::Type, &options.items, (text, &values.items), false)
    }

    /// All players, in the order of the file.
    fn players() -> starlark::Result<Vec<Player>> {
        at(|context| Ok(context.game.players().map(|(id, _)| Player::from(id)).collect()))
    }

    /// The players who hold at least so many of an item, kinds that are made of it counted in.
    fn holders(item: &str, #[starlark(default = 1)] least: i64) -> starlark::Result<Vec<Player>> {
        at(|context| {
            let made: Vec<String> =
                context.ruleset.declared.derived.iter().map(|word| format!("{word} {item}")).collect();
            let held = |player: &GamePlayer| {
                made.iter().map(|kind| player.count(kind)).fold(player.count(item), i64::saturating_add)
            };
            let rich = context.game.players().filter(|(_, player)| held(player) >= least);
            Ok(rich.map(|(id, _)| Player::from(id)).collect())
        })
    }

    /// The player of this name, compared as people write names; None where there is none.
    fn player_named(name: &str) -> starlark::Result<NoneOr<Player>> {
        at(|context| Ok(NoneOr::from_option(crate::ruleset::called(&context.game, name).map(Player::from))))
    }

    /// Makes somebody a player, on the initial space and with nothing, and gives the player (P-1, B-3).
    fn add_player(name: &str) -> starlark::Result<Player> {
        at(|context| {
            let (marks, fields) = (Data::Map(Vec::new()), Data::Map(Vec::new()));
            let location = context.ruleset.declared.initial_space;
            let (items, symbolic) = (Vec::new(), Vec::new());
            let player = GamePlayer { name: name.into(), location, items, symbolic, marks, fields, gone: false };
            context.game.add_player(player, None);
            let added = context.game.players().last().map(|(id, _)| id);
            let id = added.ok_or_else(|| Context::failed("a player who was added is not there"))?;
            context.tell(format!("{name} joins on {}", called(location)), &[id], &[location], &[]);
            Ok(Player::from(id))
        })
    }

    /// The images of a player, in the order in which they were made. Rules that act on players act on images as well:
    /// what an image gains comes to its owner as another kind of item, and it has nothing to lose.
    fn images(player: Player) -> starlark::Result<Vec<Player>> {
        at(|context| {
            let count = context.images(player.id()).len();
            Ok((0..count).filter_map(|place| Player::image_of(player.id(), place)).collect())
        })
    }

    /// Takes a player out of the game, with everything they hold.
    fn remove_player(player: Player) -> starlark::Result<NoneType> {
        at(|context| {
            let name = context.name(player.id());
            context.game.player_mut(player.id()).gone = true;
            context.tell(format!("{name} is out of the game"), &[player.id()], &[], &[]);
            Ok(NoneType)
        })
    }

    /// All spaces, in the order of the file.
    fn spaces() -> starlark::Result<Vec<Space>> {
        at(|context| Ok(context.game.board().spaces().map(|space| Space::from(space.id)).collect()))
    }

    /// The space with this identifier, or None.
    fn space(id: Id) -> starlark::Result<NoneOr<Space>> {
        at(|context| Ok(NoneOr::from_option(context.game.space(id.0).map(|space| Space::from(space.id)))))
    }

    /// The identifier of the place (x, y) on a map, for `space` and `create_space` (L-1); None beyond the map's reach.
    fn place(x: i64, y: i64) -> starlark::Result<NoneOr<Id>> {
        at(|_| Ok(NoneOr::from_option(SpaceId::at(x, y).map(Id))))
    }

    /// Whether a line runs from one identifier up to another: each of its spaces but the last precedes the next (B-7).
    fn is_line(start: Id, end: Id) -> starlark::Result<bool> {
        at(|context| Ok(context.game.board().is_line(start.0, end.0)))
    }

    /// Whether a loop runs from one identifier up to another: a line, and its start succeeds its end (B-8).
    fn is_loop(start: Id, end: Id) -> starlark::Result<bool> {
        at(|context| Ok(context.game.board().is_loop(start.0, end.0)))
    }

    /// The members of a category, or None where the name is no category (C-1).
    fn category(name: &str) -> starlark::Result<NoneOr<Vec<String>>> {
        at(|context| {
            let members = context.ruleset.category(name);
            Ok(NoneOr::from_option(
                members.map(|members| members.iter().map(std::string::ToString::to_string).collect()),
            ))
        })
    }

    /// Everything that can be the type of a space: the types, then the categories (B-6).
    fn space_types() -> starlark::Result<Vec<String>> {
        at(|context| Ok(context.ruleset.type_names().map(std::string::ToString::to_string).collect()))
    }

    /// Whether a space type is declared unique (S-5).
    fn is_unique(r#type: &str) -> starlark::Result<bool> {
        at(|context| Ok(context.ruleset.space_type(r#type).is_some_and(|rule| rule.unique)))
    }

    /// Whether there is such a kind of item now.
    fn is_item(name: &str) -> starlark::Result<bool> {
        at(|context| Ok(context.ruleset.is_item(&context.game, name)))
    }

    /// Every kind of item there is now: the rows, then the kinds that are no rows.
    fn item_kinds() -> starlark::Result<Vec<String>> {
        at(|context| {
            let names = context.ruleset.item_names(&context.game);
            Ok(names.iter().map(std::string::ToString::to_string).collect())
        })
    }

    /// The numbered rows of items as they stand now: a list of (number, name) (GB-1).
    fn rows<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let rows = context.ruleset.rows(&context.game);
            Ok(heap.alloc(rows.iter().map(|(number, name)| heap.alloc((*number, &**name))).collect::<Vec<_>>()))
        })
    }

    /// A name as it is compared without regard to case (TA-7, R-181).
    fn folded(name: &str) -> starlark::Result<String> {
        at(|_| Ok(crate::data::folded(name)))
    }

    /// The kind of which another is made: "Duck" of "jumbo Duck" (GB-7); a plain kind gives itself.
    fn plain_kind(item: &str) -> starlark::Result<String> {
        at(|context| Ok(context.ruleset.plain(item).to_owned()))
    }

    /// What the rule of an item says in a word, such as `usable: false` in its file; None where it says nothing.
    fn item_says<'v>(item: &str, word: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let rule = context.ruleset.item(context.ruleset.plain(item));
            Ok(rule.and_then(|rule| rule.says.get(word)).map_or(Value::new_none(), |said| lend_value(heap, said)))
        })
    }

    /// Runs the effect of an item for the player who uses it, and gives what it returns; None where it has none. A kind
    /// made of another does what that one does.
    fn item_effect<'v>(item: &str, you: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<Value<'v>> {
        let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
        let Some(rule) = ruleset.item(ruleset.plain(item)) else { return Ok(Value::new_none()) };
        let used = eval.heap().alloc(item);
        run_effect(&ruleset, rule.file, rule.rule(), "effect", &[you, used], eval)
    }

    /// Takes a copy of an item in use: it cannot be used, or otherwise spent, meanwhile.
    fn take_in_use(player: Player, item: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.in_use.push((player.id(), item.into()));
            Ok(NoneType)
        })
    }

    /// Lets go of a copy that was in use.
    fn let_go(player: Player, item: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let place = context.in_use.iter().rposition(|(own, name)| *own == player.id() && **name == *item);
            place.map(|place| context.in_use.remove(place));
            Ok(NoneType)
        })
    }

    /// How many copies of an item of the player's are in use now.
    fn count_in_use(player: Player, item: &str) -> starlark::Result<i64> {
        at(|context| {
            let count = context.in_use.iter().filter(|(own, name)| *own == player.id() && **name == *item).count();
            Ok(i64::try_from(count).unwrap_or(i64::MAX))
        })
    }

    /// What play has amended in the rules.
    fn amendment<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = Context::declared(&context.ruleset.declared.amendments, &context.game.amendments, name);
            value
                .map(|value| lend_value(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no amendment `{name}`")))
        })
    }

    /// Amends the rules; None takes the amendment back. It acts from now on.
    fn amend(name: &str, value: Value) -> starlark::Result<NoneType> {
        let value = take_back(value);
        at(|context| {
            if !context.ruleset.declared.amendments.iter().any(|field| &*field.name == name) {
                return Err(Context::failed(&format!("the ruleset declares no amendment `{name}`")));
            }
            let value = value.ok_or_else(|| Context::failed(&format!("this cannot be kept as amendment `{name}`")))?;
            let amendments = Arc::make_mut(&mut context.game.amendments);
            if value == Data::Null {
                amendments.remove(name);
            } else {
                amendments.set(Key::from(name), value);
            }
            Ok(NoneType)
        })
    }

    /// A value of the game's state.
    fn state<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = Context::declared(&context.ruleset.declared.state, &context.game.state, name);
            value
                .map(|value| lend_value(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no state `{name}`")))
        })
    }

    /// Sets a value of the game's state; None clears it.
    fn set_state(name: &str, value: Value) -> starlark::Result<NoneType> {
        let value = take_back(value);
        at(|context| {
            if !context.ruleset.declared.state.iter().any(|field| &*field.name == name) {
                return Err(Context::failed(&format!("the ruleset declares no state `{name}`")));
            }
            let value = value.ok_or_else(|| Context::failed(&format!("this cannot be kept as state `{name}`")))?;
            let state = Arc::make_mut(&mut context.game.state);
            if value == Data::Null {
                state.remove(name);
            } else {
                state.set(Key::from(name), value);
            }
            Ok(NoneType)
        })
    }

    /// The proposals by their numbers, as the file has them (PR-1).
    fn proposals<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let proposals = Data::Map(context.game.proposals.entries().to_vec());
            Ok(lend_value(heap, &proposals))
        })
    }

    /// Sets what the file says of a proposal. What holds anyway where nothing is said, and was not said before, is not said.
    fn set_proposal(number: i64, value: Value) -> starlark::Result<NoneType> {
        let value = take_back(value);
        at(|context| {
            let mut value = value.ok_or_else(|| Context::failed("this cannot be kept of a proposal"))?;
            if let Some(before) = context.game.proposals.get(&number.to_string()) {
                let silent = |field: &&Field| before.get(&field.name).is_none();
                for field in context.ruleset.declared.proposals.iter().filter(silent) {
                    if value.get(&field.name).is_some_and(|now| *now == field.default || now.as_text() == Some("")) {
                        value.remove(&field.name);
                    }
                }
            }
            Arc::make_mut(&mut context.game.proposals).set(Key::Int(number), value);
            Ok(NoneType)
        })
    }

    /// What this game has set for a switch of the rulings list: a value, or a dict with its source; None where it has not.
    fn ruling_set<'v>(key: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| Ok(context.game.rulings.get(key).map_or_else(Value::new_none, |set| lend_value(heap, set))))
    }

    /// Sets a switch of the rulings list, with its source, or with None takes the setting back. Gives the values that the
    /// switch has where this is none of them, and no values where there is no such switch; else None.
    fn set_ruling<'v>(key: &str, value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        let value = take_back(value);
        at(|context| {
            let Some(switch) = context.ruleset.switch(key) else { return Ok(heap.alloc(Vec::<String>::new())) };
            let value = value.ok_or_else(|| Context::failed("this cannot be kept as a ruling"))?;
            let word = value.get("value").unwrap_or(&value);
            if value != Data::Null && !word.as_text().is_some_and(|word| switch.allows(word)) {
                return Ok(heap.alloc(switch.values.clone()));
            }
            let rulings = Arc::make_mut(&mut context.game.rulings);
            if value == Data::Null {
                rulings.remove(key);
            } else {
                rulings.set(Key::from(key), value);
            }
            Ok(Value::new_none())
        })
    }

    /// The entries of the log that leaned on a switch not at its default: a list of (id, command).
    fn leaned_on<'v>(key: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let leaning = context.game.log.iter().filter(|entry| entry.counts() && entry.rulings.get(key).is_some());
            Ok(heap.alloc(leaning.map(|entry| heap.alloc((entry.id, entry.action.what.clone()))).collect::<Vec<_>>()))
        })
    }

    /// From the next command on the game is played by the rules in this folder, relative to its file (PR-7).
    fn set_ruleset(folder: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.game.ruleset = folder.into();
            Ok(NoneType)
        })
    }

    /// The rules by which the game is played from the next command on: a built-in ruleset, or a folder.
    fn ruleset() -> starlark::Result<String> {
        at(|context| Ok(context.game.ruleset.to_string()))
    }

    /// A number that the ruleset declares as data, or that the game has changed.
    fn setting<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = context.ruleset.setting(&context.game, name);
            value
                .map(|value| lend_value(heap, value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no setting `{name}`")))
        })
    }

    /// The running phase, counted from 1.
    fn phase() -> starlark::Result<i64> {
        at(|context| Ok(context.game.phase))
    }

    /// The phase that holds a moment written like a `joined` field; 0 where the game does not say when it started.
    fn phase_at(time: &str) -> starlark::Result<i64> {
        at(|context| {
            let time = time.parse().map_err(|_| Context::failed(&format!("`{time}` is no time")))?;
            Ok(context.ruleset.phase_at(&context.game, time).unwrap_or(0))
        })
    }

    /// The place of a phase within its week, from 1 on. Of a game that does not say when it started, the first phase is
    /// taken to be the last of its week.
    fn phase_of_week(number: i64) -> starlark::Result<i64> {
        at(|context| Ok(context.ruleset.phase_of_week(&context.game, number)))
    }

    /// The name of a phase within its week, such as "I" (T-1).
    fn phase_name(number: i64) -> starlark::Result<String> {
        at(|context| Ok(context.ruleset.phase_name(&context.game, number)))
    }

    /// Sets the running phase.
    fn set_phase(number: i64) -> starlark::Result<NoneType> {
        at(|context| {
            let before = std::mem::replace(&mut context.game.phase, number);
            let start = context.ruleset.phase_start(&context.game, number);
            let day = start.map_or_else(String::new, |start| {
                let name = context.ruleset.phase_name(&context.game, number);
                format!(" ({name} of its week), by the calendar on {}", start.strftime("%A %-d %B %Y"))
            });
            context.tell(format!("phase {before} ends, phase {number} begins{day}"), &[], &[], &[]);
            Ok(NoneType)
        })
    }

    /// The actions that were commenced and not yet performed: a list of dicts with `do`, the command; `name`, its first
    /// word; `args`; `phase`; and the selections so far, `random` and `chosen`.
    fn pending_actions<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let ruleset = Arc::clone(&context.ruleset);
            let lent = |pending: &PendingAction| {
                let action =
                    shlex::split(&pending.what).and_then(|w| Action::read(&ruleset, &context.game, &w).ok())?;
                let args: Vec<Value> = action
                    .args
                    .iter()
                    .map(|arg| match arg {
                        Argument::Player(player) => heap.alloc(Player::from(*player)),
                        Argument::Space(space) => heap.alloc(Space::from(*space)),
                        Argument::Item(item) => heap.alloc(&**item),
                        Argument::Text(text) => heap.alloc(text.as_str()),
                        Argument::Number(number) => heap.alloc(*number),
                        Argument::Texts(texts) => heap.alloc(texts.clone()),
                        Argument::Items(_) | Argument::None => Value::new_none(),
                    })
                    .collect();
                Some(heap.alloc(AllocDict([
                    ("do", heap.alloc(pending.what.as_str())),
                    ("name", heap.alloc(action.name.as_str())),
                    ("args", heap.alloc(args)),
                    ("phase", heap.alloc(pending.phase)),
                    ("random", lend_value(heap, &pending.random)),
                    ("chosen", lend_value(heap, &pending.chosen)),
                ])))
            };
            Ok(heap.alloc(context.game.pending.iter().filter_map(lent).collect::<Vec<_>>()))
        })
    }

    /// The player who acts: the first one that the command names; None where it names none.
    fn acting() -> starlark::Result<NoneOr<Player>> {
        at(|context| Ok(NoneOr::from_option(context.action.player().map(Player::from))))
    }

    /// The command of the action under way, with names as the game spells them.
    fn this_action() -> starlark::Result<String> {
        at(|context| Ok(context.action.what.clone()))
    }

    /// Ends a pending action, given by its command, without its being performed; its draws stay in the log (RC-2).
    fn lapse(what: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let Some(place) = context.game.pending.iter().position(|pending| pending.what == what) else {
                return Err(Context::failed(&format!("no action `{what}` is pending")));
            };
            let pending = Arc::make_mut(&mut context.game.pending).remove(place);
            let text = format!("`{what}` was not completed and expires; its dice stay in the log");
            context.tell(text, &[], &[], &[]);
            context.lapsed.push(pending);
            Ok(NoneType)
        })
    }

    /// When the action was posted, written like a `joined` field; None where nobody says.
    fn posted_at() -> starlark::Result<NoneOr<String>> {
        at(|context| Ok(NoneOr::from_option(context.action.at.map(|at| at.to_string()))))
    }

    /// When the round started, written like a `joined` field; None where the game does not say.
    fn started_at() -> starlark::Result<NoneOr<String>> {
        at(|context| Ok(NoneOr::from_option(context.game.started.map(|at| at.to_string()))))
    }

    /// The first moment of a phase, written like a `joined` field; None where the game does not say when it started.
    fn phase_start(number: i64) -> starlark::Result<NoneOr<String>> {
        at(|context| {
            let start = context.ruleset.phase_start(&context.game, number);
            Ok(NoneOr::from_option(start.map(|at| at.to_string())))
        })
    }

    /// A moment written like a `joined` field, in seconds, so that two can be compared.
    fn seconds(time: &str) -> starlark::Result<i64> {
        at(|_| {
            let time: jiff::Timestamp = time.parse().map_err(|_| Context::failed(&format!("`{time}` is no time")))?;
            Ok(time.as_second())
        })
    }

    /// The moment so many seconds after the start of 1970, written like a `joined` field.
    fn moment(seconds: i64) -> starlark::Result<String> {
        at(|_| {
            let time = jiff::Timestamp::from_second(seconds);
            time.map(|time| time.to_string()).map_err(|_| Context::failed(&format!("{seconds} seconds are no moment")))
        })
    }

    /// The value of a switch of the rulings list.
    fn ruling(key: &str) -> starlark::Result<String> {
        at(|context| context.ruling(key))
    }

    /// The dice that players have thrown in this phase, this action's included: a list of (player, key, dice).
    fn rolls<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let found = crate::engine::rolls::past(context);
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
        at(|context| context.give(player, item, amount))?;
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
        at(|context| context.give(player, item, amount.saturating_neg()))?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Sets where the player stands, and nothing else; `how` says it in words, such as "moves to".
    fn relocate(player: Player, to: Space, #[starlark(default = "is now on")] how: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let to = context.space(to.id())?.id;
            context.put_on(player, to);
            let name = context.called(player);
            context.tell(format!("{name} {how} {}", called(to)), &[player.id()], &[to], &[]);
            Ok(NoneType)
        })
    }

    /// Adds a link, so that `to` succeeds `from` (CN-1).
    fn link(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|context| {
            context.space(to.id())?;
            let linked = context.space(from.id())?.successors.contains(&to.id());
            if !linked {
                if let Some(space) = context.game.board_mut().get_mut(from.id()) {
                    space.successors.push(to.id());
                }
                let (from, to) = (from.id(), to.id());
                context.tell(format!("{} now precedes {}", called(from), called(to)), &[], &[from, to], &[]);
            }
            Ok(NoneType)
        })
    }

    /// Takes a link away.
    fn unlink(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|context| {
            if context.space(from.id())?.successors.contains(&to.id()) {
                if let Some(space) = context.game.board_mut().get_mut(from.id()) {
                    space.successors.retain(|id| *id != to.id());
                }
                let (from, to) = (from.id(), to.id());
                context.tell(format!("{} no longer precedes {}", called(from), called(to)), &[], &[from, to], &[]);
            }
            Ok(NoneType)
        })
    }

    /// Makes a space without successors and gives it; None where its identifier is in use (B-4).
    fn create_space(id: Id, r#type: &str) -> starlark::Result<NoneOr<Space>> {
        at(|context| {
            if !context.ruleset.has_type(r#type) {
                return Err(Context::failed(&format!("there is no space type `{}`", r#type)));
            }
            let space = crate::game::Space {
                id: id.0,
                kind: r#type.into(),
                successors: Vec::new(),
                fields: Data::Map(Vec::new()),
            };
            if !context.game.board_mut().create(space) {
                return Ok(NoneOr::None);
            }
            let text = format!("{} is created ({})", called(id.0), r#type);
            context.tell(text, &[], &[id.0], &[]);
            Ok(NoneOr::Other(Space::from(id.0)))
        })
    }

    /// Runs an effect of a space type, such as "on-land", and gives what it returns; None where the type has none.
    fn space_effect<'v>(
        r#type: &str,
        effect: &str,
        #[starlark(args)] args: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
        let Some(rule) = ruleset.space_type(r#type) else { return Ok(Value::new_none()) };
        run_effect(&ruleset, rule.file, rule.rule(), effect, &args.items, eval)
    }

    /// Runs a function without parameters and gives whether the cycle ended in it; what is still due can be done then
    /// before `end_action`.
    fn until_ended<'v>(effects: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<bool> {
        let before =
            at(|context| Ok((context.running.len(), context.together, context.deciders.len(), context.in_use.len())))?;
        let cause = at(|context| Ok(context.cause.clone()))?;
        let Err(stopped) = eval.eval_function(effects, &[], &[]) else { return Ok(false) };
        let goes_on = after_the_end(|context| {
            context.running.truncate(before.0);
            context.together = before.1;
            context.deciders.truncate(before.2);
            context.in_use.truncate(before.3);
            context.cause = cause;
        });
        if goes_on { Ok(true) } else { Err(stopped) }
    }

    /// Lets a player make the choices of another while a function without parameters runs: with `everything` all of
    /// them, otherwise those that have to be made.
    fn deciding<'v>(
        decider: Player,
        player: Player,
        everything: bool,
        effects: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            context.deciders.push((player.id(), decider.id(), everything));
            Ok(())
        })?;
        eval.eval_function(effects, &[], &[])?;
        at(|context| {
            context.deciders.pop();
            Ok(NoneType)
        })
    }

    /// Carries out effects of one sentence on several players at the same instant: `effects` is a function without
    /// parameters, and nothing is looked at until it is through.
    fn simultaneously<'v>(effects: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        at(|context| {
            context.together += 1;
            Ok(())
        })?;
        eval.eval_function(effects, &[], &[])?;
        at(|context| {
            context.together -= 1;
            Ok(())
        })?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Names the rule that is at work, by its catalogue ID: the cause of what happens until the function returns or names
    /// another. Functions that it calls have it as their cause as long as they name none.
    fn rule(id: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.cause.clear();
            context.cause.push_str(id);
            Ok(NoneType)
        })
    }

    /// Tells something that happened. Each `{}` of the text shows the next value: a player by name, a space as "space 3" or
    /// by its coordinates, a list with commas. The players, spaces and items shown are noted with it.
    fn tell(text: &str, #[starlark(args)] values: UnpackTuple<Value<'_>>) -> starlark::Result<NoneType> {
        at(|context| {
            let mut message = Message::new(context, &values.items);
            let text = message.fill(text)?;
            let (players, spaces, items) = message.finish()?;
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            context.tell(text, &players, &spaces, &items);
            Ok(NoneType)
        })
    }

    /// Stops the action: the rules forbid it, and nothing of it has happened. The values fill the message, and those that
    /// are left the help.
    fn refuse(
        code: &str,
        message: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = NoneOr::None)] help: NoneOr<&str>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let mut filling = Message::new(context, &values.items);
            let message = filling.fill(message)?;
            let help = help.into_option().map(|help| filling.fill(help)).transpose()?;
            filling.finish()?;
            Err(refusal(code, message, help, &context.cause))
        })
    }

    /// Stops the action: the rules leave it open, and a ruling on this R-number must settle it.
    fn needs_ruling(
        id: &str,
        message: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let message = said(context, (message, &values.items))?;
            Err(Interrupt::NeedsRuling { ruling: id.to_owned(), message })
        })
    }

    /// Ends the action here; what has happened stays.
    fn end_action() -> starlark::Result<NoneType> {
        at(|_| Err(Interrupt::Ended))
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
