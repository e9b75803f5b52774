//! Edits put together as a tree of changes over the tree of nodes.

use std::collections::{BTreeMap, BTreeSet};

use super::diff;
use super::edit::{CannotEdit, Edit, Step, display};
use super::tree::{Data, Document, Node};
use crate::data::{Key, Value};

/// What becomes of a node.
#[derive(Debug, PartialEq)]
pub(super) enum Change {
    None,
    /// The node comes to hold `value`: by changes of its parts if there are any, else by being written anew.
    Become {
        value: Value,
        parts: Option<Parts>,
        made: Made,
    },
    /// Parts of the node change.
    Parts(Parts),
}

/// Why a node comes to hold another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// An edit set it: no other edit may reach inside.
    Given,
    /// It was null or empty, and edits put entries or items into it.
    ByParts,
}

/// Changes of the entries of a map or the items of a list, by their place in the document as it was.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub changed: BTreeMap<usize, Change>,
    pub removed: BTreeSet<usize>,
    /// For maps.
    pub added: Vec<(Key, Value)>,
    /// Of the added ones, before which entry some have to stand.
    pub places: Vec<(Key, usize)>,
    /// For lists: before which item, and what.
    pub inserted: Vec<(usize, Value)>,
}

impl Parts {
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.inserted.is_empty()
            && self.changed.values().all(Change::is_none)
    }
}

impl Change {
    pub fn is_none(&self) -> bool {
        match self {
            Self::None => true,
            Self::Become { parts, .. } => parts.as_ref().is_some_and(Parts::is_empty),
            Self::Parts(parts) => parts.is_empty(),
        }
    }

    /// The change that makes all `edits` in `document`.
    pub fn of(document: &Document, edits: &[Edit]) -> Result<Self, CannotEdit> {
        let mut change = Self::None;
        for (place, edit) in edits.iter().enumerate() {
            let walk = Walk { edit, path: edit.path(), earlier: &edits[..place] };
            walk.apply(&mut change, &document.root, 0)?;
        }
        change.settle(&document.root);
        Ok(change)
    }

    /// Writes a collection anew of which nothing stays, or that is written as empty.
    fn settle(&mut self, node: &Node) {
        let Self::Parts(parts) = self else { return };
        let children: Vec<&Node> = match &node.data {
            Data::Map(entries) => entries.iter().map(|entry| &entry.value).collect(),
            Data::List(items) => items.iter().collect(),
            _ => Vec::new(),
        };
        if !parts.is_empty() && parts.removed.len() == children.len() {
            let value = if node.is_map() {
                Value::Map(std::mem::take(&mut parts.added))
            } else {
                parts.inserted.sort_by_key(|(index, _)| *index);
                Value::List(std::mem::take(&mut parts.inserted).into_iter().map(|(_, value)| value).collect())
            };
            *self = Self::Become { value, parts: None, made: Made::ByParts };
            return;
        }
        for (place, change) in &mut parts.changed {
            change.settle(children[*place]);
        }
        parts.changed.retain(|_, change| !change.is_none());
        parts.inserted.sort_by_key(|(index, _)| *index);
    }

    /// The parts of a node that nothing was set as a whole.
    fn parts(&mut self) -> &mut Parts {
        if !matches!(self, Self::Parts(_)) {
            *self = Self::Parts(Parts::default());
        }
        match self {
            Self::Parts(parts) => parts,
            _ => unreachable!("it was just made so"),
        }
    }
}

/// One edit on its way down.
struct Walk<'a> {
    edit: &'a Edit,
    path: &'a [Step],
    earlier: &'a [Edit],
}

