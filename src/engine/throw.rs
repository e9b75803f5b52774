//! Dice that are thrown for an action, and what other actions have changed of them.

use super::accept::accepts;
use super::context::{Context, refusal};
use super::interrupt::Interrupt;
use super::limits;
use crate::data::Value;
use crate::game::{Alteration, Amendment, PlayerId};
use crate::protocol::{By, Origin, Question, Selection, spelled};

impl Context {
    /// Returns the dice that were given for a question, or stops.
    pub fn throw(&mut self, question: Question, count: u32, faces: u32) -> Result<Value, Interrupt> {
        let thrown: usize = self.selections.iter().filter(|own| own.dice).map(|own| own.value.items().len()).sum();
        if thrown.saturating_add(count as usize) > limits::DICE {
            return Err(Self::failed(&format!("the rule throws more than the {} dice allowed", limits::DICE)));
        }
        let mut given = self.given.take(&question.key, count as usize);
        // Dice with one face have one outcome, so they need not be thrown.
        let forced = given.is_empty() && faces == 1;
        if forced {
            given = vec![Value::Int(1); count as usize];
        }
        if given.is_empty() && count > 0 {
            return Err(Interrupt::Asks(Box::new(question)));
        }
        if given.len() < count as usize {
            let message = format!("`{}` needs {count} dice ({count}d{faces}), got {}", question.key, given.len());
            let help = format!("give every die as it fell, such as --{} {}", question.key, sample(count));
            return Err(refusal("illegal-selection", message, Some(help), &question.rule));
        }
        let mut dice = Vec::new();
        for die in &given {
            match accepts(&self.ruleset, &self.game, &question, die) {
                Some(shown) => dice.push(shown),
                None => {
                    let message = format!("a die of {count}d{faces} cannot show {}", spelled(die));
                    let help = format!("each die shows 1 to {faces}");
                    return Err(refusal("illegal-selection", message, Some(help), &question.rule));
                }
            }
        }
        let known = self.given.was_known(&question.key);
        let origin = if forced { None } else { self.given.last_origin(&question.key) };
        let value = Value::List(dice);
        let Question { key, by, thrower, .. } = question;
        let out_of = (count, faces);
        self.selections.push(Selection {
            key,
            by,
            value: value.clone(),
            out_of,
            place: 0,
            dice: true,
            forced,
            recorded: !forced,
            origin: origin.unwrap_or(Origin::Forced),
            whose: thrower.map_or(Value::Null, |name| Value::from(&*name)),
            known,
        });
        Ok(value)
    }

    /// Returns the changes of the dice that fall next for a key, `count` of them, and of their total: the die among these from 0
    /// on, and what becomes of it (D-4, R-94).
    pub fn amendments(&mut self, key: &str, count: usize) -> Vec<(Option<usize>, Alteration)> {
        let before = match self.thrown.iter_mut().find(|(own, _)| own == key) {
            Some((_, thrown)) => std::mem::replace(thrown, *thrown + count),
            None => {
                self.thrown.push((key.to_owned(), count));
                0
            }
        };
        let own = |amendment: &&Amendment| amendment.key == key;
        let mut found = Vec::new();
        for amendment in self.action.amended.iter().filter(own) {
            match amendment.die {
                Some(die) if (before + 1..=before + count).contains(&die) => {
                    found.push((Some(die - before - 1), amendment.change));
                }
                None if before == 0 => found.push((None, amendment.change)),
                _ => {}
            }
        }
        found
    }

    /// Returns whose dice fall now, unless the rule says it: those of the player whom the running effect is about, which is
    /// who landed or uses an item, else those of the acting player (M-8).
    pub fn thrower(&self) -> Option<PlayerId> {
        self.running.iter().rev().find_map(|running| running.you).or_else(|| self.action.player())
    }

    /// Records a movement that is as long as a rule says, without dice, as a roll of its key by a player.
    pub fn throw_nothing(&mut self, key: &str, thrower: Option<PlayerId>) {
        let whose = thrower.map_or(Value::Null, |id| Value::from(&*self.name(id)));
        self.selections.push(Selection {
            key: key.to_owned(),
            by: By::Random,
            value: Value::List(Vec::new()),
            out_of: (0, 0),
            place: 0,
            dice: true,
            forced: true,
            recorded: true,
            origin: Origin::Forced,
            whose,
            known: false,
        });
    }
}

pub(super) fn sample(count: u32) -> String {
    (1..=count.min(4)).map(|die| die.to_string()).collect::<Vec<_>>().join(",")
}
