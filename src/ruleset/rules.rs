//! One ruleset: what it declares and says, and what of it is in force in a game.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::calendar;
use super::declare::{Declarations, Field, ItemRule, TypeRule};
use super::law::{Law, LawText, same_id};
use super::layers;
use super::names;
use super::sources::{Sources, Text};
use super::switches::Switch;
use crate::data::Value;
use crate::diagnostic::{Problem, Source};
use crate::game::{Game, Name};
use crate::yaml::Document;

/// One ruleset, ready to be played by. Scripts are compiled when first used.
#[derive(Debug)]
pub struct Ruleset {
    /// The name in `ruleset.yaml`, such as `cycle-15`.
    pub name: String,
    /// The hash of its pin, and that of its pin of eight digits, once they are needed.
    pub(super) hashes: [OnceLock<String>; 2],
    /// What `ruleset.yaml` declares.
    pub declared: Declarations,
    /// The switches for what the texts leave open, in the order of their keys.
    pub switches: Vec<Switch>,
    /// Problems with single rule files, which keep only their own rule from working.
    pub problems: Vec<Problem>,
    pub(super) types: BTreeMap<Name, TypeRule>,
    pub(super) items: Vec<ItemRule>,
    pub(super) item_places: BTreeMap<Name, usize>,
    pub(super) sources: Arc<Sources>,
    pub(super) law: Law,
    /// What the engine has compiled of the texts so far.
    pub(super) compiled: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Ruleset {
    /// Returns the space type of this name.
    pub fn space_type(&self, name: &str) -> Option<&TypeRule> {
        self.types.get(name)
    }

    /// Returns all space types in the order of their names.
    pub fn space_types(&self) -> impl Iterator<Item = &TypeRule> {
        self.types.values()
    }

    /// Returns the members of a category, if there is one of this name (C-1).
    pub fn category(&self, name: &str) -> Option<&[Name]> {
        self.declared.categories.iter().find(|(category, _)| &**category == name).map(|(_, members)| members.as_slice())
    }

    /// Returns whether a space can have this type: a space type or a category (B-6).
    pub fn has_type(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.category(name).is_some()
    }

    /// Returns everything that can be the type of a space.
    pub fn type_names(&self) -> impl Iterator<Item = &Name> {
        self.types.keys().chain(self.declared.categories.iter().map(|(name, _)| name))
    }

    /// Returns all items the ruleset itself defines, numbered rows first.
    pub fn items(&self) -> &[ItemRule] {
        &self.items
    }

    /// Returns the item of exactly this name that the ruleset itself defines.
    pub fn item(&self, name: &str) -> Option<&ItemRule> {
        self.item_places.get(name).map(|&place| &self.items[place])
    }

    /// Returns the numbered rows that are in force in `game`: those of the ruleset, less the removed, plus the added.
    pub fn rows(&self, game: &Game) -> Vec<(i64, Name)> {
        let Some(rows) = &self.declared.rows else { return Vec::new() };
        let removed: Vec<i64> = list(game, &rows.removed).iter().filter_map(Value::as_int).collect();
        let own = self.items.iter().filter_map(|item| Some((item.number?, Arc::clone(&item.name))));
        let mut found: Vec<(i64, Name)> = own.filter(|(number, _)| !removed.contains(number)).collect();
        let added = self.kinds_of(list(game, &rows.added));
        found.extend(added.into_iter().filter(|(_, kind)| self.item(kind).is_none()));
        found
    }

    /// Returns rows that play has added, with the kinds of item they define: the name, and with it the number if another
    /// row has the same name. A row for which the ruleset has a file by now is that file's.
    pub fn kinds_of(&self, rows: &[Value]) -> Vec<(i64, Name)> {
        let mut found: Vec<(i64, Name)> = Vec::new();
        for row in rows {
            let (Some(id), Some(name)) = (row.get("id").and_then(Value::as_int), row.get("name")) else { continue };
            let name = name.to_string();
            let own = self.items.iter().find(|item| item.number == Some(id) && names::same(&item.name, &name));
            let taken = own.is_none()
                && (self.items.iter().map(|item| &item.name).chain(found.iter().map(|(_, kind)| kind)))
                    .any(|kind| names::same(kind, &name));
            let kind = match own {
                Some(own) => Arc::clone(&own.name),
                None if taken => format!("{name} #{id}").into(),
                None => name.into(),
            };
            found.push((id, kind));
        }
        found
    }

    /// Returns the kind of which another is made, such as `Duck` of `jumbo Duck` (GB-7); a plain kind itself.
    pub fn plain<'a>(&self, kind: &'a str) -> &'a str {
        let made = self.declared.derived.iter().find_map(|word| kind.strip_prefix(word.as_str())?.strip_prefix(' '));
        made.unwrap_or(kind)
    }

    /// Returns whether `kind` is an item in `game`.
    pub fn is_item(&self, game: &Game, kind: &str) -> bool {
        let plain = self.plain(kind);
        match self.item(plain) {
            Some(item) if item.number.is_none() => true,
            _ => self.rows(game).iter().any(|(_, row)| &**row == plain),
        }
    }

    /// Returns what the rule file of an item says, its cases left out: name, text, what it asks, effect.
    pub fn item_file(&self, item: &ItemRule) -> Value {
        self.says(item.file)
    }

    /// Returns what the rule file of a space type says, its cases left out.
    pub fn type_file(&self, rule: &TypeRule) -> Value {
        self.says(rule.file)
    }

    fn says(&self, file: usize) -> Value {
        let law = |text: &Text| {
            let law = text.source.text.split("\ncases:").next().unwrap_or_default();
            Document::parse(law).map(|document| document.root().to_value()).unwrap_or_default()
        };
        self.sources.part(file).iter().rev().map(law).fold(Value::Null, |whole, own| layers::merged(&whole, &own))
    }

    /// Returns the files of space types and items in the order of their paths, with what each says, its cases left out.
    pub fn rule_files(&self) -> impl Iterator<Item = (&Arc<Source>, Value)> {
        let numbered = self.items.iter().filter(|item| item.number.is_some()).map(|item| item.file);
        let files: BTreeSet<usize> = self.types.values().map(|rule| rule.file).chain(numbered).collect();
        files.into_iter().map(|file| (&self.sources.part(file)[0].source, self.says(file)))
    }

    /// Returns what the rule with this catalogue ID says, for players: from the `law/` folder, or else from the space
    /// type or item that cites the ID before all others. Letter case and zeros before the number do not count.
    pub fn law_text(&self, id: &str) -> Option<LawText> {
        let texts = &self.law.register().texts;
        let own = texts.get(id).or_else(|| texts.values().find(|text| same_id(&text.id, id)));
        own.cloned().or_else(|| {
            let file = self.file_of(id)?;
            let says = self.says(file);
            let mut cites = says.get("cites").map_or(&[][..], Value::items).iter().map(ToString::to_string);
            LawText::told_by(&self.sources.part(file)[0].source, &says, &cites.find(|own| same_id(own, id))?)
        })
    }

    /// Finds the space type or item that serves an ID: one that cites it first, before one that cites another ID of its
    /// group first, as a trap with S-3 serves S-4.
    fn file_of(&self, id: &str) -> Option<usize> {
        let rows = self.items.iter().filter(|item| item.number.is_some()).map(|item| (&item.cites, item.file));
        let things = || self.types.values().map(|rule| (&rule.cites, rule.file)).chain(rows.clone());
        let first = things().find(|(cites, _)| cites.first().is_some_and(|own| same_id(own, id)));
        let group = |id: &str| id.rsplit_once('-').map(|(group, _)| group.to_uppercase());
        let serves = |cites: &[String]| {
            cites.first().is_some_and(|own| group(own) == group(id)) && cites.iter().any(|own| same_id(own, id))
        };
        first.or_else(|| things().find(|(cites, _)| serves(cites))).map(|(_, file)| file)
    }

    /// Returns the IDs to which the `law/` folder gives a text, in the order of their letters.
    pub fn law_ids(&self) -> impl Iterator<Item = &str> {
        self.law.register().texts.keys().map(String::as_str)
    }

    /// Returns the problems of the files in the `law/` folder.
    pub fn law_problems(&self) -> &[Problem] {
        &self.law.register().problems
    }

    /// Returns the functions and constants of the rule files: the name, the file, the text.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Arc<Source>, &str)> {
        self.sources.definitions()
    }

    /// Returns the row of this kind that play has added, as the gamestate has it.
    pub fn added_row<'a>(&self, game: &'a Game, kind: &str) -> Option<&'a Value> {
        let rows = self.declared.rows.as_ref()?;
        let added = list(game, &rows.added);
        let place = self.kinds_of(added).iter().position(|(_, own)| **own == *kind)?;
        added.get(place)
    }

    /// Returns every kind of item in `game`: the rows, then the kinds outside the table.
    pub fn item_names(&self, game: &Game) -> Vec<Name> {
        let others = self.items.iter().filter(|item| item.number.is_none()).map(|item| Arc::clone(&item.name));
        self.rows(game).into_iter().map(|(_, name)| name).chain(others).collect()
    }

    /// Returns the switch of this key.
    pub fn switch(&self, key: &str) -> Option<&Switch> {
        let place = self.switches.binary_search_by(|switch| switch.key.as_str().cmp(key)).ok()?;
        Some(&self.switches[place])
    }

    /// Returns whether a field means something in `game`: not one that does so only under a reading that is not in force.
    pub fn means_something(&self, game: &Game, field: &Field) -> bool {
        field.under.as_ref().is_none_or(|(key, reading)| {
            let default = || self.switch(key).map_or("", Switch::default);
            game.ruling(key).unwrap_or_else(default) == reading
        })
    }

    /// Returns the value of a setting in `game`: its own, or the ruleset's default.
    pub fn setting<'a>(&'a self, game: &'a Game, key: &str) -> Option<&'a Value> {
        let declared = self.declared.settings.iter().find(|field| &*field.name == key)?;
        Some(game.settings.get(key).unwrap_or(&declared.default))
    }

    /// Returns the phase that holds the moment `at`, counted from the one that holds the round's start.
    pub fn phase_at(&self, game: &Game, at: jiff::Timestamp) -> Option<i64> {
        calendar::phase_at(&self.declared.calendar, game.started?, at)
    }

    /// Returns the first moment of a phase, UTC.
    pub fn phase_start(&self, game: &Game, phase: i64) -> Option<jiff::Timestamp> {
        calendar::phase_start(&self.declared.calendar, game.started?, phase)
    }

    /// Returns the number of a phase within its week, from 1 on; 0 if weeks have no phases. Of a game that does not say when it
    /// started, the first phase is taken to be the last of its week.
    pub fn phase_of_week(&self, game: &Game, phase: i64) -> i64 {
        let place = calendar::phase_of_week(&self.declared.calendar, game.started, phase);
        place.and_then(|place| i64::try_from(place + 1).ok()).unwrap_or(0)
    }

    /// Returns the name of a phase within its week, such as `I` (T-1).
    pub fn phase_name(&self, game: &Game, phase: i64) -> String {
        let place = calendar::phase_of_week(&self.declared.calendar, game.started, phase);
        place.map_or_else(String::new, |place| self.declared.calendar[place].0.clone())
    }

    /// Returns the texts of the rule files.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Returns what the engine keeps of its work on this ruleset, made when it is first asked for.
    pub(crate) fn compiled<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let kept = self.compiled.get_or_init(|| Box::new(make()));
        kept.downcast_ref().expect("one type only is ever kept here")
    }
}

/// Returns a list kept among the game's amendments.
fn list<'a>(game: &'a Game, key: &str) -> &'a [Value] {
    game.amendments.get(key).map_or(&[], Value::items)
}
