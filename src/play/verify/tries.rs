//! Verifies that no action was tried twice for other dice (RC-2): what an entry says it reused, and the dice it has.

use std::sync::Arc;

use crate::data::Value;
use crate::game::{Game, LogEntry, Outcome, PendingAction};
use crate::play::identity::identity;
use crate::play::pending::{dice_to_reuse, draws_of, waited, with_first};
use crate::play::resolve::run_whole;
use crate::protocol::{Selections, Status};
use crate::ruleset::{Action, Ruleset};

/// Says what is wrong with the dice of an entry beside those that it had to reuse, on the game as it was before it.
pub(super) fn wrong_try(ruleset: &Arc<Ruleset>, then: &Game, entry: &LogEntry) -> Option<String> {
    let id = entry.id;
    if entry.outcome == Some(Outcome::Declared) {
        return entry
            .action
            .reused
            .map(|source_id| format!("entry {id} says that it reuses the dice of entry {source_id}, and has none"));
    }
    let expected = match was_pending(entry) {
        Some(pending) => pending.reused,
        None => dice_to_reuse(ruleset, then, &entry.action.what).map(|reused| reused.id),
    };
    match (expected, entry.action.reused) {
        (Some(reused), source_id) if source_id != Some(reused) => {
            return Some(format!("entry {id} rolled new dice; it must reuse those of entry {reused} (RC-2)"));
        }
        (None, Some(source_id)) => {
            return Some(format!(
                "entry {id} says that it reuses the dice of entry {source_id}, which are not its to reuse"
            ));
        }
        (_, None) => return None,
        (_, Some(_)) => {}
    }
    let source_id = entry.action.reused?;
    let own = identity(ruleset, &then.log, &entry.action.what);
    let is_first = |first: &&Arc<LogEntry>| {
        let gone = first.undone || first.outcome == Some(Outcome::Dropped);
        first.id == source_id && gone && identity(ruleset, &then.log, &first.action.what) == own
    };
    if !then.log.iter().any(|first| is_first(&first)) {
        return Some(format!(
            "entry {id} says that it reuses the dice of entry {source_id}, which is not a try of the same action"
        ));
    }
    let before = draws_of(&then.log, Some(source_id));
    let other = before.entries().iter().find(|(key, values)| {
        let key = key.to_string();
        let now = entry.action.random.get(&key).map_or(&[][..], Value::items);
        ruleset.declared.is_dice(&key) && values.items().iter().zip(now).any(|(was, is)| was != is)
    });
    if let Some((key, values)) = other {
        return Some(format!(
            "entry {id} has other dice for `{key}` than the {values} of entry {source_id} that it reuses"
        ));
    }
    let reused = replayed_with(ruleset, then, entry, &with_first(Some(&before), &entry.action.random))?;
    let recorded = with_first(Some(&reused), &waited(entry)).in_order();
    (recorded != entry.action.random.in_order()).then(|| {
        format!("entry {id} has the draws {}, but those of entry {source_id} give {reused}", entry.action.random)
    })
}

/// Returns the draws that an action asks for if it is resolved with these, if it is carried out so: a value that is not
/// legal any more is drawn again.
fn replayed_with(ruleset: &Arc<Ruleset>, then: &Game, entry: &LogEntry, random: &Value) -> Option<Value> {
    if entry.outcome.is_some() {
        return None;
    }
    let action = Action::read(ruleset, then, &shlex::split(&entry.action.what)?).ok()?;
    let action = Action { at: entry.action.at, amended: entry.action.amended.clone(), ..action };
    let mut given = Selections::default();
    given.add_recorded(random);
    given.add_recorded(&entry.action.chosen);
    let ran = run_whole(ruleset, then, &action, given);
    (ran.status == Status::Done).then_some(ran.random)
}

/// Returns what the action of an entry was as a pending one, if it was pending.
fn was_pending(entry: &LogEntry) -> Option<PendingAction> {
    let before = entry.changes.get("/pending").and_then(|pair| pair.items().first()).map_or(&[][..], Value::items);
    let own = before.iter().find(|own| own.get("do").and_then(Value::as_text) == Some(&entry.action.what));
    own.and_then(PendingAction::read)
}

/// Says what is wrong with the dice of an action that lapsed or was dropped: dice that it cannot have.
pub(super) fn impossible_dice(ruleset: &Arc<Ruleset>, then: &Game, entry: &LogEntry) -> Option<String> {
    let action = Action::read(ruleset, then, &shlex::split(&entry.action.what)?).ok()?;
    let action = Action { at: entry.action.at, amended: entry.action.amended.clone(), ..action };
    let mut start = then.clone();
    Arc::make_mut(&mut start.pending).retain(|own| own.what != entry.action.what);
    let mut given = Selections::default();
    given.add_recorded(&entry.action.random);
    given.add_recorded(&entry.action.chosen);
    match run_whole(ruleset, &start, &action, given).status {
        Status::Refused(refusal) if refusal.code == "illegal-selection" => Some(refusal.message),
        // Others have played since: what was legal then may be refused now.
        _ => None,
    }
}
