//! What is valid YAML and refused all the same, because readers differ about it or people mistake it.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use super::events::{Builder, MOST_PROBLEMS};
use super::refusal::{self, problem};
use super::scalar::{Plain, read_plain};
use super::tree::{self, Entry};
use crate::data::Key;
use crate::yaml::path::{push_index, push_key};
use crate::yaml::problem::{Problem, Span};
use crate::yaml::trivia;

impl Builder<'_> {
    /// Adds a problem of the value that is being read.
    pub fn refuse(&mut self, mut problem: Problem) {
        problem.path = self.path(None);
        self.problems.push(problem);
    }

    /// Refuses the anchor of the value that has just been read, or just been opened.
    pub fn refuse_anchor(&mut self, name: &str, span: Span) {
        let help = "write the value out; text that begins with `&` must be quoted";
        let mut refused = problem("yaml::anchor", span, format!("anchors (`&{name}`) are not allowed"), help);
        refused.path = match self.frames.last() {
            Some(frame)
                if frame.key.is_none() && self.entries.len() <= frame.entries && self.nodes.len() <= frame.nodes =>
            {
                self.path_of(self.frames.len() - 1, None)
            }
            Some(frame) if frame.map && frame.key.is_none() => self.path(self.entries.last().map(|entry| &entry.key)),
            _ => self.path(None),
        };
        self.problems.push(refused);
    }

    /// Refuses a key with a question mark, in a block scalar, or behind a tab.
    pub fn check_key_style(&mut self, style: ScalarStyle, span: Span) {
        let flow = self.frames.last().is_some_and(|frame| frame.flow);
        if self.is_explicit(span, flow) || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            let message = "keys with a question mark (`? key`) are not allowed";
            self.refuse(problem("yaml::explicit-key", span, message, "write `key: value`"));
        }
        if !flow {
            self.refuse_tab(span.start);
        }
    }

    /// Whether a key is introduced by a question mark.
    fn is_explicit(&self, key: Span, flow: bool) -> bool {
        let bytes = self.text.as_bytes();
        let before = trivia::trim_blanks(self.text, key.start);
        if before > 0 && bytes[before - 1] == b'?' && before < key.start {
            return true;
        }
        !flow && key.start < key.end && bytes.get(trivia::skip_blanks(self.text, key.end)) != Some(&b':')
    }

    /// Reads a key without quotes: a number or text, and nothing else.
    pub fn plain_key(&mut self, text: Cow<str>, span: Span) -> Key {
        if span.start == span.end {
            self.refuse(problem("yaml::key", span, "a key is missing before the `:`", "write an empty key as `\"\"`"));
            return Key::Text(String::new());
        }
        match read_plain(&text) {
            Plain::Int(number) => return Key::Int(number),
            Plain::TooLarge => self.refuse_number(&text, span),
            Plain::Null | Plain::Bool(_) => self.refuse(problem(
                "yaml::key",
                span,
                format!("`{text}` without quotes is not text, so it cannot be a key"),
                &format!("quote it: `\"{text}\"`"),
            )),
            Plain::Text if text == "<<" => {
                let help = "write the entries out; as a name it must be quoted";
                self.refuse(problem("yaml::merge-key", span, "merge keys (`<<`) are not allowed", help));
            }
            Plain::Text => {}
        }
        Key::Text(text.into())
    }

    pub fn refuse_number(&mut self, text: &str, span: Span) {
        let message = format!("the number {text} is out of range");
        let help = format!("numbers go from {} to {}; quote it if it is text", i64::MIN, i64::MAX);
        self.refuse(problem("yaml::number-range", span, message, &help));
    }

    /// Refuses a tab right before a key or dash in block style.
    pub fn refuse_tab(&mut self, offset: usize) {
        let blanks = trivia::trim_blanks(self.text, offset);
        if let Some(width) = self.text[blanks..offset].find('\t') {
            self.refuse(refusal::tab(Span { start: blanks + width, end: blanks + width + 1 }));
        }
    }

    /// Refuses a block scalar whose header, at `span`, keeps the blank lines below its text.
    pub fn refuse_keep(&mut self, span: Span) {
        let header = &self.text[span.start..span.end];
        if header.contains('+') {
            let message = format!("`{header}` makes the blank lines below it part of the text");
            let help = "write `|` or `>`; blank lines at the end then do not count";
            self.refuse(problem("yaml::keep", span, message, help));
        }
    }

    /// Refuses every key of a map that was used before in it.
    pub fn refuse_duplicates(&mut self, entries: &[Entry]) {
        let most = MOST_PROBLEMS.saturating_sub(self.problems.len());
        for (key, refused) in duplicates(self.text, entries, most) {
            self.problems.push(Problem { path: self.path(Some(key)), ..refused });
        }
    }

    /// Spells the path to the value that is being read, and from there to the entry `last`.
    fn path(&self, last: Option<&Key>) -> String {
        self.path_of(self.frames.len(), last)
    }

    /// Spells the path through the outermost `depth` lists and maps, and from there to the entry `last`.
    fn path_of(&self, depth: usize, last: Option<&Key>) -> String {
        let mut path = String::new();
        for (depth, frame) in self.frames[..depth].iter().enumerate() {
            let above = self.frames.get(depth + 1).map_or(self.nodes.len(), |above| above.nodes);
            match &frame.key {
                Some((key, _)) => push_key(&mut path, key),
                None if frame.map => {}
                None => push_index(&mut path, above - frame.nodes),
            }
        }
        if let Some(key) = last {
            push_key(&mut path, key);
        }
        path
    }
}

/// Finds the keys of a map that were used before in it, in the order of the keys, and at most `most`.
pub(in crate::yaml) fn duplicates<'e>(text: &str, entries: &'e [Entry], most: usize) -> Vec<(&'e Key, Problem)> {
    let mut duplicates = Vec::new();
    if entries.windows(2).all(|pair| pair[0].key < pair[1].key) {
        return duplicates;
    }
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key));
    let mut first = 0;
    for (index, entry) in sorted.iter().enumerate().skip(1) {
        if entry.key != sorted[first].key {
            first = index;
            continue;
        }
        if duplicates.len() >= most {
            break;
        }
        let (line, _) = tree::line_column(text, sorted[first].key_start());
        let message = format!("duplicate key `{}` (first on line {line})", entry.key);
        let refused = problem("yaml::duplicate-key", entry.key_span(), message, "remove one of the two");
        duplicates.push((&entry.key, refused));
    }
    duplicates
}
