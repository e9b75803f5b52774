//! Players, spaces and rolls as scripts hold them: handles that read the context when they are asked.

#![expect(unsafe_code, reason = "the script library's own derives write `unsafe impl`; nothing here does by hand")]

use std::convert::Infallible;
use std::fmt;

use allocative::Allocative;
use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, NoSerialize, ProvidesStaticType, StarlarkPagable, UnpackValue, Value, ValueLike};

use super::cell::at;
use crate::data::{Key, Value as Data};
use crate::engine::mover::Mover;
use crate::engine::world::called;
use crate::game::{PlayerId, SpaceId};

/// A player, by number; or an image of a player, with the sign set and its place among theirs above the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Player(pub u32);

/// A space, by its identifier: its number, or both coordinates of its place (the script library stores plain numbers only).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Space(i64, Option<i32>);

/// Dice that were thrown, with what was changed of them since.
#[derive(Debug, Clone, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Roll {
    /// As they fell.
    pub dice: Vec<i64>,
    /// Their sum before any change.
    pub sum: i64,
    /// In order of time: the die from 0 on, or the total; whether the number is added, or it is the number less what was.
    #[allocative(skip)]
    pub changes: Vec<(Option<usize>, bool, i64)>,
}

impl Roll {
    /// Returns the dice and their total after every change, with a bonus that came with the throw and so before all of them
    ///
    pub fn after(&self, bonus: i64) -> (Vec<i64>, i64) {
        let mut dice = self.dice.clone();
        let mut total = self.sum.saturating_add(bonus);
        for (place, added, number) in &self.changes {
            let after =
                |before: i64| if *added { before.saturating_add(*number) } else { number.saturating_sub(before) };
            match place {
                None => total = after(total),
                Some(place) => {
                    let Some(shown) = dice.get_mut(*place) else { continue };
                    let before = std::mem::replace(shown, after(*shown));
                    total = total.saturating_add(*shown - before);
                }
            }
        }
        (dice, total)
    }
}

impl<'v> UnpackValue<'v> for Player {
    type Error = Infallible;

    fn unpack_value_impl(value: Value<'v>) -> Result<Option<Self>, Infallible> {
        Ok(value.downcast_ref::<Self>().copied())
    }
}

impl<'v> UnpackValue<'v> for Space {
    type Error = Infallible;

    fn unpack_value_impl(value: Value<'v>) -> Result<Option<Self>, Infallible> {
        Ok(value.downcast_ref::<Self>().copied())
    }
}

impl Player {
    /// Returns the player, or whose image it is.
    pub fn id(self) -> PlayerId {
        PlayerId::from_number(if self.0 & IMAGE == 0 { self.0 } else { self.0 & OWNER })
    }

    /// Returns the player, or the image of one, as the engine knows it.
    pub fn mover(self) -> Mover {
        Mover { player: self.id(), image: self.image() }
    }

    /// Makes the handle of an image of a player, by its index among theirs.
    pub fn image_of(owner: PlayerId, place: usize) -> Option<Self> {
        let place = u32::try_from(place).ok().filter(|place| *place < 1 << (31 - OWNER_BITS))?;
        (owner.number() <= OWNER).then(|| Self(IMAGE | place << OWNER_BITS | owner.number()))
    }

    /// Returns the index among its owner's images, if this is one.
    pub fn image(self) -> Option<usize> {
        (self.0 & IMAGE != 0).then_some(((self.0 & !IMAGE) >> OWNER_BITS) as usize)
    }
}

const IMAGE: u32 = 1 << 31;
const OWNER_BITS: u32 = 20;
const OWNER: u32 = (1 << OWNER_BITS) - 1;

impl From<PlayerId> for Player {
    fn from(id: PlayerId) -> Self {
        Self(id.number())
    }
}

impl Space {
    pub fn id(self) -> SpaceId {
        match (i32::try_from(self.0), self.1) {
            (Ok(x), Some(y)) => SpaceId::Place { x, y },
            _ => SpaceId::Number(self.0),
        }
    }
}

impl From<SpaceId> for Space {
    fn from(id: SpaceId) -> Self {
        match id {
            SpaceId::Number(number) => Self(number, None),
            SpaceId::Place { x, y } => Self(x.into(), Some(y)),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match at(|context| Ok(context.called(self.mover()))) {
            Ok(name) => f.write_str(&name),
            Err(_) => write!(f, "player {}", self.0),
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&called(self.id()))
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.dice)
    }
}

/// Turns plain data into a value of a script.
pub(in crate::engine) fn to_script<'v>(heap: Heap<'v>, data: &Data) -> Value<'v> {
    match data {
        Data::Null => Value::new_none(),
        Data::Bool(yes) => Value::new_bool(*yes),
        Data::Int(number) => heap.alloc(*number),
        Data::Text(text) => heap.alloc(text.as_str()),
        Data::List(values) => heap.alloc(values.iter().map(|value| to_script(heap, value)).collect::<Vec<_>>()),
        Data::Map(entries) => {
            let key = |key: &Key| match key {
                Key::Int(number) => heap.alloc(*number),
                Key::Text(text) => heap.alloc(text.as_str()),
            };
            heap.alloc(AllocDict(entries.iter().map(|(k, value)| (key(k), to_script(heap, value)))))
        }
    }
}

/// Turns a value of a script into plain data; `None` if it holds something that a file cannot.
pub(in crate::engine) fn from_script(value: Value) -> Option<Data> {
    if value.is_none() {
        return Some(Data::Null);
    }
    if let Some(yes) = value.unpack_bool() {
        return Some(Data::Bool(yes));
    }
    if let Ok(Some(number)) = i64::unpack_value(value) {
        return Some(Data::Int(number));
    }
    if let Some(text) = value.unpack_str() {
        return Some(Data::from(text));
    }
    if let Some(space) = value.downcast_ref::<Space>() {
        return Some(space.id().into());
    }
    if let Some(player) = value.downcast_ref::<Player>() {
        return at(|context| Ok(Data::from(&*context.name(player.id())))).ok();
    }
    if let Some(list) = ListRef::from_value(value) {
        return list.iter().map(from_script).collect::<Option<_>>().map(Data::List);
    }
    if let Some(tuple) = TupleRef::from_value(value) {
        return tuple.iter().map(from_script).collect::<Option<_>>().map(Data::List);
    }
    let dict = DictRef::from_value(value)?;
    let entry = |(key, value): (Value, Value)| {
        let key = match from_script(key)? {
            Data::Int(number) => Key::Int(number),
            Data::Text(text) => Key::Text(text),
            _ => return None,
        };
        Some((key, from_script(value)?))
    };
    dict.iter().map(entry).collect::<Option<_>>().map(Data::Map)
}
