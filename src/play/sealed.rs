//! Sealed dice: draws derived from a secret whose hash the file has had from the start, so that anyone can check every die
//! once it is revealed. The scheme, with test vectors, is in `docs/dice.md`; it is HKDF with SHA-256 (RFC 5869).

use std::sync::Arc;

use hkdf::Hkdf;
use sha2::{Digest, Sha256};

use super::record::declared_turn;
use super::turn::{Played, Request};
use crate::data::{Key, Value, canonical_json};
use crate::game::{Game, LogEntry, PendingAction};
use crate::protocol::{By, Event, Options, Question, Refusal, Selection};
use crate::ruleset::Ruleset;

/// What every derivation begins with: another scheme would have another name.
const SCHEME: &str = "referee dice 1";
/// What a state hash begins with: the form that was hashed.
const FORM: &str = "json:";

/// Returns the hash of a secret as the file has it, in hexadecimal.
pub fn hash_of(secret: &str) -> String {
    hex(&Sha256::digest(secret.trim().as_bytes()))
}

/// Returns the hash of everything that a game is, except its log, what is pending and the seal itself: `json:` and the
/// SHA-256 of its canonical JSON in hexadecimal.
pub fn state_of(game: &Game) -> String {
    format!("{FORM}{}", hex(&Sha256::digest(canonical_json(&sealed_state(game)).as_bytes())))
}

/// Returns the hash of a game in the older form, without a word before it: of its display form, in which the text `1` and the
/// number are the same.
fn older_state_of(game: &Game) -> String {
    hex(&Sha256::digest(sealed_state(game).to_string().as_bytes()))
}

fn sealed_state(game: &Game) -> Value {
    let mut state = game.to_value();
    for part in ["log", "pending", "id", "dice"] {
        state.remove(part);
    }
    state.in_order()
}

/// Returns whether `state` is the hash of a game. The older form counts only as long as no entry has the newer one: with
/// a choice of two forms, there would be a choice of two draws.
fn is_state_of(state: &str, game: &Game) -> bool {
    if state.starts_with(FORM) {
        return state == state_of(game);
    }
    let form = |entry: &LogEntry| entry.action.sealed.get("state").and_then(Value::as_text).map(str::to_owned);
    let newer = game.log.iter().filter_map(|entry| form(entry)).any(|state| state.starts_with(FORM));
    !newer && state == older_state_of(game)
}

/// Returns the place, from 1 to `of`, that the secret gives to a draw: the `index`-th of its `key`, counted from 0, of an action
/// posted in the message `link` while the game was in `state`.
pub fn draw(secret: &str, state: &str, action: &str, link: &str, key: &str, index: usize, of: u64) -> u64 {
    let derive = Hkdf::<Sha256>::new(Some(state.as_bytes()), secret.trim().as_bytes());
    let mut info = Vec::new();
    for part in [SCHEME, action, link, key, &index.to_string()] {
        info.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        info.extend(part.as_bytes());
    }
    let mut bytes = [0; 255 * 32];
    derive.expand(&info, &mut bytes).expect("no more than the scheme allows");
    // Words that would favour the first places are passed over; the last of a thousand is taken whatever it is.
    let spare = (u64::MAX % of + 1) % of;
    let mut words = bytes.chunks_exact(8).map(|word| u64::from_be_bytes(word.try_into().expect("eight bytes")));
    let fair = words.clone().find(|word| *word <= u64::MAX - spare);
    fair.or_else(|| words.next_back()).unwrap_or_default() % of + 1
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Draws for one action, and what the file keeps of them.
pub(super) struct Seal {
    secret: String,
    state: String,
    action: String,
    link: String,
    drawn: Vec<(Key, Vec<Value>)>,
}

impl Seal {
    /// Makes the seal for an action; it continues the draws of an earlier step.
    pub fn new(secret: &str, game: &Game, begun: &PendingAction) -> Self {
        let state = begun.sealed.get("state").and_then(Value::as_text).map(str::to_owned);
        let drawn = begun.sealed.get("drawn").map_or(&[][..], Value::entries);
        Self {
            secret: secret.to_owned(),
            state: state.unwrap_or_else(|| state_of(game)),
            action: begun.what.clone(),
            link: begun.link.clone().unwrap_or_default(),
            drawn: drawn.iter().map(|(key, values)| (key.clone(), values.items().to_vec())).collect(),
        }
    }

    /// Answers a random question.
    pub fn answer(&mut self, question: &Question) -> Option<Vec<Value>> {
        match (&question.by, &question.options) {
            (By::Random, Options::Dice { count, faces }) => {
                Some((0..*count).map(|_| self.next(&question.key, u64::from(*faces))).map(Value::Int).collect())
            }
            (By::Random, Options::OneOf(options)) => {
                let place = self.next(&question.key, options.len() as u64);
                Some(vec![options[usize::try_from(place - 1).ok()?].clone()])
            }
            _ => None,
        }
    }

    fn next(&mut self, key: &str, of: u64) -> i64 {
        let place = self.drawn.iter().position(|(own, _)| own.is(key)).unwrap_or_else(|| {
            self.drawn.push((Key::from(key), Vec::new()));
            self.drawn.len() - 1
        });
        let drawn = &mut self.drawn[place].1;
        let number = draw(&self.secret, &self.state, &self.action, &self.link, key, drawn.len(), of);
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        drawn.push(Value::List(vec![Value::Int(number), Value::Int(i64::try_from(of).unwrap_or(i64::MAX))]));
        number
    }

    /// Returns what the file keeps: the state, and by key the place and the number of possible ones of each draw.
    pub fn to_value(&self) -> Value {
        if self.drawn.is_empty() {
            return Value::Null;
        }
        let drawn = self.drawn.iter().map(|(key, values)| (key.clone(), Value::List(values.clone()))).collect();
        Value::Map(vec![
            (Key::from("state"), Value::from(self.state.as_str())),
            (Key::from("drawn"), Value::Map(drawn)),
        ])
    }
}

/// Finds what is wrong with the seal of an entry, resolved on the game as it was: another state, or, once the secret is revealed,
/// a die that it does not give. Each with its code.
pub(super) fn wrong(then: &Game, revealed: Option<&str>, entry: &LogEntry) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let Some(state) = entry.action.sealed.get("state").and_then(Value::as_text) else { return found };
    // What was begun before was drawn in an earlier state; draws that were reused, in that of the entry they are of.
    let reused = entry.action.reused.and_then(|reused| then.log.iter().find(|own| own.id == reused));
    let holds = match reused.map(|reused| &reused.action.sealed) {
        Some(sealed) if !sealed.is_empty() => sealed.get("state").and_then(Value::as_text) == Some(state),
        _ => entry.changes.get("/pending").is_some() || is_state_of(state, then),
    };
    if !holds {
        let message =
            format!("entry {} was drawn in another state of the game than the one it was played in", entry.id);
        found.push(("other-state", message));
    }
    let (Some(secret), link) = (revealed, entry.action.link.clone().unwrap_or_default()) else { return found };
    for (key, draws) in entry.action.sealed.get("drawn").map_or(&[][..], Value::entries) {
        for (index, drawn) in draws.items().iter().enumerate() {
            let [Value::Int(place), Value::Int(of)] = drawn.items() else { continue };
            let key = key.to_string();
            let should = draw(secret, state, &entry.action.what, &link, &key, index, u64::try_from(*of).unwrap_or(1));
            if u64::try_from(*place) != Ok(should) {
                let message = format!(
                    "draw {} of `{key}` in entry {} is {place}, but the secret gives {should} of {of}",
                    index + 1,
                    entry.id
                );
                found.push(("wrong-die", message));
            }
        }
    }
    found
}

