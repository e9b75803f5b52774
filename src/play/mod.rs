//! What happens: an action is resolved, asking for one selection after the other, and becomes an entry of the log.
//!
//! [`resolve`] is the pure heart. [`take_turn`] is what every driver calls: it answers questions from what was given
//! and from its caller, and keeps draws and pending actions as the rules want it.

mod compare;
mod correct;
mod declare;
mod history;
mod legal;
mod migrate;
mod rewind;
mod seal;
mod turn;
mod verify;

use std::sync::Arc;

pub use compare::{Difference, phase_again};
pub use legal::{Leaf, legal, under_way};
pub use migrate::{Migrated, migrate};
pub use seal::{draw, hash_of, state_of};
pub use turn::{Answer, Answers, Made, Origin, Request, Status, Turn, drop_pending, resume, take_turn};
pub use verify::{Finding, Verified, verify, verify_edit};

pub use crate::rulebook::script::{By, Event, Given, Halt, Options, Question, Ran, Refusal, Selection, What, spelled};

use crate::game::Game;
use crate::rulebook::{Action, Rulebook, script};

/// Carries out `action` on `game` with the answers given, as far as they reach.
///
/// Pure: no clock, no dice, no files, no order but the game's own. A question comes back as [`Halt::Asks`]; the caller
/// adds an answer and calls again. Where the action changes the roll of one that was performed, the game goes back to
/// that one and everything since is played again with its recorded selections.
pub fn resolve(rulebook: &Arc<Rulebook>, game: &Game, action: &Action, given: Given) -> Ran {
    let ran = script::run(rulebook, game, action, given);
    match &ran.halt {
        Some(Halt::Rewinds(amends)) => rewind::resolve_again(rulebook, game, action, &ran, amends),
        _ => ran,
    }
}
