//! Players, spaces and rolls as scripts hold them: handles that read the context when they are asked.

#![expect(
    clippy::unnecessary_wraps,
    clippy::elidable_lifetime_names,
    reason = "the script library's macros want a Result of every method and a lifetime by name"
)]
#![expect(unsafe_code, reason = "the script library's own derives write `unsafe impl`; nothing here does by hand")]

use std::convert::Infallible;
use std::fmt;
use std::hash::Hash;

use allocative::Allocative;
use starlark::collections::StarlarkHasher;
use starlark::environment::{Methods, MethodsBuilder};
use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;
use starlark::values::tuple::TupleRef;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagable, StarlarkValue, UnpackValue, Value, ValueLike,
};
use starlark::{starlark_module, starlark_simple_value};
use starlark_derive::starlark_value;

use super::cell::{at, settle};
use super::id::Id;
use super::message::called;
use crate::data::{Key, Value as Data};
use crate::engine::context::Context;
use crate::game::{PlayerId, SpaceId};

/// A player, by number; or an image of a player, with the sign set and its place among theirs above the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Player(pub u32);
starlark_simple_value!(Player);

/// A space, by its identifier: its number, or both coordinates of its place (the script library stores plain numbers only).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Space(i64, Option<i32>);
starlark_simple_value!(Space);

/// Dice that were thrown, with what was changed of them since.
#[derive(Debug, Clone, PartialEq, Eq, ProvidesStaticType, NoSerialize, StarlarkPagable, Allocative)]
pub(in crate::engine) struct Roll {
    /// As they fell.
    pub dice: Vec<i64>,
    /// What they come to before any change.
    pub sum: i64,
    /// In order of time: the die from 0 on, or the total; whether the number is added, or it is the number less what was.
    #[allocative(skip)]
    pub changes: Vec<(Option<usize>, bool, i64)>,
}
starlark_simple_value!(Roll);

impl Roll {
    /// The dice and their total after every change, with a bonus that came with the throw and so before all of them
    ///
    fn after(&self, bonus: i64) -> (Vec<i64>, i64) {
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
    /// The player, or whose image it is.
    pub fn id(self) -> PlayerId {
        PlayerId::from_number(if self.0 & IMAGE == 0 { self.0 } else { self.0 & OWNER })
    }

    /// An image of a player, by its place among theirs.
    pub fn image_of(owner: PlayerId, place: usize) -> Option<Self> {
        let place = u32::try_from(place).ok().filter(|place| *place < 1 << (31 - OWNER_BITS))?;
        (owner.number() <= OWNER).then(|| Self(IMAGE | place << OWNER_BITS | owner.number()))
    }

    /// The place among its owner's images, if this is one.
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
        match at(|context| Ok(context.called(*self))) {
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

starlark::methods_static!(PLAYER_METHODS = player_methods);
starlark::methods_static!(SPACE_METHODS = space_methods);
starlark::methods_static!(ROLL_METHODS = roll_methods);

#[starlark_value(type = "Player")]
impl<'v> StarlarkValue<'v> for Player {
    fn get_methods() -> Option<&'static Methods> {
        Some(PLAYER_METHODS.methods())
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other.downcast_ref::<Self>() == Some(self))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.0.hash(hasher);
        Ok(())
    }
}

#[starlark_value(type = "Space")]
impl<'v> StarlarkValue<'v> for Space {
    fn get_methods() -> Option<&'static Methods> {
        Some(SPACE_METHODS.methods())
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other.downcast_ref::<Self>() == Some(self))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.id().hash(hasher);
        Ok(())
    }
}

#[starlark_value(type = "Roll")]
impl<'v> StarlarkValue<'v> for Roll {
    fn get_methods() -> Option<&'static Methods> {
        Some(ROLL_METHODS.methods())
    }
}

/// Turns plain data into a value of a script.
pub(in crate::engine) fn lend<'v>(heap: Heap<'v>, data: &Data) -> Value<'v> {
    match data {
        Data::Null => Value::new_none(),
        Data::Bool(yes) => Value::new_bool(*yes),
        Data::Int(number) => heap.alloc(*number),
        Data::Text(text) => heap.alloc(text.as_str()),
        Data::List(values) => heap.alloc(values.iter().map(|value| lend(heap, value)).collect::<Vec<_>>()),
        Data::Map(entries) => {
            let key = |key: &Key| match key {
                Key::Int(number) => heap.alloc(*number),
                Key::Text(text) => heap.alloc(text.as_str()),
            };
            heap.alloc(AllocDict(entries.iter().map(|(k, value)| (key(k), lend(heap, value)))))
        }
    }
}

