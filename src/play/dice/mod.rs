//! Dice that the program derives: from a sealed secret, or from the rounds of a public beacon (`docs/dice.md`, scheme 2).
//!
//! [`drawer`] answers the random questions of one action; [`record`] is what an entry keeps of it; [`identity`] counts the
//! actions of a kind; [`order`] compares posts; [`check`] derives every draw of a log again; [`declare`] guards the key
//! `dice` itself.

pub(in crate::play) mod check;
pub(in crate::play) mod declare;
pub(in crate::play) mod drawer;
pub(in crate::play) mod identity;
pub(in crate::play) mod list;
pub(in crate::play) mod order;
pub(in crate::play) mod record;
pub(in crate::play) mod supply;
