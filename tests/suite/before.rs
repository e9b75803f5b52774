//! Nothing is drawn before everything given is understood, played as a process; and the same of random sequences of commands.

use std::path::Path;
use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::game::{Game, PendingAction};
use nomic_referee::play::{
    Answer, AnswerSource, By, Played, Question, Request, Selections, Status, drop_pending, resume, take_turn,
};
use nomic_referee::ruleset::Ruleset;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::errors::{fails, folder, referee};
use crate::history::drawn;
use crate::laws::play::{any_answer, origin, refused};
use crate::made_up::{command, first_game, made_up};
use crate::support::{is_long, rules_of};

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 4
players:
  Ann: {items: {Marionette: 1, Mauve: 1}}
  Bob: {location: 3, moved-in: [3]}
  Cat: {location: 20}
spaces:
  0: {successors: [1, 6]}
  1: {successors: [2]}
  2: {successors: [3]}
  3: {successors: [4]}
  4: {successors: [5]}
  5: {type: Garbage Pile, successors: [6]}
  6: {successors: [7]}
  7: {successors: [8]}
  8: {successors: [9]}
  9: {successors: [10]}
  10: {successors: [11]}
  11: {successors: [12]}
  12: {successors: [13]}
  13: {successors: [20]}
  20: {successors: [21]}
  21: {successors: [22]}
  22: {successors: [23]}
  23: {successors: [24]}
  24: {successors: [25]}
  25: {successors: [26]}
  26: {successors: [27]}
  27: {successors: [28]}
  28: {successors: [0]}
log: []
";

const AT: &str = "--at 2024-01-16T10:00Z --no-input";

/// Runs words and returns the exit code with everything that was said.
fn said(folder: &Path, words: &str) -> (i32, String) {
    let at = if ["verify", "undo", "tick-phase"].iter().any(|word| words.starts_with(word)) { "" } else { AT };
    let output = referee(folder, &format!("{words} {at}")).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("no signal"), said)
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).expect("the file is there")
}

#[test]
fn what_cannot_be_used_is_refused_before_anything_is_drawn() {
    for (words, texts) in [
        ("move Ann -s rol=1,2", &["unknown-selection", "did you mean `roll`?"][..]),
        ("move Ann --roll 2,1 -s shard=4", &["unknown-selection", "did you mean `shards`?"]),
        ("move Ann -s pth=1,2", &["unknown-selection", "did you mean `path`?"]),
        ("move Ann --roll x,1", &["bad-value", "cannot show x"]),
        ("move Ann -s take=", &["bad-value", "`take` has no value"]),
        ("move Ann --roll 2,1,1", &["needs exactly 2 dice"]),
        ("move Ann --path 7,8,9", &["illegal-selection", "step 1 of `path` cannot be 7"]),
        ("move Ann --path 1,2,4", &["illegal-selection", "step 3 of `path` cannot be 4"]),
        ("move Ann --path 6,7,8,9,10,11,12,13,20,21", &["unused-selection", "too many values for `path`"]),
        ("move Ann -s casino=1", &["unused-selection", "does not ask for `casino`"]),
        ("move Ann -s player=Bob", &["unused-selection", "does not ask for `player`"]),
        ("use-item Ann Marionette --player Bob", &["illegal-selection", "`player` cannot be Bob"]),
        ("use-item Ann Marionette --player Cat -s glide=1", &["unused-selection", "`glide`"]),
    ] {
        fails(GAME, &format!("{words} {AT}"), 3, texts);
    }
}

#[test]
fn what_only_some_outcomes_ask_for_is_used_or_named_as_not_needed() {
    let folder = folder(GAME);
    let folder = folder.path();
    // Only a roll of five leads Ann to the pile, if she goes by 1.
    let mut seen = [false; 2];
    for seed in 0..40 {
        std::fs::write(folder.join("gamestate.yaml"), GAME).expect("room");
        let path = "1,2,3,4,5,6,7,8";
        let (code, told) = said(folder, &format!("move Ann -s take=no --path {path} --seed {seed}"));
        let file = text(folder);
        if code == 0 {
            let needed = file.contains("take: no") || file.contains("take: \"no\"");
            assert_eq!(needed, !told.contains("`take` was given and not needed"), "{told}\n{file}");
            assert!(file.contains(&format!("seed: {seed}")) && !file.contains("given:"), "{file}");
            seen[usize::from(needed)] = true;
        }
    }
    assert!(seen[0], "no roll left the pile alone");
}

