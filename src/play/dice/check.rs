//! Derives the draws of a log again, and checks what they were derived from.

use std::collections::BTreeMap;

use super::drawer::post_key;
use super::identity::{Identity, identity, others};
use super::order::{PostKey, is_declared, time_of};
use super::record::{DrawRecord, PostRecord};
use crate::data::Value;
use crate::draws::{Answer, BeaconDice, Bound, DrawError, Seal, Source, Thrower};
use crate::game::{Game, PendingAction};
use crate::play::sealed::hash_of;
use crate::protocol::{By, Selection};
use crate::ruleset::Ruleset;

/// What a check of dice found.
#[derive(Default)]
pub struct Found {
    /// What is wrong, each with its code.
    pub findings: Vec<(&'static str, String)>,
    /// What is a person's word and not computed, each with its code.
    pub notes: Vec<(&'static str, String)>,
}

/// The secrets that a game has revealed, by their hashes.
pub struct Secrets(BTreeMap<String, String>);

impl Secrets {
    /// Collects what the file and its log reveal.
    pub fn of(game: &Game) -> Self {
        let now = game.dice.get("secret").and_then(Value::as_text).map(str::to_owned);
        let told = game.log.iter().filter_map(|entry| {
            let [word, secret] = &shlex::split(&entry.action.what)?[..] else { return None };
            (word == "reveal").then(|| secret.clone())
        });
        Self(told.chain(now).map(|secret| (hash_of(&secret), secret)).collect())
    }

    /// Returns the secret with this hash, if it is revealed.
    pub fn get(&self, hash: &str) -> Option<&str> {
        self.0.get(hash).map(String::as_str)
    }
}

/// The game around an action that is checked.
pub struct Around<'a> {
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// The game as it was before the action.
    pub then: &'a Game,
    /// The game as it is, with its whole log.
    pub now: &'a Game,
    /// What is revealed.
    pub secrets: &'a Secrets,
}

/// Checks the dice of an action in the log or pending, which messages call `name`.
pub fn check(around: &Around, action: &PendingAction, name: &str) -> Found {
    let mut found = Found::default();
    let Ok(dice) = Thrower::read(&around.then.dice) else { return found };
    let revealed = matches!(&dice, Thrower::Sealed(seal) if seal.secret.is_some());
    let derives = matches!(dice, Thrower::Sealed(_) | Thrower::Beacon(_)) && !revealed;
    if !action.sealed.is_empty() {
        older(around, &dice, action, name, &mut found);
        return found;
    }
    if action.dice.is_empty() {
        if derives && !action.random.is_empty() {
            let message = format!("{name} has draws {} that were not derived", action.random);
            found.findings.push(("posted-die", message));
        }
        return found;
    }
    let Some(record) = DrawRecord::read(&action.dice) else {
        found.findings.push(("other-draws", format!("{name}: `dice` is not the record of draws")));
        return found;
    };
    let own = identity(around.ruleset, around.then, &action.what);
    match action.reused {
        None => check_nth(around, &own, action, &record, name, &mut found),
        Some(source_id) => check_reused(around, source_id, &record, name, &mut found),
    }
    match &dice {
        Thrower::Sealed(seal) => sealed(around, seal, action, &own, &record, name, &mut found),
        Thrower::Beacon(dice) => beacon(around, dice, action, &own, &record, name, &mut found),
        Thrower::Referee | Thrower::Posted => {
            let message = format!("{name} has draws that were derived, but the game's dice are not");
            found.findings.push(("other-dice", message));
        }
    }
    if derives {
        not_derived(action, &record, name, &mut found);
    }
    found
}

/// Checks that an action of scheme 1 is one that could still be made under it.
fn older(around: &Around, dice: &Thrower, action: &PendingAction, name: &str, found: &mut Found) {
    let allowed = matches!(dice, Thrower::Sealed(seal) if seal.scheme_1);
    let newer = around.then.log.iter().any(|entry| !entry.action.dice.is_empty() && entry.action.reused.is_none());
    // Whatever was begun before keeps its scheme.
    if !allowed || newer && action.reused.is_none() && !around.now.pending.contains(action) {
        let message = format!("{name} was drawn under scheme 1 after the game had left it");
        found.findings.push(("other-scheme", message));
    }
}

/// Checks how many actions of its kind came before it: the number decides what it draws, so it is not to be chosen.
fn check_nth(
    around: &Around,
    own: &Identity,
    action: &PendingAction,
    record: &DrawRecord,
    name: &str,
    found: &mut Found,
) {
    let all: Vec<&PendingAction> = others(around.ruleset, around.now, own, action.phase).collect();
    let rest = || all.iter().filter(|other| **other != action);
    let earlier = rest().filter(|other| other.at.zip(action.at).is_some_and(|(other, own)| other < own)).count() as u64;
    let most = rest().filter(|other| other.at.zip(action.at).is_none_or(|(other, own)| other <= own)).count() as u64;
    let same = |other: &&&PendingAction| DrawRecord::read(&other.dice).is_some_and(|other| other.nth == record.nth);
    if record.nth < earlier || record.nth > most || rest().any(|other| same(&other)) {
        let should = if earlier == most { earlier.to_string() } else { format!("{earlier} to {most}") };
        let message =
            format!("{name} counts {} actions of its kind before it in the phase; there are {should}", record.nth);
        found.findings.push(("other-identity", message));
    }
}

/// Checks that an action that reuses draws counts as the one that made them.
fn check_reused(around: &Around, source_id: i64, record: &DrawRecord, name: &str, found: &mut Found) {
    let entry = around.now.log.iter().find(|entry| entry.id == source_id);
    let earlier = entry.and_then(|entry| DrawRecord::read(&entry.action.dice));
    if let Some(earlier) = earlier.filter(|earlier| earlier.nth != record.nth) {
        let message = format!(
            "{name} counts {} actions before it, and entry {source_id}, which it repeats, {}",
            record.nth, earlier.nth
        );
        found.findings.push(("other-identity", message));
    }
}

fn sealed(
    around: &Around,
    seal: &Seal,
    action: &PendingAction,
    own: &Identity,
    record: &DrawRecord,
    name: &str,
    found: &mut Found,
) {
    let drawn = record.drawn.iter().any(|(_, draws)| !draws.is_empty());
    if drawn && seal.words_until.zip(action.at).is_some_and(|(until, at)| at < until) {
        found.findings.push(("too-early", format!("{name} was drawn before the words were closed")));
    }
    let Some(secret) = around.secrets.get(&seal.hash) else { return };
    let source = Source::Sealed { secret: secret.to_owned(), words: seal.words.clone() };
    derive(around, action, own, record, &|_| Some(source.clone()), ("the secret", name), found);
}

fn beacon(
    around: &Around,
    dice: &BeaconDice,
    action: &PendingAction,
    own: &Identity,
    record: &DrawRecord,
    name: &str,
    found: &mut Found,
) {
    let mut sources: Vec<Option<Source>> = Vec::new();
    let mut last: Option<PostKey> = None;
    for (index, post) in record.posts.iter().enumerate() {
        let mut wrong = |error: DrawError| found.findings.push((error.code, format!("{name}: {}", error.message)));
        let key = match key_of_post(around, dice, action, post) {
            Ok(key) => key,
            Err(error) => {
                wrong(error);
                sources.push(None);
                continue;
            }
        };
        if last.is_some_and(|last| key.is_before(&last)) {
            found
                .findings
                .push(("out-of-order", format!("{name}: its post {} is earlier than the one before", index + 1)));
        }
        last = Some(key);
        if dice.since.is_some_and(|since| time_of(&key) < since.as_millisecond()) {
            found.findings.push(("before-dice", format!("{name} was posted before the dice of this game were chosen")));
        }
        let has_own = post.at.is_none() && post.link.is_none();
        if is_declared(&key) && !(has_own && own.player.is_empty() && action.link.is_none()) {
            let message = format!("{name}: the time of its post is declared, not read from a link");
            found.notes.push(("declared-time", message));
        }
        let Some(round) = post.round else {
            sources.push(None);
            continue;
        };
        if round != key.round {
            let message = format!("{name} has round {round}, but its post takes round {}", key.round);
            found.findings.push(("another-round", message));
        }
        let verified = post.signature.as_deref().map(|signature| {
            Answer::new(round, signature, None)
                .and_then(|answer| answer.verify(&dice.chain))
                .map(|round| round.source())
        });
        match verified.transpose() {
            Ok(source) => sources.push(source),
            Err(error) => {
                found.findings.push((error.code, format!("{name}: {}", error.message)));
                sources.push(None);
            }
        }
    }
    let source = |post: usize| sources.get(post).cloned().flatten();
    derive(around, action, own, record, &source, ("its round", name), found);
    let unsourced = record.drawn.iter().flat_map(|(_, draws)| draws).any(|draw| source(draw.post).is_none());
    if unsourced {
        found.findings.push(("other-draws", format!("{name} has draws without a round that they come from")));
    }
}

/// Reads one post of an action.
fn key_of_post(
    around: &Around,
    dice: &BeaconDice,
    action: &PendingAction,
    post: &PostRecord,
) -> Result<PostKey, DrawError> {
    if post.at.is_some() || post.link.is_some() {
        return super::order::key_of(dice, post.link.as_deref(), post.at);
    }
    post_key(around.ruleset, around.then, dice, &PendingAction { dice: Value::Null, ..action.clone() })
}

/// Derives every draw again; `what` names the source and the action.
fn derive(
    around: &Around,
    action: &PendingAction,
    own: &Identity,
    record: &DrawRecord,
    source: &dyn Fn(usize) -> Option<Source>,
    (what, name): (&str, &str),
    found: &mut Found,
) {
    for (key, draws) in &record.drawn {
        for (index, draw) in (0..).zip(draws) {
            let bound = Bound {
                game: around.then.id.to_string(),
                phase: action.phase,
                player: own.player.clone(),
                kind: own.kind.clone(),
                nth: record.nth,
                key: key.clone(),
                index,
            };
            let Some(should) = source(draw.post).and_then(|source| source.place(&bound, draw.of)) else { continue };
            if should != draw.place {
                let message = format!(
                    "draw {} of `{key}` in {name} is {}, but {what} gives {should} of {}",
                    index + 1,
                    draw.place,
                    draw.of
                );
                found.findings.push(("wrong-die", message));
            }
        }
    }
}

/// Finds random values of an action beyond those that were derived.
fn not_derived(action: &PendingAction, record: &DrawRecord, name: &str, found: &mut Found) {
    for (key, values) in action.random.entries() {
        let drawn = record.drawn.iter().find(|(own, _)| key.is(own)).map_or(0, |(_, draws)| draws.len());
        if values.items().len() > drawn {
            let message =
                format!("{name} has {} values of `{key}`, of which {drawn} were derived", values.items().len());
            found.findings.push(("posted-die", message));
        }
    }
}

/// Finds draws that the selections of an action do not show, and the other way round, once it is resolved again.
pub fn other_draws(action: &PendingAction, made: &[Selection], name: &str) -> Vec<String> {
    let Some(record) = DrawRecord::read(&action.dice) else { return Vec::new() };
    let mut found = Vec::new();
    for (key, draws) in &record.drawn {
        let own = made.iter().filter(|own| own.key == *key && own.by == By::Random && !own.forced);
        let shown: Vec<(i64, i64)> = own.flat_map(Selection::places).collect();
        for (draw, (place, of)) in draws.iter().zip(shown) {
            // What was reused was drawn in another state, with other options.
            let same = u64::try_from(place) == Ok(draw.place) && u64::try_from(of) == Ok(draw.of);
            if !same && action.reused.is_none() {
                found.push(format!(
                    "{name}: the draw for `{key}` is {} of {}, which does not match its recorded selections",
                    draw.place, draw.of
                ));
            }
        }
    }
    found
}
