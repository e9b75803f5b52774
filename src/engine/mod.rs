//! Runs the rule of an action: `context` asks for selections, `world` is the game as a running rule sees and changes it,
//! `script` the only folder that knows the script language.

mod accept;
mod ask;
mod context;
mod error;
mod interrupt;
mod limits;
mod mover;
mod rolls;
mod script;
mod throw;
mod whose;
mod world;

pub use accept::accepts;
pub(crate) use context::recorded;
pub use error::ScriptError;
pub(crate) use script::{Run, run};
pub use script::{check_scripts, rule_at_work, rule_count, vocabulary};
pub(crate) use whose::thrown_by;
