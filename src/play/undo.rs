//! Undoing and redoing entries of the log. Nothing leaves the log: dice that have fallen are kept (RC-2).

use std::sync::Arc;

use super::turn::Played;
use crate::data::Value;
use crate::game::{Game, LogEntry, Outcome, PendingAction, changes};
use crate::protocol::{Event, Refusal, Status};

/// Carries out `undo [N]`.
///
/// # Errors
/// Refuses to undo what is not there, or was changed since.
pub(super) fn undo(game: &Game, words: &[String], count: usize) -> Result<Played, Refusal> {
    repeated(game, words, count, undo_one)
}

/// Carries out `redo [N]`.
///
/// # Errors
/// Refuses to redo what is not there, or was changed since.
pub(super) fn redo(game: &Game, words: &[String], count: usize) -> Result<Played, Refusal> {
    repeated(game, words, count, redo_one)
}

fn repeated(
    game: &Game,
    words: &[String],
    count: usize,
    one: impl Fn(&mut Game) -> Result<Event, Refusal>,
) -> Result<Played, Refusal> {
    let mut next = game.clone();
    let mut events = Vec::new();
    for _ in 0..count {
        events.push(one(&mut next)?);
    }
    if let Some(refusal) = left_behind(game, &next) {
        return Err(refusal);
    }
    let changes = changes(game, &next);
    let (status, action, selections) = (Status::Done, words.join(" "), Vec::new());
    Ok(Played { status, action, selections, events, changes, next })
}

/// Refuses a correction after which a pending action would name a person who is not a player any more.
pub(super) fn left_behind(before: &Game, after: &Game) -> Option<Refusal> {
    let mut gone = before.players().filter(|(_, player)| after.players().all(|(_, own)| own.name != player.name));
    gone.find_map(|(_, player)| {
        let words = |own: &PendingAction| shlex::split(&own.what).unwrap_or_default();
        let own = after.pending.iter().find(|own| words(own).iter().any(|word| **word == *player.name))?;
        let message = format!("`{}` is pending, and {} would not be a player any more", own.what, player.name);
        Some(refusal("move-pending", message).help("resume or drop it first; its dice are kept"))
    })
}

fn refusal(code: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(code, message).rule("RC-2")
}

fn undo_one(game: &mut Game) -> Result<Event, Refusal> {
    let Some(place) = game.log.iter().rposition(|entry| entry.counts()) else {
        return Err(refusal("nothing-to-undo", "nothing to undo").help("`referee show log` lists the entries"));
    };
    let entry = Arc::clone(&game.log[place]);
    game.revert(&entry.changes).map_err(|conflict| {
        let message = format!(
            "cannot undo entry {}: {} should be {} but is {}",
            entry.id, conflict.pointer, conflict.expected, conflict.found
        );
        let help = "it was edited outside the log; record such edits with `referee adjudicate`";
        refusal("changed-since", message).help(help)
    })?;
    let [before, after] = pending_around(&entry);
    let mut pending = exchanged(&game.pending, &after, &before);
    // What is pending again has the dice of the entry: nothing else reuses them.
    let returns = |own: &&mut PendingAction| own.what == entry.action.what && !game.pending.contains(own);
    for own in pending.iter_mut().filter(returns) {
        own.reused = Some(entry.id);
    }
    game.pending = Arc::new(pending);
    mark_undone(game, place, true);
    let mut text = format!("undid entry {}, `{}`", entry.id, entry.action.what);
    if !entry.action.random.is_empty() {
        text.push_str(&format!("; its dice {} are kept, and repeating the action reuses them", entry.action.random));
    }
    Ok(Event::new(text, "RC-2"))
}

fn redo_one(game: &mut Game) -> Result<Event, Refusal> {
    let nothing = || {
        refusal("nothing-to-redo", "nothing to redo").help("entries undone before the latest entry cannot be redone")
    };
    let first = game.log.iter().rposition(|entry| entry.counts()).map_or(0, |last| last + 1);
    // What was undone when a later entry was made is history.
    let is_history =
        |id: i64| game.log.iter().any(|later| later.id > id && later.after.is_some_and(|after| after < id));
    let is_first = |entry: &Arc<LogEntry>| {
        entry.undone && !matches!(entry.outcome, Some(Outcome::Lapsed | Outcome::Dropped)) && !is_history(entry.id)
    };
    let place = game.log[first..].iter().position(is_first).map(|place| first + place).ok_or_else(nothing)?;
    let entry = Arc::clone(&game.log[place]);
    let [before, after] = pending_around(&entry);
    let own = |pending: &PendingAction| pending.what == entry.action.what && pending.reused == Some(entry.id);
    let kept: Vec<PendingAction> = before.iter().filter(|pending| pending.what == entry.action.what).cloned().collect();
    let mut waiting = game.pending.to_vec();
    for pending in waiting.iter_mut().filter(|pending| own(pending)) {
        let as_before =
            kept.iter().find(|kept| PendingAction { reused: pending.reused, ..(*kept).clone() } == *pending);
        let Some(as_before) = as_before else {
            let message = format!("`{}` has been continued since", pending.what);
            return Err(refusal("changed-since", message).help("resume or drop it"));
        };
        *pending = as_before.clone();
    }
    let mut again = game.clone();
    again.do_once_more(&entry.changes).map_err(|conflict| {
        let message = format!(
            "cannot redo entry {}: {} should be {} but is {}",
            entry.id, conflict.pointer, conflict.expected, conflict.found
        );
        refusal("changed-since", message).help("it was changed since the entry was undone")
    })?;
    again.pending = Arc::new(exchanged(&waiting, &before, &after));
    *game = again;
    mark_undone(game, place, false);
    Ok(Event::new(format!("redid entry {}, `{}`", entry.id, entry.action.what), "RC-2"))
}

/// Marks an entry, and with it the actions that expired because of it: they are listed right before it.
fn mark_undone(game: &mut Game, place: usize, undone: bool) {
    let log = Arc::make_mut(&mut game.log);
    Arc::make_mut(&mut log[place]).undone = undone;
    for entry in log[..place].iter_mut().rev().take_while(|entry| entry.outcome == Some(Outcome::Lapsed)) {
        Arc::make_mut(entry).undone = undone;
    }
}

/// Returns what was pending before and after an entry, if it changed that.
fn pending_around(entry: &LogEntry) -> [Vec<PendingAction>; 2] {
    let sides = entry.changes.get("/pending").map_or(&[][..], Value::items);
    let side = |place: usize| {
        let list = sides.get(place).map_or(&[][..], Value::items);
        list.iter().filter_map(PendingAction::read).collect()
    };
    [side(0), side(1)]
}

/// Returns pending actions without those that `from` has beyond `to`, and with those that `to` has beyond `from`.
fn exchanged(now: &[PendingAction], from: &[PendingAction], to: &[PendingAction]) -> Vec<PendingAction> {
    if now == from {
        return to.to_vec();
    }
    let kept = now.iter().filter(|own| to.contains(own) || !from.contains(own)).cloned();
    let added = to.iter().filter(|own| !from.contains(own) && !now.contains(own)).cloned();
    kept.chain(added).collect()
}
