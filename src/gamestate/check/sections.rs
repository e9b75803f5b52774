//! The sections besides players and spaces: settings, state, rulings, amendments and proposals.

use std::sync::Arc;

use super::Check;
use crate::data::{Key, Value, nearest};
use crate::game::Name;
use crate::gamestate::fields::{Path, range};
use crate::ruleset::{Field, Kind};
use crate::yaml::{Data, Entry, Node};

impl Check<'_> {
    /// Reads a map of fields that the ruleset declares.
    pub(super) fn declared(&mut self, root: &Node, section: &str, fields: &[Field]) -> Arc<Value> {
        let Some(node) = root.get(section) else { return Arc::default() };
        let known: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        let path = Path::section(&section);
        let entries = self.reader.map(node, &path);
        self.reader.only(entries, &path, &known);
        let found = entries.iter().filter_map(|entry| self.field(entry, &path, fields)).collect();
        Arc::new(Value::Map(found))
    }

    pub(super) fn field(&mut self, entry: &Entry, path: &Path, fields: &[Field]) -> Option<(Key, Value)> {
        let field = fields.iter().find(|field| entry.key.is(&field.name))?;
        let value = self.reader.kind(&entry.value, &path.at(&entry.key), &field.kind)?;
        Some((Key::from(&*field.name), value)).filter(|(_, value)| *value != Value::Null)
    }

    /// Warns of a field that names a player who is not in the game, if a player has a similar name.
    pub(super) fn known_players(&mut self, node: Option<&Node>, fields: &[Field], names: &[Name]) {
        for entry in node.map_or(&[][..], Node::entries) {
            let Some(field) = fields.iter().find(|field| entry.key.is(&field.name)) else { continue };
            let is_players = matches!(&field.kind, Kind::List(one) if **one == Kind::Player);
            if field.kind != Kind::Player && !is_players {
                continue;
            }
            let value = entry.value.to_value();
            for name in value.items().iter().filter_map(Value::as_text) {
                // A winner may have left since, so only a name that is similar to a player's is a mistake.
                if let Some(near) = nearest(name, names.iter().map(|name| &**name)).filter(|near| *near != name) {
                    let section = Path::section(&"state");
                    let problem = self.reader.problem(
                        "unknown-player",
                        &entry.value,
                        &section.at(&entry.key),
                        format!("unknown player `{name}`"),
                    );
                    problem.help = Some(format!("did you mean `{near}`?"));
                    problem.warning = true;
                }
            }
        }
    }

    pub(super) fn rulings(&mut self, node: Option<&Node>) -> Arc<Value> {
        let Some(node) = node else { return Arc::default() };
        let switches = &self.ruleset.switches;
        let known: Vec<&str> = switches.iter().map(|switch| switch.key.as_str()).collect();
        let section = Path::section(&"rulings");
        let entries = self.reader.map(node, &section);
        self.reader.only(entries, &section, &known);
        for entry in entries {
            let Some(switch) = self.ruleset.switch(&entry.key.to_string()) else { continue };
            let path = section.at(&entry.key);
            let node = match &entry.value.data {
                Data::Map(_) => {
                    self.reader.only(entry.value.entries(), &path, &["value", "by", "at", "link", "request"]);
                    entry.value.get("value").unwrap_or(&entry.value)
                }
                _ => &entry.value,
            };
            let value = node.to_value();
            if !value.as_text().is_some_and(|value| switch.allows(value)) {
                let problem = self.reader.problem(
                    "unknown-ruling",
                    node,
                    &path,
                    format!("`{value}` is not a valid value for `{}`", switch.key),
                );
                let values: Vec<String> = switch.values.iter().map(|value| quoted(value)).collect();
                problem.help = Some(format!("use one of {} ({})", values.join(", "), switch.ruling));
            }
        }
        Arc::new(node.to_value())
    }

    /// Checks proposals: their numbers, and the fields that the ruleset declares. People may add other fields.
    pub(super) fn proposals(&mut self, node: &Node) {
        let fields = &self.ruleset.declared.proposals;
        let section = Path::section(&"proposals");
        for entry in self.reader.map(node, &section) {
            let path = section.at(&entry.key);
            if !matches!(entry.key, Key::Int(1..)) {
                let span = range(entry.key_span());
                let message = format!("`{}` is not the number of a proposal", entry.key);
                self.reader.problem_at("wrong-value", span, &path, message).help =
                    Some("proposals are numbered from 1".into());
            }
            for own in self.reader.map(&entry.value, &path) {
                let key = own.key.to_string();
                if fields.iter().any(|field| own.key.is(&field.name)) {
                    self.field(own, &path, fields);
                } else if let Some(near) = nearest(&key, fields.iter().map(|field| &*field.name)) {
                    let span = range(own.key_span());
                    let problem = self.reader.problem_at("unknown-key", span, &path, format!("unknown key `{key}`"));
                    problem.help = Some(format!("did you mean `{near}`?"));
                }
            }
        }
    }
}

/// Returns a value as YAML needs it: `yes` and `no` in quotes, because other readers take them for true and false.
fn quoted(value: &str) -> String {
    if matches!(value, "yes" | "no" | "on" | "off") { format!("\"{value}\"") } else { value.to_owned() }
}
