//! One test binary: cases, commands, errors, laws and the repository itself.

#![expect(clippy::disallowed_methods, reason = "tests read and write files of their own")]

mod bad_rules;
mod before;
mod building;
mod cases;
mod cheats;
mod commands;
mod coverage;
mod errors;
mod examples;
mod history;
mod hostile;
mod items;
mod items_at_hand;
mod law;
mod law_in_words;
mod laws;
mod made_up;
mod maps;
mod own_commands;
mod repository;
mod saving;
mod second_tries;
mod structure;
mod support;
mod tables;
mod throwers;
mod trust;
mod verifiers;
mod words;
