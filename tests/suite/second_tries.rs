//! No second try goes unseen (RC-2): each way to other dice, played as a process.

use std::path::Path;

use tempfile::TempDir;

use crate::errors::{folder, referee};

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 4
players:
  Ann: {location: 3, items: {Duck: 1, Fish: 1}}
  Bob: {}
spaces:
  0: {successors: [1]}
  1: {successors: [2, 3]}
  2: {successors: [3]}
  3: {successors: [4]}
  4: {successors: [5]}
  5: {type: Shard Pile, successors: [0]}
log: []
";

const EARLY: &str = "format: 1
ruleset: cycle-15-early
phase: 4
players:
  Ann: {location: 0}
  Bob: {}
spaces:
  0: {successors: [1]}
  1: {successors: [0]}
log: []
";

const AT: &str = "--at 2024-01-16T10:00Z --no-input --decline";
const NEXT: &str = "--at 2024-01-19T10:00Z --no-input --decline";

fn said(folder: &Path, words: &str) -> (i32, String) {
    let output = referee(folder, words).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("no signal"), said)
}

fn done(folder: &Path, words: &str) -> String {
    let (code, said) = said(folder, words);
    assert_eq!(code, 0, "{words}\n{said}");
    said
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).expect("the file is there")
}

/// Returns the last draws of a key in the file.
fn last(folder: &Path, key: &str) -> String {
    let file = text(folder);
    let (_, rest) = file.rsplit_once(&format!("random: {{{key}: ")).unwrap_or_else(|| panic!("{key}\n{file}"));
    rest.split('}').next().expect("a map").to_owned()
}

fn game() -> TempDir {
    folder(GAME)
}

#[test]
fn an_action_undone_together_with_the_tick_before_it_has_the_dice_it_had() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("tick-phase {NEXT}"));
    done(folder, &format!("macgyver Ann Duck Fish --seed 1 {NEXT}"));
    let first = last(folder, "garbage");
    done(folder, "undo 2");
    done(folder, &format!("tick-phase {NEXT}"));
    done(folder, &format!("macgyver Ann Duck Fish --seed 2 {NEXT}"));
    assert_eq!(last(folder, "garbage"), first);
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn an_undone_entry_of_an_earlier_phase_in_between_does_not_hide_the_dice() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("tick-phase {NEXT}"));
    done(folder, &format!("macgyver Ann Duck Fish --seed 1 {NEXT}"));
    let first = last(folder, "garbage");
    done(folder, "undo 2");
    done(folder, &format!("move Bob --roll 1,1 --path 1,2 {AT}"));
    done(folder, "undo");
    done(folder, &format!("tick-phase {NEXT}"));
    done(folder, &format!("macgyver Ann Duck Fish --seed 2 {NEXT}"));
    assert_eq!(last(folder, "garbage"), first);
}

#[test]
fn the_order_of_two_items_is_no_new_try() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("macgyver Ann Duck Fish --seed 1 {AT}"));
    let first = last(folder, "garbage");
    done(folder, "undo");
    for seed in 2..6 {
        done(folder, &format!("macgyver Ann Fish Duck --seed {seed} {AT}"));
        assert_eq!(last(folder, "garbage"), first);
        done(folder, "undo");
    }
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn another_moment_of_the_same_tick_is_no_new_try() {
    // Ann becomes reputable in the phase that begins, and the whistle's garbage is drawn.
    let joined = GAME.replace("Bob: {}", "Bob: {joined: 2024-01-12T00:00:00Z}");
    let folder = folder(joined);
    let folder = folder.path();
    let draws = |to: &str, seed: u8| {
        done(folder, &format!("tick-phase --to {to} --seed {seed} --no-input --decline"));
        let file = text(folder);
        file.rsplit_once("random: ").map(|(_, rest)| rest.lines().next().expect("a line").to_owned())
    };
    let first = draws("2024-01-19T00:00:00Z", 1).expect("something is drawn");
    done(folder, "undo");
    let second = draws("2024-01-19T00:00:01Z", 2).expect("something is drawn");
    assert_eq!(first, second);
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn an_amendment_that_draws_draws_once() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("move Bob --roll 1,1 --path 1,2 {AT}"));
    done(folder, &format!("amend 1 --roll 2,3 --path 1,2,3,4,5 --seed 1 {AT}"));
    let first = last(folder, "shards");
    for seed in 2..6 {
        done(folder, "undo");
        done(folder, &format!("amend 1 --roll 2,3 --path 1,2,3,4,5 --seed {seed} --because 'again' {AT}"));
        assert_eq!(last(folder, "shards"), first);
    }
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn a_draw_that_one_way_did_not_need_is_not_forgotten() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("move Bob --roll 2,2 --path 1,3,4,5 --seed 1 {AT}"));
    let file = text(folder);
    let shards = file.split("shards: ").nth(1).expect("drawn").split('}').next().expect("a map").to_owned();
    done(folder, "undo");
    done(folder, &format!("move Bob --path 1,2,3,4 {AT}"));
    done(folder, "undo");
    done(folder, &format!("move Bob --path 1,3,4,5 --seed 9 {AT}"));
    assert_eq!(text(folder).rsplit("shards: ").next().expect("drawn").split('}').next(), Some(shards.as_str()));
}

