//! What an action asks and how it is answered: questions, selections, events, refusals. Knows no rule and no script.

mod event;
mod question;
mod refusal;
mod selection;
mod selections;
mod status;

pub use event::Event;
pub use question::{By, Options, Question, What};
pub use refusal::{Refusal, Ruling};
pub use selection::{Answer, AnswerSource, Origin, Selection};
pub use selections::{Selections, short, spelled};
pub use status::Status;
