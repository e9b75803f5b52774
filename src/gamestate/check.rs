//! From the file as written to a game that can be played: everything that must hold, all of it at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::fields::{Path, Reader, range, top as start_of};
use super::{Checked, GamestateFile};
use crate::data::{Key, Value, folded};
use crate::diagnostic::nearest;
use crate::game::{Board, Game, Name, Player, Space, SpaceId};
use crate::ruleset::{Field, Kind, Ruleset};
use crate::yaml::{Data, Entry, Node};

const TOP: [&str; 14] = [
    "format",
    "ruleset",
    "sealed",
    "started",
    "phase",
    "settings",
    "state",
    "rulings",
    "players",
    "spaces",
    "amendments",
    "pending",
    "proposals",
    "log",
];
pub(super) fn check(file: &GamestateFile, ruleset: &Ruleset) -> Checked {
    let root = file.document.root();
    let added =
        ruleset.declared.rows.as_ref().and_then(|rows| root.get("amendments")?.get(&rows.added)).map(Node::to_value);
    let added = ruleset.kinds_of(added.as_ref().map_or(&[], Value::items)).into_iter().map(|(_, kind)| kind).collect();
    let mut check = Check { reader: Reader::new(file.source()), ruleset, added };
    let top = check.reader.map(root, &"");
    check.reader.only(top, &"", &TOP);
    for key in ["format", "ruleset", "players", "spaces"] {
        if root.get(key).is_none() {
            check.reader.problem_at("missing", start_of(root), &key, format!("`{key}` is missing"));
        }
    }
    if let Some(node) = root.get("format")
        && check.reader.int(node, &"format").is_some_and(|format| format != 1)
    {
        let problem = check.reader.problem("unknown-format", node, &"format", "this format is not known here");
        problem.help = Some("this program reads `format: 1`".into());
    }
    let game = check.game(root);
    let mut problems = check.reader.problems;
    problems.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span.start));
    let playable = problems.iter().all(|problem| problem.warning);
    Checked { game: game.filter(|_| playable), problems }
}

struct Check<'a> {
    reader: Reader<'a>,
    ruleset: &'a Ruleset,
    /// Items whose rows play has added.
    added: Vec<Name>,
}

