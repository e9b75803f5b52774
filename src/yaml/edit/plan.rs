//! Merges the edits of one call into a tree of changes.

use super::change::{Change, Origin, Parts};
use super::{CannotEdit, Edit, diff};
use crate::data::Value;
use crate::yaml::path::{self, Step};
use crate::yaml::read::tree::{Data, Document, Node};

/// Returns the change that makes all `edits` in `document`.
///
/// # Errors
/// If an edit does not fit the document or another edit.
pub(super) fn plan(document: &Document, edits: &[Edit]) -> Result<Change, CannotEdit> {
    let mut change = Change::None;
    for (index, edit) in edits.iter().enumerate() {
        let walk = Walk { edit, path: edit.path(), earlier: &edits[..index] };
        walk.apply(&mut change, &document.root, 0)?;
    }
    settle(&mut change, &document.root);
    Ok(change)
}

/// Has every collection written as new of which nothing is left, puts insertions in order, and drops empty changes.
fn settle(change: &mut Change, node: &Node) {
    let Change::Parts(parts) = change else { return };
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
        *change = Change::Become { value, parts: None, origin: Origin::Added };
        return;
    }
    for (index, change) in &mut parts.changed {
        settle(change, children[*index]);
    }
    parts.changed.retain(|_, change| !change.is_none());
    parts.inserted.sort_by_key(|(index, _)| *index);
}

/// Returns the parts of a change that does not set the node as a whole.
fn parts_of(change: &mut Change) -> &mut Parts {
    if !matches!(change, Change::Parts(_)) {
        *change = Change::Parts(Parts::default());
    }
    match change {
        Change::Parts(parts) => parts,
        _ => unreachable!("it was just made so"),
    }
}

/// One edit on its way down.
struct Walk<'a> {
    edit: &'a Edit,
    path: &'a [Step],
    earlier: &'a [Edit],
}

