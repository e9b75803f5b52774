//! Rolls of other actions: which one is meant, and how it is changed (D-4, R-61, R-92).

use std::sync::Arc;

use super::context::{Context, refusal};
use super::interrupt::Interrupt;
use crate::data::Value;
use crate::game::{Amends, LogEntry, PendingAction, PlayerId, Rolled};
use crate::protocol::spelled;
use crate::protocol::{By, Options, Question, What};
use crate::ruleset::{Action, Ruleset};

/// A die of an action: its key, and its place from 1 on among the dice of the key; a roll without dice has no place.
#[derive(Debug, Clone)]
pub(super) struct Die {
    pub key: String,
    pub place: Option<usize>,
}

/// A die that can be meant.
#[derive(Debug, Clone)]
pub(super) struct Meant {
    pub of: Rolled,
    pub die: Die,
    /// The ways of saying it.
    names: Vec<Value>,
}

/// Returns the player that an action's words name first.
pub(super) fn actor(ruleset: &Ruleset, context: &Context, action: &PendingAction) -> Option<PlayerId> {
    let words = shlex::split(&action.what)?;
    Action::read(ruleset, &context.game, &words).ok()?.player()
}

/// Lists the dice of an action in the order in which they fell.
fn dice(ruleset: &Ruleset, action: &PendingAction) -> Vec<Die> {
    let mut found = Vec::new();
    for (key, shown) in action.random.entries() {
        let key = key.to_string();
        if !ruleset.declared.is_dice(&key) {
            continue;
        }
        match shown.items().len() {
            0 => found.push(Die { key, place: None }),
            count => found.extend((1..=count).map(|place| Die { key: key.clone(), place: Some(place) })),
        }
    }
    found
}

fn candidates(context: &Context, player: PlayerId, own: &str, (only, fixed): (bool, bool)) -> Vec<Meant> {
    let ruleset = Arc::clone(&context.ruleset);
    // A roll without dice has none that could be meant by itself.
    let counts = |die: &Die| (!only || die.key == own) && (fixed || die.place.is_some());
    let phase = context.game.phase;
    let mut found: Vec<Meant> = Vec::new();
    let pending: Vec<(&PendingAction, Vec<Die>)> = context
        .game
        .pending
        .iter()
        .filter(|pending| pending.phase == phase && pending.what != context.action.what)
        .map(|pending| (pending, dice(&ruleset, pending)))
        .filter(|(_, dice)| dice.iter().any(counts))
        .collect();
    let bare = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    for (action, dice) in &pending {
        let whose = actor(&ruleset, context, action).map(|id| context.name(id));
        for (place, die) in dice.iter().enumerate().filter(|(_, die)| counts(die)) {
            let mut names = Vec::new();
            if pending.len() == 1 {
                names.push(bare(place + 1));
            }
            names.extend(whose.iter().map(|name| Value::Text(format!("{name}.{}", place + 1))));
            found.push(Meant { of: Rolled::Pending(action.what.clone()), die: die.clone(), names });
        }
    }
    let performed = context.game.log.iter().rev().take_while(|entry| entry.action.phase >= phase);
    let mut last_own = pending.len() == 1;
    let mut entries = Vec::new();
    for entry in performed.filter(|entry| entry.action.phase == phase && may_be_meant(context, entry)) {
        let dice = dice(&ruleset, &entry.action);
        let theirs = !last_own
            && dice.iter().any(|die| die.key == own && counts(die))
            && actor(&ruleset, context, &entry.action) == Some(player);
        last_own |= theirs;
        let mut of_entry = Vec::new();
        for (place, die) in dice.iter().enumerate().filter(|(_, die)| counts(die)) {
            let mut names = vec![Value::Text(format!("{}.{}", entry.id, place + 1))];
            if theirs && die.key == own {
                names.insert(0, bare(die.place.unwrap_or(1)));
            }
            of_entry.push(Meant { of: Rolled::Entry(entry.id), die: die.clone(), names });
        }
        entries.push(of_entry);
    }
    found.extend(entries.into_iter().rev().flatten());
    found
}

fn may_be_meant(context: &Context, entry: &LogEntry) -> bool {
    entry.outcome.is_none() && context.game.took_place(entry)
}

