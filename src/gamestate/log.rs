//! Reading the log and what is pending, and archives: entries that the rules can no longer reach, in a file of their own.

use std::sync::Arc;

use super::fields::Reader;
use crate::data::Value;
use crate::diagnostic::Problems;
use crate::game::{Amendment, Amends, LogEntry, Outcome, PendingAction};
use crate::ruleset::Kind;
use crate::yaml::{Document, Node};

const ACTION_KEYS: [&str; 10] =
    ["at", "phase", "do", "link", "random", "thrown-by", "chosen", "amended", "met", "sealed"];
const ENTRY_KEYS: [&str; 19] = [
    "id",
    "at",
    "phase",
    "do",
    "link",
    "random",
    "thrown-by",
    "chosen",
    "amended",
    "met",
    "sealed",
    "amends",
    "again",
    "changes",
    "ruleset",
    "rulings",
    "outcome",
    "undone",
    "after",
];

/// The entries of an archive, oldest first.
///
/// # Errors
/// What is wrong with the file, each with its place.
pub fn archived(name: &str, bytes: &[u8]) -> Result<Vec<LogEntry>, Problems> {
    let document = Document::parse_bytes(name, bytes)?;
    let mut reader = Reader::new(document.source());
    let top = reader.map(document.root(), &"");
    reader.only(top, &"", &["log"]);
    let found = document.root().get("log").map(|node| reader.log(node)).unwrap_or_default();
    if reader.problems.is_empty() {
        Ok(found.into_iter().map(Arc::unwrap_or_clone).collect())
    } else {
        Err(reader.problems.into())
    }
}

impl Reader<'_> {
    /// What is pending.
    pub fn pending(&mut self, node: &Node) -> Vec<PendingAction> {
        self.list(node, &"pending").iter().map(|node| self.commenced(node, "pending", &ACTION_KEYS)).collect()
    }

    /// The number of a phase, from 1.
    pub fn phase(&mut self, node: &Node, path: &str) -> Option<i64> {
        let phase = self.int(node, &path)?;
        if phase < 1 {
            let problem = self.problem("wrong-value", node, &path, format!("there is no phase {phase}"));
            problem.help = Some("phases are counted from 1, the one in which the round starts (R-02)".into());
            return None;
        }
        Some(phase)
    }

    fn commenced(&mut self, node: &Node, path: &str, known: &[&str]) -> PendingAction {
        let entries = self.map(node, &path);
        self.only(entries, &path, known);
        let mut action = PendingAction { phase: 1, ..PendingAction::default() };
        match node.get("do") {
            Some(node) => action.what = self.text(node, &path).unwrap_or_default(),
            None => {
                self.problem("missing", node, &path, "`do` is missing: the command as it was typed");
            }
        }
        action.at = node.get("at").and_then(|node| self.time(node, &path));
        if let Some(node) = node.get("phase") {
            action.phase = self.phase(node, path).unwrap_or(1);
        }
        action.link = node.get("link").and_then(|node| self.text(node, &path));
        for (key, slot) in [
            ("random", &mut action.random),
            ("thrown-by", &mut action.thrown_by),
            ("chosen", &mut action.chosen),
            ("sealed", &mut action.sealed),
        ] {
            if let Some(node) = node.get(key) {
                self.map(node, &path);
                *slot = node.to_value();
            }
        }
        action.amended = self.each(node, path, "amended", Amendment::read);
        action.met = node.get("met").and_then(|node| self.int(node, &path));
        action
    }

    /// Reads a list of which each has a shape of its own.
    fn each<T>(&mut self, node: &Node, path: &str, key: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        let Some(node) = node.get(key) else { return Vec::new() };
        let path = format!("{path}.{key}");
        let mut found = Vec::new();
        for node in self.list(node, &path) {
            match read(&node.to_value()) {
                Some(one) => found.push(one),
                None => {
                    let message = format!("`{}` is no change of a roll", node.to_value());
                    self.problem("wrong-value", node, &path, message).help =
                        Some("such as {key: roll, die: 1, add: 1} (D-4)".into());
                }
            }
        }
        found
    }

    fn outcome(&mut self, node: &Node) -> Option<Outcome> {
        let words = Kind::OneOf(Outcome::ALL.map(|outcome| outcome.word().to_owned()).to_vec());
        Outcome::read(self.kind(node, &"log.outcome", &words)?.as_text()?)
    }

    /// The log, oldest entry first.
    pub fn log(&mut self, node: &Node) -> Vec<Arc<LogEntry>> {
        let mut last = 0;
        let mut entries = Vec::new();
        for node in self.list(node, &"log") {
            let action = self.commenced(node, "log", &ENTRY_KEYS);
            let id = match node.get("id") {
                Some(id) => self.int(id, &"log.id").unwrap_or(last + 1),
                None => last + 1,
            };
            if id <= last {
                let problem = self.problem("log-order", node, &"log", format!("entry {id} stands after entry {last}"));
                problem.help = Some("ids rise, newest last; nothing is taken out of the log or moved in it".into());
            }
            last = id;
            let map = |reader: &mut Self, key: &str| match node.get(key) {
                Some(node) => {
                    reader.map(node, &"log");
                    node.to_value()
                }
                None => Value::Null,
            };
            entries.push(Arc::new(LogEntry {
                id,
                action,
                changes: map(self, "changes"),
                ruleset: node.get("ruleset").and_then(|node| self.text(node, &"log")),
                rulings: map(self, "rulings"),
                again: map(self, "again"),
                amends: self.each(node, "log", "amends", Amends::read),
                outcome: node.get("outcome").and_then(|node| self.outcome(node)),
                undone: node
                    .get("undone")
                    .and_then(|node| self.kind(node, &"log.undone", &Kind::YesNo))
                    .is_some_and(|undone| undone == Value::Bool(true)),
                after: node.get("after").and_then(|node| self.int(node, &"log")),
            }));
        }
        entries
    }
}
