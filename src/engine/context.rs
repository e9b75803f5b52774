//! The context at which a rule plays: the game as it stands in the middle of an action, the answers given, what has
//! happened so far. It draws nothing and asks nobody; an open selection stops the rule.

use std::sync::Arc;

use super::Interrupt;
use super::accepts;
use super::script::handles::Player;
use super::script::{ScriptError, limits};
use crate::data::{Key, Value};
use crate::game::{Alteration, Amendment, Amends, Game, Name, PendingAction, PlayerId, SpaceId};
use crate::protocol::{By, Event, Options, Question, Refusal, Selection, What};
use crate::protocol::{Selections, short, spelled};
use crate::ruleset::{Action, Ruleset};

/// The state of one run of an action.
#[derive(Debug)]
pub(super) struct Context {
    pub ruleset: Arc<Ruleset>,
    pub game: Game,
    pub action: Action,
    pub given: Selections,
    pub selections: Vec<Selection>,
    pub events: Vec<Event>,
    /// The first reason to stop; everything after it fails at once.
    pub halt: Option<Interrupt>,
    /// The catalogue ID of the rule that is at work.
    pub cause: String,
    /// Switches not at their default that were read since the last event.
    pub leaned: Vec<(String, String)>,
    /// All switches not at their default that were read.
    pub leaned_on: Vec<(String, String)>,
    /// How many `simultaneously` are open; watches wait until all are closed.
    pub together: u32,
    /// Watches that wait: the function, whose holding of which item changed, and by how much.
    pub due: Vec<(String, PlayerId, Name, i64)>,
    /// Who decides for whom, the last first to count; whether also what that player may, but need not, choose.
    pub deciders: Vec<(PlayerId, PlayerId, bool)>,
    /// Copies of items that are being used.
    pub in_use: Vec<(PlayerId, Name)>,
    /// How many dice have fallen for each key.
    thrown: Vec<(String, usize)>,
    /// Changes of other rolls that this action has made.
    pub amends: Vec<Amends>,
    /// The effects within effects that are at work: rule files by place, and the keys in them.
    pub running: Vec<(usize, String)>,
    /// Actions that ran out of time.
    pub lapsed: Vec<PendingAction>,
    /// A selection that is given whole was cut short before a forced step: its key, and that step.
    short: Option<(Question, usize)>,
    steps_taken: usize,
    /// Whether any step so far was given with the command.
    steps_posted: bool,
}

impl Context {
    pub fn new(ruleset: Arc<Ruleset>, game: Game, action: Action, given: Selections) -> Self {
        Self {
            ruleset,
            game,
            action,
            given,
            selections: Vec::new(),
            events: Vec::new(),
            halt: None,
            cause: String::new(),
            leaned: Vec::new(),
            leaned_on: Vec::new(),
            together: 0,
            due: Vec::new(),
            deciders: Vec::new(),
            in_use: Vec::new(),
            thrown: Vec::new(),
            amends: Vec::new(),
            running: Vec::new(),
            lapsed: Vec::new(),
            short: None,
            steps_taken: 0,
            steps_posted: false,
        }
    }

