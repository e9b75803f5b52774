//! One player: location, items, marks and other fields.

use super::{Name, SpaceId};
use crate::data::{Key, Value};

/// A player by their index in the file, counted from 0; valid for the game it is from and those that grow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayerId(u32);

impl PlayerId {
    pub(super) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 players"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the number of the id, for the script host.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// Returns the id with this number.
    pub(crate) fn from_number(number: u32) -> Self {
        Self(number)
    }
}

/// One player of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name, as the game spells it.
    pub name: Name,
    /// The space where the player is (B-1).
    pub location: SpaceId,
    /// Signed counts by item, none of them 0, in the order of the file (GB-6).
    pub items: Vec<(Name, i64)>,
    /// Quantities that are not numbers, by item, such as Navy Blue; they count as 0.
    pub symbolic: Vec<(Name, String)>,
    /// Lasting marks that the ruleset declares.
    pub marks: Value,
    /// The other fields that the ruleset declares for players.
    pub fields: Value,
    /// Whether the player left during the current action; the index stays in use until it is over.
    pub gone: bool,
}

impl Player {
    /// Returns how many of `item` the player has; may be negative (GB-6).
    pub fn count(&self, item: &str) -> i64 {
        self.items.iter().find(|(name, _)| &**name == item).map_or(0, |(_, count)| *count)
    }

    /// Adds `amount`, which may be negative, to the number of `item`.
    ///
    /// # Errors
    /// Returns the number as it was, if the sum is too large.
    pub fn add(&mut self, item: &str, amount: i64) -> Result<(), i64> {
        match self.items.iter_mut().find(|(name, _)| &**name == item) {
            Some((_, count)) => *count = count.checked_add(amount).ok_or(*count)?,
            None => self.items.push((item.into(), amount)),
        }
        self.items.retain(|(_, count)| *count != 0);
        Ok(())
    }

    /// Returns the items as the file has them: for each a count, a quantity that is not a number, or a list of both.
    pub fn items_value(&self) -> Value {
        let mut map = Value::Map(Vec::new());
        for (name, count) in &self.items {
            map.set(Key::from(&**name), Value::Int(*count));
        }
        for (name, word) in &self.symbolic {
            let mut held = map.get(name).map_or(Vec::new(), |held| held.items().to_vec());
            held.push(Value::from(word.as_str()));
            map.set(Key::from(&**name), if held.len() == 1 { held.remove(0) } else { Value::List(held) });
        }
        map
    }

    /// Sets the quantity of an item, given as the file has it; null is none.
    pub(crate) fn set_item(&mut self, item: &str, held: &Value) {
        // An item that the player has keeps its position, so that undo and redo leave the same order.
        let own = |name: &Name| &**name == item;
        let counted = self.items.iter().position(|(name, _)| own(name)).unwrap_or(self.items.len());
        let named = self.symbolic.iter().position(|(name, _)| own(name)).unwrap_or(self.symbolic.len());
        self.items.retain(|(name, _)| !own(name));
        self.symbolic.retain(|(name, _)| !own(name));
        let (mut counts, mut words) = (Vec::new(), Vec::new());
        for one in held.items() {
            match one {
                Value::Int(0) => {}
                Value::Int(count) => counts.push((item.into(), *count)),
                other => words.push((item.into(), other.to_string())),
            }
        }
        self.items.splice(counted..counted, counts);
        self.symbolic.splice(named..named, words);
    }

    /// Tells whether two players say the same, apart from the order of keys.
    pub(super) fn equivalent(&self, other: &Self) -> bool {
        let items = |player: &Self| player.items_value().in_order();
        self.name == other.name
            && self.location == other.location
            && items(self) == items(other)
            && self.marks.in_order() == other.marks.in_order()
            && self.fields.in_order() == other.fields.in_order()
    }

    /// Sets a lasting mark; null clears it.
    pub(crate) fn set_mark(&mut self, mark: &str, value: Value) {
        put(&mut self.marks, mark, value);
    }

    /// Sets a field that the ruleset declares; null clears it.
    pub(crate) fn set_field(&mut self, field: &str, value: Value) {
        put(&mut self.fields, field, value);
    }
}

/// Sets `key` in a map; null removes it.
pub(super) fn put(map: &mut Value, key: &str, value: Value) {
    if value == Value::Null {
        map.remove(key);
    } else {
        map.set(Key::from(key), value);
    }
}
