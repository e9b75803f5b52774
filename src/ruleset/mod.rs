//! A ruleset as values: what it declares, its space types, items and switches, and its scripts.
//!
//! No rule of any game is written here; it is all read from a ruleset folder.

mod calendar;
mod command;
mod declare;
mod law;
mod layers;
mod load;
mod names;
mod pin;
mod rules;
mod sources;
mod switches;

pub(crate) use command::called;
pub use command::{Action, Argument, find_item, find_player};
pub use declare::{ActionRule, Declarations, Field, ItemRule, Kind, TypeRule};
pub use law::{LawText, same_id};
pub use layers::Files;
pub(crate) use names::find;
pub use pin::is_short;
pub use rules::Ruleset;
pub use sources::Sources;
pub(crate) use sources::{Text, text_length, words};
pub use switches::Switch;
