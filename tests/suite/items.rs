//! Every item is used again and again in games that nobody has played, and what must hold after any use is looked at.
//!
//! The games are those of `laws`, at their start and after some commands, so there are moves to change, pending ones
//! among them. A use is made from the number of its item and its own, so one that fails is met again by every run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nomic_referee::data::{Key, Value};
use nomic_referee::game::{Game, Name, Player, PlayerId, Space, SpaceId};
use nomic_referee::gamestate::valid_game;
use nomic_referee::play::{Answer, AnswerSource, Origin, Played, Question, Selections, Status};
use nomic_referee::ruleset::{ItemRule, Ruleset};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::laws::play::{Play, any_answer, origin, run};
use crate::laws::told::assert_told;
use crate::support::{is_long, rules_of, scaled};

/// Uses of every item that are carried out.
const USES: u64 = 1_000;
/// Tries of every item: a move can lead nowhere, and a roll be out of reach.
const TRIES: u64 = 20 * USES;
/// Games that are made up; each gives a start and what six commands make of it.
const GAMES: u64 = 250;
/// The next game is written and read again after one use in so many.
const READ_AGAIN: u64 = 20;

/// Tried 1,000 times with each of the 98 items, in what becomes of 250 games.
#[test]
fn every_item_of_cycle_15_is_used_a_thousand_times() {
    every_item_is_used_a_thousand_times("cycle-15", 98);
}

/// Tried 1,000 times with each of the 23 items, in what becomes of 250 games.
#[test]
fn every_item_of_cycle_15_early_is_used_a_thousand_times() {
    every_item_is_used_a_thousand_times("cycle-15-early", 23);
}

// The world map has no such test: what a landing can give there has no effect, and nothing uses it.

fn every_item_is_used_a_thousand_times(name: &str, count: usize) {
    let ruleset = rules_of(name);
    let games = games(&ruleset);
    let items: Vec<&ItemRule> = ruleset.items().iter().filter(|item| item.number.is_some()).collect();
    assert_eq!(items.len(), count);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    use_often(&ruleset, &games, item);
                }
            });
        }
    });
}

/// A game in which items can be used, and where to find it again.
struct Ready {
    at: String,
    game: Game,
    /// Whether there is a roll of this phase that an item can change.
    rolled: bool,
}

/// What becomes of games that were made up, as far as they go on.
fn games(ruleset: &Arc<Ruleset>) -> Vec<Ready> {
    let mut ready = Vec::new();
    for number in 0..GAMES {
        let play = Play::new(ruleset, number);
        let games = play
            .map(|played| (played.at, played.turn.next))
            .filter(|(_, game)| game.state.get("ended") != Some(&Value::Bool(true)) && game.players().next().is_some());
        ready.extend(games.map(|(at, game)| {
            let in_phase = game.log.iter().filter(|entry| entry.outcome.is_none()).map(|entry| &entry.action);
            let rolls = |random: &Value| random.get("roll").is_some_and(|roll| !roll.items().is_empty());
            let mut actions = in_phase.chain(game.pending.iter()).filter(|action| action.phase == game.phase);
            let rolled = actions.any(|action| rolls(&action.random));
            Ready { at, game, rolled }
        }));
    }
    ready
}

/// The keys that the item's file says its effect asks for.
fn asks(ruleset: &Ruleset, item: &ItemRule) -> BTreeSet<String> {
    let asks = ruleset.item_file(item).get("asks").cloned().unwrap_or_default();
    asks.items().iter().map(Value::to_string).collect()
}

