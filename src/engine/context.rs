//! The context in which a rule runs: the game in the middle of an action, the selections given, what has happened so far.
//! It draws nothing and prompts no one; an open selection stops the rule.

use std::sync::Arc;

use super::error::ScriptError;
use super::interrupt::Interrupt;
use super::limits;
use crate::data::{Key, Value};
use crate::game::{Amends, Game, Name, PendingAction, PlayerId};
use crate::protocol::{By, Event, Options, Question, Refusal, Ruling, Selection, What};
use crate::protocol::{Selections, short};
use crate::ruleset::{Action, Ruleset};

/// The state of one run of an action.
#[derive(Debug)]
pub(in crate::engine) struct Context {
    pub ruleset: Arc<Ruleset>,
    pub game: Game,
    pub action: Action,
    pub given: Selections,
    pub selections: Vec<Selection>,
    pub events: Vec<Event>,
    /// The first reason to stop; everything after it fails at once.
    pub halt: Option<Interrupt>,
    /// The catalogue ID of the running rule.
    pub cause: String,
    /// Switches not at their default that were read since the last event.
    pub depended: Vec<(String, String)>,
    /// All switches not at their default that were read.
    pub depended_on: Vec<(String, String)>,
    /// How many `simultaneously` are open; watches wait until all are closed.
    pub together: u32,
    /// Watches that wait: the function, whose holding of which item changed, and by how much.
    pub due: Vec<(String, PlayerId, Name, i64)>,
    /// Who decides for whom, the last first to count; whether also what that player may, but need not, choose.
    pub deciders: Vec<(PlayerId, PlayerId, bool)>,
    /// Copies of items that are being used.
    pub in_use: Vec<(PlayerId, Name)>,
    /// How many dice have fallen for each key.
    pub thrown: Vec<(String, usize)>,
    /// Changes of other rolls that this action has made.
    pub amends: Vec<Amends>,
    /// Bytes that it has made so far.
    pub spent: usize,
    /// The running effects, each within the one before.
    pub running: Vec<Running>,
    /// Actions that ran out of time.
    pub lapsed: Vec<PendingAction>,
    /// A selection that is given whole was cut short before a forced step: its key, and that step.
    pub short: Option<(Question, usize)>,
    pub steps_taken: usize,
    /// Whether any step so far was given with the command.
    pub steps_posted: bool,
}

/// An effect of a rule file that is running.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Running {
    /// The rule file by its index.
    pub file: usize,
    /// The key of the effect in it.
    pub key: String,
    /// The player whom it is about.
    pub you: Option<PlayerId>,
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
            depended: Vec::new(),
            depended_on: Vec::new(),
            together: 0,
            due: Vec::new(),
            deciders: Vec::new(),
            in_use: Vec::new(),
            thrown: Vec::new(),
            amends: Vec::new(),
            spent: 0,
            running: Vec::new(),
            lapsed: Vec::new(),
            short: None,
            steps_taken: 0,
            steps_posted: false,
        }
    }

    /// Returns the value of a switch, which is noted if it is not the default.
    pub fn ruling(&mut self, key: &str) -> Result<String, Interrupt> {
        let ruleset = Arc::clone(&self.ruleset);
        let Some(switch) = ruleset.switch(key) else {
            return Err(Self::failed(&format!("unknown switch `{key}`: rulings.yaml does not list it")));
        };
        match self.game.ruling(key) {
            Some(value) if switch.allows(value) => {
                let value = value.to_owned();
                if value != switch.default() {
                    let depended = (key.to_owned(), value.clone());
                    for list in [&mut self.depended, &mut self.depended_on] {
                        if !list.contains(&depended) {
                            list.push(depended.clone());
                        }
                    }
                }
                Ok(value)
            }
            Some(value) => Err(Interrupt::NeedsRuling(Ruling {
                ruling: switch.ruling.clone(),
                message: format!("`{value}` is not a valid value for `{key}` ({})", switch.values.join(", ")),
            })),
            None => Ok(switch.default().to_owned()),
        }
    }

    /// Stops because the rule file is wrong; the caller adds the place.
    pub fn failed(message: &str) -> Interrupt {
        Interrupt::Failed(ScriptError { file: String::new(), line: 0, column: 0, message: message.to_owned() })
    }

    /// Counts bytes that the rule makes, before they are made.
    pub fn spend(&mut self, bytes: usize) -> Result<(), Interrupt> {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > limits::BYTES {
            return Err(Self::failed(&format!("the rule makes more than the {} MiB allowed", limits::BYTES >> 20)));
        }
        Ok(())
    }

    /// Enters an effect within the present one.
    pub fn enter(&mut self, file: usize, key: &str, you: Option<PlayerId>) -> Result<(), Interrupt> {
        self.running.push(Running { file, key: key.to_owned(), you });
        if self.running.len() > limits::EFFECTS {
            return Err(refusal("endless", "effects trigger each other endlessly".into(), None, &self.cause));
        }
        Ok(())
    }
}

/// Sorts selections as the file keeps them: draws and choices by their keys.
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

/// Stops the action: the rule with this catalogue ID forbids it.
pub(super) fn refusal(code: &str, message: String, help: Option<String>, rule: &str) -> Interrupt {
    Interrupt::Refused(Refusal { help, ..Refusal::new(code, message).rule(rule) })
}

/// Makes the question for one of several things.
pub(super) fn one_of(key: &str, by: By, what: What, options: Vec<Value>, text: String, rule: &str) -> Question {
    Question::new(key, by, what, Options::OneOf(options), text, rule)
}
