//! Commands on pending actions: `resume` and `drop`.

use std::sync::Arc;

use super::dice;
use super::names;
use super::pending::{PendingState, find_pending, name_after, read_command};
use super::record::append_log;
use super::settle::{play_to_the_end, settle};
use super::turn::{Played, Request};
use crate::data::Value;
use crate::game::{Game, LogEntry, Outcome, PendingAction, changes};
use crate::protocol::{AnswerSource, Event, Refusal, Status};
use crate::ruleset::{Ruleset, find_player};

/// Continues a pending action: the only one there is, or the one that the words name: a player, and if they have several,
/// something of its command.
pub fn resume(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    which: &[String],
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Played {
    if let Some(refusal) = names::refused(game, request) {
        return Played::refused(game, "resume".into(), refusal);
    }
    let (index, action) = match find_pending(ruleset, game, which) {
        Ok(found) => found,
        Err(refusal) => {
            let done = performed_already(ruleset, game, which).filter(|_| request.given.all().next().is_none());
            let refused = || Played::refused(game, "resume".into(), refusal);
            return done.unwrap_or_else(refused);
        }
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
    let known = PendingState { dice, ..PendingState::of_pending(game, index) };
    let played = play_to_the_end(ruleset, game, &action, &request, known, answers);
    settle(ruleset, game, played)
}

/// Tells that the action was performed by the command before, because nothing was left to select (PA-5).
fn performed_already(ruleset: &Ruleset, game: &Game, which: &[String]) -> Option<Played> {
    let [player] = which else { return None };
    let player = find_player(game, player).ok()?;
    let last = game.log.iter().rev().find(|entry| entry.counts())?;
    let action = read_command(ruleset, game, &last.action.what).filter(|action| action.player() == Some(player))?;
    let was_pending = last.changes.get("/pending").is_some() && last.outcome.is_none();
    if !was_pending || last.action.phase != game.phase {
        return None;
    }
    let text = format!("`{}` is performed, as entry {}: nothing was left to select", action.what, last.id);
    let events = vec![Event::new(text, "PA-5")];
    Some(Played { events, ..Played::unchanged(game, action.what) })
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
            action: PendingAction { chosen: Value::Null, given: Value::Null, ..dropped },
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
