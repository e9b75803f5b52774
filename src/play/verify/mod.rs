//! Does the log explain the game? Every entry is taken back from the end and resolved again from the start, under the rules
//! it names; every value that this does not account for is a finding.

use std::sync::Arc;

use super::replay::{self, pending_then, waited, with_first};
use super::turn::draws_to_meet;
use super::{Interrupt, Request, Run, Selections, Status, adjudicate, migrate, resolve, sealed};
use crate::data::{Key, Pointer, Value};
use crate::game::{Amends, Game, LogEntry, Outcome, PendingAction, Rolled, as_recorded, changes};
use crate::ruleset::{Action, Ruleset};

/// Something that the log does not explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable code, such as `unexplained-value`.
    pub code: &'static str,
    /// The entry of the log that it concerns.
    pub entry: Option<i64>,
    /// The place in the file, as a JSON Pointer, where it concerns one.
    pub pointer: Option<Pointer>,
    /// What is so.
    pub message: String,
}

/// What a look at a whole log has found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Entries that were resolved again.
    pub replayed: usize,
    /// Changes that entries explain.
    pub explained: usize,
    /// Changes that the steward declared.
    pub declared: usize,
    /// Entries of rules that are not at hand, with their pins.
    pub not_checkable: Vec<(i64, String)>,
    /// Everything that is not explained.
    pub findings: Vec<Finding>,
}

/// Finds the rules of a pin such as `cycle-15@3f9a1c2e`.
pub type Rulebooks<'a> = &'a mut dyn FnMut(&str) -> Option<Arc<Ruleset>>;

/// Verifies a whole log: reverses every entry, resolves it again with its recorded selections, and compares.
pub fn verify(rulesets: Rulebooks, game: &Game) -> Verified {
    let mut verified = Verified::default();
    let mut then = game.clone();
    for entry in game.log.iter().rev().filter(|entry| entry.counts()) {
        for conflict in then.force_back(&entry.changes) {
            verified.findings.push(Finding {
                code: "unexplained-value",
                entry: Some(entry.id),
                pointer: Some(conflict.pointer.clone()),
                message: format!(
                    "entry {} left {}, and it is {}: no entry since has changed it",
                    entry.id,
                    in_words(&conflict.expected),
                    in_words(&conflict.found)
                ),
            });
        }
    }
    verified.findings.reverse();
    then.log = Arc::default();
    let pending = Arc::clone(&game.pending);
    let secret = game.sealed.get("secret").and_then(Value::as_text);
    let mut last = game.log.first().map_or(0, |first| first.id - 1);
    for (place, entry) in game.log.iter().enumerate() {
        if entry.id != last + 1 {
            let message = format!("entry {} follows entry {last}: what stood between is gone", entry.id);
            verified.findings.push(Finding { code: "missing-entry", entry: Some(entry.id), pointer: None, message });
        }
        last = entry.id;
        then.pending = Arc::new(pending_then(&game.log, place, &pending));
        if entry.counts() {
            one(rulesets, &then, entry, secret, &mut verified);
            // What is recorded is the ground of the next entry, whatever came of this one.
            let _ = then.do_again(&entry.changes);
            then.sweep();
        }
        Arc::make_mut(&mut then.log).push(Arc::clone(entry));
    }
    then.pending = Arc::default();
    for pending in game.pending.iter().filter(|pending| pending.phase == game.phase) {
        if let Err(message) = still_open(rulesets, game, pending) {
            let message = format!("`{}` is pending, and {message}", pending.what);
            verified.findings.push(Finding {
                code: "not-possible",
                entry: None,
                pointer: Some("/pending".into()),
                message,
            });
        }
    }
    verified
}

/// Whether a pending action, carried on with what it has, stops at a question or where nothing follows.
fn still_open(rulesets: Rulebooks, game: &Game, pending: &PendingAction) -> Result<(), String> {
    let Some(ruleset) = rulesets("") else { return Ok(()) };
    let mut start = game.clone();
    Arc::make_mut(&mut start.pending).retain(|own| own != pending);
    let words = shlex::split(&pending.what).unwrap_or_default();
    let action = Action::read(&ruleset, &start, &words).map_err(|error| error.message)?;
    let action = Action { at: pending.at, amended: pending.amended.clone(), ..action };
    let mut given = Selections::default();
    given.add_recorded(&pending.random);
    given.add_recorded(&pending.chosen);
    match resolve(&ruleset, &start, &action, given).halt {
        // Others have played since: what was open then may be refused or forced now.
        None | Some(Interrupt::Asks(_) | Interrupt::NeedsRuling { .. }) => Ok(()),
        Some(Interrupt::Refused(refusal)) if refusal.code != "illegal-selection" => Ok(()),
        Some(Interrupt::Refused(refusal)) => Err(refusal.message),
        Some(_) => Err("it fails".into()),
    }
}