fn use_often(ruleset: &Arc<Ruleset>, games: &[Ready], item: &ItemRule) {
    let number = item.number.expect("a row");
    let listed = asks(ruleset, item);
    let changes_rolls = listed.contains("die");
    let games: Vec<&Ready> = games.iter().filter(|ready| ready.rolled || !changes_rolls).collect();
    let mut asked = BTreeSet::new();
    let mut refusals: BTreeMap<String, u32> = BTreeMap::new();
    let mut done = 0;
    for attempt in 0..scaled(TRIES) {
        if done == scaled(USES) {
            break;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(attempt * 1_000 + u64::try_from(number).expect("a row"));
        let ready = games.choose(&mut rng).expect("games");
        if !ruleset.is_item(&ready.game, &item.name) {
            continue;
        }
        let (game, user, name) = with_item(ruleset, &ready.game, item, &mut rng);
        let words = ["use-item", &*user, &*name].map(str::to_owned);
        let at = format!("{}, then try {attempt}: {}", ready.at, words.join(" "));
        let mut whoever = Whoever { rng: &mut rng, game: &game, asked: Vec::new() };
        let turn =
            run(ruleset, &game, &words, Selections::default(), &mut whoever).unwrap_or_else(|e| panic!("{at}: {e:?}"));
        let questions = whoever.asked;
        for (question, _) in &questions {
            let own = question.rule == item.rule();
            assert!(!own || listed.contains(&question.key), "{at}: `{}` is not among its `asks`", question.key);
        }
        match &turn.status {
            Status::Done => {}
            Status::Refused(refusal) => {
                let by_rule = ["B-4", "R-53", "R-61"].contains(&&*refusal.rule) && refusal.code == "illegal-selection";
                let legal = [
                    "dead-end",
                    "move-pending",
                    "needs-earlier-move",
                    "already-moved",
                    "barred",
                    "too-late",
                    "replay-refused",
                    "not-owned",
                    // By a ruling who flees from a trap lands; where it has no haven, on the trap itself.
                    "endless",
                ];
                assert!(by_rule || legal.contains(&&*refusal.code), "{at}: {refusal:?}");
                *refusals.entry(refusal.code.clone()).or_default() += 1;
                continue;
            }
            other => panic!("{at}: {other:?}"),
        }
        done += 1;
        asked.extend(turn.selections.iter().map(|made| made.key.clone()));
        assert_told(&game, &turn, &at);
        assert_answers_used(&questions, &turn, &at);
        assert_spent(&game, &turn, &user, &name, &at);
        if done % READ_AGAIN == 0 {
            let mut state = turn.next.to_value();
            state.set(Key::from("format"), Value::Int(1));
            let again = valid_game(ruleset, &state).unwrap_or_else(|problems| panic!("{at}: {problems:#?}\n{state}"));
            assert!(again.equivalent(&turn.next), "{at}: another game\n{state}");
        }
    }
    assert_eq!(done, scaled(USES), "{}: too few uses are carried out: {refusals:?}", item.name);
    for key in listed.into_iter().filter(|_| is_long()) {
        assert!(asked.contains(&key), "{}: `{key}` of its `asks` is never asked", item.name);
    }
}

/// The game with the item in somebody's hands, and more of what it may meet; gives the user and the kind, plain or
/// jumbo.
fn with_item(ruleset: &Ruleset, game: &Game, item: &ItemRule, rng: &mut ChaCha8Rng) -> (Game, Name, Name) {
    let mut game = game.clone();
    if &*item.name == "Blood Pact" && rng.random_ratio(1, 2) {
        game.add_player(xenon(), None);
    }
    if &*item.name == "+6 Sword of Edging" && rng.random_ratio(1, 2) {
        let (id, fields) = (SpaceId::Number(666_000), Value::Map(Vec::new()));
        game.board_mut().create(Space { id, kind: "Crystal".into(), successors: Vec::new(), fields });
    }
    let ids: Vec<PlayerId> = game.players().map(|(id, _)| id).collect();
    for _ in 0..rng.random_range(0..4) {
        let other = ruleset.items().choose(rng).expect("items");
        let most = if &*other.name == "Crystal" { 8 } else { 3 };
        give(&mut game, *ids.choose(rng).expect("players"), &other.name, rng.random_range(1..=most));
    }
    let user = *ids.choose(rng).expect("players");
    if &*item.name == "Gorilla" && rng.random_ratio(1, 2) {
        give(&mut game, user, "Banana", rng.random_range(2..=4));
    }
    let derived = ruleset.declared.derived.choose(rng).filter(|_| rng.random_ratio(1, 10));
    let name: Name = derived.map_or_else(|| Arc::clone(&item.name), |word| format!("{word} {}", item.name).into());
    // A debt is paid off, and what is reserved for a pending use is not enough.
    let held = game.player(user).count(&name);
    give(&mut game, user, &name, rng.random_range(1..=2) - held.min(0));
    if item.says.get("usable") == Some(&Value::Bool(false)) {
        Arc::make_mut(&mut game.rulings).set(Key::from("passive-descriptions"), Value::from("off"));
    }
    let user = Arc::clone(&game.player(user).name);
    (game, user, name)
}

fn give(game: &mut Game, player: PlayerId, item: &str, amount: i64) {
    game.player_mut(player).add(item, amount).expect("a small number");
}

/// The player whom the Blood Pact names.
fn xenon() -> Player {
    Player {
        name: "Xenon dichloride".into(),
        location: SpaceId::Number(0),
        items: Vec::new(),
        symbolic: Vec::new(),
        marks: Value::Map(Vec::new()),
        fields: Value::Map(Vec::new()),
        gone: false,
    }
}

/// Answers everything at random.
struct Whoever<'a> {
    rng: &'a mut ChaCha8Rng,
    game: &'a Game,
    asked: Vec<(Question, Vec<Value>)>,
}