impl Walk<'_> {
    /// Adds the edit to the `change` of `node`, which is `depth` steps down.
    fn apply(&self, change: &mut Change, node: &Node, depth: usize) -> Result<(), CannotEdit> {
        match change {
            Change::Become { origin: Origin::Set, .. } => return Err(self.refuse(depth, "is set by another edit")),
            Change::Become { value, .. } => return self.apply_to_new(value, depth),
            _ => {}
        }
        let Some(step) = self.path.get(depth) else { return self.arrive(change, node) };
        match (step, &node.data) {
            (Step::Key(key), Data::Map(entries)) => {
                if let Some(index) = entries.iter().position(|entry| entry.key == *key) {
                    return self.enter(change, index, &entries[index].value, depth + 1);
                }
                let parts = parts_of(change);
                if let Some((_, value)) = parts.added.iter_mut().find(|(added, _)| added == key) {
                    return self.apply_to_new(value, depth + 1);
                }
                parts.added.push((key.clone(), self.new_value(depth + 1)?));
                if let (Edit::Add { index, .. }, true) = (self.edit, depth + 1 == self.path.len()) {
                    parts.positions.push((key.clone(), *index));
                }
                Ok(())
            }
            (Step::Index(index), Data::List(items)) => match items.get(*index) {
                Some(item) => self.enter(change, *index, item, depth + 1),
                None => Err(self.refuse(depth + 1, "does not exist")),
            },
            (Step::Key(_), Data::Null) => {
                let value = self.new_value(depth)?;
                *change = Change::Become { value, parts: None, origin: Origin::Added };
                Ok(())
            }
            (Step::Key(_), _) => Err(self.refuse(depth, "is not a map")),
            (Step::Index(_), _) => Err(self.refuse(depth, "is not a list")),
        }
    }

    /// Continues with the child at `index`, which is `depth` steps down.
    fn enter(&self, change: &mut Change, index: usize, child: &Node, depth: usize) -> Result<(), CannotEdit> {
        let parts = parts_of(change);
        if parts.removed.contains(&index) {
            return Err(self.refuse(depth, "is removed by another edit"));
        }
        if depth == self.path.len() && matches!(self.edit, Edit::Remove { .. }) {
            if parts.changed.contains_key(&index) {
                return Err(self.refuse(depth, "is changed by another edit"));
            }
            parts.removed.insert(index);
            return Ok(());
        }
        self.apply(parts.changed.entry(index).or_insert(Change::None), child, depth)
    }

    /// Sets, or inserts into, the node at the end of the path.
    fn arrive(&self, change: &mut Change, node: &Node) -> Result<(), CannotEdit> {
        let depth = self.path.len();
        match self.edit {
            Edit::Set { .. } if *change != Change::None => Err(self.refuse(depth, "is changed by another edit")),
            Edit::Set { value, .. } => {
                // An equal value changes no part, and still no other edit may change it.
                let parts = if node.equals(value) { Some(Parts::default()) } else { diff::parts(node, value) };
                *change = Change::Become { value: value.clone(), parts, origin: Origin::Set };
                Ok(())
            }
            Edit::Insert { index, value, .. } => match &node.data {
                Data::List(items) if *index <= items.len() => {
                    parts_of(change).inserted.push((*index, value.clone()));
                    Ok(())
                }
                Data::List(items) => Err(self.refuse(depth, &format!("has only {} items", items.len()))),
                Data::Null if *index == 0 => {
                    let value = Value::List(vec![value.clone()]);
                    *change = Change::Become { value, parts: None, origin: Origin::Added };
                    Ok(())
                }
                _ => Err(self.refuse(depth, "is not a list")),
            },
            Edit::Add { .. } => Err(self.refuse(depth, "already exists")),
            Edit::Remove { .. } => Err(CannotEdit::new("the top level cannot be removed")),
        }
    }

    /// Returns the value to make `depth` steps down, if nothing exists there yet.
    fn new_value(&self, depth: usize) -> Result<Value, CannotEdit> {
        let mut value = match self.edit {
            Edit::Set { value, .. } | Edit::Add { value, .. } => value.clone(),
            Edit::Insert { index: 0, value, .. } => Value::List(vec![value.clone()]),
            Edit::Insert { .. } => return Err(self.refuse(depth, "has no items yet")),
            Edit::Remove { .. } => return Err(self.refuse(self.path.len(), "does not exist")),
        };
        for step in self.path[depth..].iter().rev() {
            value = match step {
                Step::Key(key) => Value::Map(vec![(key.clone(), value)]),
                Step::Index(_) => return Err(self.refuse(self.path.len(), "does not exist")),
            };
        }
        Ok(value)
    }

    /// Makes the edit within a value that another edit has added `depth` steps down.
    fn apply_to_new(&self, mut value: &mut Value, depth: usize) -> Result<(), CannotEdit> {
        for (above, step) in self.path.iter().enumerate().skip(depth) {
            value = match (step, value) {
                (Step::Key(key), Value::Map(entries)) => {
                    let Some(index) = entries.iter().position(|(added, _)| added == key) else {
                        entries.push((key.clone(), self.new_value(above + 1)?));
                        return Ok(());
                    };
                    &mut entries[index].1
                }
                (Step::Index(index), Value::List(items)) if *index < items.len() => &mut items[*index],
                _ => return Err(self.refuse(above + 1, "does not exist")),
            };
        }
        match (self.edit, value) {
            (Edit::Set { value: new, .. }, old) => *old = new.clone(),
            (Edit::Insert { index, value: new, .. }, Value::List(items)) if *index <= items.len() => {
                // In a list made by insertions, index 0 is the end of the list before all edits.
                let set = |edit: &Edit| matches!(edit, Edit::Set { path, .. } if self.path.starts_with(path));
                let index = if self.earlier.iter().any(set) { *index } else { items.len() };
                items.insert(index, new.clone());
            }
            _ => return Err(self.refuse(self.path.len(), "is added by another edit")),
        }
        Ok(())
    }

    fn refuse(&self, depth: usize, reason: &str) -> CannotEdit {
        CannotEdit::new(format!("{} {reason}", path::in_message(&self.path[..depth.min(self.path.len())])))
    }
}
