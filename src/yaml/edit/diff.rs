//! Finds a small change that gives a node another value.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Origin, Parts};
use crate::data::{Key, Value};
use crate::yaml::read::tree::{Data, Entry, Node};

/// The largest product of the lengths of two lists, without their common ends, that are searched for common items.
const MOST_COMPARISONS: usize = 250_000;

/// Returns the changes within `node` that make it equal to `value`, from which it differs; `None` if nothing of it would
/// stay.
pub(super) fn parts(node: &Node, value: &Value) -> Option<Parts> {
    let (parts, children) = match (&node.data, value) {
        (Data::Map(entries), Value::Map(new)) => (map_parts(entries, new), entries.len()),
        (Data::List(items), Value::List(new)) => (list_parts(items, new), items.len()),
        _ => return None,
    };
    (parts.removed.len() < children).then_some(parts)
}

/// Returns the change that makes `node` equal to `value`.
fn change(node: &Node, value: &Value) -> Change {
    if node.equals(value) {
        return Change::None;
    }
    Change::Become { value: value.clone(), parts: parts(node, value), origin: Origin::Set }
}

fn map_parts(entries: &[Entry], new: &[(Key, Value)]) -> Parts {
    let wanted: BTreeMap<&Key, &Value> = new.iter().map(|(key, value)| (key, value)).collect();
    let mut parts = Parts::default();
    for (index, entry) in entries.iter().enumerate() {
        match wanted.get(&entry.key) {
            None => {
                parts.removed.insert(index);
            }
            Some(value) if !entry.value.equals(value) => {
                parts.changed.insert(index, change(&entry.value, value));
            }
            Some(_) => {}
        }
    }
    let old_keys: BTreeSet<&Key> = entries.iter().map(|entry| &entry.key).collect();
    parts.added = new.iter().filter(|(key, _)| !old_keys.contains(key)).cloned().collect();
    parts
}

fn list_parts(items: &[Node], new: &[Value]) -> Parts {
    let shorter = items.len().min(new.len());
    let front = items.iter().zip(new).take_while(|(item, value)| item.equals(value)).count();
    let back = items[front..].iter().rev().zip(new[front..].iter().rev());
    let back = back.take_while(|(item, value)| item.equals(value)).count().min(shorter - front);
    let (items_end, new_end) = (items.len() - back, new.len() - back);

    let mut parts = Parts::default();
    let (mut item, mut value) = (front, front);
    let mut common = common_items(&items[front..items_end], &new[front..new_end]);
    common.push((items_end - front, new_end - front));
    for (next_item, next_value) in common {
        let (next_item, next_value) = (front + next_item, front + next_value);
        pair_up(items, new, item..next_item, value..next_value, &mut parts);
        (item, value) = (next_item + 1, next_value + 1);
    }
    parts
}

/// Returns the indices of a longest common subsequence.
fn common_items(items: &[Node], new: &[Value]) -> Vec<(usize, usize)> {
    if items.is_empty() || new.is_empty() || items.len().saturating_mul(new.len()) > MOST_COMPARISONS {
        return Vec::new();
    }
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (items.len() + 1) * width];
    let mut same = vec![false; items.len() * new.len()];
    for i in (0..items.len()).rev() {
        for j in (0..new.len()).rev() {
            same[i * new.len() + j] = items[i].equals(&new[j]);
            longest[i * width + j] = if same[i * new.len() + j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut common = Vec::new();
    while i < items.len() && j < new.len() {
        if same[i * new.len() + j] {
            common.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// Turns old items between two common ones into similar new ones, in order, and removes and inserts the rest.
fn pair_up(
    items: &[Node],
    new: &[Value],
    old_range: std::ops::Range<usize>,
    new_range: std::ops::Range<usize>,
    parts: &mut Parts,
) {
    let mut next = old_range.start;
    for value in &new[new_range] {
        match (next..old_range.end).find(|&index| similar(&items[index], value)) {
            Some(index) => {
                parts.removed.extend(next..index);
                parts.changed.insert(index, change(&items[index], value));
                next = index + 1;
            }
            None => parts.inserted.push((next, value.clone())),
        }
    }
    parts.removed.extend(next..old_range.end);
}

/// Whether it is less to change the one into the other than to remove and insert.
fn similar(node: &Node, value: &Value) -> bool {
    match (&node.data, value) {
        (Data::Map(entries), Value::Map(new)) => {
            let same = new
                .iter()
                .filter(|(key, value)| entries.iter().any(|entry| entry.key == *key && entry.value.equals(value)));
            same.count() * 2 >= entries.len().max(new.len())
        }
        (Data::List(_), Value::List(_)) => true,
        (Data::List(_) | Data::Map(_), _) | (_, Value::List(_) | Value::Map(_)) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Document;

    fn list_diff(old: &str, new: &[i64]) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
        let document = Document::parse(old).unwrap();
        let new: Vec<Value> = new.iter().map(|number| Value::Int(*number)).collect();
        let parts = list_parts(document.root().items(), &new);
        (
            parts.changed.keys().copied().collect(),
            parts.removed.iter().copied().collect(),
            parts.inserted.iter().map(|(index, _)| *index).collect(),
        )
    }

    #[test]
    fn one_more_item_is_one_insertion() {
        assert_eq!(list_diff("[7]", &[7, 8]), (vec![], vec![], vec![1]));
        assert_eq!(list_diff("[7, 7]", &[7, 7, 7]), (vec![], vec![], vec![2]));
        assert_eq!(list_diff("[1, 2, 3]", &[1, 9, 2, 3]), (vec![], vec![], vec![1]));
    }

    #[test]
    fn one_item_less_is_one_removal() {
        assert_eq!(list_diff("[1, 2, 3, 4]", &[1, 2, 4]), (vec![], vec![2], vec![]));
        assert_eq!(list_diff("[7, 7]", &[7]), (vec![], vec![1], vec![]));
    }

    #[test]
    fn a_replaced_item_is_one_change() {
        assert_eq!(list_diff("[1, 2, 3]", &[1, 5, 3]), (vec![1], vec![], vec![]));
        assert_eq!(list_diff("[1, 2, 3, 4]", &[2, 3, 5]), (vec![3], vec![0], vec![]));
    }
}
