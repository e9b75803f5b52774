//! Carries out one action: answers its questions from what was given and from the caller, and keeps the rest.

use std::sync::Arc;

use super::decline::decline;
use super::dice::drawer::{Drawer, Given, Reply};
use super::outcomes::{look_ahead, unneeded};
use super::pending::{PendingState, save_pending, with_first};
use super::record::completed_turn;
use super::resolve::run_whole;
use super::turn::{Played, Request};
use super::understand::understand;
use crate::data::Value;
use crate::engine::Run;
use crate::game::{Game, PendingAction, changes};
use crate::protocol::{Answer, AnswerSource, By, Event, Origin, Refusal, Selection, Selections, Status};
use crate::ruleset::{Action, Ruleset};

/// Carries out an action of which an earlier step has left `known`, and returns what results from it.
pub(super) fn play(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    action: &Action,
    request: &Request,
    known: &PendingState,
    answers: &mut dyn AnswerSource,
) -> Played {
    if let Err(refusal) = understand(ruleset, &request.given) {
        return Played::refused(game, action.what.clone(), refusal);
    }
    let action = &Action { at: request.at, amended: known.amended.clone(), ..action.clone() };
    let start = known.without_it(game);
    let given = known.selections(&request.given);
    let commenced = PendingAction {
        what: action.what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        amended: known.amended.clone(),
        met: known.met,
        sealed: known.sealed.clone(),
        dice: known.dice.clone(),
        ..PendingAction::default()
    };
    let mut drawer = match drawer(ruleset, &start, &commenced, request, &request.given) {
        Ok(drawer) => drawer,
        Err(refusal) => return Played::refused(game, action.what.clone(), refusal),
    };
    let resolve = |given| run_whole(ruleset, &start, action, given);
    let waiting = known.given.entries().iter().map(|(key, _)| key.to_string()).collect();
    let again = game.log.iter().filter(|entry| entry.action.phase == game.phase).count();
    let mut ran = run_answered(&resolve, given, request, (waiting, again), &mut drawer, answers);
    if ran.status == Status::Done
        && let Err(refusal) = drawer.refuse_order(ruleset, &start)
    {
        return Played::refused(game, action.what.clone(), refusal);
    }
    drawer.name_round(&mut ran.status);
    let status = ran.status.clone();
    let (sealed, dice) = drawer.into_values(status != Status::Done);
    let commenced = PendingAction {
        random: ran.random.clone(),
        thrown_by: ran.thrown_by.clone(),
        chosen: ran.chosen.clone(),
        posted: posted(&ran.selections, &known.posted),
        seed: seed(&ran.selections, request, known.seed),
        sealed,
        dice,
        ..commenced
    };
    if status == Status::Done && ruleset.declared.action(&action.name).is_some_and(|rule| rule.looks) {
        let (action, next) = (action.what.clone(), game.clone());
        return Played { status, action, selections: ran.selections, events: ran.events, changes: Vec::new(), next };
    }
    if status == Status::Done {
        // What was drawn while it waited is in its entry, though the way that it took in the end needs none of it.
        let waited = known.index.map_or(&Value::Null, |_| &known.random);
        let commenced = PendingAction { random: with_first(Some(&ran.random), waited), ..commenced };
        return completed_turn(ruleset, game, ran, commenced, None);
    }
    let next = save_pending(ruleset, game, known, &ran, commenced);
    let (action, changes) = (action.what.clone(), changes(game, &next));
    Played { status, action, selections: ran.selections, events: Vec::new(), changes, next }
}

/// Prepares the draws of an action with these new selections.
///
/// # Errors
/// See [`Drawer::new`].
pub(super) fn drawer(
    ruleset: &Ruleset,
    game: &Game,
    commenced: &PendingAction,
    request: &Request,
    selections: &Selections,
) -> Result<Drawer, Refusal> {
    let given = Given { selections, secret: request.secret.as_deref(), supply: &request.dice };
    Drawer::new(ruleset, game, commenced, &given)
}

/// Lists the keys of draws that were posted rather than drawn: those of earlier steps, and those of this one.
pub(super) fn posted(selections: &[Selection], before: &[String]) -> Vec<String> {
    let mut keys = before.to_vec();
    let is_posted = |own: &&Selection| own.by == By::Random && own.recorded && own.origin == Origin::Posted;
    for selection in selections.iter().filter(is_posted) {
        if !keys.contains(&selection.key) {
            keys.push(selection.key.clone());
        }
    }
    keys
}

/// Returns the seed from which an action drew: the present one if anything was drawn now, else that of an earlier step.
pub(super) fn seed(selections: &[Selection], request: &Request, before: Option<u64>) -> Option<u64> {
    let drew = selections.iter().any(|own| own.origin == Origin::Drawn);
    if drew { request.seed.or(before) } else { before }
}

/// Runs until every question has its answer, or one is open. Before anything is drawn or left open, everything given must
/// be usable in some outcome.
///
/// `before` are the keys of what was given with an earlier command, and how many runs of the resolver playing the log
/// again is worth.
pub(super) fn run_answered(
    run: &dyn Fn(Selections) -> Run,
    mut given: Selections,
    request: &Request,
    before: (Vec<String>, usize),
    drawer: &mut Drawer,
    answers: &mut dyn AnswerSource,
) -> Run {
    let (mut spare, again) = before;
    let mut drawn = false;
    loop {
        given.allow_left(spare.clone());
        let mut ran = run(given.clone());
        let Status::Asks(question) = &ran.status else {
            name_unneeded(&mut ran, &spare);
            return ran;
        };
        let declined = decline(question).filter(|_| request.decline);
        if let Some(value) = declined {
            given.answer(question, Answer { values: vec![value], origin: Origin::Declined });
            continue;
        }
        let cost = if ran.amends.is_empty() { 1 } else { 1 + again };
        let outlook = look_ahead(run, &given, &ran, request.decline, cost);
        let is_spare = |key: &String| drawn || spare.contains(key);
        let useless = outlook.useless.iter().find(|own| own.illegal || !is_spare(&own.key));
        if let Some(refusal) = outlook.hopeless.or_else(|| useless.map(|own| own.refusal.clone())) {
            return refused_before(ran, refusal);
        }
        let answer = match drawer.answer(question) {
            Reply::Drawn(values) => Some(Answer { values, origin: Origin::Drawn }),
            Reply::Ask => answers.answer(question),
            Reply::Open => None,
            Reply::Refused(refusal) => return refused_before(ran, *refusal),
        };
        let Some(answer) = answer else { return ran };
        // What only other outcomes would have asked for may be left over from here on.
        spare.extend(ran.given.left_over().map(|(key, _)| key.to_owned()));
        drawn = true;
        given.answer(question, answer);
    }
}

fn refused_before(ran: Run, refusal: Refusal) -> Run {
    Run { status: Status::Refused(refusal), ..ran }
}

/// Names what was given and not asked for in the outcome that came about.
fn name_unneeded(ran: &mut Run, spare: &[String]) {
    if ran.status != Status::Done {
        return;
    }
    let left = unneeded(ran).into_keys().filter(|key| spare.contains(key));
    ran.events.extend(left.map(|key| Event::new(format!("`{key}` was given and not needed"), "PA-2")));
}