/// Turns a value of a script into plain data; `None` where it holds something that a file cannot.
pub(in crate::engine) fn take_back(value: Value) -> Option<Data> {
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
        return list.iter().map(take_back).collect::<Option<_>>().map(Data::List);
    }
    if let Some(tuple) = TupleRef::from_value(value) {
        return tuple.iter().map(take_back).collect::<Option<_>>().map(Data::List);
    }
    let dict = DictRef::from_value(value)?;
    let entry = |(key, value): (Value, Value)| {
        let key = match take_back(key)? {
            Data::Int(number) => Key::Int(number),
            Data::Text(text) => Key::Text(text),
            _ => return None,
        };
        Some((key, take_back(value)?))
    };
    dict.iter().map(entry).collect::<Option<_>>().map(Data::Map)
}

fn data(value: Value) -> starlark::Result<Data> {
    match take_back(value) {
        Some(data) => Ok(data),
        None => at(|_| Err(Context::failed(&format!("a {} cannot be kept in the gamestate", value.get_type())))),
    }
}

#[starlark_module]
fn player_methods(builder: &mut MethodsBuilder) {
    /// The player's name.
    #[starlark(attribute)]
    fn name(this: Player) -> starlark::Result<String> {
        at(|context| Ok(context.called(this)))
    }

    /// The space where the player stands.
    #[starlark(attribute)]
    fn location(this: Player) -> starlark::Result<Space> {
        at(|context| Ok(context.where_is(this)?.into()))
    }

    /// The player; of an image, whose it is.
    #[starlark(attribute)]
    fn owner(this: Player) -> starlark::Result<Player> {
        Ok(this.id().into())
    }

    /// Whether this is an image of a player.
    #[starlark(attribute)]
    fn is_image(this: Player) -> starlark::Result<bool> {
        Ok(this.image().is_some())
    }

    /// How many of an item the player holds; may be negative. An image holds nothing.
    fn count(this: Player, item: &str) -> starlark::Result<i64> {
        at(|context| Ok(if this.image().is_some() { 0 } else { context.game.player(this.id()).count(item) }))
    }

    /// The kinds of item the player holds, with their counts.
    fn items<'v>(this: Player, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let items = context.game.player(this.id()).items.iter().filter(|_| this.image().is_none());
            Ok(heap.alloc(AllocDict(items.map(|(name, count)| (heap.alloc(&**name), heap.alloc(*count))))))
        })
    }

    /// Notes a quantity of an item that is no number, such as Navy Blue.
    fn note_quantity(this: Player, item: &str, word: &str) -> starlark::Result<NoneType> {
        at(|context| {
            if !context.ruleset.declared.symbolic.iter().any(|own| own == word) {
                return Err(Context::failed(&format!("the ruleset declares no quantity `{word}`")));
            }
            if this.image().is_none() {
                context.game.player_mut(this.id()).symbolic.push((item.into(), word.to_owned()));
            }
            Ok(NoneType)
        })
    }

    /// A field that the ruleset declares for players. An image has the defaults.
    fn get<'v>(this: Player, field: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let player = context.game.player(this.id());
            let held = if this.image().is_some() { &Data::Null } else { &player.fields };
            let value = Context::declared(&context.ruleset.declared.player_fields, held, field);
            value
                .map(|value| lend(heap, &value))
                .ok_or_else(|| Context::failed(&format!("players have no field `{field}`")))
        })
    }

    /// Sets a field of the player; None clears it. Images keep nothing.
    fn set(this: Player, field: &str, value: Value) -> starlark::Result<NoneType> {
        let value = data(value)?;
        at(|context| {
            if !context.ruleset.declared.player_fields.iter().any(|own| &*own.name == field) {
                return Err(Context::failed(&format!("players have no field `{field}`")));
            }
            if this.image().is_none() {
                context.game.player_mut(this.id()).set_field(field, value);
            }
            Ok(NoneType)
        })
    }

    /// A lasting mark that the ruleset declares. An image has the defaults.
    fn mark<'v>(this: Player, mark: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let player = context.game.player(this.id());
            let held = if this.image().is_some() { &Data::Null } else { &player.marks };
            let value = Context::declared(&context.ruleset.declared.marks, held, mark);
            value
                .map(|value| lend(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no mark `{mark}`")))
        })
    }

    /// Every lasting mark of the player that is not at its default.
    fn marks<'v>(this: Player, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| Ok(lend(heap, &context.game.player(this.id()).marks)))
    }

    /// Sets a lasting mark; None clears it. Images keep nothing.
    fn set_mark(this: Player, mark: &str, value: Value) -> starlark::Result<NoneType> {
        let value = data(value)?;
        at(|context| {
            if !context.ruleset.declared.marks.iter().any(|own| &*own.name == mark) {
                return Err(Context::failed(&format!("the ruleset declares no mark `{mark}`")));
            }
            if this.image().is_none() {
                context.game.player_mut(this.id()).set_mark(mark, value);
            }
            Ok(NoneType)
        })
    }
}

