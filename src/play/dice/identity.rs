//! The identity of an action: its kind, its player, and how many of the kind the player began before it in the phase.

use crate::game::{Game, PendingAction};
use crate::ruleset::{Action, Ruleset};

/// What a draw binds of its action, besides game and phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The first word of the command.
    pub kind: String,
    /// The player as the gamestate spells them; empty if the action is not a player's.
    pub player: String,
}

/// Returns the identity of a command as the log has it.
pub fn identity(ruleset: &Ruleset, game: &Game, what: &str) -> Identity {
    let words = shlex::split(what).unwrap_or_default();
    let kind = words.first().cloned().unwrap_or_default();
    let action = Action::read(ruleset, game, &words).ok();
    let player = action.as_ref().and_then(Action::player).map(|player| game.player(player).name.to_string());
    // Whoever has left the game is no longer a player: the first argument is their name.
    let left = || {
        let rule = ruleset.declared.action_of(&words)?;
        words.get(rule.name.split(' ').count()).filter(|_| action.is_none()).cloned()
    };
    Identity { kind, player: player.or_else(left).unwrap_or_default() }
}

/// Returns the actions of this phase with this identity, other than `own`, each once: those that reuse the draws of an
/// earlier one are the same action. Undone and dropped ones are among them.
pub fn others<'a>(
    ruleset: &'a Ruleset,
    game: &'a Game,
    own: &'a Identity,
    phase: i64,
) -> impl Iterator<Item = &'a PendingAction> {
    let logged = game.log.iter().rev().take_while(move |entry| entry.action.phase >= phase).map(|entry| &entry.action);
    let all = logged.chain(game.pending.iter());
    all.filter(move |action| action.phase == phase && action.reused.is_none() && is_of(ruleset, game, own, action))
}

fn is_of(ruleset: &Ruleset, game: &Game, own: &Identity, action: &PendingAction) -> bool {
    // Reading a command costs time, and most have another word.
    let word = action.what.split(' ').next();
    word == Some(own.kind.as_str()) && identity(ruleset, game, &action.what) == *own
}

/// Returns how many actions of this identity were begun earlier in the phase.
pub fn count(ruleset: &Ruleset, game: &Game, own: &Identity, phase: i64) -> u64 {
    others(ruleset, game, own, phase).count() as u64
}