/// Verifies that `new` grew from `old`: the log only grew, and reversing what is new gives what was. What left the log
/// must stand in the archive.
pub fn verify_edit(old: &Game, new: &Game, archive: &[Arc<LogEntry>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let first = new.log.first().map_or(i64::MAX, |first| first.id);
    let begins = old.log.first().map_or(i64::MIN, |first| first.id);
    let moved = archive.iter().filter(|entry| entry.id < first && entry.id >= begins);
    let mut whole = new.clone();
    whole.log = Arc::new(moved.chain(new.log.iter()).cloned().collect());
    let new = &whole;
    for (place, entry) in old.log.iter().enumerate() {
        let mut same = new.log.get(place).map(|own| LogEntry::clone(own));
        if let Some(own) = &mut same {
            own.undone = entry.undone;
        }
        if same.as_ref().is_none_or(|own| own.to_value().in_order() != entry.to_value().in_order()) {
            let elsewhere = new.log.iter().any(|own| own.id == entry.id);
            let how = if elsewhere { "is not what it was" } else { "is gone" };
            let message = format!("entry {}, `{}`, {how}: the log only grows", entry.id, entry.action.what);
            findings.push(Finding { code: "log-edited", entry: Some(entry.id), pointer: None, message });
        }
    }
    let mut then = new.clone();
    let known = old.log.len().min(new.log.len());
    for entry in new.log[known..].iter().rev().filter(|entry| entry.counts()) {
        then.force_back(&entry.changes);
    }
    let turned = || old.log.iter().zip(new.log.iter()).filter(|(was, is)| was.undone != is.undone);
    for (_, entry) in turned().filter(|(_, is)| is.counts()).collect::<Vec<_>>().into_iter().rev() {
        then.force_back(&entry.changes);
    }
    for (entry, _) in turned().filter(|(was, _)| was.counts()) {
        let _ = then.do_again(&entry.changes);
    }
    then.sweep();
    for change in changes(old, &then).into_iter().filter(|change| change.pointer.first() != Some("pending")) {
        findings.push(Finding {
            code: "unexplained-value",
            entry: None,
            pointer: Some(change.pointer.clone()),
            message: format!(
                "{} was {} and is {}: no entry says so",
                change.pointer,
                in_words(&change.before),
                in_words(&change.after)
            ),
        });
    }
    if old.started != new.started {
        let shown = |game: &Game| game.started.map_or_else(|| "nothing".to_owned(), |at| at.to_string());
        findings.push(Finding {
            code: "unexplained-value",
            entry: None,
            pointer: Some("/started".into()),
            message: format!("/started was {} and is {}: no entry says so", shown(old), shown(new)),
        });
    }
    for lost in old.pending.iter().filter(|pending| !pending.random.is_empty() && !draws_are_kept(new, pending, known))
    {
        let message = format!("the draws {} of `{}` are neither pending nor in the log", lost.random, lost.what);
        findings.push(Finding { code: "lost-draws", entry: None, pointer: Some("/pending".into()), message });
    }
    findings
}

/// Whether what was drawn for a pending action still is, there or in an entry made since (RC-2).
fn draws_are_kept(new: &Game, pending: &PendingAction, since: usize) -> bool {
    let holds = |own: &PendingAction| {
        own.what == pending.what
            && pending.random.entries().iter().all(|(key, values)| {
                let own = own.random.get(&key.to_string()).map_or(&[][..], Value::items);
                own.starts_with(values.items())
            })
    };
    new.pending.iter().any(holds) || new.log[since.min(new.log.len())..].iter().any(|entry| holds(&entry.action))
}

fn in_words(value: &Value) -> String {
    if *value == Value::Null { "nothing".into() } else { value.to_string() }
}

/// Resolves one entry again on the game as it was, and compares.
fn one(rulesets: Rulebooks, then: &Game, entry: &LogEntry, secret: Option<&str>, verified: &mut Verified) {
    let mut found = |code: &'static str, message: String| {
        verified.findings.push(Finding { code, entry: Some(entry.id), pointer: None, message });
    };
    let count = entry.changes.entries().len();
    let pin = entry.ruleset.clone().unwrap_or_default();
    let Some(ruleset) = rulesets(&pin) else {
        verified.not_checkable.push((entry.id, pin));
        return;
    };
    if entry.outcome == Some(Outcome::Declared) {
        verified.declared += count;
    }
    if !pin.is_empty() && ruleset.pin_of(then) != pin {
        found(
            "other-rules",
            format!("entry {} was resolved under {pin}, and play had made it {}", entry.id, ruleset.pin_of(then)),
        );
    }
    let words = shlex::split(&entry.action.what).unwrap_or_default();
    for (code, message) in sealed::wrong(then, secret, entry) {
        found(code, message);
    }
    let ran = match again(&ruleset, then, entry, &words) {
        Ok(ran) => ran,
        Err(message) => {
            found("not-possible", format!("entry {}, `{}`, is not possible: {message}", entry.id, entry.action.what));
            return;
        }
    };
    verified.replayed += 1;
    for message in sealed::other_draws(entry, &ran.selections) {
        found("other-draws", message);
    }
    if let Some(met) = second_try(&ruleset, then, entry, &words) {
        found(
            "second-try",
            format!("entry {} has draws of its own, and those of entry {met} should have been met (RC-2)", entry.id),
        );
    }
    let mut next = ran.game;
    next.sweep();
    let of_the_game = |value: &Value| {
        Value::Map(value.entries().iter().filter(|(key, _)| !key.is("/pending")).cloned().collect()).in_order()
    };
    let now = of_the_game(&as_recorded(&changes(then, &next)));
    let recorded = of_the_game(&entry.changes);
    let differing = |one: &Value, other: &Value| -> Vec<(String, Value)> {
        let own = one.entries().iter().filter(|(key, value)| other.get(&key.to_string()) != Some(value));
        own.map(|(key, value)| (key.to_string(), value.clone())).collect()
    };
    if let Some(why) = pending_not_held(then, entry, &next) {
        let message = format!("entry {} says of what is pending what does not hold: {why}", entry.id);
        let pointer = Some("/pending".into());
        verified.findings.push(Finding { code: "other-outcome", entry: Some(entry.id), pointer, message });
    }
    let wrong = differing(&recorded, &now);
    let missing = differing(&now, &recorded).into_iter().filter(|(key, _)| recorded.get(key).is_none());
    for pointer in wrong.iter().map(|(pointer, _)| pointer.clone()).chain(missing.map(|(pointer, _)| pointer)) {
        let is = recorded.get(&pointer).map_or_else(|| "nothing".to_owned(), Value::to_string);
        let should = now.get(&pointer).map_or_else(|| "nothing".to_owned(), Value::to_string);
        verified.findings.push(Finding {
            code: "other-outcome",
            entry: Some(entry.id),
            pointer: Some(Pointer::from(&*pointer)),
            message: format!("entry {} says {pointer} {is}, and it comes to {should}", entry.id),
        });
    }
    if entry.outcome != Some(Outcome::Declared) {
        verified.explained += count - wrong.len().min(count);
    }
    let mut differs = |what: &str, recorded: &Value, now: &Value| {
        if recorded.in_order() != now.in_order() {
            let (is, should) = (in_words(recorded), in_words(now));
            verified.findings.push(Finding {
                code: "other-selections",
                entry: Some(entry.id),
                pointer: None,
                message: format!("entry {} has {what} {is}, and its resolution has {should}", entry.id),
            });
        }
    };
    if entry.outcome != Some(Outcome::Declared) {
        differs("draws", &entry.action.random, &with_first(Some(&ran.random), &waited(entry)));
        differs("choices", &entry.action.chosen, &ran.chosen);
        differs("replays", &entry.again, &ran.again);
        let rulings = ran.rulings.iter().map(|(key, value)| (Key::from(key.as_str()), Value::from(value.as_str())));
        differs("rulings", &entry.rulings, &Value::Map(rulings.collect()));
        if entry.amends != ran.amends {
            differs("changes of others", &list(&entry.amends), &list(&ran.amends));
        }
    }
}

