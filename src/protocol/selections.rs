//! Selections that are given with an action, before and while it is resolved.

use super::question::Question;
use super::selection::{Answer, Origin};
use crate::data::{Key, Value};
use crate::game::SpaceId;

/// The selections given with an action, by key, in the order in which they are to be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selections {
    by_key: Vec<Given>,
    /// Whether what is left over is for another action.
    shared: bool,
    /// The index of the key of which a value was taken last.
    last: Option<usize>,
    /// The keys of which values may be left over: another outcome would have asked for them.
    spare: Vec<String>,
}

/// What is given for one key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Given {
    key: String,
    values: Vec<Value>,
    /// Where each of the values came from.
    origins: Vec<Origin>,
    used: usize,
    /// How many of the first values come from an earlier step of the same action.
    recorded: usize,
    /// Whether they answer one question after the other, so that the whole was never given.
    one_by_one: bool,
    /// Whether they are steps of a selection that is given whole.
    in_steps: bool,
}

impl Given {
    fn add(&mut self, values: impl IntoIterator<Item = Value>, origin: Origin) {
        self.values.extend(values);
        self.origins.resize(self.values.len(), origin);
    }

    /// Adds the values of another from a place on.
    fn add_from(&mut self, other: &Self, first: usize) {
        self.values.extend_from_slice(&other.values[first..]);
        self.origins.extend_from_slice(&other.origins[first..]);
    }

    /// Returns what is not used, but for steps that only say again what was recorded.
    fn left_over(&self) -> &[Value] {
        let left = &self.values[self.used.max(self.recorded)..];
        let repeats = self.in_steps && self.used >= self.recorded && *left == self.values[..self.recorded];
        if repeats { &[] } else { left }
    }

    fn drop_range(&mut self, range: std::ops::Range<usize>) {
        self.values.drain(range.clone());
        self.origins.drain(range);
    }
}

impl Selections {
    /// Adds selections to those of the same key, as given with the command.
    pub fn add(&mut self, key: &str, values: impl IntoIterator<Item = Value>) {
        self.of(key).add(values, Origin::Posted);
    }

    /// Returns what is given for a key, which is added if nothing is.
    fn of(&mut self, key: &str) -> &mut Given {
        let index = self.by_key.iter().position(|given| given.key == key).unwrap_or_else(|| {
            self.by_key.push(Given { key: key.to_owned(), ..Given::default() });
            self.by_key.len() - 1
        });
        &mut self.by_key[index]
    }

    fn find(&self, key: &str) -> Option<&Given> {
        self.by_key.iter().find(|given| given.key == key)
    }

    /// Answers an open question. The forced steps before it, of a selection whose steps are given all together, are filled
    /// in first.
    pub fn answer(&mut self, question: &Question, answer: Answer) {
        let given = self.of(&question.key);
        if question.step > 0 {
            let filled = question.before.iter().skip(given.values.len()).cloned().collect::<Vec<_>>();
            given.add(filled, Origin::Forced);
        }
        given.add(answer.values, answer.origin);
        given.one_by_one = true;
    }

    /// Adds what was selected in an earlier step of the same action, such as `chosen` of a pending one; before others.
    pub fn add_recorded(&mut self, map: &Value) {
        for (key, value) in map.entries() {
            let given = self.of(&key.to_string());
            given.add(value.items().iter().cloned(), Origin::Recorded);
            given.recorded = given.values.len();
        }
    }

    /// Gives up the value just taken and all later ones of its key that were recorded; returns whether it was recorded.
    pub(crate) fn give_up_recorded(&mut self, key: &str) -> bool {
        let Some(given) = self.by_key.iter_mut().find(|given| given.key == key) else { return false };
        if given.used == 0 || given.used > given.recorded {
            return false;
        }
        given.drop_range(given.used - 1..given.recorded);
        given.recorded = given.used - 1;
        given.used = given.recorded;
        true
    }

