//! What a turn leaves in the log.

use std::sync::Arc;

use super::turn::{Played, Request};
use crate::data::{Key, Value};
use crate::engine::Run;
use crate::game::{Game, LogEntry, Outcome, PendingAction, as_recorded, changes};
use crate::protocol::Status;
use crate::ruleset::Ruleset;

/// Makes the result of an action that was carried out, with its entry of the log.
pub(super) fn completed_turn(
    ruleset: &Ruleset,
    game: &Game,
    ran: Run,
    commenced: PendingAction,
    outcome: Option<Outcome>,
) -> Played {
    let (selections, mut next) = (ran.selections, ran.game);
    next.sweep();
    let found = changes(game, &next);
    let recorded = as_recorded(&found);
    if !ran.amends.is_empty() {
        // Played again, things come in another order than the file has them in.
        let mut changed = game.clone();
        if changed.do_again(&recorded).is_ok() {
            changed.pending = Arc::clone(&next.pending);
            next = changed;
        }
    }
    for lapsed in ran.lapsed {
        let action = PendingAction { given: Value::Null, ..lapsed };
        append_log(&mut next, LogEntry { action, outcome: Some(Outcome::Lapsed), ..LogEntry::default() });
    }
    let rulings =
        ran.rulings.iter().map(|(key, value)| (Key::from(key.as_str()), Value::from(value.as_str()))).collect();
    let action = commenced.what.clone();
    let entry = LogEntry {
        id: 0,
        action: commenced,
        changes: recorded,
        ruleset: Some(ruleset.pin_of(game)),
        rulings: Value::Map(rulings),
        amends: ran.amends,
        again: ran.again,
        outcome,
        undone: false,
        after: None,
    };
    append_log(&mut next, entry);
    Played { status: Status::Done, action, selections, events: ran.events, changes: found, next }
}

/// Makes the result of what no rule computes: an entry declares how `next` differs from the game.
pub(super) fn declared_turn(ruleset: &Ruleset, game: &Game, mut next: Game, what: String, request: &Request) -> Played {
    let found = changes(game, &next);
    let action = PendingAction {
        what: what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        ..PendingAction::default()
    };
    let entry = LogEntry {
        action,
        changes: as_recorded(&found),
        ruleset: Some(ruleset.pin_of(game)),
        outcome: Some(Outcome::Declared),
        ..LogEntry::default()
    };
    append_log(&mut next, entry);
    Played { status: Status::Done, action: what, selections: Vec::new(), events: Vec::new(), changes: found, next }
}

/// Adds an entry to the log under the next id.
pub(super) fn append_log(game: &mut Game, entry: LogEntry) {
    let id = game.log.last().map_or(1, |last| last.id + 1);
    // What is undone by now can no longer be redone.
    let last = game.log.iter().rposition(|entry| entry.counts());
    let undone = game.log[last.map_or(0, |last| last + 1)..].iter().any(|entry| entry.undone);
    let after = undone.then(|| last.map_or(0, |last| game.log[last].id));
    Arc::make_mut(&mut game.log).push(Arc::new(LogEntry { id, after, ..entry }));
}
