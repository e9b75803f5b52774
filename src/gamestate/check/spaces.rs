//! The spaces: types, successors, pseudo-types and fields.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Check;
use crate::data::{Key, Value, nearest};
use crate::game::{Board, Name, Space, SpaceId};
use crate::gamestate::fields::{Path, range, top as start_of};
use crate::ruleset::Kind;
use crate::yaml::Node;

impl Check<'_> {
    pub(super) fn board(&mut self, node: &Node) -> Board {
        let rules = &self.ruleset.declared;
        let path = Path::section(&"spaces");
        let entries = self.reader.map(node, &path);
        let ids: BTreeSet<SpaceId> = entries.iter().filter_map(|entry| space_id(&entry.key)).collect();
        let mut known = vec!["type", "successors"];
        known.extend(rules.space_fields.iter().map(|field| &*field.name));
        let mut spaces = Vec::new();
        for entry in entries {
            let Some(id) = space_id(&entry.key) else {
                let span = range(entry.key_span());
                let message = format!("`{}` is not the identifier of a space", entry.key);
                self.reader.problem_at("wrong-value", span, &path, message).help =
                    Some("use a whole number (B-4), or a place such as (2, -1)".into());
                continue;
            };
            spaces.push(self.space(id, &entry.value, &path.at(&id), &known, &ids));
        }
        let initial = rules.initial_space;
        if !ids.contains(&initial) {
            let problem =
                self.reader.problem_at("missing-space", start_of(node), &path, format!("space {initial} is missing"));
            problem.help = Some("the next action will create it (B-5)".into());
            problem.warning = true;
        }
        Board::new(spaces)
    }

    fn space(&mut self, id: SpaceId, node: &Node, path: &Path, known: &[&str], ids: &BTreeSet<SpaceId>) -> Space {
        let rules = &self.ruleset.declared;
        let entries = self.reader.map(node, path);
        self.reader.only(entries, path, known);
        let mut space =
            Space { id, kind: Arc::clone(&rules.default_type), successors: Vec::new(), fields: Value::Map(Vec::new()) };
        if let Some(node) = node.get("type")
            && let Some(kind) = self.reader.text(node, &path.at(&"type"))
        {
            self.space_type(node, &path.at(&"type"), &kind);
            space.kind = self.shared(&kind);
        }
        if let Some(node) = node.get("successors") {
            let path = path.at(&"successors");
            for (index, item) in self.reader.list(node, &path).iter().enumerate() {
                let path = path.at(&index);
                let Some(to) = self.reader.space(item, &path) else { continue };
                if !ids.contains(&to) {
                    let problem = self.reader.problem(
                        "dangling-link",
                        item,
                        &path,
                        format!("{to} is a successor of space {id} but does not exist"),
                    );
                    problem.help = Some("add the space, or remove it from the successors (CN-1)".into());
                } else if space.successors.contains(&to) {
                    let problem =
                        self.reader.problem("double-link", item, &path, format!("space {id} names {to} twice"));
                    problem.help = Some("successors are a set (CN-1)".into());
                } else {
                    space.successors.push(to);
                }
            }
        }
        let fields = entries.iter().filter_map(|entry| self.field(entry, path, &rules.space_fields)).collect();
        space.fields = Value::Map(fields);
        for field in rules.space_fields.iter().filter(|field| names_spaces(&field.kind)) {
            let Some(held) = space.fields.get(&field.name) else { continue };
            for to in held.items().iter().filter_map(SpaceId::of).filter(|to| !ids.contains(to)) {
                let at = node.get(&field.name).unwrap_or(node);
                self.reader.problem(
                    "dangling-link",
                    at,
                    &path.at(&field.name),
                    format!("`{}` names space {to}, which does not exist", field.name),
                );
            }
        }
        self.shown_type(node, &space, path);
        space
    }

    fn space_type(&mut self, node: &Node, path: &Path, kind: &str) {
        if self.ruleset.has_type(kind) {
            return;
        }
        let near = nearest(kind, self.ruleset.type_names().map(|name| &**name));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.reader.problem("unknown-type", node, path, format!("unknown space type `{kind}`")).help = help;
    }

    /// Checks that a category shows one of its members or the default type, and that other spaces show none (C-1).
    fn shown_type(&mut self, node: &Node, space: &Space, path: &Path) {
        let Some(field) = &self.ruleset.declared.shown_by else { return };
        let shown = space.fields.get(field).and_then(Value::as_text);
        let path = path.at(field);
        match (self.ruleset.category(&space.kind), shown) {
            (None, Some(shown)) => {
                let at = node.get(field).unwrap_or(node);
                let message =
                    format!("space {} has the {field} `{shown}`, but {} is not a category", space.id, space.kind);
                self.reader.problem("pseudo-type", at, &path, message).help =
                    Some(format!("remove `{field}`, or give the space a category as its type (C-1)"));
            }
            (Some(members), Some(shown)) => {
                let default = &self.ruleset.declared.default_type;
                if shown != &**default && !members.iter().any(|member| **member == *shown) {
                    let at = node.get(field).unwrap_or(node);
                    let message = format!("`{shown}` is not in the category {}", space.kind);
                    let legal: Vec<&str> = members.iter().map(|member| &**member).chain([&**default]).collect();
                    self.reader.problem("pseudo-type", at, &path, message).help =
                        Some(format!("use one of {} (C-1)", legal.join(", ")));
                }
            }
            (Some(members), None) if !members.is_empty() => {
                let problem = self.reader.problem(
                    "pseudo-type",
                    node,
                    &path,
                    format!("space {} has the category {} and no {field}", space.id, space.kind),
                );
                problem.help = Some(format!("any player may draw one: `referee reroll {}` (C-4)", space.id));
                problem.warning = true;
            }
            _ => {}
        }
    }

    /// Returns the ruleset's copy of a name, so that equal names are stored once.
    fn shared(&self, name: &str) -> Name {
        self.ruleset.type_names().find(|own| &***own == name).map_or_else(|| name.into(), Arc::clone)
    }
}

fn names_spaces(kind: &Kind) -> bool {
    match kind {
        Kind::Space => true,
        Kind::List(one) => **one == Kind::Space,
        _ => false,
    }
}

fn space_id(key: &Key) -> Option<SpaceId> {
    match key {
        Key::Int(number) => SpaceId::number(*number),
        Key::Text(text) => SpaceId::of(&Value::from(text.as_str())),
    }
}
