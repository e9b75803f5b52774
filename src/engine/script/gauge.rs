//! Whether a rule is at work, told to whoever may look on from another thread.
//!
//! The core has no clock and no threads: it only counts. The command line looks at the count while a rule works, and ends
//! the program in good order if the rule takes more time or memory than it may.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::Source;

/// Odd while a rule is at work; it grows by one if one begins, and by one if it ends.
static TURNS: AtomicU64 = AtomicU64::new(0);

/// The rule file whose effect was entered last.
static FILE: Mutex<Option<Arc<Source>>> = Mutex::new(None);

thread_local! {
    /// How many rules are at work within each other on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Returns a number that is odd while a rule is at work, and another one for every rule.
pub fn rule_count() -> u64 {
    TURNS.load(Ordering::Acquire)
}

/// Returns the rule file whose effect was entered last.
pub fn rule_at_work() -> Option<Arc<Source>> {
    FILE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Sets down the rule file whose effect is entered and returns the one before.
pub(super) fn entered(file: Option<Arc<Source>>) -> Option<Arc<Source>> {
    std::mem::replace(&mut *FILE.lock().unwrap_or_else(PoisonError::into_inner), file)
}

/// Counts a rule as at work until it is dropped.
pub(super) struct AtWork;

impl AtWork {
    /// Begins.
    pub fn begin() -> Self {
        if DEPTH.replace(DEPTH.get() + 1) == 0 {
            TURNS.fetch_add(1, Ordering::AcqRel);
        }
        Self
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        // A panic leaves the number odd: it is the rule's that was at work.
        if DEPTH.get() == 0 && !std::thread::panicking() {
            TURNS.fetch_add(1, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_within_rules_count_once() {
        let before = rule_count();
        let outer = AtWork::begin();
        let during = rule_count();
        drop(AtWork::begin());
        assert!(during > before);
        assert!(rule_count() >= during);
        drop(outer);
        assert!(rule_count() > during);
    }
}
