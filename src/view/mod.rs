//! Turns results into text for people and programs. All functions here are pure.

mod ci;
mod difference;
mod grid;
mod json;
#[cfg(feature = "cli")]
mod problems;
mod refusal;
mod rule;
mod rules;
mod schema;
mod schema_dice;
mod show;
mod turn;

pub use ci::{annotations, sarif};
pub use difference::difference;
pub use grid::Grid;
#[cfg(feature = "cli")]
pub use grid::Look;
pub use json::{
    question as question_json, refusal as refusal_json, refused as refused_json, report as report_json,
    value as value_json,
};
#[cfg(feature = "cli")]
pub use problems::problems;
pub use refusal::refusal;
pub use rule::{Rule, rule};
pub use rules::{rule_list, switches};
pub use schema::schema;
pub use show::{board, items, log, pending, players, proposals};
pub use turn::{awaited, question, turn};