/// Changes the file of a game and returns what `verify` says of it.
fn forged(folder: &Path, change: impl Fn(&str) -> String) -> String {
    let honest = text(folder);
    std::fs::write(folder.join("old.yaml"), GAME).expect("room");
    let changed = change(&honest);
    assert_ne!(honest, changed, "nothing is forged");
    std::fs::write(folder.join("gamestate.yaml"), changed).expect("room");
    let (code, found) = said(folder, "verify old.yaml gamestate.yaml");
    assert_eq!(code, 1, "{found}");
    std::fs::write(folder.join("gamestate.yaml"), honest).expect("room");
    found
}

#[test]
fn forged_entries_are_found() {
    let folder = game();
    let folder = folder.path();
    done(folder, &format!("move Ann --roll 1,2 {AT}"));
    done(folder, "undo");
    let undone = text(folder);
    let found = forged(folder, |file| file.replace("roll: [1, 2]", "roll: [9, 9]"));
    assert!(found.contains("not-possible"), "dice of an undone entry: {found}");
    let found = forged(folder, |file| file.replace("roll: [1, 2]", "roll: [2, 2]"));
    assert!(found.contains("other-outcome"), "dice of an undone entry: {found}");
    done(folder, &format!("move Ann {AT}"));
    let found = forged(folder, |file| file.replacen("    met: 1\n", "", 1));
    assert!(found.contains("second-try"), "{found}");
    let found = forged(folder, |file| file.replacen("phase: 4\n    do", "phase: 3\n    do", 1));
    assert!(found.contains("other-phase"), "{found}");
    std::fs::write(folder.join("gamestate.yaml"), undone).expect("room");
    done(folder, &format!("move Bob --roll 1,1 --path 1,2 {AT}"));
    let found = forged(folder, |file| file.replace("do: move Bob\n", "do: move Bob\n    met: 1\n"));
    assert!(found.contains("second-try") && found.contains("not its to reuse"), "{found}");
}

#[test]
fn dice_of_a_dropped_action_are_checked() {
    let folder = game();
    let folder = folder.path();
    assert_eq!(said(folder, "move Bob --roll 1,2 --at 2024-01-16T10:00Z --no-input").0, 4);
    done(folder, "drop Bob");
    let found = forged(folder, |file| file.replace("roll: [1, 2]", "roll: [9, 9, 9]"));
    assert!(found.contains("cannot have its dice"), "{found}");
}

#[test]
fn a_time_outside_the_phase_and_a_seed_are_named() {
    let folder = game();
    let folder = folder.path();
    done(folder, "macgyver Ann Duck Fish --seed 5 --at 2024-03-16T10:00Z --no-input --decline");
    let told = done(folder, "verify");
    assert!(told.contains("--seed") && told.contains("lies in phase"), "{told}");
    let (_, json) = said(folder, "verify --format json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["verified"]["seeded"], serde_json::json!([1]));
}

#[test]
fn moving_a_game_to_other_rules_gives_nothing() {
    let folder = folder(EARLY);
    let folder = folder.path();
    std::fs::copy(folder.join("gamestate.yaml"), folder.join("before.yaml")).expect("room");
    done(folder, "migrate cycle-15");
    let honest = text(folder);
    assert!(done(folder, "verify").contains(" 0 findings"), "{honest}");
    let given = honest.replace("Bob: {}", "Bob: {items: {Crystal: 9}}").replace(
        "/ruleset: [cycle-15-early, cycle-15]",
        "/ruleset: [cycle-15-early, cycle-15]\n      /players/Bob/items/Crystal: [null, 9]",
    );
    assert_ne!(given, honest);
    std::fs::write(folder.join("gamestate.yaml"), given).expect("room");
    let (code, found) = said(folder, "verify");
    assert_eq!(code, 1, "{found}");
    assert!(found.contains("/players/Bob/items/Crystal"), "{found}");
}
