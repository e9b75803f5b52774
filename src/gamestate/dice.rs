//! Reading who throws the dice: the keys `id` and `dice`, and the key `sealed` of older files.

use sha2::{Digest, Sha256};

use super::fields::{Path, Reader, range};
use crate::data::{Key, Value};
use crate::draws::Thrower;
use crate::yaml::Node;

/// The key of files that were made before `dice`.
pub(super) const OLDER: &str = "sealed";

/// Returns the id of a game whose dice were sealed before games had ids. It follows from the hash of the secret, so it
/// cannot be chosen.
fn older_id(hash: &str) -> String {
    let digest = Sha256::digest(format!("referee game {hash}").as_bytes());
    let digits: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("g{digits}")
}

impl Reader<'_> {
    /// Reads the id of the game and who throws its dice.
    pub fn id_and_dice(&mut self, root: &Node) -> (String, Value) {
        let mut id = root.get("id").and_then(|node| self.text(node, &Path::section(&"id"))).unwrap_or_default();
        let dice = match (root.get("dice"), root.get(OLDER)) {
            (Some(node), older) => {
                if let Some(older) = older {
                    let message = "`sealed` and `dice` both say who throws";
                    self.problem("wrong-value", older, &Path::section(&OLDER), message).help =
                        Some("keep `dice` alone".into());
                }
                self.dice(node)
            }
            (None, Some(node)) => {
                let older = self.older(node);
                if let Some(hash) = older.get("hash").and_then(Value::as_text).filter(|_| id.is_empty()) {
                    id = older_id(hash);
                }
                older
            }
            (None, None) => Value::Null,
        };
        let binds = matches!(dice.get("by").and_then(Value::as_text), Some("sealed" | "beacon"));
        if let Some(node) = root.get("dice").filter(|_| id.is_empty() && binds) {
            let problem =
                self.problem("missing", node, &Path::section(&"dice"), "`id` is missing: draws are derived from it");
            problem.help = Some("`referee adjudicate --set` on /dice/by gives the game an id".into());
        }
        (id, dice)
    }

    /// Reads the key `dice`: each problem has the place of the part that it is about.
    fn dice(&mut self, node: &Node) -> Value {
        let path = Path::section(&"dice");
        let entries = self.map(node, &path);
        let value = node.to_value();
        let parts = value.get("by").and_then(Value::as_text).and_then(Thrower::parts);
        if let Some(parts) = parts {
            let known: Vec<&str> = std::iter::once("by").chain(parts.iter().copied()).collect();
            self.only(entries, &path, &known);
            if entries.iter().any(|entry| !known.iter().any(|known| entry.key.is(known))) {
                return value;
            }
        }
        if let Err(wrong) = Thrower::read(&value) {
            let place = node.get(wrong.part).unwrap_or(node);
            let inner = path.at(&wrong.part);
            let path = if wrong.part.is_empty() { &path } else { &inner };
            let problem = self.problem(wrong.error.code, place, path, wrong.error.message);
            problem.help = wrong.error.help;
        }
        value
    }

    /// Reads the key `sealed` as what it is now: dice that were sealed under scheme 1.
    fn older(&mut self, node: &Node) -> Value {
        let path = Path::section(&OLDER);
        let entries = self.map(node, &path);
        self.only(entries, &path, &["hash", "secret"]);
        let mut dice = Value::Map(vec![(Key::from("by"), Value::from("sealed"))]);
        for entry in entries {
            dice.set(entry.key.clone(), entry.value.to_value());
        }
        dice.set(Key::from("scheme"), Value::Int(1));
        if let Err(wrong) = Thrower::read(&dice) {
            let span = range(node.get(wrong.part).unwrap_or(node).span());
            self.problem_at(wrong.error.code, span, &path, wrong.error.message);
        }
        dice
    }
}

/// Returns the changes of an entry with what was written of the key `sealed` under the name that it has now.
pub(super) fn renamed(changes: Value) -> Value {
    let Value::Map(entries) = changes else { return changes };
    let rename = |(key, value): (Key, Value)| match key.to_string().strip_prefix("/sealed/") {
        Some(part) => (Key::from(format!("/dice/{part}").as_str()), value),
        None => (key, value),
    };
    Value::Map(entries.into_iter().map(rename).collect())
}
