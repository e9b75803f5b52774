//! What scripts can ask of players, spaces and rolls, and change of them: their attributes and methods.

#![expect(
    clippy::unnecessary_wraps,
    clippy::elidable_lifetime_names,
    reason = "the script library's macros want a Result of every method and a lifetime by name"
)]

use std::hash::Hash;

use starlark::collections::StarlarkHasher;
use starlark::environment::{Methods, MethodsBuilder};
use starlark::values::dict::AllocDict;
use starlark::values::none::NoneType;
use starlark::values::{Heap, StarlarkValue, Value, ValueLike};
use starlark::{starlark_module, starlark_simple_value};
use starlark_derive::starlark_value;

use super::calls::settle;
use super::cell::at;
use super::handles::{Player, Roll, Space, from_script, to_script};
use super::id::Id;
use crate::data::Value as Data;
use crate::engine::context::Context;
use crate::engine::world::called;

starlark_simple_value!(Player);
starlark_simple_value!(Space);
starlark_simple_value!(Roll);

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

fn data(value: Value) -> starlark::Result<Data> {
    match from_script(value) {
        Some(data) => Ok(data),
        None => at(|_| Err(Context::failed(&format!("a {} cannot be kept in the gamestate", value.get_type())))),
    }
}

#[starlark_module]
fn player_methods(builder: &mut MethodsBuilder) {
    /// The player's name.
    #[starlark(attribute)]
    fn name(this: Player) -> starlark::Result<String> {
        at(|context| Ok(context.called(this.mover())))
    }

    /// The space that the player is on.
    #[starlark(attribute)]
    fn location(this: Player) -> starlark::Result<Space> {
        at(|context| Ok(context.where_is(this.mover())?.into()))
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

    /// Notes a quantity of an item that is not a number, such as Navy Blue.
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
                .map(|value| to_script(heap, &value))
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
                .map(|value| to_script(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no mark `{mark}`")))
        })
    }

    /// Every lasting mark of the player that is not at its default.
    fn marks<'v>(this: Player, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| Ok(to_script(heap, &context.game.player(this.id()).marks)))
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

    /// The coordinates (x, y) of a place on a map; None for a space that is not on a map (L-1).
    #[starlark(attribute)]
    fn place<'v>(this: Space, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        Ok(this.id().place().map_or_else(Value::new_none, |place| heap.alloc(place)))
    }

    /// The type, or the category that the space has instead of a type.
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

    /// The players on the space, in the order of the file.
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
                .map(|value| to_script(heap, &value))
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
                return Err(Context::failed(&format!("unknown space type `{type}`")));
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
