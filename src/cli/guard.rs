//! The command runs on a thread of its own, with room for deep rules, while this one looks on: a rule that takes more
//! time or memory than it may is refused, and the program ends in good order with the file as it was.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::panic;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cpu_time::ProcessTime;

use super::dispatch::global_of;
use super::exit_code::ExitCode;
use super::global::Global;
use super::line::Line;
use super::outcome::Outcome;
use super::timed::is_new_action;
use crate::diagnostic::Problem;
use crate::engine::{rule_at_work, rule_count};
use crate::play::Refusal;

/// The processor time that the rules of a new action may take in all. On a busy machine an honest rule takes much longer by
/// the clock, and a rule never waits.
const TIME: Duration = Duration::from_secs(1);
/// How many bytes they may take beyond what the program held before.
const MEMORY: usize = 112 << 20;
/// How often the guard looks.
const LOOK: Duration = Duration::from_millis(1);
/// Room for functions within functions. Only what is used of it is ever taken from the system.
const STACK: usize = 64 << 20;

/// Commands that run no rule.
const WITHOUT_RULES: [&str; 4] = ["completions", "help", "man", "schema"];

static METER: OnceLock<fn() -> usize> = OnceLock::new();

/// Names the function that tells how many bytes the program holds; without one, no rule is stopped for its memory.
pub fn set_meter(meter: fn() -> usize) {
    let _ = METER.set(meter);
}

/// What a rule has run out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spent {
    Time,
    Memory,
    /// The script library gave up.
    Panic,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "the rule takes more than the {} ms of processor time allowed", TIME.as_millis()),
            Self::Memory => write!(f, "the rule takes more than the {} MiB allowed", MEMORY >> 20),
            Self::Panic => f.write_str("the rule makes a value that is too large"),
        }
    }
}

/// Counts what rules take.
#[derive(Default)]
struct Watch {
    /// The rule that was at work at the last look, the processor time at which it was first seen, and the bytes that were
    /// allocated then.
    rule: Option<(u64, Duration, usize)>,
    /// Time of the rules of this action that have ended.
    before: Duration,
}

impl Watch {
    /// Looks at what is at work; with `timed` its time is limited.
    fn look(&mut self, timed: bool) -> Option<Spent> {
        let (count, now) = (rule_count(), ProcessTime::now().as_duration());
        let held = METER.get().map_or(0, |meter| meter());
        if let Some((rule, since, _)) = self.rule.filter(|(rule, ..)| *rule != count) {
            debug_assert!(rule % 2 == 1);
            self.before = if is_new_action() { self.before + now.saturating_sub(since) } else { Duration::ZERO };
            self.rule = None;
        }
        if count % 2 == 0 {
            return None;
        }
        let (_, since, base) = *self.rule.get_or_insert((count, now, held));
        if held > base.saturating_add(MEMORY) {
            return Some(Spent::Memory);
        }
        (timed && self.before + now.saturating_sub(since) > TIME).then_some(Spent::Time)
    }
}

/// Runs a command, under the guard if it can run rules.
pub(super) fn run(args: Vec<OsString>, run: fn(Vec<OsString>) -> Outcome) -> Outcome {
    let line = Line::read(args.clone());
    let words = line.command();
    if line.help || words.first().is_none_or(|word| WITHOUT_RULES.contains(&word.as_str())) {
        return run(args);
    }
    let timed = words.first().is_none_or(|word| word != "verify");
    let (sender, receiver) = channel();
    let work = move || {
        let _ = sender.send(run(args));
    };
    let worker = match thread::Builder::new().stack_size(STACK).spawn(work) {
        Ok(worker) => worker,
        Err(error) => return no_thread(&global_of(&line), &error),
    };
    let mut watch = Watch::default();
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                // A rule was at work: it is to blame, and the file is as it was.
                Err(_) if rule_count() % 2 == 1 => return stopped(&global_of(&line), timed, Spent::Panic),
                Err(panic) => panic::resume_unwind(panic),
                Ok(()) => unreachable!("a command that returns has sent its outcome"),
            },
        }
        if let Some(spent) = watch.look(timed) {
            return stopped(&global_of(&line), timed, spent);
        }
    }
}

fn no_thread(global: &Global, error: &io::Error) -> Outcome {
    let problem = Problem::new("cannot-run", format!("the system gives the program no thread: {error}"));
    Outcome::problems(global, ExitCode::File, &[problem])
}

/// Says what a rule has run out of. Nothing was written: a file is written only between rules.
fn stopped(global: &Global, acts: bool, spent: Spent) -> Outcome {
    let place = rule_at_work().map_or_else(String::new, |file| format!("{}: ", file.name));
    if !acts {
        let message = format!("{place}{spent}, so the log is not checked");
        let problem = Problem::new("not-checkable", message).help("`referee rules check` looks at all rules");
        return Outcome::problems(global, ExitCode::File, &[problem]);
    }
    let refusal = Refusal {
        code: "rule-failed".into(),
        message: format!("{place}{spent}"),
        help: Some("the rule file is wrong; nothing was written".into()),
        rule: String::new(),
    };
    Outcome::refused(global, ExitCode::Refused, &refusal)
}
