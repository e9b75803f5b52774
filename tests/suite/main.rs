//! One test binary: cases, commands, errors, laws and the repository itself.

mod bad_rules;
mod cases;
mod commands;
mod coverage;
mod errors;
mod laws;
mod made_up;
mod repository;
mod saving;
mod support;
