//! Chains of public randomness: their facts, and which of their rounds a post gets.
//!
//! A chain is a public key and a timetable: round 1 comes at the genesis, each further one a period later. The facts of the
//! built-in chains are those that drand publishes; a chain's hash is their fingerprint.

use drand_verify::{G1Pubkey, G2PubkeyFastnet, G2PubkeyRfc, Pubkey};
use sha2::{Digest, Sha256};

use super::derive::prefixed;
use super::{DrawError, hex};
use crate::data::Value;

/// How a chain signs its rounds, by drand's own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Each signature covers the one before; key on G1, signatures on G2.
    PedersenBlsChained,
    /// Key on G1, signatures on G2.
    PedersenBlsUnchained,
    /// Key on G2, signatures on G1, hashed to the curve under the tag of G2.
    BlsUnchainedOnG1,
    /// Key on G2, signatures on G1, as RFC 9380 says.
    BlsUnchainedG1Rfc9380,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 4] =
        [Self::PedersenBlsChained, Self::PedersenBlsUnchained, Self::BlsUnchainedOnG1, Self::BlsUnchainedG1Rfc9380];

    /// Returns drand's name of the scheme.
    pub fn name(self) -> &'static str {
        match self {
            Self::PedersenBlsChained => "pedersen-bls-chained",
            Self::PedersenBlsUnchained => "pedersen-bls-unchained",
            Self::BlsUnchainedOnG1 => "bls-unchained-on-g1",
            Self::BlsUnchainedG1Rfc9380 => "bls-unchained-g1-rfc9380",
        }
    }

    /// Reads drand's name of a scheme.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// Returns the number of bytes of a signature.
    pub fn signature_length(self) -> usize {
        match self {
            Self::PedersenBlsChained | Self::PedersenBlsUnchained => 96,
            Self::BlsUnchainedOnG1 | Self::BlsUnchainedG1Rfc9380 => 48,
        }
    }
}

/// A chain of public randomness.
///
/// Invariant: the public key is a point of the scheme's group in its canonical encoding and not the point at infinity, under
/// which anyone could sign; the period is at least a second; a chain with the key of a built-in one is that one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    name: Option<&'static str>,
    hash: String,
    scheme: Scheme,
    public_key: Vec<u8>,
    genesis: i64,
    period: u32,
}

