//! Carries out one action: answers its questions from what was given and from the caller, and keeps the rest.

use std::sync::Arc;

use super::dice::drawer::{Drawer, Given, Reply};
use super::pending::{PendingState, save_pending, with_first};
use super::record::completed_turn;
use super::resolve::run_whole;
use super::turn::{Played, Request};
use crate::data::Value;
use crate::engine::Run;
use crate::game::{Game, PendingAction, changes};
use crate::protocol::{Answer, AnswerSource, By, Options, Origin, Question, Refusal, Selections, Status, What};
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
    let action = &Action { at: request.at, amended: known.amended.clone(), ..action.clone() };
    // The action under way is not pending while it is carried out.
    let mut start = game.clone();
    if let Some(index) = known.index {
        Arc::make_mut(&mut start.pending).remove(index);
    }
    let mut given = Selections::default();
    for map in [&known.random, &known.chosen] {
        given.add_recorded(map);
    }
    given.extend(&request.given);
    let begun = PendingAction {
        what: action.what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        amended: known.amended.clone(),
        reused: known.reused,
        sealed: known.sealed.clone(),
        dice: known.dice.clone(),
        ..PendingAction::default()
    };
    let mut drawer = match drawer(ruleset, &start, &begun, request, &request.given) {
        Ok(drawer) => drawer,
        Err(refusal) => return Played::refused(game, action.what.clone(), refusal),
    };
    let resolve = |given| run_whole(ruleset, &start, action, given);
    let mut ran = run_answered(resolve, given, request, &mut drawer, answers);
    if ran.status == Status::Done
        && let Err(refusal) = drawer.refuse_order(ruleset, &start)
    {
        return Played::refused(game, action.what.clone(), refusal);
    }
    drawer.name_round(&mut ran.status);
    let status = ran.status.clone();
    let (sealed, dice) = drawer.into_values(status != Status::Done);
    let begun = PendingAction {
        random: ran.random.clone(),
        thrown_by: ran.thrown_by.clone(),
        chosen: ran.chosen.clone(),
        sealed,
        dice,
        ..begun
    };
    if status == Status::Done && ruleset.declared.action(&action.name).is_some_and(|rule| rule.looks) {
        let (action, next) = (action.what.clone(), game.clone());
        return Played { status, action, selections: ran.selections, events: ran.events, changes: Vec::new(), next };
    }
    if status == Status::Done {
        // What was drawn while it waited is in its entry, though the way that it took in the end needs none of it.
        let waited = known.index.map_or(&Value::Null, |_| &known.random);
        let begun = PendingAction { random: with_first(Some(&ran.random), waited), ..begun };
        return completed_turn(ruleset, game, ran, begun, None);
    }
    let next = save_pending(ruleset, game, known, &ran, begun);
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
    begun: &PendingAction,
    request: &Request,
    selections: &Selections,
) -> Result<Drawer, Refusal> {
    let given = Given { selections, secret: request.secret.as_deref(), supply: &request.dice };
    Drawer::new(ruleset, game, begun, &given)
}

/// Runs until every question has its answer, or one is open.
pub(super) fn run_answered(
    run: impl Fn(Selections) -> Run,
    mut given: Selections,
    request: &Request,
    drawer: &mut Drawer,
    answers: &mut dyn AnswerSource,
) -> Run {
    loop {
        let mut ran = run(given.clone());
        let Status::Asks(question) = &ran.status else { return ran };
        let declined = || {
            let value = decline(question).filter(|_| request.decline)?;
            Some(Answer { values: vec![value], origin: Origin::Declined })
        };
        let answer = match drawer.answer(question) {
            Reply::Drawn(values) => Some(Answer { values, origin: Origin::Drawn }),
            Reply::Ask => declined().or_else(|| answers.answer(question)),
            Reply::Open => None,
            Reply::Refused(refusal) => {
                ran.status = Status::Refused(*refusal);
                return ran;
            }
        };
        let Some(answer) = answer else { return ran };
        given.answer(question, answer);
    }
}

/// Returns the answer that declines an optional effect, if the question is about one.
fn decline(question: &Question) -> Option<Value> {
    if question.by == By::Random {
        return None;
    }
    let Options::OneOf(options) = &question.options else { return None };
    let no = match question.what {
        What::YesNo => Value::from("no"),
        What::Number => Value::Int(0),
        _ => Value::from("none"),
    };
    options.contains(&no).then_some(no)
}
