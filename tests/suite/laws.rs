//! Laws that every game of every ruleset obeys, tried on games that nobody has played.
//!
//! A game is made from its ruleset and its number alone (`made_up.rs`), and so are the commands and answers, so a
//! failure that names game 17 is met again by every run. How many games each law is tried on stands beside it; a game
//! sees up to six commands, with some questions left open.

pub mod play;
pub mod told;

use std::collections::BTreeSet;

use nomic_referee::data::{Key, Value};
use nomic_referee::game::{Change, Game, Space, SpaceId};
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Selections, Status};
use nomic_referee::yaml::Document;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use self::play::{Play, Step, legal_answers, refused, run, wrong_answers};
use self::told::assert_told;
use crate::made_up::{checked, written_by_hand};
use crate::support::{rules_of, scaled};

/// Tries a law on every ruleset that comes with the program, each in a test of its own, so that they run side by side
/// and a failure names the ruleset.
macro_rules! on_every_ruleset {
    ($($law:ident),+ $(,)?) => {$(
        mod $law {
            #[test]
            fn on_cycle_15() {
                super::$law("cycle-15");
            }

            #[test]
            fn on_cycle_15_early() {
                super::$law("cycle-15-early");
            }

            #[test]
            fn on_world_map() {
                super::$law("world-map");
            }
        }
    )+};
}
pub(crate) use on_every_ruleset;

on_every_ruleset!(
    the_legal_answers_are_exactly_those_that_are_accepted,
    a_selection_left_over_is_refused,
    the_same_selections_give_the_same_game,
    the_rules_themselves_never_fail,
    a_played_game_is_sound_and_saved_without_touching_other_lines,
    nothing_changes_without_an_event,
    a_refused_command_leaves_the_game_as_it_was,
    the_file_holds_its_own_history,
);

/// Returns how much to try on a ruleset: half of what `cycle-15` is tried on for the others, and of that the scaled part.
pub(crate) fn share<N: From<u8> + std::ops::Div<Output = N>>(name: &str, whole: N) -> N {
    scaled(if name == "cycle-15" { whole } else { whole / N::from(2) })
}

/// Tried on 300 games of cycle-15 and 200 of either other ruleset.
fn the_legal_answers_are_exactly_those_that_are_accepted(name: &str) {
    let ruleset = rules_of(name);
    let (mut accepted, mut turned_down) = (0, 0);
    let (games, least) = if name == "cycle-15" { (300, [5_000, 4_000]) } else { (200, [1_500, 3_000]) };
    let (games, least) = (scaled(games), least.map(scaled));
    for played in (0..games).flat_map(|number| Play::new(&ruleset, number)) {
        for (place, (question, _)) in played.asked.iter().enumerate() {
            let step = format!("{}: question {}, `{}`", played.at, place + 1, question.key);
            let answers = legal_answers(question);
            assert!(!answers.is_empty(), "{step}: no legal answer");
            for answer in answers {
                let turn = played.again(&ruleset, place, Some(answer.clone()));
                assert_ne!(refused(&turn), Some("illegal-selection"), "{step} = {answer:?}: {:?}", turn.status);
                accepted += 1;
            }
            for answer in wrong_answers(question) {
                let turn = played.again(&ruleset, place, Some(answer.clone()));
                let code = refused(&turn);
                // One die too many is left over only once the action is through; another question may come first.
                let asks_on = matches!(turn.status, Status::Asks(_)) && answer.len() > 1;
                let fits = matches!(code, Some("illegal-selection")) || asks_on;
                assert!(fits || answer.len() > 1 && code.is_some(), "{step} = {answer:?}: {:?}", turn.status);
                turned_down += 1;
            }
        }
    }
    assert!(accepted > least[0] && turned_down > least[1], "{accepted} accepted, {turned_down} turned down");
}

