//! Reads a text: whole, or only up to a key.

use std::sync::Arc;

use super::events::{Builder, MOST_PROBLEMS};
use super::refusal;
use super::tree::{Data, Document, Node, NodeStyle, offset32};
use crate::data::Map;
use crate::diagnostic::{Problem, Problems, Source, Span};

/// The longest text whose offsets fit into 32 bits.
const MOST_BYTES: usize = u32::MAX as usize / 2;

impl Document {
    /// Reads a text without a name, as [`Document::parse_source`] does.
    ///
    /// # Errors
    /// As [`Document::parse_source`].
    pub fn parse(text: &str) -> Result<Self, Problems> {
        Self::parse_source(Arc::new(Source::new("", text)))
    }

    /// Reads a text strictly, and shares it with the caller.
    ///
    /// # Errors
    /// Every problem that can be found at once, in the order of the text. A syntax error hides everything after it.
    pub fn parse_source(source: Arc<Source>) -> Result<Self, Problems> {
        let mut problems = stray_characters(&source);
        if !problems.is_empty() {
            return Err(problems.into());
        }
        let mut builder = Builder::new(&source, &[]);
        builder.read();
        problems = builder.problems;
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span.start));
            return Err(problems.into());
        }
        let mut comments = builder.comments;
        comments.sort_unstable();
        let end = offset32(source.text.len());
        let nothing = Node { start: end, end, style: NodeStyle::Absent, indent: 0, data: Data::Null };
        let root = builder.root.unwrap_or(nothing);
        Ok(Self { source, root, comments: comments.into() })
    }

    /// Reads the bytes of the file `name`, which should be UTF-8.
    ///
    /// # Errors
    /// As [`Document::parse_source`]; and one problem if the bytes are not UTF-8.
    pub fn parse_bytes(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse_source(Arc::new(Source::new(name, text))),
            Err(error) => {
                let start = error.valid_up_to();
                let span = Span { start, end: start + error.error_len().unwrap_or(bytes.len() - start) };
                let line = bytes[..start].split(|&byte| byte == b'\n').count();
                let message = format!("line {line} is not UTF-8 text (byte {start} of the file)");
                let source = Arc::new(Source::new(name, String::from_utf8_lossy(bytes)));
                let problem = Problem::new("yaml::not-utf8", message).help("save the file with the encoding UTF-8");
                Err(problem.at(&source, span).into())
            }
        }
    }
}

/// Reads the top-level map up to the first of its keys that is in `stop`, and looks at nothing after that.
///
/// # Errors
/// The problems found so far, and a top level that is not a map.
pub fn parse_head(source: &Arc<Source>, stop: &[&str]) -> Result<Map, Problems> {
    let mut builder = Builder::new(source, stop);
    builder.read();
    let mut entries = std::mem::take(&mut builder.entries);
    match builder.root.take().map(|root| (root.data, root.start, root.end)) {
        None | Some((Data::Null, ..)) => {}
        Some((Data::Map(all), ..)) => entries = all.into(),
        Some((_, start, end)) => {
            let span = Span { start: start as usize, end: end as usize };
            let problem = Problem::new("yaml::no-map", "the file is not a map of `key: value`");
            builder.problems.push(problem.at(source, span));
        }
    }
    builder.refuse_duplicates(&entries);
    if builder.problems.is_empty() {
        Ok(entries.into_iter().map(|entry| (entry.key, entry.value.to_value())).collect())
    } else {
        Err(builder.problems.into())
    }
}

/// Finds characters that a YAML file should not contain: they are invisible, or break lines for some readers only.
fn stray_characters(source: &Arc<Source>) -> Vec<Problem> {
    let bytes = source.text.as_bytes();
    if bytes.len() > MOST_BYTES {
        return vec![Problem::new("yaml::too-large", "the file is larger than 2 GiB").at(source, Span::default())];
    }
    let mut problems = Vec::new();
    for (start, &byte) in bytes.iter().enumerate() {
        if (byte >= b' ' && byte != 0x7f && byte != 0xef) || byte == b'\n' || byte == b'\t' {
            continue;
        }
        let problem = match byte {
            b'\r' if bytes.get(start + 1) == Some(&b'\n') => continue,
            b'\r' => refusal::lone_return(),
            0xef if start > 0 && bytes[start..].starts_with("\u{feff}".as_bytes()) => refusal::inner_mark(),
            0xef => continue,
            _ => refusal::control_character(byte),
        };
        problems.push(problem.at(source, refusal::character(&source.text, start)));
        if problems.len() >= MOST_PROBLEMS {
            break;
        }
    }
    problems
}
