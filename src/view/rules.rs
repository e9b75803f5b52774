//! What a ruleset says, for people.

use super::Grid;
use crate::data::Value;
use crate::game::Game;
use crate::ruleset::{Field, Ruleset, Switch};

/// Types, categories, items, actions and switches of a ruleset.
pub fn rule_list(ruleset: &Ruleset, game: Option<&Game>) -> Grid {
    let mut grid = Grid::new("Rules", &["what", "name", "rule"]);
    for rule in ruleset.space_types() {
        grid.row(["space type".into(), rule.name.to_string(), rule.cites.join(", ")]);
    }
    for (name, members) in &ruleset.declared.categories {
        let members = members.iter().map(|member| &**member).collect::<Vec<_>>().join(", ");
        grid.row(["category".into(), name.to_string(), members]);
    }
    for item in ruleset.items() {
        grid.row(["item".into(), item.name.to_string(), item.cites.join(", ")]);
    }
    for action in &ruleset.declared.actions {
        grid.row(["action".into(), action.name.clone(), action.text.clone()]);
    }
    for (field, value) in game.iter().flat_map(|game| amendments(ruleset, game)) {
        grid.row(["amendment".into(), format!("{}: {value}", field.name), field.text.clone()]);
    }
    grid
}

/// What play has amended in the rules.
fn amendments<'a>(ruleset: &'a Ruleset, game: &'a Game) -> impl Iterator<Item = (&'a Field, &'a Value)> {
    let fields = ruleset.declared.amendments.iter();
    fields.filter_map(|field| Some((field, game.amendments.get(&field.name).filter(|value| **value != field.default)?)))
}

/// Every switch with its values and who set it.
pub fn switches(ruleset: &Ruleset, game: Option<&Game>) -> Grid {
    let mut grid = Grid::new("Rulings", &["switch", "in force", "values, the default first", "ruling", "question"]);
    for switch in &ruleset.switches {
        let set = game.and_then(|game| game.rulings.get(&switch.key));
        let value = set.map_or_else(|| switch.default().to_owned(), |set| set.get("value").unwrap_or(set).to_string());
        let source = |key: &str, before: &str| {
            set.and_then(|set| set.get(key)).map_or_else(String::new, |value| format!("{before}{value}"))
        };
        let source = format!("{}{}{}", source("by", "by "), source("request", " on request "), source("at", ", "));
        let by = if source.is_empty() { source } else { format!(" ({source})") };
        grid.row([
            switch.key.clone(),
            format!("{value}{by}"),
            switch.values.join(", "),
            switch.ruling.clone(),
            switch.question.clone(),
        ]);
    }
    grid
}

/// The rules that a name, a number or a catalogue ID finds: their text, effects, cases and switches.
pub fn rule(ruleset: &Ruleset, game: Option<&Game>, wanted: &str) -> Option<String> {
    let name = game.and_then(|game| crate::ruleset::find_item(ruleset, game, wanted).ok());
    let mut found = String::new();
    for (source, top) in ruleset.rule_files() {
        let title = top.get("name").map_or_else(String::new, ToString::to_string);
        let cites: Vec<String> =
            top.get("cites").map_or(&[][..], Value::items).iter().map(ToString::to_string).collect();
        let meant = title.eq_ignore_ascii_case(wanted)
            || name.as_ref().is_some_and(|name| *ruleset.plain(name) == title)
            || cites.iter().any(|id| id.eq_ignore_ascii_case(wanted));
        if !meant {
            continue;
        }
        found.push_str(&format!("{title}  [{}]  {}\n", cites.join(", "), source.name));
        let mut effects = String::new();
        for (key, value) in top.entries() {
            match value {
                Value::Text(text) if key.is("text") => {
                    found.push_str(&format!("\n  {}\n", text.trim().replace('\n', "\n  ")));
                }
                Value::Text(text) if ruleset.declared.hooks.contains_key(&key.to_string()) => {
                    effects.push_str(&format!("\n  {key}:\n    {}\n", text.trim_end().replace('\n', "\n    ")));
                }
                _ => {}
            }
        }
        for (key, when) in [("asks", "it can ask for"), ("asks-later", "later it can ask for")] {
            let Some(keys) = top.get(key) else { continue };
            let how = |key: &String| ruleset.declared.selections.iter().find(|(own, _)| own == key);
            let each = keys.items().iter().map(ToString::to_string);
            let each = each.map(|key| how(&key).map_or_else(|| key.clone(), |(_, how)| format!("{key} ({how})")));
            found.push_str(&format!("\n  {when}: {}\n", each.collect::<Vec<_>>().join(", ")));
        }
        let own = |id: &str| cites.first().is_some_and(|first| first == id);
        for (field, value) in game.iter().flat_map(|game| amendments(ruleset, game)) {
            if cites.first().is_some_and(|id| names(&field.text, id)) {
                found.push_str(&format!("\n  {}: {value}\n    {}\n", field.name, field.text));
            }
        }
        let concerned = |switch: &&Switch| cites.contains(&switch.ruling) || switch.cites.iter().any(|id| own(id));
        for switch in ruleset.switches.iter().filter(concerned) {
            let value = game.and_then(|game| game.ruling(&switch.key)).unwrap_or(switch.default());
            found.push_str(&format!(
                "\n  {}: {}\n    {}: {value}; of {}\n",
                switch.ruling,
                switch.question,
                switch.key,
                switch.values.join(", ")
            ));
        }
        found.push_str(&effects);
        found.push('\n');
    }
    let added = game.zip(name.as_ref()).and_then(|(game, kind)| ruleset.added_row(game, ruleset.plain(kind)));
    if let Some(row) = added.filter(|_| found.is_empty()) {
        let part = |key: &str| row.get(key).map_or_else(String::new, ToString::to_string);
        found.push_str(&format!("{}  [row {}, added in play]\n\n  {}\n\n", part("name"), part("id"), part("text")));
        found.push_str("  no effect is written for it: a use does nothing, unless the steward adjudicates (GB-3)\n\n");
    }
    // A mechanism cites its rules in the texts and comments of its functions.
    for (_, source, code) in ruleset.definitions().filter(|(name, _, code)| *name == wanted || names(code, wanted)) {
        found.push_str(&format!("{}\n\n  {}\n\n", source.name, code.trim_end().replace('\n', "\n  ")));
    }
    let by_id =
        ruleset.switches.iter().filter(|switch| switch.key == wanted || switch.ruling.eq_ignore_ascii_case(wanted));
    for switch in by_id {
        let value = game.and_then(|game| game.ruling(&switch.key)).unwrap_or(switch.default());
        let cites = switch.cites.join(", ");
        found.push_str(&format!(
            "{}  [{}; {cites}]\n\n  {}\n  in force: {value}; of {}\n\n",
            switch.key,
            switch.ruling,
            switch.question,
            switch.values.join(", ")
        ));
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a text names an ID: M-1, and not M-10.
fn names(text: &str, id: &str) -> bool {
    let is_id =
        id.split_once('-').is_some_and(|(_, number)| number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty());
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
    is_id && text.match_indices(id).any(|(place, _)| ends(&text[place + id.len()..]))
}
