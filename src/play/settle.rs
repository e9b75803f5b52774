//! Pending actions that another command completes: one whose last choice became forced is performed at once (PA-5), and
//! one with only optional selections open when the phase ends is performed at its last instant (PA-3, R-193).

use std::sync::Arc;

use super::decline::decline;
use super::driver::play;
use super::pending::{PendingState, read_command};
use super::resolve::run_whole;
use super::turn::{Played, Request};
use crate::game::{Game, PendingAction, changes};
use crate::protocol::{AnswerSource, Event, Origin, Selections, Status};
use crate::ruleset::{Action, Ruleset};

/// Performs every pending action that `played` has left nothing to select for.
pub(super) fn settle(ruleset: &Arc<Ruleset>, before: &Game, mut played: Played) -> Played {
    // Under other rules the next command does it.
    while played.status == Status::Done && played.next.ruleset == before.ruleset {
        let is_own = |own: &PendingAction| own.phase == played.next.phase && own.what != played.action;
        let mut open = played.next.pending.iter().enumerate().filter(|(_, own)| is_own(own));
        let Some(turn) = open.find_map(|(index, _)| complete(ruleset, &played.next, index, false)) else { break };
        let text = format!("nothing is left to select for `{}`: it is performed", turn.action);
        played = joined(before, played, Event::new(text, "PA-5"), turn);
    }
    played
}

/// Carries out an action; if it ends the phase, the pending actions first that have only optional selections open.
pub(super) fn play_to_the_end(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    action: &Action,
    request: &Request,
    known: PendingState,
    answers: &mut dyn AnswerSource,
) -> Played {
    let Some(completed) = completed_at_the_end(ruleset, game, action, &known) else {
        return play(ruleset, game, action, request, &known, answers);
    };
    let closed = &completed.next;
    let index = known.index.and_then(|index| {
        let own = &game.pending[index];
        closed.pending.iter().position(|pending| pending == own)
    });
    // Ids of players can have moved.
    let again = read_command(ruleset, closed, &action.what).unwrap_or_else(|| action.clone());
    let turn = play(ruleset, closed, &again, request, &PendingState { index, ..known }, answers);
    if matches!(turn.status, Status::Refused(_) | Status::NeedsRuling(_)) && turn.next == *closed {
        return Played { next: game.clone(), changes: Vec::new(), ..turn };
    }
    let (status, name) = (turn.status.clone(), turn.action.clone());
    let all = joined_events(game, completed, turn);
    Played { status, action: name, ..all }
}

/// Performs the pending actions of which only optional selections are open, if an action ends the phase. Returns `None` if
/// it does not, or there are none.
fn completed_at_the_end(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, known: &PendingState) -> Option<Played> {
    if !ruleset.declared.action(&action.name).is_some_and(|rule| rule.ends_phase) {
        return None;
    }
    let (switch, value) = ruleset.declared.declined_at_end.as_ref()?;
    let default = || ruleset.switch(switch).map_or("", |switch| switch.default());
    if game.ruling(switch).unwrap_or_else(default) != value || game.pending.is_empty() {
        return None;
    }
    let own = known.index.map(|index| &game.pending[index]);
    let mut completed: Option<Played> = None;
    for pending in game.pending.iter().filter(|pending| pending.phase == game.phase && Some(*pending) != own) {
        let now = completed.as_ref().map_or(game, |completed| &completed.next);
        let Some(index) = now.pending.iter().position(|one| one == pending) else { continue };
        let Some(turn) = complete(ruleset, now, index, true) else { continue };
        let text = format!("what is open in `{}` counts as declined: it is performed", turn.action);
        let none = Played::unchanged(game, turn.action.clone());
        completed = Some(joined(game, completed.unwrap_or(none), Event::new(text, "R-193"), turn));
    }
    completed
}

/// Performs a pending action if nothing is left to select, or, if `declines`, nothing but optional selections.
fn complete(ruleset: &Arc<Ruleset>, game: &Game, index: usize, declines: bool) -> Option<Played> {
    let pending = &game.pending[index];
    let action = read_command(ruleset, game, &pending.what)?;
    let known = PendingState::of_pending(game, index);
    let now = Action { at: pending.at, amended: pending.amended.clone(), ..action.clone() };
    let given = known.selections(&Selections::default());
    let ran = run_whole(ruleset, &known.without_it(game), &now, given);
    let goes_on = match ran.status {
        Status::Done => true,
        Status::Asks(question) => declines && decline(&question).is_some(),
        Status::Refused(_) | Status::NeedsRuling(_) => false,
    };
    if !goes_on {
        return None;
    }
    let (at, link) = (pending.at, pending.link.clone());
    let request = Request { at, link, decline: declines, ..Request::default() };
    let turn = play(ruleset, game, &action, &request, &known, &mut ());
    // The round of a post that is past is known: nothing is derived from it for a choice made now.
    let drew = turn.selections.iter().any(|selection| selection.origin == Origin::Drawn);
    (turn.status == Status::Done && !drew).then_some(turn)
}

/// Joins the result of another action to that of a command.
fn joined(before: &Game, mut first: Played, why: Event, then: Played) -> Played {
    first.events.push(why);
    joined_events(before, first, then)
}

fn joined_events(before: &Game, mut first: Played, then: Played) -> Played {
    first.events.extend(then.events);
    first.selections.extend(then.selections);
    Played { changes: changes(before, &then.next), next: then.next, ..first }
}
