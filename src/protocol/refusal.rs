//! How an action is refused, by the rules or by the program, and how it is left to a ruling.

use std::fmt;

/// An action that was understood, and that the rules or the state of the game forbid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refusal {
    /// A stable code, such as `already-moved`; those of the program are listed in `docs/refusals.md`.
    pub code: String,
    /// Why it is refused, in the player's words.
    pub message: String,
    /// What would be legal, or what to do.
    pub help: Option<String>,
    /// The catalogue ID of the rule that forbids it; empty if no rule of the game forbids it.
    pub rule: String,
}

impl Refusal {
    /// Makes a refusal without help that no rule of the game demands.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), ..Self::default() }
    }

    /// Adds what would be legal, or what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the catalogue ID of the rule that forbids it.
    #[must_use]
    pub fn rule(mut self, rule: &str) -> Self {
        rule.clone_into(&mut self.rule);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// A question that the rules leave open and a ruling must settle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The R-number that it is about.
    pub ruling: String,
    /// The question.
    pub message: String,
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs a ruling on {}: {}", self.ruling, self.message)
    }
}
