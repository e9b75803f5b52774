//! The command line: arguments, the list of commands, and what becomes of them. Only this folder prints, prompts, draws
//! and reads the clock.

mod answer;
mod args;
mod exit_code;
mod help;
mod init;
mod law;
mod look;
mod play;
mod roll;
mod session;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;

pub use args::{Cli, Command, Global};
pub use exit_code::ExitCode;
pub use help::markdown as help_markdown;

use crate::problem::Problem;
use crate::view;
use args::{Format, Rules};

/// What a command has to say, and how it ends.
#[derive(Debug)]
pub struct Outcome {
    /// How it ends.
    pub code: ExitCode,
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub err: String,
}

impl Outcome {
    fn done(out: String) -> Self {
        Self { code: ExitCode::Done, out, err: String::new() }
    }

    fn problems(global: &Global, code: ExitCode, problems: &[Problem]) -> Self {
        let mut outcome = Self { code, out: String::new(), err: String::new() };
        if global.format == Format::Json {
            outcome.out = json_line(&view::report_json(None, problems, false));
        } else {
            outcome.err = problems.iter().map(|problem| view::problem(problem, global.colour())).collect();
        }
        outcome
    }
}

fn json_line(object: &serde_json::Value) -> String {
    format!("{object:#}\n")
}

/// Runs the program with these arguments and gives its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return error.exit_code();
        }
    };
    let outcome = run(&cli);
    // A reader that has gone away is no mistake of anybody's.
    let _ = std::io::stdout().write_all(outcome.out.as_bytes());
    let _ = std::io::stderr().write_all(outcome.err.as_bytes());
    outcome.code as i32
}

fn run(cli: &Cli) -> Outcome {
    let global = &cli.global;
    let result = match &cli.command {
        Command::Move { player } => play::act(global, &["move", player]),
        Command::Beam { space, by } => {
            let space = space.to_string();
            match by {
                Some(by) => play::act(global, &["beam", &space, "--by", by]),
                None => play::act(global, &["beam", &space]),
            }
        }
        Command::Combo { player } => play::act(global, &["combo", player]),
        Command::Reroll { space } => play::act(global, &["reroll", &space.to_string()]),
        Command::TickPhase => play::act(global, &["tick-phase"]),
        Command::Resume { player } => play::resume(global, player.as_deref()),
        Command::Drop { player } => play::drop(global, player.as_deref()),
        Command::Legal { player, action } => look::legal(global, player, action.as_deref()),
        Command::Show { what } => look::show(global, what),
        Command::Roll { dice, target } => Ok(roll::roll(global, dice, *target)),
        Command::Check => law::check(global),
        Command::Rules { what } => match what {
            Rules::List => law::list(global),
            Rules::Show { name } => law::show(global, name),
            Rules::Check => law::check_rules(global),
            Rules::Test { paths } => law::test(global, paths),
            Rules::Eject { folder } => law::eject(global, folder.as_deref()),
        },
        Command::Init(args) => init::init(global, args),
        Command::Schema => law::schema(global),
        Command::Completions { shell } => Ok(help::completions(*shell)),
        Command::Man { markdown } => Ok(if *markdown { Outcome::done(help::markdown()) } else { help::man() }),
    };
    result.unwrap_or_else(|problems| Outcome::problems(global, ExitCode::File, &problems))
}
