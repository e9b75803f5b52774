//! Undoing and redoing: entries of the log are taken back, and count again. Nothing leaves the log: draws stay facts (RC-2).

use std::sync::Arc;

use super::replay::event;
use super::turn::refusal;
use super::{Event, Played, Refusal, Status};
use crate::data::Value;
use crate::game::{Game, LogEntry, Outcome, PendingAction, changes};
use crate::ruleset::ActionError;

/// The word of the command that takes entries back.
pub(super) const UNDO: &str = "undo";
/// The word of the command that lets entries count again.
pub(super) const REDO: &str = "redo";

/// Carries out `undo [N]` or `redo [N]`.
///
/// # Errors
/// A command that is not of this form, with nothing done.
pub(super) fn turn_back(game: &Game, words: &[String]) -> Result<Played, ActionError> {
    let usage = |message: String| ActionError { code: "usage", message, help: None };
    let count = match words {
        [_] => 1,
        [_, count] => count
            .parse::<usize>()
            .ok()
            .filter(|count| *count > 0)
            .ok_or_else(|| usage(format!("`{count}` is no number of entries")))?,
        _ => return Err(usage(format!("it is `{} [N]`", words[0]))),
    };
    let undo = words[0] == UNDO;
    let action = words.join(" ");
    let mut next = game.clone();
    let mut events = Vec::new();
    for _ in 0..count {
        let done = if undo { undo_one(&mut next) } else { redo_one(&mut next) };
        match done {
            Ok(event) => events.push(event),
            Err((code, message, help)) => {
                return Ok(Played::refused(game, action, refusal(code, message, Some(help), "RC-2")));
            }
        }
    }
    if let Some(refusal) = left_behind(game, &next) {
        return Ok(Played::refused(game, action, refusal));
    }
    let changes = changes(game, &next);
    Ok(Played { status: Status::Done, action, selections: Vec::new(), events, changes, next })
}

/// The refusal of a correction after which a pending action would name somebody who is no player any more.
pub(super) fn left_behind(before: &Game, after: &Game) -> Option<Refusal> {
    let mut gone = before.players().filter(|(_, player)| after.players().all(|(_, own)| own.name != player.name));
    gone.find_map(|(_, player)| {
        let words = |own: &PendingAction| shlex::split(&own.what).unwrap_or_default();
        let own = after.pending.iter().find(|own| words(own).iter().any(|word| **word == *player.name))?;
        let message = format!("`{}` waits, and {} is no player after this", own.what, player.name);
        let help = "resume or drop it first; its draws stay facts".to_owned();
        Some(refusal("move-pending", message, Some(help), "RC-2"))
    })
}

type Refused = (&'static str, String, String);

fn undo_one(game: &mut Game) -> Result<Event, Refused> {
    let Some(place) = game.log.iter().rposition(|entry| entry.counts()) else {
        return Err(("nothing-to-undo", "no entry of the log counts".into(), "`referee show log` lists them".into()));
    };
    let entry = Arc::clone(&game.log[place]);
    game.revert(&entry.changes).map_err(|conflict| {
        let message = format!(
            "entry {} left {} at {}, and it is {} now",
            entry.id, conflict.pointer, conflict.expected, conflict.found
        );
        (
            "changed-since",
            message,
            "something has changed it that is not in the log: `adjudicate` enters such changes".into(),
        )
    })?;
    let [before, after] = pending_around(&entry);
    let mut pending = exchanged(&game.pending, &after, &before);
    // What waits again has the draws of the entry: nothing else meets them.
    let returns = |own: &&mut PendingAction| own.what == entry.action.what && !game.pending.contains(own);
    for own in pending.iter_mut().filter(returns) {
        own.met = Some(entry.id);
    }
    game.pending = Arc::new(pending);
    turn(game, place, true);
    let mut text = format!("entry {}, `{}`, is taken back", entry.id, entry.action.what);
    if !entry.action.random.is_empty() {
        text.push_str(&format!("; its draws {} stay facts", entry.action.random));
    }
    Ok(Event { rule: "RC-2".into(), ..event(text) })
}

fn redo_one(game: &mut Game) -> Result<Event, Refused> {
    let nothing =
        || ("nothing-to-redo", "nothing was undone since".to_owned(), "what was undone before is history".to_owned());
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
    let own = |pending: &PendingAction| pending.what == entry.action.what && pending.met == Some(entry.id);
    let kept: Vec<PendingAction> = before.iter().filter(|pending| pending.what == entry.action.what).cloned().collect();
    let mut waiting = game.pending.to_vec();
    for pending in waiting.iter_mut().filter(|pending| own(pending)) {
        let as_before = kept.iter().find(|kept| PendingAction { met: pending.met, ..(*kept).clone() } == *pending);
        let Some(as_before) = as_before else {
            let message = format!("`{}` has gone on since", pending.what);
            return Err(("changed-since", message, "resume or drop it".into()));
        };
        *pending = as_before.clone();
    }
    let mut again = game.clone();
    again.do_once_more(&entry.changes).map_err(|conflict| {
        let message = format!(
            "entry {} found {} at {}, and it is {} now",
            entry.id, conflict.expected, conflict.pointer, conflict.found
        );
        ("changed-since", message, "something has changed it since it was undone".to_owned())
    })?;
    again.pending = Arc::new(exchanged(&waiting, &before, &after));
    *game = again;
    turn(game, place, false);
    Ok(Event { rule: "RC-2".into(), ..event(format!("entry {}, `{}`, counts again", entry.id, entry.action.what)) })
}

/// Marks an entry, and with it the actions that lapsed because of it: they stand right before it.
fn turn(game: &mut Game, place: usize, undone: bool) {
    let log = Arc::make_mut(&mut game.log);
    Arc::make_mut(&mut log[place]).undone = undone;
    for entry in log[..place].iter_mut().rev().take_while(|entry| entry.outcome == Some(Outcome::Lapsed)) {
        Arc::make_mut(entry).undone = undone;
    }
}

/// What was pending before and after an entry, where it changed that.
fn pending_around(entry: &LogEntry) -> [Vec<PendingAction>; 2] {
    let sides = entry.changes.get("/pending").map_or(&[][..], Value::items);
    let side = |place: usize| {
        let list = sides.get(place).map_or(&[][..], Value::items);
        list.iter().filter_map(PendingAction::read).collect()
    };
    [side(0), side(1)]
}

/// Pending actions with those that `from` has beyond `to` taken out, and the others put in.
fn exchanged(now: &[PendingAction], from: &[PendingAction], to: &[PendingAction]) -> Vec<PendingAction> {
    if now == from {
        return to.to_vec();
    }
    let kept = now.iter().filter(|own| to.contains(own) || !from.contains(own)).cloned();
    let added = to.iter().filter(|own| !from.contains(own) && !now.contains(own)).cloned();
    kept.chain(added).collect()
}