impl Check<'_> {
    fn game(&mut self, root: &Node) -> Option<Game> {
        let rules = &self.ruleset.declared;
        let board = root.get("spaces").map(|node| self.board(node)).unwrap_or_default();
        let players = root.get("players").map(|node| self.players(node, &board)).unwrap_or_default();
        let names: Vec<Name> = players.iter().map(|player| Arc::clone(&player.name)).collect();
        let name = root.get("ruleset").and_then(|node| self.reader.text(node, &"ruleset"))?;
        let mut game = Game::new(&name, players, board);
        if let Some(node) = root.get("started") {
            game.started = self.reader.time(node, &"started");
        }
        if let Some(node) = root.get("phase") {
            game.phase = self.reader.phase(node, "phase").unwrap_or(1);
        }
        if let Some(node) = root.get("sealed") {
            let entries = self.reader.map(node, &"sealed");
            self.reader.only(entries, &"sealed", &["hash", "secret"]);
            game.sealed = Arc::new(node.to_value());
        }
        game.settings = self.declared(root, "settings", &rules.settings);
        game.state = self.declared(root, "state", &rules.state);
        self.known_players(root.get("state"), &rules.state, &names);
        game.amendments = self.declared(root, "amendments", &rules.amendments);
        game.rulings = self.rulings(root.get("rulings"));
        if let Some(node) = root.get("pending") {
            let found = self.reader.pending(node);
            game.pending = Arc::new(found);
        }
        if let Some(node) = root.get("proposals") {
            self.proposals(node);
            game.proposals = Arc::new(node.to_value());
        }
        if let Some(node) = root.get("log") {
            game.log = Arc::new(self.reader.log(node));
        }
        Some(game)
    }

    /// Reads a map of fields that the ruleset declares.
    fn declared(&mut self, root: &Node, section: &str, fields: &[Field]) -> Arc<Value> {
        let Some(node) = root.get(section) else { return Arc::default() };
        let known: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        let entries = self.reader.map(node, &section);
        self.reader.only(entries, &section, &known);
        let found = entries.iter().filter_map(|entry| self.field(entry, &section, fields)).collect();
        Arc::new(Value::Map(found))
    }

    fn field(&mut self, entry: &Entry, path: Path, fields: &[Field]) -> Option<(Key, Value)> {
        let field = fields.iter().find(|field| entry.key.is(&field.name))?;
        let value = self.reader.kind(&entry.value, &format_args!("{path}.{}", entry.key), &field.kind)?;
        Some((Key::from(&*field.name), value)).filter(|(_, value)| *value != Value::Null)
    }

    /// Fields that name players must name players of this game.
    fn known_players(&mut self, node: Option<&Node>, fields: &[Field], names: &[Name]) {
        for entry in node.map_or(&[][..], Node::entries) {
            let Some(field) = fields.iter().find(|field| entry.key.is(&field.name)) else { continue };
            let is_players = matches!(&field.kind, Kind::List(one) if **one == Kind::Player);
            if field.kind != Kind::Player && !is_players {
                continue;
            }
            let value = entry.value.to_value();
            for name in value.items().iter().filter_map(Value::as_text) {
                // A winner may have left since; a name that is near to a player's is a slip.
                if let Some(near) = nearest(name, names.iter().map(|name| &**name)).filter(|near| *near != name) {
                    let path = format!("state.{}", entry.key);
                    let problem = self.reader.problem(
                        "unknown-player",
                        &entry.value,
                        &path,
                        format!("no player is called `{name}`"),
                    );
                    problem.help = Some(format!("did you mean `{near}`?"));
                    problem.warning = true;
                }
            }
        }
    }

    fn board(&mut self, node: &Node) -> Board {
        let rules = &self.ruleset.declared;
        let entries = self.reader.map(node, &"spaces");
        let ids: BTreeSet<SpaceId> = entries.iter().filter_map(|entry| space_id(&entry.key)).collect();
        let mut known = vec!["type", "successors"];
        known.extend(rules.space_fields.iter().map(|field| &*field.name));
        let mut spaces = Vec::new();
        for entry in entries {
            let Some(id) = space_id(&entry.key) else {
                let span = range(entry.key_span());
                let message = format!("`{}` is no identifier of a space", entry.key);
                self.reader.problem_at("wrong-value", span, &"spaces", message).help =
                    Some("a whole number (B-4), or a place such as (2, -1)".into());
                continue;
            };
            spaces.push(self.space(id, &entry.value, &known, &ids));
        }
        let initial = rules.initial_space;
        if !ids.contains(&initial) {
            let problem = self.reader.problem_at(
                "missing-space",
                start_of(node),
                &"spaces",
                format!("there is no space {initial}"),
            );
            problem.help = Some("it always exists; the next action makes it (B-5)".into());
            problem.warning = true;
        }
        Board::new(spaces)
    }

    fn space(&mut self, id: SpaceId, node: &Node, known: &[&str], ids: &BTreeSet<SpaceId>) -> Space {
        let rules = &self.ruleset.declared;
        // Messages name the path; a sound file needs none, and there may be many spaces.
        let path = format_args!("spaces.{id}");
        let entries = self.reader.map(node, &path);
        self.reader.only(entries, &path, known);
        let mut space =
            Space { id, kind: Arc::clone(&rules.default_type), successors: Vec::new(), fields: Value::Map(Vec::new()) };
        if let Some(node) = node.get("type")
            && let Some(kind) = self.reader.text(node, &format_args!("{path}.type"))
        {
            self.space_type(node, &format_args!("{path}.type"), &kind);
            space.kind = self.shared(&kind);
        }
        if let Some(node) = node.get("successors") {
            for item in self.reader.list(node, &format_args!("{path}.successors")) {
                let place = format_args!("{path}.successors");
                let Some(to) = self.reader.space(item, &place) else { continue };
                if !ids.contains(&to) {
                    let problem = self.reader.problem(
                        "dangling-link",
                        item,
                        &place,
                        format!("space {id} is followed by {to}, which does not exist"),
                    );
                    problem.help =
                        Some("successors are spaces of the board (CN-1): add the space, or take the number out".into());
                } else if space.successors.contains(&to) {
                    let problem =
                        self.reader.problem("double-link", item, &place, format!("space {id} names {to} twice"));
                    problem.help = Some("successors are a set (CN-1)".into());
                } else {
                    space.successors.push(to);
                }
            }
        }
        let fields = entries.iter().filter_map(|entry| self.field(entry, &path, &rules.space_fields)).collect();
        space.fields = Value::Map(fields);
        for field in rules.space_fields.iter().filter(|field| names_spaces(&field.kind)) {
            let Some(held) = space.fields.get(&field.name) else { continue };
            for to in held.items().iter().filter_map(SpaceId::of).filter(|to| !ids.contains(to)) {
                let place = format!("{path}.{}", field.name);
                let at = node.get(&field.name).unwrap_or(node);
                self.reader.problem(
                    "dangling-link",
                    at,
                    &place,
                    format!("`{}` names space {to}, which does not exist", field.name),
                );
            }
        }
        self.shown_type(node, &space, &path);
        space
    }

    fn space_type(&mut self, node: &Node, path: Path, kind: &str) {
        if self.ruleset.has_type(kind) {
            return;
        }
        let near = nearest(kind, self.ruleset.type_names().map(|name| &**name));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.reader
            .problem("unknown-type", node, &path, format!("`{kind}` is no space type of {}", self.ruleset.name))
            .help = help;
    }

    /// A category shows one of its members or the default type; other spaces show none (C-1).
    fn shown_type(&mut self, node: &Node, space: &Space, path: Path) {
        let Some(field) = &self.ruleset.declared.shown_by else { return };
        let shown = space.fields.get(field).and_then(Value::as_text);
        let place = format_args!("{path}.{field}");
        match (self.ruleset.category(&space.kind), shown) {
            (None, Some(shown)) => {
                let at = node.get(field).unwrap_or(node);
                let message =
                    format!("space {} is {}, no category, and has the {field} `{shown}`", space.id, space.kind);
                self.reader.problem("pseudo-type", at, &place, message).help =
                    Some(format!("take `{field}` out, or make it a category (C-1)"));
            }
            (Some(members), Some(shown)) => {
                let default = &self.ruleset.declared.default_type;
                if shown != &**default && !members.iter().any(|member| **member == *shown) {
                    let at = node.get(field).unwrap_or(node);
                    let message = format!("`{shown}` is not in the category {}", space.kind);
                    let legal: Vec<&str> = members.iter().map(|member| &**member).chain([&**default]).collect();
                    self.reader.problem("pseudo-type", at, &place, message).help =
                        Some(format!("it holds {} (C-1)", legal.join(", ")));
                }
            }
            (Some(members), None) if !members.is_empty() => {
                let problem = self.reader.problem(
                    "pseudo-type",
                    node,
                    &place,
                    format!("space {} is {} and has no {field}", space.id, space.kind),
                );
                problem.help = Some(format!("any player may draw one: `referee reroll {}` (C-4)", space.id));
                problem.warning = true;
            }
            _ => {}
        }
    }

    /// The ruleset's own copy of a name, so that equal names are one.
    fn shared(&self, name: &str) -> Name {
        self.ruleset.type_names().find(|own| &***own == name).map_or_else(|| name.into(), Arc::clone)
    }

    fn players(&mut self, node: &Node, board: &Board) -> Vec<Player> {
        let rules = &self.ruleset.declared;
        let mut known = vec!["location", "items", "marks"];
        known.extend(rules.player_fields.iter().map(|field| &*field.name));
        let mut spellings: BTreeMap<String, String> = BTreeMap::new();
        let mut players = Vec::new();
        for entry in self.reader.map(node, &"players") {
            let name = entry.key.to_string();
            if let Some(other) = spellings.insert(folded(&name), name.clone()) {
                let span = range(entry.key_span());
                let problem = self.reader.problem_at(
                    "two-spellings",
                    span,
                    &"players",
                    format!("`{other}` and `{name}` are the same name"),
                );
                problem.help = Some("names are told apart without regard to case (TA-7)".into());
            }
            let path = format!("players.{name}");
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
                let place = format!("{path}.location");
                if let Some(location) = self.reader.space(node, &place) {
                    player.location = location;
                    if board.get(location).is_none() && location != rules.initial_space {
                        let problem = self.reader.problem(
                            "missing-space",
                            node,
                            &place,
                            format!("{name} stands on space {location}, which does not exist"),
                        );
                        problem.help = Some("a location is a space of the board (B-1)".into());
                    }
                }
            }
            if let Some(node) = entry.value.get("items") {
                self.items(&mut player, node, &format!("{path}.items"));
            }
            if let Some(node) = entry.value.get("marks") {
                let path = format!("{path}.marks");
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

    fn items(&mut self, player: &mut Player, node: &Node, path: &str) {
        for entry in self.reader.map(node, &path) {
            let name = entry.key.to_string();
            let place = format!("{path}.{name}");
            let item = self.ruleset.item(&name);
            let added = self.added_item(&name);
            if item.is_none() && !added {
                let near = nearest(&name, self.ruleset.items().iter().map(|item| &*item.name));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let span = range(entry.key_span());
                // An item whose rule file does not load must not lock the game.
                let lost = !self.ruleset.problems.is_empty();
                let message = format!("`{name}` is no item of {}", self.ruleset.name);
                let problem = self.reader.problem_at("unknown-item", span, &place, message);
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
                    None => counts.extend(self.reader.int(node, &place)),
                }
            }
            let Some(count) = counts.first().copied() else { continue };
            if let Some(least) = item.and_then(|item| item.least).filter(|least| count < *least) {
                self.reader.problem("too-few", &entry.value, &place, format!("{count} {name} are fewer than {least}"));
            }
            if count != 0 {
                player.items.push((shared, count));
            }
        }
    }

    /// Whether play has made this item: a row added by an amendment, or a kind of another kind (GB-7).
    fn added_item(&self, name: &str) -> bool {
        let plain = self.ruleset.plain(name);
        self.added.iter().any(|added| **added == *plain) || plain != name && self.ruleset.item(plain).is_some()
    }

    fn rulings(&mut self, node: Option<&Node>) -> Arc<Value> {
        let Some(node) = node else { return Arc::default() };
        let switches = &self.ruleset.switches;
        let known: Vec<&str> = switches.iter().map(|switch| switch.key.as_str()).collect();
        let entries = self.reader.map(node, &"rulings");
        self.reader.only(entries, &"rulings", &known);
        for entry in entries {
            let Some(switch) = self.ruleset.switch(&entry.key.to_string()) else { continue };
            let path = format!("rulings.{}", entry.key);
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
                    format!("`{value}` is no reading of `{}`", switch.key),
                );
                let values: Vec<String> = switch.values.iter().map(|value| quoted(value)).collect();
                problem.help = Some(format!("one of {} ({})", values.join(", "), switch.ruling));
            }
        }
        Arc::new(node.to_value())
    }

    /// A proposal has a number; what the ruleset declares of it must fit, and people may keep more beside it.
    fn proposals(&mut self, node: &Node) {
        let fields = &self.ruleset.declared.proposals;
        for entry in self.reader.map(node, &"proposals") {
            let path = format!("proposals.{}", entry.key);
            if !matches!(entry.key, Key::Int(1..)) {
                let span = range(entry.key_span());
                let message = format!("`{}` is no number of a proposal", entry.key);
                self.reader.problem_at("wrong-value", span, &path, message).help =
                    Some("proposals are numbered from 1 on".into());
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

/// A value as it must stand in YAML: `yes` and `no` in quotes, or another reader takes them for true and false.
fn quoted(value: &str) -> String {
    if matches!(value, "yes" | "no" | "on" | "off") { format!("\"{value}\"") } else { value.to_owned() }
}
