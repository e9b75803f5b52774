//! What a single run of a rule may use: far above what any rule needs, far below what hurts.

/// Function calls and turns of loops.
pub const STEPS: u64 = 400_000;
/// Functions within functions.
pub const DEPTH: usize = 200;
/// Effects within effects; each takes several functions.
pub const EFFECTS: usize = 20;
/// Bytes of values.
pub const HEAP: usize = 64 << 20;
/// Elements of one list, letters of one text.
pub const LENGTH: usize = 100_000;
/// Bytes of all lists and texts that it makes, of its messages and of what it keeps, those included that it gives up again.
pub const BYTES: usize = 96 << 20;
/// Selections and draws.
pub const SELECTIONS: usize = 1_000;
/// Dice in all.
pub const DICE: usize = 4_000;
