//! A ruleset as values: what it declares, its space types, items and switches, and its scripts.
//!
//! No rule of any game is written here; it is all read from a ruleset folder.

mod actions;
mod calendar;
mod command;
mod declare;
mod find;
mod law;
mod layers;
mod load;
mod names;
mod pin;
mod posted;
pub mod reserved;
mod rules;
mod sources;
mod switches;
mod words;

pub use command::{Action, Argument, Command, Correction, Declaration};
pub use declare::{ActionRule, Count, Declarations, Field, ItemRule, Kind, Parameter, TypeRule};
pub(crate) use find::called;
pub use find::{find_item, find_player};
pub use law::{LawText, same_id};
pub use layers::Files;
pub(crate) use names::find;
pub use pin::is_short;
pub use posted::{Posted, shortcut};
pub use rules::Ruleset;
pub use sources::Sources;
pub(crate) use sources::{Text, text_length, words};
pub use switches::Switch;
pub use words::time;
