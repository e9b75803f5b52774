//! What is legal: every way to continue from what is given, as far as people choose and nothing is drawn.

use std::sync::Arc;

use super::resolve::run_whole;
use crate::data::{Key, Value};
use crate::engine::Run;
use crate::game::Game;
use crate::protocol::{Answer, By, Options, Origin, Selections, Status};
use crate::ruleset::{Action, Ruleset};

/// One way to continue: choices, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The choices made on this way, by key.
    pub chosen: Vec<(Key, Value)>,
    /// How it ends.
    pub status: Status,
    /// The game then.
    pub game: Game,
}

impl Leaf {
    fn of(ran: Run) -> Self {
        Self { chosen: ran.chosen.entries().to_vec(), status: ran.status, game: ran.game }
    }
}

/// Returns an action that is under way in this phase: the game without it as pending, the action as it was begun, and the
/// selections it has.
pub fn under_way(game: &Game, action: &Action) -> Option<(Game, Action, Selections)> {
    let index = game.pending.iter().position(|own| own.what == action.what && own.phase == game.phase)?;
    let mut rest = game.clone();
    let pending = Arc::make_mut(&mut rest.pending).remove(index);
    let mut given = Selections::default();
    given.add_recorded(&pending.random);
    given.add_recorded(&pending.chosen);
    Some((rest, Action { at: pending.at, amended: pending.amended, ..action.clone() }, given))
}

/// Carries out an action as far as the given selections reach, and follows no choice.
pub fn next_step(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, given: &Selections) -> Leaf {
    Leaf::of(run_whole(ruleset, game, action, given.clone()))
}

/// Follows every legal choice from `given` until the action is carried out, refused, or waits for a draw; at most
/// `most` ways. The second value says whether there are more.
pub fn legal(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    action: &Action,
    given: &Selections,
    most: usize,
) -> (Vec<Leaf>, bool) {
    let mut open = vec![given.clone()];
    let mut leaves = Vec::new();
    while let Some(given) = open.pop() {
        if leaves.len() >= most {
            return (leaves, true);
        }
        let ran = run_whole(ruleset, game, action, given.clone());
        if let Status::Asks(question) = &ran.status
            && let (By::Player(_), Options::OneOf(options)) = (&question.by, &question.options)
        {
            for option in options.iter().rev() {
                let mut next = given.clone();
                next.answer(question, Answer { values: vec![option.clone()], origin: Origin::Posted });
                open.push(next);
            }
            continue;
        }
        leaves.push(Leaf::of(ran));
    }
    (leaves, false)
}
