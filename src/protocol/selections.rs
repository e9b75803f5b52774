//! Answers that were given, and whether one fits a question.

use super::{Question, Selection};
use crate::data::{Key, Value};
use crate::game::SpaceId;

/// The selections given with an action, by key, in the order in which they are to be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selections {
    answers: Vec<Answers>,
    /// Whether what is left over is for somebody else.
    shared: bool,
    /// Of which of the answers one was taken last.
    last: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Answers {
    key: String,
    values: Vec<Value>,
    used: usize,
    /// How many of the first values come from an earlier step of the same action.
    recorded: usize,
    /// Whether they answer one question after the other, so that nobody has given the whole.
    one_by_one: bool,
}

impl Selections {
    /// Adds answers to those of the same key.
    pub fn add(&mut self, key: &str, values: impl IntoIterator<Item = Value>) {
        match self.answers.iter_mut().find(|answers| answers.key == key) {
            Some(answers) => answers.values.extend(values),
            None => {
                self.answers.push(Answers {
                    key: key.to_owned(),
                    values: values.into_iter().collect(),
                    used: 0,
                    recorded: 0,
                    one_by_one: false,
                });
            }
        }
    }

    /// Answers an open question of a run that made these selections; gives how many forced steps it filled in first.
    ///
    /// The steps of a selection that is given whole are all answers of its key, the forced ones included.
    pub fn answer(
        &mut self,
        question: &Question,
        made: &[Selection],
        values: impl IntoIterator<Item = Value>,
    ) -> usize {
        let mut filled = 0;
        if question.step > 0 {
            let steps: Vec<Value> =
                made.iter().filter(|made| made.key == question.key).map(|made| made.value.clone()).collect();
            let before = self
                .answers
                .iter()
                .find(|answers| answers.key == question.key)
                .map_or(0, |answers| answers.values.len());
            filled = steps.len().saturating_sub(before);
            self.add(&question.key, steps.into_iter().skip(before));
        }
        self.add(&question.key, values);
        if let Some(answers) = self.answers.iter_mut().find(|answers| answers.key == question.key) {
            answers.one_by_one = true;
        }
        filled
    }

    /// Adds what was selected in an earlier step of the same action, such as `chosen` of a pending one; before others.
    pub fn add_recorded(&mut self, map: &Value) {
        for (key, value) in map.entries() {
            self.add(&key.to_string(), value.items().iter().cloned());
            if let Some(answers) = self.answers.iter_mut().find(|answers| key.is(&answers.key)) {
                answers.recorded = answers.values.len();
            }
        }
    }

    /// Gives up the answer just taken and all later ones of its key that were recorded; `false` if it was not recorded.
    pub(crate) fn give_up_recorded(&mut self, key: &str) -> bool {
        let Some(answers) = self.answers.iter_mut().find(|answers| answers.key == key) else { return false };
        if answers.used == 0 || answers.used > answers.recorded {
            return false;
        }
        answers.values.drain(answers.used - 1..answers.recorded);
        answers.recorded = answers.used - 1;
        answers.used = answers.recorded;
        true
    }

    /// Adds all answers of another. Those that begin with everything recorded for their key are taken as given anew and
    /// whole: `path=5,6,7` goes on with a path of which 5 and 6 are known as well as `path=7` does.
    pub fn extend(&mut self, other: &Self) {
        for answers in &other.answers {
            let known = self.left(&answers.key).to_vec();
            let begins = |known: &[Value], least: usize| known.len() >= least && answers.values.starts_with(known);
            // A path on a map can be given without the place where it starts, which it never comes back to.
            let on_a_map = known.first().and_then(SpaceId::of).is_some_and(|start| start.place().is_some());
            let start = usize::from(on_a_map && answers.values.first() != known.first());
            let whole =
                answers.values.len() + start > known.len() && begins(known.get(start..).unwrap_or_default(), 2 - start);
            self.add(&answers.key, answers.values[if whole { known.len() - start } else { 0 }..].iter().cloned());
            if let Some(own) = self.answers.iter_mut().find(|own| own.key == answers.key) {
                own.one_by_one |= answers.one_by_one;
            }
        }
    }

