//! What is wrong with a file, in words for the person who wrote it, with the place.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text with the name under which people know it, such as `gamestate.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name to show: a path as it was given.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Line and column of a byte offset, both counted from 1, the column in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |place| place + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// Where in a text something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub source: Arc<Source>,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// Something wrong with a file. Several are reported at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable code, such as `unknown-key`.
    pub code: &'static str,
    /// What is so.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where; `None` where it is in no one place.
    pub place: Option<Place>,
    /// The path down to the value, such as `players.Ann.location`.
    pub path: String,
    /// Whether the game can be played all the same.
    pub warning: bool,
}

impl Problem {
    /// A problem without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, place: None, path: String::new(), warning: false }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds where it is.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Range<usize>) -> Self {
        self.place = Some(Place { source: Arc::clone(source), span });
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            let (line, column) = place.source.line_column(place.span.start);
            write!(f, "{}:{line}:{column}: ", place.source.name)?;
        }
        f.write_str(&self.message)
    }
}

/// The candidate nearest to `word` in spelling, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be put in, left out, changed or swapped with a neighbour to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut last = None;
    for (i, a) in from.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut best = (row[j] + usize::from(a != *b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && Some(*b) == last && to[j - 1] == a {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        last = Some(a);
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_finds_the_name_that_was_meant() {
        let names = ["Magnitech", "Nyhilo", "Lime"];
        assert_eq!(nearest("Nhyilo", names), Some("Nyhilo"));
        assert_eq!(nearest("lime", names), Some("Lime"));
        assert_eq!(nearest("Praqueue", names), None);
    }

    #[test]
    fn line_and_column_count_characters() {
        let source = Source { name: "f".into(), text: "é: 1\nñb: 2".into() };
        assert_eq!(source.line_column(source.text.find('b').unwrap()), (2, 2));
    }
}
