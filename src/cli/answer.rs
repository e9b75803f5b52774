//! Who answers what was not given: fair dice, and the person at the terminal.

use std::io::{IsTerminal, Write};

use dialoguer::{Input, Select};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::play::{Answer, Answers, By, Options, Origin, Question, spelled};
use crate::value::Value;

/// Draws, and asks the person at the terminal if there is one.
pub struct Answerer {
    dice: ChaCha20Rng,
    prompts: bool,
    /// A draw that shows what a draw would do, and is none.
    sample: bool,
}

impl Answerer {
    /// Draws from the stream of `seed`; without one, from the system's randomness. A sample without a seed always throws
    /// the same: looking at it tells nobody what the game's dice will show (RC-1).
    pub fn new(seed: Option<u64>, prompts: bool, sample: bool) -> Self {
        let dice = match seed {
            Some(seed) => ChaCha20Rng::seed_from_u64(seed),
            None if sample => ChaCha20Rng::seed_from_u64(0),
            None => ChaCha20Rng::from_os_rng(),
        };
        let prompts = prompts && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Self { dice, prompts, sample }
    }

    /// So many fair dice.
    pub fn throw(&mut self, count: u32, faces: u32) -> Vec<Value> {
        (0..count).map(|_| Value::Int(i64::from(self.dice.random_range(1..=faces)))).collect()
    }

    fn draw(&mut self, question: &Question) -> Option<Answer> {
        let values = match &question.options {
            Options::Dice { count, faces } => self.throw(*count, *faces),
            Options::OneOf(options) => vec![options[self.dice.random_range(0..options.len())].clone()],
            Options::Whole(least, most) => vec![Value::Int(self.dice.random_range(*least..=*most))],
            Options::Text => return None,
        };
        if self.prompts {
            // Whoever chooses next must see what fell.
            let shown = values.iter().map(spelled).collect::<Vec<_>>().join(", ");
            let _ = writeln!(std::io::stderr(), "{}: {shown}", question.text);
        }
        Some(Answer { values, origin: if self.sample { Origin::Sample } else { Origin::Drawn } })
    }
}

impl Answers for Answerer {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        match &question.by {
            By::Random => self.draw(question),
            By::Player(name) if self.prompts => {
                let prompt = format!("{name}: {}", question.text);
                let value = match &question.options {
                    Options::OneOf(options) => {
                        let words: Vec<String> = options.iter().map(spelled).collect();
                        let picked =
                            Select::new().with_prompt(prompt).items(&words).default(0).interact_opt().ok()??;
                        options[picked].clone()
                    }
                    _ => Value::from(Input::<String>::new().with_prompt(prompt).interact_text().ok()?),
                };
                Some(Answer { values: vec![value], origin: Origin::Prompted })
            }
            By::Player(_) => None,
        }
    }
}
