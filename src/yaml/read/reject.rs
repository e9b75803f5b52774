//! Refuses valid YAML that readers interpret differently or that people mistake for something else.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use super::events::{Builder, MOST_PROBLEMS};
use super::refusal;
use super::scalar::{Plain, read_plain};
use super::tree::Entry;
use crate::data::{Key, Pointer};
use crate::diagnostic::{Problem, Span};
use crate::yaml::trivia;

impl Builder<'_> {
    /// Adds a problem at `span`, in the value that is being read.
    pub fn refuse(&mut self, problem: Problem, span: Span) {
        let path = self.path(None);
        self.problems.push(Problem { path, ..problem.at(self.source, span) });
    }

    /// Refuses the anchor of the value that has just been read, or just been opened.
    pub fn refuse_anchor(&mut self, name: &str, span: Span) {
        let help = "write the value out; text that begins with `&` must be quoted";
        let problem = Problem::new("yaml::anchor", format!("anchors (`&{name}`) are not allowed")).help(help);
        let path = match self.frames.last() {
            Some(frame)
                if frame.key.is_none() && self.entries.len() <= frame.entries && self.nodes.len() <= frame.nodes =>
            {
                self.path_of(self.frames.len() - 1, None)
            }
            Some(frame) if frame.map && frame.key.is_none() => self.path(self.entries.last().map(|entry| &entry.key)),
            _ => self.path(None),
        };
        self.problems.push(Problem { path, ..problem.at(self.source, span) });
    }

    /// Refuses a key with a question mark, in a block scalar, or behind a tab.
    pub fn check_key_style(&mut self, style: ScalarStyle, span: Span) {
        let flow = self.frames.last().is_some_and(|frame| frame.flow);
        if self.is_explicit(span, flow) || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            let message = "keys with a question mark (`? key`) are not allowed";
            self.refuse(Problem::new("yaml::explicit-key", message).help("write `key: value`"), span);
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
            let problem = Problem::new("yaml::key", "a key is missing before the `:`");
            self.refuse(problem.help("write an empty key as `\"\"`"), span);
            return Key::Text(String::new());
        }
        match read_plain(&text) {
            Plain::Int(number) => return Key::Int(number),
            Plain::TooLarge => self.refuse_number(&text, span),
            Plain::Null | Plain::Bool(_) => {
                let message = format!("`{text}` without quotes is not text, so it cannot be a key");
                self.refuse(Problem::new("yaml::key", message).help(format!("quote it: `\"{text}\"`")), span);
            }
            Plain::Text if text == "<<" => {
                let help = "write the entries out; as a name it must be quoted";
                self.refuse(Problem::new("yaml::merge-key", "merge keys (`<<`) are not allowed").help(help), span);
            }
            Plain::Text => {}
        }
        Key::Text(text.into())
    }

    pub fn refuse_number(&mut self, text: &str, span: Span) {
        let message = format!("the number {text} is out of range");
        let help = format!("numbers go from {} to {}; quote it if it is text", i64::MIN, i64::MAX);
        self.refuse(Problem::new("yaml::number-range", message).help(help), span);
    }

    /// Refuses a tab right before a key or dash in block style.
    pub fn refuse_tab(&mut self, offset: usize) {
        let blanks = trivia::trim_blanks(self.text, offset);
        if let Some(width) = self.text[blanks..offset].find('\t') {
            self.refuse(refusal::tab(), Span { start: blanks + width, end: blanks + width + 1 });
        }
    }

    /// Refuses a block scalar whose header, at `span`, keeps the blank lines below its text.
    pub fn refuse_keep(&mut self, span: Span) {
        let header = &self.text[span.start..span.end];
        if header.contains('+') {
            let message = format!("`{header}` makes the blank lines below it part of the text");
            let help = "write `|` or `>`; blank lines at the end then do not count";
            self.refuse(Problem::new("yaml::keep", message).help(help), span);
        }
    }

    /// Refuses every key of a map that was used before in it.
    pub fn refuse_duplicates(&mut self, entries: &[Entry]) {
        if entries.windows(2).all(|pair| pair[0].key < pair[1].key) {
            return;
        }
        let mut sorted: Vec<&Entry> = entries.iter().collect();
        sorted.sort_by(|a, b| a.key.cmp(&b.key));
        let mut first = 0;
        for index in 1..sorted.len() {
            if sorted[index].key != sorted[first].key {
                first = index;
                continue;
            }
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            let entry = sorted[index];
            let (line, _) = self.source.line(sorted[first].key_start());
            let problem = refusal::duplicate_key(&entry.key, line);
            let path = self.path(Some(&entry.key));
            self.problems.push(Problem { path, ..problem.at(self.source, entry.key_span()) });
        }
    }

    /// Spells the path to the value that is being read, and from there to the entry `last`.
    fn path(&self, last: Option<&Key>) -> Pointer {
        self.path_of(self.frames.len(), last)
    }

    /// Spells the path through the outermost `depth` lists and maps, and from there to the entry `last`.
    fn path_of(&self, depth: usize, last: Option<&Key>) -> Pointer {
        let mut path = Pointer::default();
        for (depth, frame) in self.frames[..depth].iter().enumerate() {
            let above = self.frames.get(depth + 1).map_or(self.nodes.len(), |above| above.nodes);
            match &frame.key {
                Some((key, _)) => path.push(key),
                None if frame.map => {}
                None => path.push(above - frame.nodes),
            }
        }
        if let Some(key) = last {
            path.push(key);
        }
        path
    }
}
