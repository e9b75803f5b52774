//! The law in words: what each rule says in a sentence or two, by its catalogue ID.
//!
//! The files of a ruleset's `law/` folder form one register. A move never needs it, so it is read when it is first
//! asked for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::data::Value;
use crate::diagnostic::{Place, Problem, Source};
use crate::yaml::{Document, Entry};

/// The folder of the register within a ruleset.
const FOLDER: &str = "law/";

/// What a rule says, for players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawText {
    /// The catalogue ID, such as `M-4`.
    pub id: String,
    /// The name of the rule in a few words.
    pub title: String,
    /// One to three sentences.
    pub text: String,
    /// The file and the place in it.
    pub place: Place,
}

impl LawText {
    /// Returns what a space type or an item says of itself, for the ID that it serves.
    pub fn told_by(source: &Arc<Source>, says: &Value, id: &str) -> Option<Self> {
        let part = |key: &str| says.get(key).map(|text| in_a_line(&text.to_string())).filter(|text| !text.is_empty());
        let place = Place { source: Arc::clone(source), span: (0..0).into() };
        Some(Self { id: id.to_owned(), title: part("name")?, text: part("text")?, place })
    }
}

/// One file of the register, not read yet.
#[derive(Debug, Clone)]
pub(super) struct LawFile {
    /// The path within the ruleset, such as `law/players.yaml`.
    pub path: String,
    name: String,
    text: Cow<'static, str>,
    /// How many rulesets are below the one that has the file.
    layer: usize,
    /// The IDs that a nearer ruleset leaves out.
    without: BTreeSet<String>,
}

impl LawFile {
    /// Whether a file with this path within its ruleset belongs to the register.
    pub fn is_one(path: &str) -> bool {
        path.starts_with(FOLDER)
    }

    pub fn new(folder: &str, path: &str, text: Cow<'static, str>, layer: usize) -> Self {
        let name = format!("{folder}/{path}");
        Self { path: path.to_owned(), name, text, layer, without: BTreeSet::new() }
    }

    /// Leaves out one ID; `false` if the file does not have it.
    pub fn leave_out(&mut self, id: &str) -> bool {
        let has = self.text.lines().any(|line| line.strip_suffix(':').is_some_and(|key| key.trim_matches('"') == id));
        has && self.without.insert(id.to_owned())
    }
}

/// The register of a ruleset and of those it builds on.
#[derive(Debug)]
pub(super) struct Law {
    files: Vec<LawFile>,
    read: OnceLock<Register>,
}

/// The register as it was read.
#[derive(Debug, Default)]
pub(super) struct Register {
    /// The texts by ID, each from the nearest ruleset that has one.
    pub texts: BTreeMap<String, LawText>,
    /// Files that are not a register, entries without a title or text, and IDs that one ruleset has twice.
    pub problems: Vec<Problem>,
}

impl Law {
    /// Takes the files of the register, those of the lowest ruleset first.
    pub fn new(files: Vec<LawFile>) -> Self {
        Self { files, read: OnceLock::new() }
    }

    /// Returns the register, reading its files the first time.
    pub fn register(&self) -> &Register {
        self.read.get_or_init(|| Register::of(&self.files))
    }
}

impl Register {
    fn of(files: &[LawFile]) -> Self {
        let mut found = Self::default();
        let mut layers: BTreeMap<String, usize> = BTreeMap::new();
        for file in files {
            let source = Arc::new(Source::new(file.name.clone(), file.text.clone()));
            let document = match Document::parse_source(Arc::clone(&source)) {
                Ok(document) => document,
                Err(problems) => {
                    found.problems.extend(problems);
                    continue;
                }
            };
            if document.root().entries().is_empty() && document.root().to_value() != Value::Null {
                let problem = Problem::new("bad-law", "a file of the law in words maps IDs to a `title` and a `text`");
                found.problems.push(problem.at(&source, 0..0));
            }
            for entry in document.root().entries() {
                match read(entry, &source) {
                    Ok(text) if file.without.contains(&text.id) => {}
                    Ok(text) => found.add(text, file.layer, &mut layers),
                    Err(problem) => found.problems.push(problem),
                }
            }
        }
        found
    }

    /// Adds a text in the place of one from a ruleset below.
    fn add(&mut self, text: LawText, layer: usize, layers: &mut BTreeMap<String, usize>) {
        if layers.insert(text.id.clone(), layer) == Some(layer) {
            let other = &self.texts[&text.id].place.source.name;
            let problem = Problem::new("two-of-a-name", format!("`{}` has a text in {other} as well", text.id));
            let Place { source, span } = text.place;
            self.problems.push(problem.help("keep one of them").at(&source, span));
        } else {
            self.texts.insert(text.id.clone(), text);
        }
    }
}

