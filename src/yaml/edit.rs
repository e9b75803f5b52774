//! Changes of values, asked for by path, and their way into the text.

use std::fmt;

use super::emit::Writer;
use super::plan::Change;
use super::tree::{self, Document};
use super::verify;
use crate::data::{Key, Value};

/// One step down from a map or list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the value under a key.
    Key(Key),
    /// To an item, counted from 0.
    Index(usize),
}

/// The way from the top to a value.
pub type Path = Vec<Step>;

/// One change. Paths and indices are those of the document as it is before all the edits of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Makes the value at `path` equal to `value`, changing only what differs; an absent key is added to its map, and
    /// absent maps above it are made. Null counts as an absent map.
    Set {
        /// Where.
        path: Path,
        /// What is to be there.
        value: Value,
    },
    /// Adds an absent key to its map, before the entry that was at `index`, or last if `index` is their number; several
    /// for one index stand in the order in which they were given.
    Add {
        /// Where.
        path: Path,
        /// Before which entry.
        index: usize,
        /// What is to be there.
        value: Value,
    },
    /// Takes a map entry or list item out; the last one leaves `{}` or `[]`.
    Remove {
        /// Where.
        path: Path,
    },
    /// Puts an item before the one that was at `index`, or last if `index` is the length; several for one index stand
    /// in the order in which they were given. An absent list is made.
    Insert {
        /// The list.
        path: Path,
        /// Before which item.
        index: usize,
        /// The item.
        value: Value,
    },
}

impl Edit {
    /// Where: the value, or the list to insert into.
    pub fn path(&self) -> &Path {
        match self {
            Self::Set { path, .. } | Self::Add { path, .. } | Self::Remove { path } | Self::Insert { path, .. } => path,
        }
    }
}

/// How new text looks where nothing in the document shows it.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether the map or list under a key is written on one line (`{a: 1, b: [1, 2]}`), unless it holds text of
    /// several lines.
    pub flow: fn(&str) -> bool,
    /// Whether times such as `2024-01-05T01:22:00Z` stand without quotes, though some readers take them for more than
    /// text.
    pub plain_times: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { flow: |_| false, plain_times: false }
    }
}

/// Why edits were not made. The document is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotEdit {
    /// What is so.
    pub message: String,
}

impl CannotEdit {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for CannotEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CannotEdit {}

/// How careful the new text is: the second and third way are tried when the one before did not come out right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// In the style of its surroundings.
    Usual,
    /// All new text in quotes on one line.
    Quoted,
    /// That, and comments below a removed entry are moved left, so that no text above takes them in.
    Dedented,
}

impl Document {
    /// Makes all `edits` at once, as small as possible, and reads the new text again.
    ///
    /// An edit may reach into what another edit adds, but not into what another edit sets or removes.
    ///
    /// # Errors
    /// When the edits do not fit the document or each other; and when no text could be found that is proven to hold
    /// exactly what was asked for together with all comments of what stays.
    pub fn edit(&self, edits: &[Edit], style: &Style) -> Result<Self, CannotEdit> {
        let change = Change::of(self, edits)?;
        if change.is_none() {
            return Ok(self.clone());
        }
        for care in [Care::Usual, Care::Quoted, Care::Dedented] {
            let Some((text, kept)) = Writer::new(self, style, care).write(&change) else { continue };
            let Ok(edited) = Self::parse_owned(text.into()) else { continue };
            if verify::holds(&self.root, &change, &edited.root) && verify::keeps_comments(self, &kept, &edited) {
                return Ok(edited);
            }
        }
        Err(CannotEdit::new("no way was found to write the change into the file without disturbing something else"))
    }
}

/// The path in words, for messages.
pub(super) fn display(path: &[Step]) -> String {
    let mut words = String::new();
    for step in path {
        match step {
            Step::Key(key) => tree::push_key(&mut words, key),
            Step::Index(index) => tree::push_index(&mut words, *index),
        }
    }
    if words.is_empty() { "the top level".to_owned() } else { format!("`{words}`") }
}
