//! Changes: a tree over the tree of nodes, with what is new at each of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::{Key, Value};
use crate::yaml::read::tree::Entry;

/// The change of one node.
#[derive(Debug, PartialEq)]
pub(super) enum Change {
    None,
    /// The node becomes `value`: by changes of its parts if there are any, else by being written as new.
    Become {
        value: Value,
        parts: Option<Parts>,
        origin: Origin,
    },
    /// Parts of the node change.
    Parts(Parts),
}

/// Why a node gets another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// An edit set it: no other edit may reach inside.
    Set,
    /// It was null or empty, and edits added entries or items to it.
    Added,
}

/// Changes of the entries of a map or the items of a list, by their index before all changes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub changed: BTreeMap<usize, Change>,
    pub removed: BTreeSet<usize>,
    /// The new entries of a map.
    pub added: Vec<(Key, Value)>,
    /// The index of the entry that follows, for the new entries that were given one.
    pub positions: Vec<(Key, usize)>,
    /// The new items of a list, each with the index of the item that follows.
    pub inserted: Vec<(usize, Value)>,
}

impl Change {
    pub fn is_none(&self) -> bool {
        match self {
            Self::None => true,
            Self::Become { parts, .. } => parts.as_ref().is_some_and(Parts::is_empty),
            Self::Parts(parts) => parts.is_empty(),
        }
    }
}

impl Parts {
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.inserted.is_empty()
            && self.changed.values().all(Change::is_none)
    }

    /// Returns the new entries in their order, each with the index of the entry that follows: the given one, or by
    /// number in a map that is sorted by number.
    pub fn added_in_order(&self, entries: &[Entry]) -> Vec<(usize, &(Key, Value))> {
        let sorted = entries.iter().all(|entry| matches!(entry.key, Key::Int(_)))
            && entries.windows(2).all(|pair| pair[0].key < pair[1].key);
        let position = |key: &Key| {
            if let Some((_, given)) = self.positions.iter().find(|(added, _)| added == key) {
                (*given).min(entries.len())
            } else if sorted && matches!(key, Key::Int(_)) {
                entries.partition_point(|entry| entry.key < *key)
            } else {
                entries.len()
            }
        };
        let mut added: Vec<_> = self.added.iter().map(|entry| (position(&entry.0), entry)).collect();
        if sorted && self.added.iter().all(|(key, _)| matches!(key, Key::Int(_))) {
            added.sort_by(|a, b| a.1.0.cmp(&b.1.0));
        }
        added.sort_by_key(|(position, _)| *position);
        added
    }
}
