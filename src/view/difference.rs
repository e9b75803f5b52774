//! What is different between two rulesets, thing by thing, as players see it.

use super::grid::Grid;
use crate::rulebook::{Field, Rulebook};
use crate::value::Value;
use crate::yaml::Document;

/// A table of everything that is only in one of two rulesets, or not the same in both.
pub fn difference(old: &Rulebook, new: &Rulebook) -> Grid {
    let mut grid = Grid::new("What is different", &["what", "name", "before", "after"]);
    let fields = |list: fn(&Rulebook) -> &[Field]| {
        let named = |rulebook| -> Vec<(String, String)> {
            list(rulebook).iter().map(|field| (field.name.to_string(), described(field))).collect()
        };
        (named(old), named(new))
    };
    for (what, (before, after)) in [
        ("setting", fields(|rulebook| &rulebook.ruleset.settings)),
        ("state", fields(|rulebook| &rulebook.ruleset.state)),
        ("mark", fields(|rulebook| &rulebook.ruleset.marks)),
        ("category", (categories(old), categories(new))),
        ("space type", (files(old, "spaces/"), files(new, "spaces/"))),
        ("item", (items(old), items(new))),
        ("command", (actions(old), actions(new))),
        ("phase", (calendar(old), calendar(new))),
    ] {
        compare(&mut grid, what, &before, &after);
    }
    grid
}

fn compare(grid: &mut Grid, what: &str, before: &[(String, String)], after: &[(String, String)]) {
    let find =
        |list: &[(String, String)], name: &str| list.iter().find(|(own, _)| own == name).map(|(_, text)| text.clone());
    for (name, text) in before {
        match find(after, name) {
            None => grid.row([what.into(), name.clone(), text.clone(), "–".into()]),
            Some(now) if now != *text => grid.row([what.into(), name.clone(), text.clone(), now]),
            Some(_) => {}
        }
    }
    for (name, text) in after.iter().filter(|(name, _)| find(before, name).is_none()) {
        grid.row([what.into(), name.clone(), "–".into(), text.clone()]);
    }
}

fn described(field: &Field) -> String {
    let default = if field.default.is_empty() { String::new() } else { format!(", {} to begin with", field.default) };
    format!("{}{default}", field.kind.describe())
}

fn categories(rulebook: &Rulebook) -> Vec<(String, String)> {
    let members = |members: &[crate::game::Name]| members.iter().map(|own| &**own).collect::<Vec<_>>().join(", ");
    rulebook.ruleset.categories.iter().map(|(name, own)| (name.to_string(), members(own))).collect()
}

fn actions(rulebook: &Rulebook) -> Vec<(String, String)> {
    rulebook.ruleset.actions.iter().map(|action| (action.name.clone(), action.text.clone())).collect()
}

fn calendar(rulebook: &Rulebook) -> Vec<(String, String)> {
    rulebook.ruleset.calendar.iter().map(|(name, days)| (name.clone(), format!("{days} days"))).collect()
}

/// Items by name, with their number and what they say.
fn items(rulebook: &Rulebook) -> Vec<(String, String)> {
    let text = |item: &crate::rulebook::ItemRule| {
        rulebook.item_file(item).get("text").map_or_else(String::new, Value::to_string)
    };
    let described = |item: &crate::rulebook::ItemRule| {
        let number = item.number.map_or_else(String::new, |number| format!("{number}: "));
        (item.name.to_string(), format!("{number}{}", text(item).trim()))
    };
    rulebook.items().iter().map(described).collect()
}

/// Rule files below a folder by the name of what they are about, with its text.
fn files(rulebook: &Rulebook, folder: &str) -> Vec<(String, String)> {
    let below = rulebook.sources().iter().filter(|source| source.name.contains(&format!("/{folder}")));
    let named = |source: &std::sync::Arc<crate::problem::Source>| {
        let law = source.text.split("\ncases:").next().unwrap_or_default();
        let document = Document::parse(law).ok()?;
        let part = |key: &str| document.root().get(key).map(|node| node.to_value().to_string());
        Some((part("name")?, part("text").unwrap_or_default().trim().to_owned()))
    };
    below.filter_map(named).collect()
}
