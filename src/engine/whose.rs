//! Whose the dice of an action are (M-8, R-87), and what the dice of the log are now that later entries have had some of them
//! replayed.

use std::sync::Arc;

use super::context::Context;
use crate::data::{Key, Map, Value};
use crate::game::{Game, LogEntry, PendingAction, PlayerId};
use crate::protocol::Selection;
use crate::ruleset::{Action, Ruleset};

/// A die of an action, or a roll of it that has none.
#[derive(Debug, Clone)]
pub(super) struct Throw {
    /// The key of the roll.
    pub key: String,
    /// The place from 1 on among the dice of the key that fell for this action; a roll without dice has none.
    pub place: Option<usize>,
    /// What it shows, as it fell.
    pub shows: i64,
    /// The player whose it is, if they are still one.
    pub whose: Option<PlayerId>,
}

/// Returns whose the recorded dice are, as the file has it: by key a name, or a list with one for each die; those of `actor`
/// alone are left out.
pub fn thrown_by<'a>(selections: impl IntoIterator<Item = &'a Selection>, actor: Option<&Value>) -> Value {
    let mut by_key: Vec<(Key, Vec<Value>)> = Vec::new();
    for selection in selections.into_iter().filter(|selection| selection.dice && selection.recorded) {
        // A roll without dice belongs to a player too.
        let whose = vec![selection.whose.clone(); selection.value.items().len().max(1)];
        match by_key.iter_mut().find(|(key, _)| key.is(&selection.key)) {
            Some((_, own)) => own.extend(whose),
            None => by_key.push((Key::from(selection.key.as_str()), whose)),
        }
    }
    let said = by_key.into_iter().filter(|(_, own)| own.iter().any(|whose| Some(whose) != actor && !whose.is_empty()));
    let short = |mut own: Vec<Value>| {
        if own.iter().all(|whose| *whose == own[0]) { own.swap_remove(0) } else { Value::List(own) }
    };
    let map: Map = said.map(|(key, own)| (key, short(own))).collect();
    if map.is_empty() { Value::Null } else { Value::Map(map) }
}

/// Returns the player that an action's words name first.
fn actor(ruleset: &Ruleset, context: &Context, action: &PendingAction) -> Option<PlayerId> {
    let words = shlex::split(&action.what)?;
    Action::read(ruleset, &context.game, &words).ok()?.player()
}

/// Lists the dice of an action in the order in which they fell, without those that fell for the replay of others.
pub(super) fn throws(context: &Context, action: &PendingAction) -> Vec<Throw> {
    let ruleset = Arc::clone(&context.ruleset);
    let actor = actor(&ruleset, context, action);
    let mut found = Vec::new();
    for (key, shown) in action.random.entries() {
        let key = key.to_string();
        if !ruleset.declared.is_dice(&key) {
            continue;
        }
        let said = action.thrown_by.get(&key).cloned().unwrap_or_default();
        let whose = |index: usize| match &said {
            Value::List(each) => each.get(index).cloned().unwrap_or_default(),
            one => one.clone(),
        };
        let player = |whose: &Value| match whose {
            Value::Text(name) => context.game.player_named(name),
            _ => actor,
        };
        let dice = shown.items();
        if dice.is_empty() {
            found.push(Throw { key, place: None, shows: 0, whose: player(&whose(0)) });
            continue;
        }
        let mut place = 0;
        for (index, die) in dice.iter().enumerate() {
            let whose = whose(index);
            if matches!(whose, Value::Int(_)) {
                continue;
            }
            place += 1;
            let shows = die.as_int().unwrap_or_default();
            found.push(Throw { key: key.clone(), place: Some(place), shows, whose: player(&whose) });
        }
    }
    found
}

/// Returns the action of an entry of the log with its selections as they are since it was last replayed.
pub(super) fn since_replayed(game: &Game, entry: &LogEntry) -> PendingAction {
    let id = entry.id.to_string();
    let mut later = game.log.iter().rev().take_while(|later| later.id > entry.id).filter(|later| later.counts());
    let mut action = entry.action.clone();
    if let Some(since) = later.find_map(|later| later.again.get(&id)) {
        let part = |key: &str| since.get(key).cloned().unwrap_or_default();
        (action.random, action.chosen, action.thrown_by) = (part("random"), part("chosen"), part("thrown-by"));
    }
    action
}
