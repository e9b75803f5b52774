//! Whether the rules at work carry out one new action, whose time is counted together.

use std::sync::atomic::{AtomicBool, Ordering};

static NEW_ACTION: AtomicBool = AtomicBool::new(false);

/// Says that the rules at work from now on carry out one new action.
pub(super) fn new_action() {
    NEW_ACTION.store(true, Ordering::Release);
}

/// Returns whether a new action is carried out.
pub(super) fn is_new_action() -> bool {
    NEW_ACTION.load(Ordering::Acquire)
}
