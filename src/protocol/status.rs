//! How an action ended.

use super::question::Question;
use super::refusal::{Refusal, Ruling};

/// How an action ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Carried out.
    Done,
    /// A selection is open.
    Asks(Question),
    /// The rules forbid it.
    Refused(Refusal),
    /// The rules leave it open.
    NeedsRuling(Ruling),
}
