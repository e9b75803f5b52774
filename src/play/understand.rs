//! Understands everything that was given with a command before anything is drawn for it.

use crate::data::{Value, nearest};
use crate::protocol::{Refusal, Selections, spelled};
use crate::ruleset::Ruleset;

/// The key under which a correction asks whether an entry that is no longer possible is void.
pub(super) const VOID_KEY: &str = "void";

/// Checks that each key is one for which the ruleset can ask, and that each value can be one of its kind.
///
/// # Errors
/// Refuses with `unknown-selection` a key that the ruleset does not know, with the nearest one that it does, and with
/// `bad-value` a key without a value or a die that is not a whole number.
pub(super) fn understand(ruleset: &Ruleset, given: &Selections) -> Result<(), Refusal> {
    for (key, values) in given.all() {
        if !is_known(ruleset, key) {
            let keys = ruleset.declared.selections.iter().map(|(key, _)| key.as_str());
            let help = match nearest(key, keys.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}", keys.collect::<Vec<_>>().join(", ")),
            };
            let message = format!("unknown selection `{key}`");
            return Err(Refusal::new("unknown-selection", message).help(help).rule("PA-2"));
        }
        if values.is_empty() {
            let help = format!("give one, such as `-s {key}=VALUE`, or leave the key out");
            return Err(Refusal::new("bad-value", format!("`{key}` has no value")).help(help).rule("PA-2"));
        }
        let wrong = values.iter().find(|value| ruleset.declared.is_dice(key) && !is_die(value));
        if let Some(wrong) = wrong {
            let message = format!("a die of `{key}` cannot show {}", spelled(wrong));
            let help = "give each die as the whole number that it shows";
            return Err(Refusal::new("bad-value", message).help(help).rule("D-1"));
        }
    }
    Ok(())
}

/// Returns whether a ruleset can ask for a key: it declares it, or a rule text has it as a text of its own.
fn is_known(ruleset: &Ruleset, key: &str) -> bool {
    let declared = ruleset.declared.selections.iter().any(|(own, _)| own == key);
    let quoted = [format!("\"{key}\""), format!("'{key}'")];
    let written =
        || ruleset.sources().texts().any(|source| quoted.iter().any(|key| source.text.contains(key.as_str())));
    declared || key == VOID_KEY || written()
}

fn is_die(value: &Value) -> bool {
    match value {
        Value::Int(_) => true,
        Value::Text(text) => text.trim_start_matches('+').parse::<i64>().is_ok(),
        _ => false,
    }
}
