//! What a rule asks, what came of it, and the ways in which a rule stops.

use std::fmt;

use crate::data::Value;
use crate::game::{Name, SpaceId};

/// Who makes a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// Nobody: it is drawn (RC-1).
    Random,
    /// This player chooses.
    Player(Name),
}

/// What a selection is a selection of; it decides how an answer may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Yes or no.
    YesNo,
    /// A whole number.
    Number,
    /// A space.
    Space,
    /// A player.
    Player,
    /// A kind of item.
    Item,
    /// A space type.
    Type,
    /// Natural dice.
    Dice,
    /// Free text.
    Text,
}

/// The legal answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Options {
    /// So many dice with so many faces each; an answer is the list of what they show (D-1).
    Dice {
        /// N of NdK.
        count: u32,
        /// K of NdK.
        faces: u32,
    },
    /// One of these.
    OneOf(Vec<Value>),
    /// Any whole number from the first to the second.
    Whole(i64, i64),
    /// Any text but an empty one.
    Text,
}

/// A selection that a rule needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The noun of what is selected.
    pub key: String,
    /// Who answers.
    pub by: By,
    /// What is selected.
    pub what: What,
    /// The legal answers.
    pub options: Options,
    /// The question in words.
    pub text: String,
    /// The catalogue ID of the rule that asks.
    pub rule: String,
    /// The step, from 1 on, of a selection whose steps are given all together, forced ones included; 0 for any other.
    pub step: u32,
    /// Whether a step with one legal answer can be left out of a selection whose steps are given all together.
    pub implied: bool,
    /// Other words for legal answers, such as the direction in which a space lies.
    pub words: Vec<(String, Value)>,
}

impl Question {
    /// A question that is no step of another.
    pub fn new(key: &str, by: By, what: What, options: Options, text: String, rule: &str) -> Self {
        let (key, rule) = (key.to_owned(), rule.to_owned());
        Self { key, by, what, options, text, rule, step: 0, implied: false, words: Vec::new() }
    }

    /// The legal answers one by one, where they can be listed.
    pub fn option_values(&self) -> Vec<Value> {
        match &self.options {
            Options::OneOf(options) => options.clone(),
            Options::Dice { faces, .. } => (1..=i64::from(*faces)).map(Value::Int).collect(),
            Options::Whole(..) | Options::Text => Vec::new(),
        }
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
    /// Which of the options it was, counted from 1; 0 for dice and where nothing was listed.
    pub place: u32,
    /// Whether these were dice.
    pub dice: bool,
    /// Whether only one answer was legal, so that it counts as selected without an act (PA-5).
    pub forced: bool,
    /// Whether it stands in the log: what was given or asked, and every step of a selection that is given whole.
    pub recorded: bool,
    /// Whether it was made in an earlier step of the same action, or when the action was first carried out.
    pub known: bool,
}

impl Selection {
    /// The draws that it is, each as (place, how many there were), both counted from 1; of dice what each shows.
    pub fn places(&self) -> Vec<(i64, i64)> {
        let (_, of) = self.out_of;
        if !self.dice {
            return vec![(i64::from(self.place), i64::from(of))];
        }
        self.value.items().iter().filter_map(Value::as_int).map(|shown| (shown, i64::from(of))).collect()
    }
}

/// One thing that happened, with its cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened, in words.
    pub text: String,
    /// The catalogue ID of the rule that caused it.
    pub rule: String,
    /// Switches not at their default that led to it, with their values.
    pub rulings: Vec<(String, String)>,
    /// The players concerned.
    pub players: Vec<Name>,
    /// The spaces concerned.
    pub spaces: Vec<SpaceId>,
    /// The items concerned.
    pub items: Vec<Name>,
}

/// Understood, but the rules forbid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A stable code, such as `already-moved`.
    pub code: String,
    /// What is so, in the player's words.
    pub message: String,
    /// What would be legal, or what to do.
    pub help: Option<String>,
    /// The catalogue ID of the rule that forbids it; empty where it is no rule of the game.
    pub rule: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
