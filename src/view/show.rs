//! The tables of `show`.

use std::sync::Arc;

use super::Grid;
use crate::data::Value;
use crate::game::{Game, SpaceId};
use crate::ruleset::{Field, Ruleset};

/// Lists players with location, items, marks and counts.
pub fn players(ruleset: &Ruleset, game: &Game) -> Grid {
    let mut grid = Grid::new("Players", &["player", "location", "items", "marks", "counts"]);
    for (_, player) in game.players() {
        let counts = player.items.iter().map(|(name, count)| format!("{count} {name}"));
        let items: Vec<String> =
            counts.chain(player.symbolic.iter().map(|(name, word)| format!("{word} {name}"))).collect();
        let counts = ruleset.declared.player_fields.iter().filter(|field| field.bookkeeping);
        let counts = counts.filter_map(|field| Some(format!("{}: {}", field.name, player.fields.get(&field.name)?)));
        let counts = counts.collect::<Vec<_>>().join(", ");
        grid.row([
            player.name.to_string(),
            player.location.to_string(),
            items.join(", "),
            shown(&player.marks),
            counts,
        ]);
    }
    grid
}

/// Lists spaces with their links, fields and players; then, if there are links, lines and loops (B-7, B-8).
pub fn board(ruleset: &Ruleset, game: &Game) -> Vec<Grid> {
    let shown_by = ruleset.declared.shown_by.as_ref();
    let told = |name: &&Field| game.board().spaces().any(|space| space.fields.get(&name.name).is_some());
    let fields = ruleset.declared.space_fields.iter().filter(|field| Some(&field.name) != shown_by).filter(told);
    let fields: Vec<&str> = fields.map(|field| &*field.name).collect();
    let has_links = game.board().spaces().any(|space| !space.successors.is_empty());
    let links: &[&str] = if has_links { &["successors", "predecessors"] } else { &[] };
    let mut spaces = Grid::new("Spaces", &[&["space", "type"], links, &fields, &["players"]].concat());
    let list = |ids: &[SpaceId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut before: std::collections::BTreeMap<SpaceId, Vec<SpaceId>> = std::collections::BTreeMap::new();
    for space in game.board().spaces() {
        for next in &space.successors {
            before.entry(*next).or_default().push(space.id);
        }
    }
    let mut all: Vec<_> = game.board().spaces().collect();
    all.sort_by_key(|space| space.id);
    for space in all {
        let shown = shown_by.and_then(|field| space.fields.get(field));
        let kind = shown.map_or_else(|| space.kind.to_string(), |shown| format!("{} ({shown})", space.kind));
        let here: Vec<&str> = game.players_on(space.id).map(|player| &*game.player(player).name).collect();
        let mut row = vec![space.id.to_string(), kind];
        if has_links {
            row.extend([list(&space.successors), list(before.get(&space.id).map_or(&[], Vec::as_slice))]);
        }
        row.extend(fields.iter().map(|field| space.fields.get(field).map_or_else(String::new, ToString::to_string)));
        row.push(here.join(", "));
        spaces.row(row);
    }
    if !has_links {
        return vec![spaces];
    }
    let mut runs = Grid::new("Lines and loops", &["from", "to", "what"]);
    let found = [(game.board().lines(), "line (B-7)"), (game.board().loops(), "loop (B-8)")];
    for ((from, to), what) in found.iter().flat_map(|(pairs, what)| pairs.iter().map(move |pair| (pair, what))) {
        runs.row([from.to_string(), to.to_string(), (*what).to_owned()]);
    }
    vec![spaces, runs]
}

/// Lists all items, what they do and who has them.
pub fn items(ruleset: &Ruleset, game: &Game) -> Grid {
    let mut grid = Grid::new("Items", &["id", "item", "what it does", "asks", "held by"]);
    let rows = ruleset.rows(game);
    let letter = ruleset.declared.rows.as_ref().map_or("", |rows| rows.letter.as_str());
    let mut names = ruleset.item_names(game);
    // Items made from others, and items of removed rows, are listed if a player has them.
    let held = game.players().flat_map(|(_, player)| player.items.iter().map(|(name, _)| name));
    for name in held {
        if !names.contains(name) {
            names.push(Arc::clone(name));
        }
    }
    for name in names {
        let number = rows.iter().find(|(_, row)| *row == name).map(|(number, _)| format!("{letter}-{number:03}"));
        let held = game.players().filter_map(|(_, player)| {
            player.items_value().get(&name).map(|count| format!("{} ({count})", player.name))
        });
        let rule = ruleset.item(&name).filter(|rule| rule.number.is_some());
        let said = rule.map(|rule| ruleset.item_file(rule)).or_else(|| ruleset.added_row(game, &name).cloned());
        let part = |key: &str| said.as_ref().and_then(|said| said.get(key)).cloned().unwrap_or_default();
        let asks = part("asks").items().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = part("text").as_text().map(|text| text.trim().to_owned()).unwrap_or_default();
        let held = held.collect::<Vec<_>>().join(", ");
        grid.row([number.unwrap_or_default(), name.to_string(), text, asks, held]);
    }
    grid
}

/// Lists the log, newest entry last.
pub fn log(game: &Game) -> Grid {
    let mut grid = Grid::new("Log", &["id", "phase", "at", "action", "drawn", "changes"]);
    for entry in game.log.iter() {
        let at = entry.action.at.map_or_else(String::new, |at| at.to_string());
        let outcome =
            entry.outcome.map_or_else(|| entry.changes.entries().len().to_string(), |own| own.word().to_owned());
        let drawn = shown(&entry.action.random);
        grid.row([entry.id.to_string(), entry.action.phase.to_string(), at, entry.action.what.clone(), drawn, outcome]);
    }
    grid
}

/// Lists pending actions.
pub fn pending(game: &Game) -> Grid {
    let mut grid = Grid::new("Pending", &["phase", "at", "action", "drawn", "chosen"]);
    for action in game.pending.iter() {
        let at = action.at.map_or_else(String::new, |at| at.to_string());
        grid.row([action.phase.to_string(), at, action.what.clone(), shown(&action.random), shown(&action.chosen)]);
    }
    grid
}

/// Lists proposals by number.
pub fn proposals(game: &Game) -> Grid {
    let mut grid = Grid::new("Proposals", &["number", "title", "author", "class", "status"]);
    for (number, proposal) in game.proposals.entries() {
        let text = |key: &str| proposal.get(key).map_or_else(String::new, ToString::to_string);
        grid.row([number.to_string(), text("title"), text("author"), text("class"), text("status")]);
    }
    grid
}

fn shown(value: &Value) -> String {
    value.entries().iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ")
}
