//! Proves that a new text says what was asked for.

use std::collections::BTreeMap;

use super::change::{Change, Parts};
use crate::data::{Key, Value};
use crate::yaml::read::tree::{Data, Document, Node};

/// Whether `new` is equal to `old` with `change` made; the order of the entries of a map does not matter.
pub(super) fn says(old: &Node, change: &Change, new: &Node) -> bool {
    match change {
        Change::None => same(old, new),
        Change::Become { value, .. } => new.equals(value),
        Change::Parts(parts) => match (&old.data, &new.data) {
            (Data::Map(_), Data::Map(_)) => says_entries(old, parts, new),
            (Data::List(_), Data::List(_)) => says_items(old, parts, new),
            _ => false,
        },
    }
}

/// Whether two nodes are equal; the order of the entries of a map does not matter.
fn same(old: &Node, new: &Node) -> bool {
    match (&old.data, &new.data) {
        (Data::Map(_), Data::Map(_)) => says_entries(old, &Parts::default(), new),
        (Data::List(items), Data::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| same(item, other))
        }
        (data, other) => data == other,
    }
}

fn says_entries(old: &Node, parts: &Parts, new: &Node) -> bool {
    let (old, new) = (old.entries(), new.entries());
    if new.len() + parts.removed.len() != old.len() + parts.added.len() {
        return false;
    }
    let added: BTreeMap<&Key, &Value> = parts.added.iter().map(|(key, value)| (key, value)).collect();
    if added.len() != parts.added.len() {
        return false;
    }
    // Old entries keep their order, so one walk through both finds all; the new ones may be anywhere between.
    let mut left = old.iter().enumerate().filter(|(index, _)| !parts.removed.contains(index));
    new.iter().all(|entry| match added.get(&entry.key) {
        Some(value) => entry.value.equals(value),
        None => left.next().is_some_and(|(index, before)| {
            let change = parts.changed.get(&index).unwrap_or(&Change::None);
            before.key == entry.key && says(&before.value, change, &entry.value)
        }),
    }) && left.next().is_none()
}

fn says_items(old: &Node, parts: &Parts, new: &Node) -> bool {
    let mut items = new.items().iter();
    let mut inserted = parts.inserted.iter().peekable();
    for (index, item) in old.items().iter().enumerate() {
        while let Some((_, value)) = inserted.next_if(|(following, _)| *following <= index) {
            if !items.next().is_some_and(|new| new.equals(value)) {
                return false;
            }
        }
        if parts.removed.contains(&index) {
            continue;
        }
        let change = parts.changed.get(&index).unwrap_or(&Change::None);
        if !items.next().is_some_and(|new| says(item, change, new)) {
            return false;
        }
    }
    inserted.all(|(_, value)| items.next().is_some_and(|new| new.equals(value))) && items.next().is_none()
}

/// Whether the new text has exactly the comments that are at `kept` in the old one, in the same order.
pub(super) fn keeps_comments(old: &Document, kept: &[(u32, u32)], new: &Document) -> bool {
    let text = |&(start, end): &(u32, u32)| &old.text()[start as usize..end as usize];
    kept.len() == new.comments.len() && kept.iter().map(text).eq(new.comments())
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, plan};
    use super::*;
    use crate::yaml::path::Step;

    fn proven(old: &str, edit: Edit, new: &str) -> bool {
        let (old, new) = (Document::parse(old).unwrap(), Document::parse(new).unwrap());
        says(&old.root, &plan::plan(&old, &[edit]).unwrap(), &new.root)
    }

    #[test]
    fn a_text_that_says_anything_else_is_not_proven() {
        let set = || Edit::Set { path: vec![Step::Key("b".into())], value: Value::Int(3) };
        assert!(proven("a: 1\nb: 2\n", set(), "a: 1\nb: 3\n"));
        assert!(!proven("a: 1\nb: 2\n", set(), "a: 1\nb: 2\n"));
        assert!(!proven("a: 1\nb: 2\n", set(), "a: 0\nb: 3\n"));
        assert!(!proven("a: 1\nb: 2\n", set(), "a: 1\nb: 3\nc: 4\n"));
        let insert = || Edit::Insert { path: vec![], index: 1, value: Value::Int(3) };
        assert!(proven("[1, 2]", insert(), "[1, 3, 2]"));
        assert!(!proven("[1, 2]", insert(), "[1, 2, 3]"));
        assert!(!proven("[1, 2]", insert(), "[1, 3, 2, 2]"));
        let remove = || Edit::Remove { path: vec![Step::Index(0)] };
        assert!(proven("[1, 2]", remove(), "[2]"));
        assert!(!proven("[1, 2]", remove(), "[1]"));
    }
}
