//! Reads a text: whole, or only up to a key.

use super::events::{Builder, MOST_PROBLEMS};
use super::refusal::{self, problem};
use super::tree::{Data, Document, Node, NodeStyle, offset32};
use crate::data::{Key, Value};
use crate::yaml::problem::{Problem, Span};

/// The longest text whose offsets fit into 32 bits.
const MOST_BYTES: usize = u32::MAX as usize / 2;

impl Document {
    /// Reads a text strictly.
    ///
    /// # Errors
    /// Every problem that can be found at once, in the order of the text. A syntax error hides everything after it.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        Self::parse_owned(text.into())
    }

    pub(in crate::yaml) fn parse_owned(text: Box<str>) -> Result<Self, Vec<Problem>> {
        let mut problems = stray_characters(&text);
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut builder = Builder::new(&text, &[]);
        builder.read();
        problems = builder.problems;
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.span.start);
            return Err(problems);
        }
        let mut comments = builder.comments;
        comments.sort_unstable();
        let end = offset32(text.len());
        let nothing = Node { start: end, end, style: NodeStyle::Absent, indent: 0, data: Data::Null };
        let root = builder.root.unwrap_or(nothing);
        Ok(Self { text, root, comments: comments.into() })
    }

    /// Reads the bytes of a file that should be UTF-8.
    ///
    /// # Errors
    /// As [`Document::parse`]; and one problem if the bytes are not UTF-8.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text),
            Err(error) => {
                let start = error.valid_up_to();
                let span = Span { start, end: start + error.error_len().unwrap_or(bytes.len() - start) };
                let line = bytes[..start].split(|&byte| byte == b'\n').count();
                let message = format!("line {line} is not UTF-8 text (byte {start} of the file)");
                Err(vec![problem("yaml::not-utf8", span, message, "save the file with the encoding UTF-8")])
            }
        }
    }
}

/// Reads the top-level map up to the first of its keys that is in `stop`, and looks at nothing after that.
///
/// # Errors
/// The problems found so far, and a top level that is not a map.
pub fn parse_head(text: &str, stop: &[&str]) -> Result<Vec<(Key, Value)>, Vec<Problem>> {
    let mut builder = Builder::new(text, stop);
    builder.read();
    let mut entries = std::mem::take(&mut builder.entries);
    match builder.root.take().map(|root| (root.data, root.start, root.end)) {
        None | Some((Data::Null, ..)) => {}
        Some((Data::Map(all), ..)) => entries = all.into(),
        Some((_, start, end)) => {
            let span = Span { start: start as usize, end: end as usize };
            builder.problems.push(problem("yaml::no-map", span, "the file is not a map of `key: value`", ""));
        }
    }
    builder.refuse_duplicates(&entries);
    if builder.problems.is_empty() {
        Ok(entries.into_iter().map(|entry| (entry.key, entry.value.to_value())).collect())
    } else {
        Err(builder.problems)
    }
}

/// Finds characters that a YAML file should not contain: they are invisible, or break lines for some readers only.
fn stray_characters(text: &str) -> Vec<Problem> {
    let bytes = text.as_bytes();
    if bytes.len() > MOST_BYTES {
        return vec![problem("yaml::too-large", Span::default(), "the file is larger than 2 GiB", "")];
    }
    let mut problems = Vec::new();
    for (start, &byte) in bytes.iter().enumerate() {
        if (byte >= b' ' && byte != 0x7f && byte != 0xef) || byte == b'\n' || byte == b'\t' {
            continue;
        }
        let span = refusal::character(text, start);
        match byte {
            b'\r' if bytes.get(start + 1) == Some(&b'\n') => {}
            b'\r' => problems.push(refusal::lone_return(span)),
            0xef if start > 0 && bytes[start..].starts_with("\u{feff}".as_bytes()) => {
                problems.push(refusal::inner_mark(span));
            }
            0xef => {}
            _ => problems.push(refusal::control_character(span, byte)),
        }
        if problems.len() >= MOST_PROBLEMS {
            break;
        }
    }
    problems
}
