//! Rule texts that are wrong.

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Problem, Source};

/// A rule text that does not compile, or a rule that failed while it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The rule file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for ScriptError {}

impl ScriptError {
    /// Turns it into a problem of the rule file, if that is one of the sources.
    pub fn problem<'a>(&self, mut sources: impl Iterator<Item = &'a Arc<Source>>) -> Problem {
        let problem = Problem::new("bad-rule", self.message.clone());
        match sources.find(|source| source.name == self.file) {
            Some(source) => {
                let line: usize = source.text.split_inclusive('\n').take(self.line - 1).map(str::len).sum();
                let offset = source.text[line..].char_indices().nth(self.column - 1).map_or(line, |(at, _)| line + at);
                problem.at(source, offset..offset + 1)
            }
            None => problem,
        }
    }
}
