//! Guards the key `dice`: it changes by an entry alone, and what draws are derived from is fixed before they can be known.

use std::sync::Arc;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::data::{Key, Value};
use crate::draws::{Seal, Thrower};
use crate::game::Game;
use crate::play::sealed::state_of;
use crate::protocol::Refusal;

fn bound(message: impl Into<String>, help: &str) -> Refusal {
    Refusal::new("bound-dice", message).help(help).rule("RC-1")
}

/// Gives a game an id if `state`, which is to follow it, has dice that are derived and no id. The id is computed from the
/// game, so that verifying finds the same.
pub fn add_id(game: &Game, state: &mut Value) {
    let by = state.get("dice").and_then(|dice| dice.get("by")).and_then(Value::as_text);
    if game.id.is_empty() && matches!(by, Some("sealed" | "beacon")) {
        let digest = Sha256::digest(format!("referee game {}", state_of(game)).as_bytes());
        let id: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        state.set(Key::from("id"), Value::from(format!("g{id}").as_str()));
    }
}

/// Checks a change of `dice` that was set by hand at this time, and notes from when on new dice count.
///
/// # Errors
/// `bound-dice` for a change that could choose draws: of a seal's secret, time or existing words; a word after the words are
/// closed or after a draw; a seal that leaves no time for words.
pub fn settle(before: &Game, next: &mut Game, at: Option<Timestamp>) -> Result<(), Refusal> {
    if before.dice == next.dice {
        return Ok(());
    }
    let read =
        |game: &Game| Thrower::read(&game.dice).map_err(|wrong| Refusal::new(wrong.error.code, wrong.error.message));
    let (old, new) = (read(before)?, read(next)?);
    match (&old, &new) {
        (Thrower::Sealed(old), Thrower::Sealed(new)) if old.hash == new.hash => {
            return words_only(before, old, new, at);
        }
        (_, Thrower::Sealed(seal)) => fresh(seal, at)?,
        _ => {}
    }
    // A post from before cannot take a round that was known when the dice were chosen.
    let dice = Arc::make_mut(&mut next.dice);
    dice.remove("since");
    if let (Thrower::Beacon(_), Some(at)) = (&new, at) {
        dice.set(Key::from("since"), Value::from(at.to_string().as_str()));
    }
    Ok(())
}

/// Checks a new seal.
fn fresh(seal: &Seal, at: Option<Timestamp>) -> Result<(), Refusal> {
    let until = seal.words_until.filter(|_| !seal.scheme_1 && seal.secret.is_none());
    let Some(until) = until else {
        return Err(bound("a new seal is `hash` and `words-until` alone", "leave out `scheme` and `secret`"));
    };
    if seal.words.iter().next().is_some() || at.is_none_or(|at| until <= at) {
        let message = "the hash is published first, then players add words";
        return Err(bound(message, "set `words-until` to a later time, and add the words with later entries"));
    }
    Ok(())
}

/// Checks that nothing but words were added, in time.
fn words_only(before: &Game, old: &Seal, new: &Seal, at: Option<Timestamp>) -> Result<(), Refusal> {
    let kept = old.words.iter().all(|word| new.words.iter().any(|own| own == word));
    let same = (&old.secret, old.words_until, old.scheme_1) == (&new.secret, new.words_until, new.scheme_1);
    if !kept || !same {
        let message = "of a seal only words can be added by hand";
        return Err(bound(message, "`referee reveal` reveals the secret; another hash is a new seal"));
    }
    let open = old.words_until.zip(at).is_some_and(|(until, at)| at < until);
    let drawn = before.log.iter().map(|entry| &entry.action).chain(&*before.pending).any(|own| !own.dice.is_empty());
    if !open || drawn {
        return Err(bound("the words are closed", "dice that follow from a later word could be chosen with it"));
    }
    Ok(())
}
