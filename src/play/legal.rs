//! What is legal: every way on from what is given, as far as people choose and nothing is drawn.

use std::sync::Arc;

use super::{By, Interrupt, Options, Selections, resolve};
use crate::data::{Key, Value};
use crate::game::Game;
use crate::ruleset::{Action, Ruleset};

/// One way on: choices, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The choices made on this way, by key.
    pub chosen: Vec<(Key, Value)>,
    /// How it ends; `None` for an action that is carried out.
    pub halt: Option<Interrupt>,
    /// The game then.
    pub game: Game,
}

/// An action that is under way in this phase: the game without it as pending, the action as it was commenced, and the
/// answers it has.
pub fn under_way(game: &Game, action: &Action) -> Option<(Game, Action, Selections)> {
    let place = game.pending.iter().position(|own| own.what == action.what && own.phase == game.phase)?;
    let mut rest = game.clone();
    let pending = Arc::make_mut(&mut rest.pending).remove(place);
    let mut given = Selections::default();
    given.add_recorded(&pending.random);
    given.add_recorded(&pending.chosen);
    Some((rest, Action { at: pending.at, amended: pending.amended, ..action.clone() }, given))
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
        let ran = resolve(ruleset, game, action, given.clone());
        if let Some(Interrupt::Asks(question)) = &ran.halt
            && let (By::Player(_), Options::OneOf(options)) = (&question.by, &question.options)
        {
            for option in options.iter().rev() {
                let mut next = given.clone();
                next.answer(question, &ran.selections, [option.clone()]);
                open.push(next);
            }
            continue;
        }
        leaves.push(Leaf { chosen: ran.chosen.entries().to_vec(), halt: ran.halt, game: ran.game });
    }
    (leaves, false)
}
