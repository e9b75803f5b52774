//! The possible outcomes of an action before anything is drawn for it: the resolver is asked about every outcome of a draw and
//! what may follow, without drawing. What cannot be used whatever falls is refused while nothing has fallen.

use std::collections::BTreeMap;

use super::decline::decline;
use crate::data::{Value, folded};
use crate::engine::Run;
use crate::protocol::{Answer, By, Options, Origin, Question, Refusal, Selection, Selections, Status, spelled};

/// The most runs of the resolver. Beyond them everything counts as usable: the rules know each key.
const RUNS: usize = 10_000;

/// A value that no outcome uses.
pub(super) struct Useless {
    /// Its key.
    pub key: String,
    /// Whether a rule asks for the key and forbids the value; otherwise nothing asks for it.
    pub illegal: bool,
    /// The refusal that names it.
    pub refusal: Refusal,
}

/// What is known of an action before a draw.
#[derive(Default)]
pub(super) struct Outlook {
    /// The refusal in which every outcome ends, if every outcome does.
    pub hopeless: Option<Refusal>,
    /// What no outcome uses.
    pub useless: Vec<Useless>,
}

/// An open question on the way, and the place of the next outcome to try.
struct Fork {
    given: Selections,
    question: Question,
    next: usize,
}

/// Looks at what may follow a run that stopped at a question.
///
/// `run` resolves the action with selections, `given` are those of the run that stopped, `cost` is how many runs of the
/// resolver one of these is worth.
pub(super) fn look_ahead(
    run: &dyn Fn(Selections) -> Run,
    given: &Selections,
    stopped: &Run,
    declines: bool,
    cost: usize,
) -> Outlook {
    let Status::Asks(question) = &stopped.status else { return Outlook::default() };
    let posted = stopped.given.left_over().map(|(key, values)| (key.to_owned(), values.len()));
    let mut left: BTreeMap<String, usize> = posted.collect();
    let wanted: Vec<String> = left.keys().cloned().collect();
    if wanted.is_empty() && question.by != By::Random {
        return Outlook::default();
    }
    let mut tolerant = given.clone();
    tolerant.allow_left(wanted.clone());
    let mut forks = vec![Fork { given: tolerant, question: question.clone(), next: 0 }];
    let mut performed: Option<Selections> = None;
    let mut first: Option<Refusal> = None;
    let mut illegal: BTreeMap<String, Refusal> = BTreeMap::new();
    let mut runs = 0;
    while let Some(fork) = forks.last_mut() {
        let Some(values) = outcome(&fork.question, fork.next, declines) else {
            // Any number or any text may be the answer: nothing is said against what is given.
            if fork.next == 0 {
                return Outlook::default();
            }
            forks.pop();
            continue;
        };
        fork.next += 1;
        let mut given = fork.given.clone();
        given.answer(&fork.question, Answer { values, origin: Origin::Posted });
        runs += cost.max(1);
        if runs > RUNS {
            return Outlook::default();
        }
        let ran = run(given.clone());
        match ran.status {
            Status::Asks(_) if wanted.is_empty() => return Outlook::default(),
            Status::Asks(question) => forks.push(Fork { given, question, next: 0 }),
            // The draws of a dead end are kept: it is an outcome.
            Status::Refused(refusal) if refusal.code != "dead-end" => {
                if let Some(key) = ran.given.last_key().filter(|_| is_about_a_value(&refusal)) {
                    illegal.entry(key.to_owned()).or_insert_with(|| refusal.clone());
                }
                first.get_or_insert(refusal);
            }
            Status::Done | Status::Refused(_) | Status::NeedsRuling(_) => {
                let now = unneeded(&ran);
                for (key, least) in &mut left {
                    *least = (*least).min(now.get(key).copied().unwrap_or_default());
                }
                if left.values().all(|least| *least == 0) {
                    return Outlook::default();
                }
                performed.get_or_insert(given);
            }
        }
    }
    let Some(performed) = performed else {
        let own = wanted.iter().find_map(|key| illegal.get(key)).cloned();
        return Outlook { hopeless: own.or(first), useless: Vec::new() };
    };
    let unused = left.into_iter().filter(|(_, least)| *least > 0).map(|(key, _)| key);
    let useless = unused.map(|key| match illegal.get(&key) {
        Some(refusal) => Useless { refusal: refusal.clone(), illegal: true, key },
        None => Useless { refusal: refusal_of(run, &performed, &wanted, &key), illegal: false, key },
    });
    Outlook { hopeless: None, useless: useless.collect() }
}

/// Counts the values of a run that nothing asked for, by key, but for those that repeat an answer that was forced.
pub(super) fn unneeded(ran: &Run) -> BTreeMap<String, usize> {
    let mut forced: Vec<_> = ran.selections.iter().filter(|own| own.forced && !own.recorded).collect();
    let mut left = BTreeMap::new();
    for (key, values) in ran.given.left_over() {
        for value in values {
            let repeats = |own: &&Selection| own.key == key && folded(&spelled(&own.value)) == folded(&spelled(value));
            match forced.iter().position(repeats) {
                Some(place) => drop(forced.remove(place)),
                None => *left.entry(key.to_owned()).or_default() += 1,
            }
        }
    }
    left
}

fn is_about_a_value(refusal: &Refusal) -> bool {
    ["illegal-selection", "bad-value"].contains(&&*refusal.code)
}

/// Returns the refusal of a value that is left over, as the resolver words it.
fn refusal_of(run: &dyn Fn(Selections) -> Run, performed: &Selections, wanted: &[String], key: &str) -> Refusal {
    let mut strict = performed.clone();
    strict.allow_left(wanted.iter().filter(|own| *own != key).cloned().collect());
    match run(strict).status {
        Status::Refused(refusal) => refusal,
        _ => {
            let message = format!("unused selection `{key}`: nothing asks for it");
            Refusal::new("unused-selection", message).help("leave it out").rule("PA-2")
        }
    }
}

/// Returns an outcome of a question by its place from 0 on: of a draw each that can fall, of a choice each answer.
fn outcome(question: &Question, place: usize, declines: bool) -> Option<Vec<Value>> {
    if let Some(no) = decline(question).filter(|_| declines) {
        return (place == 0).then(|| vec![no]);
    }
    match &question.options {
        Options::OneOf(options) => options.get(place).map(|option| vec![option.clone()]),
        Options::Dice { count, faces } => {
            let faces = usize::try_from(*faces).ok()?;
            let mut rest = place;
            let mut dice = Vec::new();
            for _ in 0..*count {
                dice.push(Value::Int(i64::try_from(rest % faces + 1).ok()?));
                rest /= faces;
            }
            (rest == 0).then_some(dice)
        }
        Options::Whole(least, most) if question.by == By::Random => {
            let number = least.checked_add(i64::try_from(place).ok()?)?;
            (number <= *most).then(|| vec![Value::Int(number)])
        }
        Options::Whole(..) | Options::Text => None,
    }
}
