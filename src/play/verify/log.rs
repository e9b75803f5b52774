//! Verifies a whole log.

use std::sync::Arc;

use super::dice::DiceCheck;
use super::entry::verify_entry;
use super::finding::{Finding, Rulebooks, Verified, in_words};
use super::tries::impossible_dice;
use super::undone::game_before;
use crate::game::{Game, LogEntry, Outcome, PendingAction};
use crate::play::pending::pending_then;
use crate::play::resolve::run_whole;
use crate::protocol::{Selections, Status};
use crate::ruleset::Action;

/// Verifies a whole log: reverses every entry, resolves it again with its recorded selections, and compares.
pub fn verify(rulesets: Rulebooks, game: &Game) -> Verified {
    let mut verified = Verified::default();
    let mut then = game.clone();
    for entry in game.log.iter().rev().filter(|entry| entry.counts()) {
        for conflict in then.force_back(&entry.changes) {
            verified.findings.push(Finding {
                code: "unexplained-value",
                entry: Some(entry.id),
                pointer: Some(conflict.pointer.clone()),
                message: format!(
                    "entry {} set this to {}, but it is {}: no later entry changes it",
                    entry.id,
                    in_words(&conflict.expected),
                    in_words(&conflict.found)
                ),
            });
        }
    }
    verified.findings.reverse();
    then.log = Arc::default();
    let pending = Arc::clone(&game.pending);
    let mut dice = DiceCheck::new(game, &mut verified);
    let mut last = game.log.first().map_or(0, |first| first.id - 1);
    for (place, entry) in game.log.iter().enumerate() {
        if entry.id != last + 1 {
            let message = format!("entry {} follows entry {last}: the entries between are missing", entry.id);
            verified.findings.push(Finding { code: "missing-entry", entry: Some(entry.id), pointer: None, message });
        }
        last = entry.id;
        then.pending = Arc::new(pending_then(&game.log, place, &pending));
        let rules = rulesets(entry.ruleset.as_deref().unwrap_or_default()).or_else(|| rulesets(""));
        if let Some(ruleset) = rules {
            dice.entry(&ruleset, &then, entry, &mut verified);
        }
        if entry.action.seed.is_some() {
            verified.seeded.push(entry.id);
        }
        if entry.undone {
            verify_undone(rulesets, &game.log, place, &then, &mut verified);
        } else if !entry.counts() {
            verify_kept(rulesets, &then, entry, &mut verified);
        }
        if entry.counts() {
            verified.dated_elsewhere.extend(dated_elsewhere(rulesets, &then, entry));
            verify_entry(rulesets, &then, entry, dice.secret(&then), &mut verified);
            // What is recorded is the ground of the next entry, whatever came of this one.
            let _ = then.do_again(&entry.changes);
            then.sweep();
        }
        Arc::make_mut(&mut then.log).push(Arc::clone(entry));
    }
    then.pending = Arc::default();
    for pending in &*game.pending {
        if let Some(ruleset) = rulesets("") {
            dice.pending(&ruleset, pending, &mut verified);
        }
    }
    for pending in game.pending.iter().filter(|pending| pending.phase == game.phase) {
        if let Err(message) = still_open(rulesets, game, pending) {
            let message = format!("`{}` is pending, but {message}", pending.what);
            verified.findings.push(Finding {
                code: "not-possible",
                entry: None,
                pointer: Some("/pending".into()),
                message,
            });
        }
    }
    verified
}

/// Verifies an entry that has been undone: its dice are reused, so that they must be what fell.
fn verify_undone(rulesets: Rulebooks, log: &[Arc<LogEntry>], place: usize, then: &Game, verified: &mut Verified) {
    let entry = &log[place];
    let Some(before) = game_before(log, place, then).filter(|_| !is_kept(entry)) else { return };
    let mut own = Verified::default();
    verify_entry(rulesets, &before, entry, None, &mut own);
    verified.findings.extend(own.findings);
}

fn is_kept(entry: &LogEntry) -> bool {
    matches!(entry.outcome, Some(Outcome::Lapsed | Outcome::Dropped))
}

/// Verifies the dice of an action that lapsed or was dropped.
fn verify_kept(rulesets: Rulebooks, then: &Game, entry: &LogEntry, verified: &mut Verified) {
    let Some(ruleset) = rulesets("") else { return };
    if let Some(why) = impossible_dice(&ruleset, then, entry) {
        let message = format!("entry {}, `{}`, cannot have its dice: {why}", entry.id, entry.action.what);
        verified.findings.push(Finding { code: "not-possible", entry: Some(entry.id), pointer: None, message });
    }
}

/// Says in which phase by the calendar an entry is dated, if that is none of those in which it was made.
fn dated_elsewhere(rulesets: Rulebooks, then: &Game, entry: &LogEntry) -> Option<(i64, String)> {
    let ruleset = rulesets(entry.ruleset.as_deref().unwrap_or_default())?;
    let at = entry.action.at?;
    let phase = ruleset.phase_at(then, at)?;
    let after = entry.changes.get("/phase").and_then(|pair| pair.items().last()?.as_int()).unwrap_or(then.phase);
    let message = || format!("entry {} of phase {} is dated {at}, which lies in phase {phase}", entry.id, then.phase);
    (!(then.phase..=after.max(then.phase)).contains(&phase)).then(|| (entry.id, message()))
}

/// Checks that a pending action, continued with what it has, stops at a question or at a dead end.
fn still_open(rulesets: Rulebooks, game: &Game, pending: &PendingAction) -> Result<(), String> {
    let Some(ruleset) = rulesets("") else { return Ok(()) };
    let mut start = game.clone();
    Arc::make_mut(&mut start.pending).retain(|own| own != pending);
    let words = shlex::split(&pending.what).unwrap_or_default();
    let action = Action::read(&ruleset, &start, &words).map_err(|error| error.message)?;
    let action = Action { at: pending.at, amended: pending.amended.clone(), ..action };
    let mut given = Selections::default();
    given.add_recorded(&pending.random);
    given.add_recorded(&pending.chosen);
    match run_whole(&ruleset, &start, &action, given).status {
        Status::Refused(refusal) if ["illegal-selection", "rule-failed"].contains(&&*refusal.code) => {
            Err(refusal.message)
        }
        // Others have played since: what was open then may be refused or forced now.
        _ => Ok(()),
    }
}
