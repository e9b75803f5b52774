//! Plain data: what a YAML file, a ruleset field or a selection holds.
//!
//! Everything that has no shape of its own in the code is a [`Value`]; order is kept, because files belong to people.

use std::fmt;

/// A key of a [`Map`]: written plain as a number where it is one, and as text otherwise.
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
    /// The text, if this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The values of a list; a single value counts as a list of one, null as an empty one.
    pub fn items(&self) -> &[Value] {
        match self {
            Self::List(values) => values,
            Self::Null => &[],
            single => std::slice::from_ref(single),
        }
    }

    /// The entries, if this is a map; none otherwise.
    pub fn entries(&self) -> &[(Key, Value)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value under `key`, compared as it is displayed.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries().iter().find(|(k, _)| k.is(key)).map(|(_, value)| value)
    }

    /// Puts `value` under `key`, in its place if the key is there and last otherwise.
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

    /// Takes the entry under `key` out of a map.
    pub fn remove(&mut self, key: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|(k, _)| !k.is(key));
        }
    }

    /// The same with the keys of every map in order, and empty maps as nothing, for comparing what two files say.
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

    /// Whether this is null, an empty list or an empty map.
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
    /// Whether the key is displayed as `text`.
    pub fn is(&self, text: &str) -> bool {
        match self {
            Self::Text(own) => own == text,
            Self::Int(number) => text.parse() == Ok(*number),
        }
    }
}

/// Writes the value on one line, the way it would stand in a flow list of YAML.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(values) => {
                f.write_str("[")?;
                for (place, value) in values.iter().enumerate() {
                    if place > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (place, (key, value)) in entries.iter().enumerate() {
                    if place > 0 {
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

/// A name as it is compared without regard to case: Unicode's default case folding (TA-7, R-181).
pub fn folded(name: &str) -> String {
    unicase::UniCase::new(name).to_folded_case()
}
