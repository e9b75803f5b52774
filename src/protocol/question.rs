//! What a rule asks.

use crate::data::Value;
use crate::game::Name;

/// The one who makes a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// It is drawn (RC-1).
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
    /// The steps that come before it in a selection whose steps are given all together.
    pub before: Vec<Value>,
    /// Of dice: whose they are.
    pub thrower: Option<Name>,
}

impl Question {
    /// Makes a question that is not a step of a selection given whole.
    pub fn new(key: &str, by: By, what: What, options: Options, text: String, rule: &str) -> Self {
        let (key, rule) = (key.to_owned(), rule.to_owned());
        let (words, before) = (Vec::new(), Vec::new());
        Self { key, by, what, options, text, rule, step: 0, implied: false, words, before, thrower: None }
    }

    /// Returns the legal answers one by one, if they can be listed.
    pub fn option_values(&self) -> Vec<Value> {
        match &self.options {
            Options::OneOf(options) => options.clone(),
            Options::Dice { faces, .. } => (1..=i64::from(*faces)).map(Value::Int).collect(),
            Options::Whole(..) | Options::Text => Vec::new(),
        }
    }
}
