//! What changed on players and spaces must have been told by the events on the table.

use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::game::{Game, Name, Player};
use nomic_referee::play::{Event, Played};

/// How the event begins that tells of a log that is replayed.
const REPLAYED: &str = "the log is replayed from entry ";

/// Asserts that nothing changed on a player or a space without an event, and items by the very amount; gives how many
/// changes were told.
pub fn assert_told(before: &Game, turn: &Played, at: &str) -> usize {
    let ground = ground(before, turn, at);
    let mut told = 0;
    for (_, old) in ground.players() {
        let events: Vec<&Event> = turn.events.iter().filter(|event| event.players.contains(&old.name)).collect();
        let Some((_, new)) = turn.next.players().find(|(_, new)| new.name == old.name) else {
            let out = events.iter().any(|event| event.text == format!("{} is out of the game", old.name));
            assert!(out, "{at}: {} is gone\n{events:#?}", old.name);
            told += 1;
            continue;
        };
        for item in new.items.iter().chain(&old.items).map(|(item, _)| item) {
            let sum: i64 = events.iter().map(|event| told_amount(event, &new.name, item)).sum();
            let gained = new.count(item) - old.count(item);
            assert_eq!(gained, sum, "{at}: {item} of {}\n{events:#?}", new.name);
            told += usize::from(sum != 0);
        }
        let stands = |player: &Player| events.iter().any(|event| event.spaces.contains(&player.location));
        let moved = new.location != old.location;
        assert!(!moved || stands(new), "{at}: {} stands elsewhere\n{events:#?}", new.name);
        let marked =
            new.marks.in_order() != old.marks.in_order() || new.fields != old.fields || new.symbolic != old.symbolic;
        assert!(!marked || !events.is_empty(), "{at}: {} is not the same", new.name);
        told += usize::from(moved);
    }
    for (_, new) in turn.next.players().filter(|(_, new)| ground.player_named(&new.name).is_none()) {
        let text = format!("{} joins on ", new.name);
        let told_so = turn.events.iter().any(|event| event.text.starts_with(&text));
        assert!(told_so, "{at}: {} joins\n{:#?}", new.name, turn.events);
        told += 1;
    }
    for space in turn.next.board().spaces().filter(|space| ground.space(space.id) != Some(*space)) {
        let named = turn.events.iter().any(|event| event.spaces.contains(&space.id));
        assert!(named, "{at}: space {} is not the same", space.id);
        told += 1;
    }
    let same = |one: &Value, other: &Value| one.in_order() == other.in_order();
    let quiet = turn.next.phase == ground.phase
        && same(&turn.next.state, &ground.state)
        && same(&turn.next.rulings, &ground.rulings)
        && same(&turn.next.proposals, &ground.proposals)
        && same(&turn.next.amendments, &ground.amendments);
    assert!(quiet || !turn.events.is_empty(), "{at}: something happened in silence");
    told
}

/// The game from which the events lead to the next one: the game before, or as it was before the entry of the log to
/// which it goes back.
fn ground(before: &Game, turn: &Played, at: &str) -> Game {
    let mut ground = before.clone();
    let Some(back) = turn.events.iter().find_map(|event| event.text.strip_prefix(REPLAYED)) else { return ground };
    let digits: String = back.chars().take_while(|c| *c != ' ').collect();
    let first: i64 = digits.parse().unwrap_or_else(|_| panic!("{at}: {REPLAYED}{back}"));
    for entry in before.log.iter().rev().take_while(|entry| entry.id >= first) {
        ground.revert(&entry.changes).unwrap_or_else(|conflict| panic!("{at}: {conflict:?}"));
    }
    ground
}

/// How many of `item` the event says that `player` gained.
fn told_amount(event: &Event, player: &Name, item: &Name) -> i64 {
    if event.items != [Arc::clone(item)] || event.players != [Arc::clone(player)] {
        return 0;
    }
    let words = event.text.strip_prefix(&**player).and_then(|rest| rest.strip_suffix(&**item)).unwrap_or_default();
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        ["gains", amount] => amount.parse().expect("an amount"),
        ["loses", amount] => -amount.parse::<i64>().expect("an amount"),
        _ => 0,
    }
}