    /// Adds all selections of another. Those that begin with everything recorded for their key are taken as given again and
    /// whole: `path=5,6,7` continues a path of which 5 and 6 are known as well as `path=7` does.
    pub fn extend(&mut self, other: &Self) {
        for more in &other.by_key {
            let known = self.left(&more.key).to_vec();
            let begins = |known: &[Value], least: usize| known.len() >= least && more.values.starts_with(known);
            // A path on a map can be given without the place where it starts, to which it never returns.
            let on_a_map = known.first().and_then(SpaceId::of).is_some_and(|start| start.place().is_some());
            let start = usize::from(on_a_map && more.values.first() != known.first());
            let whole =
                more.values.len() + start > known.len() && begins(known.get(start..).unwrap_or_default(), 2 - start);
            let given = self.of(&more.key);
            given.add_from(more, if whole { known.len() - start } else { 0 });
            given.one_by_one |= more.one_by_one;
        }
    }

    /// Begins a selection whose steps are given all together. What was posted for it may begin with the steps that were
    /// recorded: then it is the whole again, not what comes after them.
    pub(crate) fn begin_steps(&mut self, key: &str) {
        let Some(given) = self.by_key.iter_mut().find(|given| given.key == key) else { return };
        given.in_steps = true;
        let (first, recorded) = (given.used.min(given.recorded), given.recorded);
        let known = &given.values[first..recorded];
        let posted = &given.values[recorded.max(given.used)..];
        if !known.is_empty() && posted.len() > known.len() && posted.starts_with(known) {
            given.drop_range(recorded..recorded + recorded - first);
        }
    }

