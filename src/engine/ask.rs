//! Selections that a running rule asks for: the answer that was given, the only legal one, or a question that stays open.

use std::sync::Arc;

use super::accept::accepts;
use super::context::{Context, refusal};
use super::interrupt::Interrupt;
use super::limits;
use super::throw::sample;
use crate::data::Value;
use crate::protocol::{By, Options, Origin, Question, Selection, spelled};

impl Context {
    /// Returns the answer to a question: the given one or the only one; otherwise stops.
    pub fn ask(&mut self, question: Question) -> Result<Value, Interrupt> {
        let offered = if let Options::OneOf(options) = &question.options { options.len() } else { 0 };
        self.spend(offered.saturating_mul(64) + question.text.len() + 256)?;
        if self.selections.len() >= limits::SELECTIONS {
            let message = format!("the rule asks for more than the {} selections allowed", limits::SELECTIONS);
            return Err(Self::failed(&message));
        }
        let whole = question.step > 0;
        if question.step < 2 {
            self.refuse_short()?;
        }
        if question.step == 1 {
            self.steps_posted = false;
            self.given.begin_steps(&question.key);
        }
        if let Options::Dice { count, faces } = question.options {
            return self.throw(question, count, faces);
        }
        let options = match &question.options {
            // A weighted draw among one thing alone has one outcome (PA-5, R-131).
            Options::OneOf(options) if options.windows(2).all(|two| two[0] == two[1]) => options.len().min(1),
            Options::OneOf(options) => options.len(),
            _ => usize::MAX,
        };
        if options == 0 {
            return Err(refusal(
                "nothing-to-select",
                format!("there is nothing to select for `{}`", question.key),
                None,
                &question.rule,
            ));
        }
        let forced = options == 1 && !self.types_all(&question);
        if whole {
            self.steps_taken = question.step as usize;
        }
        let mut given = None;
        let left_out = forced && question.implied && {
            let next = self.given.left(&question.key).first();
            next.is_none_or(|next| accepts(&self.ruleset, &self.game, &question, next).is_none())
        };
        let takes = usize::from(!forced || whole && !left_out);
        if question.options == Options::Text {
            // A text with commas in it is one text.
            self.given.join_left(&question.key);
        }
        while let Some(next) = self.given.take(&question.key, takes).pop() {
            match accepts(&self.ruleset, &self.game, &question, &next) {
                Some(accepted) => {
                    given = Some(accepted);
                    break;
                }
                // The board has changed since it was selected: it is selected again from here on.
                None if self.given.give_up_recorded(&question.key) => {}
                None => return Err(self.illegal(&question, &next, whole)),
            }
        }
        let origin = given.as_ref().and_then(|_| self.given.last_origin(&question.key));
        let known = given.is_some() && self.given.was_known(&question.key);
        self.steps_posted |= whole && given.is_some() && !known;
        let value = match given {
            Some(accepted) => accepted,
            None if forced => {
                if whole && self.steps_posted && self.given.has_posted(&question.key) && self.short.is_none() {
                    self.short = Some((question.clone(), self.steps_taken));
                }
                match &question.options {
                    Options::OneOf(options) => options[0].clone(),
                    _ => unreachable!("only a list of options can hold a single one"),
                }
            }
            None => {
                self.short = None;
                return Err(Interrupt::Asks(Box::new(question)));
            }
        };
        let out_of = (1, u32::try_from(options).unwrap_or(u32::MAX));
        let recorded = whole || !forced;
        let place = match &question.options {
            Options::OneOf(options) => options.iter().position(|option| *option == value).map_or(0, |place| place + 1),
            _ => 0,
        };
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        let Question { key, by, .. } = question;
        self.selections.push(Selection {
            key,
            by,
            value: value.clone(),
            out_of,
            place,
            dice: false,
            forced,
            recorded,
            origin: origin.unwrap_or(Origin::Forced),
            whose: Value::Null,
            known,
        });
        Ok(value)
    }

    /// Returns whether a choice with one option must be made anyway.
    fn types_all(&mut self, question: &Question) -> bool {
        let ruleset = Arc::clone(&self.ruleset);
        let Some((switch, value)) = &ruleset.declared.never_forced else { return false };
        question.by != By::Random && self.ruling(switch).is_ok_and(|set| set == *value)
    }

