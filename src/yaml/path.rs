//! Paths from the top of a document down to a value, and how messages spell them.

use crate::data::Key;

/// One step of a path, into a map or into a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the value under this key.
    Key(Key),
    /// To the item at this index, counted from 0.
    Index(usize),
}

/// The steps from the top of a document down to a value; none for the whole document.
pub type Path = Vec<Step>;

/// Appends a key to a spelled path, as in `players.Ann`.
pub(super) fn push_key(spelled: &mut String, key: &Key) {
    if !spelled.is_empty() {
        spelled.push('.');
    }
    spelled.push_str(&key.to_string());
}

/// Appends an index to a spelled path, as in `log[3]`.
pub(super) fn push_index(spelled: &mut String, index: usize) {
    spelled.push('[');
    spelled.push_str(&index.to_string());
    spelled.push(']');
}

/// Spells a path for a message, between backticks; "the top level" if it has no steps.
pub(super) fn in_message(path: &[Step]) -> String {
    let mut spelled = String::new();
    for step in path {
        match step {
            Step::Key(key) => push_key(&mut spelled, key),
            Step::Index(index) => push_index(&mut spelled, *index),
        }
    }
    if spelled.is_empty() { "the top level".to_owned() } else { format!("`{spelled}`") }
}
