//! What is wrong with a file, in words for the person who wrote it, with its place.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use crate::data::Pointer;

/// A text with the name under which people know it, such as `gamestate.yaml`.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name to show, a path as it was given; empty for a text without one.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Where each line begins. Most texts have no problem, so they are found when the first one is shown.
    lines: OnceLock<Box<[usize]>>,
}

/// Sources are equal if their names and texts are.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.text == other.text
    }
}

impl Eq for Source {}

impl Source {
    /// Gives a text its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), lines: OnceLock::new() }
    }

    /// Returns the line and column of a byte offset, both counted from 1, the column in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset);
        let (line, bytes) = self.line(offset);
        (line, self.text[bytes.start..offset].chars().count() + 1)
    }

    /// Returns the number of the line that contains a byte offset, counted from 1, and its bytes without the line feed.
    pub fn line(&self, offset: usize) -> (usize, Range<usize>) {
        let starts = self
            .lines
            .get_or_init(|| std::iter::once(0).chain(self.text.match_indices('\n').map(|(end, _)| end + 1)).collect());
        let line = starts.partition_point(|start| *start <= offset);
        let end = starts.get(line).map_or(self.text.len(), |next| next - 1);
        (line, starts[line - 1]..end)
    }
}

/// A range of bytes in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// A range of bytes in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes.
    pub span: Span,
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable code, such as `unknown-key`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where it is; `None` if it has no single place.
    pub place: Option<Place>,
    /// The path down to the value, such as `/players/Ann/location` or `/log/3/random/roll`.
    pub path: Pointer,
    /// Whether the game can be played anyway.
    pub warning: bool,
}

impl Problem {
    /// Makes a problem without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, place: None, path: Pointer::default(), warning: false }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: impl Into<Span>) -> Self {
        self.place = Some(Place { source: Arc::clone(source), span: span.into() });
        self
    }
}

/// Shows the message, after the name of the file, the line and the column if the problem has a place.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            let (line, column) = place.source.line_column(place.span.start);
            write!(f, "{}:{line}:{column}: ", place.source.name)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Everything that is wrong with a file, reported at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems(Vec<Problem>);

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        Self(problems)
    }
}

impl From<Problems> for Vec<Problem> {
    fn from(problems: Problems) -> Self {
        problems.0
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> Self {
        Self(problems.into_iter().collect())
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Shows each problem on a line of its own.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("f", "é: 1\nñb: 2");
        assert_eq!(source.line_column(source.text.find('b').unwrap()), (2, 2));
        assert_eq!(source.line_column(1), (1, 1));
        assert_eq!(source.line_column(99), (2, 6));
        assert_eq!(source.line(7), (2, 6..12));
    }

    #[test]
    fn problems_show_one_line_each() {
        let source = Arc::new(Source::new("f.yaml", "a: 1\nb: 2\n"));
        let problems: Problems = vec![Problem::new("x", "one").at(&source, 5..6), Problem::new("y", "two")].into();
        assert_eq!(problems.to_string(), "f.yaml:2:1: one\ntwo");
    }
}