/// Tried on 600 games of cycle-15 and 300 of either other ruleset.
fn a_selection_left_over_is_refused(name: &str) {
    let ruleset = rules_of(name);
    let keys = ["roll", "path", "glide", "take", "garbage", "swap", "d4", "resource", "rules"].into_iter();
    let keys = keys.filter(|key| ruleset.declared.selections.iter().any(|(own, _)| own == key)).chain(["nonsense"]);
    let mut tried = 0;
    for played in (0..share(name, 600)).flat_map(|number| Play::new(&ruleset, number)) {
        let Some((entry, given)) = played.posted() else { continue };
        let words = shlex::split(&entry.action.what).expect("a command");
        for key in keys.clone() {
            // What repeats a forced answer is welcome.
            if played.turn.selections.iter().any(|made| made.key == key && made.forced && !made.recorded) {
                continue;
            }
            let mut more = given.clone();
            more.add(key, [Value::Int(1)]);
            let turn = run(&ruleset, &played.fresh(), &words, more, &mut ()).expect("a command");
            let code = refused(&turn);
            assert!(
                matches!(code, Some("unused-selection" | "illegal-selection" | "unknown-selection" | "bad-value")),
                "{}: {key}=1 too many: {:?}",
                played.at,
                turn.status
            );
            tried += 1;
        }
    }
    assert!(tried > share(name, 2_000), "{tried} tried");
}

/// Tried on 1,000 games of cycle-15 and 500 of either other ruleset.
fn the_same_selections_give_the_same_game(name: &str) {
    let ruleset = rules_of(name);
    let mut replayed = 0;
    for played in (0..share(name, 1_000)).flat_map(|number| Play::new(&ruleset, number)) {
        let again = played.again(&ruleset, played.asked.len(), None);
        assert!(again == played.turn, "{}: another result\n{again:#?}", played.at);
        let Some((entry, given)) = played.posted() else { continue };
        let words = shlex::split(&entry.action.what).expect("a command");
        let replay = run(&ruleset, &played.fresh(), &words, given, &mut ()).expect("a command");
        assert_eq!(replay.status, Status::Done, "{}: {:?}", played.at, entry);
        assert_eq!(replay.events, played.turn.events, "{}", played.at);
        // What was resumed was pending, and what is posted at once is not.
        let told = |change: &&Change| played.words[0] != "resume" || change.pointer.first() != Some("pending");
        let (changes, again) = (played.turn.changes.iter().filter(told), replay.changes.iter().filter(told));
        assert!(again.eq(changes), "{}: {:?}", played.at, replay.changes);
        replayed += 1;
    }
    assert!(replayed > share(name, 1_500), "{replayed} replayed");
}

/// Tried on 1,500 games of cycle-15 and 750 of either other ruleset: an action may be refused, but never because a rule
/// that comes with the program is wrong, or because an answer to its own question is.
fn the_rules_themselves_never_fail(name: &str) {
    let ruleset = rules_of(name);
    let mut tried = 0;
    for played in (0..share(name, 1_500)).flat_map(|number| Play::new(&ruleset, number)) {
        tried += 1;
        let Status::Refused(refusal) = &played.turn.status else { continue };
        let fails = ["rule-failed", "endless", "nothing-to-select", "too-many", "unused-selection"];
        // A number that a space has, a name that is taken, no roll to change, a trade with oneself.
        let by_rule = ["B-4", "R-53", "R-61", "I-5"].contains(&&*refusal.rule);
        let fails = fails.contains(&&*refusal.code) || refusal.code == "illegal-selection" && !by_rule;
        let by_board = refusal.code == "endless" && flees_to_a_trap(&played.before);
        assert!(!fails || by_board, "{}: {refusal:?}", played.at);
    }
    assert!(tried > share(name, 6_000), "{tried} tried");
}

/// Whether somebody drew a board on which who flees from a trap lands on one (S-3).
fn flees_to_a_trap(game: &Game) -> bool {
    let is_trap = |space: &Space| &*space.kind == "Boulder Trap";
    let havens =
        game.board().spaces().filter(|space| is_trap(space)).filter_map(|space| space.fields.get("safe-haven"));
    havens.filter_map(SpaceId::of).filter_map(|id| game.space(id)).any(is_trap)
}

