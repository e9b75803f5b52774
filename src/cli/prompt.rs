//! Answers for what was not given: fair dice, and prompts at the terminal.

use std::io::{IsTerminal, Write};

use dialoguer::{Input, Select};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::data::{Value, shown};
use crate::play::{Answer, AnswerSource, By, Options, Origin, Question, spelled};

/// Draws, and asks the person at the terminal if there is one.
///
/// It remembers its answers, so that the same action can be started again with them: the caller saves what was drawn
/// before [`DiceRoller::ask`] shows it, so that quitting and drawing again is impossible (RC-2).
pub(super) struct DiceRoller {
    dice: ChaCha20Rng,
    prompts: bool,
    /// Whether draws are samples: shown, never recorded.
    sample: bool,
    made: Vec<Answer>,
    used: usize,
    /// Draws that the person at the terminal has not seen.
    unseen: Vec<String>,
}

impl DiceRoller {
    /// Draws from the stream of `seed`; without one, from the system's randomness. A sample without a seed always throws
    /// the same, so that it does not show what the game's dice will be (RC-1).
    pub fn new(seed: Option<u64>, prompts: bool, sample: bool) -> Self {
        let dice = match seed {
            Some(seed) => ChaCha20Rng::seed_from_u64(seed),
            None if sample => ChaCha20Rng::seed_from_u64(0),
            None => ChaCha20Rng::from_os_rng(),
        };
        let prompts = prompts && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Self { dice, prompts, sample, made: Vec::new(), used: 0, unseen: Vec::new() }
    }

    /// Throws `count` fair dice.
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
        let shown = values.iter().map(spelled).collect::<Vec<_>>().join(", ");
        self.unseen.push(format!("{}: {shown}", question.text));
        Some(Answer { values, origin: if self.sample { Origin::Sample } else { Origin::Drawn } })
    }

    /// Asks the person at the terminal, if there is one. Returns whether an answer was given: the action is then started
    /// again with the same answers and this one.
    pub fn ask(&mut self, question: &Question) -> bool {
        if !self.prompts {
            return false;
        }
        // The person who chooses must see the dice.
        for shown in self.unseen.drain(..) {
            let _ = writeln!(std::io::stderr(), "{}", crate::data::shown(&shown));
        }
        let Some(value) = prompt(question) else { return false };
        self.made.push(Answer { values: vec![value], origin: Origin::Prompted });
        self.used = 0;
        true
    }
}

/// Returns what the person at the terminal picks; `None` if they quit.
fn prompt(question: &Question) -> Option<Value> {
    let By::Player(name) = &question.by else { return None };
    let prompt = shown(&format!("{name}: {}", question.text)).into_owned();
    match &question.options {
        Options::OneOf(options) => {
            let words: Vec<String> = options.iter().map(|option| shown(&spelled(option)).into_owned()).collect();
            let picked = Select::new().with_prompt(prompt).items(&words).default(0).interact_opt().ok()??;
            Some(options[picked].clone())
        }
        Options::Whole(least, most) => {
            let range = *least..=*most;
            let fits = |number: &i64| {
                range.contains(number).then_some(()).ok_or_else(|| format!("a whole number from {least} to {most}"))
            };
            Some(Value::Int(Input::<i64>::new().with_prompt(prompt).validate_with(fits).interact_text().ok()?))
        }
        _ => Some(Value::from(Input::<String>::new().with_prompt(prompt).interact_text().ok()?)),
    }
}

impl AnswerSource for DiceRoller {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        if self.used == self.made.len() {
            let drawn = if question.by == By::Random { self.draw(question) } else { None };
            self.made.push(drawn?);
        }
        self.used += 1;
        Some(self.made[self.used - 1].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::What;

    #[test]
    fn an_action_started_again_reuses_its_draws_and_then_draws_new_ones() {
        let options = Options::Dice { count: 20, faces: 1_000_000 };
        let roll = Question::new("roll", By::Random, What::Dice, options, String::new(), "");
        let chosen = Question { by: By::Player("Ann".into()), ..roll.clone() };
        let mut answers = DiceRoller::new(Some(1), false, false);
        let first = answers.answer(&roll);
        assert_eq!(answers.answer(&chosen), None, "without a terminal");
        answers.used = 0;
        assert_eq!(answers.answer(&roll), first);
        assert_ne!(answers.answer(&roll), first);
    }
}
