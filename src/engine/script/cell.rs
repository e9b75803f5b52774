//! How a running rule reaches the context: the game as it is in the middle of an action.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::compile::scripts;
use super::handles::Player;
use crate::engine::Interrupt;
use crate::engine::context::Context;

thread_local! {
    // Attributes of a script's values reach no evaluator, so the context of the running action waits here. It is
    // borrowed for one call at a time and never across a call back into a script.
    static CONTEXT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Seats a context for the time of `play` and gives it back.
pub(in crate::engine) fn with_context<R>(context: Context, play: impl FnOnce() -> R) -> (Context, R) {
    let before = CONTEXT.with(|cell| cell.borrow_mut().replace(context));
    let result = play();
    let context = CONTEXT.with(|cell| std::mem::replace(&mut *cell.borrow_mut(), before));
    (context.expect("the context seated above"), result)
}

#[derive(Debug)]
struct Stopped(String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Does something at the context. The first halt stays; everything after it fails at once, so no script can go on.
pub(in crate::engine) fn at<R>(work: impl FnOnce(&mut Context) -> Result<R, Interrupt>) -> starlark::Result<R> {
    let stopped = |text: &str| starlark::Error::new_other(Stopped(text.to_owned()));
    CONTEXT.with(|cell| {
        let Ok(mut context) = cell.try_borrow_mut() else { return Err(stopped("the context is in use")) };
        let Some(context) = context.as_mut() else {
            return Err(stopped("rules can do this only while an action runs"));
        };
        if context.halt.is_some() {
            return Err(stopped("the action has stopped"));
        }
        work(context).map_err(|halt| {
            let text = if let Interrupt::Failed(error) = &halt { error.message.clone() } else { "stopped".into() };
            context.halt = Some(halt);
            stopped(&text)
        })
    })
}

/// Lets the action go on where it stopped because the cycle has ended, and does something at its context first; `false` where
/// it stopped for another reason.
pub(in crate::engine) fn after_the_end(work: impl FnOnce(&mut Context)) -> bool {
    CONTEXT.with(|cell| {
        let mut context = cell.borrow_mut();
        let ended = context.as_mut().filter(|context| context.halt == Some(Interrupt::Ended));
        ended.is_some_and(|context| {
            context.halt = None;
            work(context);
            true
        })
    })
}

/// Calls a function of a rule file by name.
pub(in crate::engine) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    name: &str,
    args: &[Value<'v>],
) -> starlark::Result<Value<'v>> {
    let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
    let function = scripts(&ruleset).function(name).or_else(|error| at(|_| Err(Interrupt::Failed(error))))?;
    let function = eval.heap().access_owned_frozen_value(&function);
    eval.eval_function(function, args, &[])
}

/// Lets the watches look that wait for the end of an effect.
pub(in crate::engine) fn settle(eval: &mut Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    loop {
        let next = at(|context| {
            Ok(if context.together == 0 && !context.due.is_empty() { Some(context.due.remove(0)) } else { None })
        })?;
        let Some((watch, player, item, amount)) = next else { return Ok(()) };
        let cause = at(|context| Ok(context.cause.clone()))?;
        let heap = eval.heap();
        let args = [heap.alloc(Player::from(player)), heap.alloc(&*item), heap.alloc(amount)];
        call(eval, &watch, &args)?;
        at(|context| {
            context.cause = cause;
            Ok(())
        })?;
    }
}
