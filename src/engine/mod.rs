//! Runs the rule of an action: `context` is the game as a running rule sees and changes it, `script` the only folder that
//! knows the script language.

mod accept;
mod context;
mod interrupt;
mod rolls;
mod script;

pub use accept::accepts;
pub use context::recorded;
pub use interrupt::Interrupt;
pub use script::{Run, ScriptError, check_scripts, run, vocabulary};
