//! What was done: entries of the log, and actions commenced but not yet performed (PA-2).

use jiff::Timestamp;

use crate::data::{Key, Map, Value};

/// An action that has been commenced and not yet performed, with its selections so far (PA-2).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PendingAction {
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
    /// Whose dice they are, by the key of the roll, if they are not the acting player's (M-8): the thrower's name, or a list
    /// with one for each die. The id of an earlier entry means that the die fell when that entry was replayed.
    pub thrown_by: Value,
    /// Changes of its rolls that were made while it was pending, in order of time (D-4).
    pub amended: Vec<Amendment>,
    /// The entry that was dropped or undone and whose draws it met again (RC-2).
    pub met: Option<i64>,
    /// In a game with sealed dice, what tells how they were drawn: `state`, and `drawn` by key.
    pub sealed: Value,
}

/// A change of a roll after it fell (D-4, R-92).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// The key of the roll.
    pub key: String,
    /// The die, counted from 1 in the order in which the dice of this key fell; `None` for the total.
    pub die: Option<usize>,
    /// What becomes of its value.
    pub change: Alteration,
}

/// What becomes of a value that is amended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alteration {
    /// This is added.
    Add(i64),
    /// It becomes this minus what it was.
    From(i64),
}

/// The action whose roll is amended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rolled {
    /// The entry of the log with this id.
    Entry(i64),
    /// The pending action of these words.
    Pending(String),
}

/// A change that an action makes to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amends {
    /// Which action.
    pub of: Rolled,
    /// What becomes of it.
    pub change: Amended,
}

/// What becomes of an action that another one changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amended {
    /// A roll of it is another (D-4, R-61).
    Roll(Amendment),
    /// Its selections are others.
    Selections {
        /// The draws that change, by key.
        random: Value,
        /// The choices that change, by key.
        chosen: Value,
    },
    /// It has not taken place (M-7, RC-2).
    Void,
}

impl Amends {
    /// The change of a roll, where it is one.
    pub fn roll(&self) -> Option<&Amendment> {
        if let Amended::Roll(amendment) = &self.change { Some(amendment) } else { None }
    }
}

impl Amendment {
    fn put_into(&self, map: &mut Map) {
        map.push((Key::from("key"), Value::from(self.key.as_str())));
        if let Some(die) = self.die {
            map.push((Key::from("die"), Value::Int(i64::try_from(die).unwrap_or(i64::MAX))));
        }
        map.push(match self.change {
            Alteration::Add(amount) => (Key::from("add"), Value::Int(amount)),
            Alteration::From(from) => (Key::from("from"), Value::Int(from)),
        });
    }

    /// The fields as they stand in the file.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        self.put_into(&mut map);
        Value::Map(map)
    }

    /// Reads what [`Self::to_value`] writes.
    pub fn read(value: &Value) -> Option<Self> {
        let number = |key: &str| value.get(key).and_then(Value::as_int);
        let die = match value.get("die") {
            Some(die) => Some(usize::try_from(die.as_int()?).ok()?),
            None => None,
        };
        let change = number("add").map(Alteration::Add).or_else(|| number("from").map(Alteration::From))?;
        Some(Self { key: value.get("key")?.as_text()?.to_owned(), die, change })
    }
}

impl Amends {
    /// The fields as they stand in the file.
    pub fn to_value(&self) -> Value {
        let mut map = vec![match &self.of {
            Rolled::Entry(id) => (Key::from("entry"), Value::Int(*id)),
            Rolled::Pending(what) => (Key::from("pending"), Value::from(what.as_str())),
        }];
        match &self.change {
            Amended::Roll(amendment) => amendment.put_into(&mut map),
            Amended::Void => map.push((Key::from("void"), Value::Bool(true))),
            Amended::Selections { random, chosen } => {
                let parts = [("random", random), ("chosen", chosen)].into_iter().filter(|(_, part)| !part.is_empty());
                map.extend(parts.map(|(key, part)| (Key::from(key), part.clone())));
            }
        }
        Value::Map(map)
    }

    /// Reads what [`Self::to_value`] writes.
    pub fn read(value: &Value) -> Option<Self> {
        let of = match value.get("entry") {
            Some(id) => Rolled::Entry(id.as_int()?),
            None => Rolled::Pending(value.get("pending")?.as_text()?.to_owned()),
        };
        let part = |key: &str| value.get(key).cloned().unwrap_or_default();
        let change = if value.get("key").is_some() {
            Amended::Roll(Amendment::read(value)?)
        } else if value.get("void") == Some(&Value::Bool(true)) {
            Amended::Void
        } else {
            Amended::Selections { random: part("random"), chosen: part("chosen") }
        };
        Some(Self { of, change })
    }
}

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
    /// The switches leaned on that were not at their default.
    pub rulings: Value,
    /// The rolls of other actions that it changed, in order of time.
    pub amends: Vec<Amends>,
    /// By the ids of earlier entries that were played again for it: their selections since, as `random` and `chosen`,
    /// where these differ from what the entries themselves say.
    pub again: Value,
    /// What else an entry can be than an action that was performed by the rules.
    pub outcome: Option<Outcome>,
    /// Whether it was taken back. Its draws stay facts; a later undoing comes first to be redone.
    pub undone: bool,
    /// The entry that was the last to count when this one was made, where others after it had been undone: those are
    /// history.
    pub after: Option<i64>,
}

impl LogEntry {
    /// Whether its changes are part of the game: it was not taken back, and did not merely keep draws.
    pub fn counts(&self) -> bool {
        !self.undone && !matches!(self.outcome, Some(Outcome::Lapsed | Outcome::Dropped))
    }

    /// Whether it says that the entry with this id has not taken place.
    pub fn voids(&self, id: i64) -> bool {
        let again = || self.again.get(&id.to_string()).is_some_and(|since| since.get("void").is_some());
        let of = Rolled::Entry(id);
        self.counts() && (self.amends.iter().any(|amends| amends.of == of && amends.change == Amended::Void) || again())
    }
}

/// What else an entry can be than an action that was performed by the rules. Draws stay in the log (RC-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its phase ended (PA-4).
    Lapsed,
    /// It was given up; the same action in the same phase meets the same draws.
    Dropped,
    /// No rule computed it: the steward declared it, with a reason.
    Declared,
    /// The steward had others corrected: what followed them was played again.
    Corrected,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [Self::Lapsed, Self::Dropped, Self::Declared, Self::Corrected];

    /// The word that stands in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lapsed => "lapsed",
            Self::Dropped => "dropped",
            Self::Declared => "declared",
            Self::Corrected => "corrected",
        }
    }

    /// The outcome of a word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
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
            amended: part("amended").items().iter().filter_map(Amendment::read).collect(),
            met: value.get("met").and_then(Value::as_int),
            sealed: part("sealed"),
        })
    }

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
        for (key, selections) in [("random", &self.random), ("thrown-by", &self.thrown_by), ("chosen", &self.chosen)] {
            if !selections.is_empty() {
                map.push((Key::from(key), selections.clone()));
            }
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
    }
}

impl LogEntry {
    /// The fields as they stand in the file.
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
