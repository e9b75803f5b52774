//! Commands on pending actions: `resume` and `drop`.

use std::sync::Arc;

use super::dice;
use super::driver::play;
use super::pending::{PendingState, find_pending, name_after};
use super::record::append_log;
use super::turn::{Played, Request};
use crate::data::Value;
use crate::game::{Game, LogEntry, Outcome, PendingAction, changes};
use crate::protocol::{AnswerSource, Event, Refusal, Status};
use crate::ruleset::Ruleset;

/// Continues a pending action: the only one there is, or the one that the words name: a player, and if they have several,
/// something of its command.
pub fn resume(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    which: &[String],
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Played {
    let (index, action) = match find_pending(ruleset, game, which) {
        Ok(found) => found,
        Err(refusal) => return Played::refused(game, "resume".into(), refusal),
    };
    let pending = &game.pending[index];
    if pending.phase != game.phase {
        let message =
            format!("`{}` was begun in phase {}, and this is phase {}", pending.what, pending.phase, game.phase);
        let help =
            "an action must be completed in the phase in which it was begun; `referee tick-phase` lets it expire";
        return Played::refused(game, action.what, Refusal::new("too-late", message).help(help).rule("PA-4"));
    }
    // What answers the open question alone leaves the steps after it to be asked for.
    let mut given = request.given.clone();
    given.one_by_one();
    let posted = (request.at, request.link.as_deref());
    let request = Request {
        given,
        at: pending.at.or(request.at),
        link: pending.link.clone().or_else(|| request.link.clone()),
        ..request.clone()
    };
    let chooses = request.decline || request.given.all().any(|(_, values)| !values.is_empty());
    let dice = match dice::drawer::resumed(game, pending, chooses, posted.0, posted.1) {
        Ok(dice) => dice,
        Err(refusal) => return Played::refused(game, action.what, refusal),
    };
    let known = PendingState {
        index: Some(index),
        dice,
        random: pending.random.clone(),
        chosen: pending.chosen.clone(),
        amended: pending.amended.clone(),
        reused: pending.reused,
        sealed: pending.sealed.clone(),
    };
    play(ruleset, game, &action, &request, &known, answers)
}

/// Abandons a pending action. Its dice stay bound to the same action in this phase (RC-2).
pub fn drop_pending(ruleset: &Arc<Ruleset>, game: &Game, which: &[String]) -> Played {
    let (index, action) = match find_pending(ruleset, game, which) {
        Ok(found) => found,
        Err(refusal) => return Played::refused(game, "drop".into(), refusal),
    };
    let mut next = game.clone();
    let dropped = Arc::make_mut(&mut next.pending).remove(index);
    let text = if dropped.random.is_empty() && dropped.dice.is_empty() {
        format!("dropped `{}`; nothing had been drawn for it", action.what)
    } else {
        let text = format!(
            "dropped `{}`; its dice {} are kept and will be reused if the action is repeated this phase",
            action.what, dropped.random
        );
        let entry = LogEntry {
            action: PendingAction { chosen: Value::Null, ..dropped },
            outcome: Some(Outcome::Dropped),
            ..LogEntry::default()
        };
        append_log(&mut next, entry);
        text
    };
    Played {
        status: Status::Done,
        action: format!("drop{}", name_after(game, action.player())),
        selections: Vec::new(),
        events: vec![Event::new(text, "RC-2")],
        changes: changes(game, &next),
        next,
    }
}
