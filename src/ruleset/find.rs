//! Finding what a word of a command names in a game: a player, a space, a kind of item.

use super::names::{self, find};
use super::rules::Ruleset;
use crate::data::Value;
use crate::data::nearest;
use crate::game::{Game, Name, Player, PlayerId, SpaceId};
use crate::protocol::Refusal;

/// Finds a person who need not be a player: the player whom the word names, else the word itself.
pub(super) fn find_person(game: &Game, word: &str) -> Result<String, Refusal> {
    match find_player(game, word) {
        Ok(player) => Ok(game.player(player).name.to_string()),
        Err(error) if error.code == "ambiguous" => Err(error),
        Err(_) => Ok(word.trim().to_owned()),
    }
}

/// Finds a player by exact name, else without regard to case, else by a beginning that only one name has (TA-7).
///
/// # Errors
/// Refuses with `unknown-player` and the nearest name, or with `ambiguous` and the names that fit.
pub fn find_player(game: &Game, word: &str) -> Result<PlayerId, Refusal> {
    if let Some(player) = called(game, word) {
        return Ok(player);
    }
    let found = find(word, game.players().map(|(id, player)| (id, &*player.name)));
    found.map_err(|fitting| unknown("player", word, &fitting, game.players().map(|(_, player)| &*player.name)))
}

/// Returns the player who has this name in full, or as an alias.
pub(crate) fn called(game: &Game, name: &str) -> Option<PlayerId> {
    let also = |player: &Player| {
        let aliases = player.fields.get("aliases").map_or(&[][..], Value::items);
        aliases.iter().filter_map(Value::as_text).any(|alias| names::same(alias, name))
    };
    let named = game.player_named(name);
    let alike = || game.players().find(|(_, player)| names::same(&player.name, name)).map(|(id, _)| id);
    named.or_else(alike).or_else(|| game.players().find(|(_, player)| also(player)).map(|(id, _)| id))
}

pub(super) fn find_space(ruleset: &Ruleset, game: &Game, word: &str) -> Result<SpaceId, Refusal> {
    // The initial space exists even if the file has left it out: the action makes it first (B-5).
    let exists = |id: &SpaceId| game.space(*id).is_some() || *id == ruleset.declared.initial_space;
    let id = word.parse::<SpaceId>().ok().filter(exists);
    id.ok_or_else(|| {
        let help = format!("the board has {} spaces; `referee show board` lists them", game.board().len());
        Refusal::new("unknown-space", format!("unknown space {word}")).help(help)
    })
}

/// Finds a kind of item by exact name, number (`G-006` or `6`), or a beginning that only one name has.
///
/// # Errors
/// Refuses with `unknown-item` and the nearest name, or with `ambiguous` and the names that fit.
pub fn find_item(ruleset: &Ruleset, game: &Game, word: &str) -> Result<Name, Refusal> {
    let rows = ruleset.rows(game);
    let letter = ruleset.declared.rows.as_ref().map_or("", |rows| rows.letter.as_str());
    let digits = word.strip_prefix(letter).and_then(|rest| rest.strip_prefix('-')).unwrap_or(word);
    if let Some((_, name)) = digits.parse::<i64>().ok().and_then(|number| rows.iter().find(|(own, _)| *own == number)) {
        return Ok(name.clone());
    }
    for made in &ruleset.declared.derived {
        // A kind that is made of another kind (GB-7).
        let Some((first, rest)) = word.split_once(' ').filter(|(first, _)| first.eq_ignore_ascii_case(made)) else {
            continue;
        };
        debug_assert_eq!(first.len(), made.len());
        return find_item(ruleset, game, rest.trim()).map(|plain| format!("{made} {plain}").into());
    }
    let names = ruleset.item_names(game);
    find(word, names.iter().map(|name| (name.clone(), &**name)))
        .map_err(|fitting| unknown("item", word, &fitting, names.iter().map(|name| &**name)))
}

/// Reads kinds of item with amounts, such as `5 Shard, Duck`.
pub(super) fn find_items(ruleset: &Ruleset, game: &Game, words: &str) -> Result<Vec<(Name, i64)>, Refusal> {
    let mut found: Vec<(Name, i64)> = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let amount = word.split_once(' ').and_then(|(amount, name)| Some((amount.parse::<i64>().ok()?, name.trim())));
        // A name may begin with a number itself.
        let (item, amount) = match (find_item(ruleset, game, word), amount) {
            (Ok(item), _) => (item, 1),
            (Err(_), Some((amount, name))) => (find_item(ruleset, game, name)?, amount),
            (Err(error), None) => return Err(error),
        };
        match found.iter_mut().find(|(own, _)| *own == item) {
            Some((_, own)) => *own = own.saturating_add(amount),
            None => found.push((item, amount)),
        }
    }
    Ok(found)
}

fn unknown<'a>(thing: &str, word: &str, fitting: &[&str], all: impl Iterator<Item = &'a str>) -> Refusal {
    if !fitting.is_empty() {
        let message = format!("`{word}` is ambiguous: {}", fitting.join(", "));
        return Refusal::new("ambiguous", message).help("type more of the name");
    }
    let code = if thing == "player" { "unknown-player" } else { "unknown-item" };
    let refusal = Refusal::new(code, format!("no {thing} called `{word}`"));
    match nearest(word, all) {
        Some(name) => refusal.help(format!("did you mean `{name}`?")),
        None => refusal,
    }
}
