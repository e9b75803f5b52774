//! What happened in an action.

use crate::game::{Name, SpaceId};

/// One thing that happened, with its cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened, in words.
    pub text: String,
    /// The catalogue ID of the rule that caused it.
    pub rule: String,
    /// Switches not at their default that led to it, with their values.
    pub rulings: Vec<(String, String)>,
    /// The players concerned.
    pub players: Vec<Name>,
    /// The spaces concerned.
    pub spaces: Vec<SpaceId>,
    /// The items concerned.
    pub items: Vec<Name>,
}

impl Event {
    /// Makes an event that concerns no player, space or item by name.
    pub fn new(text: impl Into<String>, rule: &str) -> Self {
        let (players, spaces, items) = (Vec::new(), Vec::new(), Vec::new());
        Self { text: text.into(), rule: rule.to_owned(), rulings: Vec::new(), players, spaces, items }
    }
}