/// Finds draws that the selections of an entry do not have, in their order.
pub(super) fn other_draws(entry: &LogEntry, made: &[Selection]) -> Vec<String> {
    let mut found = Vec::new();
    for (key, draws) in entry.action.sealed.get("drawn").map_or(&[][..], Value::entries) {
        let mut all = made.iter().filter(|own| key.is(&own.key)).flat_map(Selection::places);
        for drawn in draws.items() {
            let [Value::Int(place), Value::Int(of)] = drawn.items() else { continue };
            if !all.any(|own| own == (*place, *of)) {
                found.push(format!(
                    "entry {}: the sealed draw for `{key}` is {place} of {of}, which does not match its recorded selections",
                    entry.id
                ));
            }
        }
    }
    found
}

/// Carries out `reveal SECRET`: from then on anyone can check every die.
///
/// # Errors
/// Refuses a secret that is not the one whose hash the file has.
pub(super) fn reveal(ruleset: &Ruleset, game: &Game, request: &Request, secret: &str) -> Result<Played, Refusal> {
    let wrong = |message: &str, help: &str| Refusal::new("wrong-secret", message).help(help).rule("RC-1");
    let Some(hash) = game.dice.get("hash").and_then(Value::as_text) else {
        let help = "`init --sealed` seals them from the start";
        return Err(wrong("the dice of this game are not sealed", help));
    };
    if hash_of(secret) != hash {
        let message = "this secret does not match the hash in the file";
        return Err(wrong(message, "give the file that `init --sealed` wrote"));
    }
    let mut next = game.clone();
    Arc::make_mut(&mut next.dice).set(Key::from("secret"), Value::from(secret.trim()));
    let events = vec![Event::new("the secret is revealed: `referee verify` checks every die", "RC-1")];
    Ok(Played { events, ..declared_turn(ruleset, game, next, request.words.join(" "), request) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;

    /// The test vectors of `docs/dice.md`.
    #[test]
    fn draws_are_those_of_the_published_scheme() {
        let page = include_str!("../../docs/dice.md");
        let mut tried = 0;
        for line in page.lines().filter(|line| line.starts_with("| `move ")) {
            let cells: Vec<&str> =
                line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            let [action, link, key, index, of, place] = cells[..] else { panic!("{line}") };
            let number = |text: &str| text.parse::<u64>().expect("a number");
            let index = usize::try_from(number(index)).expect("small");
            let drawn = draw("00112233445566778899aabbccddeeff", "state", action, link, key, index, number(of));
            assert_eq!(drawn, number(place), "{line}");
            tried += 1;
        }
        assert!(tried >= 6, "{tried} vectors");
    }

    #[test]
    fn the_older_form_counts_until_an_entry_has_the_newer_one() {
        let mut game = Game::new("cycle-15", Vec::new(), Board::default());
        let old = older_state_of(&game);
        assert!(is_state_of(&state_of(&game), &game));
        assert!(is_state_of(&old, &game));
        let sealed = Value::Map(vec![(Key::from("state"), Value::from("json:00"))]);
        let action = PendingAction { sealed, ..PendingAction::default() };
        Arc::make_mut(&mut game.log).push(Arc::new(LogEntry { action, ..LogEntry::default() }));
        assert!(is_state_of(&state_of(&game), &game));
        assert!(!is_state_of(&old, &game));
    }

    #[test]
    fn places_are_fair_and_within_bounds() {
        let mut counts = [0_u32; 6];
        for index in 0..6_000 {
            let place = draw("secret", "state", "move Ann", "", "roll", index, 6);
            counts[usize::try_from(place).expect("small") - 1] += 1;
        }
        // Six thousand dice: each face a thousand times, give or take five standard deviations (about 29).
        assert!(counts.iter().all(|count| (855..=1_145).contains(count)), "{counts:?}");
    }
}
