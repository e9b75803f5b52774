//! Phases and moments.

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::none::{NoneOr, NoneType};

use super::super::cell::at;
use crate::engine::context::Context;

#[starlark_module]
pub(super) fn time(builder: &mut GlobalsBuilder) {
    /// The running phase, counted from 1.
    fn phase() -> starlark::Result<i64> {
        at(|context| Ok(context.game.phase))
    }

    /// The phase that holds a moment written like a `joined` field; 0 if the game does not say when it started.
    fn phase_at(time: &str) -> starlark::Result<i64> {
        at(|context| {
            let time = time.parse().map_err(|_| Context::failed(&format!("`{time}` is not a time")))?;
            Ok(context.ruleset.phase_at(&context.game, time).unwrap_or(0))
        })
    }

    /// The place of a phase within its week, from 1 on. Of a game that does not say when it started, the first phase is
    /// taken to be the last of its week.
    fn phase_of_week(number: i64) -> starlark::Result<i64> {
        at(|context| Ok(context.ruleset.phase_of_week(&context.game, number)))
    }

    /// The name of a phase within its week, such as "I" (T-1).
    fn phase_name(number: i64) -> starlark::Result<String> {
        at(|context| Ok(context.ruleset.phase_name(&context.game, number)))
    }

    /// Sets the running phase.
    fn set_phase(number: i64) -> starlark::Result<NoneType> {
        at(|context| {
            if number < 1 {
                return Err(Context::failed(&format!("there is no phase {number}: phases are counted from 1 (R-02)")));
            }
            let before = std::mem::replace(&mut context.game.phase, number);
            let start = context.ruleset.phase_start(&context.game, number);
            let day = start.map_or_else(String::new, |start| {
                let name = context.ruleset.phase_name(&context.game, number);
                format!(" ({name} of its week), by the calendar on {}", start.strftime("%A %-d %B %Y"))
            });
            context.tell(format!("phase {before} ends, phase {number} begins{day}"), &[], &[], &[]);
            Ok(NoneType)
        })
    }

    /// When the action was posted, written like a `joined` field; None if the command does not say.
    fn posted_at() -> starlark::Result<NoneOr<String>> {
        at(|context| Ok(NoneOr::from_option(context.action.at.map(|at| at.to_string()))))
    }

    /// When the round started, written like a `joined` field; None if the game does not say.
    fn started_at() -> starlark::Result<NoneOr<String>> {
        at(|context| Ok(NoneOr::from_option(context.game.started.map(|at| at.to_string()))))
    }

    /// The first moment of a phase, written like a `joined` field; None if the game does not say when it started.
    fn phase_start(number: i64) -> starlark::Result<NoneOr<String>> {
        at(|context| {
            let start = context.ruleset.phase_start(&context.game, number);
            Ok(NoneOr::from_option(start.map(|at| at.to_string())))
        })
    }

    /// A moment written like a `joined` field, in seconds, so that two can be compared.
    fn seconds(time: &str) -> starlark::Result<i64> {
        at(|_| {
            let time: jiff::Timestamp =
                time.parse().map_err(|_| Context::failed(&format!("`{time}` is not a time")))?;
            Ok(time.as_second())
        })
    }

    /// The moment so many seconds after the start of 1970, written like a `joined` field.
    fn moment(seconds: i64) -> starlark::Result<String> {
        at(|_| {
            let time = jiff::Timestamp::from_second(seconds);
            time.map(|time| time.to_string())
                .map_err(|_| Context::failed(&format!("{seconds} seconds are outside the calendar")))
        })
    }
}
