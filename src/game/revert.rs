//! Reverts changes and applies them again: everything that goes back in a game's history builds on this.

use std::fmt;
use std::sync::Arc;

use super::diff::{POSITION, player_value, space_value};
use super::{Game, Player, Space, SpaceId};
use crate::data::{Key, Pointer, Value, set_at};

/// A change that cannot be reverted, because something else has changed the same value since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The path to the value.
    pub pointer: Pointer,
    /// What the change left there.
    pub expected: Value,
    /// What is there.
    pub found: Value,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} should be {} but is {}", self.pointer, self.expected, self.found)
    }
}

impl std::error::Error for Conflict {}

impl Game {
    /// Reverts the `changes` of a log entry, except to pending actions: those come and go without entries.
    ///
    /// # Errors
    /// Returns the first value that is not what the changes left; the game is then partly reverted.
    pub fn revert(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |before, after| (Some(after), before))
    }

    /// Applies the `changes` of a log entry, whatever was there before.
    ///
    /// # Errors
    /// Returns the first path that a game does not have.
    pub fn do_again(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |_, after| (None, after))
    }

    /// Applies the `changes` of a log entry, if everything is as it was before them.
    ///
    /// # Errors
    /// Returns the first value that is not what the changes began with; the game is then partly changed.
    pub fn do_once_more(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |before, after| (Some(before), after))
    }

    /// Reverts the `changes` of a log entry, whatever is there now. Returns every value that was not what they left.
    pub fn force_back(&mut self, changes: &Value) -> Vec<Conflict> {
        let one =
            |(pointer, pair): &(Key, Value)| self.set_one(pointer, pair, |before, after| (Some(after), before)).err();
        changes.entries().iter().filter_map(one).collect()
    }

    fn set_all<'a>(
        &mut self,
        changes: &'a Value,
        sides: impl Fn(&'a Value, &'a Value) -> (Option<&'a Value>, &'a Value),
    ) -> Result<(), Conflict> {
        changes.entries().iter().try_for_each(|(pointer, pair)| self.set_one(pointer, pair, &sides))
    }

    fn set_one<'a>(
        &mut self,
        pointer: &Key,
        pair: &'a Value,
        sides: impl Fn(&'a Value, &'a Value) -> (Option<&'a Value>, &'a Value),
    ) -> Result<(), Conflict> {
        let pointer = Pointer::from(&*pointer.to_string());
        let [before, after] = pair.items() else {
            let expected = Value::from("a pair of values");
            return Err(Conflict { pointer, expected, found: pair.clone() });
        };
        let (expected, value) = sides(before, after);
        if pointer.first() == Some("pending") {
            return Ok(());
        }
        let found = self.put(pointer.steps(), value.clone());
        if found.as_ref().is_some_and(|found| expected.is_none_or(|expected| alike(expected, found))) {
            return Ok(());
        }
        let (expected, found) = (expected.cloned().unwrap_or_default(), found.unwrap_or_default());
        Err(Conflict { pointer, expected, found })
    }

    /// Sets a value, null removing it. Returns what was there before, or `None` for a path that a game does not have.
    fn put(&mut self, steps: &[String], value: Value) -> Option<Value> {
        let (section, rest) = steps.split_first()?;
        let map = match section.as_str() {
            "ruleset" => {
                let before = std::mem::replace(&mut self.ruleset, value.as_text()?.into());
                return rest.is_empty().then(|| Value::from(&*before));
            }
            "phase" => {
                let before = std::mem::replace(&mut self.phase, value.as_int()?);
                return rest.is_empty().then_some(Value::Int(before));
            }
            "id" => {
                let before = self.id_value();
                self.id = value.as_text().unwrap_or_default().into();
                return rest.is_empty().then_some(before);
            }
            "players" => return self.put_player(rest, value),
            "spaces" => return self.put_space(rest, value),
            "settings" => &mut self.settings,
            "state" => &mut self.state,
            "rulings" => &mut self.rulings,
            "amendments" => &mut self.amendments,
            "proposals" => &mut self.proposals,
            "dice" => &mut self.dice,
            _ => return None,
        };
        set_at(Arc::make_mut(map), rest, value)
    }

    fn put_player(&mut self, steps: &[String], value: Value) -> Option<Value> {
        let (name, rest) = steps.split_first()?;
        let id = self.player_named(name);
        let Some((field, rest)) = rest.split_first() else {
            if let Some(id) = id {
                let before = player_value(self.player(id));
                self.player_mut(id).gone = true;
                self.sweep();
                if value == Value::Null {
                    return Some(before);
                }
                self.read_player(name, &value);
                return Some(before);
            }
            self.read_player(name, &value);
            return Some(Value::Null);
        };
        let player = self.player_mut(id?);
        match field.as_str() {
            "location" => {
                let to = SpaceId::of(&value)?;
                Some(std::mem::replace(&mut player.location, to).into())
            }
            "items" => {
                let [item] = rest else { return None };
                let held = player.items_value().get(item).cloned().unwrap_or_default();
                player.set_item(item, &value);
                Some(held)
            }
            "marks" => set_at(&mut player.marks, rest, value),
            _ => set_at(&mut player.fields, &steps[1..], value),
        }
    }

    fn read_player(&mut self, name: &str, value: &Value) {
        let mut player = Player {
            name: name.into(),
            location: value.get("location").and_then(SpaceId::of).unwrap_or(SpaceId::Number(0)),
            items: Vec::new(),
            symbolic: Vec::new(),
            marks: value.get("marks").cloned().unwrap_or_else(|| Value::Map(Vec::new())),
            fields: value.clone(),
            gone: false,
        };
        for (item, count) in value.get("items").map_or(&[][..], Value::entries) {
            player.set_item(&item.to_string(), count);
        }
        for key in ["location", "items", "marks", POSITION] {
            player.fields.remove(key);
        }
        let position = value.get(POSITION).and_then(Value::as_int).and_then(|position| usize::try_from(position).ok());
        self.add_player(player, position);
    }

    fn put_space(&mut self, steps: &[String], value: Value) -> Option<Value> {
        let (id, rest) = steps.split_first()?;
        let id: SpaceId = id.parse().ok()?;
        let Some((field, _)) = rest.split_first() else {
            let before = self.space(id).map_or(Value::Null, space_value);
            self.board_mut().remove(id);
            if value != Value::Null {
                let mut space = Space {
                    id,
                    kind: value.get("type").and_then(Value::as_text)?.into(),
                    successors: value
                        .get("successors")
                        .map_or(&[][..], Value::items)
                        .iter()
                        .filter_map(SpaceId::of)
                        .collect(),
                    fields: value,
                };
                for key in ["type", "successors"] {
                    space.fields.remove(key);
                }
                self.board_mut().create(space);
            }
            return Some(before);
        };
        let space = self.board_mut().get_mut(id)?;
        match field.as_str() {
            "type" => Some(Value::from(&*std::mem::replace(&mut space.kind, value.as_text()?.into()))),
            "successors" => {
                let new = value.items().iter().filter_map(SpaceId::of).collect();
                Some(Value::from(std::mem::replace(&mut space.successors, new)))
            }
            _ => set_at(&mut space.fields, rest, value),
        }
    }
}

/// Tells whether two values say the same, apart from the order of keys.
fn alike(a: &Value, b: &Value) -> bool {
    let sorted = |value: &Value| {
        let mut value = value.in_order();
        value.remove(POSITION);
        value
    };
    sorted(a) == sorted(b)
}
