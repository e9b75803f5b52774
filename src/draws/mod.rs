//! Draws that anyone can check: how a die comes from a sealed secret or from the public randomness of a beacon (scheme 2
//! of `docs/dice.md`), which round of a beacon a post gets, and whether a signature is that of its round.
//!
//! Everything here is a pure function of what it is given: no clock, no files, no network, no game.

pub mod answers;
pub mod beacon;
pub mod chain;
pub mod derive;
mod hex;
pub mod post;
#[cfg(test)]
mod tests;
pub mod thrower;

pub use answers::{Answers, LineProblem};
pub use beacon::{Answer, Beacon};
pub use chain::{Chain, Scheme};
pub use derive::{Bound, Source, Words};
pub use post::{Post, TimeOf};
pub use thrower::{BeaconDice, PartError, Seal, Thrower};

use std::fmt;

/// Says why something given for a draw cannot be used, or what is odd about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawError {
    /// A stable code, such as `wrong-signature`; `docs/dice.md` lists all.
    pub code: &'static str,
    /// What is so.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl DrawError {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DrawError {}
