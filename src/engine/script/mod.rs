//! The script host: the only folder that knows the script language.
//!
//! `compile` turns rule texts into functions when they are first used; `cell` is how a running rule reaches its context;
//! `vocabulary` holds the words that rules use and `docs` describes them; `run` calls a rule and says how it ended.

mod cause;
mod cell;
mod compile;
mod docs;
pub(in crate::engine) mod handles;
mod id;
mod lint;
mod message;
mod run;
mod vocabulary;

pub(in crate::engine) use compile::limits;
pub use compile::{ScriptError, check_scripts};
pub use docs::vocabulary;
pub use run::{Run, run};
