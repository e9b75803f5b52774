//! YAML files that belong to people: reads them strictly and changes them without disturbing the rest.
//!
//! A [`Document`] is a text and the tree of its values, each with its place. [`Document::edit`] turns changes of values
//! into changes of as few bytes as possible, in the style of the surrounding text. It reads the new text again and
//! returns it only if that text says exactly what was asked for and no comment was lost. This module knows nothing of
//! what the files are about; unknown keys and types are left to its callers.
//!
//! `read` goes from text to tree, `edit` from requested changes to new text. Both use `trivia`, which finds its way
//! between the nodes, and `path`, which names a value. `from_value` goes from data to a new document.

mod edit;
mod from_value;
mod path;
mod read;
#[cfg(test)]
mod tests;
mod trivia;

pub use edit::{CannotEdit, Edit, Style};
pub use path::{Path, Step, locate};
pub use read::parse::parse_head;
pub use read::tree::{Data, Document, Entry, Node};
