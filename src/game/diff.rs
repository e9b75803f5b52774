//! Lists what changed between two moments of one game: pointers with the values before and after.

use std::sync::Arc;

use super::log::PendingAction;
use super::{Game, Player, Space};
use crate::data::{Key, Pointer, Value};

/// The key, in the value of a player who joins or leaves, of the player's position in the file, counted from 0, unless it is
/// the last.
pub(crate) const POSITION: &str = "place";

/// One value of the gamestate that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the top of the file.
    pub pointer: Pointer,
    /// The value before; null is absent.
    pub before: Value,
    /// The value after; null is absent.
    pub after: Value,
}

/// Returns changes as the log keeps them: `[before, after]` by pointer.
pub fn as_recorded(changes: &[Change]) -> Value {
    let pair = |change: &Change| {
        (Key::Text(change.pointer.to_string()), Value::List(vec![change.before.clone(), change.after.clone()]))
    };
    Value::Map(changes.iter().map(pair).collect())
}

/// Lists what changed from `before` to `after`, which grew from it, in the order of the file. The log is left out, because
/// it only grows.
pub fn changes(before: &Game, after: &Game) -> Vec<Change> {
    let mut found = Changes(Vec::new());
    let text = |name: &str| Value::from(name);
    found.value(&["ruleset"].into(), &text(&before.ruleset), &text(&after.ruleset));
    found.value(&["phase"].into(), &Value::Int(before.phase), &Value::Int(after.phase));
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
    found.value(&["id"].into(), &before.id_value(), &after.id_value());
    found.shared("dice", &before.dice, &after.dice);
    found.0
}

struct Changes(Vec<Change>);

impl Changes {
    fn value(&mut self, path: &Pointer, before: &Value, after: &Value) {
        match (before, after) {
            _ if before == after => {}
            // A pointer does not say whether `7` is a number or a name. If it is a name, the map changes as a whole.
            (Value::Map(old), Value::Map(new))
                if !old.is_empty() && !new.is_empty() && old.iter().chain(new).all(|(key, _)| key.is_step()) =>
            {
                self.map(path, before, after);
            }
            _ => self.0.push(Change { pointer: path.clone(), before: before.clone(), after: after.clone() }),
        }
    }

    fn map(&mut self, path: &Pointer, before: &Value, after: &Value) {
        let gone = before.entries().iter().filter(|(key, _)| !after.entries().iter().any(|(k, _)| k == key));
        for (key, old) in gone {
            self.value(&path.child(key), old, &Value::Null);
        }
        for (key, new) in after.entries() {
            let old = before.entries().iter().find(|(k, _)| k == key).map_or(&Value::Null, |(_, value)| value);
            self.value(&path.child(key), old, new);
        }
    }

    fn shared(&mut self, section: &str, before: &Arc<Value>, after: &Arc<Value>) {
        if !Arc::ptr_eq(before, after) {
            self.map(&[section].into(), before, after);
        }
    }

    fn players(&mut self, before: &Game, after: &Game) {
        let find = |game: &Game, near: usize, name: &str| {
            let mut players = game.all_players();
            let same_place = players.clone().nth(near).filter(|player| &*player.name == name && !player.gone);
            same_place.or_else(|| players.find(|player| &*player.name == name && !player.gone)).map(Arc::clone)
        };
        let path = |name: &str| Pointer::from(["players", name]);
        let placed = |game: &Game, place: usize, player: &Player| {
            let mut value = player_value(player);
            if place + 1 < game.all_players().count() {
                value.set(Key::from(POSITION), Value::Int(i64::try_from(place).unwrap_or(i64::MAX)));
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
        let path = Pointer::from(["players", &*new.name]);
        self.value(&path.child("location"), &old.location.into(), &new.location.into());
        self.map(&path.child("items"), &old.items_value(), &new.items_value());
        self.map(&path.child("marks"), &old.marks, &new.marks);
        self.map(&path, &old.fields, &new.fields);
    }

    fn space(&mut self, old: Option<&Space>, new: Option<&Space>) {
        let Some(id) = new.or(old).map(|space| space.id) else { return };
        let path = Pointer::from(["spaces", &*id.to_string()]);
        let (Some(old), Some(new)) = (old, new) else {
            let whole = |space: Option<&Space>| space.map_or(Value::Null, space_value);
            self.value(&path, &whole(old), &whole(new));
            return;
        };
        self.value(&path.child("type"), &Value::from(&*old.kind), &Value::from(&*new.kind));
        let successors = |space: &Space| Value::from(space.successors.clone());
        self.value(&path.child("successors"), &successors(old), &successors(new));
        self.map(&path, &old.fields, &new.fields);
    }

    fn pending(&mut self, before: &Game, after: &Game) {
        if Arc::ptr_eq(&before.pending, &after.pending) {
            return;
        }
        let list = |game: &Game| Value::List(game.pending.iter().map(PendingAction::to_value).collect());
        self.value(&["pending"].into(), &list(before), &list(after));
    }
}

pub(super) fn player_value(player: &Player) -> Value {
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

pub(super) fn space_value(space: &Space) -> Value {
    let mut map = Value::Map(Vec::new());
    map.set(Key::from("type"), Value::from(&*space.kind));
    map.set(Key::from("successors"), Value::from(space.successors.clone()));
    for (field, value) in space.fields.entries() {
        map.set(field.clone(), value.clone());
    }
    map
}
