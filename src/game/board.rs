//! Spaces and the links between them (B-4 to B-8, CN-1, CN-2).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::player::put;
use super::{Name, SpaceId};
use crate::data::Value;

/// One space of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The identifier.
    pub id: SpaceId,
    /// The type, or the category that the space has instead (B-6, C-1).
    pub kind: Name,
    /// Its successors, each once, in the order of the file (CN-1).
    pub successors: Vec<SpaceId>,
    /// The other fields that the ruleset declares for spaces.
    pub fields: Value,
}

impl Space {
    /// Sorts everything that has no order.
    pub(super) fn in_order(mut self) -> Self {
        self.successors.sort_unstable();
        self.fields = self.fields.in_order();
        self
    }

    /// Sets a field that the ruleset declares; null clears it.
    pub(crate) fn set_field(&mut self, field: &str, value: Value) {
        put(&mut self.fields, field, value);
    }
}

/// All spaces, in the order of the file, which is the order of their creation (B-3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Board {
    spaces: Vec<Arc<Space>>,
    indices: Arc<BTreeMap<SpaceId, u32>>,
}

impl Board {
    /// Makes a board of spaces; of two with the same identifier it keeps the first.
    pub(crate) fn new(spaces: impl IntoIterator<Item = Space>) -> Self {
        let mut board = Self::default();
        for space in spaces {
            board.create(space);
        }
        board
    }

    /// Returns the space with this identifier.
    pub fn get(&self, id: SpaceId) -> Option<&Space> {
        Some(&self.spaces[*self.indices.get(&id)? as usize])
    }

    /// Returns the space with this identifier, for changing it.
    pub(crate) fn get_mut(&mut self, id: SpaceId) -> Option<&mut Space> {
        let index = *self.indices.get(&id)? as usize;
        Some(Arc::make_mut(&mut self.spaces[index]))
    }

    /// Returns all spaces, in the order of the file.
    pub fn spaces(&self) -> impl Iterator<Item = &Space> {
        self.spaces.iter().map(AsRef::as_ref)
    }

    /// Returns the number of spaces.
    pub fn len(&self) -> usize {
        self.spaces.len()
    }

    /// Tells whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.spaces.is_empty()
    }

    /// Adds a space; returns `false`, and changes nothing, if its identifier is in use (B-4).
    pub fn create(&mut self, space: Space) -> bool {
        if self.indices.contains_key(&space.id) {
            return false;
        }
        let index = u32::try_from(self.spaces.len()).expect("fewer than 2^32 spaces");
        Arc::make_mut(&mut self.indices).insert(space.id, index);
        self.spaces.push(Arc::new(space));
        true
    }

    /// Removes a space, but not the links to it.
    pub(crate) fn remove(&mut self, id: SpaceId) {
        let Some(index) = self.indices.get(&id).copied() else { return };
        self.spaces.remove(index as usize);
        let indices = Arc::make_mut(&mut self.indices);
        indices.remove(&id);
        indices.values_mut().filter(|own| **own > index).for_each(|own| *own -= 1);
    }

    /// Returns the spaces that precede `id`, in the order of their identifiers (CN-2).
    pub fn predecessors(&self, id: SpaceId) -> Vec<SpaceId> {
        let mut found: Vec<_> =
            self.spaces().filter(|space| space.successors.contains(&id)).map(|space| space.id).collect();
        found.sort_unstable();
        found
    }

    /// Tells whether a line runs from `from` to `to`: every space of that range but the last precedes the next higher
    /// (B-7). Places on a map have no next number and form no lines.
    pub fn is_line(&self, from: SpaceId, to: SpaceId) -> bool {
        let (SpaceId::Number(first), SpaceId::Number(last)) = (from, to) else { return false };
        first < last && self.get(to).is_some() && (first..last).all(|number| self.next_follows(SpaceId::Number(number)))
    }

    /// Tells whether the space with the next higher number succeeds `id`.
    fn next_follows(&self, id: SpaceId) -> bool {
        self.get(id).is_some_and(|space| id.next().is_some_and(|next| space.successors.contains(&next)))
    }

    /// Tells whether a loop runs from `from` to `to`: a line, and `from` succeeds `to` (B-8).
    pub fn is_loop(&self, from: SpaceId, to: SpaceId) -> bool {
        self.is_line(from, to) && self.get(to).is_some_and(|space| space.successors.contains(&from))
    }

    /// Returns every longest line of at least two spaces, in the order of identifiers (B-7).
    pub fn lines(&self) -> Vec<(SpaceId, SpaceId)> {
        let mut lines: Vec<(SpaceId, SpaceId)> = Vec::new();
        for (&id, _) in self.indices.iter() {
            let Some(next) = id.next().filter(|_| self.next_follows(id)) else { continue };
            match lines.last_mut() {
                Some(line) if line.1 == id => line.1 = next,
                _ => lines.push((id, next)),
            }
        }
        lines
    }

    /// Returns every loop: a link back along a line (B-8).
    pub fn loops(&self) -> Vec<(SpaceId, SpaceId)> {
        let lines = self.lines();
        let mut loops = Vec::new();
        for space in self.spaces() {
            let line = lines.iter().find(|(from, to)| (*from..=*to).contains(&space.id));
            let starts = space
                .successors
                .iter()
                .filter(|start| **start < space.id && line.is_some_and(|line| **start >= line.0));
            loops.extend(starts.map(|start| (*start, space.id)));
        }
        loops.sort_unstable();
        loops
    }

    /// Returns the spaces that differ, each before and after; `None` if it did not or does not exist.
    pub(super) fn changed<'a>(
        &'a self,
        before: &'a Self,
    ) -> impl Iterator<Item = (Option<&'a Space>, Option<&'a Space>)> {
        let old = |index: usize, id: SpaceId| {
            let same_index = before.spaces.get(index).filter(|old| old.id == id);
            same_index.or_else(|| Some(&before.spaces[*before.indices.get(&id)? as usize]))
        };
        let gone = before.spaces.iter().filter(|old| !self.indices.contains_key(&old.id));
        let now = self.spaces.iter().enumerate().filter_map(move |(index, space)| match old(index, space.id) {
            Some(old) if Arc::ptr_eq(old, space) => None,
            old => Some((old.map(AsRef::as_ref), Some(space.as_ref()))),
        });
        gone.map(|old| (Some(old.as_ref()), None)).chain(now)
    }
}
