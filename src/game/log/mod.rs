//! What was done: entries of the log, actions that are pending, and changes that one makes to another.

mod correction;
mod entry;
mod pending;

pub use correction::{Alteration, Amended, Amendment, Amends, Rolled};
pub use entry::{LogEntry, Outcome};
pub use pending::{PendingAction, read_seed};
