//! Lists the draws of a log for programs that check them on their own.

use std::sync::Arc;

use crate::data::Value;
use crate::game::Game;
use crate::play::dice::list::draws_of;
use crate::ruleset::Ruleset;

/// Returns every draw of scheme 2 of a game, those of pending, undone and dropped actions included: each a map in the form
/// of `docs/dice.md`, "Check it yourself".
pub fn draws(ruleset: &Ruleset, game: &Game) -> Vec<Value> {
    let mut then = game.clone();
    for entry in game.log.iter().rev().filter(|entry| entry.counts()) {
        then.force_back(&entry.changes);
    }
    then.log = Arc::default();
    let mut all = Vec::new();
    for entry in game.log.iter() {
        if !entry.action.dice.is_empty() {
            all.push((entry.action.clone(), then.clone()));
        }
        if entry.counts() {
            let _ = then.do_again(&entry.changes);
            then.sweep();
        }
    }
    draws_of(ruleset, game, &all)
}
