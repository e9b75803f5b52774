//! The action under way, those that are pending, and those of the log.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::dict::AllocDict;
use starlark::values::none::NoneType;
use starlark::values::{Heap, Value};

use super::super::cell::at;
use super::super::handles::to_script as value_to_script;
use super::super::handles::{Player, Space};
use crate::engine::context::Context;
use crate::game::{Amended, Amends, PendingAction, Rolled};
use crate::ruleset::{Action, Argument};

#[starlark_module]
pub(super) fn actions(builder: &mut GlobalsBuilder) {
    /// What was performed in a phase: a list of (id, command), in order of time.
    fn performed_actions<'v>(phase: i64, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let game = &context.game;
            let own = game.log.iter().filter(|entry| entry.action.phase == phase && game.took_place(entry));
            Ok(heap.alloc(own.map(|entry| heap.alloc((entry.id, entry.action.what.clone()))).collect::<Vec<_>>()))
        })
    }

    /// Says that an action which was performed has not taken place (M-7): what followed it is played again without it.
    fn void_entry(id: i64) -> starlark::Result<NoneType> {
        at(|context| {
            crate::engine::rolls::amend(context, Amends { of: Rolled::Entry(id), change: Amended::Void }, false)?;
            Ok(NoneType)
        })
    }

    /// The actions that were started and not yet performed: a list of dicts with `do`, the command; `name`, its first
    /// word; `args`; `phase`; and the selections so far, `random` and `chosen`.
    fn pending_actions<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let ruleset = Arc::clone(&context.ruleset);
            let to_script = |pending: &PendingAction| {
                let action =
                    shlex::split(&pending.what).and_then(|w| Action::read(&ruleset, &context.game, &w).ok())?;
                let args: Vec<Value> = action
                    .args
                    .iter()
                    .map(|arg| match arg {
                        Argument::Player(player) => heap.alloc(Player::from(*player)),
                        Argument::Space(space) => heap.alloc(Space::from(*space)),
                        Argument::Item(item) => heap.alloc(&**item),
                        Argument::Text(text) => heap.alloc(text.as_str()),
                        Argument::Number(number) => heap.alloc(*number),
                        Argument::Texts(texts) => heap.alloc(texts.clone()),
                        Argument::Set => Value::new_bool(true),
                        Argument::Items(_) | Argument::None => Value::new_none(),
                    })
                    .collect();
                Some(heap.alloc(AllocDict([
                    ("do", heap.alloc(pending.what.as_str())),
                    ("name", heap.alloc(action.name.as_str())),
                    ("args", heap.alloc(args)),
                    ("phase", heap.alloc(pending.phase)),
                    ("random", value_to_script(heap, &pending.random)),
                    ("chosen", value_to_script(heap, &pending.chosen)),
                ])))
            };
            Ok(heap.alloc(context.game.pending.iter().filter_map(to_script).collect::<Vec<_>>()))
        })
    }

    /// The command of the action under way, with names as the game spells them.
    fn this_command() -> starlark::Result<String> {
        at(|context| Ok(context.action.what.clone()))
    }

    /// Ends a pending action, given by its command, without its being performed; its draws stay in the log (RC-2).
    fn expire(what: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let Some(place) = context.game.pending.iter().position(|pending| pending.what == what) else {
                return Err(Context::failed(&format!("no action `{what}` is pending")));
            };
            let pending = Arc::make_mut(&mut context.game.pending).remove(place);
            let text = format!("`{what}` was not completed and expires; its dice stay in the log");
            context.tell(text, &[], &[], &[]);
            context.lapsed.push(pending);
            Ok(NoneType)
        })
    }
}