/// A built-in chain: name, hash, scheme, public key, genesis, period.
type Facts = (&'static str, &'static str, Scheme, &'static str, i64, u32);

/// The chains of the League of Entropy, as their public interface describes them.
const BUILT_IN: [Facts; 2] = [
    (
        "quicknet",
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        Scheme::BlsUnchainedG1Rfc9380,
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22\
         b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        1_692_803_367,
        3,
    ),
    (
        "default",
        "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        Scheme::PedersenBlsChained,
        "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
        1_595_431_050,
        30,
    ),
];

impl Chain {
    /// Returns the chain that is used if a game names no other.
    pub fn quicknet() -> Self {
        Self::built_in(&BUILT_IN[0])
    }

    /// Returns the built-in chain of this name, `quicknet` or `default`.
    pub fn named(name: &str) -> Option<Self> {
        BUILT_IN.iter().find(|facts| facts.0 == name).map(Self::built_in)
    }

    fn built_in(&(name, hash, scheme, key, genesis, period): &Facts) -> Self {
        let public_key = hex::decode(key).expect("the built-in keys are hexadecimal");
        Self { name: Some(name), hash: hash.to_owned(), scheme, public_key, genesis, period }
    }

    /// Makes a chain from its own facts: the key as lower-case hexadecimal, the genesis in seconds since 1970, the period in
    /// seconds. The facts of a built-in chain give that chain.
    ///
    /// Whoever owns the key of such a chain can know every die in advance, and so can anyone if the timetable is not the
    /// chain's own and its rounds are out before the posts. [`Chain::is_custom`] tells, so that a reader can be warned.
    ///
    /// # Errors
    /// `bad-chain` if the scheme is unknown, the period 0 or the key not one of the scheme; `borrowed-key` if the key is that
    /// of a built-in chain and the other facts are not, for rounds of another timetable could be out before the post.
    pub fn custom(public_key: &str, genesis: i64, period: u32, scheme: &str) -> Result<Self, DrawError> {
        let bad = |message: String| DrawError::new("bad-chain", message);
        let Some(scheme) = Scheme::named(scheme) else {
            let known = Scheme::ALL.map(Scheme::name).join(", ");
            return Err(bad(format!("unknown scheme `{scheme}`")).help(format!("schemes: {known}")));
        };
        if period == 0 {
            return Err(bad("a chain's period is at least one second".into()));
        }
        let Some(bytes) = hex::decode(public_key).filter(|bytes| is_key(scheme, bytes)) else {
            let message = format!("this is not a public key of {}: `{public_key}`", scheme.name());
            return Err(bad(message).help("copy it in lower case from the chain's own description"));
        };
        if let Some(facts) = BUILT_IN.iter().find(|facts| facts.3 == public_key) {
            let same = (facts.2, facts.4, facts.5) == (scheme, genesis, period);
            let message = format!("this is the key of {} with another scheme, genesis or period", facts.0);
            let help = format!("write `chain: {}`", facts.0);
            return if same {
                Ok(Self::built_in(facts))
            } else {
                Err(DrawError::new("borrowed-key", message).help(help))
            };
        }
        let (since, every) = (genesis.to_string(), period.to_string());
        let parts =
            ["referee chain 2".as_bytes(), scheme.name().as_bytes(), &bytes, since.as_bytes(), every.as_bytes()];
        let hash = hex::encode(&Sha256::digest(prefixed(parts.into_iter())));
        Ok(Self { name: None, hash, scheme, public_key: bytes, genesis, period })
    }

    /// Reads a game's chain: the name of a built-in one, or a map of `public-key`, `genesis`, `period` and `scheme`.
    ///
    /// # Errors
    /// `unknown-chain` for another name, `bad-chain` for a map with other keys or values, `chained` for a chain whose rounds
    /// cannot be verified one by one, and what [`Chain::custom`] refuses.
    pub fn of_game(value: &Value) -> Result<Self, DrawError> {
        let bad = |message: String| DrawError::new("bad-chain", message);
        let chain = match value {
            Value::Text(name) => Self::named(name).ok_or_else(|| {
                let error = DrawError::new("unknown-chain", format!("unknown chain `{name}`"));
                error.help("write `quicknet`, or the chain's public-key, genesis, period and scheme")
            })?,
            Value::Map(entries) => {
                let keys = ["public-key", "genesis", "period", "scheme"];
                if let Some((key, _)) = entries.iter().find(|(key, _)| !keys.iter().any(|known| key.is(known))) {
                    return Err(
                        bad(format!("unknown key `{key}` of a chain")).help(format!("keys: {}", keys.join(", ")))
                    );
                }
                let text = |key: &str| {
                    let found = value.get(key).and_then(Value::as_text);
                    found.ok_or_else(|| bad(format!("a chain's `{key}` is a text")))
                };
                let number = |key: &str| {
                    let found = value.get(key).and_then(Value::as_int);
                    found.ok_or_else(|| bad(format!("a chain's `{key}` is a whole number of seconds")))
                };
                let period = u32::try_from(number("period")?).map_err(|_| bad("this period is out of range".into()))?;
                Self::custom(text("public-key")?, number("genesis")?, period, text("scheme")?)?
            }
            _ => return Err(bad("a chain is a name or a map".into())),
        };
        if chain.scheme == Scheme::PedersenBlsChained {
            let message = "each round of this chain can only be verified with the one before".to_owned();
            return Err(DrawError::new("chained", message).help("use an unchained one, such as quicknet"));
        }
        Ok(chain)
    }

    /// Returns the name, if the chain is built in.
    pub fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// Returns whether the chain is given by its own key, so that the owner of that key knows every die.
    pub fn is_custom(&self) -> bool {
        self.name.is_none()
    }

    /// Returns what draws bind: drand's hash of a built-in chain, and of another the SHA-256 of its four facts. It is 64
    /// hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns how the chain signs.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the bytes of the public key.
    pub fn public_key(&self) -> &[u8] {
        &self.public_key
    }

    /// Returns when round 1 comes, in seconds since 1970.
    pub fn genesis(&self) -> i64 {
        self.genesis
    }

    /// Returns the seconds between two rounds.
    pub fn period(&self) -> u32 {
        self.period
    }

    /// Returns the round of a post: the first that comes `delay` seconds after `post_ms` (milliseconds since 1970) or later.
    ///
    /// # Errors
    /// `short-delay` if the delay is under two periods: the clocks of the chat and of the beacon may differ a little, and
    /// the round has to be unknown when the post is made.
    pub fn round_for(&self, post_ms: i64, delay: u32) -> Result<u64, DrawError> {
        if u64::from(delay) < self.shortest_delay() {
            let message = format!("a delay of {delay} s is too short: rounds come every {} s", self.period);
            let help = format!("take at least {} s, which is two periods", self.shortest_delay());
            return Err(DrawError::new("short-delay", message).help(help));
        }
        let since = i128::from(post_ms) + (i128::from(delay) - i128::from(self.genesis)) * 1000;
        let period = i128::from(self.period) * 1000;
        let rounds = if since <= 0 { 0 } else { (since - 1) / period + 1 };
        Ok(u64::try_from(1 + rounds).unwrap_or(u64::MAX))
    }

    /// Returns the shortest delay that is allowed, in seconds: two periods.
    pub fn shortest_delay(&self) -> u64 {
        2 * u64::from(self.period)
    }

    /// Returns when a round comes, in milliseconds since 1970; `None` for round 0 and beyond the end of time.
    pub fn time_of(&self, round: u64) -> Option<i64> {
        let before = i128::from(round.checked_sub(1)?);
        i64::try_from((i128::from(self.genesis) + before * i128::from(self.period)) * 1000).ok()
    }

    /// Returns the public address of a round; `None` if the chain is not one of the League of Entropy's.
    pub fn address(&self, round: u64) -> Option<String> {
        self.name.map(|_| format!("https://api.drand.sh/{}/public/{round}", self.hash))
    }
}

/// Returns whether `bytes` are the one encoding of a public key of `scheme`.
fn is_key(scheme: Scheme, bytes: &[u8]) -> bool {
    !is_infinity(bytes)
        && match scheme {
            Scheme::PedersenBlsChained | Scheme::PedersenBlsUnchained => G1Pubkey::from_variable(bytes).is_ok(),
            Scheme::BlsUnchainedOnG1 => G2PubkeyFastnet::from_variable(bytes).is_ok(),
            Scheme::BlsUnchainedG1Rfc9380 => G2PubkeyRfc::from_variable(bytes).is_ok(),
        }
}

/// Returns whether `bytes` claim to be the point at infinity: the second highest bit says so.
pub(super) fn is_infinity(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| first & 0x40 != 0)
}
