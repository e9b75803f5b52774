//! A ruleset as values: what it declares, its space types, items and switches, and its scripts.
//!
//! No rule of any game stands here; it is all read from a ruleset folder.

mod action;
mod calendar;
mod declare;
mod load;
mod names;
pub mod script;
mod switches;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

pub use action::{Action, ActionError, Argument, find_item, find_player};
pub use declare::{ActionRule, Field, ItemRule, Kind, Ruleset, TypeRule};
pub use load::Files;
pub(crate) use load::placed;
pub(crate) use names::find;
pub use switches::Switch;

use crate::game::{Game, Name};
use crate::problem::{Problem, Source};
use crate::value::Value;

/// One ruleset, ready to be played by. Scripts are compiled when first used.
#[derive(Debug)]
pub struct Rulebook {
    /// The name in `ruleset.yaml`, such as `cycle-15`.
    pub name: String,
    hash: OnceLock<String>,
    /// What `ruleset.yaml` declares.
    pub ruleset: Ruleset,
    /// The switches for what the texts leave open, in the order of their keys.
    pub switches: Vec<Switch>,
    /// Problems with single rule files, which keep only their own rule from working.
    pub problems: Vec<Problem>,
    types: BTreeMap<Name, TypeRule>,
    items: Vec<ItemRule>,
    item_places: BTreeMap<Name, usize>,
    pub(crate) scripts: script::Scripts,
}

impl Rulebook {
    /// Reads a ruleset from its files.
    ///
    /// # Errors
    /// What is wrong with `ruleset.yaml` or the list of switches. A rule file that does not load is among
    /// [`Self::problems`] instead, so that it never keeps the rest of the game from going on.
    pub fn load(files: &Files) -> Result<Self, Vec<Problem>> {
        load::load(files)
    }

    /// The ruleset and eight hexadecimal digits that stand for its texts, the cases left out, as log entries pin it.
    pub fn pin(&self) -> String {
        format!("{}@{}", self.name, self.hash.get_or_init(|| load::hash(self.sources())))
    }

    /// The space type of this name.
    pub fn space_type(&self, name: &str) -> Option<&TypeRule> {
        self.types.get(name)
    }

    /// All space types in the order of their names.
    pub fn space_types(&self) -> impl Iterator<Item = &TypeRule> {
        self.types.values()
    }

    /// The members of a category, if there is one of this name (C-1).
    pub fn category(&self, name: &str) -> Option<&[Name]> {
        self.ruleset.categories.iter().find(|(category, _)| &**category == name).map(|(_, members)| members.as_slice())
    }

    /// Whether a space can have this type: a space type or a category (B-6).
    pub fn has_type(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.category(name).is_some()
    }

    /// Everything that can be the type of a space.
    pub fn type_names(&self) -> impl Iterator<Item = &Name> {
        self.types.keys().chain(self.ruleset.categories.iter().map(|(name, _)| name))
    }

    /// All items the ruleset itself defines, numbered rows first.
    pub fn items(&self) -> &[ItemRule] {
        &self.items
    }

    /// The item of exactly this name that the ruleset itself defines.
    pub fn item(&self, name: &str) -> Option<&ItemRule> {
        self.item_places.get(name).map(|&place| &self.items[place])
    }

    /// The numbered rows as they stand in `game`: those of the ruleset, less the removed, plus the added.
    pub fn rows(&self, game: &Game) -> Vec<(i64, Name)> {
        let Some(rows) = &self.ruleset.rows else { return Vec::new() };
        let removed: Vec<i64> = list(game, &rows.removed).iter().filter_map(Value::as_int).collect();
        let own = self.items.iter().filter_map(|item| Some((item.number?, Arc::clone(&item.name))));
        let added = list(game, &rows.added)
            .iter()
            .filter_map(|row| Some((row.get("id")?.as_int()?, Name::from(row.get("name")?.as_text()?))));
        own.filter(|(number, _)| !removed.contains(number)).chain(added).collect()
    }

    /// Whether `name` is an item in `game`.
    pub fn is_item(&self, game: &Game, name: &str) -> bool {
        match self.item(name) {
            Some(item) if item.number.is_none() => true,
            _ => self.rows(game).iter().any(|(_, row)| &**row == name),
        }
    }

    /// Every kind of item in `game`: the rows, then the kinds that are no rows.
    pub fn item_names(&self, game: &Game) -> Vec<Name> {
        let others = self.items.iter().filter(|item| item.number.is_none()).map(|item| Arc::clone(&item.name));
        self.rows(game).into_iter().map(|(_, name)| name).chain(others).collect()
    }

    /// The switch of this key.
    pub fn switch(&self, key: &str) -> Option<&Switch> {
        let place = self.switches.binary_search_by(|switch| switch.key.as_str().cmp(key)).ok()?;
        Some(&self.switches[place])
    }

    /// The value of a setting in `game`: its own, or the ruleset's default.
    pub fn setting<'a>(&'a self, game: &'a Game, key: &str) -> Option<&'a Value> {
        let declared = self.ruleset.settings.iter().find(|field| &*field.name == key)?;
        Some(game.settings.get(key).unwrap_or(&declared.default))
    }

    /// The phase that holds the moment `at`, counted from the one that holds the round's start.
    pub fn phase_at(&self, game: &Game, at: jiff::Timestamp) -> Option<i64> {
        calendar::phase_at(&self.ruleset.calendar, game.started?, at)
    }

    /// The first moment of a phase, UTC.
    pub fn phase_start(&self, game: &Game, phase: i64) -> Option<jiff::Timestamp> {
        calendar::phase_start(&self.ruleset.calendar, game.started?, phase)
    }

    /// Compiles every rule text and gives what is wrong with any of them.
    pub fn check_scripts(&self) -> Vec<Problem> {
        let errors = self.scripts.check(&self.ruleset.hooks);
        self.problems.iter().cloned().chain(errors.iter().map(|error| error.problem(self.sources()))).collect()
    }

    /// The rule files, for showing their text.
    pub fn sources(&self) -> &[Arc<Source>] {
        self.scripts.sources()
    }
}

/// A list kept among the game's amendments.
fn list<'a>(game: &'a Game, key: &str) -> &'a [Value] {
    game.amendments.get(key).map_or(&[], Value::items)
}
