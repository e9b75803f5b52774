//! Selections that were made, and where each came from.

use super::question::{By, Question};
use crate::data::Value;

/// The source of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Given with the command.
    Posted,
    /// The only legal one (PA-5).
    Forced,
    /// A fair draw made for it.
    Drawn,
    /// A sample of what a draw might show; not a draw of the game (RC-1).
    Sample,
    /// Picked at the terminal.
    Prompted,
    /// Kept from an earlier step of the same action.
    Recorded,
    /// Declined, because it was not mentioned.
    Declined,
}

/// An answer to a question, dice one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The values.
    pub values: Vec<Value>,
    /// Where they came from.
    pub origin: Origin,
}

/// Answers what was not given with the command: dice, or a person.
pub trait AnswerSource {
    /// Returns an answer, or `None` to leave the question open.
    fn answer(&mut self, question: &Question) -> Option<Answer>;
}

/// Leaves every question open.
impl AnswerSource for () {
    fn answer(&mut self, _: &Question) -> Option<Answer> {
        None
    }
}

/// A selection that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing a reader of the record asks")]
pub struct Selection {
    /// The noun of what is selected.
    pub key: String,
    /// Who made it.
    pub by: By,
    /// What was selected; for dice the list of natural values, unsorted.
    pub value: Value,
    /// The dice thrown, count and faces; or how many options there were, as `(1, options)`.
    pub out_of: (u32, u32),
    /// Which of the options it was, counted from 1; 0 for dice, and if nothing was listed.
    pub place: u32,
    /// Whether these were dice.
    pub dice: bool,
    /// Whether only one answer was legal, so that it counts as selected without an act (PA-5).
    pub forced: bool,
    /// Whether the log keeps it: what was given or asked, and every step of a selection that is given whole.
    pub recorded: bool,
    /// Where it came from.
    pub origin: Origin,
    /// Of dice: the name of the player whose they are, or the id of the entry of the log for whose replay they fell.
    pub whose: Value,
    /// Whether it was made in an earlier step of this very action, or when the action was first carried out.
    pub known: bool,
}

impl Selection {
    /// Returns the draws that it is, each as (place, how many there were), both counted from 1; of dice what each shows.
    pub fn places(&self) -> Vec<(i64, i64)> {
        let (_, of) = self.out_of;
        if !self.dice {
            return vec![(i64::from(self.place), i64::from(of))];
        }
        self.value.items().iter().filter_map(Value::as_int).map(|shown| (shown, i64::from(of))).collect()
    }
}
