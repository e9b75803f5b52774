//! Who throws the dice of a game: the `dice` key of a gamestate.

use jiff::Timestamp;

use super::{Chain, DrawError, Words, hex};
use crate::data::Value;

/// The delay in seconds between a post and its round, if a game names no other.
const DELAY: u32 = 30;

/// Who throws the dice of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Thrower {
    /// The program, by the randomness of the system.
    #[default]
    Referee,
    /// The players, in posts: the program throws nothing.
    Posted,
    /// A secret whose hash is published.
    Sealed(Box<Seal>),
    /// A beacon of public randomness.
    Beacon(Box<BeaconDice>),
}

/// A secret whose hash is published before the first draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The SHA-256 of the secret, 64 hexadecimal digits in lower case.
    pub hash: String,
    /// The secret once it is revealed.
    pub secret: Option<String>,
    /// What players added after the hash was published.
    pub words: Words,
    /// The time from which no word is added any more and draws are made; only a seal of scheme 1 has none.
    pub words_until: Option<Timestamp>,
    /// Whether the seal was made under scheme 1, so that entries made then keep it.
    pub scheme_1: bool,
}

/// The beacon of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconDice {
    /// The chain.
    pub chain: Chain,
    /// The seconds between a post and the earliest round that it can take.
    pub delay: u32,
    /// The time at which this choice of dice was made: earlier posts take no round of it.
    pub since: Option<Timestamp>,
}

/// Says what is wrong with a part of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartError {
    /// The part; empty for the whole.
    pub part: &'static str,
    /// What is wrong with it.
    pub error: DrawError,
}

/// The parts that each way of throwing has besides `by`.
const PARTS: [(&str, &[&str]); 4] = [
    ("referee", &[]),
    ("posted", &[]),
    ("sealed", &["hash", "secret", "words", "words-until", "scheme"]),
    ("beacon", &["chain", "delay", "since"]),
];

impl Thrower {
    /// Returns the parts that go with a value of `by`; `None` if there is no such value.
    pub fn parts(by: &str) -> Option<&'static [&'static str]> {
        PARTS.iter().find(|(own, _)| *own == by).map(|(_, parts)| *parts)
    }

    /// Reads the key as plain data; nothing at all is the referee.
    ///
    /// # Errors
    /// `bad-dice` for a part that is unknown, missing or of the wrong kind, `bad-word` for a word that cannot be one,
    /// `short-delay` for a delay under two periods, and what [`Chain::of_game`] refuses.
    pub fn read(value: &Value) -> Result<Self, PartError> {
        if value.is_empty() {
            return Ok(Self::Referee);
        }
        let by = value.get("by").and_then(Value::as_text).unwrap_or_default();
        let Some(parts) = Self::parts(by) else {
            let known = PARTS.map(|(own, _)| own).join(", ");
            return Err(bad("by", format!("`by` says who throws: {known}")));
        };
        let unknown = value.entries().iter().find(|(key, _)| !key.is("by") && !parts.iter().any(|part| key.is(part)));
        if let Some((key, _)) = unknown {
            return Err(bad("", format!("unknown key `{key}` of dice by {by}; known: {}", parts.join(", "))));
        }
        let since = time(value, "since")?;
        match by {
            "posted" => Ok(Self::Posted),
            "sealed" => Ok(Self::Sealed(Box::new(Seal::read(value)?))),
            "beacon" => Ok(Self::Beacon(Box::new(BeaconDice::read(value, since)?))),
            _ => Ok(Self::Referee),
        }
    }
}

impl Seal {
    fn read(value: &Value) -> Result<Self, PartError> {
        let hash = value.get("hash").and_then(Value::as_text).unwrap_or_default().to_owned();
        if hex::decode(&hash).is_none_or(|bytes| bytes.len() != 32) {
            return Err(bad("hash", "`hash` is the SHA-256 of the secret: 64 hexadecimal digits in lower case"));
        }
        let mut words = Words::default();
        for (player, word) in value.get("words").map_or(&[][..], Value::entries) {
            // A word such as 007 is a number to YAML, and would lose its zeros: it has to be quoted.
            let word = word.as_text().ok_or_else(|| bad("words", format!("the word of {player} is not a text")))?;
            words.add(&player.to_string(), word).map_err(|error| PartError { part: "words", error })?;
        }
        let scheme_1 = match value.get("scheme") {
            None => false,
            Some(Value::Int(1)) => true,
            Some(_) => return Err(bad("scheme", "`scheme` is 1, for entries made before scheme 2, or left out")),
        };
        let words_until = time(value, "words-until")?;
        if words_until.is_none() && !scheme_1 {
            return Err(bad("words-until", "`words-until` is missing: the time until which players add words"));
        }
        let secret = value.get("secret").and_then(Value::as_text).map(str::to_owned);
        Ok(Self { hash, secret, words, words_until, scheme_1 })
    }
}

impl BeaconDice {
    fn read(value: &Value, since: Option<Timestamp>) -> Result<Self, PartError> {
        let chain = value.get("chain").map_or_else(|| Ok(Chain::quicknet()), Chain::of_game);
        let chain = chain.map_err(|error| PartError { part: "chain", error })?;
        let delay = match value.get("delay") {
            None => DELAY,
            Some(delay) => {
                let delay = delay.as_int().and_then(|delay| u32::try_from(delay).ok());
                delay.ok_or_else(|| bad("delay", "`delay` is a whole number of seconds"))?
            }
        };
        chain.round_for(0, delay).map_err(|error| PartError { part: "delay", error })?;
        Ok(Self { chain, delay, since })
    }
}

impl Default for BeaconDice {
    /// Returns quicknet with the usual delay.
    fn default() -> Self {
        Self { chain: Chain::quicknet(), delay: DELAY, since: None }
    }
}

fn bad(part: &'static str, message: impl Into<String>) -> PartError {
    PartError { part, error: DrawError::new("bad-dice", message) }
}

/// Reads a part that is a time in UTC.
fn time(value: &Value, part: &'static str) -> Result<Option<Timestamp>, PartError> {
    let Some(written) = value.get(part) else { return Ok(None) };
    let read = written.as_text().and_then(|text| text.parse().ok());
    read.map(Some).ok_or_else(|| bad(part, format!("`{part}` is a time in UTC such as 2024-01-05T00:00:00Z")))
}
