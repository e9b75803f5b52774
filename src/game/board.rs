//! Spaces and the links between them (B-4 to B-8, CN-1, CN-2).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Name, player::put};
use crate::data::{Key, Value};

/// The identifier of a space: a whole number, which may be negative (B-4), or a place `(x, y)` on a map (L-1).
///
/// Places share the numbers with plain identifiers: they are those beyond [`SpaceId::MOST`], so that both are one
/// small key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId(pub i64);

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some((x, y)) => write!(f, "({x}, {y})"),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FromStr for SpaceId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        if let Some((x, y)) = inner.and_then(|inner| inner.split_once(',')) {
            let (x, y) = (x.trim().parse()?, y.trim().parse()?);
            if let Some(id) = Self::at(x, y) {
                return Ok(id);
            }
        }
        let plain = Self(text.trim().parse()?);
        // A number beyond all identifiers is none, as one beyond all numbers is.
        if plain.is_plain() { Ok(plain) } else { "99999999999999999999".parse::<i64>().map(Self) }
    }
}

impl From<SpaceId> for Value {
    fn from(id: SpaceId) -> Self {
        if id.place().is_some() { Self::Text(id.to_string()) } else { Self::Int(id.0) }
    }
}

impl From<SpaceId> for Key {
    fn from(id: SpaceId) -> Self {
        if id.place().is_some() { Self::Text(id.to_string()) } else { Self::Int(id.0) }
    }
}

impl SpaceId {
    /// The largest plain identifier, and without its sign the smallest: more than a thousand million thousand million.
    pub const MOST: i64 = (1 << 60) - 1;
    /// The number of the place farthest to the lower left.
    const FIRST_PLACE: i64 = 1 << 60;
    /// How far a map reaches in each direction: more than anybody can walk.
    const REACH: i64 = 1 << 28;

    /// The identifier of a place on a map; `None` beyond its reach.
    pub fn at(x: i64, y: i64) -> Option<Self> {
        let within = |number: i64| (-Self::REACH..Self::REACH).contains(&number);
        let number = |x: i64, y: i64| Self::FIRST_PLACE + (x + Self::REACH) * (2 * Self::REACH) + (y + Self::REACH);
        (within(x) && within(y)).then(|| Self(number(x, y)))
    }

    /// The coordinates of a place on a map.
    pub fn place(self) -> Option<(i64, i64)> {
        let number = self.0.checked_sub(Self::FIRST_PLACE).filter(|number| *number >= 0)?;
        Some((number / (2 * Self::REACH) - Self::REACH, number % (2 * Self::REACH) - Self::REACH))
    }

    /// Whether it is a whole number that an identifier can be.
    pub fn is_plain(self) -> bool {
        (-Self::MOST..=Self::MOST).contains(&self.0)
    }

    /// Reads an identifier as a file or a selection has it.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Some(Self(*number)).filter(|id| id.is_plain()),
            Value::Text(text) if text.trim_start().starts_with('(') => text.parse().ok(),
            _ => None,
        }
    }
}

/// What the gamestate says of one space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The identifier.
    pub id: SpaceId,
    /// The type, or the category that stands in its place (B-6, C-1).
    pub kind: Name,
    /// The spaces that follow it, each once, in the order of the file (CN-1).
    pub successors: Vec<SpaceId>,
    /// The other fields that the ruleset declares for spaces.
    pub fields: Value,
}

impl Space {
    /// The same with everything that has no order put in one.
    pub(super) fn in_order(mut self) -> Self {
        self.successors.sort_unstable();
        self.fields = self.fields.in_order();
        self
    }

    /// Sets or, with null, clears a field that the ruleset declares.
    pub fn set_field(&mut self, field: &str, value: Value) {
        put(&mut self.fields, field, value);
    }
}

/// All spaces, in the order of the file, which is the order of their creation (B-3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Board {
    spaces: Vec<Arc<Space>>,
    places: Arc<BTreeMap<SpaceId, u32>>,
}

impl Board {
    /// Puts spaces together to a board; of two with one identifier the first stays.
    pub fn new(spaces: impl IntoIterator<Item = Space>) -> Self {
        let mut board = Self::default();
        for space in spaces {
            board.create(space);
        }
        board
    }

