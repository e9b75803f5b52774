//! A referee for Nomic, a game in which changing the rules is a move.
//!
//! - [`GamestateFile`] is a game's file: [`parse`](GamestateFile::parse) it, [`check`](GamestateFile::check) it against its
//!   ruleset to get the [`Game`], and write a later game [`back`](GamestateFile::updated) with the author's layout kept.
//! - [`Ruleset`] is what a game is played by: [built in](Ruleset::built_in), or [loaded](Ruleset::load) from a folder's
//!   [`Files`].
//! - [`resolve()`] carries out an [`Action`] with the [`Selections`] it is given, or returns the [`Question`] that is open. It
//!   is pure: no dice, clock or files.
//! - [`take_turn`] plays a whole command: it asks an [`AnswerSource`] for what is missing, and adds the entry to the log.
//! - [`Document`] is YAML text that is edited value by value, with comments and layout kept.
//!
//! The program `examples/embed.rs` uses all of them. Other modules are public for the program and its tests only, and may
//! change with any version.
//!
//! ```
//! use nomic_referee::{GamestateFile, Question, Answer, AnswerSource, Origin, Request, Ruleset, Status, Value, take_turn};
//!
//! /// Throws dice that always show 1, and leaves every choice open.
//! struct Ones;
//!
//! impl AnswerSource for Ones {
//!     fn answer(&mut self, question: &Question) -> Option<Answer> {
//!         let values = vec![Value::Int(1); 2];
//!         (question.key == "roll").then_some(Answer { values, origin: Origin::Drawn })
//!     }
//! }
//!
//! let text = "format: 1\nruleset: cycle-15 # ours\nplayers: {Ann: {}}\nspaces: {0: {successors: [1]}, 1: {successors: [0]}}\n";
//! let ruleset = Ruleset::built_in("cycle-15").expect("built in");
//! let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML");
//! let game = file.check(&ruleset).game.expect("valid");
//!
//! let request = Request { words: vec!["move".into(), "Ann".into()], ..Request::default() };
//! let turn = take_turn(&ruleset, &game, &request, &mut Ones).expect("a command of the game");
//! assert_eq!(turn.status, Status::Done);
//! let updated = file.updated(&ruleset, &game, &turn.next).expect("it can be written");
//! assert!(updated.starts_with("format: 1\nruleset: cycle-15 # ours\n"));
//! assert!(updated.contains("log:"));
//! ```
//!
//! Editing YAML changes as few bytes as possible:
//!
//! ```
//! use nomic_referee::{Document, Edit, Key, Step, Style, Value};
//!
//! let document = Document::parse("score: {Ann: 1, Bo: 2} # after phase 1\n").expect("YAML");
//! let path = vec![Step::Key(Key::from("score")), Step::Key(Key::from("Ann"))];
//!
//! let edited = document.edit(&[Edit::Set { path, value: Value::Int(3) }], &Style::default()).expect("it can be edited");
//! assert_eq!(edited.text(), "score: {Ann: 3, Bo: 2} # after phase 1\n");
//! ```

#[doc(hidden)]
pub mod cases;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod data;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod draws;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod game;
#[doc(hidden)]
pub mod gamestate;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod ruleset;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod yaml;

pub use data::{Key, Value};
pub use diagnostic::{Problem, Problems};
pub use game::Game;
pub use gamestate::GamestateFile;
pub use play::{Outcome, Played, Request, Resolution, drop_pending, resolve, resume, take_turn};
pub use protocol::{
    Answer, AnswerSource, By, Event, Options, Origin, Question, Refusal, Ruling, Selection, Selections, Status, What,
};
pub use ruleset::{Action, Files, Ruleset};
pub use yaml::{CannotEdit, Document, Edit, Step, Style};
