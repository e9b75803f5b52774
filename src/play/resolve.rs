//! The pure heart: an action on a game with selections, and how it ends.

use std::sync::Arc;

use super::replay;
use crate::data::Value;
use crate::engine::{Run, run};
use crate::game::Game;
use crate::protocol::{Event, Question, Refusal, Ruling, Selection, Selections, Status};
use crate::ruleset::{Action, Ruleset};

/// How an action ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// It is carried out.
    Done(Outcome),
    /// A selection is open.
    Asks(Question),
    /// The rules forbid it.
    Refused(Refusal),
    /// The rules leave it open.
    NeedsRuling(Ruling),
}

/// The outcome of an action that is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The game after it; its log is as it was.
    pub game: Game,
    /// The selections in the order in which they were made.
    pub selections: Vec<Selection>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Draws by their keys, as the log keeps them.
    pub random: Value,
    /// Choices by their keys, as the log keeps them.
    pub chosen: Value,
}

/// Carries out `action` on `game` with the selections given, as far as they reach.
///
/// Pure: no clock, no dice, no files, no order but the game's own. A question comes back as [`Resolution::Asks`]; the
/// caller adds an answer with [`Selections::answer`] and calls again. If the action changes the roll of one that was
/// performed, the game goes back to that one, and everything since is played again with its recorded selections (R-61).
///
/// ```
/// use nomic_referee::{Action, GamestateFile, Resolution, Ruleset, Selections, Value, resolve};
///
/// let ruleset = Ruleset::built_in("cycle-15").expect("built in");
/// let text = "{format: 1, ruleset: cycle-15, players: {Ann: {}}, spaces: {0: {successors: [1]}, 1: {successors: [0]}}}";
/// let game = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML").check(&ruleset).game.expect("valid");
/// let action = Action::read(&ruleset, &game, &["move".into(), "ann".into()]).expect("an action of the game");
///
/// let mut selections = Selections::default();
/// let Resolution::Asks(question) = resolve(&ruleset, &game, &action, &selections) else { panic!("dice are missing") };
/// assert_eq!(question.key, "roll");
///
/// selections.add("roll", [Value::Int(1), Value::Int(2)]);
/// let Resolution::Done(outcome) = resolve(&ruleset, &game, &action, &selections) else { panic!("all is given") };
/// let (ann, _) = outcome.game.players().next().expect("Ann plays");
/// assert_eq!(outcome.game.player(ann).location.to_string(), "1");
/// ```
pub fn resolve(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, selections: &Selections) -> Resolution {
    let ran = run_whole(ruleset, game, action, selections.clone());
    match ran.status {
        Status::Done => Resolution::Done(Outcome {
            game: ran.game,
            selections: ran.selections,
            events: ran.events,
            random: ran.random,
            chosen: ran.chosen,
        }),
        Status::Asks(question) => Resolution::Asks(question),
        Status::Refused(refusal) => Resolution::Refused(refusal),
        Status::NeedsRuling(ruling) => Resolution::NeedsRuling(ruling),
    }
}

/// Runs an action, and first the log again from the action whose roll it changes.
pub(super) fn run_whole(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, given: Selections) -> Run {
    let ran = run(ruleset, game, action, given);
    let mut ran = match &ran.rewinds {
        Some(amends) => replay::resolve_again(ruleset, game, action, &ran, amends),
        None => ran,
    };
    with_steps(&mut ran);
    ran
}

/// Adds to an open question the steps that come before it.
pub(super) fn with_steps(ran: &mut Run) {
    if let Status::Asks(question) = &mut ran.status {
        let own = ran.selections.iter().filter(|selection| selection.key == question.key);
        question.before = own.map(|selection| selection.value.clone()).collect();
    }
}