/// Why what an entry says of pending actions does not hold: those after it are what it left, and of those before it the
/// missing were performed by it with their draws, or have lapsed.
fn pending_not_held(then: &Game, entry: &LogEntry, next: &Game) -> Option<String> {
    let [before, after] = entry.changes.get("/pending").map(Value::items)? else { return Some("it is no pair".into()) };
    let left = Value::List(next.pending.iter().map(PendingAction::to_value).collect());
    if after.in_order() != left.in_order() {
        return Some(format!("it leaves {left}"));
    }
    before.items().iter().find_map(|value| {
        let Some(own) = PendingAction::read(value) else { return Some(format!("{value} is no action")) };
        let kept = || {
            own.random.entries().iter().all(|(key, values)| {
                let now = entry.action.random.get(&key.to_string()).map_or(&[][..], Value::items);
                now.starts_with(values.items())
            })
        };
        let lapsed = || {
            then.log
                .iter()
                .rev()
                .take_while(|gone| gone.outcome == Some(Outcome::Lapsed))
                .any(|gone| gone.action.to_value() == own.to_value())
        };
        let stays = after
            .items()
            .iter()
            .any(|one| one.get("do") == value.get("do") && one.get("random") == value.get("random"));
        let holds = stays || own.what == entry.action.what && kept() || lapsed();
        (!holds).then(|| format!("what became of `{}` with {}", own.what, own.random))
    })
}

