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
mod line;
mod outcome;
mod parser;
mod play_args;
mod prompt;
mod reactions;
mod request;
mod session;
mod turn;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::Path;

pub use exit_code::ExitCode;

/// Runs the program with these arguments and returns its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let outcome = dispatch::run(args);
    let printed = print(&outcome.out);
    let _ = std::io::stderr().write_all(outcome.err.as_bytes());
    match printed {
        // A reader that has closed the pipe is not an error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "cannot write to standard output: {error}");
            ExitCode::File as i32
        }
        _ => outcome.code as i32,
    }
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
