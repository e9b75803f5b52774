//! The texts of rule files, and what a script defines and uses, without running it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Problem, Source};

/// One text of a rule file.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub source: Arc<Source>,
    /// Definitions of a `.star` file that do not hold: a nearer ruleset has its own of that name, or leaves them out.
    pub without: BTreeSet<String>,
    /// The definitions of a `.star` file: the bytes of each name, and those of the whole.
    pub definitions: Arc<[(Range<usize>, Range<usize>)]>,
}

impl Text {
    pub fn new(name: String, text: &str, is_script: bool) -> Self {
        let definitions = if is_script { definitions(text) } else { Vec::new() };
        let source = Arc::new(Source::new(name, text));
        Self { source, without: BTreeSet::new(), definitions: definitions.into() }
    }

    /// The definitions that hold, with the bytes that each takes.
    pub fn holds(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let named = self.definitions.iter().map(|(name, span)| (&self.source.text[name.clone()], span.clone()));
        named.filter(|(name, _)| !self.without.contains(*name))
    }

    /// A text with empty lines in place of the definitions that do not hold, so that each line keeps its number.
    pub fn law(&self) -> Cow<'_, str> {
        let script = self.source.text.as_str();
        if self.without.is_empty() {
            return Cow::Borrowed(script);
        }
        let mut held = String::new();
        let mut from = 0;
        for (name, span) in self.definitions.iter() {
            if self.without.contains(&script[name.clone()]) {
                held.push_str(&script[from..span.start]);
                held.extend(script[span.clone()].matches('\n'));
                from = span.end;
            }
        }
        held.push_str(&script[from..]);
        Cow::Owned(held)
    }
}

/// A rule file: its own text, and then those of which it takes what it does not say itself.
pub(crate) type Part = Vec<Text>;

/// All rule texts of a ruleset, and which of them defines which name.
#[derive(Debug)]
pub struct Sources {
    /// The path of each file in the ruleset, such as `spaces/geyser.yaml`.
    paths: Vec<String>,
    parts: Vec<Part>,
    scripts: Vec<usize>,
    exports: BTreeMap<String, usize>,
    renamed: BTreeMap<String, String>,
}

impl Sources {
    /// Takes the parts of a ruleset in the order of their paths, and the functions that it has renamed, the new name by the
    /// old one. Adds to `problems` the names that two files define, and those that are old.
    pub(super) fn new(
        paths: &[String],
        parts: Vec<Part>,
        renamed: BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut exports: BTreeMap<String, usize> = BTreeMap::new();
        let scripts: Vec<usize> = (0..paths.len()).filter(|&place| is_script(&paths[place])).collect();
        for &file in &scripts {
            for (text, (name, span)) in parts[file].iter().flat_map(|text| text.holds().map(move |own| (text, own))) {
                // Only in a file that the base has as well is a definition meant to replace one.
                if let Some(new) = renamed.get(name).filter(|_| parts[file].len() > 1) {
                    let problem = Problem::new("old-name", format!("`{name}` is now called `{new}`"));
                    let help = "under its old name a definition replaces nothing of the base";
                    problems.push(problem.help(help).at(&text.source, span.start..span.start + 1));
                }
                match exports.insert(name.to_owned(), file) {
                    Some(other) if other != file => {
                        let other = &parts[other][0].source.name;
                        let problem = Problem::new("two-of-a-name", format!("`{name}` is defined in {other} as well"));
                        let help = "a definition replaces that of the base in a file of the same path";
                        problems.push(problem.help(help).at(&text.source, span.start..span.start + 1));
                    }
                    _ => {}
                }
            }
        }
        Self { paths: paths.to_vec(), parts, scripts, exports, renamed }
    }

    /// Returns the name that a function of this name has now, if the ruleset has renamed it.
    pub(crate) fn renamed(&self, name: &str) -> Option<&str> {
        self.renamed.get(name).map(String::as_str)
    }

    /// Returns the rule files, each with its own text.
    pub fn files(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.parts.iter().map(|part| &part[0].source)
    }

    /// Returns all texts, those included from which a rule file takes what it does not say itself.
    pub fn texts(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.parts.iter().flatten().map(|text| &text.source)
    }

    /// Returns the path of each rule file with its texts, in the order of the paths.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.paths.iter().map(String::as_str).zip(&self.parts)
    }

    /// Returns how many rule files there are; they are numbered from 0.
    pub(crate) fn count(&self) -> usize {
        self.parts.len()
    }

    /// Returns the texts of one file, its own first.
    pub(crate) fn part(&self, file: usize) -> &Part {
        &self.parts[file]
    }

    /// Returns the numbers of the `.star` files.
    pub(crate) fn scripts(&self) -> &[usize] {
        &self.scripts
    }

    /// Returns the names that `.star` files define, each with the number of its file.
    pub(crate) fn exports(&self) -> &BTreeMap<String, usize> {
        &self.exports
    }

    /// Returns the definitions of all `.star` files that hold, in the order of the files: the name, the file, the text.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Arc<Source>, &str)> {
        let texts = self.scripts.iter().flat_map(|&file| &self.parts[file]);
        texts.flat_map(|text| text.holds().map(move |(name, span)| (name, &text.source, &text.source.text[span])))
    }
}

