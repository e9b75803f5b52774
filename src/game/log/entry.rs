//! Entries of the log.

use super::correction::{Amended, Amends, Rolled};
use super::pending::PendingAction;
use crate::data::{Key, Value};

/// One resolved action.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogEntry {
    /// Counted from 1.
    pub id: i64,
    /// The action and its selections.
    pub action: PendingAction,
    /// `[before, after]` by JSON Pointer.
    pub changes: Value,
    /// The ruleset and the hash of its rules, such as `cycle-15@3f9a1c2e`.
    pub ruleset: Option<String>,
    /// The switches that it depended on and that were not at their default.
    pub rulings: Value,
    /// The rolls of other actions that it changed, in order of time.
    pub amends: Vec<Amends>,
    /// By the ids of earlier entries that were replayed for it: their selections since, as `random` and `chosen`, if these
    /// differ from what the entries themselves say.
    pub again: Value,
    /// How it came about, unless it is an action that was performed by the rules.
    pub outcome: Option<Outcome>,
    /// Whether it is undone. Its draws are kept; of several undone entries, the one undone last is redone first.
    pub undone: bool,
    /// The entry that was the last to count when this one was made, if entries after it had been undone. Those can no longer
    /// be redone.
    pub after: Option<i64>,
}

impl LogEntry {
    /// Tells whether its changes are part of the game: it is not undone, and did not only keep draws.
    pub fn counts(&self) -> bool {
        !self.undone && !matches!(self.outcome, Some(Outcome::Lapsed | Outcome::Dropped))
    }

    /// Tells whether it voids the entry with this id.
    pub fn voids(&self, id: i64) -> bool {
        let again = || self.again.get(&id.to_string()).is_some_and(|since| since.get("void").is_some());
        let of = Rolled::Entry(id);
        self.counts() && (self.amends.iter().any(|amends| amends.of == of && amends.change == Amended::Void) || again())
    }
}

impl LogEntry {
    /// Returns the fields as the file has them.
    pub fn to_value(&self) -> Value {
        let mut map = vec![(Key::from("id"), Value::Int(self.id))];
        self.action.put_into(&mut map);
        if !self.amends.is_empty() {
            map.push((Key::from("amends"), Value::List(self.amends.iter().map(Amends::to_value).collect())));
        }
        if !self.again.is_empty() {
            map.push((Key::from("again"), self.again.clone()));
        }
        if !self.changes.is_empty() {
            map.push((Key::from("changes"), self.changes.clone()));
        }
        if let Some(ruleset) = &self.ruleset {
            map.push((Key::from("ruleset"), Value::from(ruleset.as_str())));
        }
        if !self.rulings.is_empty() {
            map.push((Key::from("rulings"), self.rulings.clone()));
        }
        if let Some(outcome) = self.outcome {
            map.push((Key::from("outcome"), Value::from(outcome.word())));
        }
        if self.undone {
            map.push((Key::from("undone"), Value::Bool(true)));
        }
        if let Some(after) = self.after {
            map.push((Key::from("after"), Value::Int(after)));
        }
        Value::Map(map)
    }
}

/// How an entry came about other than by the rules. Its draws stay in the log (RC-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its phase ended (PA-4).
    Lapsed,
    /// It was dropped; the same action in the same phase reuses its draws.
    Dropped,
    /// No rule computed it: the steward declared it, with a reason.
    Declared,
    /// The steward corrected earlier entries, and what followed them was replayed.
    Corrected,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [Self::Lapsed, Self::Dropped, Self::Declared, Self::Corrected];

    /// Returns its word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lapsed => "lapsed",
            Self::Dropped => "dropped",
            Self::Declared => "declared",
            Self::Corrected => "corrected",
        }
    }

    /// Returns the outcome with this word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}