fn list(amends: &[Amends]) -> Value {
    Value::List(amends.iter().map(Amends::to_value).collect())
}

/// The entry on the game as it was before it, from its recorded selections.
fn again(ruleset: &Arc<Ruleset>, then: &Game, entry: &LogEntry, words: &[String]) -> Result<Run, String> {
    let mut given = Selections::default();
    given.add_recorded(&entry.action.random);
    given.add_recorded(&entry.action.chosen);
    let ran = match entry.outcome {
        // What became of a game under other rules was listed when it was moved, and is taken at its word.
        Some(Outcome::Declared) if words.first().is_some_and(|word| word == migrate::WORD) => {
            let mut game = then.clone();
            let done = game.do_again(&entry.changes);
            done.map_err(|conflict| format!("there is no place {}", conflict.pointer))?;
            Run { game, ..replay::only(then, &[]) }
        }
        Some(Outcome::Declared) => {
            let request = Request { words: words.to_vec(), at: entry.action.at, ..Request::default() };
            let by_hand = words.first().is_some_and(|word| word == sealed::REVEAL);
            let turn = if by_hand {
                sealed::reveal(ruleset, then, &request)
            } else {
                adjudicate::declare(ruleset, then, &request)
            };
            let turn = turn.map_err(|error| error.message)?;
            let halt = match turn.status {
                Status::Refused(refusal) => Some(Interrupt::Refused(refusal)),
                _ => None,
            };
            Run { game: turn.next, halt, ..replay::only(then, &[]) }
        }
        Some(_) => {
            let known = |id: i64| then.log.iter().find(|own| own.id == id).is_some_and(|own| own.counts());
            let goes_back = entry.amends.iter().any(|amends| match &amends.of {
                Rolled::Entry(id) => known(*id),
                Rolled::Pending(_) => false,
            });
            if goes_back {
                replay::correct(ruleset, then, &entry.amends, given)
            } else {
                replay::only(then, &entry.amends)
            }
        }
        None => {
            let action = Action::read(ruleset, then, words).map_err(|error| error.message)?;
            let action = Action { at: entry.action.at, amended: entry.action.amended.clone(), ..action };
            resolve(ruleset, then, &action, given)
        }
    };
    match &ran.halt {
        None => Ok(ran),
        Some(Interrupt::Asks(question)) => {
            Err(format!("it lacks a selection for `{}`: {}", question.key, question.text))
        }
        Some(Interrupt::Refused(refusal)) => Err(refusal.message.clone()),
        Some(Interrupt::NeedsRuling { ruling, message }) => Err(format!("it needs a ruling on {ruling}: {message}")),
        Some(Interrupt::Failed(error)) => Err(error.to_string()),
        Some(Interrupt::Ended | Interrupt::Rewinds(_)) => Err("it does not end".into()),
    }
}

/// The entry whose draws this one should have met, if it has others (RC-2).
fn second_try(ruleset: &Ruleset, then: &Game, entry: &LogEntry, words: &[String]) -> Option<i64> {
    if entry.outcome.is_some() {
        return None;
    }
    let action = Action::read(ruleset, then, words).ok()?;
    let met = draws_to_meet(then, &action)?;
    (entry.action.met != Some(met.id)).then_some(met.id)
}
