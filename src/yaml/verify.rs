//! The proof that a new text says what was asked for.

use std::collections::BTreeMap;

use super::plan::{Change, Parts};
use super::tree::{Data, Document, Node};
use crate::data::{Key, Value};

/// Whether `new` holds what `old` held, with `change` made; the order of the entries of a map does not count.
pub(super) fn holds(old: &Node, change: &Change, new: &Node) -> bool {
    match change {
        Change::None => same(old, new),
        Change::Become { value, .. } => new.holds(value),
        Change::Parts(parts) => match (&old.data, &new.data) {
            (Data::Map(_), Data::Map(_)) => holds_entries(old, parts, new),
            (Data::List(_), Data::List(_)) => holds_items(old, parts, new),
            _ => false,
        },
    }
}

/// Whether two nodes hold the same; the order of the entries of a map does not count.
fn same(old: &Node, new: &Node) -> bool {
    match (&old.data, &new.data) {
        (Data::Map(_), Data::Map(_)) => holds_entries(old, &Parts::default(), new),
        (Data::List(own), Data::List(other)) => {
            own.len() == other.len() && own.iter().zip(other).all(|(old, new)| same(old, new))
        }
        (own, other) => own == other,
    }
}

fn holds_entries(old: &Node, parts: &Parts, new: &Node) -> bool {
    let (old, new) = (old.entries(), new.entries());
    if new.len() + parts.removed.len() != old.len() + parts.added.len() {
        return false;
    }
    let added: BTreeMap<&Key, &Value> = parts.added.iter().map(|(key, value)| (key, value)).collect();
    if added.len() != parts.added.len() {
        return false;
    }
    // Old entries keep their order, so that one walk through both meets all; the new ones stand anywhere between.
    let mut left = old.iter().enumerate().filter(|(place, _)| !parts.removed.contains(place));
    new.iter().all(|entry| match added.get(&entry.key) {
        Some(value) => entry.value.holds(value),
        None => left.next().is_some_and(|(place, before)| {
            let change = parts.changed.get(&place).unwrap_or(&Change::None);
            before.key == entry.key && holds(&before.value, change, &entry.value)
        }),
    }) && left.next().is_none()
}

fn holds_items(old: &Node, parts: &Parts, new: &Node) -> bool {
    let mut items = new.items().iter();
    let mut inserted = parts.inserted.iter().peekable();
    for (place, item) in old.items().iter().enumerate() {
        while let Some((_, value)) = inserted.next_if(|(index, _)| *index <= place) {
            if !items.next().is_some_and(|new| new.holds(value)) {
                return false;
            }
        }
        if parts.removed.contains(&place) {
            continue;
        }
        let change = parts.changed.get(&place).unwrap_or(&Change::None);
        if !items.next().is_some_and(|new| holds(item, change, new)) {
            return false;
        }
    }
    inserted.all(|(_, value)| items.next().is_some_and(|new| new.holds(value))) && items.next().is_none()
}

/// Whether the comments at the places `kept` in the old text, and no others, stand in the new one in their order.
pub(super) fn keeps_comments(old: &Document, kept: &[(u32, u32)], new: &Document) -> bool {
    let text = |&(start, end): &(u32, u32)| &old.text[start as usize..end as usize];
    kept.len() == new.comments.len() && kept.iter().map(text).eq(new.comments())
}

#[cfg(test)]
mod tests {
    use super::super::edit::{Edit, Step};
    use super::*;

    fn proven(old: &str, edit: Edit, new: &str) -> bool {
        let (old, new) = (Document::parse(old).unwrap(), Document::parse(new).unwrap());
        holds(&old.root, &Change::of(&old, &[edit]).unwrap(), &new.root)
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
