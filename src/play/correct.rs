//! The steward's corrections: an entry with other selections, or a void one, and everything after it replayed (M-6, RC-2,
//!

use std::sync::Arc;

use super::dice::drawer::derives;
use super::driver::{drawer, posted, run_answered, seed};
use super::pending::{PendingState, dice_to_reuse};
use super::record::{append_log, completed_turn};
use super::replay::{replay_corrected, void_only};
use super::resolve::with_steps;
use super::turn::{Played, Request};
use super::understand::understand;
use super::undo::left_behind;
use crate::data::{Key, Value};
use crate::game::{Amended, Amends, Game, LogEntry, Outcome, PendingAction, Rolled};
use crate::protocol::{AnswerSource, Origin, Refusal, Selection, Selections, Status};
use crate::ruleset::{Correction, Ruleset};

/// Carries out `amend ID -s KEY=VALUE … [--because TEXT]` or `void-attempts ID … --because TEXT`.
///
/// # Errors
/// Refuses entries that cannot be corrected, and selections that change or answer nothing.
pub(super) fn correct(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    correction: &Correction,
    answers: &mut dyn AnswerSource,
) -> Result<Played, Refusal> {
    let what = shlex::try_join(request.words.iter().map(String::as_str)).unwrap_or_default();
    let voids = correction.voids;
    understand(ruleset, &request.given)?;
    let entries = entries(ruleset, game, correction, voids)?;
    let mut given = request.given.clone();
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
        let message = format!("no selection of entry {} was changed", entries[0].id);
        let help = format!("its selections are {} {}", entries[0].action.random, entries[0].action.chosen);
        return Err(Refusal::new("nothing-changes", message).help(help).rule("M-6"));
    }
    let changes_draws =
        |amends: &Amends| matches!(&amends.change, Amended::Selections { random, .. } if !random.is_empty());
    if derives(game) && amends.iter().any(changes_draws) && correction.because.is_empty() {
        let refusal = Refusal::new("no-reason", "changing a derived draw requires a reason");
        return Err(refusal.help("name the ruling with --because; `referee verify` lists the draw").rule("RC-1"));
    }
    // What an undone or dropped correction of the same entries has drawn is not drawn again (RC-2).
    let chooses = request.decline || given.all().any(|(_, values)| !values.is_empty());
    let known = PendingState::of_reused(game, dice_to_reuse(ruleset, game, &what), chooses)?;
    let begun = |selections: &[Selection], random: Value, chosen: Value| PendingAction {
        what: what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        random,
        chosen,
        posted: posted(selections, &known.posted),
        seed: seed(selections, request, known.seed),
        reused: known.reused,
        sealed: known.sealed.clone(),
        dice: known.dice.clone(),
        ..PendingAction::default()
    };
    if entries.iter().all(|entry| !entry.counts()) {
        let ran = void_only(game, &amends);
        let entry = begun(&[], Value::Null, Value::Null);
        return Ok(completed_turn(ruleset, game, ran, entry, Some(Outcome::Corrected)));
    }
    let mut drawer = drawer(ruleset, game, &begun(&[], Value::Null, Value::Null), request, &given)?;
    let run = |given| {
        let mut ran = replay_corrected(ruleset, game, &amends, given);
        with_steps(&mut ran);
        ran
    };
    let mut ran =
        run_answered(&run, known.selections(&given), request, (Vec::new(), game.log.len()), &mut drawer, answers);
    drawer.name_round(&mut ran.status);
    let (sealed, dice) = drawer.into_values(false);
    if ran.status != Status::Done {
        let mut next = game.clone();
        if ran.selections.iter().any(|selection| selection.origin == Origin::Drawn) {
            // What was drawn on the way is kept: the same correction reuses it (RC-2).
            let action = PendingAction { sealed, dice, ..begun(&ran.selections, ran.random.clone(), Value::Null) };
            append_log(&mut next, LogEntry { action, outcome: Some(Outcome::Dropped), ..LogEntry::default() });
        }
        return Ok(Played {
            status: ran.status,
            action: what,
            selections: ran.selections,
            events: ran.events,
            changes: Vec::new(),
            next,
        });
    }
    if let Some((key, _)) = ran.given.unused().next() {
        let message = format!("unused selection `{key}`: nothing asks for it");
        return Err(Refusal::new("unused-selection", message).rule("M-6"));
    }
    if let Some(refusal) = left_behind(game, &ran.game) {
        return Err(refusal);
    }
    let thrown_by = ran.thrown_by.clone();
    let begun =
        PendingAction { thrown_by, sealed, dice, ..begun(&ran.selections, ran.random.clone(), ran.chosen.clone()) };
    Ok(completed_turn(ruleset, game, ran, begun, Some(Outcome::Corrected)))
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
            let refusal = Refusal::new("unknown-entry", format!("unknown entry {id}"));
            return Err(refusal.help(format!("the last is {last}")));
        };
        if !voids && !game.took_place(entry) {
            let refusal = Refusal::new("not-performed", format!("entry {id} is undone or void"));
            return Err(refusal.help("only an action that was performed can be amended"));
        }
        if matches!(entry.outcome, Some(Outcome::Declared | Outcome::Corrected)) {
            let refusal = Refusal::new("not-performed", format!("entry {id} was entered by hand"));
            return Err(refusal.help("`undo` or another correction changes it"));
        }
        if game.log.iter().any(|later| later.voids(*id)) {
            return Err(Refusal::new("nothing-changes", format!("entry {id} is already void")).rule("RC-2"));
        }
        let moves = entry.action.what.split(' ').next().and_then(|word| ruleset.declared.action(word));
        if !voids
            && moves.is_some_and(|rule| rule.moves)
            && entry.action.phase + 1 < game.phase
            && correction.because.is_empty()
        {
            let message = format!("the move of entry {id} is final: phase {} has ended since", entry.action.phase + 1);
            let help = "if the Judge has ruled otherwise, name the ruling with --because (R-84)";
            return Err(Refusal::new("too-late", message).help(help).rule("M-6"));
        }
        found.push(entry.as_ref());
    }
    if voids && correction.because.is_empty() {
        let refusal = Refusal::new("no-reason", "voiding an entry requires a reason");
        return Err(refusal.help("name the consensus or the ruling with --because").rule("RC-2"));
    }
    Ok(found)
}

/// Removes the new selections of an entry from those given, and returns them; the rest answers what is asked on the way.
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
