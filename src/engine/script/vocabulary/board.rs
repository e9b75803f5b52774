//! Spaces, links and space types.

#![expect(clippy::uninlined_format_args, reason = "a parameter called `type` cannot be named in a format string")]

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::none::{NoneOr, NoneType};
use starlark::values::tuple::UnpackTuple;

use super::super::calls::run_effect;
use super::super::cell::at;
use super::super::handles::Space;
use super::super::id::Id;
use crate::data::Value as Data;
use crate::engine::context::Context;
use crate::engine::world::called;
use crate::game::SpaceId;

#[starlark_module]
pub(super) fn board(builder: &mut GlobalsBuilder) {
    /// All spaces, in the order of the file.
    fn spaces() -> starlark::Result<Vec<Space>> {
        at(|context| Ok(context.game.board().spaces().map(|space| Space::from(space.id)).collect()))
    }

    /// The space with this identifier, or None.
    fn space(id: Id) -> starlark::Result<NoneOr<Space>> {
        at(|context| Ok(NoneOr::from_option(context.game.space(id.0).map(|space| Space::from(space.id)))))
    }

    /// The identifier of the place (x, y) on a map, for `space` and `create_space` (L-1); None beyond the map's reach.
    fn place(x: i64, y: i64) -> starlark::Result<NoneOr<Id>> {
        at(|_| Ok(NoneOr::from_option(SpaceId::at(x, y).map(Id))))
    }

    /// Whether a line runs from one identifier up to another: each of its spaces but the last precedes the next (B-7).
    fn is_line(start: Id, end: Id) -> starlark::Result<bool> {
        at(|context| Ok(context.game.board().is_line(start.0, end.0)))
    }

    /// Whether a loop runs from one identifier up to another: a line, and its start succeeds its end (B-8).
    fn is_loop(start: Id, end: Id) -> starlark::Result<bool> {
        at(|context| Ok(context.game.board().is_loop(start.0, end.0)))
    }

    /// Makes a space without successors and gives it; None if its identifier is in use (B-4).
    fn create_space(id: Id, r#type: &str) -> starlark::Result<NoneOr<Space>> {
        at(|context| {
            if !context.ruleset.has_type(r#type) {
                return Err(Context::failed(&format!("unknown space type `{}`", r#type)));
            }
            let space = crate::game::Space {
                id: id.0,
                kind: r#type.into(),
                successors: Vec::new(),
                fields: Data::Map(Vec::new()),
            };
            if !context.game.board_mut().create(space) {
                return Ok(NoneOr::None);
            }
            let text = format!("{} is created ({})", called(id.0), r#type);
            context.tell(text, &[], &[id.0], &[]);
            Ok(NoneOr::Other(Space::from(id.0)))
        })
    }

    /// Adds a link, so that `to` succeeds `from` (CN-1).
    fn link(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|context| {
            context.space(to.id())?;
            let linked = context.space(from.id())?.successors.contains(&to.id());
            if !linked {
                if let Some(space) = context.game.board_mut().get_mut(from.id()) {
                    space.successors.push(to.id());
                }
                let (from, to) = (from.id(), to.id());
                context.tell(format!("{} now precedes {}", called(from), called(to)), &[], &[from, to], &[]);
            }
            Ok(NoneType)
        })
    }

    /// Takes a link away.
    fn unlink(from: Space, to: Space) -> starlark::Result<NoneType> {
        at(|context| {
            if context.space(from.id())?.successors.contains(&to.id()) {
                if let Some(space) = context.game.board_mut().get_mut(from.id()) {
                    space.successors.retain(|id| *id != to.id());
                }
                let (from, to) = (from.id(), to.id());
                context.tell(format!("{} no longer precedes {}", called(from), called(to)), &[], &[from, to], &[]);
            }
            Ok(NoneType)
        })
    }

    /// The members of a category, or None if the name is not a category's (C-1).
    fn category(name: &str) -> starlark::Result<NoneOr<Vec<String>>> {
        at(|context| {
            let members = context.ruleset.category(name);
            Ok(NoneOr::from_option(
                members.map(|members| members.iter().map(std::string::ToString::to_string).collect()),
            ))
        })
    }

    /// Everything that can be the type of a space: the types, then the categories (B-6).
    fn space_types() -> starlark::Result<Vec<String>> {
        at(|context| Ok(context.ruleset.type_names().map(std::string::ToString::to_string).collect()))
    }

    /// Whether a space type is declared unique (S-5).
    fn is_unique(r#type: &str) -> starlark::Result<bool> {
        at(|context| Ok(context.ruleset.space_type(r#type).is_some_and(|rule| rule.unique)))
    }

    /// Runs an effect of a space type, such as "on-land", and gives what it returns; None if the type has no such effect.
    fn space_effect<'v>(
        r#type: &str,
        effect: &str,
        #[starlark(args)] args: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
        let Some(rule) = ruleset.space_type(r#type) else { return Ok(Value::new_none()) };
        run_effect(&ruleset, rule.file, rule.rule(), effect, &args.items, eval)
    }
}
