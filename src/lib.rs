//! A referee for Nomic, a game in which changing the rules is a move.
//!
//! A game is read from a gamestate file, its rules from a ruleset folder; [`play::resolve`] carries out an action with
//! the answers it is given, or returns the question it cannot answer. Everything else is a caller of it.
//!
//! ```
//! use std::sync::Arc;
//! use nomic_referee::gamestate::GamestateFile;
//! use nomic_referee::play::{Selections, Interrupt, resolve};
//! use nomic_referee::ruleset::{Action, Files, Ruleset};
//! use nomic_referee::data::Value;
//!
//! let text = "{format: 1, ruleset: cycle-15, players: {Ann: {}}, spaces: {0: {successors: [1]}, 1: {successors: [0]}}}";
//! let files = Files::built_in("cycle-15").expect("it is built in");
//! let ruleset = Arc::new(Ruleset::load(&files).expect("it loads"));
//! let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("it is YAML");
//! let game = file.check(&ruleset).game.expect("it is sound");
//! let action = Action::read(&ruleset, &game, &["move".into(), "ann".into()]).expect("an action of the game");
//!
//! let mut given = Selections::default();
//! let asked = resolve(&ruleset, &game, &action, given.clone());
//! assert!(matches!(asked.halt, Some(Interrupt::Asks(question)) if question.key == "roll"));
//!
//! given.add("roll", [Value::Int(1), Value::Int(2)]);
//! let done = resolve(&ruleset, &game, &action, given);
//! assert!(done.halt.is_none());
//! let (ann, _) = done.game.players().next().expect("she is there");
//! assert_eq!(done.game.player(ann).location.to_string(), "1");
//! ```

pub mod cases;
pub mod cli;
pub mod data;
pub mod diagnostic;
pub mod draws;
pub mod engine;
pub mod files;
pub mod game;
pub mod gamestate;
pub mod play;
pub mod protocol;
pub mod ruleset;
pub mod view;
pub mod yaml;