    /// The answer to a question: the given one, the only one, or a halt.
    pub fn ask(&mut self, question: Question) -> Result<Value, Interrupt> {
        let whole = question.step > 0;
        if question.step < 2 {
            self.refuse_short()?;
        }
        if question.step == 1 {
            self.steps_posted = false;
        }
        if let Options::Dice { count, faces } = question.options {
            return self.throw(question, count, faces);
        }
        let options = match &question.options {
            Options::OneOf(options) => options.len(),
            _ => usize::MAX,
        };
        if options == 0 {
            return Err(refusal(
                "nothing-to-select",
                format!("there is nothing to select for `{}`", question.key),
                None,
                &question.rule,
            ));
        }
        let forced = options == 1 && !self.types_all(&question);
        if whole {
            self.steps_taken = question.step as usize;
        }
        let mut given = None;
        let left_out = forced && question.implied && {
            let next = self.given.left(&question.key).first();
            next.is_none_or(|next| accepts(&self.ruleset, &self.game, &question, next).is_none())
        };
        let takes = usize::from(!forced || whole && !left_out);
        if question.options == Options::Text {
            // A text with commas in it is one text.
            self.given.join_left(&question.key);
        }
        while let Some(next) = self.given.take(&question.key, takes).pop() {
            match accepts(&self.ruleset, &self.game, &question, &next) {
                Some(accepted) => {
                    given = Some(accepted);
                    break;
                }
                // The board has changed since it was selected: it is selected again from here on.
                None if self.given.give_up_recorded(&question.key) => {}
                None => return Err(self.illegal(&question, &next, whole)),
            }
        }
        let known = given.is_some() && self.given.was_known(&question.key);
        self.steps_posted |= whole && given.is_some() && !known;
        let value = match given {
            Some(accepted) => accepted,
            None if forced => {
                if whole && self.steps_posted && self.given.has_posted(&question.key) && self.short.is_none() {
                    self.short = Some((question.clone(), self.steps_taken));
                }
                match &question.options {
                    Options::OneOf(options) => options[0].clone(),
                    _ => unreachable!("only a list of options can hold a single one"),
                }
            }
            None => {
                self.short = None;
                return Err(Interrupt::Asks(Box::new(question)));
            }
        };
        let out_of = (1, u32::try_from(options).unwrap_or(u32::MAX));
        let recorded = whole || !forced;
        let place = match &question.options {
            Options::OneOf(options) => options.iter().position(|option| *option == value).map_or(0, |place| place + 1),
            _ => 0,
        };
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        let Question { key, by, .. } = question;
        self.selections.push(Selection {
            key,
            by,
            value: value.clone(),
            out_of,
            place,
            dice: false,
            forced,
            recorded,
            known,
        });
        Ok(value)
    }

    /// Whether a choice with one option must be made all the same.
    fn types_all(&mut self, question: &Question) -> bool {
        let ruleset = Arc::clone(&self.ruleset);
        let Some((switch, value)) = &ruleset.declared.never_forced else { return false };
        question.by != By::Random && self.ruling(switch).is_ok_and(|set| set == *value)
    }

    fn throw(&mut self, question: Question, count: u32, faces: u32) -> Result<Value, Interrupt> {
        let mut given = self.given.take(&question.key, count as usize);
        let known = self.given.was_known(&question.key);
        // Dice with one face have one outcome, so nobody has to throw them.
        let forced = given.is_empty() && faces == 1;
        if forced {
            given = vec![Value::Int(1); count as usize];
        }
        if given.is_empty() && count > 0 {
            return Err(Interrupt::Asks(Box::new(question)));
        }
        if given.len() < count as usize {
            let message =
                format!("`{}` takes {count} dice ({count}d{faces}), and {} was given", question.key, given.len());
            let help = format!("give every die as it fell, such as --{} {}", question.key, sample(count));
            return Err(refusal("illegal-selection", message, Some(help), &question.rule));
        }
        let mut dice = Vec::new();
        for die in &given {
            match accepts(&self.ruleset, &self.game, &question, die) {
                Some(shown) => dice.push(shown),
                None => {
                    let message = format!("a die of {count}d{faces} cannot show {}", spelled(die));
                    let help = format!("each die shows 1 to {faces}");
                    return Err(refusal("illegal-selection", message, Some(help), &question.rule));
                }
            }
        }
        let value = Value::List(dice);
        let Question { key, by, .. } = question;
        let out_of = (count, faces);
        self.selections.push(Selection {
            key,
            by,
            value: value.clone(),
            out_of,
            place: 0,
            dice: true,
            forced,
            recorded: !forced,
            known,
        });
        Ok(value)
    }

    /// The changes of the dice that fall next for a key, `count` of them, and of their total: the die among these from 0
    /// on, and what becomes of it (D-4, R-94).
    pub fn amendments(&mut self, key: &str, count: usize) -> Vec<(Option<usize>, Alteration)> {
        let before = match self.thrown.iter_mut().find(|(own, _)| own == key) {
            Some((_, thrown)) => std::mem::replace(thrown, *thrown + count),
            None => {
                self.thrown.push((key.to_owned(), count));
                0
            }
        };
        let own = |amendment: &&Amendment| amendment.key == key;
        let mut found = Vec::new();
        for amendment in self.action.amended.iter().filter(own) {
            match amendment.die {
                Some(die) if (before + 1..=before + count).contains(&die) => {
                    found.push((Some(die - before - 1), amendment.change));
                }
                None if before == 0 => found.push((None, amendment.change)),
                _ => {}
            }
        }
        found
    }

