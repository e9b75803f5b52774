//! The derivation of a draw, scheme 2: from what cannot be varied once the secret is sealed or the post is made, to a die.
//!
//! HKDF with SHA-256 (RFC 5869) stretches the secret, or the randomness of a beacon's round, into a stream. The draw's
//! identity goes into the stream as one canonical form. `docs/dice.md` has it byte by byte, with test vectors.

use std::collections::BTreeMap;

use hkdf::Hkdf;
use sha2::Sha256;

use super::DrawError;

/// The first part of every form: another scheme has another name.
const SCHEME: &str = "referee dice 2";
/// The most bytes that HKDF with SHA-256 gives.
const LONGEST: usize = 255 * 32;

/// The identity of a draw: what it is derived from besides its source.
///
/// Nothing that a steward words or chooses belongs here: not the text of the command, the options, the chosen values, the
/// time, the link or the state of the game. Each could be varied until the dice are good.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The game's id, fixed when the game was made.
    pub game: String,
    /// The phase, counted from 1.
    pub phase: i64,
    /// Whose action it is, spelled as the gamestate spells it; empty if the action is not a player's.
    pub player: String,
    /// The kind of action, such as `move`.
    pub kind: String,
    /// How many actions of this kind the player had in this phase before this one.
    pub nth: u64,
    /// The key of the selection, such as `roll`.
    pub key: String,
    /// The place of the draw among those of its key in this action, counted from 0.
    pub index: u64,
}

/// What a draw comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A secret whose hash was published before the words of the players were known.
    Sealed {
        /// The secret; white space around it does not count.
        secret: String,
        /// What the players added after the hash was published and before the first draw.
        words: Words,
    },
    /// A round of a public beacon.
    Beacon {
        /// The chain's hash, 64 hexadecimal digits in lower case ([`super::Chain::hash`]).
        chain_hash: String,
        /// The round.
        round: u64,
        /// The round's randomness, computed from its verified signature ([`super::Beacon::randomness`]).
        randomness: [u8; 32],
    },
}

/// The words that players added to a sealed secret: one a player, in the order of the players' names.
///
/// Invariant: each word has 1 to 64 of the characters `a` to `z`, `0` to `9` and `-`. So whoever copies a word from a post
/// has no spelling of it to choose, and with it no dice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// Adds the word of `player`; capitals become small letters.
    ///
    /// # Errors
    /// `bad-word` if the word has other characters or none or more than 64, or if the player has added one before.
    pub fn add(&mut self, player: &str, word: &str) -> Result<(), DrawError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !(1..=64).contains(&word.len()) || !word.chars().all(plain) {
            let message = format!("`{word}` cannot be {player}'s word");
            return Err(DrawError::new("bad-word", message).help("use 1 to 64 letters a to z, digits and hyphens"));
        }
        if let Some(first) = self.0.get(player) {
            return Err(DrawError::new("bad-word", format!("{player} has already added a word: {first}")));
        }
        self.0.insert(player.to_owned(), word.to_ascii_lowercase());
        Ok(())
    }

    /// Returns the players with their words, in the order in which the form has them: that of the names' bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(player, word)| (player.as_str(), word.as_str()))
    }
}

impl Source {
    /// Returns what a die of `faces` faces shows, from 1 to `faces`; `None` if it has no faces.
    pub fn die(&self, bound: &Bound, faces: u32) -> Option<u32> {
        u32::try_from(self.place(bound, u64::from(faces))?).ok()
    }

    /// Returns which of `count` options is drawn, counted from 0; `None` if there are none.
    pub fn pick(&self, bound: &Bound, count: usize) -> Option<usize> {
        usize::try_from(self.place(bound, u64::try_from(count).ok()?)? - 1).ok()
    }

    /// Returns the place of the draw, from 1 to `of`, each as likely as any other; `None` if `of` is 0.
    pub fn place(&self, bound: &Bound, of: u64) -> Option<u64> {
        if of == 0 {
            return None;
        }
        let stretched = Hkdf::<Sha256>::new(None, self.key_material());
        let form = self.form(bound);
        // Words that would favour the first places are passed over; the last of a thousand is taken whatever it is.
        let spare = (u64::MAX % of + 1) % of;
        let fair = |word: &u64| *word <= u64::MAX - spare;
        let mut first = [0; 32];
        stretched.expand(&form, &mut first).expect("HKDF gives this many bytes");
        let word = words_of(&first).find(fair).or_else(|| {
            let mut all = [0; LONGEST];
            stretched.expand(&form, &mut all).expect("HKDF gives this many bytes");
            words_of(&all).find(fair).or_else(|| words_of(&all).last())
        });
        word.map(|word| word % of + 1)
    }

    /// Returns the canonical form of a draw: its parts in order, each with its length before it.
    ///
    /// A length is four bytes, the highest first. Numbers are decimal text. No two draws have the same form.
    pub fn form(&self, bound: &Bound) -> Vec<u8> {
        let Bound { game, phase, player, kind, nth, key, index } = bound;
        let (phase, nth, index) = (phase.to_string(), nth.to_string(), index.to_string());
        let own = match self {
            Self::Sealed { .. } => "sealed",
            Self::Beacon { .. } => "beacon",
        };
        let mut parts = vec![SCHEME, own, game, &phase, player, kind, &nth, key, &index];
        let of_round;
        match self {
            Self::Sealed { words, .. } => parts.extend(words.iter().flat_map(|(player, word)| [player, word])),
            Self::Beacon { chain_hash, round, .. } => {
                of_round = round.to_string();
                parts.extend([chain_hash.as_str(), &of_round]);
            }
        }
        prefixed(parts.into_iter().map(str::as_bytes))
    }

    /// Returns what HKDF takes as its key material: the text of the secret, or the 32 bytes of randomness.
    fn key_material(&self) -> &[u8] {
        match self {
            Self::Sealed { secret, .. } => secret.trim().as_bytes(),
            Self::Beacon { randomness, .. } => randomness,
        }
    }
}

/// Joins `parts`, each with its length before it as four bytes, the highest first.
pub(super) fn prefixed<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend(part);
    }
    bytes
}

/// Reads a stream as words of eight bytes, the highest first.
fn words_of(stream: &[u8]) -> impl Iterator<Item = u64> {
    stream.chunks_exact(8).map(|word| u64::from_be_bytes(word.try_into().expect("eight bytes")))
}
