//! The course of an action: its cause, what is told, how it stops.

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::none::{NoneOr, NoneType};
use starlark::values::tuple::UnpackTuple;

use super::super::calls::settle;
use super::super::cell::{after_the_end, at};
use super::super::handles::Player;
use super::super::message::{Message, said};
use crate::engine::context::refusal;
use crate::engine::interrupt::Interrupt;
use crate::protocol::Ruling;

#[starlark_module]
pub(super) fn flow(builder: &mut GlobalsBuilder) {
    /// Runs a function without parameters and gives whether the cycle ended in it; what is still due can be done then
    /// before `end_action`.
    fn ended_during<'v>(effects: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<bool> {
        let before =
            at(|context| Ok((context.running.len(), context.together, context.deciders.len(), context.in_use.len())))?;
        let cause = at(|context| Ok(context.cause.clone()))?;
        let Err(stopped) = eval.eval_function(effects, &[], &[]) else { return Ok(false) };
        let goes_on = after_the_end(|context| {
            context.running.truncate(before.0);
            context.together = before.1;
            context.deciders.truncate(before.2);
            context.in_use.truncate(before.3);
            context.cause = cause;
        });
        if goes_on { Ok(true) } else { Err(stopped) }
    }

    /// Lets a player make the choices of another while a function without parameters runs: with `everything` all of
    /// them, otherwise those that have to be made.
    fn choosing_for<'v>(
        decider: Player,
        player: Player,
        everything: bool,
        effects: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            context.deciders.push((player.id(), decider.id(), everything));
            Ok(())
        })?;
        eval.eval_function(effects, &[], &[])?;
        at(|context| {
            context.deciders.pop();
            Ok(NoneType)
        })
    }

    /// Carries out effects of one sentence on several players at the same instant: `effects` is a function without
    /// parameters, and nothing is looked at until it is through.
    fn simultaneously<'v>(effects: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        at(|context| {
            context.together += 1;
            Ok(())
        })?;
        eval.eval_function(effects, &[], &[])?;
        at(|context| {
            context.together -= 1;
            Ok(())
        })?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Names the rule that is at work, by its catalogue ID: the cause of what happens until the function returns or names
    /// another. Functions that it calls have it as their cause as long as they name none.
    fn rule(id: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.cause.clear();
            context.cause.push_str(id);
            Ok(NoneType)
        })
    }

    /// Tells something that happened. Each `{}` of the text shows the next value: a player by name, a space as "space 3" or
    /// by its coordinates, a list with commas. The players, spaces and items shown are noted with it,
    /// and those in `about`, such as all the spaces that a text calls "every space".
    fn tell<'v>(
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        #[starlark(require = named, default = NoneOr::None)] about: NoneOr<Value<'v>>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let mut message = Message::new(context, &values.items);
            let text = message.fill(text)?;
            if let Some(about) = about.into_option() {
                message.note(about)?;
            }
            let mentions = message.finish()?;
            let items: Vec<&str> = mentions.items.iter().map(String::as_str).collect();
            context.tell(text, &mentions.players, &mentions.spaces, &items);
            Ok(NoneType)
        })
    }

    /// Stops the action: the rules forbid it, and nothing of it has happened. The values fill the message, and those that
    /// are left the help.
    fn refuse(
        code: &str,
        message: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = NoneOr::None)] help: NoneOr<&str>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let mut filling = Message::new(context, &values.items);
            let message = filling.fill(message)?;
            let help = help.into_option().map(|help| filling.fill(help)).transpose()?;
            filling.finish()?;
            Err(refusal(code, message, help, &context.cause))
        })
    }

    /// Stops the action: the rules leave it open, and a ruling on this R-number must settle it.
    fn needs_ruling(
        id: &str,
        message: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let message = said(context, (message, &values.items))?;
            Err(Interrupt::NeedsRuling(Ruling { ruling: id.to_owned(), message }))
        })
    }

    /// Ends the action here; what has happened stays.
    fn end_action() -> starlark::Result<NoneType> {
        at(|_| Err(Interrupt::Ended))
    }
}