    /// Sets down an answer that needs no check, because it was checked when it was first given.
    pub fn note(&mut self, key: &str, by: By, value: Value) {
        let known = self.given.was_known(key);
        let key = key.to_owned();
        self.selections.push(Selection {
            key,
            by,
            value,
            out_of: (1, 1),
            place: 0,
            dice: false,
            forced: false,
            recorded: true,
            known,
        });
    }

    /// Sets down a movement that is as long as a rule says, without dice, as a roll of its key.
    pub fn throw_nothing(&mut self, key: &str) {
        self.selections.push(Selection {
            key: key.to_owned(),
            by: By::Random,
            value: Value::List(Vec::new()),
            out_of: (0, 0),
            place: 0,
            dice: true,
            forced: true,
            recorded: true,
            known: false,
        });
    }

    /// Who makes a choice that is the player's: they, or who decides for them.
    pub fn decider(&self, player: PlayerId, optional: bool) -> PlayerId {
        let whoever = |(own, _, everything): &&(PlayerId, PlayerId, bool)| *own == player && (!optional || *everything);
        self.deciders.iter().rev().find(whoever).map_or(player, |(_, decider, _)| *decider)
    }

    fn illegal(&self, question: &Question, given: &Value, whole: bool) -> Interrupt {
        let given = spelled(given);
        let legal = match &question.options {
            Options::OneOf(options) => list(options),
            Options::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Options::Text => "some text".into(),
            Options::Dice { faces, .. } => format!("1 to {faces}"),
        };
        let message = if whole {
            format!("step {} of `{}` cannot be {given}", self.steps_taken, question.key)
        } else {
            format!("`{}` cannot be {given}", question.key)
        };
        refusal("illegal-selection", message, Some(format!("legal: {legal}")), &question.rule)
    }

    /// Refuses a selection given whole that stopped short with nothing left to decide.
    fn refuse_short(&mut self) -> Result<(), Interrupt> {
        let Some((question, step)) = self.short.take() else { return Ok(()) };
        let next = match &question.options {
            Options::OneOf(options) => list(options),
            _ => String::new(),
        };
        let message = format!("`{}` ends after {} of {} steps", question.key, step - 1, self.steps_taken);
        let help = format!("give it whole, forced steps included; step {step} is {next}");
        Err(refusal("illegal-selection", message, Some(help), &question.rule))
    }

    /// What must hold once the action is through: no answer is left over.
    pub fn finish(&mut self) -> Result<(), Interrupt> {
        self.refuse_short()?;
        for (key, values) in self.given.unused() {
            let was_asked = |selection: &&Selection| selection.key == key && selection.out_of != (0, 0);
            let asked: Vec<&Selection> = self.selections.iter().filter(was_asked).collect();
            let mut forced: Vec<&Value> = asked.iter().filter(|s| s.forced && !s.recorded).map(|s| &s.value).collect();
            for value in values {
                let repeats =
                    forced.iter().position(|own| spelled(own).to_lowercase() == spelled(value).to_lowercase());
                if let Some(place) = repeats {
                    forced.remove(place);
                    continue;
                }
                let value = spelled(value);
                let thrown_before = asked.iter().any(|selection| selection.dice) && self.given.is_recorded(key);
                if let Some(dice) = asked.iter().find(|selection| selection.dice && !thrown_before) {
                    let (count, faces) = dice.out_of;
                    let message = format!("`{key}` takes {count} dice ({count}d{faces}), and {value} is one too many");
                    let help = format!("give every die as it fell, such as --{key} {}", sample(count));
                    return Err(refusal("illegal-selection", message, Some(help), &self.cause));
                }
                let message = if asked.is_empty() {
                    format!("`{key}={value}` was given, and nothing asks for `{key}`")
                } else {
                    format!("`{key}={value}` is left over: `{key}` was asked {} times", asked.len())
                };
                let help = Some("leave it out; nothing was written".to_owned());
                return Err(refusal("unused-selection", message, help, &self.cause));
            }
        }
        Ok(())
    }