/// Reads the entry of one ID.
fn read(entry: &Entry, source: &Arc<Source>) -> Result<LawText, Problem> {
    let id = entry.key.to_string();
    let span = entry.key_span();
    let problem = |message: String| Problem::new("bad-law", message).at(source, span);
    let part = |key: &str| {
        let text = entry.value.get(key).map(|value| value.to_value().to_string()).unwrap_or_default();
        let text = in_a_line(&text);
        if text.is_empty() { Err(problem(format!("`{id}` needs a `{key}`"))) } else { Ok(text) }
    };
    let (title, text) = (part("title")?, part("text")?);
    if let Some(other) = entry.value.entries().iter().find(|own| !own.key.is("title") && !own.key.is("text")) {
        let span = other.key_span();
        let problem = Problem::new("unknown-key", format!("`{id}` has a `title` and a `text`, not `{}`", other.key));
        return Err(problem.at(source, span));
    }
    let place = Place { source: Arc::clone(source), span };
    Ok(LawText { id, title, text, place })
}

fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two spellings mean the same ID: letter case and zeros before a number do not count.
pub fn same_id(a: &str, b: &str) -> bool {
    let parts = |id: &str| {
        let (group, number) = id.rsplit_once('-').unwrap_or((id, ""));
        let digits = number.trim_start_matches('0');
        (group.to_lowercase(), if digits.is_empty() { number.to_lowercase() } else { digits.to_lowercase() })
    };
    parts(a) == parts(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(files: &[(&str, usize, &'static str)]) -> Register {
        let file = |&(path, layer, text): &(&str, usize, &'static str)| {
            LawFile::new(&format!("rules/{layer}"), path, Cow::Borrowed(text), layer)
        };
        Register::of(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn the_nearest_ruleset_has_the_last_word_in_any_file() {
        let found = register(&[
            ("law/M.yaml", 0, "M-1:\n  title: Base\n  text: Below.\nM-2:\n  title: Base\n  text: Stays.\n"),
            ("law/ours.yaml", 1, "M-1:\n  title: Ours\n  text: Above.\n"),
        ]);
        assert_eq!(found.problems, []);
        assert_eq!(found.texts["M-1"].text, "Above.");
        assert_eq!(found.texts["M-2"].text, "Stays.");
        assert_eq!(found.texts["M-1"].place.source.name, "rules/1/law/ours.yaml");
    }

    #[test]
    fn an_id_can_be_left_out_and_only_one_that_is_there() {
        let text = Cow::Borrowed("M-1:\n  title: One\n  text: First.\nM-10:\n  title: Ten\n  text: Tenth.\n");
        let mut file = LawFile::new("rules/x", "law/M.yaml", text, 0);
        assert!(file.leave_out("M-1") && !file.leave_out("M-2"));
        let found = Register::of(&[file]);
        assert_eq!(found.texts.keys().collect::<Vec<_>>(), ["M-10"]);
    }

    #[test]
    fn every_problem_has_its_place() {
        let found = register(&[
            ("law/a.yaml", 0, "M-1:\n  title: One\nM-2:\n  title: Two\n  text: Second.\n  code: no\n"),
            ("law/b.yaml", 0, "- M-3\n"),
            ("law/c.yaml", 0, "M-4: {title: Four, text: \"open}\n"),
            ("law/d.yaml", 0, "M-5: {title: Five, text: Fifth.}\n"),
            ("law/e.yaml", 0, "\nM-5: {title: Five, text: Fifth again.}\n"),
        ]);
        let told: Vec<String> = found.problems.iter().map(|own| format!("{} {own}", own.code)).collect();
        assert_eq!(told[0], "bad-law rules/0/law/a.yaml:1:1: `M-1` needs a `text`");
        assert_eq!(told[1], "unknown-key rules/0/law/a.yaml:6:3: `M-2` has a `title` and a `text`, not `code`");
        assert!(told[2].starts_with("bad-law rules/0/law/b.yaml:1:1: "), "{}", told[2]);
        assert!(told[3].contains("rules/0/law/c.yaml:1:"), "{}", told[3]);
        assert_eq!(told[4], "two-of-a-name rules/0/law/e.yaml:2:1: `M-5` has a text in rules/0/law/d.yaml as well");
        assert_eq!(found.texts.len(), 1);
    }

    #[test]
    fn an_id_is_found_as_people_write_it() {
        assert!(same_id("m-4", "M-4") && same_id("R-5", "R-05") && same_id("G-006", "g-6") && same_id("ST", "st"));
        assert!(!same_id("M-1", "M-10") && !same_id("L-0", "L-10") && !same_id("M-4", "PR-4"));
    }
}
