//! Dice as they are written: `2d4` is two dice of four faces, `d6` one die of six (D-1).

use std::fmt;
use std::str::FromStr;

/// A number of equal dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dice {
    /// How many dice, 0 to [`Self::MOST`].
    pub count: u32,
    /// How many faces each, 1 to [`Self::MOST_FACES`].
    pub faces: u32,
}

impl Dice {
    /// The most dice that can be rolled at once.
    pub const MOST: u32 = 1000;
    /// The most faces of a die.
    pub const MOST_FACES: u32 = 1_000_000;
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.faces)
    }
}

/// A text that is not dice notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDice(String);

impl fmt::Display for NotDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not valid dice notation (NdK, e.g. 2d4)", self.0)
    }
}

impl std::error::Error for NotDice {}

impl FromStr for Dice {
    type Err = NotDice;

    fn from_str(text: &str) -> Result<Self, NotDice> {
        let number = |digits: &str, range: std::ops::RangeInclusive<u32>| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|number| is_number && range.contains(number))
        };
        let read = text.split_once('d').and_then(|(count, faces)| {
            let count = if count.is_empty() { "1" } else { count };
            Some(Self { count: number(count, 0..=Self::MOST)?, faces: number(faces, 1..=Self::MOST_FACES)? })
        });
        read.ok_or_else(|| NotDice(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_is_a_count_a_d_and_the_faces() {
        let table = [
            ("2d4", Some((2, 4))),
            ("d6", Some((1, 6))),
            ("0d4", Some((0, 4))),
            ("1d2000", Some((1, 2000))),
            ("1000d1000000", Some((1000, 1_000_000))),
            ("1001d4", None),
            ("1d1000001", None),
            ("1d0", None),
            ("2d", None),
            ("d", None),
            ("", None),
            ("6", None),
            ("2D4", None),
            ("-1d4", None),
            ("+1d4", None),
            ("1d+4", None),
            ("1 d4", None),
            ("1d4d4", None),
        ];
        for (text, wanted) in table {
            let read = text.parse::<Dice>().ok();
            assert_eq!(read.map(|dice| (dice.count, dice.faces)), wanted, "{text:?}");
            assert!(read.is_none_or(|dice| dice.to_string().parse() == Ok(dice)), "{text:?}");
        }
        assert_eq!("x".parse::<Dice>().unwrap_err().to_string(), "`x` is not valid dice notation (NdK, e.g. 2d4)");
    }
}
