//! Plain data: what a YAML file, a field of a ruleset or a selection contains.
//!
//! Data that has no type of its own in the code is a [`Value`]. Order is kept, because people arrange their files.

use std::fmt;

/// A key of a [`Map`]: a number or text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A whole number, such as the identifier of a space.
    Int(i64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Key {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

/// Entries in the order in which they were written.
pub type Map = Vec<(Key, Value)>;

/// A tree of plain data without floats: every number of the games is whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Value {
    /// Nothing; in `changes` of a log entry: absent.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by key, in order of writing.
    Map(Map),
}

impl Value {
    /// Returns the text, if this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the values of a list; a single value counts as a list of one, null as an empty list.
    pub fn items(&self) -> &[Value] {
        match self {
            Self::List(values) => values,
            Self::Null => &[],
            single => std::slice::from_ref(single),
        }
    }

    /// Returns the entries of a map; none for any other value.
    pub fn entries(&self) -> &[(Key, Value)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the value under the key that is displayed as `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries().iter().find(|(k, _)| k.is(key)).map(|(_, value)| value)
    }

    /// Puts `value` under `key`: in its position if the key exists, otherwise last.
    pub fn set(&mut self, key: Key, value: Value) {
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Vec::new());
        }
        let Self::Map(entries) = self else { return };
        match entries.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value,
            None => entries.push((key, value)),
        }
    }

    /// Removes the entry under `key` from a map.
    pub fn remove(&mut self, key: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|(k, _)| !k.is(key));
        }
    }

    /// Sorts the keys of every map and makes empty maps null, to compare what two files say.
    #[must_use]
    pub fn in_order(&self) -> Self {
        match self {
            Self::List(values) => Self::List(values.iter().map(Self::in_order).collect()),
            Self::Map(entries) if entries.is_empty() => Self::Null,
            Self::Map(entries) => {
                let mut entries: Map = entries.iter().map(|(key, value)| (key.clone(), value.in_order())).collect();
                entries.sort();
                Self::Map(entries)
            }
            single => single.clone(),
        }
    }

    /// Tells whether this is null, an empty list or an empty map.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::List(values) => values.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }
}

impl Key {
    /// Tells whether the key is displayed as `text`.
    pub fn is(&self, text: &str) -> bool {
        match self {
            Self::Text(own) => own == text,
            Self::Int(number) => text.parse() == Ok(*number) && is_plain_number(text),
        }
    }

    /// Makes the key of a new entry from the step of a pointer: a number if it is written as one, otherwise text.
    pub fn of_step(step: &str) -> Self {
        match step.parse() {
            Ok(number) if is_plain_number(step) => Self::Int(number),
            _ => Self::Text(step.to_owned()),
        }
    }

    /// Tells whether [`Self::of_step`] makes this key from what it is displayed as. A name such as `7` is displayed like a
    /// number, and is not.
    pub fn is_step(&self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Text(text) => text.parse::<i64>().is_err() || !is_plain_number(text),
        }
    }
}

/// Tells whether a number is written without a plus sign and without leading zeros.
fn is_plain_number(text: &str) -> bool {
    text == "0" || !text.starts_with('+') && !text.trim_start_matches('-').starts_with('0')
}

/// Writes the value on one line, as in a flow list of YAML.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(values) => {
                f.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{key}: {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