    /// Returns all values by key.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Value])> {
        self.by_key.iter().map(|given| (given.key.as_str(), given.values.as_slice()))
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
        // A key without values is kept, so that it can be refused.
        self.add(key.trim(), values.filter(|value| !value.is_empty()).map(read_value));
        Ok(())
    }

    /// Adds what was given with an earlier command and has not been asked for yet. A key that the present command gives is
    /// given again.
    pub(crate) fn add_waiting(&mut self, map: &Value, now: &Self) {
        for (key, values) in map.entries().iter().filter(|(key, _)| now.find(&key.to_string()).is_none()) {
            self.of(&key.to_string()).add(values.items().iter().cloned(), Origin::Posted);
        }
    }

    /// Returns what waits for later steps, as the file keeps it: what was posted and not used, and choices that were made
    /// and not asked for this time.
    pub(crate) fn waiting(&self, is_random: impl Fn(&str) -> bool) -> Value {
        let mut map = Value::Map(Vec::new());
        let repeats = |given: &Given| given.used >= given.recorded && given.left_over().is_empty();
        for given in self.by_key.iter().filter(|given| !repeats(given)) {
            let first = if is_random(&given.key) { given.used.max(given.recorded) } else { given.used };
            if first < given.values.len() {
                map.set(Key::from(given.key.as_str()), short(given.values[first..].to_vec()));
            }
        }
        map
    }

    /// Lets values of these keys be left over, and of no others.
    pub(crate) fn allow_left(&mut self, keys: Vec<String>) {
        self.spare = keys;
    }

    /// Returns the values of each key that are not used, except those recorded earlier; keys with none are left out.
    pub(crate) fn left_over(&self) -> impl Iterator<Item = (&str, &[Value])> {
        let left = self.by_key.iter().map(|given| (given.key.as_str(), given.left_over()));
        left.filter(|(_, values)| !values.is_empty())
    }

    /// Returns the key of which a value was taken last.
    pub(crate) fn last_key(&self) -> Option<&str> {
        self.last.map(|index| self.by_key[index].key.as_str())
    }

    /// Removes values that repeat the first ones recorded for their key: a command typed again with the dice that fell is
    /// the same command.
    pub(crate) fn drop_repeats(&mut self, recorded: &Value) {
        for given in &mut self.by_key {
            let known = recorded.get(&given.key).map_or(&[][..], Value::items);
            let same = known.iter().zip(&given.values).take_while(|(own, now)| own == now).count();
            if same == known.len().min(given.values.len()) {
                given.drop_range(0..same);
            }
        }
        self.by_key.retain(|given| !given.values.is_empty());
    }

    /// Returns the values given for `key` and not yet used.
    pub fn left(&self, key: &str) -> &[Value] {
        self.find(key).map_or(&[], |given| &given.values[given.used..])
    }

    /// Joins the values given for `key` with the command itself, and not yet used, to one text.
    pub(crate) fn join_left(&mut self, key: &str) {
        let Some(given) = self.by_key.iter_mut().find(|given| given.key == key) else { return };
        if given.used >= given.recorded && given.values.len() > given.used + 1 {
            let words: Vec<String> = given.values.drain(given.used..).map(|value| spelled(&value)).collect();
            given.values.push(Value::Text(words.join(", ")));
            given.origins.truncate(given.values.len());
        }
    }

    /// Returns whether values were given for `key` with the command itself, used or not.
    pub(crate) fn has_posted(&self, key: &str) -> bool {
        self.find(key).is_some_and(|given| given.values.len() > given.recorded && !given.one_by_one)
    }

    /// Returns where the value of `key` came from that was taken last.
    pub(crate) fn last_origin(&self, key: &str) -> Option<Origin> {
        let given = self.find(key)?;
        given.origins.get(given.used.checked_sub(1)?).copied()
    }

    /// Returns whether the value of `key` that was taken last was made in an earlier step of the same action.
    pub(crate) fn was_known(&self, key: &str) -> bool {
        self.find(key).is_some_and(|given| given.used > 0 && given.used <= given.recorded)
    }

    /// Returns whether the value that was taken last is not one that was recorded.
    pub(crate) fn last_was_new(&self) -> bool {
        self.last.is_some_and(|index| self.by_key[index].used > self.by_key[index].recorded)
    }

    /// Returns the selections for playing an action again: what was recorded of it, then those left here.
    #[must_use]
    pub(crate) fn again(&self, recorded: [&Value; 2]) -> Self {
        let mut all = Self { shared: true, ..Self::default() };
        for map in recorded {
            all.add_recorded(map);
        }
        for left in &self.by_key {
            let given = all.of(&left.key);
            given.add_from(left, left.used);
            given.one_by_one = left.one_by_one || left.values.len() <= left.recorded;
        }
        all
    }

    /// Marks as used those values that playing an action again has used beyond what was recorded of it.
    pub(crate) fn use_as(&mut self, again: &Self) {
        for other in &again.by_key {
            let new = other.used.saturating_sub(other.recorded);
            if let Some(given) = self.by_key.iter_mut().find(|given| given.key == other.key) {
                given.used += new;
            }
        }
    }

    /// Returns the selections for a run from the start; those between `before` and these were used elsewhere meanwhile.
    #[must_use]
    pub(crate) fn restarted_after(&self, before: &Self) -> Self {
        let mut all = before.clone();
        for (given, now) in all.by_key.iter_mut().zip(&self.by_key) {
            given.drop_range(given.used..now.used);
            given.recorded -= now.used.min(given.recorded).saturating_sub(given.used);
            given.used = 0;
        }
        all
    }

    /// Returns whether values of `key` come from an earlier step of the same action.
    pub(crate) fn is_recorded(&self, key: &str) -> bool {
        self.find(key).is_some_and(|given| given.recorded > 0)
    }

    /// Takes single values as answers to one question, even if their key is given whole elsewhere.
    pub fn one_by_one(&mut self) {
        self.by_key.iter_mut().filter(|given| given.values.len() == 1).for_each(|given| given.one_by_one = true);
    }

    /// Removes every value of a key, and returns them.
    pub(crate) fn take_all(&mut self, key: &str) -> Vec<Value> {
        let index = self.by_key.iter().position(|given| given.key == key);
        index.map_or_else(Vec::new, |index| self.by_key.remove(index).values)
    }

    /// Uses the next values of a key, at most `count` of them, and returns them.
    pub(crate) fn take(&mut self, key: &str, count: usize) -> Vec<Value> {
        let Some(index) = self.by_key.iter().position(|given| given.key == key) else { return Vec::new() };
        self.last = Some(index);
        let given = &mut self.by_key[index];
        let taken = given.values[given.used..].iter().take(count).cloned().collect::<Vec<_>>();
        given.used += taken.len();
        taken
    }

    /// Returns the keys and values that are not used, except those recorded earlier.
    pub(crate) fn unused(&self) -> impl Iterator<Item = (&str, &[Value])> {
        let left = self.by_key.iter().map(|given| (given.key.as_str(), given.left_over()));
        left.filter(|(key, values)| !values.is_empty() && !self.shared && !self.spare.iter().any(|spare| spare == key))
    }
}

/// Returns a list as files have it: a single value without a list.
pub fn short(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::List(values) }
}

/// Reads a word of the command line as a number if it is one.
fn read_value(word: &str) -> Value {
    word.parse().map_or_else(|_| Value::from(word), Value::Int)
}

/// Spells an answer as people write it.
pub fn spelled(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        other => other.to_string(),
    }
}