/// Whether a path is that of a file of functions.
pub(crate) fn is_script(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end == "star")
}

/// What a script defines at its top: the bytes of each name, and those from its first word to the next statement or
/// comment.
fn definitions(script: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let bytes = script.as_bytes();
    let mut starts: Vec<(Option<Range<usize>>, usize)> = Vec::new();
    let (mut at, mut depth, mut line_start) = (0, 0_usize, true);
    while let Some(byte) = bytes.get(at) {
        if line_start && depth == 0 && !byte.is_ascii_whitespace() {
            starts.push((defined(script, at), at));
        }
        line_start = *byte == b'\n';
        at += match byte {
            b'#' => length_to(&bytes[at..], |byte| byte == b'\n'),
            b'"' | b'\'' => text_length(&bytes[at..]),
            b'\\' => 2,
            _ => 1,
        };
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if !line_start => {
                at += length_to(bytes.get(at..).unwrap_or_default(), |byte| STOPS[usize::from(byte)]);
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([script.len()]);
    let spans = starts.iter().zip(ends);
    spans.filter_map(|((name, start), end)| Some((name.clone()?, *start..end))).collect()
}

/// The bytes that mean something to whoever looks for definitions.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let (bytes, mut at) = (b"\n#\"'\\()[]{}", 0);
    while at < bytes.len() {
        stops[bytes[at] as usize] = true;
        at += 1;
    }
    stops
};

/// How many bytes come before one that is `wanted`.
fn length_to(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| wanted(*byte)).unwrap_or(bytes.len())
}

/// The name that the statement at `start` defines: `def name` or `name =`.
fn defined(script: &str, start: usize) -> Option<Range<usize>> {
    let statement = script.get(start..)?;
    let from = if statement.starts_with("def ") { 4 } else { 0 };
    let length = length_to(&statement.as_bytes()[from..], |byte| !is_word(byte));
    let rest = statement[from + length..].trim_start();
    let defines = from > 0 || rest.starts_with('=') && !rest.starts_with("==");
    let named = statement[from..].starts_with(|c: char| c.is_ascii_alphabetic());
    (defines && named).then_some(start + from..start + from + length)
}

/// The words of a script outside its comments and texts.
pub(crate) fn words(script: &str) -> Vec<&str> {
    let bytes = script.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        at += match byte {
            b'#' => length_to(rest, |byte| byte == b'\n'),
            b'"' | b'\'' => text_length(rest),
            byte if is_word(*byte) => {
                let length = length_to(rest, |byte| !is_word(byte));
                found.push(&script[at..at + length]);
                length
            }
            _ => 1,
        };
    }
    found
}

/// The bytes of the text in quotes with which `rest` begins.
pub(crate) fn text_length(rest: &[u8]) -> usize {
    let quote = rest[0];
    let triple = rest.starts_with(&[quote; 3]);
    let mut at = if triple { 3 } else { 1 };
    loop {
        at += length_to(rest.get(at..).unwrap_or_default(), |byte| byte == quote || byte == b'\\');
        match rest.get(at) {
            None => return rest.len(),
            Some(b'\\') => at += 2,
            Some(_) if !triple => return at + 1,
            Some(_) if rest[at..].starts_with(&[quote; 3]) => return at + 3,
            Some(_) => at += 1,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_comments_and_texts_are_no_names() {
        let script = "def a(x):\n    \"\"\"land's end\"\"\"\n    # swap\n    b(x, 'it\\'s c', \"d\") # é\n    e('";
        assert_eq!(words(script), ["def", "a", "x", "b", "x", "e"]);
    }

    #[test]
    fn definitions_are_those_at_the_top() {
        let script = "\"\"\"def no():\n\"\"\"\nONE = [\n1,\n]\n# of it\ndef a(x):\n    y = 1\n    \"\"\"\nTWO = 2\n\"\"\"\n\
                      if ONE == []:\n    b = 1\n\ndef é():\n    pass\nTHREE=3 # é\n_four = 4\nx.y = 1\nz == 1\ndef last(";
        let found = definitions(script);
        let named: Vec<_> = found.iter().map(|(name, span)| (&script[name.clone()], &script[span.clone()])).collect();
        assert_eq!(
            named,
            [
                ("ONE", "ONE = [\n1,\n]\n"),
                ("a", "def a(x):\n    y = 1\n    \"\"\"\nTWO = 2\n\"\"\"\n"),
                ("THREE", "THREE=3 # é\n"),
                ("last", "def last(")
            ]
        );
    }

    #[test]
    fn a_script_that_stops_anywhere_has_definitions() {
        let script = "def a(x):\n  '''é\\\n'''\n\\é\n'x\\'é'\nB = \"\\";
        for end in (0..=script.len()).filter(|&end| script.is_char_boundary(end)) {
            let found = definitions(&script[..end]);
            assert!(found.iter().all(|(name, span)| span.end <= end && name.start >= span.start));
            words(&script[..end]);
        }
    }
}
