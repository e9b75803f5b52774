//! The gamestate file: from its text to a [`Game`] with every problem found, and back without
//! touching a line that need not be.

mod check;
mod fields;
mod lint;
mod log;
mod save;

use std::sync::Arc;

pub use log::archived;
pub use save::archive;

use crate::data::Value;
use crate::diagnostic::{Place, Problem, Problems, Source};
use crate::game::Game;
use crate::ruleset::Ruleset;
use crate::yaml::Document;

/// A gamestate as written: its text, parsed, and nothing checked but the YAML.
#[derive(Debug)]
pub struct GamestateFile {
    document: Document,
}

/// What a check found.
#[derive(Debug)]
pub struct Checked {
    /// The game; `None` where a problem keeps it from being played.
    pub game: Option<Game>,
    /// Every problem, in the order of the file; warnings do not keep the game from being played.
    pub problems: Vec<Problem>,
}

impl GamestateFile {
    /// Parses the text of a gamestate file that people know as `name`.
    ///
    /// # Errors
    /// What is wrong with the YAML, each with its place.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        Ok(Self { document: Document::parse_bytes(name, bytes)? })
    }

    /// The ruleset that the file names, for finding the ruleset before anything else is checked.
    ///
    /// # Errors
    /// A problem where it names none.
    pub fn ruleset(&self) -> Result<String, Problem> {
        let root = self.document.root();
        let named = root.get("ruleset").map(|node| node.to_value().to_string()).filter(|name| !name.is_empty());
        named.ok_or_else(|| {
            let span = fields::top(root);
            Problem::new("missing", "`ruleset` is missing")
                .help("write `ruleset: cycle-15`, or the path of a folder")
                .at(self.source(), span)
        })
    }

    /// The place of a value, given by its JSON Pointer; of what is not there, of the nearest part above it.
    pub fn place_of(&self, pointer: &str) -> Option<Place> {
        let mut node = self.document.root();
        for step in crate::game::steps(pointer) {
            let Some(inner) = node.get(&step) else { break };
            node = inner;
        }
        Some(Place { source: Arc::clone(self.source()), span: node.span() })
    }

    /// The place of an entry of the log.
    pub fn place_of_entry(&self, id: i64) -> Option<Place> {
        let log = self.document.root().get("log")?;
        let own = |node: &&crate::yaml::Node| node.get("id").is_some_and(|own| own.to_value() == Value::Int(id));
        let span = log.items().iter().find(own)?.span();
        Some(Place { source: Arc::clone(self.source()), span })
    }

    /// Checks everything that a sound game must be.
    pub fn check(&self, ruleset: &Ruleset) -> Checked {
        check::check(self, ruleset)
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// The text under the name by which people know it.
    pub fn source(&self) -> &Arc<Source> {
        self.document.source()
    }

    /// The text with `after` in place of `before`, which this file holds; only the touched nodes differ.
    ///
    /// # Errors
    /// A problem where the edited text, read again, would not be exactly `after`; then nothing may be written.
    pub fn updated(&self, ruleset: &Ruleset, before: &Game, after: &Game) -> Result<String, Problem> {
        save::updated(self, ruleset, before, after)
    }
}

/// The game that plain data in the shape of the file describes.
///
/// # Errors
/// Every problem that keeps it from being one.
pub fn sound(ruleset: &Ruleset, state: &Value) -> Result<Game, Problems> {
    let checked = GamestateFile { document: Document::from_value("gamestate", state)? }.check(ruleset);
    checked.game.ok_or_else(|| checked.problems.into_iter().filter(|problem| !problem.warning).collect())
}

/// Problems on one line, each with its place in the data.
pub(crate) fn in_a_line(problems: &[Problem]) -> String {
    let one = |problem: &Problem| format!("{}: {}", problem.path, problem.message);
    problems.iter().map(one).collect::<Vec<_>>().join("; ")
}
