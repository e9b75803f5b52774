//! The running phase played again by other rules: what would have come out differently.

use std::sync::Arc;

use super::{Interrupt, Selections};
use crate::data::Value;
use crate::engine::run;
use crate::game::{Game, LogEntry, as_recorded, changes};
use crate::ruleset::{Action, Ruleset};

/// An entry of the log that comes out differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The entry.
    pub id: i64,
    /// Its command.
    pub what: String,
    /// What is different, in words.
    pub how: String,
}

/// Plays the entries of the running phase again by `ruleset` with their recorded selections, each on the game as it was
/// then, and gives how many there are and which of them come out differently (PR-7).
///
/// # Errors
/// A log that does not lead to the game, in words.
pub fn phase_again(ruleset: &Arc<Ruleset>, game: &Game) -> Result<(usize, Vec<Difference>), String> {
    let first = game.log.iter().position(|entry| entry.action.phase >= game.phase).unwrap_or(game.log.len());
    let mut then = game.clone();
    for entry in game.log[first..].iter().rev().filter(|entry| entry.counts()) {
        then.revert(&entry.changes).map_err(|conflict| {
            format!(
                "entry {} left {} at {}, and it is {}",
                entry.id, conflict.pointer, conflict.expected, conflict.found
            )
        })?;
    }
    Arc::make_mut(&mut then.log).truncate(first);
    let mut found = Vec::new();
    let mut played = 0;
    for entry in &game.log[first..] {
        if entry.outcome.is_none() && entry.counts() {
            played += 1;
            if let Some(how) = differs(ruleset, &then, entry) {
                found.push(Difference { id: entry.id, what: entry.action.what.clone(), how });
            }
        }
        if entry.counts() {
            let done = then.do_again(&entry.changes);
            done.map_err(|conflict| format!("entry {}: there is no place {}", entry.id, conflict.pointer))?;
            then.sweep();
        }
        Arc::make_mut(&mut then.log).push(Arc::clone(entry));
    }
    Ok((played, found))
}

fn differs(ruleset: &Arc<Ruleset>, then: &Game, entry: &LogEntry) -> Option<String> {
    let words = shlex::split(&entry.action.what).unwrap_or_default();
    let action = match Action::read(ruleset, then, &words) {
        Ok(action) => Action {
            at: entry.action.at,
            amended: entry.action.amended.clone(),
            amends: entry.amends.clone(),
            ..action
        },
        Err(error) => return Some(error.message),
    };
    let mut given = Selections::default();
    given.add_recorded(&entry.action.random);
    given.add_recorded(&entry.action.chosen);
    let ran = run(ruleset, then, &action, given);
    match ran.halt {
        None => {}
        Some(Interrupt::Asks(question)) => return Some(format!("asks for `{}`: {}", question.key, question.text)),
        Some(Interrupt::Refused(refusal)) => return Some(format!("refused: {}", refusal.message)),
        Some(Interrupt::NeedsRuling { ruling, message }) => {
            return Some(format!("needs a ruling on {ruling}: {message}"));
        }
        Some(Interrupt::Failed(error)) => return Some(error.to_string()),
        Some(Interrupt::Ended | Interrupt::Rewinds(_)) => return Some("goes back in the log".into()),
    }
    let mut next = ran.game;
    next.sweep();
    let made = changes(then, &next);
    let of_the_game = |value: &Value| {
        let kept = value.entries().iter().filter(|(key, _)| !key.is("/pending")).cloned().collect();
        Value::Map(kept).in_order()
    };
    let (now, before) = (of_the_game(&as_recorded(&made)), of_the_game(&entry.changes));
    if now == before {
        return None;
    }
    let only = |one: &Value, other: &Value| -> Vec<String> {
        let missing = one.entries().iter().filter(|(key, value)| other.get(&key.to_string()) != Some(value));
        missing.map(|(key, value)| format!("{key} {value}")).collect()
    };
    Some(format!("{} instead of {}", list(&only(&now, &before)), list(&only(&before, &now))))
}

fn list(changes: &[String]) -> String {
    if changes.is_empty() { "no such change".into() } else { changes.join(", ") }
}