    /// The space with this identifier.
    pub fn get(&self, id: SpaceId) -> Option<&Space> {
        Some(&self.spaces[*self.places.get(&id)? as usize])
    }

    /// The same space, to be changed.
    pub fn get_mut(&mut self, id: SpaceId) -> Option<&mut Space> {
        let place = *self.places.get(&id)? as usize;
        Some(Arc::make_mut(&mut self.spaces[place]))
    }

    /// All spaces in the order of the file.
    pub fn spaces(&self) -> impl Iterator<Item = &Space> {
        self.spaces.iter().map(AsRef::as_ref)
    }

    /// How many spaces there are.
    pub fn len(&self) -> usize {
        self.spaces.len()
    }

    /// Whether there is no space at all.
    pub fn is_empty(&self) -> bool {
        self.spaces.is_empty()
    }

    /// Adds a space; `false` where its identifier is in use, and then nothing happens (B-4).
    pub fn create(&mut self, space: Space) -> bool {
        if self.places.contains_key(&space.id) {
            return false;
        }
        let place = u32::try_from(self.spaces.len()).expect("fewer than four thousand million spaces");
        Arc::make_mut(&mut self.places).insert(space.id, place);
        self.spaces.push(Arc::new(space));
        true
    }

    /// Takes a space away, links to it aside.
    pub fn remove(&mut self, id: SpaceId) {
        let Some(place) = self.places.get(&id).copied() else { return };
        self.spaces.remove(place as usize);
        let places = Arc::make_mut(&mut self.places);
        places.remove(&id);
        places.values_mut().filter(|own| **own > place).for_each(|own| *own -= 1);
    }

    /// The spaces that precede `id`, in the order of their identifiers (CN-2).
    pub fn predecessors(&self, id: SpaceId) -> Vec<SpaceId> {
        let mut found: Vec<_> =
            self.spaces().filter(|space| space.successors.contains(&id)).map(|space| space.id).collect();
        found.sort_unstable();
        found
    }

    /// Whether a line runs from `from` to `to`: every space of that range but the last precedes the next higher (B-7).
    pub fn is_line(&self, from: SpaceId, to: SpaceId) -> bool {
        let next_follows =
            |id: i64| self.get(SpaceId(id)).is_some_and(|space| space.successors.contains(&SpaceId(id + 1)));
        from < to && self.get(to).is_some() && (from.0..to.0).all(next_follows)
    }

    /// Whether a loop runs from `from` to `to`: a line, and `from` succeeds `to` (B-8).
    pub fn is_loop(&self, from: SpaceId, to: SpaceId) -> bool {
        self.is_line(from, to) && self.get(to).is_some_and(|space| space.successors.contains(&from))
    }

    /// Every longest line of at least two spaces, from the lowest identifier up (B-7).
    pub fn lines(&self) -> Vec<(SpaceId, SpaceId)> {
        let mut lines: Vec<(SpaceId, SpaceId)> = Vec::new();
        for (&id, _) in self.places.iter() {
            let next = SpaceId(id.0.saturating_add(1));
            if !self.get(id).is_some_and(|space| space.successors.contains(&next)) {
                continue;
            }
            match lines.last_mut() {
                Some(line) if line.1 == id => line.1 = next,
                _ => lines.push((id, next)),
            }
        }
        lines
    }

    /// Every loop: a link back along a line (B-8).
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

    /// The spaces that differ: each before and after, `None` where there was or is none.
    pub(super) fn changed<'a>(
        &'a self,
        before: &'a Self,
    ) -> impl Iterator<Item = (Option<&'a Space>, Option<&'a Space>)> {
        let old = |place: usize, id: SpaceId| {
            let same_place = before.spaces.get(place).filter(|old| old.id == id);
            same_place.or_else(|| Some(&before.spaces[*before.places.get(&id)? as usize]))
        };
        let gone = before.spaces.iter().filter(|old| !self.places.contains_key(&old.id));
        let now = self.spaces.iter().enumerate().filter_map(move |(place, space)| match old(place, space.id) {
            Some(old) if Arc::ptr_eq(old, space) => None,
            old => Some((old.map(AsRef::as_ref), Some(space.as_ref()))),
        });
        gone.map(|old| (Some(old.as_ref()), None)).chain(now)
    }
}