/// Finds which roll of another action is meant; if the action is known to have changed one already, that one.
pub(super) fn choose(
    context: &mut Context,
    player: PlayerId,
    key: &str,
    own: &str,
    text: &str,
    kinds: (bool, bool),
) -> Result<Meant, Interrupt> {
    let by = By::Player(context.name(context.decider(player, false)));
    let known = context.action.amends.get(context.amends.len());
    if let Some((of, amendment)) = known.and_then(|known| Some((known.of.clone(), known.roll()?.clone()))) {
        // What was said then; it may read differently on the game of now.
        if let Some(said) = context.given.take(key, 1).pop() {
            context.note(key, by, said);
        }
        let die = Die { key: amendment.key, place: amendment.die };
        return Ok(Meant { of, die, names: Vec::new() });
    }
    let found = candidates(context, player, own, kinds);
    let mut rolls: Vec<&Rolled> = found.iter().map(|meant| &meant.of).collect();
    rolls.dedup();
    let said = context.given.left(key).first().cloned();
    if let Some(said) = &said {
        too_late(context, said)?;
    }
    if kinds.0 && rolls.len() == 1 && said.is_none() {
        return Ok(found[0].clone());
    }
    let options: Vec<Value> = found.iter().flat_map(|meant| meant.names.iter().cloned()).collect();
    if options.is_empty() {
        let message = "no roll of this phase can be chosen".to_owned();
        return Err(refusal(
            "illegal-selection",
            message,
            Some("only rolls of this phase can be changed (GB-4)".into()),
            "R-61",
        ));
    }
    let question =
        Question::new(key, by.clone(), What::Text, Options::OneOf(options.clone()), text.to_owned(), &context.cause);
    // One die under one name is still to be named: a die is not a roll.
    let answer = if options.len() == 1 && said.is_none() { options[0].clone() } else { context.ask(question)? };
    let meant = found.into_iter().find(|meant| meant.names.iter().any(|name| spelled(name) == spelled(&answer)));
    Ok(meant.expect("an answer is one of those offered"))
}

/// Refuses a roll of an earlier phase (GB-4).
fn too_late(context: &Context, said: &Value) -> Result<(), Interrupt> {
    let said = spelled(said);
    let Some(id) = said.split_once('.').and_then(|(id, _)| id.parse::<i64>().ok()) else { return Ok(()) };
    match context.game.log.iter().find(|entry| entry.id == id) {
        Some(entry) if entry.action.phase < context.game.phase => {
            let message = format!(
                "entry {id} was rolled in phase {}, but this is phase {}",
                entry.action.phase, context.game.phase
            );
            Err(refusal("too-late", message, Some("only rolls of this phase can be changed".into()), "GB-4"))
        }
        _ => Ok(()),
    }
}

/// Changes a roll: of a pending action in place; of one that was performed by going back to it.
pub(super) fn amend(context: &mut Context, amends: Amends, record_only: bool) -> Result<(), Interrupt> {
    let known = context.amends.len() < context.action.amends.len();
    if let Rolled::Pending(what) = &amends.of
        && let Some(place) = context.game.pending.iter().position(|pending| pending.what == *what)
        && !known
    {
        Arc::make_mut(&mut context.game.pending)[place].amended.extend(amends.roll().cloned());
    }
    if matches!(amends.of, Rolled::Entry(_)) && !known && !record_only {
        return Err(Interrupt::Rewinds(amends));
    }
    context.amends.push(amends);
    Ok(())
}

/// Lists every throw of dice in this phase: of performed actions, of those under way, and of this one.
pub(super) fn past(context: &Context) -> Vec<(PlayerId, String, Vec<i64>)> {
    let ruleset = Arc::clone(&context.ruleset);
    let mut found = Vec::new();
    let this_phase = context.game.log.iter().rev().take_while(|entry| entry.action.phase >= context.game.phase);
    // Dice of a dropped action count as thrown; those of an undone or void one do not.
    let thrown = |entry: &&Arc<LogEntry>| !entry.undone && (!entry.counts() || context.game.took_place(entry));
    let own = this_phase.filter(thrown).map(|entry| &entry.action);
    let mut actions: Vec<&PendingAction> = own.filter(|action| action.phase == context.game.phase).collect();
    actions.reverse();
    actions.extend(context.game.pending.iter().filter(|action| action.what != context.action.what));
    for action in actions {
        let Some(player) = actor(&ruleset, context, action) else { continue };
        for (key, value) in action.random.entries() {
            let key = key.to_string();
            let dice: Vec<i64> = value.items().iter().filter_map(Value::as_int).collect();
            if ruleset.declared.is_dice(&key) && !dice.is_empty() {
                found.push((player, key, dice));
            }
        }
    }
    if let Some(player) = context.action.player() {
        for selection in context.selections.iter().filter(|selection| selection.dice) {
            let dice = selection.value.items().iter().filter_map(Value::as_int).collect();
            found.push((player, selection.key.clone(), dice));
        }
    }
    found
}