impl Walk<'_> {
    /// Notes the edit in `change` of `node`, which is `depth` steps down.
    fn apply(&self, change: &mut Change, node: &Node, depth: usize) -> Result<(), CannotEdit> {
        match change {
            Change::Become { made: Made::Given, .. } => return Err(self.refuse(depth, "is set by another edit")),
            Change::Become { value, .. } => return self.apply_to_new(value, depth),
            _ => {}
        }
        let Some(step) = self.path.get(depth) else { return self.arrive(change, node) };
        match (step, &node.data) {
            (Step::Key(key), Data::Map(entries)) => {
                if let Some(place) = entries.iter().position(|entry| entry.key == *key) {
                    return self.enter(change, place, &entries[place].value, depth + 1);
                }
                let parts = change.parts();
                if let Some((_, value)) = parts.added.iter_mut().find(|(added, _)| added == key) {
                    return self.apply_to_new(value, depth + 1);
                }
                parts.added.push((key.clone(), self.made(depth + 1)?));
                if let (Edit::Add { index, .. }, true) = (self.edit, depth + 1 == self.path.len()) {
                    parts.places.push((key.clone(), *index));
                }
                Ok(())
            }
            (Step::Index(index), Data::List(items)) => match items.get(*index) {
                Some(item) => self.enter(change, *index, item, depth + 1),
                None => Err(self.refuse(depth + 1, "is not there")),
            },
            (Step::Key(_), Data::Null) => {
                let value = self.made(depth)?;
                *change = Change::Become { value, parts: None, made: Made::ByParts };
                Ok(())
            }
            (Step::Key(_), _) => Err(self.refuse(depth, "is no map")),
            (Step::Index(_), _) => Err(self.refuse(depth, "is no list")),
        }
    }

    /// Goes on to the child at `place`.
    fn enter(&self, change: &mut Change, place: usize, child: &Node, depth: usize) -> Result<(), CannotEdit> {
        let parts = change.parts();
        if parts.removed.contains(&place) {
            return Err(self.refuse(depth, "is removed by another edit"));
        }
        if depth == self.path.len() && matches!(self.edit, Edit::Remove { .. }) {
            if parts.changed.contains_key(&place) {
                return Err(self.refuse(depth, "is changed by another edit"));
            }
            parts.removed.insert(place);
            return Ok(());
        }
        self.apply(parts.changed.entry(place).or_insert(Change::None), child, depth)
    }

    /// Sets, or inserts into, the node at the end of the path.
    fn arrive(&self, change: &mut Change, node: &Node) -> Result<(), CannotEdit> {
        let depth = self.path.len();
        match self.edit {
            Edit::Set { .. } if *change != Change::None => Err(self.refuse(depth, "is changed by another edit")),
            Edit::Set { value, .. } => {
                // An equal value changes no part, but still no other edit may change it.
                let parts = if node.holds(value) { Some(Parts::default()) } else { diff::parts(node, value) };
                *change = Change::Become { value: value.clone(), parts, made: Made::Given };
                Ok(())
            }
            Edit::Insert { index, value, .. } => match &node.data {
                Data::List(items) if *index <= items.len() => {
                    change.parts().inserted.push((*index, value.clone()));
                    Ok(())
                }
                Data::List(items) => Err(self.refuse(depth, &format!("has only {} items", items.len()))),
                Data::Null if *index == 0 => {
                    let value = Value::List(vec![value.clone()]);
                    *change = Change::Become { value, parts: None, made: Made::ByParts };
                    Ok(())
                }
                _ => Err(self.refuse(depth, "is no list")),
            },
            Edit::Add { .. } => Err(self.refuse(depth, "is there already")),
            Edit::Remove { .. } => Err(CannotEdit::new("the top level cannot be removed")),
        }
    }

    /// The value that has to be made `depth` steps down, where nothing is yet.
    fn made(&self, depth: usize) -> Result<Value, CannotEdit> {
        let mut value = match self.edit {
            Edit::Set { value, .. } | Edit::Add { value, .. } => value.clone(),
            Edit::Insert { index: 0, value, .. } => Value::List(vec![value.clone()]),
            Edit::Insert { .. } => return Err(self.refuse(depth, "has no items yet")),
            Edit::Remove { .. } => return Err(self.refuse(self.path.len(), "is not there")),
        };
        for step in self.path[depth..].iter().rev() {
            value = match step {
                Step::Key(key) => Value::Map(vec![(key.clone(), value)]),
                Step::Index(_) => return Err(self.refuse(self.path.len(), "is not there")),
            };
        }
        Ok(value)
    }

    /// Makes the edit within a value that another edit has added, `depth` steps down.
    fn apply_to_new(&self, mut value: &mut Value, depth: usize) -> Result<(), CannotEdit> {
        for (place, step) in self.path.iter().enumerate().skip(depth) {
            value = match (step, value) {
                (Step::Key(key), Value::Map(entries)) => {
                    let Some(found) = entries.iter().position(|(own, _)| own == key) else {
                        entries.push((key.clone(), self.made(place + 1)?));
                        return Ok(());
                    };
                    &mut entries[found].1
                }
                (Step::Index(index), Value::List(items)) if *index < items.len() => &mut items[*index],
                _ => return Err(self.refuse(place + 1, "is not there")),
            };
        }
        match (self.edit, value) {
            (Edit::Set { value: new, .. }, old) => *old = new.clone(),
            (Edit::Insert { index, value: new, .. }, Value::List(items)) if *index <= items.len() => {
                // In a list that insertions have made, index 0 is the end of the list as it was.
                let set = |edit: &Edit| matches!(edit, Edit::Set { path, .. } if self.path.starts_with(path));
                let place = if self.earlier.iter().any(set) { *index } else { items.len() };
                items.insert(place, new.clone());
            }
            _ => return Err(self.refuse(self.path.len(), "is added by another edit")),
        }
        Ok(())
    }

    fn refuse(&self, depth: usize, what: &str) -> CannotEdit {
        CannotEdit::new(format!("{} {what}", display(&self.path[..depth.min(self.path.len())])))
    }
}
