//! From the arguments to the command: the program's own, or an action of the ruleset in play. Only the parser of the
//! command that is named is built; the whole one serves for help, and for what is not understood.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Command, FromArgMatches};

use super::act;
use super::commands::{OWN, Own};
use super::exit_code::ExitCode;
use super::global::{Format, Global};
use super::line::Line;
use super::outcome::{Outcome, Problems};
use super::parser;
use super::session::{Context, DEFAULT_RULES, Opened, load};
use crate::diagnostic::Problem;
use crate::ruleset::{ActionRule, Parameter, Ruleset};
use crate::view;

/// Runs the program with these arguments.
pub(super) fn run(args: impl IntoIterator<Item = OsString>) -> Outcome {
    let line = Line::read(args);
    let words = line.command();
    if let Some(own) = own(&words).filter(|_| !line.help) {
        let words = own.name.split(' ').count();
        return match parse(parser::of_own(own), line.arranged(words, None), words) {
            Ok((global, matches)) => {
                let context = Context::new(global, None, parser::whole);
                ended(&context.global, own.run(&context, &matches))
            }
            Err(error) => not_understood(&line, &error),
        };
    }
    let game = Game::open(&line, &words);
    match game.action(&words).cloned().filter(|_| !line.help) {
        Some(rule) => {
            let words = rule.name.split(' ').count();
            match parse(parser::of_action(&rule), line.arranged(words, Some(&rule)), words) {
                Ok((global, matches)) => {
                    let context = Context::new(global, game.opened, parser::whole);
                    ended(&context.global, act::run(&context, &rule, &matches))
                }
                Err(error) => not_understood(&line, &error),
            }
        }
        None => game.help(&line, &words),
    }
}

/// Returns the command of the program's own that the words name.
fn own(words: &[String]) -> Option<&'static Own> {
    let named = |own: &&Own| own.name.split(' ').eq(words.iter().map(String::as_str).take(own.name.split(' ').count()));
    OWN.iter().find(named)
}

/// Parses the arguments of a command of so many words. Returns the options of every command, and what was parsed for it.
fn parse(command: Command, args: Vec<OsString>, words: usize) -> Result<(Global, ArgMatches), clap::Error> {
    let mut matches = command.try_get_matches_from(args)?;
    for _ in 0..words {
        matches = matches.remove_subcommand().map_or(matches, |(_, inner)| inner);
    }
    Ok((Global::from_arg_matches(&matches)?, matches))
}

fn ended(global: &Global, result: Result<Outcome, Problems>) -> Outcome {
    result.unwrap_or_else(|problems| Outcome::problems(global, ExitCode::File, &problems))
}

/// Reports arguments that the parser refuses, or prints the help that they ask for.
fn not_understood(line: &Line, error: &clap::Error) -> Outcome {
    let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
    if error.use_stderr() && line.json {
        let said = error.to_string();
        let (message, help) = said.trim_end().split_once("\n\n").unwrap_or((said.trim_end(), ""));
        let problem = Problem::new("usage", message.trim_start_matches("error: ")).help(help.trim_start());
        return Outcome::problems(&global_of(line), code, &[problem]);
    }
    let _ = error.print();
    Outcome { code, out: String::new(), err: String::new() }
}

/// Returns the options of every command as far as they are known without a parser.
pub(super) fn global_of(line: &Line) -> Global {
    let mut global = Global::from_arg_matches(
        &parser::base().subcommand_required(false).arg_required_else_help(false).get_matches_from(["referee"]),
    )
    .expect("every option has a default");
    global.format = if line.json { Format::Json } else { Format::Table };
    global
}

/// The game whose rules say which commands there are.
struct Game {
    opened: Option<Opened>,
    ruleset: Arc<Ruleset>,
    /// Why the game's own rules do not serve.
    problems: Problems,
}

impl Game {
    /// Opens the gamestate and its rules. Without a game the default rules serve, and also if it is broken: then the
    /// command reports what is wrong.
    fn open(line: &Line, words: &[String]) -> Self {
        let file = line.file.clone().unwrap_or_else(|| PathBuf::from("gamestate.yaml"));
        let mut opened = read(&file, line.rules.as_ref());
        // After a command that has an option for rules, `--rules` is that option, as it was once written.
        if let (Some(folder), None) = (&line.rules_after, &line.rules) {
            let carries = |rule: &ActionRule| rule.options.iter().any(|own| own.kind == Parameter::RULES);
            let own = opened.as_ref().ok().map_or_else(default_rules, |opened| Arc::clone(&opened.1));
            if !own.declared.action_of(words).is_some_and(carries) {
                opened = read(&file, Some(folder));
            }
        }
        match opened {
            Ok((opened, ruleset)) => Self { opened, ruleset, problems: Vec::new() },
            Err(problems) => {
                let problems = if file.exists() { problems } else { Vec::new() };
                Self { opened: None, ruleset: default_rules(), problems }
            }
        }
    }

    fn action(&self, words: &[String]) -> Option<&ActionRule> {
        self.ruleset.declared.action_of(words)
    }

    /// Prints help, or says that a word is not a command; if the game's own rules do not load, what is wrong with them.
    fn help(&self, line: &Line, words: &[String]) -> Outcome {
        let wants_help = line.help || words.first().is_none_or(|word| word == "help");
        if !self.problems.is_empty() && !wants_help {
            return Outcome::problems(&global_of(line), ExitCode::File, &self.problems);
        }
        let args = match words.first() {
            Some(word) if word == "help" && !line.help => line.words_alone(),
            Some(_) if !line.help => line.arranged(1, None),
            _ => line.typed().to_vec(),
        };
        let mut outcome = match parser::whole(&self.ruleset.declared).try_get_matches_from(args) {
            Ok(_) => Outcome::done(String::new()),
            Err(error) => not_understood(line, &error),
        };
        if !self.problems.is_empty() {
            outcome
                .err
                .push_str("\nThe rules of this game do not load; these are the commands of the built-in rules.\n");
            outcome.err.push_str(&view::problems(&self.problems, false));
        }
        outcome
    }
}

fn default_rules() -> Arc<Ruleset> {
    load(Path::new(""), None, DEFAULT_RULES).expect("the default ruleset is built in")
}

/// Reads the gamestate with its rules; with a folder of rules given and no gamestate, the rules alone.
fn read(file: &Path, rules: Option<&PathBuf>) -> Result<(Option<Opened>, Arc<Ruleset>), Problems> {
    if rules.is_some() && !file.exists() {
        return Ok((None, load(file, rules, "")?));
    }
    let opened = Opened::read(file, rules)?;
    let ruleset = Arc::clone(&opened.ruleset);
    Ok((Some(opened), ruleset))
}
