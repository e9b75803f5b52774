//! From requested changes of values to a new text.
//!
//! This file has the request. [`plan`] merges the edits of one call into a tree of [`change`]s, with [`diff`] for
//! values that are set as a whole; [`style`] finds out how new text looks; [`write`] turns changes into pieces of text;
//! [`splice`] puts the pieces into the old text; [`proof`] checks the result. [`apply`] does all of this in order.

mod apply;
mod change;
mod diff;
mod plan;
mod proof;
mod splice;
mod style;
mod write;

use std::fmt;

use crate::data::Value;
use crate::yaml::path::Path;

/// One requested change. Paths and indices are those of the document before all edits of the same call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Makes the value at `path` equal to `value`, changing only what differs. An absent key is added to its map, and
    /// absent maps above it are made. Null counts as an absent map.
    Set {
        /// The path of the value.
        path: Path,
        /// The new value.
        value: Value,
    },
    /// Adds an absent key to its map, before the entry that was at `index`, or last if `index` is the number of entries.
    /// Several with the same index keep the order in which they are given.
    Add {
        /// The path of the new value.
        path: Path,
        /// The index of the entry that follows.
        index: usize,
        /// The new value.
        value: Value,
    },
    /// Removes a map entry or list item; without its last one, a map becomes `{}` and a list `[]`.
    Remove {
        /// The path of the value.
        path: Path,
    },
    /// Adds an item before the one that was at `index`, or last if `index` is the length. Several with the same index
    /// keep the order in which they are given. An absent list is made.
    Insert {
        /// The path of the list.
        path: Path,
        /// The index of the item that follows.
        index: usize,
        /// The new item.
        value: Value,
    },
}

impl Edit {
    /// Returns the path of the value, or of the list to insert into.
    pub fn path(&self) -> &Path {
        match self {
            Self::Set { path, .. } | Self::Add { path, .. } | Self::Remove { path } | Self::Insert { path, .. } => path,
        }
    }
}

/// The looks of new text if nothing in the document shows them.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether the map or list under a key is written on one line (`{a: 1, b: [1, 2]}`), unless it contains text of
    /// several lines.
    pub flow: fn(&str) -> bool,
    /// Whether times such as `2024-01-05T01:22:00Z` are written without quotes, although some readers take them for
    /// more than text.
    pub plain_times: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { flow: |_| false, plain_times: false }
    }
}

/// Why edits were not made. The document is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotEdit {
    /// The reason.
    pub message: String,
}

impl CannotEdit {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for CannotEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CannotEdit {}
