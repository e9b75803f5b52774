//! What differs between two moments of one game, as JSON Pointers with the values before and after.

use std::sync::Arc;

use super::player::put;
use super::{Game, Player, Space, SpaceId};
use crate::data::{Key, Value};

/// In the value of a player taken out of the game or put in: their place in the order of the file, where they are not the
/// last.
pub(crate) const PLACE: &str = "place";

/// One place of the gamestate that changed. `path` holds the steps from the top of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The steps down to the value.
    pub path: Vec<Key>,
    /// The value before; null is absent.
    pub before: Value,
    /// The value after; null is absent.
    pub after: Value,
}

impl Change {
    /// The path as a JSON Pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        self.path.iter().fold(String::new(), |mut pointer, key| {
            pointer.push('/');
            pointer.push_str(&key.to_string().replace('~', "~0").replace('/', "~1"));
            pointer
        })
    }
}

/// Changes as the log has them: `[before, after]` by JSON Pointer.
pub fn as_recorded(changes: &[Change]) -> Value {
    let pair = |change: &Change| {
        (Key::from(change.pointer().as_str()), Value::List(vec![change.before.clone(), change.after.clone()]))
    };
    Value::Map(changes.iter().map(pair).collect())
}

/// Lists what changed from `before` to `after`, which grew from it, in the order of the file. The log is left out: it
/// only grows.
pub fn changes(before: &Game, after: &Game) -> Vec<Change> {
    let mut found = Changes(Vec::new());
    let text = |name: &str| Value::from(name);
    found.value(&[Key::from("ruleset")], &text(&before.ruleset), &text(&after.ruleset));
    found.value(&[Key::from("phase")], &Value::Int(before.phase), &Value::Int(after.phase));
    found.shared("settings", &before.settings, &after.settings);
    found.shared("state", &before.state, &after.state);
    found.shared("rulings", &before.rulings, &after.rulings);
    if !before.same_players(after) {
        found.players(before, after);
    }
    if !before.same_board(after) {
        for (old, new) in after.board().changed(before.board()) {
            found.space(old, new);
        }
    }
    found.shared("amendments", &before.amendments, &after.amendments);
    found.pending(before, after);
    found.shared("proposals", &before.proposals, &after.proposals);
    found.shared("sealed", &before.sealed, &after.sealed);
    found.0
}

struct Changes(Vec<Change>);

impl Changes {
    fn value(&mut self, path: &[Key], before: &Value, after: &Value) {
        match (before, after) {
            _ if before == after => {}
            // The step of a path does not say whether `7` is a number or a name: where it is a name, the map changes whole.
            (Value::Map(old), Value::Map(new))
                if !old.is_empty()
                    && !new.is_empty()
                    && !old.iter().chain(new).any(|(key, _)| is_numeric_name(key)) =>
            {
                self.map(path, before, after);
            }
            _ => self.0.push(Change { path: path.to_vec(), before: before.clone(), after: after.clone() }),
        }
    }

    fn map(&mut self, path: &[Key], before: &Value, after: &Value) {
        let gone = before.entries().iter().filter(|(key, _)| !after.entries().iter().any(|(k, _)| k == key));
        for (key, old) in gone {
            self.value(&[path, std::slice::from_ref(key)].concat(), old, &Value::Null);
        }
        for (key, new) in after.entries() {
            let old = before.entries().iter().find(|(k, _)| k == key).map_or(&Value::Null, |(_, value)| value);
            self.value(&[path, std::slice::from_ref(key)].concat(), old, new);
        }
    }

    fn shared(&mut self, section: &str, before: &Arc<Value>, after: &Arc<Value>) {
        if !Arc::ptr_eq(before, after) {
            self.map(&[Key::from(section)], before, after);
        }
    }

