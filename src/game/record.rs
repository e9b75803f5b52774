//! What was done: entries of the log, and actions commenced but not yet performed (PA-2).

use jiff::Timestamp;

use crate::value::{Key, Map, Value};

/// An action that has been commenced and not yet performed, with its selections so far (PA-2).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commenced {
    /// The command as typed.
    pub what: String,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// The phase in which it was commenced, counted from 1 (PA-4).
    pub phase: i64,
    /// The posted message.
    pub link: Option<String>,
    /// Draws by what they decide; they stay bound to this action (RC-2).
    pub random: Value,
    /// Choices by what they decide.
    pub chosen: Value,
}

/// One resolved action.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogEntry {
    /// Counted from 1.
    pub id: i64,
    /// The action and its selections.
    pub action: Commenced,
    /// `[before, after]` by JSON Pointer.
    pub changes: Value,
    /// The ruleset and the hash of its rules, such as `cycle-15@3f9a1c2e`.
    pub ruleset: Option<String>,
    /// The switches leaned on that were not at their default.
    pub rulings: Value,
    /// How an action ended that was not performed; `None` for one that was.
    pub outcome: Option<Outcome>,
}

/// How an action ended that was commenced and not performed. Its draws stay in the log (RC-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its phase ended (PA-4).
    Lapsed,
    /// It was given up; the same action in the same phase meets the same draws.
    Dropped,
}

impl Outcome {
    /// The word that stands in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lapsed => "lapsed",
            Self::Dropped => "dropped",
        }
    }

    /// The outcome of a word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Lapsed, Self::Dropped].into_iter().find(|outcome| outcome.word() == word)
    }
}

impl Commenced {
    /// The fields as they stand in the file.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        self.put_into(&mut map);
        Value::Map(map)
    }

    fn put_into(&self, map: &mut Map) {
        if let Some(at) = self.at {
            map.push((Key::from("at"), Value::Text(at.to_string())));
        }
        map.push((Key::from("phase"), Value::Int(self.phase)));
        map.push((Key::from("do"), Value::from(self.what.as_str())));
        if let Some(link) = &self.link {
            map.push((Key::from("link"), Value::from(link.as_str())));
        }
        for (key, selections) in [("random", &self.random), ("chosen", &self.chosen)] {
            if !selections.is_empty() {
                map.push((Key::from(key), selections.clone()));
            }
        }
    }
}

impl LogEntry {
    /// The fields as they stand in the file.
    pub fn to_value(&self) -> Value {
        let mut map = vec![(Key::from("id"), Value::Int(self.id))];
        self.action.put_into(&mut map);
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
        Value::Map(map)
    }
}
