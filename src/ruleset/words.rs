//! Words of a command as typed: which are options with their values, and which are arguments. Everything that reads a
//! command reads it through here: the command line, case files, pending actions and the log.

use jiff::Timestamp;

use super::declare::{ActionRule, Count, Parameter};
use crate::protocol::Refusal;

/// A part of a typed command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An argument, or a word of the command's name.
    Word(&'a str),
    /// An option or flag, with the value that was given for it.
    Option(&'a str, Option<&'a str>),
}

/// Splits words into arguments and options. `takes_value` says of a known option whether a value follows it; an
/// unknown one takes the next word. Everything after `--` is an argument.
///
/// # Errors
/// `usage` if an option that needs a value has none.
pub(super) fn tokens<'a>(
    words: &'a [String],
    takes_value: &dyn Fn(&str) -> Option<bool>,
) -> Result<Vec<Token<'a>>, Refusal> {
    let mut found = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let option = match word.strip_prefix("--") {
            Some("") => {
                found.extend(words.by_ref().map(Token::Word));
                break;
            }
            Some(option) => option,
            None => match SHORT.iter().find(|(short, _)| *short == word) {
                Some((_, long)) if takes_value(long).is_some() => long,
                _ => {
                    found.push(Token::Word(word));
                    continue;
                }
            },
        };
        found.push(match option.split_once('=') {
            Some((option, value)) => Token::Option(option, Some(value)),
            None if takes_value(option) == Some(false) => Token::Option(option, None),
            None => {
                Token::Option(option, Some(words.next().ok_or_else(|| usage(format!("--{option} needs a value")))?))
            }
        });
    }
    Ok(found)
}

/// Short spellings of options.
const SHORT: [(&str, &str); 4] = [("-s", "select"), ("-n", "dry-run"), ("-f", "file"), ("-q", "quiet")];

/// The words that were given for each argument, option and flag of an action.
#[derive(Debug)]
pub(super) struct Filled<'a> {
    pub args: Vec<Vec<&'a str>>,
    pub options: Vec<Vec<&'a str>>,
    pub flags: Vec<bool>,
}

/// Returns the option of `rule` that `name` means: its own name, or the name that an option for a folder of rules had
/// before.
fn option_of<'r>(rule: &'r ActionRule, name: &str) -> Option<(usize, &'r Parameter)> {
    let named = |own: &&(usize, &Parameter)| own.1.name == name || (name == "rules" && own.1.kind == Parameter::RULES);
    let all: Vec<(usize, &Parameter)> = rule.options.iter().enumerate().collect();
    all.iter().find(named).copied()
}

/// Returns whether a value follows the option `name` of `rule`; `None` if the rule has no such option.
pub(super) fn takes_value(rule: &ActionRule, name: &str) -> Option<bool> {
    let flag = rule.flags.iter().any(|(flag, _)| flag == name);
    if flag { Some(false) } else { option_of(rule, name).map(|_| true) }
}

/// Assigns the words after the name of an action to its arguments, options and flags.
///
/// # Errors
/// `usage` for an option that the action does not have, a value too few, and arguments too few or too many.
pub(super) fn fill<'a>(rule: &ActionRule, words: &'a [String]) -> Result<Filled<'a>, Refusal> {
    let name = &rule.name;
    let mut positional = Vec::new();
    let mut options = vec![Vec::new(); rule.options.len()];
    let mut flags = vec![false; rule.flags.len()];
    // Logs and case files have flags with a `yes` after them, as they were written when these were options.
    let mut old_yes = None;
    let mut after_flag = false;
    for token in tokens(words, &|option| takes_value(rule, option))? {
        match token {
            Token::Word(word) => {
                if after_flag && word == "yes" {
                    old_yes = Some(positional.len());
                }
                positional.push(word);
                after_flag = false;
            }
            Token::Option(option, value) => {
                after_flag = false;
                if let Some(flag) = rule.flags.iter().position(|(flag, _)| flag == option) {
                    if value.is_some_and(|value| value != "yes") {
                        return Err(usage(format!("--{option} takes no value")));
                    }
                    flags[flag] = true;
                    after_flag = true;
                } else if let (Some((place, own)), Some(value)) = (option_of(rule, option), value) {
                    if own.kind == Parameter::PEOPLE_FILE {
                        return Err(usage(format!("--{option} reads a file, which only the command line does")));
                    }
                    options[place].push(value);
                } else {
                    return Err(usage(format!("`{name}` has no option --{option}")));
                }
            }
        }
    }
    let least = rule.args.iter().filter(|arg| arg.count == Count::One).count();
    let most = if rule.args.iter().any(|arg| arg.count == Count::Any) { usize::MAX } else { rule.args.len() };
    if let Some(place) = old_yes.filter(|_| positional.len() > most) {
        positional.remove(place);
    }
    if positional.len() < least || positional.len() > most {
        return Err(usage(format!("usage: {}", rule.usage())));
    }
    let mut positional = positional.into_iter();
    let args = rule.args.iter().map(|arg| match arg.count {
        Count::Any => positional.by_ref().collect(),
        _ => positional.next().into_iter().collect(),
    });
    Ok(Filled { args: args.collect(), options, flags })
}

pub(super) fn usage(message: String) -> Refusal {
    Refusal::new("usage", message)
}

/// Reads a time: with any offset, without one as UTC, or a day alone.
pub fn time(written: &str) -> Option<Timestamp> {
    if let Ok(time) = written.parse::<Timestamp>() {
        return Some(time);
    }
    let civil = written.parse::<jiff::civil::DateTime>();
    let civil = civil.or_else(|_| written.parse::<jiff::civil::Date>().map(|day| day.at(0, 0, 0, 0)));
    Some(civil.ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}
