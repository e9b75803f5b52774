//! The argument parser: the program's own commands and those of a ruleset.

use clap::{Args, Command};

use super::actions;
use super::commands::{OWN, Own};
use super::global::Global;
use crate::ruleset::{ActionRule, Declarations};

const ABOUT: &str =
    "A referee for Nomic: resolves posted actions on gamestate.yaml, with the rules in text files beside the game";

const LONG_ABOUT: &str = "\
A referee for Nomic: resolves posted actions on gamestate.yaml, with the rules in text files beside the game.

Commands that change the game print the dice, the steps and the changes. A random selection that you do not give is \
drawn. If a choice is missing, you are prompted on a terminal. Otherwise the action is saved under `pending` and the \
command exits with 4; finish it with `referee resume`.

The commands that play are those of the game's ruleset; without a game, those of the built-in one.";

const EXIT_CODES: &str = "\
Exit codes: 0 done · 1 problems found · 2 wrong command line · 3 refused by the rules
4 a selection is missing · 5 needs a ruling · 6 a file cannot be read, parsed or written
70 an internal error";

/// Builds the parser without any command.
pub(super) fn base() -> Command {
    Global::augment_args(Command::new("referee"))
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .max_term_width(110)
        // Options that every command has can be typed before the command and after it; the last one counts.
        .args_override_self(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Builds the parser with one action.
pub(super) fn of_action(rule: &ActionRule) -> Command {
    match rule.name.split_once(' ') {
        Some((first, second)) => base().subcommand(
            Command::new(first.to_owned()).subcommand_required(true).subcommand(actions::command(rule, second)),
        ),
        None => base().subcommand(actions::command(rule, &rule.name)),
    }
}

/// Builds the parser with one command of the program's own.
pub(super) fn of_own(own: &Own) -> Command {
    match own.name.split_once(' ') {
        Some((first, _)) => base().subcommand(Command::new(first).subcommand_required(true).subcommand(own.command())),
        None => base().subcommand(own.command()),
    }
}

/// Builds the parser with every command.
pub(super) fn whole(declared: &Declarations) -> Command {
    let mut groups: Vec<String> = Vec::new();
    let mut command = base();
    let own_names = OWN.iter().map(|own| own.name.to_owned());
    for name in declared.actions.iter().map(|rule| rule.name.clone()).chain(own_names) {
        let rule = declared.action(&name);
        match (name.split_once(' '), rule) {
            (Some((first, _)), _) if groups.iter().any(|own| own == first) => {}
            (Some((first, _)), _) => {
                let own = OWN.iter().filter(|own| own.name.split_once(' ').is_some_and(|(group, _)| group == first));
                command = command.subcommand(actions::group(declared, first, own.map(Own::command).collect()));
                groups.push(first.to_owned());
            }
            (None, Some(rule)) => command = command.subcommand(actions::command(rule, &name)),
            (None, None) => {
                command =
                    OWN.iter().filter(|own| own.name == name).fold(command, |all, own| all.subcommand(own.command()));
            }
        }
    }
    let first = declared.actions.iter().filter_map(|rule| rule.examples.first()).take(2).cloned();
    let examples: Vec<String> = first.chain(["legal Lime", "check", "help legal"].map(str::to_owned)).collect();
    let examples = actions::examples(&examples).unwrap_or_default();
    command.after_help(format!("{examples}\n\n{EXIT_CODES}"))
}