    fn players(&mut self, before: &Game, after: &Game) {
        let find = |game: &Game, near: usize, name: &str| {
            let mut players = game.all_players();
            let same_place = players.clone().nth(near).filter(|player| &*player.name == name && !player.gone);
            same_place.or_else(|| players.find(|player| &*player.name == name && !player.gone)).map(Arc::clone)
        };
        let path = |name: &str| [Key::from("players"), Key::from(name)];
        let placed = |game: &Game, place: usize, player: &Player| {
            let mut value = player_value(player);
            if place + 1 < game.all_players().count() {
                value.set(Key::from(PLACE), Value::Int(i64::try_from(place).unwrap_or(i64::MAX)));
            }
            value
        };
        for (place, old) in before.all_players().enumerate() {
            match find(after, place, &old.name) {
                Some(new) if Arc::ptr_eq(old, &new) => {}
                Some(new) => self.player(old, &new),
                None => self.value(&path(&old.name), &placed(before, place, old), &Value::Null),
            }
        }
        let new = after.all_players().enumerate().filter(|(_, player)| !player.gone);
        for (place, new) in new.filter(|(place, new)| find(before, *place, &new.name).is_none()) {
            self.value(&path(&new.name), &Value::Null, &placed(after, place, new));
        }
    }

    fn player(&mut self, old: &Player, new: &Player) {
        let path = |field: &str| [Key::from("players"), Key::from(&*new.name), Key::from(field)];
        self.value(&path("location"), &old.location.into(), &new.location.into());
        self.map(&path("items"), &old.items_value(), &new.items_value());
        self.map(&path("marks"), &old.marks, &new.marks);
        self.map(&path("")[..2], &old.fields, &new.fields);
    }

    fn space(&mut self, old: Option<&Space>, new: Option<&Space>) {
        let Some(id) = new.or(old).map(|space| space.id) else { return };
        let path = |field: &str| [Key::from("spaces"), Key::from(id), Key::from(field)];
        let (Some(old), Some(new)) = (old, new) else {
            let whole = |space: Option<&Space>| space.map_or(Value::Null, space_value);
            self.value(&path("")[..2], &whole(old), &whole(new));
            return;
        };
        self.value(&path("type"), &Value::from(&*old.kind), &Value::from(&*new.kind));
        let successors = |space: &Space| Value::from(space.successors.clone());
        self.value(&path("successors"), &successors(old), &successors(new));
        self.map(&path("")[..2], &old.fields, &new.fields);
    }

    fn pending(&mut self, before: &Game, after: &Game) {
        if Arc::ptr_eq(&before.pending, &after.pending) {
            return;
        }
        let list = |game: &Game| Value::List(game.pending.iter().map(super::PendingAction::to_value).collect());
        self.value(&[Key::from("pending")], &list(before), &list(after));
    }
}

fn player_value(player: &Player) -> Value {
    let mut map = Value::Map(Vec::new());
    for (field, value) in player.fields.entries() {
        map.set(field.clone(), value.clone());
    }
    map.set(Key::from("location"), player.location.into());
    let items = player.items_value();
    if !items.is_empty() {
        map.set(Key::from("items"), items);
    }
    if !player.marks.is_empty() {
        map.set(Key::from("marks"), player.marks.clone());
    }
    map
}

fn space_value(space: &Space) -> Value {
    let mut map = Value::Map(Vec::new());
    map.set(Key::from("type"), Value::from(&*space.kind));
    map.set(Key::from("successors"), Value::from(space.successors.clone()));
    for (field, value) in space.fields.entries() {
        map.set(field.clone(), value.clone());
    }
    map
}

/// A change that cannot be taken back: something else has changed the same place since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The place, as a JSON Pointer.
    pub pointer: String,
    /// What the change left there.
    pub expected: Value,
    /// What is there.
    pub found: Value,
}

