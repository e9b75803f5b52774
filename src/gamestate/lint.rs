//! Finds what is suspicious in a game that can be played, and fixes what can be fixed safely.

use std::collections::BTreeSet;

use super::GamestateFile;
use super::save::STYLE;
use crate::data::{Key, Pointer, Value};
use crate::diagnostic::Problem;
use crate::game::{Game, SpaceId};
use crate::ruleset::Ruleset;
use crate::yaml::{Edit, Node, locate};

impl GamestateFile {
    /// Warns of spaces that cannot be reached, types that only one space should have, values without effect, and actions of
    /// earlier phases.
    pub fn lint(&self, ruleset: &Ruleset, game: &Game) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut warn = |code: &'static str, path: Pointer, message: String, help: &str| {
            let place = Some(self.place_of(&path));
            problems.push(Problem { warning: true, place, path, ..Problem::new(code, message).help(help) });
        };
        let lost = unreachable(ruleset, game);
        if let Some(first) = lost.first() {
            let shown = lost.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let more = if lost.len() > 8 { format!(" and {} more", lost.len() - 8) } else { String::new() };
            let message = format!("spaces {shown}{more} cannot be reached from the initial space or any player");
            warn(
                "unreachable",
                ["spaces", &*first.to_string()].into(),
                message,
                "links may be missing (CN-1); items can still reach them",
            );
        }
        for rule in ruleset.space_types().filter(|rule| rule.unique) {
            let twice: Vec<SpaceId> =
                game.board().spaces().filter(|own| own.kind == rule.name).map(|own| own.id).collect();
            if let [_, second, ..] = twice[..] {
                let message = format!("only one space may be {}, but {} are (S-5)", rule.name, twice.len());
                warn(
                    "not-unique",
                    ["spaces", &*second.to_string(), "type"].into(),
                    message,
                    "change the type of all but one",
                );
            }
        }
        for field in ruleset.declared.state.iter().filter(|field| !ruleset.means_something(game, field)) {
            if let (Some(value), Some((switch, reading))) = (game.state.get(&field.name), &field.under) {
                let message = format!("`{}` has no effect under the current rulings", field.name);
                let help = format!(
                    "it is {value}; it has an effect only if `{switch}: {reading}`; `referee adjudicate` can remove it"
                );
                warn("means-nothing", ["state", &*field.name].into(), message, &help);
            }
        }
        for pending in game.pending.iter().filter(|pending| pending.phase < game.phase) {
            let message =
                format!("`{}` was started in phase {}, but this is phase {}", pending.what, pending.phase, game.phase);
            warn(
                "past-phase",
                ["pending"].into(),
                message,
                "it can no longer be performed (PA-4); `referee drop` moves its draws to the log",
            );
        }
        problems
    }

    /// Fixes successors named twice, pseudo-types of spaces without a category, and a missing initial space. Returns the text
    /// and what was done; nothing else of the file changes.
    ///
    /// # Errors
    /// `cannot-edit` if the text cannot be edited safely.
    pub fn fixed(&self, ruleset: &Ruleset) -> Result<(String, Vec<String>), Problem> {
        let rules = &ruleset.declared;
        let mut edits = Vec::new();
        let mut done = Vec::new();
        let root = self.document.root();
        let spaces = root.get("spaces").map_or(&[][..], Node::entries);
        for entry in spaces {
            let at = |field: &str| locate(root, &["spaces", &*entry.key.to_string(), field].into()).0;
            let links = entry.value.get("successors").map(Node::to_value).unwrap_or_default();
            let mut kept: Vec<Value> = Vec::new();
            for to in links.items() {
                if !kept.contains(to) {
                    kept.push(to.clone());
                }
            }
            if kept.len() < links.items().len() {
                done.push(format!("removed duplicate successors of space {}", entry.key));
                edits.push(Edit::Set { path: at("successors"), value: Value::List(kept) });
            }
            let Some(field) = &rules.shown_by else { continue };
            let kind = entry.value.get("type").map(|node| node.to_value().to_string());
            let is_category = ruleset.category(kind.as_deref().unwrap_or(&rules.default_type)).is_some();
            if !is_category && entry.value.get(field).is_some() {
                done.push(format!("removed the {field} of space {}, which has no category", entry.key));
                edits.push(Edit::Remove { path: at(field) });
            }
        }
        let initial = rules.initial_space;
        if !spaces.iter().any(|entry| entry.key.is(&initial.to_string())) {
            done.push(format!("created space {initial} (B-5)"));
            let path = locate(root, &["spaces", &*initial.to_string()].into()).0;
            let value = Value::Map(vec![(Key::from("type"), Value::from(&*rules.default_type))]);
            edits.push(Edit::Set { path, value });
        }
        let edited = self.document.edit(&edits, &STYLE);
        let edited = edited.map_err(|cannot| Problem::new("cannot-edit", cannot.message))?;
        Ok((edited.text().to_owned(), done))
    }
}

/// Returns the spaces that no links lead to from the initial space or from any player, in the order of the file.
fn unreachable(ruleset: &Ruleset, game: &Game) -> Vec<SpaceId> {
    let mut open: Vec<SpaceId> = game.players().map(|(_, player)| player.location).collect();
    open.push(ruleset.declared.initial_space);
    let mut reached: BTreeSet<SpaceId> = open.iter().copied().collect();
    while let Some(here) = open.pop() {
        let next = game.space(here).map_or(&[][..], |space| &space.successors[..]);
        open.extend(next.iter().copied().filter(|to| reached.insert(*to)));
    }
    // Places on a map are not reached by links.
    let linked = game.board().spaces().filter(|space| space.id.place().is_none());
    linked.map(|space| space.id).filter(|id| !reached.contains(id)).collect()
}
