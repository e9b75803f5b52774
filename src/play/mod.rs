//! What happens: an action is resolved, asking for one selection after the other, and becomes an entry of the log.
//!
//! [`resolve`] is the pure heart. [`take_turn`] is what every driver calls: it answers questions from what was given
//! and from its caller, and keeps draws and pending actions as the rules want it.

mod adjudicate;
mod compare;
mod correct;
mod legal;
mod migrate;
mod names;
mod replay;
mod sealed;
mod turn;
mod undo;
mod verify;

use std::sync::Arc;

pub use compare::{Difference, phase_again};
pub use legal::{Leaf, legal, under_way};
pub use migrate::{Migrated, migrate};
pub use sealed::{draw, hash_of, state_of};
pub use turn::{Answer, AnswerSource, Made, Origin, Played, Request, Status, drop_pending, resume, take_turn};
pub use verify::{Finding, Verified, verify, verify_edit};

pub use crate::engine::{Interrupt, Run};
pub use crate::protocol::{By, Event, Options, Question, Refusal, Selection, Selections, What, spelled};

use crate::engine;
use crate::game::Game;
use crate::ruleset::{Action, Ruleset};

/// Carries out `action` on `game` with the answers given, as far as they reach.
///
/// Pure: no clock, no dice, no files, no order but the game's own. A question comes back as [`Interrupt::Asks`]; the caller
/// adds an answer and calls again. Where the action changes the roll of one that was performed, the game goes back to
/// that one and everything since is played again with its recorded selections.
pub fn resolve(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, given: Selections) -> Run {
    let ran = engine::run(ruleset, game, action, given);
    match &ran.halt {
        Some(Interrupt::Rewinds(amends)) => replay::resolve_again(ruleset, game, action, &ran, amends),
        _ => ran,
    }
}
