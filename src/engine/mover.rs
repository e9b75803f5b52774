//! What moves on the board.

use crate::game::PlayerId;

/// A player, or an image of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mover {
    /// The player, or whose image it is.
    pub player: PlayerId,
    /// The place among its owner's images, counted from 0, if this is one.
    pub image: Option<usize>,
}