    /// The value of a switch, remembered where it is not the default.
    pub fn ruling(&mut self, key: &str) -> Result<String, Interrupt> {
        let ruleset = Arc::clone(&self.ruleset);
        let Some(switch) = ruleset.switch(key) else {
            return Err(Self::failed(&format!("there is no switch `{key}` in rulings.yaml")));
        };
        match self.game.ruling(key) {
            Some(value) if switch.allows(value) => {
                let value = value.to_owned();
                if value != switch.default() {
                    let leaned = (key.to_owned(), value.clone());
                    for list in [&mut self.leaned, &mut self.leaned_on] {
                        if !list.contains(&leaned) {
                            list.push(leaned.clone());
                        }
                    }
                }
                Ok(value)
            }
            Some(value) => Err(Interrupt::NeedsRuling {
                ruling: switch.ruling.clone(),
                message: format!("`{value}` is no reading of `{key}`: {}", switch.values.join(", ")),
            }),
            None => Ok(switch.default().to_owned()),
        }
    }

    /// Tells what happened, with the rule at work as its cause.
    pub fn tell(&mut self, text: String, players: &[PlayerId], spaces: &[SpaceId], items: &[&str]) {
        self.events.push(Event {
            text,
            rule: self.cause.clone(),
            rulings: std::mem::take(&mut self.leaned),
            players: players.iter().map(|id| self.name(*id)).collect(),
            spaces: spaces.to_vec(),
            items: items.iter().map(|item| Name::from(*item)).collect(),
        });
    }

    pub fn name(&self, player: PlayerId) -> Name {
        Arc::clone(&self.game.player(player).name)
    }

    /// What a player, or an image of one, is called in texts.
    pub fn called(&self, player: Player) -> String {
        let name = self.name(player.id());
        if player.image().is_some() { format!("the image of {name}") } else { name.to_string() }
    }

    /// Where a player, or an image of one, is.
    pub fn where_is(&self, player: Player) -> Result<SpaceId, Interrupt> {
        let owner = self.game.player(player.id());
        let Some(place) = player.image() else { return Ok(owner.location) };
        self.images(player.id())
            .get(place)
            .and_then(SpaceId::of)
            .ok_or_else(|| Self::failed(&format!("{} has no image number {}", owner.name, place + 1)))
    }

    /// Where the images of a player are.
    pub fn images(&self, owner: PlayerId) -> &[Value] {
        let mark = self.ruleset.declared.images.as_ref().map(|(mark, _)| mark);
        mark.and_then(|mark| self.game.player(owner).marks.get(mark)).map_or(&[], Value::items)
    }

    /// Puts a player, or an image of one, on a space.
    pub fn put_on(&mut self, player: Player, to: SpaceId) {
        let Some(place) = player.image() else {
            self.game.player_mut(player.id()).location = to;
            return;
        };
        let mut images = self.images(player.id()).to_vec();
        if let (Some(image), Some((mark, _))) = (images.get_mut(place), &self.ruleset.declared.images) {
            *image = to.into();
            self.game.player_mut(player.id()).set_mark(mark, Value::List(images));
        }
    }

    /// Gives items to a player, or takes them. What an image gains comes to its owner as another kind; it has nothing to
    /// lose.
    pub fn give(&mut self, player: Player, item: &str, amount: i64) -> Result<(), Interrupt> {
        match (player.image(), &self.ruleset.declared.images) {
            (None, _) => self.change_items(player.id(), item, amount),
            (Some(_), Some((_, word))) if amount > 0 => {
                let made = format!("{word} {item}");
                self.change_items(player.id(), &made, amount)
            }
            _ => Ok(()),
        }
    }

