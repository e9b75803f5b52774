//! Changes that one action makes to another: to a roll, to selections, or that it is void.

use crate::data::{Key, Map, Value};

/// A change of a roll after the dice fell (D-4, R-92).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// The key of the roll.
    pub key: String,
    /// The die, counted from 1 in the order in which the dice of this key fell; `None` for the total.
    pub die: Option<usize>,
    /// How its value is changed.
    pub change: Alteration,
}

/// How a value of a roll is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alteration {
    /// This number is added.
    Add(i64),
    /// The value becomes this number minus the old value.
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
    /// How it is changed.
    pub change: Amended,
}

/// How an action is changed by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amended {
    /// One of its rolls is changed (D-4, R-61).
    Roll(Amendment),
    /// Some of its selections are changed.
    Selections {
        /// The draws that change, by key.
        random: Value,
        /// The choices that change, by key.
        chosen: Value,
    },
    /// It is void: it did not take place (M-7, RC-2).
    Void,
}

impl Amends {
    /// Returns the change, if it is one of a roll.
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

    /// Returns the fields as the file has them.
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
    /// Returns the fields as the file has them.
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
