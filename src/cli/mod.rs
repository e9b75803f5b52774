//! The command line: arguments, the list of commands, and what becomes of them. Only this folder prints, prompts, draws
//! and reads the clock.

mod answer;
mod args;
mod exit_code;
mod help;
mod init;
mod law;
mod look;
mod merge;
mod play;
mod proposal;
mod roll;
mod session;
mod verify;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};

use clap::Parser;

pub use args::{Cli, Command, Global};
pub use exit_code::ExitCode;
pub use help::markdown as help_markdown;

use crate::diagnostic::Problem;
use crate::play::Refusal;
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

    /// What a command that looks has found: an object for programs, or a text.
    fn found(global: &Global, own: serde_json::Value, text: impl FnOnce() -> String) -> Self {
        if global.format != Format::Json {
            return Self::done(text());
        }
        let mut object = serde_json::json!({"format": "referee/1", "status": "done"});
        if let (Some(all), serde_json::Value::Object(own)) = (object.as_object_mut(), own) {
            all.extend(own);
        }
        Self::done(json_line(&object))
    }

    fn refused(global: &Global, code: ExitCode, refusal: &Refusal) -> Self {
        if global.format == Format::Json {
            return Self { code, out: json_line(&view::refused_json(refusal)), err: String::new() };
        }
        Self { code, out: String::new(), err: view::refusal(refusal) }
    }

    fn problems(global: &Global, code: ExitCode, problems: &[Problem]) -> Self {
        let mut outcome = Self { code, out: String::new(), err: String::new() };
        if global.format == Format::Json {
            outcome.out = json_line(&view::report_json(None, problems, false));
        } else {
            outcome.err = view::problems(problems, global.colour());
        }
        outcome
    }
}

fn json_line(object: &serde_json::Value) -> String {
    format!("{object:#}\n")
}

/// Runs the program with these arguments and gives its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    let outcome = match Cli::try_parse_from(&args) {
        Ok(cli) => run(&cli),
        Err(error) if error.use_stderr() && wants_json(&args) => {
            let said = error.to_string();
            let (message, help) = said.trim_end().split_once("\n\n").unwrap_or((said.trim_end(), ""));
            let problem = Problem::new("usage", message.trim_start_matches("error: ")).help(help.trim_start());
            let out = json_line(&view::report_json(None, &[problem], false));
            Outcome { code: ExitCode::Usage, out, err: String::new() }
        }
        Err(error) => {
            let _ = error.print();
            return error.exit_code();
        }
    };
    let printed = print(&outcome.out);
    let _ = std::io::stderr().write_all(outcome.err.as_bytes());
    match printed {
        // A reader that has gone away is no mistake of anybody's.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "the answer cannot be printed: {error}");
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

/// Whether a command line that cannot be understood asks for JSON, so that a program gets an object all the same.
fn wants_json(args: &[OsString]) -> bool {
    let pairs = args.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    pairs || args.iter().any(|arg| arg == "--format=json")
}

fn correct(global: &Global, word: &str, ids: &[i64], because: Option<&String>) -> Result<Outcome, Vec<Problem>> {
    let mut words = vec![word.to_owned()];
    words.extend(ids.iter().map(ToString::to_string));
    words.extend(because.iter().flat_map(|because| ["--because".to_owned(), (*because).clone()]));
    play::act(global, &words)
}

fn run(cli: &Cli) -> Outcome {
    let global = &cli.global;
    let act = |words: &[&str]| play::act(global, &words.iter().map(ToString::to_string).collect::<Vec<_>>());
    let result = match &cli.command {
        Command::Move { player } => act(&["move", player]),
        Command::Beam { space, by } => {
            let space = space.to_string();
            match by {
                Some(by) => act(&["beam", &space, "--by", by]),
                None => act(&["beam", &space]),
            }
        }
        Command::Combo { player } => act(&["combo", player]),
        Command::Reroll { space } => act(&["reroll", &space.to_string()]),
        Command::TickPhase { to, archive } => play::tick(global, *to, archive.as_deref()),
        Command::Join { name, alias } => {
            let aliases = alias.iter().flat_map(|alias| ["--alias", alias]);
            act(&["join", name].into_iter().chain(aliases).collect::<Vec<_>>())
        }
        Command::Leave { player } => act(&["leave", player]),
        Command::Alias { player, name } => act(&["alias", player, name]),
        Command::Proposal { what } => proposal::proposal(global, what),
        Command::Judge { what } => proposal::judge(global, what),
        Command::UseItem { player, item } => act(&["use-item", player, item]),
        Command::MacGyver { player, first, second } => act(&["macgyver", player, first, second]),
        Command::Shatter { player } => act(&["shatter", player]),
        Command::Trade { player, other, gives, takes, withdraw } => {
            let options = [("--gives", gives), ("--takes", takes), ("--withdraw", withdraw)];
            let given = options.iter().filter_map(|(option, value)| Some([*option, value.as_deref()?]));
            let words: Vec<&str> = ["trade", player, other].into_iter().chain(given.flatten()).collect();
            act(&words)
        }
        Command::Adjudicate { set, because } => {
            let sets = set.iter().flat_map(|set| ["--set", set]);
            let because = because.iter().flat_map(|because| ["--because", because]);
            let words: Vec<&str> = ["adjudicate"].into_iter().chain(sets).chain(because).collect();
            act(&words)
        }
        Command::Undo { count } => act(&["undo", &count.to_string()]),
        Command::Redo { count } => act(&["redo", &count.to_string()]),
        Command::Amend { id, because } => correct(global, "amend", &[*id], because.as_ref()),
        Command::Reveal => play::reveal(global),
        Command::NegateMove { player, because } => {
            let because = because.iter().flat_map(|because| ["--because", because]);
            let words: Vec<&str> = ["negate-move", player].into_iter().chain(because).collect();
            act(&words)
        }
        Command::VoidAttempts { ids, because } => correct(global, "void-attempts", ids, because.as_ref()),
        Command::Resume { which } => play::resume(global, which),
        Command::Drop { which } => play::drop(global, which),
        Command::Legal { player, actions } => look::legal(global, player, actions),
        Command::Show { what } => look::show(global, what),
        Command::Roll { dice, target } => Ok(roll::roll(global, dice, *target)),
        Command::Check { fix } => law::check(global, *fix),
        Command::Verify { versions, git, archive, report } => {
            verify::run(global, versions, git.as_deref(), archive.as_deref(), *report)
        }
        Command::Merge { base, ours, theirs } => merge::run(global, base, ours, theirs),
        Command::Rules { what } => match what {
            Rules::List => law::list(global),
            Rules::Show { name, code } => law::show(global, name, *code),
            Rules::Check => law::check_rules(global),
            Rules::Test { paths } => law::test(global, paths),
            Rules::Diff { old, new } => law::diff(global, old, new),
            Rules::Eject { folder } => law::eject(global, folder.as_deref()),
        },
        Command::Migrate { ruleset } => law::migrate(global, ruleset),
        Command::Init(args) => init::init(global, args),
        Command::Schema => law::schema(global),
        Command::Completions { shell } => Ok(help::completions(*shell)),
        Command::Man { markdown: true, .. } => Ok(Outcome::done(help::markdown())),
        Command::Man { folder: Some(folder), .. } => help::man_pages(folder),
        Command::Man { .. } => Ok(help::man()),
    };
    result.unwrap_or_else(|problems| Outcome::problems(global, ExitCode::File, &problems))
}