    /// All answers by key.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Value])> {
        self.answers.iter().map(|answers| (answers.key.as_str(), answers.values.as_slice()))
    }

    /// Reads `KEY=VALUE` or `KEY=VALUE,VALUE`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn add_written(&mut self, written: &str) -> Result<(), String> {
        let (key, values) = written.split_once('=').ok_or_else(|| format!("`{written}` is not KEY=VALUE"))?;
        if key.trim().is_empty() {
            return Err(format!("`{written}` has no key before the ="));
        }
        // A comma within brackets is part of a place such as (2, -1).
        let mut depth = 0_u32;
        let values = values.split(|c: char| {
            depth = match c {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            c == ',' && depth == 0
        });
        let values = values.map(str::trim);
        self.add(key.trim(), values.filter(|value| !value.is_empty()).map(read_value));
        Ok(())
    }

    /// The answers given for `key` and not yet used.
    pub fn left(&self, key: &str) -> &[Value] {
        self.answers.iter().find(|answers| answers.key == key).map_or(&[], |answers| &answers.values[answers.used..])
    }

    /// Puts the answers given for `key` with the command itself, and not yet used, together to one text.
    pub(crate) fn join_left(&mut self, key: &str) {
        let Some(answers) = self.answers.iter_mut().find(|answers| answers.key == key) else { return };
        if answers.used >= answers.recorded && answers.values.len() > answers.used + 1 {
            let words: Vec<String> = answers.values.drain(answers.used..).map(|value| spelled(&value)).collect();
            answers.values.push(Value::Text(words.join(", ")));
        }
    }

    /// Whether answers were given for `key` with the command itself, used or not.
    pub(crate) fn has_posted(&self, key: &str) -> bool {
        let given = |answers: &Answers| answers.values.len() > answers.recorded && !answers.one_by_one;
        self.answers.iter().any(|answers| answers.key == key && given(answers))
    }

    /// Whether the answer of `key` that was taken last was made in an earlier step of the same action.
    pub(crate) fn was_known(&self, key: &str) -> bool {
        self.answers.iter().any(|answers| answers.key == key && answers.used > 0 && answers.used <= answers.recorded)
    }

    /// Whether the answer that was taken last is none that was recorded.
    pub(crate) fn last_was_new(&self) -> bool {
        self.last.is_some_and(|place| self.answers[place].used > self.answers[place].recorded)
    }

    /// The answers for playing an action again: what was recorded of it, then those left here.
    #[must_use]
    pub fn again(&self, recorded: [&Value; 2]) -> Self {
        let mut given = Self { shared: true, ..Self::default() };
        for map in recorded {
            given.add_recorded(map);
        }
        for answers in &self.answers {
            given.add(&answers.key, answers.values[answers.used..].iter().cloned());
            let one_by_one = answers.one_by_one || answers.values.len() <= answers.recorded;
            given.answers.iter_mut().filter(|own| own.key == answers.key).for_each(|own| own.one_by_one = one_by_one);
        }
        given
    }

    /// Takes out of these answers those that playing an action again has used beyond what was recorded of it.
    pub fn use_as(&mut self, again: &Self) {
        for other in &again.answers {
            let new = other.used.saturating_sub(other.recorded);
            if let Some(answers) = self.answers.iter_mut().find(|answers| answers.key == other.key) {
                answers.used += new;
            }
        }
    }

    /// The answers for a run from the start, of which those between `before` and these were used elsewhere meanwhile.
    #[must_use]
    pub fn from_the_start(&self, before: &Self) -> Self {
        let mut given = before.clone();
        for (answers, now) in given.answers.iter_mut().zip(&self.answers) {
            answers.values.drain(answers.used..now.used);
            answers.recorded -= now.used.min(answers.recorded).saturating_sub(answers.used);
            answers.used = 0;
        }
        given
    }

    /// Whether answers of `key` come from an earlier step of the same action.
    pub(crate) fn is_recorded(&self, key: &str) -> bool {
        self.answers.iter().any(|answers| answers.key == key && answers.recorded > 0)
    }

    /// Takes single answers as answers to one question, though their key be given whole elsewhere.
    pub fn one_by_one(&mut self) {
        self.answers
            .iter_mut()
            .filter(|answers| answers.values.len() == 1)
            .for_each(|answers| answers.one_by_one = true);
    }

    /// Takes every answer of a key out.
    pub(crate) fn take_all(&mut self, key: &str) -> Vec<Value> {
        let place = self.answers.iter().position(|answers| answers.key == key);
        place.map_or_else(Vec::new, |place| self.answers.remove(place).values)
    }

    pub(crate) fn take(&mut self, key: &str, count: usize) -> Vec<Value> {
        let Some(place) = self.answers.iter().position(|answers| answers.key == key) else { return Vec::new() };
        self.last = Some(place);
        let answers = &mut self.answers[place];
        let taken = answers.values[answers.used..].iter().take(count).cloned().collect::<Vec<_>>();
        answers.used += taken.len();
        taken
    }

    /// The keys and answers that nothing has used, those recorded earlier left out.
    pub fn unused(&self) -> impl Iterator<Item = (&str, &[Value])> {
        let left = self
            .answers
            .iter()
            .map(|answers| (answers.key.as_str(), &answers.values[answers.used.max(answers.recorded)..]));
        left.filter(|(_, values)| !values.is_empty() && !self.shared)
    }

    /// Adds to a map of the file the answers that nothing has used, of the keys for which `wanted` holds.
    pub fn add_left(&self, map: &mut Value, wanted: impl Fn(&str) -> bool) {
        for answers in self.answers.iter().filter(|answers| answers.used < answers.values.len() && wanted(&answers.key))
        {
            let before = map.get(&answers.key).map_or(&[][..], Value::items);
            let all = before.iter().chain(&answers.values[answers.used..]).cloned().collect();
            map.set(Key::from(answers.key.as_str()), short(all));
        }
    }
}

/// A list as files have it: a single value stands alone.
pub fn short(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::List(values) }
}

/// Reads a word of the command line as a number where it is one.
fn read_value(word: &str) -> Value {
    word.parse().map_or_else(|_| Value::from(word), Value::Int)
}

/// An answer as people write it.
pub fn spelled(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        other => other.to_string(),
    }
}
