//! What an action asks and how it is answered: questions, selections, events, refusals. Knows no rule and no script.

mod question;
mod selections;

pub use question::{By, Event, Options, Question, Refusal, Selection, What};
pub use selections::{Selections, short, spelled};
