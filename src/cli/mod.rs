//! The command line: from the arguments to what is printed. Only this folder prints, prompts, draws and reads the clock.
//! It names no action of any game: those are the ruleset's.

mod act;
mod actions;
mod commands;
mod dice_args;
mod dispatch;
mod exit_code;
mod gate;
mod global;
mod guard;
mod line;
mod outcome;
mod parser;
mod play_args;
mod prompt;
mod reactions;
mod request;
mod session;
mod timed;
mod turn;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::Path;

pub use exit_code::ExitCode;
pub use guard::set_meter;

use crate::data;

/// Runs the program with these arguments and returns its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let outcome = guard::run(args.into_iter().collect(), dispatch::run);
    let printed = print(&safe(&outcome.out));
    // A report in colour has escaped what it reports; nothing else writes colours.
    let err: Vec<_> = outcome.err.split('\u{1b}').map(data::shown).collect();
    let _ = std::io::stderr().write_all(err.join("\u{1b}").as_bytes());
    match printed {
        // A reader that has closed the pipe is not an error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "cannot write to standard output: {error}");
            ExitCode::File as i32
        }
        _ => outcome.code as i32,
    }
}

/// Returns an answer with no character that steers the terminal, be it a text or an object.
fn safe(text: &str) -> Cow<'_, str> {
    if text.starts_with('{') { data::shown_json(text) } else { data::shown(text) }
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Formats the help of every command, those of the default ruleset among them; `docs/commands.md` is a copy.
pub fn help_markdown() -> String {
    let ruleset = session::load(Path::new(""), None, session::DEFAULT_RULES).expect("the default ruleset is built in");
    commands::page(parser::whole(&ruleset.declared))
}
