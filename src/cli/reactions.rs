//! Files that give people for the options of an action, such as the reactions to a proposal.

use std::path::Path;
use std::sync::Arc;

use super::outcome::Problems;
use crate::data::{Key, Value};
use crate::diagnostic::{Problem, Source};
use crate::files;
use crate::ruleset::{ActionRule, Parameter};
use crate::yaml::Document;

/// Reads a file of people into the people for each option of `rule`: CSV with a person and their reactions in a line, or
/// YAML by person or by reaction.
///
/// # Errors
/// `cannot-read`, what is wrong with the YAML, and `bad-reaction` for a word that means no option.
pub(super) fn people_in(rule: &ActionRule, file: &Path) -> Result<Vec<(String, Vec<String>)>, Problems> {
    let bytes = files::read(file).map_err(|problem| vec![problem])?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let is_known = |word: &str| meant(rule, word).is_some();
    let wrong = |message: String| vec![Problem::new("bad-reaction", message).help(known(rule))];
    let shown = file.display();
    let pairs = if file.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv")) {
        in_csv(text, &is_known).map_err(|message| wrong(format!("{shown}: {message}")))?
    } else {
        let source = Arc::new(Source::new(shown.to_string(), text));
        let document = Document::parse_source(source)?;
        in_yaml(&document.root().to_value(), &is_known)
    };
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (person, reaction) in pairs {
        let Some(option) = meant(rule, &reaction) else {
            return Err(wrong(format!("{shown}: unknown reaction `{reaction}` of {person}")));
        };
        match found.iter_mut().find(|(own, _)| own == option) {
            Some((_, people)) => people.push(person),
            None => found.push((option.to_owned(), vec![person])),
        }
    }
    Ok(found)
}

/// Returns the options that take people.
fn options(rule: &ActionRule) -> impl Iterator<Item = &Parameter> {
    rule.options.iter().filter(|own| own.kind == "person")
}

/// Returns the option that a word of the file means: its name, or one of its other spellings.
fn meant<'a>(rule: &'a ActionRule, word: &str) -> Option<&'a str> {
    let word = word.trim().trim_end_matches('\u{fe0f}').to_lowercase();
    let named = |own: &&Parameter| own.name == word || own.spellings.contains(&word);
    options(rule).find(named).map(|own| own.name.as_str())
}

/// Lists the words that a file can hold.
fn known(rule: &ActionRule) -> String {
    let names: Vec<&str> = options(rule).map(|own| own.name.as_str()).collect();
    let others = options(rule).filter_map(|own| own.spellings.first().filter(|word| !word.is_empty()));
    let others: Vec<&str> = others.map(String::as_str).collect();
    let names = names.join(", ");
    if others.is_empty() { names } else { format!("{names}; also {}", others.join(" ")) }
}

/// Reads a person and their reactions in a line; a first line such as `who,reaction` is a head.
fn in_csv(text: &str, is_known: &dyn Fn(&str) -> bool) -> Result<Vec<(String, String)>, String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut pairs = Vec::new();
    for (place, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let mut cells = record.iter();
        let Some(person) = cells.next().filter(|person| !person.is_empty()) else { continue };
        let reactions: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let is_head =
            ["who", "person", "player", "name", "user", "voter"].iter().any(|head| person.eq_ignore_ascii_case(head));
        if place == 0 && is_head && !reactions.iter().any(|word| is_known(word)) {
            continue;
        }
        if reactions.is_empty() {
            return Err(format!("line {}: {person} has no reaction", place + 1));
        }
        pairs.extend(reactions.into_iter().map(|reaction| (person.to_owned(), reaction.to_owned())));
    }
    Ok(pairs)
}

/// Reads a map from people to reactions, or from reactions to people.
fn in_yaml(root: &Value, is_known: &dyn Fn(&str) -> bool) -> Vec<(String, String)> {
    let by_reaction = root.entries().iter().all(|(key, _)| is_known(&key.to_string()));
    let pair = |key: String, value: String| if by_reaction { (value, key) } else { (key, value) };
    let each = |(key, value): &(Key, Value)| {
        value.items().iter().map(|value| pair(key.to_string(), value.to_string())).collect::<Vec<_>>()
    };
    root.entries().iter().flat_map(each).collect()
}
