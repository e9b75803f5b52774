//! Plays an entry of another branch on this one, with everything that it recorded.

use std::sync::Arc;

use super::dice::identity::{count, identity};
use super::dice::record::DrawRecord;
use super::driver::play;
use super::pending::PendingState;
use super::turn::{Played, Request};
use crate::game::{Game, LogEntry};
use crate::protocol::Refusal;
use crate::ruleset::{Action, Ruleset};

/// Plays the action of a log entry on a game to which it was not added yet: its selections and what its draws were derived
/// from stay as they are.
///
/// # Errors
/// What [`Action::read`] refuses, and `other-identity` if its draws would be those of another action here.
pub fn play_recorded(ruleset: &Arc<Ruleset>, game: &Game, entry: &LogEntry) -> Result<Played, Refusal> {
    let own = &entry.action;
    let words = shlex::split(&own.what).unwrap_or_default();
    let action = Action::read(ruleset, game, &words)?;
    if let Some(record) = DrawRecord::read(&own.dice).filter(|_| own.reused.is_none()) {
        let before = count(ruleset, game, &identity(ruleset, game, &own.what), own.phase);
        if before != record.nth {
            let message = format!("its draws are those of number {} of its kind, and here it is {before}", record.nth);
            return Err(Refusal::new("other-identity", message).rule("RC-1"));
        }
    }
    let request = Request { words, at: own.at, link: own.link.clone(), ..Request::default() };
    let known = PendingState {
        random: own.random.clone(),
        chosen: own.chosen.clone(),
        amended: own.amended.clone(),
        reused: own.reused,
        sealed: own.sealed.clone(),
        dice: own.dice.clone(),
        ..PendingState::default()
    };
    Ok(play(ruleset, game, &action, &request, &known, &mut ()))
}
