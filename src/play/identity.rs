//! What an action is, however it is worded: its identity for RC-2.

use std::sync::Arc;

use crate::data::folded;
use crate::game::LogEntry;
use crate::ruleset::Ruleset;

/// Returns the identity of a command, of which every name is spelled as the game spells it: its name, its arguments and
/// the players among its options. Times, texts and links can be varied, and an order that means nothing as well; a try
/// with others would be a second one. An action that reused the dice of another is the same action as that.
pub(super) fn identity(ruleset: &Ruleset, log: &[Arc<LogEntry>], what: &str) -> Vec<String> {
    let words = shlex::split(what).unwrap_or_default();
    let Some(rule) = ruleset.declared.action_of(&words) else {
        // A correction is known by the entries that it corrects.
        let plain = words.iter().take_while(|word| !word.starts_with("--"));
        return plain
            .map(|word| word.parse().map_or_else(|_| word.clone(), |id| first_of(log, id).to_string()))
            .collect();
    };
    let count = rule.name.split(' ').count();
    let mut own = vec![rule.name.clone()];
    let mut arguments = Vec::new();
    let mut options = Vec::new();
    let mut rest = words[count..].iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix("--") {
            Some(flag) if rule.flags.iter().any(|(own, _)| own == flag) => {}
            Some(option) => {
                let value = rest.next().cloned().unwrap_or_default();
                if rule.options.iter().any(|own| own.name == option && own.kind == "player") {
                    options.push(format!("{option} {value}"));
                }
            }
            None => arguments.push(folded(word)),
        }
    }
    if rule.any_order {
        let first = rule.args.iter().position(|own| own.kind == "item");
        let first = first.unwrap_or(arguments.len()).min(arguments.len());
        arguments[first..].sort();
    }
    own.extend(arguments);
    own.extend(options);
    own
}

/// Returns the entry whose dice an entry has, through all that reused them.
fn first_of(log: &[Arc<LogEntry>], id: i64) -> i64 {
    let found = log.iter().find(|entry| entry.id == id);
    match found.and_then(|entry| entry.action.reused).filter(|source_id| *source_id < id) {
        Some(source_id) => first_of(log, source_id),
        None => id,
    }
}
