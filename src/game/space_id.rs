//! Identifiers of spaces: whole numbers (B-4), or places on a map (L-1).

use std::fmt;
use std::str::FromStr;

use crate::data::{Key, Value};

/// The identifier of a space. Numbers come before places; numbers are ordered by value, places by x and then by y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpaceId {
    /// A whole number, which may be negative (B-4).
    Number(i64),
    /// A place on a map (L-1).
    Place {
        /// How far east of the origin.
        x: i32,
        /// How far north of the origin.
        y: i32,
    },
}

impl SpaceId {
    /// The largest number that a file, a selection or a rule can give a space, and without its sign the smallest.
    pub const MOST: i64 = (1 << 60) - 1;
    /// How far a map extends in each direction, in spaces.
    pub const REACH: i32 = 1 << 28;

    /// Returns the identifier with this number; `None` beyond [`Self::MOST`].
    pub fn number(number: i64) -> Option<Self> {
        (-Self::MOST..=Self::MOST).contains(&number).then_some(Self::Number(number))
    }

    /// Returns the identifier of the place `(x, y)`; `None` beyond [`Self::REACH`].
    pub fn at(x: i64, y: i64) -> Option<Self> {
        let within = |number: i64| i32::try_from(number).ok().filter(|own| (-Self::REACH..Self::REACH).contains(own));
        Some(Self::Place { x: within(x)?, y: within(y)? })
    }

    /// Returns the coordinates of a place on a map; `None` for a number.
    pub fn place(self) -> Option<(i64, i64)> {
        match self {
            Self::Number(_) => None,
            Self::Place { x, y } => Some((x.into(), y.into())),
        }
    }

    /// Returns the identifier with the next higher number; a place has none.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Number(number) => number.checked_add(1).map(Self::Number),
            Self::Place { .. } => None,
        }
    }

    /// Reads an identifier as a file or a selection writes it: a number, or text such as `(2, -1)`.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Self::number(*number),
            Value::Text(text) if text.trim_start().starts_with('(') => text.parse().ok(),
            _ => None,
        }
    }
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Place { x, y } => write!(f, "({x}, {y})"),
        }
    }
}

/// A text that is not the identifier of a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotASpace;

impl fmt::Display for NotASpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a whole number, or a place such as (2, -1)")
    }
}

impl std::error::Error for NotASpace {}

impl FromStr for SpaceId {
    type Err = NotASpace;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let number = |part: &str| part.trim().parse::<i64>().ok();
        let read = match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => inner.split_once(',').and_then(|(x, y)| Self::at(number(x)?, number(y)?)),
            None => number(text).and_then(Self::number),
        };
        read.ok_or(NotASpace)
    }
}

impl From<SpaceId> for Value {
    fn from(id: SpaceId) -> Self {
        match id {
            SpaceId::Number(number) => Self::Int(number),
            SpaceId::Place { .. } => Self::Text(id.to_string()),
        }
    }
}

impl From<SpaceId> for Key {
    fn from(id: SpaceId) -> Self {
        match id {
            SpaceId::Number(number) => Self::Int(number),
            SpaceId::Place { .. } => Self::Text(id.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<SpaceId> {
        let numbers = [-SpaceId::MOST, -7, 0, 7, SpaceId::MOST].map(SpaceId::Number);
        let edge = SpaceId::REACH;
        let places = [(-edge, -edge), (-1, 5), (0, -2), (0, 0), (2, -1), (edge - 1, edge - 1)];
        numbers.into_iter().chain(places.map(|(x, y)| SpaceId::Place { x, y })).collect()
    }

    #[test]
    fn an_identifier_is_read_as_it_is_written() {
        for id in ids() {
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(SpaceId::of(&Value::from(id)), Some(id));
            assert_eq!(Key::from(id).to_string(), id.to_string());
        }
    }

    #[test]
    fn numbers_come_before_places_and_places_are_ordered_by_x_then_y() {
        let mut shuffled = ids();
        shuffled.reverse();
        shuffled.sort_unstable();
        assert_eq!(shuffled, ids());
    }

    #[test]
    fn identifiers_beyond_the_limits_are_refused() {
        for text in ["", "x", "1.5", "(1)", "(1, 2", "(1, 2, 3)", "(268435456, 0)", "1152921504606846976"] {
            assert_eq!(text.parse::<SpaceId>(), Err(NotASpace), "{text}");
        }
        assert_eq!(SpaceId::at(0, i64::MAX), None);
        assert_eq!(SpaceId::of(&Value::Int(i64::MIN)), None);
    }
}
