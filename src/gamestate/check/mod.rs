//! Checks a gamestate file as a whole and makes a game from it, reporting all problems at once.

use std::sync::Arc;

use super::dice::OLDER;
use super::fields::{Path, Reader, top as start_of};
use super::phases::future_phases;
use super::{Checked, GamestateFile};
use crate::data::Value;
use crate::game::{Game, Name};
use crate::ruleset::Ruleset;
use crate::yaml::Node;

mod players;
mod sections;
mod spaces;

const TOP: [&str; 16] = [
    "format",
    "ruleset",
    "id",
    "dice",
    OLDER,
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
    let top = check.reader.map(root, &Path::TOP);
    check.reader.only(top, &Path::TOP, &TOP);
    for key in ["format", "ruleset", "players", "spaces"] {
        if root.get(key).is_none() {
            check.reader.problem_at("missing", start_of(root), &Path::section(&key), format!("`{key}` is missing"));
        }
    }
    if let Some(node) = root.get("format")
        && check.reader.int(node, &Path::section(&"format")).is_some_and(|format| format != 1)
    {
        let problem = check.reader.problem("unknown-format", node, &Path::section(&"format"), "unsupported format");
        problem.help = Some("this version supports `format: 1`".into());
    }
    let game = check.game(root);
    let mut problems = check.reader.problems;
    problems.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span.start));
    let playable = problems.iter().all(|problem| problem.warning);
    Checked { game: game.clone().filter(|_| playable), as_read: game, problems }
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
        let name = root.get("ruleset").and_then(|node| self.reader.text(node, &Path::section(&"ruleset")))?;
        let mut game = Game::new(&name, players, board);
        if let Some(node) = root.get("started") {
            game.started = self.reader.time(node, &Path::section(&"started"));
        }
        if let Some(node) = root.get("phase") {
            game.phase = self.reader.phase(node, &Path::section(&"phase")).unwrap_or(1);
        }
        future_phases(&mut self.reader, rules, root.get("players"), game.phase);
        let (id, dice) = self.reader.id_and_dice(root);
        (game.id, game.dice) = (id.as_str().into(), Arc::new(dice));
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
}
