//! Actions that have been started and not yet performed (PA-2).

use jiff::Timestamp;

use super::correction::Amendment;
use crate::data::{Key, Map, Value};

/// An action that has been started and not yet performed, with its selections so far (PA-2).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PendingAction {
    /// The command as typed.
    pub what: String,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// The phase in which it was started, counted from 1 (PA-4).
    pub phase: i64,
    /// The posted message.
    pub link: Option<String>,
    /// Draws by what they decide; they stay bound to this action (RC-2).
    pub random: Value,
    /// Choices by what they decide.
    pub chosen: Value,
    /// Whose dice they are, by the key of the roll, if they are not the acting player's (M-8): the thrower's name, or a list
    /// with one for each die. The id of an earlier entry means that the die fell when that entry was replayed.
    pub thrown_by: Value,
    /// The keys of draws that were posted rather than drawn.
    pub posted: Vec<String>,
    /// The seed of the stream from which it drew, if one was given.
    pub seed: Option<u64>,
    /// What was given for later steps and has not been asked for yet; only a pending action has it.
    pub given: Value,
    /// Changes of its rolls that were made while it was pending, in order of time (D-4).
    pub amended: Vec<Amendment>,
    /// The dropped or undone entry whose draws it reuses (RC-2).
    pub met: Option<i64>,
    /// In a game whose dice were sealed under scheme 1, how they were drawn: `state`, and `drawn` by key.
    pub sealed: Value,
    /// In a game with sealed or beacon dice, what its draws were derived from, and what each gave.
    pub dice: Value,
}

/// Reads a seed; one beyond the whole numbers of the file is a text.
pub fn read_seed(value: &Value) -> Option<u64> {
    match value {
        Value::Int(seed) => u64::try_from(*seed).ok(),
        Value::Text(seed) => seed.parse().ok(),
        _ => None,
    }
}

impl PendingAction {
    /// Reads what [`Self::to_value`] writes.
    pub fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_text).map(str::to_owned);
        let part = |key: &str| value.get(key).cloned().unwrap_or_default();
        Some(Self {
            what: text("do")?,
            at: text("at").and_then(|at| at.parse().ok()),
            phase: value.get("phase").and_then(Value::as_int)?,
            link: text("link"),
            random: part("random"),
            chosen: part("chosen"),
            thrown_by: part("thrown-by"),
            posted: part("posted").items().iter().map(ToString::to_string).collect(),
            seed: value.get("seed").and_then(read_seed),
            given: part("given"),
            amended: part("amended").items().iter().filter_map(Amendment::read).collect(),
            met: value.get("met").and_then(Value::as_int),
            sealed: part("sealed"),
            dice: part("dice"),
        })
    }

    /// Returns the fields as the file has them.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        self.put_into(&mut map);
        Value::Map(map)
    }

    pub(super) fn put_into(&self, map: &mut Map) {
        if let Some(at) = self.at {
            map.push((Key::from("at"), Value::Text(at.to_string())));
        }
        map.push((Key::from("phase"), Value::Int(self.phase)));
        map.push((Key::from("do"), Value::from(self.what.as_str())));
        if let Some(link) = &self.link {
            map.push((Key::from("link"), Value::from(link.as_str())));
        }
        for (key, selections) in [("random", &self.random), ("thrown-by", &self.thrown_by), ("chosen", &self.chosen)] {
            if !selections.is_empty() {
                map.push((Key::from(key), selections.clone()));
            }
        }
        if !self.posted.is_empty() {
            let keys = self.posted.iter().map(|key| Value::from(key.as_str())).collect();
            map.push((Key::from("posted"), Value::List(keys)));
        }
        if let Some(seed) = self.seed {
            let text = || Value::Text(seed.to_string());
            map.push((Key::from("seed"), i64::try_from(seed).map_or_else(|_| text(), Value::Int)));
        }
        if !self.given.is_empty() {
            map.push((Key::from("given"), self.given.clone()));
        }
        if !self.amended.is_empty() {
            let amended = self.amended.iter().map(Amendment::to_value).collect();
            map.push((Key::from("amended"), Value::List(amended)));
        }
        if let Some(met) = self.met {
            map.push((Key::from("met"), Value::Int(met)));
        }
        if !self.sealed.is_empty() {
            map.push((Key::from("sealed"), self.sealed.clone()));
        }
        if !self.dice.is_empty() {
            map.push((Key::from("dice"), self.dice.clone()));
        }
    }
}
