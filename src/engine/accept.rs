//! Whether an answer fits a question.

use crate::data::Value;
use crate::game::{Game, SpaceId};
use crate::protocol::{Options, Question, What, spelled};
use crate::ruleset::{Ruleset, find, find_item};

/// Returns the legal answer that `given` means, if it means one. Dice are one die each.
pub fn accepts(ruleset: &Ruleset, game: &Game, question: &Question, given: &Value) -> Option<Value> {
    match &question.options {
        Options::Dice { faces, .. } => {
            let shown = whole_number(given)?;
            (1..=i64::from(*faces)).contains(&shown).then_some(Value::Int(shown))
        }
        Options::Whole(least, most) => {
            let number = whole_number(given)?;
            (*least..=*most).contains(&number).then_some(Value::Int(number))
        }
        Options::Text => {
            Some(Value::Text(given.to_string())).filter(|text| !text.is_empty() && *text != Value::from(""))
        }
        Options::OneOf(options) => {
            let word = spelled(given);
            if let Some(found) = options.iter().find(|option| spelled(option) == word) {
                return Some(found.clone());
            }
            // The full name of something else does not count as the beginning of one that is offered.
            let exact = match question.what {
                What::Item => find_item(ruleset, game, &word).ok(),
                What::Player => game.player_named(&word).map(|id| game.player(id).name.clone()),
                What::Space => SpaceId::of(given).map(|id| id.to_string().into()),
                What::Type => ruleset.type_names().find(|name| ***name == *word).cloned(),
                _ => None,
            };
            if let Some(exact) = exact {
                return options.iter().find(|option| option.as_text() == Some(&exact)).cloned();
            }
            if matches!(given, Value::Int(_)) {
                return None;
            }
            let written: Vec<String> = options.iter().map(spelled).collect();
            let others = question.words.iter().map(|(word, option)| (option, word.as_str()));
            find(&word, options.iter().zip(written.iter().map(String::as_str)).chain(others)).ok().cloned()
        }
    }
}

/// Reads a value as a whole number; a text may have a sign before it.
fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Text(text) => text.trim_start_matches('+').parse().ok(),
        _ => None,
    }
}
