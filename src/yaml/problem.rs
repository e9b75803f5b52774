//! What is wrong with a text, in words for the person who wrote it.

use std::fmt;

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