#[test]
fn a_pending_action_holds_what_was_asked_for_and_the_rest_waits() {
    let folder = folder(GAME);
    let folder = folder.path();
    let (code, told) = said(folder, "move Ann --roll 1,4 -s take=no");
    assert_eq!(code, 4, "{told}");
    let file = text(folder);
    for line in ["random: {roll: [1, 4]}", "posted: [roll]", "given: {take: "] {
        assert!(file.contains(line), "{line}\n{file}");
    }
    assert!(!file.contains("chosen:"), "{file}");
    let (code, told) = said(folder, "resume Ann --path 1,2,3,4,5");
    assert_eq!(code, 0, "{told}");
    let file = text(folder);
    assert!(file.contains("\n    posted: [roll]\n") && !file.contains("\n    given:"), "{file}");
    assert_eq!(said(folder, "verify").0, 0);
}

#[test]
fn the_same_roll_typed_again_after_undo_is_the_same_roll() {
    let folder = folder(GAME);
    let folder = folder.path();
    for _ in 0..2 {
        let (code, told) = said(folder, "move Ann --roll 1,2 --path 1,2,3");
        assert_eq!(code, 0, "{told}");
        assert_eq!(said(folder, "undo").0, 0);
    }
    let file = text(folder);
    assert_eq!(file.matches("random: {roll: [1, 2]}").count(), 2, "{file}");
    assert!(said(folder, "verify").1.contains(" 0 findings"));
}

#[test]
fn what_became_forced_is_performed_by_the_command_that_brought_it_about() {
    let folder = folder(GAME);
    let folder = folder.path();
    assert_eq!(said(folder, "move Ann --roll 1,1").0, 4);
    let (code, told) = said(folder, "adjudicate --set '/spaces/0/successors=[6]' --because 'the bridge at 1 is gone'");
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("nothing is left to select for `move Ann`"), "{told}");
    let file = text(folder);
    assert!(file.contains("location: 7") && !file.contains("\npending:\n  -"), "{file}");
    let told = said(folder, "verify").1;
    assert!(told.contains(" 0 findings"), "{told}\n{file}");
}

#[test]
fn what_is_only_optional_is_declined_when_the_phase_ends() {
    let folder = folder(GAME.replace("Cat: {location: 20}", "Cat: {location: 3}"));
    let folder = folder.path();
    let (code, told) = said(folder, "move Ann --roll 1,2 --path 1,2,3");
    assert_eq!(code, 4, "{told}");
    let (code, told) = said(folder, "tick-phase --to 2024-01-19T00:00Z");
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("counts as declined"), "{told}");
    let file = text(folder);
    assert!(file.contains("moved-in: [4]") && file.contains("chosen: {path: [1, 2, 3], ping: "), "{file}");
    assert!(said(folder, "verify").1.contains(" 0 findings"));
}

#[test]
fn nothing_written_is_never_said_when_something_is_kept() {
    let folder = folder(GAME);
    let folder = folder.path();
    let mut kept = 0;
    for seed in 0..12 {
        std::fs::write(folder.join("gamestate.yaml"), GAME).expect("room");
        let (_, told) = said(folder, &format!("move Ann --path 1,2,3 --seed {seed}"));
        let changed = text(folder) != GAME;
        kept += usize::from(changed);
        assert!(!changed || !told.to_lowercase().contains("nothing written"), "{told}");
        assert!(!changed || !told.contains("nothing was written"), "{told}");
    }
    assert!(kept > 0);
}

/// Answers draws at random and counts them; leaves some choices open.
struct Counting<'a>(&'a Game, &'a mut ChaCha8Rng, usize);

impl AnswerSource for Counting<'_> {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let draws = question.by == By::Random;
        if !draws && self.1.random_ratio(1, 3) {
            return None;
        }
        self.2 += usize::from(draws);
        Some(Answer { values: any_answer(question, self.0.board(), self.1), origin: origin(question) })
    }
}

fn run(ruleset: &Arc<Ruleset>, game: &Game, request: &Request, rng: &mut ChaCha8Rng) -> Option<(Played, usize)> {
    let mut source = Counting(game, rng, 0);
    let played = match request.words[0].as_str() {
        "resume" => resume(ruleset, game, &request.words[1..], request, &mut source),
        "drop" => drop_pending(ruleset, game, &request.words[1..]),
        _ => take_turn(ruleset, game, request, &mut source).ok()?,
    };
    Some((played, source.2))
}

