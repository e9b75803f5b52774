//! What happens: an action is resolved, asking for one selection after the other, and becomes an entry of the log.
//!
//! [`resolve()`] is the pure heart. [`take_turn`] is what every driver calls: it answers questions from what was given
//! and from its caller, and keeps draws and pending actions as the rules want it.

mod adjudicate;
mod compare;
mod correct;
mod decline;
mod dice;
mod dispatch;
mod driver;
mod identity;
mod legal;
mod migrate;
mod names;
mod outcomes;
mod pending;
mod record;
mod recorded;
mod replay;
mod resolve;
mod resume;
mod sealed;
mod settle;
mod turn;
mod understand;
mod undo;
mod verify;

pub use compare::{Difference, phase_again};
pub use dice::supply::Supply;
pub use dispatch::take_turn;
pub use legal::{Leaf, legal, next_step, under_way};
pub use migrate::{Migrated, migrate};
pub use recorded::play_recorded;
pub use resolve::{Outcome, Resolution, resolve};
pub use resume::{drop_pending, resume};
pub use sealed::{draw, hash_of, state_of};
pub use turn::{Played, Request};
pub use verify::{Finding, Verified, draws, verify, verify_edit};

pub use crate::protocol::{
    Answer, AnswerSource, By, Event, Options, Origin, Question, Refusal, Ruling, Selection, Selections, Status, What,
    spelled,
};
