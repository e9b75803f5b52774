//! The commands that a ruleset declares, as the argument parser knows them, and what it parsed as words again.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use super::play_args::PlayArgs;
use crate::ruleset::{ActionRule, Count, Declarations, Parameter};

/// The id of the option that archives entries of the log.
const ARCHIVE: &str = "archive";

/// Builds the command of an action; `name` is its last word.
pub(super) fn command(rule: &ActionRule, name: &str) -> Command {
    let mut command = PlayArgs::augment_args(Command::new(name.to_owned())).next_help_heading(None::<&str>);
    for (place, own) in rule.args.iter().enumerate() {
        let arg = Arg::new(argument_id(place)).value_name(own.name.to_uppercase()).required(own.count == Count::One);
        let arg = if own.count == Count::Any { arg.num_args(0..).action(ArgAction::Append) } else { arg };
        command = command.arg(described(arg, own));
    }
    for own in &rule.options {
        let several = own.count == Count::Any;
        let action = if several { ArgAction::Append } else { ArgAction::Set };
        let value = own.value.clone().unwrap_or_else(|| value_name(own).to_uppercase());
        command = command.arg(
            described(Arg::new(option_id(&own.name)).long(own.name.clone()), own).value_name(value).action(action),
        );
    }
    for (flag, text) in &rule.flags {
        command =
            command.arg(Arg::new(option_id(flag)).long(flag.clone()).action(ArgAction::SetTrue).help(text.clone()));
    }
    if rule.ends_phase {
        let text =
            "Move the entries of the log that the rules can no longer reach, those before the last phase, to this file";
        command = command.arg(
            Arg::new(ARCHIVE).long(ARCHIVE).value_name("FILE").help(text).value_parser(clap::value_parser!(PathBuf)),
        );
    }
    command = command.about(rule.text.clone()).hide(rule.hidden);
    if !rule.details.is_empty() {
        command = command.long_about(format!("{}\n\n{}", rule.text, rule.details.trim_end()));
    }
    match examples(&rule.examples) {
        Some(shown) => command.after_help(shown),
        None => command,
    }
}

/// Returns the paragraph of help that shows examples.
pub(super) fn examples(examples: &[String]) -> Option<String> {
    let head = if examples.len() == 1 { "Example:" } else { "Examples:" };
    let lines: String = examples.iter().map(|example| format!("\n  referee {example}")).collect();
    (!examples.is_empty()).then(|| format!("{head}{lines}"))
}

fn described(arg: Arg, own: &Parameter) -> Arg {
    let arg = match (own.text.is_empty(), own.kind.as_str()) {
        (false, _) => arg.help(own.text.clone()),
        (true, "player") => arg.help("Player name or unambiguous prefix"),
        (true, _) => arg,
    };
    arg.allow_negative_numbers(matches!(own.kind.as_str(), "space" | "number"))
}

fn value_name(own: &Parameter) -> &str {
    match own.kind.as_str() {
        "person" if own.count == Count::Any => "names",
        Parameter::RULES => "folder",
        Parameter::PEOPLE_FILE => "file",
        "number" => "n",
        "person" => "name",
        kind => kind,
    }
}

/// Builds the group of commands that begin with `first`, with `others` of the program's own among them.
pub(super) fn group(declared: &Declarations, first: &str, others: Vec<Command>) -> Command {
    let text = declared.groups.iter().find(|(group, _)| group == first).map(|(_, text)| text.clone());
    let mut group = Command::new(first.to_owned()).subcommand_required(true).arg_required_else_help(true);
    group = group.about(text.unwrap_or_else(|| format!("Commands of {first}")));
    let mut shown = Vec::new();
    for (rule, second) in members(declared, first) {
        group = group.subcommand(command(rule, second));
        shown.extend(rule.examples.first().filter(|_| shown.len() < 3).cloned());
    }
    group = others.into_iter().fold(group, Command::subcommand);
    match examples(&shown) {
        Some(shown) => group.after_help(shown),
        None => group,
    }
}

/// Returns the actions whose first word of two is `first`, each with its second.
fn members<'a>(declared: &'a Declarations, first: &str) -> impl Iterator<Item = (&'a ActionRule, &'a str)> {
    let second = move |rule: &'a ActionRule| {
        rule.name.split_once(' ').filter(|(own, _)| *own == first).map(|(_, second)| (rule, second))
    };
    declared.actions.iter().filter_map(second)
}

/// People for each option.
pub(super) type PeopleByOption = Vec<(String, Vec<String>)>;

/// Returns what was parsed for an action as the words of a command, for the one reader of words. `file` gives the people
/// for an option that names a file of them; `rules` the text for a folder of rules.
///
/// # Errors
/// What `file` or `rules` reports.
pub(super) fn words<E>(
    rule: &ActionRule,
    matches: &ArgMatches,
    file: &dyn Fn(&str) -> Result<PeopleByOption, E>,
    rules: &mut dyn FnMut(&str) -> Result<String, E>,
) -> Result<Vec<String>, E> {
    let mut words: Vec<String> = rule.name.split(' ').map(str::to_owned).collect();
    for own in &rule.options {
        for value in given(matches, &option_id(&own.name)) {
            if own.kind == Parameter::PEOPLE_FILE {
                for (option, people) in file(value)? {
                    words.extend(people.into_iter().flat_map(|person| [format!("--{option}"), person]));
                }
                continue;
            }
            let value = if own.kind == Parameter::RULES { rules(value)? } else { value.to_owned() };
            words.extend([format!("--{}", own.name), value]);
        }
    }
    words.extend(
        rule.flags.iter().filter(|(flag, _)| matches.get_flag(&option_id(flag))).map(|(flag, _)| format!("--{flag}")),
    );
    let args: Vec<String> =
        (0..rule.args.len()).flat_map(|place| given(matches, &argument_id(place))).map(str::to_owned).collect();
    if args.iter().any(|arg| arg.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(args);
    Ok(words)
}

/// Returns the value of an option, if it was given once.
pub(super) fn option<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a str> {
    given(matches, &option_id(name)).next()
}

/// Returns the file to which entries of the log are to be moved.
pub(super) fn archive<'a>(rule: &ActionRule, matches: &'a ArgMatches) -> Option<&'a PathBuf> {
    if rule.ends_phase { matches.get_one(ARCHIVE) } else { None }
}

fn given<'a>(matches: &'a ArgMatches, id: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    matches.get_many::<String>(id).into_iter().flatten().map(String::as_str)
}

// Ids that no option of play can have.
fn argument_id(place: usize) -> String {
    format!("<{place}>")
}

fn option_id(name: &str) -> String {
    format!("--{name}")
}