/// Selections that are wrong, missing, superfluous or misspelt, and now and then right.
fn any_selections(ruleset: &Ruleset, game: &Game, rng: &mut ChaCha8Rng) -> Selections {
    let mut given = Selections::default();
    for _ in 0..[0, 0, 1, 1, 2].choose(rng).copied().unwrap_or_default() {
        let (key, _) = ruleset.declared.selections.choose(rng).expect("keys");
        let key = match rng.random_range(0..6) {
            0 => key.trim_end_matches(['l', 'h', 's']).to_owned(),
            1 => "roll".to_owned(),
            2 => "path".to_owned(),
            _ => key.clone(),
        };
        let space = || game.board().spaces().map(|space| space.id).collect::<Vec<_>>();
        let name = || game.players().map(|(_, player)| player.name.to_string()).collect::<Vec<_>>();
        let count = rng.random_range(0..4);
        let values: Vec<Value> = (0..count)
            .filter_map(|_| match rng.random_range(0..5) {
                0 => Some(Value::from(["yes", "no", "none", "zzz"].choose(rng).copied()?)),
                1 => Some(Value::from(space().choose(rng).copied()?)),
                2 => Some(Value::from(name().choose(rng)?.as_str())),
                _ => Some(Value::Int(rng.random_range(0..5))),
            })
            .collect();
        given.add(&key, values);
    }
    given
}

/// Returns what the file keeps of an action: the pending one, or the newest entry.
fn kept<'a>(game: &'a Game, before: &Game, what: &str) -> Option<&'a PendingAction> {
    let pending = game.pending.iter().find(|own| own.what == what);
    let new = &game.log[before.log.len().min(game.log.len())..];
    pending.or_else(|| new.iter().map(|entry| &entry.action).find(|own| own.what == what))
}

/// Tried on 20,000 commands.
#[test]
fn no_draw_is_made_that_a_refusal_could_have_come_before() {
    let ruleset = rules_of("cycle-15");
    // Looking ahead takes its time, so that a short run does less than a twentieth.
    let wanted = if is_long() { 20_000 } else { 100 };
    let (mut steps, mut refused_after, mut refused_before) = (0, 0, 0);
    for number in 0.. {
        let mut game = made_up(&ruleset, first_game() + number).game;
        game.log = Arc::default();
        game.pending = Arc::default();
        let mut rng = ChaCha8Rng::seed_from_u64(number ^ 0xbef0);
        for step in 0..8 {
            let words = match rng.random_range(0..12) {
                0 => vec!["undo".to_owned()],
                1 => vec!["redo".to_owned()],
                2 if !game.log.is_empty() => {
                    let id = game.log.choose(&mut rng).expect("entries").id;
                    vec!["amend".to_owned(), id.to_string()]
                }
                _ => command(&ruleset, &game, &mut rng),
            };
            let given = any_selections(&ruleset, &game, &mut rng);
            let at = jiff::Timestamp::from_second(1_704_500_000 + step * 60).ok();
            let request = Request { words, given, at, ..Request::default() };
            let place = format!("game {number}, step {step}: {} {:?}", request.words.join(" "), request.given);
            let Some((played, draws)) = run(&ruleset, &game, &request, &mut rng) else { continue };
            steps += 1;
            for (draw, count) in drawn(&game) {
                let now = drawn(&played.next).get(&draw).copied().unwrap_or_default();
                assert!(now >= count, "{place}: {draw} was drawn {count} times, and now {now} times");
            }
            asked_for(&game, &played, &place);
            if let Status::Refused(refusal) = &played.status
                && refusal.code != "dead-end"
            {
                if draws == 0 {
                    refused_before += 1;
                    assert!(played.next == game, "{place}: refused, and something is kept");
                } else {
                    refused_after += 1;
                    let other = (0..1_000).any(|_| {
                        let again = run(&ruleset, &game, &request, &mut rng).map(|(played, _)| played);
                        again.is_none_or(|again| refused(&again).is_none_or(|code| code == "dead-end"))
                    });
                    assert!(other, "{place}: refused whatever falls, after a draw: {refusal:?}");
                }
            }
            game = played.next;
        }
        if steps >= wanted {
            break;
        }
    }
    assert!(
        refused_before > steps / 50,
        "{refused_before} refused before a draw, {refused_after} after one, of {steps}"
    );
}

/// Asserts that what the file keeps of an action was asked for, now or in an earlier step.
fn asked_for(before: &Game, played: &Played, place: &str) {
    let Some(kept) = kept(&played.next, before, &played.action) else { return };
    let known = before.pending.iter().find(|own| own.what == kept.what);
    for (random, map) in [(true, &kept.random), (false, &kept.chosen)] {
        for (key, values) in map.entries() {
            let now = played.selections.iter().filter(|own| key.is(&own.key) && (own.by == By::Random) == random);
            let now: usize = now.map(|own| own.value.items().len()).sum();
            let old = known.map(|own| if random { &own.random } else { &own.chosen });
            let old = old.and_then(|map| map.get(&key.to_string())).map_or(0, |values| values.items().len());
            assert!(values.items().len() <= now.max(old), "{place}: `{key}` {values} was not all asked for");
        }
    }
}