/// Tried on 500 games of cycle-15 and 250 of either other ruleset.
fn a_played_game_is_sound_and_saved_without_touching_other_lines(name: &str) {
    let ruleset = rules_of(name);
    let mut saved = 0;
    for number in 0..share(name, 500) {
        let play = Play::new(&ruleset, number);
        let mut text = play.text.clone();
        for played in play {
            let file = GamestateFile::parse("made-up.yaml", text.as_bytes()).expect("it was saved");
            let next = &played.turn.next;
            let updated = file.updated(&ruleset, &played.before, next);
            let updated = updated.unwrap_or_else(|problem| panic!("{}: {}\n{text}", played.at, problem.message));
            let again = checked(&ruleset, &updated).unwrap_or_else(|why| panic!("{}: {why}\n{updated}", played.at));
            assert!(again.equivalent(next), "{}: another game\n{updated}", played.at);
            let untouched = untouched_lines(&text, &played);
            let mut lines = updated.split('\n');
            let lost = untouched.iter().find(|line| !lines.any(|own| own == **line));
            assert_eq!(lost, None, "{}: a line is lost that no change is about\n{text}=====\n{updated}", played.at);
            saved += usize::from(updated != text);
            text = updated;
        }
    }
    assert!(saved > share(name, 1_000), "{saved} saved");
}

/// The lines that belong to no value that the command changed, in order.
fn untouched_lines<'a>(text: &'a str, played: &Step) -> Vec<&'a str> {
    let document = Document::parse(text).expect("a sound file");
    let line = |offset: usize| text[..offset].matches('\n').count();
    let flow = |offset: usize| text[offset..].starts_with(['{', '[']);
    let mut touched = BTreeSet::new();
    let logged = Change { pointer: ["log", "-1"].into(), before: Value::Null, after: Value::Null };
    let grown = played.turn.next.log.len() > played.before.log.len();
    for change in played.turn.changes.iter().chain(grown.then_some(&logged)) {
        let mut nodes = vec![(0, document.root())];
        for key in change.pointer.steps() {
            let entries = nodes.last().expect("the root").1.entries();
            let Some(entry) = entries.iter().find(|entry| entry.key.is(key)) else { break };
            nodes.push((entry.key_span().start, &entry.value));
        }
        let found = nodes.len() > change.pointer.steps().len();
        let (start, last) = nodes.pop().expect("the root");
        // What is added to a block touches nothing; to anything else, the text it stands in.
        if found || last.entries().is_empty() && last.items().is_empty() || flow(last.span().start) {
            touched.extend(line(start)..=line(last.span().end));
        }
        if let Some((key, above)) = nodes.pop().filter(|_| found) {
            // A comma may come or go; the last entry of a block leaves `{}` behind its key, and no empty line before it.
            let end = if flow(above.span().start) { above.span().end } else { key };
            touched.extend(line(key)..=line(end));
            let empty = text[key..start].lines().skip(1).take_while(|line| line.trim().is_empty()).count();
            touched.extend(line(key)..=line(key) + empty);
        }
    }
    text.split('\n').enumerate().filter(|(place, _)| !touched.contains(place)).map(|(_, line)| line).collect()
}

/// Tried on 1,000 games of cycle-15 and 500 of either other ruleset: what changed on a player or a space was told,
/// and items by the very amount.
fn nothing_changes_without_an_event(name: &str) {
    let ruleset = rules_of(name);
    let mut told = 0;
    for played in (0..share(name, 1_000)).flat_map(|number| Play::new(&ruleset, number)) {
        told += assert_told(&played.before, &played.turn, &played.at);
    }
    // On the map little but a location changes.
    let least = if name == "world-map" { scaled(400) } else { share(name, 2_000) };
    assert!(told > least, "{told} told");
}

/// Tried on 1,500 games of cycle-15 and 750 of either other ruleset, with one selection of each posted command spoiled.
fn a_refused_command_leaves_the_game_as_it_was(name: &str) {
    let ruleset = rules_of(name);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut refusals = 0;
    for played in (0..share(name, 1_500)).flat_map(|number| Play::new(&ruleset, number)) {
        let mut turns = Vec::new();
        if played.asked.is_empty() {
            turns.push((played.before.clone(), played.turn.clone()));
        }
        if let Some((entry, given)) = played.posted() {
            let words = shlex::split(&entry.action.what).expect("a command");
            let count = given.all().map(|(_, values)| values.len()).sum::<usize>();
            let (spoiled, bad) = (rng.random_range(0..=count), Value::from(rng.random_range(-40..40)));
            let mut values = given.all().flat_map(|(key, values)| values.iter().map(move |value| (key, value)));
            let mut other = Selections::default();
            for place in 0..count {
                let (key, value) = values.next().expect("counted");
                other.add(key, [if place == spoiled { bad.clone() } else { value.clone() }]);
            }
            if spoiled == count {
                other.add("number", [bad]);
            }
            let turn = run(&ruleset, &played.fresh(), &words, other, &mut ()).expect("a command");
            turns.push((played.fresh(), turn));
        }
        for (before, turn) in turns {
            // A move that cannot be completed keeps its dice, whoever threw them.
            if refused(&turn).is_some_and(|code| code != "dead-end") {
                assert!(turn.next == before && turn.changes.is_empty(), "{}: {:?}", played.at, turn.status);
                assert!(turn.events.is_empty(), "{}: {:?}", played.at, turn.events);
                refusals += 1;
            }
        }
    }
    assert!(refusals > share(name, 2_000), "{refusals} refused");
}

