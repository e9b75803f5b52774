//! YAML files that belong to people: read strictly, changed without disturbing what stays.
//!
//! A [`Document`] holds a text and the tree of values found in it, each with its place. [`Document::edit`] turns
//! changes of values into changes of as few bytes as possible, in the style of what stands around them, reads the new
//! text again and gives it back only if it says exactly what was asked for and no comment was lost. This module knows
//! nothing of what the files are about; unknown keys and types are left to its callers.
//!
//! The files, in the order of the work: `parse` and `build` (text to tree, on the events of `granit-parser`) with
//! `refusal` (its words) and `scalar` (what plain text means, and when it needs quotes), `tree`, `edit` (what can be
//! asked for), `plan` and `diff` (edits to a tree of changes), `look` (how new text looks), `emit` (new text), `block`,
//! `flow` and `replace` (where it goes), `splice` (pieces to a whole), `verify`; `gap` finds its way between the nodes.

mod block;
mod build;
mod diff;
mod edit;
mod emit;
mod flow;
mod gap;
mod look;
mod parse;
mod plan;
mod refusal;
mod replace;
mod scalar;
mod splice;
#[cfg(test)]
mod tests;
mod tree;
mod verify;

use std::fmt;

pub use edit::{CannotEdit, Edit, Path, Step, Style};
pub use parse::head;
pub(crate) use scalar::double_quoted;
pub use tree::{Data, Document, Entry, Node};

/// A range of bytes in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// What is wrong with a text, in words for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable code, such as `yaml::duplicate-key`.
    pub code: &'static str,
    /// What is so.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The path down to the value, such as `players.Ann.items` or `log[3].roll`; empty at the top.
    pub path: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
