//! What verifying finds.

use std::sync::Arc;

use crate::data::{Pointer, Value};
use crate::ruleset::Ruleset;

/// Something that the log does not explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable code, such as `unexplained-value`.
    pub code: &'static str,
    /// The entry of the log that it concerns.
    pub entry: Option<i64>,
    /// The place in the file that it concerns, if it concerns one, as a JSON Pointer.
    pub pointer: Option<Pointer>,
    /// What is wrong.
    pub message: String,
}

/// The result of verifying a whole log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Entries that were resolved again.
    pub replayed: usize,
    /// Changes that entries explain.
    pub explained: usize,
    /// Changes that the steward declared.
    pub declared: usize,
    /// Entries of rules that are not available, with their pins.
    pub not_checkable: Vec<(i64, String)>,
    /// Entries whose dice were drawn with `--seed`: whoever knows the seed knows the dice, so that they are declared.
    pub seeded: Vec<i64>,
    /// What an entry says of its time that does not fit its phase, by its id.
    pub dated_elsewhere: Vec<(i64, String)>,
    /// Everything that is not explained.
    pub findings: Vec<Finding>,
    /// What rests on a person's word, or is for people to judge: nothing is wrong with it by itself.
    pub notes: Vec<Finding>,
}

/// Returns the rules of a pin such as `cycle-15@3f9a1c2e`.
pub(in crate::play) type Rulebooks<'a> = &'a mut dyn FnMut(&str) -> Option<Arc<Ruleset>>;

/// Shows a value, and one that is absent as "nothing".
pub(super) fn in_words(value: &Value) -> String {
    if *value == Value::Null { "nothing".into() } else { value.to_string() }
}
