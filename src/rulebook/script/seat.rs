//! How a running rule reaches the table: the game as it is in the middle of an action.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::question::Halt;
use super::table::Table;
use super::values::Player;

thread_local! {
    // Attributes of a script's values reach no evaluator, so the table of the running action waits here. It is
    // borrowed for one call at a time and never across a call back into a script.
    static TABLE: RefCell<Option<Table>> = const { RefCell::new(None) };
}

/// Seats a table for the time of `play` and gives it back.
pub(super) fn seat<R>(table: Table, play: impl FnOnce() -> R) -> (Table, R) {
    let before = TABLE.with(|seat| seat.borrow_mut().replace(table));
    let result = play();
    let table = TABLE.with(|seat| std::mem::replace(&mut *seat.borrow_mut(), before));
    (table.expect("the table seated above"), result)
}

#[derive(Debug)]
struct Stopped(String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Does something at the table. The first halt stays; everything after it fails at once, so no script can go on.
pub(super) fn at<R>(work: impl FnOnce(&mut Table) -> Result<R, Halt>) -> starlark::Result<R> {
    let stopped = |text: &str| starlark::Error::new_other(Stopped(text.to_owned()));
    TABLE.with(|seat| {
        let Ok(mut seat) = seat.try_borrow_mut() else { return Err(stopped("the table is in use")) };
        let Some(table) = seat.as_mut() else { return Err(stopped("rules can do this only while an action runs")) };
        if table.halt.is_some() {
            return Err(stopped("the action has stopped"));
        }
        work(table).map_err(|halt| {
            let text = if let Halt::Failed(error) = &halt { error.message.clone() } else { "stopped".into() };
            table.halt = Some(halt);
            stopped(&text)
        })
    })
}

/// Lets the action go on where it stopped because the cycle has ended, and does something at its table first; `false` where
/// it stopped for another reason.
pub(super) fn after_the_end(work: impl FnOnce(&mut Table)) -> bool {
    TABLE.with(|seat| {
        let mut seat = seat.borrow_mut();
        let ended = seat.as_mut().filter(|table| table.halt == Some(Halt::Ended));
        ended.is_some_and(|table| {
            table.halt = None;
            work(table);
            true
        })
    })
}

/// Calls a function of a rule file by name.
pub(super) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    name: &str,
    args: &[Value<'v>],
) -> starlark::Result<Value<'v>> {
    let rulebook = at(|table| Ok(Arc::clone(&table.rulebook)))?;
    let function = rulebook.scripts.function(name).or_else(|error| at(|_| Err(Halt::Failed(error))))?;
    let function = eval.heap().access_owned_frozen_value(&function);
    eval.eval_function(function, args, &[])
}

/// Lets the watches look that wait for the end of an effect.
pub(super) fn settle(eval: &mut Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    loop {
        let next = at(|table| {
            Ok(if table.together == 0 && !table.due.is_empty() { Some(table.due.remove(0)) } else { None })
        })?;
        let Some((watch, player, item, amount)) = next else { return Ok(()) };
        let cause = at(|table| Ok(table.cause.clone()))?;
        let heap = eval.heap();
        let args = [heap.alloc(Player::from(player)), heap.alloc(&*item), heap.alloc(amount)];
        call(eval, &watch, &args)?;
        at(|table| {
            table.cause = cause;
            Ok(())
        })?;
    }
}
