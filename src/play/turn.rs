//! The types of a turn: what is posted, and what results from it.

use jiff::Timestamp;

use super::dice::supply::Supply;
use crate::game::{Change, Game};
use crate::protocol::{Event, Refusal, Selection, Selections, Status};

/// A command as it was posted.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The command in words, such as `["move", "Nyhilo"]`.
    pub words: Vec<String>,
    /// The selections given with it.
    pub given: Selections,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// The posted message.
    pub link: Option<String>,
    /// Whether every optional effect that is not mentioned is declined.
    pub decline: bool,
    /// The seed of the stream from which the caller draws, if one was given; it is recorded.
    pub seed: Option<u64>,
    /// The secret of a game with sealed dice, from which its draws are derived.
    pub secret: Option<String>,
    /// What else the command brings for its dice.
    pub dice: Supply,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub status: Status,
    /// The command with names as the game spells them.
    pub action: String,
    /// Selections in the order in which they were made.
    pub selections: Vec<Selection>,
    /// What happened, in order; of an action that was not carried out, nothing.
    pub events: Vec<Event>,
    /// What changed in the gamestate, the log aside.
    pub changes: Vec<Change>,
    /// The game to continue with: after the action, or as it was but for what must be kept.
    pub next: Game,
}

impl Played {
    /// Makes the result of a command that changes nothing because it is refused.
    pub(super) fn refused(game: &Game, action: String, refusal: Refusal) -> Self {
        Self { status: Status::Refused(refusal), ..Self::unchanged(game, action) }
    }

    /// Makes the result of a command that changes nothing.
    pub(super) fn unchanged(game: &Game, action: String) -> Self {
        let (selections, events, changes) = (Vec::new(), Vec::new(), Vec::new());
        Self { status: Status::Done, action, selections, events, changes, next: game.clone() }
    }

    /// Turns a refusal into the result of the command `action`.
    pub(super) fn or_refused(game: &Game, action: &str, played: Result<Self, Refusal>) -> Self {
        played.unwrap_or_else(|refusal| Self::refused(game, action.to_owned(), refusal))
    }
}
