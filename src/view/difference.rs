//! Compares two rulesets, thing by thing, as players see them.

use super::grid::Grid;
use crate::data::Value;
use crate::game::Name;
use crate::ruleset::{Field, Ruleset};

/// One thing in a ruleset, such as an item or a field.
struct Thing {
    name: String,
    /// The text shown to players.
    shown: String,
    /// The text that is compared.
    whole: String,
}

impl Thing {
    fn new(name: &str, shown: String) -> Self {
        Self { name: name.to_owned(), whole: shown.clone(), shown }
    }
}

/// Lists everything that is in only one of two rulesets, or differs.
pub fn difference(old: &Ruleset, new: &Ruleset) -> Grid {
    let mut grid = Grid::new("Differences", &["what", "name", "before", "after"]);
    let mut compare = |what: &str, things: &dyn Fn(&Ruleset) -> Vec<Thing>| {
        rows(&mut grid, what, &things(old), &things(new));
    };
    compare("setting", &|ruleset| fields(&ruleset.declared.settings));
    compare("state", &|ruleset| fields(&ruleset.declared.state));
    compare("player", &|ruleset| fields(&ruleset.declared.player_fields));
    compare("mark", &|ruleset| fields(&ruleset.declared.marks));
    compare("space", &|ruleset| fields(&ruleset.declared.space_fields));
    compare("amendment", &|ruleset| fields(&ruleset.declared.amendments));
    compare("proposal", &|ruleset| fields(&ruleset.declared.proposals));
    compare("category", &categories);
    compare("space type", &|ruleset| {
        ruleset.space_types().map(|rule| law(&rule.name, &ruleset.type_file(rule))).collect()
    });
    compare("item", &|ruleset| ruleset.items().iter().map(|item| law(&item.name, &ruleset.item_file(item))).collect());
    compare("command", &actions);
    compare("phase", &calendar);
    compare("mechanism", &mechanisms);
    grid
}

fn rows(grid: &mut Grid, what: &str, before: &[Thing], after: &[Thing]) {
    let find = |list: &[Thing], name: &str| list.iter().position(|own| own.name == name);
    for thing in before {
        match find(after, &thing.name).map(|index| &after[index]) {
            None => grid.row([what.into(), thing.name.clone(), thing.shown.clone(), "–".into()]),
            Some(now) if now.whole != thing.whole => {
                grid.row([what.into(), thing.name.clone(), thing.shown.clone(), now.shown.clone()]);
            }
            Some(_) => {}
        }
    }
    for thing in after.iter().filter(|thing| find(before, &thing.name).is_none()) {
        grid.row([what.into(), thing.name.clone(), "–".into(), thing.shown.clone()]);
    }
}

fn fields(list: &[Field]) -> Vec<Thing> {
    let described = |field: &Field| {
        let default = if field.default.is_empty() { String::new() } else { format!(", default {}", field.default) };
        format!("{}{default}", field.kind.describe())
    };
    list.iter().map(|field| Thing::new(&field.name, described(field))).collect()
}

fn categories(ruleset: &Ruleset) -> Vec<Thing> {
    let members = |members: &[Name]| members.iter().map(|own| &**own).collect::<Vec<_>>().join(", ");
    ruleset.declared.categories.iter().map(|(name, own)| Thing::new(name, members(own))).collect()
}

fn actions(ruleset: &Ruleset) -> Vec<Thing> {
    ruleset.declared.actions.iter().map(|action| Thing::new(&action.name, action.text.clone())).collect()
}

fn calendar(ruleset: &Ruleset) -> Vec<Thing> {
    ruleset.declared.calendar.iter().map(|(name, days)| Thing::new(name, format!("{days} days"))).collect()
}

/// Describes a space type or an item by its number and text; its effects are compared as well.
fn law(name: &str, says: &Value) -> Thing {
    let text = says.get("text").map_or_else(String::new, |text| text.to_string().trim().to_owned());
    let number = says.get("id").map_or_else(String::new, |number| format!("{number}: "));
    let mut whole = says.clone();
    for source in ["cites", "like"] {
        whole.remove(source);
    }
    Thing { name: name.to_owned(), shown: format!("{number}{text}"), whole: whole.in_order().to_string() }
}

/// Describes functions by their docstrings and constants by their text.
fn mechanisms(ruleset: &Ruleset) -> Vec<Thing> {
    let thing = |(name, _, text): (&str, _, &str)| {
        let said = text.split("\"\"\"").nth(1).filter(|_| text.starts_with("def ")).unwrap_or(text);
        let shown = said.split_whitespace().collect::<Vec<_>>().join(" ");
        Thing { name: name.to_owned(), shown, whole: text.trim().to_owned() }
    };
    ruleset.definitions().map(thing).collect()
}
