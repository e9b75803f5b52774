//! Why a running rule stopped before its end.

use super::error::ScriptError;
use crate::game::Amends;
use crate::protocol::{Question, Refusal, Ruling};

/// Why a rule stopped before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interrupt {
    /// A selection is open.
    Asks(Box<Question>),
    /// The rules forbid it.
    Refused(Refusal),
    /// The rules leave it open.
    NeedsRuling(Ruling),
    /// The cycle ended, so the rest is not carried out.
    Ended,
    /// The roll of an action that was performed is to be another; what followed must be played again first.
    Rewinds(Amends),
    /// The rule file is wrong.
    Failed(ScriptError),
}