impl AnswerSource for Whoever<'_> {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let values = any_answer(question, self.game.board(), self.rng);
        self.asked.push((question.clone(), values.clone()));
        Some(Answer { values, origin: origin(question) })
    }
}

/// Every answer became a selection, in the order in which they were given.
fn assert_answers_used(questions: &[(Question, Vec<Value>)], turn: &Played, at: &str) {
    let keys: BTreeSet<&str> = questions.iter().map(|(question, _)| &*question.key).collect();
    for key in keys {
        let given = questions.iter().filter(|(question, _)| question.key == key).flat_map(|(_, values)| values);
        let made = turn.selections.iter().filter(|made| made.key == key);
        let made = made.filter(|made| matches!(made.origin, Origin::Drawn | Origin::Prompted));
        let used = made.flat_map(|made| made.value.items());
        assert!(
            given.clone().eq(used.clone()),
            "{at}: `{key}`: {:?} {:?}",
            given.collect::<Vec<_>>(),
            used.collect::<Vec<_>>()
        );
    }
}

/// The copy that was used is gone, exactly once, unless the use was cancelled.
fn assert_spent(before: &Game, turn: &Played, user: &Name, item: &Name, at: &str) {
    let Some((_, player)) = turn.next.players().find(|(_, player)| player.name == *user) else { return };
    // What was played again comes first; the change of a roll is the first thing told of the action itself.
    let changes_roll = |text: &str| text.contains(" changes by ") || text.ends_with(" becomes 12 minus itself");
    let first = turn.events.iter().rposition(|event| changes_roll(&event.text)).unwrap_or(0);
    let events = &turn.events[first..];
    let told = |text: String| events.iter().filter(|event| event.text == text).count();
    let spent = format!("{user} loses 1 {item}");
    let spent = events.iter().filter(|event| event.rule == "I-7" && event.text == spent).count();
    let forced = |key: &str| key == "item";
    let nested = turn.selections.iter().filter(|made| forced(&made.key) && made.value.as_text() == Some(&**item));
    let kept = told(format!("the use is cancelled and {user} keeps {item}"));
    let lost = told(format!("{item} no longer exists"));
    let floored = before.ruling("negative-quantities") == Some("floor-at-zero") && player.count(item) < 1;
    let among = &**item == "Shurdle" && before.ruling("shurdle-used-one") != Some("extra");
    let removed = events.iter().any(|event| event.rule == "G-058" && event.text.starts_with(&format!("{user} loses ")));
    if floored {
        assert!(spent <= 1 + nested.count(), "{at}: spent {spent} times\n{events:#?}");
    } else if kept + lost > 0 || among && removed {
        assert!(spent <= nested.count(), "{at}: spent {spent} times\n{events:#?}");
    } else {
        assert!((1..=1 + nested.count()).contains(&spent), "{at}: spent {spent} times\n{events:#?}");
    }
}
