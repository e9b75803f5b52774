//! What a case leaves free: defaults, the order of maps, what only keeps count; everything else must be as it was.

use crate::data::{Key, Value};
use crate::ruleset::Ruleset;

/// Whether a value says no more than its absence would.
pub(super) fn is_default(ruleset: &Ruleset, key: &str, value: &Value) -> bool {
    let rules = &ruleset.declared;
    value.is_empty()
        || (key == "type" && value.as_text() == Some(&rules.default_type))
        || rules.fields().any(|field| &*field.name == key && field.default == *value)
}

/// Fails if anything changed that `expect` does not name, the log and what only keeps count aside: what is new, what is
/// other, and what is gone.
pub(super) fn untouched(ruleset: &Ruleset, expect: &Value, before: &Value, after: &Value) -> Result<(), String> {
    let null = &Value::Null;
    for section in ["players", "spaces"] {
        let (old, new) = (before.get(section).unwrap_or(null), after.get(section).unwrap_or(null));
        for key in keys(old, new) {
            let (was, is) = (old.get(&key), new.get(&key));
            let named = expect.get(section).and_then(|section| section.get(&key));
            if was.is_some() && is.is_none() && named.is_none() {
                return Err(format!("{section}.{key} is gone, which the case does not name"));
            }
            if is.is_none() {
                continue;
            }
            let (was, is) = (was.unwrap_or(null), is.unwrap_or(null));
            for field in keys(was, is) {
                let free = named.is_some_and(|named| named.get(&field).is_some()) || keeps_count(ruleset, &field);
                let said = |thing: &Value| told(ruleset, &field, thing.get(&field).unwrap_or(null));
                if !free && said(was) != said(is) {
                    let now = is.get(&field).map_or_else(|| "nothing".to_owned(), Value::to_string);
                    return Err(format!("{section}.{key}.{field} changed to {now}, which the case does not name"));
                }
            }
        }
    }
    for section in ["phase", "settings", "state", "rulings", "amendments", "proposals"] {
        let said = |game: &Value| told(ruleset, section, game.get(section).unwrap_or(null));
        if expect.get(section).is_none() && said(before) != said(after) {
            return Err(format!("{section} changed, which the case does not name"));
        }
    }
    Ok(())
}

/// Returns the keys of two maps, each once.
fn keys(old: &Value, new: &Value) -> Vec<String> {
    let mut all: Vec<String> = new.entries().iter().map(|(key, _)| key.to_string()).collect();
    let gone = old.entries().iter().map(|(key, _)| key.to_string()).filter(|key| new.get(key).is_none());
    all.extend(gone.collect::<Vec<_>>());
    all
}

fn keeps_count(ruleset: &Ruleset, key: &str) -> bool {
    ruleset.declared.fields().any(|own| own.bookkeeping && *own.name == *key)
}

/// Returns what a value says: a default says what its absence does, and the order of a map nothing.
fn told(ruleset: &Ruleset, key: &str, value: &Value) -> Value {
    if is_default(ruleset, key, value) {
        return Value::Null;
    }
    let Value::Map(entries) = value else { return value.clone() };
    let free = |key: &Key| keeps_count(ruleset, &key.to_string());
    let kept = entries.iter().filter(|(key, _)| !free(key));
    let told = kept.map(|(key, value)| (key.clone(), told(ruleset, &key.to_string(), value)));
    let told: Vec<(Key, Value)> = told.filter(|(_, value)| *value != Value::Null).collect();
    if told.is_empty() { Value::Null } else { Value::Map(told).in_order() }
}
