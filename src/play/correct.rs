//! Corrections by the steward: an entry with other selections, or one that has not taken place, and everything after it
//! played again (M-6, RC-2, R-84).

use std::sync::Arc;

use super::turn::{Origins, answered, done, refusal};
use super::undo::left_behind;
use super::{AnswerSource, Origin, Played, Refusal, Request, Selections, Status, replay};
use crate::data::{Key, Value};
use crate::game::{Amended, Amends, Game, LogEntry, Outcome, PendingAction, Rolled};
use crate::ruleset::{ActionError, Ruleset};

/// The word of the command that gives an entry other selections.
pub(super) const AMEND: &str = "amend";
/// The word of the command that says attempts have not taken place.
pub(super) const VOID: &str = "void-attempts";

struct Correction {
    ids: Vec<i64>,
    because: String,
}

/// Carries out `amend ID -s KEY=VALUE … [--because TEXT]` or `void-attempts ID … --because TEXT`.
///
/// # Errors
/// A command that is not of this form, with nothing done.
pub(super) fn correct(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, ActionError> {
    let what = shlex::try_join(request.words.iter().map(String::as_str)).unwrap_or_default();
    let voids = request.words[0] == VOID;
    let correction = read(&request.words[1..])?;
    let entries = match entries(ruleset, game, &correction, voids) {
        Ok(entries) => entries,
        Err(refusal) => return Ok(Played::refused(game, what, refusal)),
    };
    let mut given = request.given.clone();
    let mut origins = Origins::default();
    let amends: Vec<Amends> = entries
        .iter()
        .map(|entry| {
            let change = if voids { Amended::Void } else { selections(&mut given, entry, ruleset) };
            Amends { of: Rolled::Entry(entry.id), change }
        })
        .collect();
    if let [Amends { change: Amended::Selections { random, chosen }, .. }] = &amends[..]
        && random.is_empty()
        && chosen.is_empty()
    {
        let message = format!("nothing of entry {} is given anew", entries[0].id);
        let help = format!("its selections are {} {}", entries[0].action.random, entries[0].action.chosen);
        return Ok(Played::refused(game, what, refusal("nothing-changes", message, Some(help), "M-6")));
    }
    for (key, values) in given.all() {
        origins.add(key, Origin::Posted, values.len());
    }
    let commenced = |random: Value, chosen: Value| PendingAction {
        what: what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        random,
        chosen,
        ..PendingAction::default()
    };
    if entries.iter().all(|entry| !entry.counts()) {
        // Draws that were kept are worth nothing from now on; the game itself is as it was.
        let ran = replay::only(game, &amends);
        return Ok(done(ruleset, game, ran, commenced(Value::Null, Value::Null), Vec::new(), Some(Outcome::Corrected)));
    }
    let run = |given| replay::correct(ruleset, game, &amends, given);
    let (ran, made, status) = answered(run, given, origins, request, None, answers);
    if status != Status::Done {
        return Ok(Played {
            status,
            action: what,
            selections: made,
            events: ran.events,
            changes: Vec::new(),
            next: game.clone(),
        });
    }
    if let Some((key, _)) = ran.given.unused().next() {
        let message = format!("nothing asked for `{key}`");
        return Ok(Played::refused(game, what.clone(), refusal("unused-selection", message, None, "M-6")));
    }
    if let Some(refusal) = left_behind(game, &ran.game) {
        return Ok(Played::refused(game, what.clone(), refusal));
    }
    let commenced = commenced(ran.random.clone(), ran.chosen.clone());
    Ok(done(ruleset, game, ran, commenced, made, Some(Outcome::Corrected)))
}

fn read(words: &[String]) -> Result<Correction, ActionError> {
    let usage = |message: String| ActionError { code: "usage", message, help: None };
    let mut correction = Correction { ids: Vec::new(), because: String::new() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(because) = word.strip_prefix("--because=") {
            because.trim().clone_into(&mut correction.because);
        } else if word == "--because" {
            let because = words.next().ok_or_else(|| usage("--because needs a text".into()))?;
            because.trim().clone_into(&mut correction.because);
        } else {
            let id = word.trim_start_matches('#').parse();
            correction.ids.push(id.map_err(|_| usage(format!("`{word}` is no id of an entry")))?);
        }
    }
    if correction.ids.is_empty() {
        return Err(usage("the id of an entry is missing".into()));
    }
    Ok(correction)
}

fn entries<'a>(
    ruleset: &Ruleset,
    game: &'a Game,
    correction: &Correction,
    voids: bool,
) -> Result<Vec<&'a LogEntry>, Refusal> {
    let mut found = Vec::new();
    for id in &correction.ids {
        let Some(entry) = game.log.iter().find(|entry| entry.id == *id) else {
            let last = game.log.last().map_or(0, |last| last.id);
            return Err(refusal(
                "unknown-entry",
                format!("there is no entry {id}"),
                Some(format!("the last is {last}")),
                "",
            ));
        };
        if !voids && !game.took_place(entry) {
            let message = format!("entry {id} has not taken place");
            return Err(refusal("not-performed", message, Some("only what was performed can be amended".into()), ""));
        }
        if matches!(entry.outcome, Some(Outcome::Declared | Outcome::Corrected)) {
            let message = format!("entry {id} was entered by hand");
            return Err(refusal("not-performed", message, Some("`undo` or another correction changes it".into()), ""));
        }
        if game.log.iter().any(|later| later.voids(*id)) {
            return Err(refusal("nothing-changes", format!("entry {id} is void already"), None, "RC-2"));
        }
        let moves = entry.action.what.split(' ').next().and_then(|word| ruleset.declared.action(word));
        if !voids
            && moves.is_some_and(|rule| rule.moves)
            && entry.action.phase + 1 < game.phase
            && correction.because.is_empty()
        {
            let message = format!("the move of entry {id} stands: phase {} has ended since", entry.action.phase + 1);
            let help = "with a ruling of the Judge, name it with --because (R-84)".to_owned();
            return Err(refusal("too-late", message, Some(help), "M-6"));
        }
        found.push(entry.as_ref());
    }
    if voids && correction.because.is_empty() {
        let message = "no attempt is void without consensus or a ruling".to_owned();
        return Err(refusal("no-reason", message, Some("name it with --because".into()), "RC-2"));
    }
    Ok(found)
}

/// Takes the selections of an entry that are given anew out of the answers; the rest answers what is asked on the way.
fn selections(given: &mut Selections, entry: &LogEntry, ruleset: &Ruleset) -> Amended {
    let (mut random, mut chosen) = (Value::Map(Vec::new()), Value::Map(Vec::new()));
    let keys: Vec<String> = given.all().map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        let recorded = [&entry.action.random, &entry.action.chosen].into_iter().any(|map| map.get(&key).is_some());
        if recorded {
            let values = given.take_all(&key);
            let map = if ruleset.declared.is_random(&key) { &mut random } else { &mut chosen };
            map.set(Key::from(key.as_str()), Value::List(values));
        }
    }
    Amended::Selections { random, chosen }
}
