//! What a ruleset says, for people.

use super::Grid;
use crate::data::Value;
use crate::game::Game;
use crate::ruleset::{Field, Ruleset};

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
pub(super) fn amendments<'a>(ruleset: &'a Ruleset, game: &'a Game) -> impl Iterator<Item = (&'a Field, &'a Value)> {
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
