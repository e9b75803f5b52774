//! A referee for Nomic.

pub mod cases;
pub mod cli;
pub mod files;
pub mod game;
pub mod gamestate;
pub mod play;
pub mod problem;
pub mod rulebook;
pub mod value;
pub mod view;
pub mod yaml;
