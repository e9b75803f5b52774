//! A round of a beacon: read from `ROUND:SIGNATURE`, verified against the chain's public key, offline.
//!
//! The randomness of a round is the SHA-256 of its signature. What a relay says it is, is ignored. A round has one valid
//! signature in one encoding, so there are never several to choose from.

use drand_verify::{G1Pubkey, G2PubkeyFastnet, G2PubkeyRfc, Pubkey, VerificationError, derive_randomness};

use super::chain::{Chain, Scheme, is_infinity};
use super::{DrawError, Source, hex};

/// A round and its signature as they were given: nothing is verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    round: u64,
    signature: Vec<u8>,
    previous: Option<Vec<u8>>,
}

/// A round whose signature is verified.
///
/// Invariant: only [`Answer::verify`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beacon {
    chain_hash: String,
    round: u64,
    signature: Vec<u8>,
}

impl Answer {
    /// Reads `ROUND:SIGNATURE`: a decimal number without a sign or leading zeros, and lower-case hexadecimal.
    ///
    /// # Errors
    /// `round-zero` for round 0, which is not a round; `bad-beacon` for any other spelling.
    pub fn read(text: &str) -> Result<Self, DrawError> {
        let Some((round, signature)) = text.split_once(':') else {
            return Err(DrawError::new("bad-beacon", format!("`{text}` is not ROUND:SIGNATURE")));
        };
        let number = round.parse().ok().filter(|number: &u64| number.to_string() == round);
        let Some(number) = number else {
            return Err(DrawError::new("bad-beacon", format!("`{round}` is not the number of a round")));
        };
        Self::new(number, signature, None)
    }

    /// Makes an answer from a round, its signature in lower-case hexadecimal and, for a chained chain, the one before.
    ///
    /// # Errors
    /// `round-zero` for round 0; `bad-beacon` if a signature is not 48 or 96 bytes of lower-case hexadecimal.
    pub fn new(round: u64, signature: &str, previous: Option<&str>) -> Result<Self, DrawError> {
        if round == 0 {
            return Err(DrawError::new("round-zero", "rounds begin with 1; 0 was given"));
        }
        // The signature before round 1 of a chained chain is its genesis seed, of 32 bytes.
        let previous = previous.map(|text| bytes_of(text, &[32, 48, 96])).transpose()?;
        Ok(Self { round, signature: bytes_of(signature, &[48, 96])?, previous })
    }

    /// Returns the round, from 1.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// Verifies the signature against the chain's public key.
    ///
    /// # Errors
    /// `wrong-signature` if it is not the signature of this round of this chain, or not in its one encoding.
    pub fn verify(&self, chain: &Chain) -> Result<Beacon, DrawError> {
        let wrong = |why: String| {
            let message = format!("this is not the signature of round {} of the chain: {why}", self.round);
            let help = chain.address(self.round).map(|address| format!("compare it with {address}"));
            DrawError { code: "wrong-signature", message, help }
        };
        let length = chain.scheme().signature_length();
        if self.signature.len() != length {
            return Err(wrong(format!("it has {} bytes, not {length}", self.signature.len())));
        }
        if is_infinity(&self.signature) {
            return Err(wrong("it is the point at infinity".into()));
        }
        match holds(chain, self.round, self.previous.as_deref().unwrap_or_default(), &self.signature) {
            // A signature that is well formed and not this round's is as wrong as one that is not a point at all.
            Ok(false) => Err(wrong("the public key does not confirm it".into())),
            Err(VerificationError::InvalidPoint { .. }) => Err(wrong("it does not encode a point of the curve".into())),
            Ok(true) => {
                Ok(Beacon { chain_hash: chain.hash().to_owned(), round: self.round, signature: self.signature.clone() })
            }
        }
    }

    /// Verifies the signature, and that it is of `round`: the one that [`Chain::round_for`] gives for the post.
    ///
    /// # Errors
    /// `another-round` if it is of another round; otherwise as [`Answer::verify`].
    pub fn verify_as(&self, chain: &Chain, round: u64) -> Result<Beacon, DrawError> {
        if self.round == round {
            return self.verify(chain);
        }
        let message = format!("the post takes round {round}, and this is round {}", self.round);
        let help = chain.address(round).map_or_else(|| format!("give round {round}"), |at| format!("get {at}"));
        Err(DrawError::new("another-round", message).help(help))
    }
}

/// Returns whether the chain's key confirms the signature.
fn holds(chain: &Chain, round: u64, previous: &[u8], signature: &[u8]) -> Result<bool, VerificationError> {
    let unusable = "the chain's key was read when the chain was made";
    let key = chain.public_key();
    match chain.scheme() {
        Scheme::PedersenBlsChained => G1Pubkey::from_variable(key).expect(unusable).verify(round, previous, signature),
        // An unchained signature covers the round alone, whatever is said of the one before.
        Scheme::PedersenBlsUnchained => G1Pubkey::from_variable(key).expect(unusable).verify(round, &[], signature),
        Scheme::BlsUnchainedOnG1 => G2PubkeyFastnet::from_variable(key).expect(unusable).verify(round, &[], signature),
        Scheme::BlsUnchainedG1Rfc9380 => G2PubkeyRfc::from_variable(key).expect(unusable).verify(round, &[], signature),
    }
}

/// Reads lower-case hexadecimal of one of these lengths in bytes.
fn bytes_of(text: &str, lengths: &[usize]) -> Result<Vec<u8>, DrawError> {
    let bad = |message: &str| {
        DrawError::new("bad-beacon", message).help("copy `signature` from the beacon's answer as it is")
    };
    let bytes = hex::decode(text).ok_or_else(|| bad("a signature is lower-case hexadecimal, two digits a byte"))?;
    if lengths.contains(&bytes.len()) {
        return Ok(bytes);
    }
    Err(bad(&format!("a signature has 48 or 96 bytes, this has {}", bytes.len())))
}

impl Beacon {
    /// Returns the hash of the chain that the round is of.
    pub fn chain_hash(&self) -> &str {
        &self.chain_hash
    }

    /// Returns the round, from 1.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// Returns the signature as lower-case hexadecimal, as a log entry keeps it.
    pub fn signature(&self) -> String {
        hex::encode(&self.signature)
    }

    /// Returns the round's randomness: the SHA-256 of the signature.
    pub fn randomness(&self) -> [u8; 32] {
        derive_randomness(&self.signature)
    }

    /// Returns the source of the draws that take this round.
    pub fn source(&self) -> Source {
        Source::Beacon { chain_hash: self.chain_hash.clone(), round: self.round, randomness: self.randomness() }
    }
}
