//! One player: where they stand and what they hold.

use super::{Name, SpaceId};
use crate::data::{Key, Value};

/// A player by their place in the file, 0 being the first; valid for the game it came from and those that grow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayerId(u32);

impl PlayerId {
    pub(super) fn at(place: usize) -> Self {
        Self(u32::try_from(place).expect("fewer than four thousand million players"))
    }

    pub(super) fn place(self) -> usize {
        self.0 as usize
    }

    /// The number behind the id, for the script host.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// The id behind such a number.
    pub(crate) fn from_number(number: u32) -> Self {
        Self(number)
    }
}

/// What the gamestate says of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name, spelled as the game spells it.
    pub name: Name,
    /// The space where they stand (B-1).
    pub location: SpaceId,
    /// Signed counts by item, none of them 0, in the order of the file (GB-6).
    pub items: Vec<(Name, i64)>,
    /// Quantities that are no numbers, by item, such as Navy Blue; they count as none.
    pub symbolic: Vec<(Name, String)>,
    /// Lasting marks that the ruleset declares.
    pub marks: Value,
    /// The other fields that the ruleset declares for players.
    pub fields: Value,
    /// Whether they were taken out of the game by the action under way; their place stays until it is over.
    pub gone: bool,
}

impl Player {
    /// How many of `item` they hold; may be negative (GB-6).
    pub fn count(&self, item: &str) -> i64 {
        self.items.iter().find(|(name, _)| &**name == item).map_or(0, |(_, count)| *count)
    }

    /// Adds `amount`, which may be negative, to their holding of `item`.
    ///
    /// # Errors
    /// The holding as it was, where the sum cannot be counted.
    pub fn add(&mut self, item: &str, amount: i64) -> Result<(), i64> {
        match self.items.iter_mut().find(|(name, _)| &**name == item) {
            Some((_, count)) => *count = count.checked_add(amount).ok_or(*count)?,
            None => self.items.push((item.into(), amount)),
        }
        self.items.retain(|(_, count)| *count != 0);
        Ok(())
    }

    /// Their items as the file has them: a count each, or a quantity that is no number, or a list of both.
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

    /// Sets what they hold of an item as the file has it; null is none.
    pub fn set_item(&mut self, item: &str, held: &Value) {
        // What is there already keeps its place: taken back and done again, a change leaves the same order.
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

    /// Whether two say the same, the order of keys aside.
    pub(super) fn equivalent(&self, other: &Self) -> bool {
        let items = |player: &Self| player.items_value().in_order();
        self.name == other.name
            && self.location == other.location
            && items(self) == items(other)
            && self.marks.in_order() == other.marks.in_order()
            && self.fields.in_order() == other.fields.in_order()
    }

    /// Sets or, with null, clears a lasting mark.
    pub fn set_mark(&mut self, mark: &str, value: Value) {
        put(&mut self.marks, mark, value);
    }

    /// Sets or, with null, clears a field that the ruleset declares.
    pub fn set_field(&mut self, field: &str, value: Value) {
        put(&mut self.fields, field, value);
    }
}

/// Sets `key` in a map, or takes it out where the value is null.
pub(super) fn put(map: &mut Value, key: &str, value: Value) {
    if value == Value::Null {
        map.remove(key);
    } else {
        map.set(Key::from(key), value);
    }
}
