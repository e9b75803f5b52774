//! What a command brings for its dice.

use crate::draws::{Answer, Answers};

/// What a command brings for its dice, besides the secret.
#[derive(Debug, Clone, Default)]
pub struct Supply {
    /// Whether this command may throw, in a game whose dice are posted.
    pub draw: bool,
    /// Whether nothing is written, so that samples may replace draws.
    pub sample: bool,
    /// Rounds given with the command.
    pub rounds: Vec<Answer>,
    /// Rounds kept beside the gamestate.
    pub kept: Answers,
}
