//! What differs between two moments of one game, as JSON Pointers with the values before and after.

use std::sync::Arc;

use super::{Game, Player, PlayerId, Space};
use crate::value::{Key, Value};

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

/// Lists what changed from `before` to `after`, which grew from it, in the order of the file. The log is left out: it
/// only grows.
pub fn changes(before: &Game, after: &Game) -> Vec<Change> {
    let mut found = Changes(Vec::new());
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
    found.0
}

struct Changes(Vec<Change>);

impl Changes {
    fn value(&mut self, path: &[Key], before: &Value, after: &Value) {
        match (before, after) {
            _ if before == after => {}
            (Value::Map(old), Value::Map(_)) if !old.is_empty() && !after.is_empty() => self.map(path, before, after),
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
        for place in 0..after.players().count().max(before.players().count()) {
            let id = PlayerId::at(place);
            let old = (place < before.players().count()).then(|| before.shared_player(id));
            let new = (place < after.players().count()).then(|| after.shared_player(id));
            match (old, new) {
                (Some(old), Some(new)) if !Arc::ptr_eq(old, new) => self.player(old, new),
                (None, Some(new)) => {
                    let path = [Key::from("players"), Key::from(&*new.name)];
                    self.value(&path, &Value::Null, &player_value(new));
                }
                _ => {}
            }
        }
    }

    fn player(&mut self, old: &Player, new: &Player) {
        let path = |field: &str| [Key::from("players"), Key::from(&*new.name), Key::from(field)];
        self.value(&path("location"), &old.location.into(), &new.location.into());
        self.map(&path("items"), &items_value(old), &items_value(new));
        self.map(&path("marks"), &old.marks, &new.marks);
        self.map(&path("")[..2], &old.fields, &new.fields);
    }

    fn space(&mut self, old: Option<&Space>, new: &Space) {
        let path = |field: &str| [Key::from("spaces"), Key::from(new.id), Key::from(field)];
        let Some(old) = old else {
            self.value(&path("")[..2], &Value::Null, &space_value(new));
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
        let list = |game: &Game| Value::List(game.pending.iter().map(super::Commenced::to_value).collect());
        self.value(&[Key::from("pending")], &list(before), &list(after));
    }
}

fn items_value(player: &Player) -> Value {
    Value::Map(player.items.iter().map(|(name, count)| (Key::from(&**name), Value::Int(*count))).collect())
}

fn player_value(player: &Player) -> Value {
    let mut map = Value::Map(Vec::new());
    for (field, value) in player.fields.entries() {
        map.set(field.clone(), value.clone());
    }
    map.set(Key::from("location"), player.location.into());
    if !player.items.is_empty() {
        map.set(Key::from("items"), items_value(player));
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