#[starlark_module]
fn space_methods(builder: &mut MethodsBuilder) {
    /// The identifier: a number, or on a map the place (x, y), as `space` and `create_space` take it.
    #[starlark(attribute)]
    fn id(this: Space) -> starlark::Result<Id> {
        Ok(Id(this.id()))
    }

    /// The identifier as people write it: a number, or a place such as "(2, -1)".
    #[starlark(attribute)]
    fn name(this: Space) -> starlark::Result<String> {
        Ok(this.id().to_string())
    }

    /// The coordinates (x, y) of a place on a map; None for a space that is no such place (L-1).
    #[starlark(attribute)]
    fn place<'v>(this: Space, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        Ok(this.id().place().map_or_else(Value::new_none, |place| heap.alloc(place)))
    }

    /// The type, or the category that stands in its place.
    #[starlark(attribute)]
    fn r#type(this: Space) -> starlark::Result<String> {
        at(|context| Ok(context.space(this.id())?.kind.to_string()))
    }

    /// The spaces that follow it.
    #[starlark(attribute)]
    fn successors(this: Space) -> starlark::Result<Vec<Space>> {
        at(|context| Ok(context.space(this.id())?.successors.iter().map(|id| Space::from(*id)).collect()))
    }

    /// The spaces that it follows, lowest identifier first.
    #[starlark(attribute)]
    fn predecessors(this: Space) -> starlark::Result<Vec<Space>> {
        at(|context| Ok(context.game.board().predecessors(this.id()).into_iter().map(Space::from).collect()))
    }

    /// The players who stand there, in the order of the file.
    #[starlark(attribute)]
    fn players(this: Space) -> starlark::Result<Vec<Player>> {
        at(|context| Ok(context.game.players_on(this.id()).map(Player::from).collect()))
    }

    /// A field that the ruleset declares for spaces.
    fn get<'v>(this: Space, field: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let held = &context.space(this.id())?.fields;
            let value = Context::declared(&context.ruleset.declared.space_fields, held, field);
            value
                .map(|value| lend(heap, &value))
                .ok_or_else(|| Context::failed(&format!("spaces have no field `{field}`")))
        })
    }

    /// Sets a field of the space; None clears it.
    fn set(this: Space, field: &str, value: Value) -> starlark::Result<NoneType> {
        let value = data(value)?;
        at(|context| {
            context.space(this.id())?;
            if !context.ruleset.declared.space_fields.iter().any(|own| &*own.name == field) {
                return Err(Context::failed(&format!("spaces have no field `{field}`")));
            }
            if let Some(space) = context.game.board_mut().get_mut(this.id()) {
                space.set_field(field, value);
            }
            Ok(NoneType)
        })
    }

    /// Gives the space another type, and nothing else.
    fn turn_into<'v>(
        this: Space,
        r#type: &str,
        eval: &mut starlark::eval::Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            context.space(this.id())?;
            if !context.ruleset.has_type(r#type) {
                return Err(Context::failed(&format!("there is no space type `{type}`")));
            }
            if let Some(space) = context.game.board_mut().get_mut(this.id()) {
                space.kind = r#type.into();
            }
            context.tell(format!("{} becomes {}", called(this.id()), r#type), &[], &[this.id()], &[]);
            Ok(())
        })?;
        settle(eval)?;
        Ok(NoneType)
    }
}

#[starlark_module]
fn roll_methods(builder: &mut MethodsBuilder) {
    /// What each die shows, as they fell.
    #[starlark(attribute)]
    fn dice(this: &Roll) -> starlark::Result<Vec<i64>> {
        Ok(this.dice.clone())
    }

    /// What each die shows after every change of it (D-4).
    #[starlark(attribute)]
    fn amended(this: &Roll) -> starlark::Result<Vec<i64>> {
        Ok(this.after(0).0)
    }

    /// How many dice show the target or more, as amended (D-2).
    fn hits(this: &Roll, target: i64) -> starlark::Result<i64> {
        let hits = this.after(0).0.iter().filter(|shown| **shown >= target).count();
        Ok(i64::try_from(hits).unwrap_or(i64::MAX))
    }

    /// The sum of the dice, with every change of them or of it in order of time (D-4, R-94).
    #[starlark(attribute)]
    fn total(this: &Roll) -> starlark::Result<i64> {
        Ok(this.after(0).1)
    }

    /// The total with a bonus that came with the throw, so before every change.
    fn total_with(this: &Roll, bonus: i64) -> starlark::Result<i64> {
        Ok(this.after(bonus).1)
    }
}
