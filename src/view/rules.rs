//! What a ruleset says, for people.

use super::Grid;
use crate::game::Game;
use crate::rulebook::Rulebook;
use crate::value::Value;
use crate::yaml::Document;

/// Types, categories, items, actions and switches of a ruleset.
pub fn rule_list(rulebook: &Rulebook) -> Grid {
    let mut grid = Grid::new("Rules", &["what", "name", "rule"]);
    for rule in rulebook.space_types() {
        grid.row(["space type".into(), rule.name.to_string(), rule.cites.join(", ")]);
    }
    for (name, members) in &rulebook.ruleset.categories {
        let members = members.iter().map(|member| &**member).collect::<Vec<_>>().join(", ");
        grid.row(["category".into(), name.to_string(), members]);
    }
    for item in rulebook.items() {
        grid.row(["item".into(), item.name.to_string(), item.cites.join(", ")]);
    }
    for action in &rulebook.ruleset.actions {
        grid.row(["action".into(), action.name.clone(), action.text.clone()]);
    }
    grid
}

/// Every switch with its values and who set it.
pub fn switches(rulebook: &Rulebook, game: Option<&Game>) -> Grid {
    let mut grid = Grid::new("Rulings", &["switch", "in force", "values, the default first", "ruling", "question"]);
    for switch in &rulebook.switches {
        let set = game.and_then(|game| game.rulings.get(&switch.key));
        let value = set.map_or_else(|| switch.default().to_owned(), |set| set.get("value").unwrap_or(set).to_string());
        let by = set.and_then(|set| set.get("by")).map_or_else(String::new, |by| format!(" (by {by})"));
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
pub fn rule(rulebook: &Rulebook, game: Option<&Game>, wanted: &str) -> Option<String> {
    let name = game.and_then(|game| crate::rulebook::find_item(rulebook, game, wanted).ok());
    let mut found = String::new();
    for source in rulebook.sources() {
        let law = source.text.split("\ncases:").next().unwrap_or_default();
        let Ok(document) = Document::parse(law) else { continue };
        let top = document.root();
        let Some(title) =
            top.get("name").filter(|_| top.get("actions").is_none()).map(|node| node.to_value().to_string())
        else {
            continue;
        };
        let cites: Vec<String> = top
            .get("cites")
            .map_or_else(Vec::new, |node| node.to_value().items().iter().map(ToString::to_string).collect());
        let meant = title.eq_ignore_ascii_case(wanted)
            || name.as_ref().is_some_and(|name| **name == title)
            || cites.iter().any(|id| id.eq_ignore_ascii_case(wanted));
        if !meant {
            continue;
        }
        found.push_str(&format!("{title}  [{}]  {}\n", cites.join(", "), source.name));
        for entry in top.entries() {
            let key = entry.key.to_string();
            let text = entry.value.to_value();
            match &text {
                Value::Text(text) if key == "text" => {
                    found.push_str(&format!("\n  {}\n", text.trim().replace('\n', "\n  ")));
                }
                Value::Text(text) if rulebook.ruleset.hooks.contains_key(&key) => {
                    found.push_str(&format!("\n  {key}:\n    {}\n", text.trim_end().replace('\n', "\n    ")));
                }
                _ => {}
            }
        }
        for switch in rulebook.switches.iter().filter(|switch| cites.contains(&switch.ruling)) {
            let value = game.and_then(|game| game.ruling(&switch.key)).unwrap_or(switch.default());
            found.push_str(&format!(
                "\n  {} ({}): {}\n    {}: {value}; of {}\n",
                switch.ruling,
                rulebook.name,
                switch.question,
                switch.key,
                switch.values.join(", ")
            ));
        }
        found.push('\n');
    }
    for source in rulebook.sources().iter().filter(|source| source.name.ends_with("star")) {
        // A mechanism cites its rules in the texts and comments of its functions.
        for function in source.text.split("\ndef ").skip(1).filter(|function| names(function, wanted)) {
            let code = function.trim_end().replace('\n', "\n  ");
            found.push_str(&format!("{}\n\n  def {code}\n\n", source.name));
        }
    }
    let by_id =
        rulebook.switches.iter().filter(|switch| switch.key == wanted || switch.ruling.eq_ignore_ascii_case(wanted));
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
