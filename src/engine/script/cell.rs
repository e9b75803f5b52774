//! How a running rule reaches the context: the game as it is in the middle of an action.

use std::cell::RefCell;
use std::fmt;

use crate::engine::context::Context;
use crate::engine::interrupt::Interrupt;

thread_local! {
    // Attributes of a script's values reach no evaluator, so the context of the running action waits here. It is
    // borrowed for one call at a time and never across a call back into a script.
    static CONTEXT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Provides a context to scripts while `play` runs, and returns it.
pub(in crate::engine) fn with_context<R>(context: Context, play: impl FnOnce() -> R) -> (Context, R) {
    let before = CONTEXT.with(|cell| cell.borrow_mut().replace(context));
    let result = play();
    let context = CONTEXT.with(|cell| std::mem::replace(&mut *cell.borrow_mut(), before));
    (context.expect("the context provided above"), result)
}

#[derive(Debug)]
struct Stopped(String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Does something with the context. The first interrupt is kept; everything after it fails, so no script can continue.
pub(in crate::engine) fn at<R>(work: impl FnOnce(&mut Context) -> Result<R, Interrupt>) -> starlark::Result<R> {
    let stopped = |text: &str| starlark::Error::new_other(Stopped(text.to_owned()));
    CONTEXT.with(|cell| {
        let Ok(mut context) = cell.try_borrow_mut() else { return Err(stopped("the context is in use")) };
        let Some(context) = context.as_mut() else {
            return Err(stopped("only available while an action is running"));
        };
        if context.halt.is_some() {
            return Err(stopped("the action has stopped"));
        }
        context.spend(64).and_then(|()| work(context)).map_err(|halt| {
            let text = if let Interrupt::Failed(error) = &halt { error.message.clone() } else { "stopped".into() };
            context.halt = Some(halt);
            stopped(&text)
        })
    })
}

/// Counts bytes that the rule at work is about to make; while a text is compiled there is none.
pub(in crate::engine) fn spend(bytes: usize) -> starlark::Result<()> {
    let runs = CONTEXT.with(|cell| cell.try_borrow().is_ok_and(|context| context.is_some()));
    if runs { at(|context| context.spend(bytes)) } else { Ok(()) }
}

/// Lets the action continue after it stopped because the cycle has ended, and does something with its context first; returns
/// `false` if it stopped for another reason.
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