/// Tried on 600 games of cycle-15 and 300 of either other ruleset: the changes in the file's own log, applied
/// backwards, give the game before.
fn the_file_holds_its_own_history(name: &str) {
    let ruleset = rules_of(name);
    let mut reversed = 0;
    for number in 0..share(name, 600) {
        let play = Play::new(&ruleset, number);
        let mut text = play.text.clone();
        for played in play {
            let file = GamestateFile::parse("made-up.yaml", text.as_bytes()).expect("it was saved");
            text = file.updated(&ruleset, &played.before, &played.turn.next).expect("it can be saved");
            let mut state = Document::parse(&text).expect("a sound file").root().to_value();
            let mut log = state.get("log").map_or_else(Vec::new, |log| log.items().to_vec());
            let entry = log.last().and_then(|entry| entry.get("changes")).cloned().unwrap_or_default();
            let changes: Vec<(String, Value, Value)> = if played.posted().is_some() {
                let pair = |(pointer, pair): &(Key, Value)| {
                    (pointer.to_string(), pair.items()[0].clone(), pair.items()[1].clone())
                };
                entry.entries().iter().map(pair).collect()
            } else {
                let changes = played.turn.changes.iter();
                changes
                    .map(|change| (change.pointer.to_string(), change.before.clone(), change.after.clone()))
                    .collect()
            };
            for (pointer, before, after) in changes.iter().rev() {
                let found = put_back(&mut state, &steps(pointer), before);
                assert_eq!(found.in_order(), after.in_order(), "{}: {pointer}\n{text}", played.at);
            }
            log.truncate(played.before.log.len());
            put_back(&mut state, &["log".to_owned()], &Value::List(log));
            let written = written_by_hand(&state, &mut ChaCha8Rng::seed_from_u64(number));
            let again = checked(&ruleset, &written).unwrap_or_else(|why| panic!("{}: {why}\n{written}", played.at));
            assert!(again.equivalent(&played.before), "{}: not the game before\n{text}=====\n{written}", played.at);
            reversed += changes.len();
        }
    }
    assert!(reversed > share(name, 3_000), "{reversed} changes reversed");
}

/// The steps of a JSON Pointer (RFC 6901).
fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// Puts a value into a tree, or takes out what is there where it is null; gives what was there.
fn put_back(tree: &mut Value, steps: &[String], value: &Value) -> Value {
    let Some((step, rest)) = steps.split_first() else { return std::mem::replace(tree, value.clone()) };
    if !matches!(tree, Value::Map(_)) {
        *tree = Value::Map(Vec::new());
    }
    let Value::Map(entries) = tree else { unreachable!("made one just now") };
    let place = entries.iter().position(|(key, _)| key.is(step)).unwrap_or_else(|| {
        entries.push((step.parse().map_or_else(|_| Key::from(step.as_str()), Key::Int), Value::Null));
        entries.len() - 1
    });
    let found = put_back(&mut entries[place].1, rest, value);
    if rest.is_empty() && *value == Value::Null {
        entries.remove(place);
    } else if let (true, Some(first)) = (rest.is_empty(), value.get("place").and_then(Value::as_int)) {
        // A player who was taken out comes back to where they stood in the order.
        let mut back = entries.remove(place);
        back.1.remove("place");
        entries.insert(usize::try_from(first).expect("a place"), back);
    }
    found
}
