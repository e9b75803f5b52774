//! Verifies one entry of a log.

use std::sync::Arc;

use super::finding::{Finding, Rulebooks, Verified, in_words};
use super::tries::wrong_try;
use crate::data::{Key, Pointer, Value};
use crate::engine::Run;
use crate::game::{Amends, Game, LogEntry, Outcome, PendingAction, Rolled, as_recorded, changes};
use crate::play::dice::check::other_draws;
use crate::play::pending::{waited, with_first};
use crate::play::replay::{replay_corrected, void_only};
use crate::play::resolve::run_whole;
use crate::play::turn::Request;
use crate::play::{adjudicate, migrate, sealed};
use crate::protocol::{Selections, Status};
use crate::ruleset::{Action, Command, Ruleset};

/// Resolves one entry again on the game as it was, and compares.
pub(super) fn verify_entry(
    rulesets: Rulebooks,
    then: &Game,
    entry: &LogEntry,
    secret: Option<&str>,
    verified: &mut Verified,
) {
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
    if !pin.is_empty() && !ruleset.is_pin_of(&pin, then) {
        found(
            "other-rules",
            format!("entry {} names the rules {pin}, but amendments had made them {}", entry.id, ruleset.pin_of(then)),
        );
    }
    if entry.action.phase != then.phase {
        let message = format!(
            "entry {} says that it is of phase {}, but this was phase {}",
            entry.id, entry.action.phase, then.phase
        );
        found("other-phase", message);
    }
    let words = shlex::split(&entry.action.what).unwrap_or_default();
    for (code, message) in sealed::wrong(then, secret, entry) {
        found(code, message);
    }
    let at_hand = rulesets("");
    let ran = match replay_entry(&ruleset, at_hand.as_ref(), then, entry, &words) {
        Ok(ran) => ran,
        Err(message) => {
            found("not-possible", format!("entry {}, `{}`, is not possible: {message}", entry.id, entry.action.what));
            return;
        }
    };
    verified.replayed += 1;
    let name = format!("entry {}", entry.id);
    let derived = other_draws(&entry.action, &ran.selections, &name);
    for message in sealed::other_draws(entry, &ran.selections).into_iter().chain(derived) {
        found("other-draws", message);
    }
    if let Some(message) = wrong_try(&ruleset, then, entry) {
        found("second-try", message);
    }
    let strange = entry.action.posted.iter().find(|key| entry.action.random.get(key.as_str()).is_none());
    if let Some(key) = strange.filter(|_| entry.outcome.is_none()) {
        found("other-selections", format!("entry {} says that `{key}` was posted, and has no draw of it", entry.id));
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
        let message = format!("entry {} records the wrong pending actions: {why}", entry.id);
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
            message: format!("entry {} records {is} for {pointer}, but replaying it gives {should}", entry.id),
        });
    }
    if entry.outcome != Some(Outcome::Declared) {
        verified.explained += count - wrong.len().min(count);
        let (random, thrown_by, chosen) = (&ran.random, &ran.thrown_by, &ran.chosen);
        let again =
            Replayed { random, thrown_by, chosen, again: &ran.again, rulings: &ran.rulings, amends: &ran.amends };
        compare_record(entry, &again, verified);
    }
}

/// What resolving an entry again gave, beside the game.
struct Replayed<'a> {
    random: &'a Value,
    thrown_by: &'a Value,
    chosen: &'a Value,
    again: &'a Value,
    rulings: &'a [(String, String)],
    amends: &'a [Amends],
}

/// Compares what an entry records of its selections with what resolving it again gave.
fn compare_record(entry: &LogEntry, now: &Replayed, verified: &mut Verified) {
    let mut differs = |what: &str, recorded: &Value, now: &Value| {
        if recorded.in_order() != now.in_order() {
            let (is, should) = (in_words(recorded), in_words(now));
            verified.findings.push(Finding {
                code: "other-selections",
                entry: Some(entry.id),
                pointer: None,
                message: format!("entry {} records {what} {is}, but replaying it gives {should}", entry.id),
            });
        }
    };
    differs("draws", &entry.action.random, &with_first(Some(now.random), &waited(entry)));
    differs("the throwers", &entry.action.thrown_by, now.thrown_by);
    differs("choices", &entry.action.chosen, now.chosen);
    differs("replays", &entry.again, now.again);
    let rulings = now.rulings.iter().map(|(key, value)| (Key::from(key.as_str()), Value::from(value.as_str())));
    differs("rulings", &entry.rulings, &Value::Map(rulings.collect()));
    if entry.amends != now.amends {
        differs("changes of others", &list(&entry.amends), &list(now.amends));
    }
}

