//! Reads the log, pending actions, and archives: files of entries that the rules can no longer reach.

use std::sync::Arc;

use super::dice::renamed;
use super::fields::{Path, Reader};
use crate::data::Value;
use crate::diagnostic::Problems;
use crate::game::{Amendment, Amends, LogEntry, Outcome, PendingAction, read_seed};
use crate::ruleset::Kind;
use crate::yaml::{Document, Node};

const ACTION_KEYS: [&str; 14] = [
    "at",
    "phase",
    "do",
    "link",
    "random",
    "thrown-by",
    "chosen",
    "posted",
    "seed",
    "given",
    "amended",
    "met",
    "sealed",
    "dice",
];
const ENTRY_KEYS: [&str; 22] = [
    "id",
    "at",
    "phase",
    "do",
    "link",
    "random",
    "thrown-by",
    "chosen",
    "posted",
    "seed",
    "amended",
    "met",
    "sealed",
    "dice",
    "amends",
    "again",
    "changes",
    "ruleset",
    "rulings",
    "outcome",
    "undone",
    "after",
];

/// Reads the entries of an archive, oldest first.
///
/// # Errors
/// What is wrong with the file, each with its place.
pub fn archived(name: &str, bytes: &[u8]) -> Result<Vec<LogEntry>, Problems> {
    let document = Document::parse_bytes(name, bytes)?;
    let mut reader = Reader::new(document.source());
    let top = reader.map(document.root(), &Path::TOP);
    reader.only(top, &Path::TOP, &["log"]);
    let found = document.root().get("log").map(|node| reader.log(node)).unwrap_or_default();
    if reader.problems.is_empty() {
        Ok(found.into_iter().map(Arc::unwrap_or_clone).collect())
    } else {
        Err(reader.problems.into())
    }
}

impl Reader<'_> {
    /// Reads the pending actions.
    pub fn pending(&mut self, node: &Node) -> Vec<PendingAction> {
        let path = Path::section(&"pending");
        let actions = self.list(node, &path).iter().enumerate();
        actions.map(|(index, node)| self.action(node, &path.at(&index), &ACTION_KEYS)).collect()
    }

    /// Reads the number of a phase, counted from 1.
    pub fn phase(&mut self, node: &Node, path: &Path) -> Option<i64> {
        let phase = self.int(node, path)?;
        if phase < 1 {
            let problem = self.problem("wrong-value", node, path, format!("phase {phase} does not exist"));
            problem.help = Some("phases are counted from 1; the round starts in phase 1 (R-02)".into());
            return None;
        }
        Some(phase)
    }

    fn action(&mut self, node: &Node, path: &Path, known: &[&str]) -> PendingAction {
        let entries = self.map(node, path);
        self.only(entries, path, known);
        let mut action = PendingAction { phase: 1, ..PendingAction::default() };
        match node.get("do") {
            Some(node) => action.what = self.text(node, &path.at(&"do")).unwrap_or_default(),
            None => {
                self.problem("missing", node, path, "`do` is missing: the command as it was typed");
            }
        }
        action.at = node.get("at").and_then(|node| self.time(node, &path.at(&"at")));
        if let Some(node) = node.get("phase") {
            action.phase = self.phase(node, &path.at(&"phase")).unwrap_or(1);
        }
        action.link = node.get("link").and_then(|node| self.text(node, &path.at(&"link")));
        for (key, slot) in [
            ("random", &mut action.random),
            ("thrown-by", &mut action.thrown_by),
            ("chosen", &mut action.chosen),
            ("given", &mut action.given),
            ("sealed", &mut action.sealed),
            ("dice", &mut action.dice),
        ] {
            if let Some(node) = node.get(key) {
                self.map(node, &path.at(&key));
                *slot = node.to_value();
            }
        }
        action.amended = self.each(node, path, "amended", Amendment::read);
        if let Some(node) = node.get("posted") {
            let path = path.at(&"posted");
            for (index, node) in self.list(node, &path).iter().enumerate() {
                action.posted.extend(self.text(node, &path.at(&index)));
            }
        }
        if let Some(node) = node.get("seed") {
            action.seed = read_seed(&node.to_value());
            if action.seed.is_none() {
                let message = format!("`{}` is not a seed", node.to_value());
                let problem = self.problem("wrong-value", node, &path.at(&"seed"), message);
                problem.help = Some("write a whole number from 0 on".into());
            }
        }
        action.met = node.get("met").and_then(|node| self.int(node, &path.at(&"met")));
        action
    }

    /// Reads the list under `key`, each item with `read`.
    fn each<T>(&mut self, node: &Node, path: &Path, key: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        let Some(node) = node.get(key) else { return Vec::new() };
        let path = path.at(&key);
        let mut items = Vec::new();
        for (index, node) in self.list(node, &path).iter().enumerate() {
            match read(&node.to_value()) {
                Some(item) => items.push(item),
                None => {
                    let message = format!("`{}` is not a change of a roll", node.to_value());
                    self.problem("wrong-value", node, &path.at(&index), message).help =
                        Some("write it like {key: roll, die: 1, add: 1} (D-4)".into());
                }
            }
        }
        items
    }

    fn outcome(&mut self, node: &Node, path: &Path) -> Option<Outcome> {
        let words = Kind::OneOf(Outcome::ALL.map(|outcome| outcome.word().to_owned()).to_vec());
        Outcome::read(self.kind(node, path, &words)?.as_text()?)
    }

    /// Reads the log, oldest entry first.
    pub fn log(&mut self, node: &Node) -> Vec<Arc<LogEntry>> {
        let mut last = 0;
        let mut entries = Vec::new();
        let section = Path::section(&"log");
        for (index, node) in self.list(node, &section).iter().enumerate() {
            let path = section.at(&index);
            let action = self.action(node, &path, &ENTRY_KEYS);
            let id = match node.get("id") {
                Some(id) => self.int(id, &path.at(&"id")).unwrap_or(last + 1),
                None => last + 1,
            };
            if id <= last {
                let problem = self.problem("log-order", node, &path, format!("entry {id} comes after entry {last}"));
                problem.help = Some("ids must increase: entries are neither removed nor moved".into());
            }
            last = id;
            let map = |reader: &mut Self, key: &str| match node.get(key) {
                Some(node) => {
                    reader.map(node, &path.at(&key));
                    node.to_value()
                }
                None => Value::Null,
            };
            entries.push(Arc::new(LogEntry {
                id,
                action,
                changes: renamed(map(self, "changes")),
                ruleset: node.get("ruleset").and_then(|node| self.text(node, &path.at(&"ruleset"))),
                rulings: map(self, "rulings"),
                again: map(self, "again"),
                amends: self.each(node, &path, "amends", Amends::read),
                outcome: node.get("outcome").and_then(|node| self.outcome(node, &path.at(&"outcome"))),
                undone: node
                    .get("undone")
                    .and_then(|node| self.kind(node, &path.at(&"undone"), &Kind::YesNo))
                    .is_some_and(|undone| undone == Value::Bool(true)),
                after: node.get("after").and_then(|node| self.int(node, &path.at(&"after"))),
            }));
        }
        entries
    }
}
