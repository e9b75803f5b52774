//! Rolls of other actions: which one is meant, and how it is changed (D-4, R-61, R-92).

use std::sync::Arc;

use super::context::{Context, refusal};
use super::interrupt::Interrupt;
use super::whose::{Throw, since_replayed, throws};
use crate::data::Value;
use crate::game::{Amends, LogEntry, PendingAction, PlayerId, Rolled};
use crate::protocol::spelled;
use crate::protocol::{By, Options, Question, What};

/// A die of an action: its key, and its place from 1 on among the dice of the key; a roll without dice has no place.
#[derive(Debug, Clone)]
pub(super) struct Die {
    pub key: String,
    pub place: Option<usize>,
}

impl Throw {
    fn named(&self) -> Die {
        Die { key: self.key.clone(), place: self.place }
    }
}

/// A die that can be meant.
#[derive(Debug, Clone)]
pub(super) struct Meant {
    pub of: Rolled,
    pub die: Die,
    /// The ways of saying it.
    names: Vec<Value>,
}

fn candidates(context: &Context, player: PlayerId, own: &str, (only, fixed): (bool, bool)) -> Vec<Meant> {
    // A roll without dice has none that could be meant by itself.
    let counts = |die: &Throw| (!only || die.key == own) && (fixed || die.place.is_some());
    let phase = context.game.phase;
    let mut found: Vec<Meant> = Vec::new();
    let pending: Vec<(&PendingAction, Vec<Throw>)> = context
        .game
        .pending
        .iter()
        .filter(|pending| pending.phase == phase && pending.what != context.action.what)
        .map(|pending| (pending, throws(context, pending)))
        .filter(|(_, dice)| dice.iter().any(counts))
        .collect();
    let bare = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    for (action, dice) in &pending {
        for (place, die) in dice.iter().enumerate().filter(|(_, die)| counts(die)) {
            let mut names = Vec::new();
            if pending.len() == 1 {
                names.push(bare(place + 1));
            }
            let whose = die.whose.map(|id| context.name(id));
            names.extend(whose.iter().map(|name| Value::Text(format!("{name}.{}", place + 1))));
            found.push(Meant { of: Rolled::Pending(action.what.clone()), die: die.named(), names });
        }
    }
    let performed = context.game.log.iter().rev().take_while(|entry| entry.action.phase >= phase);
    let mut last_own = pending.len() == 1;
    let mut entries = Vec::new();
    for entry in performed.filter(|entry| entry.action.phase == phase && may_be_meant(context, entry)) {
        let dice = throws(context, &since_replayed(&context.game, entry));
        let is_own = |die: &Throw| die.key == own && die.whose == Some(player);
        let theirs = !last_own && dice.iter().any(|die| is_own(die) && counts(die));
        last_own |= theirs;
        let mut of_entry = Vec::new();
        for (place, die) in dice.iter().enumerate().filter(|(_, die)| counts(die)) {
            let mut names = vec![Value::Text(format!("{}.{}", entry.id, place + 1))];
            if theirs && is_own(die) {
                names.insert(0, bare(die.place.unwrap_or(1)));
            }
            of_entry.push(Meant { of: Rolled::Entry(entry.id), die: die.named(), names });
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

/// Lists every throw of dice in this phase, with whose it is: of performed actions as they are since they were last replayed
/// of those under way, and of this one.
pub(super) fn past(context: &Context) -> Vec<(PlayerId, String, Vec<i64>)> {
    let game = &context.game;
    let this_phase = game.log.iter().rev().take_while(|entry| entry.action.phase >= game.phase);
    // Dice of a dropped action count as thrown; those of an undone or void one do not.
    let thrown = |entry: &&Arc<LogEntry>| !entry.undone && (!entry.counts() || game.took_place(entry));
    let own = this_phase.filter(thrown).filter(|entry| entry.action.phase == game.phase);
    let mut actions: Vec<PendingAction> = own.map(|entry| since_replayed(game, entry)).collect();
    actions.reverse();
    actions.extend(game.pending.iter().filter(|action| action.what != context.action.what).cloned());
    let mut found: Vec<(PlayerId, String, Vec<i64>)> = Vec::new();
    for action in &actions {
        let mut of_action: Vec<(PlayerId, String, Vec<i64>)> = Vec::new();
        for throw in throws(context, action).into_iter().filter(|throw| throw.place.is_some()) {
            let Some(player) = throw.whose else { continue };
            match of_action.last_mut().filter(|(own, key, _)| *own == player && *key == throw.key) {
                Some((_, _, dice)) => dice.push(throw.shows),
                None => of_action.push((player, throw.key, vec![throw.shows])),
            }
        }
        found.extend(of_action);
    }
    for selection in context.selections.iter().filter(|selection| selection.dice) {
        let whose = selection.whose.as_text().and_then(|name| game.player_named(name));
        if let Some(player) = whose {
            let dice = selection.value.items().iter().filter_map(Value::as_int).collect();
            found.push((player, selection.key.clone(), dice));
        }
    }
    found
}
