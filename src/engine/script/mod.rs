//! The script host: the only folder that knows the script language.
//!
//! `compile` turns rule texts into functions when they are first used; `cell` is how a running rule reaches its context, and
//! `calls` how it calls other functions of the ruleset; `vocabulary` holds the words that rules use and `docs` describes
//! them; `run` calls a rule and says how it ended.

mod calls;
mod cause;
mod cell;
mod compile;
mod depth;
mod docs;
mod effects;
mod failure;
mod gauge;
mod handles;
mod id;
mod imports;
mod lint;
mod message;
mod methods;
mod renamed;
mod run;
mod vocabulary;

pub use docs::vocabulary;
pub use gauge::{rule_at_work, rule_count};
pub use run::{Run, check_scripts, run};
