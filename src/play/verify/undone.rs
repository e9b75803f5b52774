//! The game on which an entry was made that has been undone since.

use std::sync::Arc;

use crate::game::{Game, LogEntry, Outcome};
use crate::play::pending::pending_then;

/// Returns the game before an undone entry, from the game before it without what has been undone: the undone entries on
/// which it was made count again. `None` if they do not fit.
pub(super) fn game_before(log: &[Arc<LogEntry>], place: usize, then: &Game) -> Option<Game> {
    let mut undone = Vec::new();
    let mut last = place;
    while let Some(before) = made_after(log, last) {
        if !log[before].undone {
            break;
        }
        undone.push(before);
        last = before;
    }
    let mut game = then.clone();
    for &before in undone.iter().rev() {
        game.do_again(&log[before].changes).ok()?;
        game.sweep();
        let own = Arc::make_mut(&mut game.log).iter_mut().find(|own| own.id == log[before].id)?;
        Arc::make_mut(own).undone = false;
    }
    let what = &log[place].action.what;
    let mut pending = pending_then(log, place, &then.pending);
    pending.retain(|own| own.what != *what);
    game.pending = Arc::new(pending);
    Some(game)
}

/// Returns the place of the entry after which one was made: the last that counted then.
fn made_after(log: &[Arc<LogEntry>], place: usize) -> Option<usize> {
    let kept = |entry: &Arc<LogEntry>| matches!(entry.outcome, Some(Outcome::Lapsed | Outcome::Dropped));
    match log[place].after {
        Some(after) => log[..place].iter().position(|entry| entry.id == after),
        None => log[..place].iter().rposition(|entry| !kept(entry)),
    }
}
