//! From text to the tree of values, and everything that is refused on the way.

pub(super) mod events;
pub(super) mod parse;
pub(super) mod refusal;
mod reject;
pub(super) mod scalar;
pub(super) mod tree;
