//! Which rules were in force: a hash over whole rule files, so that what was voted on is what is played by.

use std::sync::Arc;

use super::Ruleset;
use super::sources::Sources;
use crate::data::{Value, canonical_json};
use crate::diagnostic::Source;
use crate::game::Game;

/// How many hexadecimal digits of a hash are written: 128 bits.
const DIGITS: usize = 32;
/// How many there were before; such pins are read, and written no more.
const OLD_DIGITS: usize = 8;

/// Hashes all rule texts, whole, each with its path in the ruleset.
pub(super) fn hash(sources: &Sources) -> String {
    let mut hasher = blake3::Hasher::new();
    for (path, part) in sources.parts() {
        hasher.update(&(part.len() as u64).to_le_bytes());
        for text in std::iter::once(path).chain(part.iter().map(|text| text.source.text.as_str())) {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// Hashes the rule texts as they were hashed before: each as far as its first line `cases:`, under its file's name.
fn old_hash<'a>(sources: impl Iterator<Item = &'a Arc<Source>>) -> String {
    let mut hasher = blake3::Hasher::new();
    for source in sources {
        let path = source.name.rsplit_once("rules/").map_or(source.name.as_str(), |(_, path)| path);
        let law = source.text.split("\ncases:").next().unwrap_or_default();
        for part in [path.rsplit('/').next().unwrap_or(path), law] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..OLD_DIGITS].to_owned()
}

/// Whether a pin has a hash of so few digits that other rules with the same hash can be made.
pub fn is_short(pin: &str) -> bool {
    let hash = pin.split('+').next().and_then(|pin| pin.rsplit_once('@')).map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() < DIGITS)
}

impl Ruleset {
    /// Returns the name of the ruleset and 32 hexadecimal digits computed from its files, such as `cycle-15@3f9a…`.
    pub fn pin(&self) -> String {
        format!("{}@{}", self.name, self.hashes[0].get_or_init(|| hash(&self.sources)))
    }

    /// Returns the pin of eight digits that older logs have for these rules.
    pub fn old_pin(&self) -> String {
        format!("{}@{}", self.name, self.hashes[1].get_or_init(|| old_hash(self.sources.texts())))
    }

    /// Returns the rules of `game`, as log entries pin them: the ruleset's, and after a `+` 32 digits for what play has
    /// amended, if anything.
    pub fn pin_of(&self, game: &Game) -> String {
        with_amendments(self.pin(), game, DIGITS, canonical_json)
    }

    /// Whether a pin, new or old, names these rules, whatever play has amended.
    pub fn is_pinned(&self, pin: &str) -> bool {
        let plain = pin.split('+').next().unwrap_or(pin);
        if is_short(plain) { plain == self.old_pin() } else { plain == self.pin() }
    }

    /// Whether a pin, new or old, names these rules as play has amended them in `game`. The oldest pins hash the form
    /// in which amendments are shown, in which the text `1` and the number are the same.
    pub fn is_pin_of(&self, pin: &str, game: &Game) -> bool {
        let old = |form| with_amendments(self.old_pin(), game, OLD_DIGITS, form);
        if is_short(pin) {
            pin == old(canonical_json) || pin == old(Value::to_string)
        } else {
            pin == self.pin_of(game)
        }
    }
}

fn with_amendments(pin: String, game: &Game, digits: usize, form: fn(&Value) -> String) -> String {
    let amended = game.amendments.in_order();
    if amended.is_empty() {
        return pin;
    }
    let hash = blake3::hash(form(&amended).as_bytes()).to_hex();
    format!("{pin}+{}", &hash[..digits])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_are_short() {
        assert!(is_short("cycle-15@3f9a1c2e") && is_short("cycle-15@3f9a1c2e+0a1b2c3d"));
        assert!(!is_short(&format!("cycle-15@{}", "a".repeat(32))) && !is_short("") && !is_short("cycle-15"));
    }
}
