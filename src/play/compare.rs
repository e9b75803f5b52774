//! Replays the running phase under other rules, and finds what would have come out differently.

use std::sync::Arc;

use super::resolve::run_whole;
use crate::data::Value;
use crate::game::{Game, LogEntry, as_recorded, changes};
use crate::protocol::{Selections, Status};
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

/// Replays the entries of the running phase under `ruleset` with their recorded selections, each on the game as it was
/// then, and returns how many there are and which of them come out differently (PR-7).
///
/// # Errors
/// Says why the log does not lead to the game.
pub fn phase_again(ruleset: &Arc<Ruleset>, game: &Game) -> Result<(usize, Vec<Difference>), String> {
    let first = game.log.iter().position(|entry| entry.action.phase >= game.phase).unwrap_or(game.log.len());
    let mut then = game.clone();
    for entry in game.log[first..].iter().rev().filter(|entry| entry.counts()) {
        then.revert(&entry.changes).map_err(|conflict| {
            format!(
                "entry {}: {} should be {} but is {}",
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
            done.map_err(|conflict| format!("entry {}: {} does not exist", entry.id, conflict.pointer))?;
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
    let ran = run_whole(ruleset, then, &action, given);
    match ran.status {
        Status::Done => {}
        Status::Asks(question) => return Some(format!("asks for `{}`: {}", question.key, question.text)),
        Status::Refused(refusal) => return Some(format!("refused: {}", refusal.message)),
        Status::NeedsRuling(ruling) => return Some(ruling.to_string()),
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
