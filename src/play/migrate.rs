//! Moves a game from one ruleset to another: what has no counterpart there is removed, and listed.

use std::sync::Arc;

use super::record::{append_log, declared_turn};
use super::turn::Request;
use crate::data::{Key, Value};
use crate::game::{Game, LogEntry, Name, Outcome, PendingAction, SpaceId};
use crate::ruleset::{Field, Ruleset};

/// The word of the command.
pub(super) const WORD: &str = "migrate";

/// A game that was moved to another ruleset.
pub struct Migrated {
    /// The game under the other ruleset.
    pub next: Game,
    /// In words, everything that has no counterpart there.
    pub lost: Vec<String>,
    /// In words, the settings that the game leaves to its ruleset and that are not the same there.
    pub changed: Vec<String>,
}

/// Moves a game to another ruleset.
pub fn migrate(old: &Ruleset, new: &Ruleset, game: &Game, to: &str, at: Option<jiff::Timestamp>) -> Migrated {
    let mut next = game.clone();
    let mut lost = Vec::new();
    next.ruleset = to.into();
    let rules = &new.declared;
    for (what, map, fields) in [
        ("setting", &mut next.settings, &rules.settings),
        ("state", &mut next.state, &rules.state),
        ("amendment", &mut next.amendments, &rules.amendments),
    ] {
        let means = |field: &Field| new.means_something(game, field);
        keep_declared(Arc::make_mut(map), fields, means, &mut |key, value| {
            lost.push(format!("the {what} `{key}`, {value}"));
        });
    }
    let ids: Vec<_> = next.players().map(|(id, _)| id).collect();
    for id in ids {
        let player = next.player_mut(id);
        let name = Arc::clone(&player.name);
        let gone = |item: &Name| new.item(new.plain(item)).is_none();
        for (item, count) in player.items.iter().filter(|(item, _)| gone(item)) {
            lost.push(format!("{name}'s {count} {item}"));
        }
        player.items.retain(|(item, _)| !gone(item));
        player.symbolic.retain(|(item, _)| !gone(item));
        let mut note = |key: &str, _: &Value| lost.push(format!("{name}'s `{key}`"));
        keep_declared(&mut player.marks, &rules.marks, |_| true, &mut note);
        keep_declared(&mut player.fields, &rules.player_fields, |_| true, &mut note);
    }
    let spaces: Vec<SpaceId> = next.board().spaces().map(|space| space.id).collect();
    for id in spaces {
        let Some(space) = next.board_mut().get_mut(id) else { continue };
        if !new.has_type(&space.kind) {
            lost.push(format!("the type {} of space {id}, which is now {} (B-6)", space.kind, rules.default_type));
            space.kind = Arc::clone(&rules.default_type);
        }
        let mut note = |key: &str, _: &Value| lost.push(format!("`{key}` of space {id}"));
        keep_declared(&mut space.fields, &rules.space_fields, |_| true, &mut note);
        let Some(field) = &rules.shown_by else { continue };
        let members = new.category(&space.kind);
        let shown = space.fields.get(field).and_then(Value::as_text).map(str::to_owned);
        let fits = |shown: &String| {
            members.is_some_and(|members| *shown == *rules.default_type || members.iter().any(|own| **own == **shown))
        };
        if let Some(shown) = shown.filter(|shown| !fits(shown)) {
            lost.push(format!("the {field} {shown} of space {id}"));
            space.fields.remove(field);
        }
    }
    for pending in std::mem::take(Arc::make_mut(&mut next.pending)) {
        lost.push(format!("`{}`, which was pending", pending.what));
        let action = PendingAction { given: Value::Null, ..pending };
        append_log(&mut next, LogEntry { action, outcome: Some(Outcome::Lapsed), ..LogEntry::default() });
    }
    let what = shlex::try_join([WORD, to]).unwrap_or_else(|_| WORD.to_owned());
    let next = declared_turn(old, game, next, what, &Request { at, ..Request::default() }).next;
    Migrated { next, lost, changed: changed(old, new, game) }
}

/// Returns the game after an entry that says it was moved to another ruleset. If that ruleset is the given one, it is moved
/// again; of another one only what is certain can be checked, that moving takes away and gives nothing.
///
/// # Errors
/// Says what the entry does that moving a game does not do.
pub(super) fn migrated_again(
    old: &Ruleset,
    at_hand: Option<&Arc<Ruleset>>,
    then: &Game,
    entry: &LogEntry,
    words: &[String],
) -> Result<Game, String> {
    let to = words.get(1).ok_or("the ruleset to which the game was moved is missing")?;
    if let Some(new) = at_hand.filter(|new| to.rsplit('/').next() == Some(new.name.as_str())) {
        let mut next = migrate(old, new, then, to, entry.action.at).next;
        next.log = Arc::clone(&then.log);
        return Ok(next);
    }
    let gives = |key: &Key, pair: &Value| {
        let key = key.to_string();
        let may = key == "/ruleset" || key == "/pending" || key.starts_with("/spaces/") && key.ends_with("/type");
        !may && pair.items().get(1).is_some_and(|after| *after != Value::Null)
    };
    if let Some((key, pair)) = entry.changes.entries().iter().find(|(key, pair)| gives(key, pair)) {
        return Err(format!("it sets {key} to {}, and moving a game only takes away", pair.items()[1]));
    }
    let mut game = then.clone();
    let done = game.do_again(&entry.changes);
    done.map_err(|conflict| format!("{} does not exist", conflict.pointer))?;
    Ok(game)
}

/// Lists the settings that a game leaves to its ruleset, if they differ in another.
fn changed(old: &Ruleset, new: &Ruleset, game: &Game) -> Vec<String> {
    let left = old.declared.settings.iter().filter(|field| game.settings.get(&field.name).is_none());
    left.filter_map(|field| {
        let now = &new.declared.settings.iter().find(|own| own.name == field.name)?.default;
        (*now != field.default).then(|| format!("`{}` changes from {} to {now}", field.name, field.default))
    })
    .collect()
}

/// Removes the entries of a map that are not declared or mean nothing.
///
/// `lost` is told each of them.
fn keep_declared(
    map: &mut Value,
    fields: &[Field],
    means: impl Fn(&Field) -> bool,
    lost: &mut dyn FnMut(&str, &Value),
) {
    let kept = |key: &Key| fields.iter().any(|field| key.is(&field.name) && means(field));
    let gone: Vec<_> = map.entries().iter().filter(|(key, _)| !kept(key)).cloned().collect();
    for (key, value) in gone {
        lost(&key.to_string(), &value);
        map.remove(&key.to_string());
    }
}
