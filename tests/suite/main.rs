//! One test binary: cases, commands, errors, laws and the repository itself.

mod cases;
mod support;
