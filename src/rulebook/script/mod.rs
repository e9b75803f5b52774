//! The script host: the only folder that knows the script language.
//!
//! `compile` turns rule texts into functions when they are first used; `table` is the game as a running rule sees and
//! changes it, and `seat` how it gets there; `lend` is the vocabulary and `page` its description; `run` calls a rule and says how it ended.

mod answer;
mod cause;
mod compile;
mod lend;
mod lint;
mod message;
mod page;
mod question;
mod rolls;
mod run;
mod seat;
mod table;
mod values;

pub use answer::{Given, accepts, spelled};
use compile::limits;
pub use compile::{ScriptError, Scripts};
pub use lend::read_dice;
pub use page::vocabulary;
pub use question::{By, Event, Halt, Options, Question, Refusal, Selection, What};
pub use run::{Ran, run};
pub use table::recorded;