/// Says why the pending actions that an entry records are wrong: those after it are what it left, and of those before it the
/// missing were performed by it with their dice, or have expired.
fn pending_not_held(then: &Game, entry: &LogEntry, next: &Game) -> Option<String> {
    let [before, after] = entry.changes.get("/pending").map(Value::items)? else {
        return Some("they are not a pair".into());
    };
    let left = Value::List(next.pending.iter().map(PendingAction::to_value).collect());
    if after.in_order() != left.in_order() {
        return Some(format!("replaying it leaves {left}"));
    }
    before.items().iter().find_map(|value| {
        let Some(own) = PendingAction::read(value) else { return Some(format!("{value} is not an action")) };
        let kept = || {
            own.random.entries().iter().all(|(key, values)| {
                let now = entry.action.random.get(&key.to_string()).map_or(&[][..], Value::items);
                now.starts_with(values.items())
            })
        };
        let lapsed =
            || {
                then.log.iter().rev().take_while(|gone| gone.outcome == Some(Outcome::Lapsed)).any(|gone| {
                    gone.action.to_value() == PendingAction { given: Value::Null, ..own.clone() }.to_value()
                })
            };
        let stays = after
            .items()
            .iter()
            .any(|one| one.get("do") == value.get("do") && one.get("random") == value.get("random"));
        let holds = stays || own.what == entry.action.what && kept() || lapsed();
        (!holds).then(|| format!("`{}` with {} has disappeared", own.what, own.random))
    })
}

fn list(amends: &[Amends]) -> Value {
    Value::List(amends.iter().map(Amends::to_value).collect())
}

/// Resolves an entry on the game as it was before it, from its recorded selections.
fn replay_entry(
    ruleset: &Arc<Ruleset>,
    at_hand: Option<&Arc<Ruleset>>,
    then: &Game,
    entry: &LogEntry,
    words: &[String],
) -> Result<Run, String> {
    let mut given = Selections::default();
    given.add_recorded(&entry.action.random);
    given.add_recorded(&entry.action.chosen);
    let ran = match entry.outcome {
        Some(Outcome::Declared) if words.first().is_some_and(|word| word == migrate::WORD) => {
            let game = migrate::migrated_again(ruleset, at_hand, then, entry, words)?;
            Run { game, ..void_only(then, &[]) }
        }
        Some(Outcome::Declared) => {
            let request = Request { words: words.to_vec(), at: entry.action.at, ..Request::default() };
            let turn = match Command::read(ruleset, then, words).map_err(|refusal| refusal.message)? {
                Command::Reveal(secret) => sealed::reveal(ruleset, then, &request, &secret),
                Command::Adjudicate(declaration) => adjudicate::declare(ruleset, then, &request, &declaration),
                _ => return Err("it is not a command by hand".into()),
            };
            let turn = turn.map_err(|refusal| refusal.message)?;
            Run { game: turn.next, ..void_only(then, &[]) }
        }
        Some(_) => {
            let known = |id: i64| then.log.iter().find(|own| own.id == id).is_some_and(|own| own.counts());
            let goes_back = entry.amends.iter().any(|amends| match &amends.of {
                Rolled::Entry(id) => known(*id),
                Rolled::Pending(_) => false,
            });
            if goes_back {
                replay_corrected(ruleset, then, &entry.amends, given)
            } else {
                void_only(then, &entry.amends)
            }
        }
        None => {
            let action = Action::read(ruleset, then, words).map_err(|error| error.message)?;
            let action = Action { at: entry.action.at, amended: entry.action.amended.clone(), ..action };
            run_whole(ruleset, then, &action, given)
        }
    };
    match &ran.status {
        Status::Done => Ok(ran),
        Status::Asks(question) => Err(format!("it lacks a selection for `{}`: {}", question.key, question.text)),
        Status::Refused(refusal) => Err(refusal.message.clone()),
        Status::NeedsRuling(ruling) => Err(format!("it {ruling}")),
    }
}