    /// Adds items to a player's, which a floor can stop; remembers the watches that look at it.
    pub fn change_items(&mut self, player: PlayerId, item: &str, amount: i64) -> Result<(), Interrupt> {
        let held = self.game.player(player).count(item);
        if !self.ruleset.is_item(&self.game, item) && (amount > 0 || held <= 0) {
            let known = self.ruleset.item(self.ruleset.plain(item)).is_some() || amount < 0;
            if !known {
                return Err(Self::failed(&format!("`{item}` is no item of this game")));
            }
            // Its row was removed in play: there is nothing to grant or to lose.
            self.tell(format!("{item} is no item any more"), &[player], &[], &[item]);
            return Ok(());
        }
        let least = self.ruleset.item(item).and_then(|rule| rule.least);
        let amount = least.map_or(amount, |least| amount.max(least - held));
        if amount == 0 {
            return Ok(());
        }
        let name = self.name(player);
        self.game.player_mut(player).add(item, amount).map_err(|held| {
            let message = format!("{name} holds {held} {item}, and {amount} more cannot be counted");
            refusal("too-many", message, None, "")
        })?;
        let verb = if amount > 0 { "gains" } else { "loses" };
        self.tell(format!("{name} {verb} {} {item}", amount.unsigned_abs()), &[player], &[], &[item]);
        let ruleset = Arc::clone(&self.ruleset);
        for (item, watch) in ruleset.declared.watches.iter().filter(|(watched, _)| &**watched == item) {
            let due = (watch.clone(), player, Arc::clone(item), amount);
            if !self.due.contains(&due) {
                self.due.push(due);
            }
        }
        Ok(())
    }

    /// A space that a rule speaks of.
    pub fn space(&self, id: SpaceId) -> Result<&crate::game::Space, Interrupt> {
        self.game.space(id).ok_or_else(|| Self::failed(&format!("there is no space {id}")))
    }

    /// The rule file is wrong; the caller adds the place.
    pub fn failed(message: &str) -> Interrupt {
        Interrupt::Failed(ScriptError { file: String::new(), line: 0, column: 0, message: message.to_owned() })
    }

    /// What a declared field of `fields` holds: the value, or the default.
    pub fn declared(fields: &[crate::ruleset::Field], held: &Value, name: &str) -> Option<Value> {
        let field = fields.iter().find(|field| &*field.name == name)?;
        Some(held.get(name).unwrap_or(&field.default).clone())
    }

    /// Goes one effect deeper.
    pub fn enter(&mut self, file: usize, key: &str) -> Result<(), Interrupt> {
        self.running.push((file, key.to_owned()));
        if self.running.len() > limits::EFFECTS {
            return Err(refusal("endless", "effects set each other off without an end".into(), None, &self.cause));
        }
        Ok(())
    }
}

/// Selections as the file keeps them: draws and choices by their keys.
pub fn recorded<'a>(selections: impl IntoIterator<Item = &'a Selection>) -> (Value, Value) {
    let mut random: Vec<(Key, Vec<Value>)> = Vec::new();
    let mut chosen = random.clone();
    for selection in selections.into_iter().filter(|selection| selection.recorded) {
        let map = if selection.by == By::Random { &mut random } else { &mut chosen };
        let values = selection.value.items().iter().cloned();
        match map.iter_mut().find(|(key, _)| key.is(&selection.key)) {
            Some((_, own)) => own.extend(values),
            None => map.push((Key::from(selection.key.as_str()), values.collect())),
        }
    }
    let map = |entries: Vec<(Key, Vec<Value>)>| {
        Value::Map(entries.into_iter().map(|(key, values)| (key, short(values))).collect())
    };
    (map(random), map(chosen))
}

fn sample(count: u32) -> String {
    (1..=count.min(4)).map(|die| die.to_string()).collect::<Vec<_>>().join(",")
}

/// Options in words, not too many of them.
fn list(options: &[Value]) -> String {
    const SHOWN: usize = 12;
    let mut words: Vec<String> = options.iter().take(SHOWN).map(spelled).collect();
    if options.len() > SHOWN {
        words.push(format!("… ({} in all)", options.len()));
    }
    words.join(", ")
}

pub(super) fn refusal(code: &str, message: String, help: Option<String>, rule: &str) -> Interrupt {
    Interrupt::Refused(Refusal { code: code.to_owned(), message, help, rule: rule.to_owned() })
}

/// Makes the question for one of several things.
pub(super) fn one_of(key: &str, by: By, what: What, options: Vec<Value>, text: String, rule: &str) -> Question {
    Question::new(key, by, what, Options::OneOf(options), text, rule)
}
