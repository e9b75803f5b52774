//! The players: names, locations, items, marks and fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Check;
use crate::data::{Value, folded, nearest};
use crate::game::{Board, Player};
use crate::gamestate::fields::{Path, range};
use crate::yaml::{Data, Node};

impl Check<'_> {
    pub(super) fn players(&mut self, node: &Node, board: &Board) -> Vec<Player> {
        let rules = &self.ruleset.declared;
        let mut known = vec!["location", "items", "marks"];
        known.extend(rules.player_fields.iter().map(|field| &*field.name));
        let section = Path::section(&"players");
        let mut spellings: BTreeMap<String, String> = BTreeMap::new();
        let mut players = Vec::new();
        for entry in self.reader.map(node, &section) {
            let name = entry.key.to_string();
            if let Some(other) = spellings.insert(folded(&name), name.clone()) {
                let span = range(entry.key_span());
                let problem = self.reader.problem_at(
                    "two-spellings",
                    span,
                    &section,
                    format!("`{other}` and `{name}` differ only in case"),
                );
                problem.help = Some("player names are case-insensitive (TA-7)".into());
            }
            let path = section.at(&name);
            let entries = self.reader.map(&entry.value, &path);
            self.reader.only(entries, &path, &known);
            let mut player = Player {
                name: name.as_str().into(),
                location: rules.initial_space,
                items: Vec::new(),
                symbolic: Vec::new(),
                marks: Value::Map(Vec::new()),
                fields: Value::Map(Vec::new()),
                gone: false,
            };
            if let Some(node) = entry.value.get("location") {
                let path = path.at(&"location");
                if let Some(location) = self.reader.space(node, &path) {
                    player.location = location;
                    if board.get(location).is_none() && location != rules.initial_space {
                        let problem = self.reader.problem(
                            "missing-space",
                            node,
                            &path,
                            format!("{name} is on space {location}, which does not exist"),
                        );
                        problem.help = Some("a location must be a space of the board (B-1)".into());
                    }
                }
            }
            if let Some(node) = entry.value.get("items") {
                self.items(&mut player, node, &path.at(&"items"));
            }
            if let Some(node) = entry.value.get("marks") {
                let path = path.at(&"marks");
                let known: Vec<&str> = rules.marks.iter().map(|field| &*field.name).collect();
                let entries = self.reader.map(node, &path);
                self.reader.only(entries, &path, &known);
                player.marks =
                    Value::Map(entries.iter().filter_map(|entry| self.field(entry, &path, &rules.marks)).collect());
            }
            player.fields =
                Value::Map(entries.iter().filter_map(|entry| self.field(entry, &path, &rules.player_fields)).collect());
            players.push(player);
        }
        players
    }

    fn items(&mut self, player: &mut Player, node: &Node, path: &Path) {
        for entry in self.reader.map(node, path) {
            let name = entry.key.to_string();
            let path = path.at(&name);
            let item = self.ruleset.item(&name);
            let added = self.added_item(&name);
            if item.is_none() && !added {
                let near = nearest(&name, self.ruleset.items().iter().map(|item| &*item.name));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let span = range(entry.key_span());
                // An item whose rule file does not load must not stop the game.
                let lost = !self.ruleset.problems.is_empty();
                let message = format!("unknown item `{name}`");
                let problem = self.reader.problem_at("unknown-item", span, &path, message);
                problem.help = help;
                problem.warning = lost;
            }
            let shared = item.map_or_else(|| name.as_str().into(), |item| Arc::clone(&item.name));
            let mut counts = Vec::new();
            let each = match &entry.value.data {
                Data::List(nodes) => &nodes[..],
                _ => std::slice::from_ref(&entry.value),
            };
            for node in each {
                let value = node.to_value();
                match value.as_text().filter(|word| self.ruleset.declared.symbolic.iter().any(|own| own == word)) {
                    Some(word) => player.symbolic.push((Arc::clone(&shared), word.to_owned())),
                    None => counts.extend(self.reader.int(node, &path)),
                }
            }
            let Some(count) = counts.first().copied() else { continue };
            if let Some(least) = item.and_then(|item| item.least).filter(|least| count < *least) {
                self.reader.problem("too-few", &entry.value, &path, format!("{count} {name} is fewer than {least}"));
            }
            if count != 0 {
                player.items.push((shared, count));
            }
        }
    }

    /// Tells whether play has made this item: a row added by an amendment, or an item made from another (GB-7).
    fn added_item(&self, name: &str) -> bool {
        let plain = self.ruleset.plain(name);
        self.added.iter().any(|added| **added == *plain) || plain != name && self.ruleset.item(plain).is_some()
    }
}