    /// Records an answer that needs no check, because it was checked when it was first given.
    pub fn note(&mut self, key: &str, by: By, value: Value) {
        let origin = self.given.last_origin(key).unwrap_or(Origin::Forced);
        let known = self.given.was_known(key);
        let key = key.to_owned();
        self.selections.push(Selection {
            key,
            by,
            value,
            out_of: (1, 1),
            place: 0,
            dice: false,
            forced: false,
            recorded: true,
            origin,
            whose: Value::Null,
            known,
        });
    }

    fn illegal(&self, question: &Question, given: &Value, whole: bool) -> Interrupt {
        let given = spelled(given);
        let legal = match &question.options {
            Options::OneOf(options) => list(options),
            Options::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Options::Text => "some text".into(),
            Options::Dice { faces, .. } => format!("1 to {faces}"),
        };
        let message = if whole {
            format!("step {} of `{}` cannot be {given}", self.steps_taken, question.key)
        } else {
            format!("`{}` cannot be {given}", question.key)
        };
        refusal("illegal-selection", message, Some(format!("legal: {legal}")), &question.rule)
    }

    /// Refuses a selection given whole that stopped short with nothing left to decide.
    fn refuse_short(&mut self) -> Result<(), Interrupt> {
        let Some((question, step)) = self.short.take() else { return Ok(()) };
        let next = match &question.options {
            Options::OneOf(options) => list(options),
            _ => String::new(),
        };
        let message = format!("`{}` is too short: {} of {} steps", question.key, step - 1, self.steps_taken);
        let help = format!("list every step, including forced ones; step {step} is {next}");
        Err(refusal("illegal-selection", message, Some(help), &question.rule))
    }

    /// Checks at the end of the action that no selection is left over.
    pub fn finish(&mut self) -> Result<(), Interrupt> {
        self.refuse_short()?;
        for (key, values) in self.given.unused() {
            let was_asked = |selection: &&Selection| selection.key == key && selection.out_of != (0, 0);
            let asked: Vec<&Selection> = self.selections.iter().filter(was_asked).collect();
            let mut forced: Vec<&Value> = asked.iter().filter(|s| s.forced && !s.recorded).map(|s| &s.value).collect();
            for value in values {
                let repeats =
                    forced.iter().position(|own| spelled(own).to_lowercase() == spelled(value).to_lowercase());
                if let Some(place) = repeats {
                    forced.remove(place);
                    continue;
                }
                let value = spelled(value);
                let thrown_before = asked.iter().any(|selection| selection.dice) && self.given.is_recorded(key);
                if let Some(dice) = asked.iter().find(|selection| selection.dice && !thrown_before) {
                    let (count, faces) = dice.out_of;
                    let given = self.given.all().find(|(own, _)| *own == key).map_or(0, |(_, values)| values.len());
                    let message = format!("`{key}` needs exactly {count} dice ({count}d{faces}), got {given}");
                    let help = format!("give every die as it fell, such as --{key} {}", sample(count));
                    return Err(refusal("illegal-selection", message, Some(help), &self.cause));
                }
                if thrown_before {
                    let fallen: Vec<String> =
                        asked.iter().flat_map(|selection| selection.value.items()).map(spelled).collect();
                    let message = format!("the dice for this action have already fallen: {}", fallen.join(", "));
                    let help = format!("they cannot be rolled again; run the command without --{key}");
                    return Err(refusal("unused-selection", message, Some(help), &self.cause));
                }
                let message = if asked.is_empty() {
                    format!("unused selection `{key}={value}`: this action does not ask for `{key}`")
                } else {
                    let given = asked.len() + values.len();
                    format!("too many values for `{key}`: {given} given, {} needed", asked.len())
                };
                let help = Some("leave it out".to_owned());
                return Err(refusal("unused-selection", message, help, &self.cause));
            }
        }
        Ok(())
    }
}

/// Lists options in words, not too many of them.
fn list(options: &[Value]) -> String {
    const SHOWN: usize = 12;
    let mut words: Vec<String> = options.iter().take(SHOWN).map(spelled).collect();
    if options.len() > SHOWN {
        words.push(format!("… ({} in all)", options.len()));
    }
    words.join(", ")
}