/// Taking changes back and doing them again: the ground of everything that goes back in a game's history.
impl Game {
    /// Takes back the `changes` of a log entry, pending actions aside: they come and go without entries.
    ///
    /// # Errors
    /// The first place that does not hold what the changes left there; the game is then half taken back.
    pub fn take_back(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |before, after| (Some(after), before))
    }

    /// Does the `changes` of a log entry again, whatever was there before.
    ///
    /// # Errors
    /// A place that a game does not have.
    pub fn do_again(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |_, after| (None, after))
    }

    /// Does the `changes` of a log entry again, where everything is as it was before them.
    ///
    /// # Errors
    /// The first place that does not hold what the changes began with; the game is then half changed.
    pub fn do_once_more(&mut self, changes: &Value) -> Result<(), Conflict> {
        self.set_all(changes, |before, after| (Some(before), after))
    }

    /// Takes back the `changes` of a log entry whatever is there now; gives every place that did not hold what they left.
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
        let pointer = pointer.to_string();
        let steps = steps(&pointer);
        let [before, after] = pair.items() else {
            let expected = Value::from("a pair of values");
            return Err(Conflict { pointer, expected, found: pair.clone() });
        };
        let (expected, value) = sides(before, after);
        if steps.first().is_some_and(|step| step == "pending") {
            return Ok(());
        }
        let found = self.put(&steps, value.clone());
        if found.as_ref().is_some_and(|found| expected.is_none_or(|expected| alike(expected, found))) {
            return Ok(());
        }
        let (expected, found) = (expected.cloned().unwrap_or_default(), found.unwrap_or_default());
        Err(Conflict { pointer, expected, found })
    }

    /// Sets a place, null taking it away; gives what was there, or `None` for a place that a game does not have.
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
            "players" => return self.put_player(rest, value),
            "spaces" => return self.put_space(rest, value),
            "settings" => &mut self.settings,
            "state" => &mut self.state,
            "rulings" => &mut self.rulings,
            "amendments" => &mut self.amendments,
            "proposals" => &mut self.proposals,
            "sealed" => &mut self.sealed,
            _ => return None,
        };
        put_in(Arc::make_mut(map), rest, value)
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
            "marks" => put_in(&mut player.marks, rest, value),
            _ => put_in(&mut player.fields, &steps[1..], value),
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
        for key in ["location", "items", "marks", PLACE] {
            player.fields.remove(key);
        }
        let place = value.get(PLACE).and_then(Value::as_int).and_then(|place| usize::try_from(place).ok());
        self.add_player(player, place);
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
            _ => put_in(&mut space.fields, rest, value),
        }
    }
}

/// The steps of a JSON Pointer (RFC 6901).
pub(crate) fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// Sets a place within plain data, making maps on the way; gives what was there.
fn put_in(map: &mut Value, steps: &[String], value: Value) -> Option<Value> {
    let (step, rest) = steps.split_first()?;
    if rest.is_empty() {
        let before = map.get(step).cloned().unwrap_or_default();
        let own = map.entries().iter().find(|(key, _)| key.is(step)).map(|(key, _)| key.clone());
        match own {
            Some(key) if value != Value::Null => map.set(key, value),
            None if value != Value::Null && step.parse::<i64>().is_ok_and(|number| number.to_string() == *step) => {
                map.set(Key::Int(step.parse().ok()?), value);
            }
            _ => put(map, step, value),
        }
        return Some(before);
    }
    let mut inner = map.get(step).cloned().unwrap_or_else(|| Value::Map(Vec::new()));
    let before = put_in(&mut inner, rest, value)?;
    put_in(map, std::slice::from_ref(step), inner)?;
    Some(before)
}

/// Whether a key is a text that reads as a number.
fn is_numeric_name(key: &Key) -> bool {
    matches!(key, Key::Text(text) if text.parse::<i64>().is_ok())
}

/// Whether two values say the same, the order of keys aside.
fn alike(a: &Value, b: &Value) -> bool {
    let sorted = |value: &Value| {
        let mut value = value.in_order();
        value.remove(PLACE);
        value
    };
    sorted(a) == sorted(b)
}
