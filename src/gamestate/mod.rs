//! Parses and validates gamestate.yaml into a [`Game`], reporting all problems, and writes changes back with as few edits
//! as possible.

mod check;
mod dice;
mod fields;
mod lint;
mod log;
mod names;
mod phases;
mod save;

use std::sync::Arc;

pub use log::archived;
pub use names::odd_names;
pub(crate) use names::{holds, names, on_one_line};
pub use save::archive;

use crate::data::{Pointer, Value};
use crate::diagnostic::{Place, Problem, Problems, Source};
use crate::game::Game;
use crate::ruleset::Ruleset;
use crate::yaml::{Data, Document};

/// A gamestate file of valid YAML, not checked further.
#[derive(Debug)]
pub struct GamestateFile {
    document: Document,
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The game; `None` if a problem prevents playing it.
    pub game: Option<Game>,
    /// The game as far as it can be read, to be looked at; what is wrong with it is left out.
    pub as_read: Option<Game>,
    /// Every problem, in the order of the file; warnings do not prevent playing.
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

    /// Returns the ruleset that the file names, which is needed before anything else can be checked.
    ///
    /// # Errors
    /// `missing` if it names none.
    pub fn ruleset(&self) -> Result<String, Problem> {
        let root = self.document.root();
        if !matches!(root.data, Data::Map(_)) {
            let found = match &root.data {
                Data::Null => "nothing",
                Data::List(_) => "a list",
                _ => "a single value",
            };
            let problem = Problem::new("no-gamestate", format!("this is not a gamestate: it holds {found}"));
            let help =
                "a gamestate is a map with `format: 1`, `ruleset`, `players` and `spaces`; `referee init` writes one";
            return Err(problem.help(help).at(self.source(), fields::top(root)));
        }
        let named = root.get("ruleset").map(|node| node.to_value().to_string()).filter(|name| !name.is_empty());
        named.ok_or_else(|| {
            let span = fields::top(root);
            Problem::new("missing", "`ruleset` is missing")
                .help("write `ruleset: cycle-15`, or the path of a folder")
                .at(self.source(), span)
        })
    }

    /// Returns the place of a value, or of the nearest value above it that the file has.
    pub fn place_of(&self, pointer: &Pointer) -> Place {
        let mut node = self.document.root();
        for step in pointer.steps() {
            let item = || node.items().get(step.parse::<usize>().ok()?);
            let Some(inner) = node.get(step).or_else(item) else { break };
            node = inner;
        }
        Place { source: Arc::clone(self.source()), span: node.span() }
    }

    /// Returns the place of an entry of the log.
    pub fn place_of_entry(&self, id: i64) -> Option<Place> {
        let log = self.document.root().get("log")?;
        let own = |node: &&crate::yaml::Node| node.get("id").is_some_and(|own| own.to_value() == Value::Int(id));
        let span = log.items().iter().find(own)?.span();
        Some(Place { source: Arc::clone(self.source()), span })
    }

    /// Checks the file and makes a game from it.
    pub fn check(&self, ruleset: &Ruleset) -> Checked {
        check::check(self, ruleset)
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// Returns the text with its name.
    pub fn source(&self) -> &Arc<Source> {
        self.document.source()
    }

    /// Returns the text with `after` instead of `before`, which is the game of this file; only the values that changed differ.
    ///
    /// # Errors
    /// `cannot-edit` if the edited text, read again, would not be exactly `after`; it must not be written then.
    pub fn updated(&self, ruleset: &Ruleset, before: &Game, after: &Game) -> Result<String, Problem> {
        save::updated(self, ruleset, before, after)
    }
}

/// Makes a game from plain data with the keys of the file.
///
/// # Errors
/// Every problem that prevents playing it.
pub fn valid_game(ruleset: &Ruleset, state: &Value) -> Result<Game, Problems> {
    let checked = GamestateFile { document: Document::from_value("gamestate", state)? }.check(ruleset);
    checked.game.ok_or_else(|| checked.problems.into_iter().filter(|problem| !problem.warning).collect())
}

/// Writes problems on one line, each with its path.
pub(crate) fn in_a_line(problems: &[Problem]) -> String {
    let one = |problem: &Problem| format!("{}: {}", problem.path, problem.message);
    problems.iter().map(one).collect::<Vec<_>>().join("; ")
}
