//! A closer look than playing needs: what is odd about a game though it can be played, and what can be mended safely.

use std::collections::BTreeSet;

use super::GamestateFile;
use super::save::STYLE;
use crate::data::{Key, Value};
use crate::diagnostic::Problem;
use crate::game::{Game, SpaceId};
use crate::ruleset::Ruleset;
use crate::yaml::{Edit, Node, Step};

impl GamestateFile {
    /// What is odd: spaces that nobody can reach, types that only one space should have, actions of a phase gone by.
    pub fn odd(&self, ruleset: &Ruleset, game: &Game) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut odd = |code: &'static str, pointer: &str, message: String, help: &str| {
            let place = self.place_of(pointer);
            found.push(Problem {
                warning: true,
                place,
                path: pointer.into(),
                ..Problem::new(code, message).help(help)
            });
        };
        let lost = unreachable(ruleset, game);
        if let Some(first) = lost.first() {
            let shown = lost.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let more = if lost.len() > 8 { format!(" and {} more", lost.len() - 8) } else { String::new() };
            let message = format!("no way leads to {shown}{more}, from the initial space or from any player");
            odd(
                "unreachable",
                &format!("/spaces/{first}"),
                message,
                "links may be missing (CN-1); items can reach them all the same",
            );
        }
        for rule in ruleset.space_types().filter(|rule| rule.unique) {
            let twice: Vec<SpaceId> =
                game.board().spaces().filter(|own| own.kind == rule.name).map(|own| own.id).collect();
            if let [_, second, ..] = twice[..] {
                let message = format!("{} is unique, and {} spaces have it", rule.name, twice.len());
                odd(
                    "not-unique",
                    &format!("/spaces/{second}/type"),
                    message,
                    "only one space may have such a type (S-5)",
                );
            }
        }
        for field in ruleset.declared.state.iter().filter(|field| !ruleset.means_something(game, field)) {
            if let (Some(value), Some((switch, reading))) = (game.state.get(&field.name), &field.under) {
                let message = format!("`{}` is {value}, and means nothing", field.name);
                let help =
                    format!("it does by the ruling `{switch}: {reading}` only; `referee adjudicate` can take it out");
                odd("means-nothing", &format!("/state/{}", field.name), message, &help);
            }
        }
        for pending in game.pending.iter().filter(|pending| pending.phase < game.phase) {
            let message = format!(
                "`{}` was commenced in phase {}, and this is phase {}",
                pending.what, pending.phase, game.phase
            );
            odd(
                "past-phase",
                "/pending",
                message,
                "it can no longer be performed (PA-4): `referee drop` moves its draws to the log",
            );
        }
        found
    }

    /// The text with what is safe mended, and what was done: links named twice, a pseudo-type where none belongs, a missing
    /// initial space. Nothing else of the file changes.
    ///
    /// # Errors
    /// `cannot-edit` where the text cannot be edited safely.
    pub fn mended(&self, ruleset: &Ruleset) -> Result<(String, Vec<String>), Problem> {
        let rules = &ruleset.declared;
        let mut edits = Vec::new();
        let mut done = Vec::new();
        let key = |text: &str| Step::Key(Key::from(text));
        let spaces = self.document.root().get("spaces").map_or(&[][..], Node::entries);
        for entry in spaces {
            let at = |field: &str| vec![key("spaces"), Step::Key(entry.key.clone()), key(field)];
            let links = entry.value.get("successors").map(Node::to_value).unwrap_or_default();
            let mut kept: Vec<Value> = Vec::new();
            for to in links.items() {
                if !kept.contains(to) {
                    kept.push(to.clone());
                }
            }
            if kept.len() < links.items().len() {
                done.push(format!("space {} names each successor once", entry.key));
                edits.push(Edit::Set { path: at("successors"), value: Value::List(kept) });
            }
            let Some(field) = &rules.shown_by else { continue };
            let kind = entry.value.get("type").map(|node| node.to_value().to_string());
            let is_category = ruleset.category(kind.as_deref().unwrap_or(&rules.default_type)).is_some();
            if !is_category && entry.value.get(field).is_some() {
                done.push(format!("space {} is no category and has no {field}", entry.key));
                edits.push(Edit::Remove { path: at(field) });
            }
        }
        let initial = rules.initial_space;
        if !spaces.iter().any(|entry| entry.key.is(&initial.to_string())) {
            done.push(format!("space {initial} exists (B-5)"));
            let value = Value::Map(vec![(Key::from("type"), Value::from(&*rules.default_type))]);
            edits.push(Edit::Set { path: vec![key("spaces"), Step::Key(Key::from(initial))], value });
        }
        let edited = self.document.edit(&edits, &STYLE);
        let edited = edited.map_err(|cannot| Problem::new("cannot-edit", cannot.message))?;
        Ok((edited.text().to_owned(), done))
    }
}

/// The spaces to which no links lead from the initial space or from where somebody stands, in the order of the file.
fn unreachable(ruleset: &Ruleset, game: &Game) -> Vec<SpaceId> {
    let mut open: Vec<SpaceId> = game.players().map(|(_, player)| player.location).collect();
    open.push(ruleset.declared.initial_space);
    let mut reached: BTreeSet<SpaceId> = open.iter().copied().collect();
    while let Some(here) = open.pop() {
        let next = game.space(here).map_or(&[][..], |space| &space.successors[..]);
        open.extend(next.iter().copied().filter(|to| reached.insert(*to)));
    }
    // On a map it is not links that lead from place to place.
    let linked = game.board().spaces().filter(|space| space.id.place().is_none());
    linked.map(|space| space.id).filter(|id| !reached.contains(id)).collect()
}
