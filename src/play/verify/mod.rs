//! Does the log explain the game? Every entry is reverted from the end and resolved again from the start, under the rules it
//! names; every value that this does not account for is a finding.

mod dice;
mod draws;
mod edit;
mod entry;
mod finding;
mod log;
mod tries;
mod undone;

pub use draws::draws;
pub use edit::verify_edit;
pub use finding::{Finding, Verified};
pub use log::verify;
