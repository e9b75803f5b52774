//! Paths into plain data, spelled as JSON Pointers (RFC 6901).

use std::fmt;

use super::{Key, Value};

/// The path from the top of plain data down to a value, such as `/players/Ann/location`; `/` and `~` in a name are
/// spelled `~1` and `~0`. Without steps it is the top itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pointer(Vec<String>);

impl Pointer {
    /// Returns the pointer one step further down.
    #[must_use]
    pub fn child(&self, step: impl fmt::Display) -> Self {
        let mut child = self.clone();
        child.push(step);
        child
    }

    /// Goes one step down: to the value under a key, or to the item at an index counted from 0.
    pub fn push(&mut self, step: impl fmt::Display) {
        self.0.push(step.to_string());
    }

    /// Goes one step up.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Returns the steps from the top down.
    pub fn steps(&self) -> &[String] {
        &self.0
    }

    /// Returns the first step: in a gamestate, the name of the section.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Tells whether this is the top.
    pub fn is_top(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value at this pointer, through maps and lists.
    pub fn get<'v>(&self, data: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(data, |value, step| match value {
            Value::List(items) => items.get(step.parse::<usize>().ok()?),
            map => map.get(step),
        })
    }

    /// Sets the value at this pointer, creating maps on the way down; null removes it. Returns what was there before, null
    /// for nothing. Returns `None`, and changes nothing, at the top and below a value that is not a map.
    pub fn set(&self, data: &mut Value, value: Value) -> Option<Value> {
        set(data, &self.0, value)
    }
}

/// Sets the value at the end of `steps`, as [`Pointer::set`] does.
pub(crate) fn set(data: &mut Value, steps: &[String], value: Value) -> Option<Value> {
    let (step, rest) = steps.split_first()?;
    if !matches!(data, Value::Map(_) | Value::Null) {
        return None;
    }
    let own = data.entries().iter().position(|(key, _)| key.is(step));
    match (own, data) {
        (Some(index), Value::Map(entries)) if !rest.is_empty() => set(&mut entries[index].1, rest, value),
        (Some(index), Value::Map(entries)) if value == Value::Null => Some(entries.remove(index).1),
        (Some(index), Value::Map(entries)) => Some(std::mem::replace(&mut entries[index].1, value)),
        (_, _) if value == Value::Null => Some(Value::Null),
        (_, map) => {
            let mut inner = if rest.is_empty() { value.clone() } else { Value::Null };
            if !rest.is_empty() {
                set(&mut inner, rest, value)?;
            }
            map.set(Key::of_step(step), inner);
            Some(Value::Null)
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "/{}", step.replace('~', "~0").replace('/', "~1")))
    }
}

impl From<&str> for Pointer {
    /// Reads what [`Display`](fmt::Display) writes. Text before the first `/` is ignored, so that every text is a pointer.
    fn from(text: &str) -> Self {
        Self(text.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
    }
}

impl<S: fmt::Display, const N: usize> From<[S; N]> for Pointer {
    fn from(steps: [S; N]) -> Self {
        steps.into_iter().collect()
    }
}

impl<S: fmt::Display> FromIterator<S> for Pointer {
    fn from_iter<I: IntoIterator<Item = S>>(steps: I) -> Self {
        Self(steps.into_iter().map(|step| step.to_string()).collect())
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const STEPS: [&str; 14] =
        ["Ann", "7", "-3", "007", "+7", "a/b", "~", "~1", "~0/", "", " ", "(0, -1)", "players", "x.y[3]"];

    fn pointers(count: usize) -> impl Iterator<Item = Pointer> {
        let mut rng = ChaCha8Rng::seed_from_u64(6901);
        (0..count).map(move |_| {
            let length = rng.random_range(1..5);
            (0..length).map(|_| *STEPS.choose(&mut rng).unwrap()).collect()
        })
    }

    #[test]
    fn a_pointer_is_read_as_it_is_written() {
        assert_eq!(Pointer::from(""), Pointer::default());
        assert_eq!(Pointer::from(["a/b", "c~d", "7"]).to_string(), "/a~1b/c~0d/7");
        for pointer in pointers(2000) {
            assert_eq!(Pointer::from(&*pointer.to_string()), pointer);
        }
    }

    #[test]
    fn a_value_is_found_where_it_was_set_and_setting_what_was_there_restores_it() {
        let mut data = Value::Null;
        for (number, pointer) in pointers(2000).enumerate() {
            let value = Value::Int(i64::try_from(number).unwrap());
            let before = data.clone();
            match pointer.set(&mut data, value.clone()) {
                Some(was) => {
                    assert_eq!(pointer.get(&before).cloned().unwrap_or_default(), was, "{pointer}");
                    assert_eq!(pointer.get(&data), Some(&value), "{pointer}");
                    let mut back = data.clone();
                    assert_eq!(pointer.set(&mut back, was), Some(value), "{pointer}");
                    assert_eq!(without_empty(back.in_order()), without_empty(before.in_order()), "{pointer}");
                }
                None => assert_eq!(data, before, "{pointer} changed something above it"),
            }
        }
    }

    /// Removes maps without entries, which `set` creates on the way to a value and leaves.
    fn without_empty(value: Value) -> Value {
        let Value::Map(entries) = value else { return value };
        let entries = entries.into_iter().map(|(key, value)| (key, without_empty(value)));
        let entries: Vec<_> = entries.filter(|(_, value)| !value.is_empty()).collect();
        if entries.is_empty() { Value::Null } else { Value::Map(entries) }
    }

    #[test]
    fn a_step_finds_a_number_and_a_name_alike() {
        let numbers = Value::Map(vec![(Key::Int(7), Value::from("space"))]);
        let names = Value::Map(vec![(Key::from("7"), Value::from("player"))]);
        let mut data = Value::Map(vec![(Key::from("spaces"), numbers), (Key::from("players"), names)]);
        for (section, held) in [("spaces", "space"), ("players", "player")] {
            let pointer = Pointer::from([section, "7"]);
            assert_eq!(pointer.set(&mut data, Value::from("new")), Some(Value::from(held)));
            assert_eq!(pointer.get(&data), Some(&Value::from("new")));
            assert_eq!(data.get(section).unwrap().entries().len(), 1);
        }
    }

    #[test]
    fn items_of_a_list_are_found_by_index() {
        let data = Value::Map(vec![(Key::from("log"), Value::from(vec![3, 5]))]);
        assert_eq!(Pointer::from(["log", "1"]).get(&data), Some(&Value::Int(5)));
        assert_eq!(Pointer::from(["log", "2"]).get(&data), None);
    }
}
