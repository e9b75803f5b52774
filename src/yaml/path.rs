//! Paths from the top of a document down to a value.

use super::Node;
use crate::data::{Key, Pointer};

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

/// Returns the path to the value at `pointer`, and the value if there is one. Keys are those of the document; the steps to
/// what it does not have are keys of new entries.
pub fn locate<'n>(root: &'n Node, pointer: &Pointer) -> (Path, Option<&'n Node>) {
    let mut node = Some(root);
    let path = pointer.steps().iter().map(|step| {
        let index = step.parse().ok().filter(|index| node.is_some_and(|node| node.items().get(*index).is_some()));
        if let Some(index) = index {
            node = node.and_then(|node| node.items().get(index));
            return Step::Index(index);
        }
        let entry = node.and_then(|node| node.entries().iter().find(|entry| entry.key.is(step)));
        node = entry.map(|entry| &entry.value);
        Step::Key(entry.map_or_else(|| Key::of_step(step), |entry| entry.key.clone()))
    });
    (path.collect(), node)
}

/// Spells a path for a message, between backticks; "the top level" if it has no steps.
pub(super) fn in_message(path: &[Step]) -> String {
    let pointer: Pointer = path
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.to_string(),
            Step::Index(index) => index.to_string(),
        })
        .collect();
    if pointer.is_top() { "the top level".to_owned() } else { format!("`{pointer}`") }
}
