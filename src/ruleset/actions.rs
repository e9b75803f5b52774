//! The actions that a ruleset declares: their words, arguments, options and flags, and what their help says.

use super::declare::{ActionRule, Count, Parameter};
use super::layers::spelled;
use super::reserved;
use crate::data::{Key, Value};

/// Kinds of an argument or option.
const KINDS: [&str; 9] = ["player", "space", "item", "items", "person", "name", "number", "time", "text"];
/// Kinds of an option that the command line turns into other words before they are read.
const OPTION_KINDS: [&str; 2] = [Parameter::RULES, Parameter::PEOPLE_FILE];
/// What an action can declare.
const KEYS: [&str; 14] = [
    "args",
    "options",
    "flags",
    "run",
    "text",
    "details",
    "examples",
    "channel",
    "looks",
    "moves",
    "any-order",
    "ends-phase",
    "until",
    "hidden",
];

/// Takes what is wrong: the keys below the action, a code, a message and perhaps help.
type Report<'a> = &'a mut dyn FnMut(&str, &'static str, String, Option<String>);

/// Reads the action `name`; `problem` is told the keys below `actions` and what is wrong there.
pub(super) fn read(name: &Key, value: &Value, problem: Report) -> ActionRule {
    let name = name.to_string();
    if let Some(message) = bad_name(&name) {
        problem("", "reserved-name", message, Some("choose another name".into()));
    }
    for (key, _) in value.entries().iter().filter(|(key, _)| !KEYS.contains(&key.to_string().as_str())) {
        let near = crate::data::nearest(&key.to_string(), KEYS).map(|near| format!("did you mean `{near}`?"));
        problem(&key.to_string(), "unknown-key", format!("an action cannot declare `{key}`"), near);
    }
    let run = value.get("run").map(spelled).unwrap_or_default();
    if run.is_empty() {
        problem("", "missing", format!("`{name}` names no function to `run`"), None);
    }
    let args: Vec<Parameter> = value.get("args").map_or(&[][..], Value::items).iter().map(argument).collect();
    let entries = |key: &str| value.get(key).map_or(&[][..], Value::entries);
    let options: Vec<Parameter> =
        entries("options").iter().map(|(key, value)| parameter(key.to_string(), value)).collect();
    for (kinds, parameters, key) in [(&[][..], &args, "args"), (&OPTION_KINDS[..], &options, "options")] {
        for own in parameters.iter().filter(|own| !KINDS.contains(&&*own.kind) && !kinds.contains(&&*own.kind)) {
            let known = KINDS.iter().chain(kinds).copied().collect::<Vec<_>>().join(", ");
            problem(key, "bad-kind", format!("unknown kind `{}` for `{}`", own.kind, own.name), Some(known));
        }
    }
    let flags: Vec<(String, String)> =
        entries("flags").iter().map(|(flag, text)| (flag.to_string(), spelled(text))).collect();
    let order: Vec<Count> = args.iter().map(|own| own.count).collect();
    if order.is_sorted_by_key(|count| *count as u8) && order.iter().filter(|count| **count == Count::Any).count() < 2 {
        check_names(&name, &options, &flags, problem);
    } else {
        let message = format!("`{name}`: arguments come in the order required, optional (`?`), any number (one `*`)");
        problem("args", "bad-kind", message, None);
    }
    let is_true = |key: &str| value.get(key) == Some(&Value::Bool(true));
    ActionRule {
        args,
        options,
        flags,
        run,
        text: value.get("text").map(spelled).unwrap_or_default(),
        details: value.get("details").map(spelled).unwrap_or_default(),
        examples: value.get("examples").map_or(&[][..], Value::items).iter().map(spelled).collect(),
        channel: value.get("channel").map_or_else(|| "#game-actions".into(), spelled),
        looks: is_true("looks"),
        moves: is_true("moves"),
        any_order: is_true("any-order"),
        hidden: is_true("hidden"),
        ends_phase: is_true("ends-phase"),
        until: value.get("until").map(spelled),
        name,
    }
}

/// Reports options and flags that cannot be told from others.
fn check_names(action: &str, options: &[Parameter], flags: &[(String, String)], problem: Report) {
    let options = options.iter().map(|option| ("options", option.name.as_str()));
    let all: Vec<(&str, &str)> = options.chain(flags.iter().map(|(flag, _)| ("flags", flag.as_str()))).collect();
    for (place, (key, name)) in all.iter().enumerate() {
        let path = format!("{key}.{name}");
        if reserved::OPTIONS.iter().any(|(own, _)| own == name) {
            let help = if *name == "rules" {
                "declare a folder of rules as `carry: {kind: rules}`; after the command, `--rules` is read as it"
            } else {
                "choose another name"
            };
            let message = format!("`{action}` cannot have an option --{name}: the program has one of that name");
            problem(&path, "reserved-name", message, Some(help.to_owned()));
        }
        if !is_word(name) || all[..place].iter().any(|(_, own)| own == name) {
            problem(&path, "bad-name", format!("`{action}` cannot have an option --{name}"), None);
        }
    }
}

/// Returns whether a word can be typed as part of a command.
fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Returns why an action cannot have this name.
fn bad_name(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(' ').collect();
    if words.len() > 2 || !words.iter().all(|word| is_word(word)) {
        return Some(format!("`{name}` cannot be a command: write one word, or two for a group and a command of it"));
    }
    let taken = reserved::COMMANDS.iter().any(|own| *own == name || *own == words[0])
        || (words.len() == 1 && reserved::COMMANDS.iter().any(|own| own.split(' ').next() == Some(name)));
    taken.then(|| format!("`{name}` cannot be an action: the program has a command of that name"))
}

/// Reads an argument: a kind, or a map with `name`, `kind` and `text`.
fn argument(value: &Value) -> Parameter {
    let mut own = parameter(String::new(), value);
    let name = value.get("name").map(spelled);
    own.name = name.unwrap_or_else(|| own.kind.clone());
    own
}

fn parameter(name: String, value: &Value) -> Parameter {
    let written = spelled(value.get("kind").unwrap_or(value));
    let (kind, count) = match (written.strip_suffix('?'), written.strip_suffix('*')) {
        (Some(kind), _) => (kind, Count::Optional),
        (_, Some(kind)) => (kind, Count::Any),
        _ => (written.as_str(), Count::One),
    };
    Parameter {
        name,
        kind: kind.to_owned(),
        count,
        text: value.get("text").map(spelled).unwrap_or_default(),
        value: value.get("value").map(spelled),
        spellings: value.get("spellings").map_or(&[][..], Value::items).iter().map(spelled).collect(),
    }
}
