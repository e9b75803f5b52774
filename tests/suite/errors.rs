//! What bad input gets: a message, an exit code, and a file that is as it was.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 2
players:
  Magnitech: {location: 0, moved-in: [2]}
  Nyhilo: {location: 3}
spaces:
  0: {type: Crystal, successors: [1]}
  1: {successors: [2, 7]}
  2: {successors: [3]}
  3: {successors: [4]}
  4: {successors: [5]}
  5: {successors: [6]}
  6: {successors: [0]}
  7: {type: Hazard, pseudo-type: Geyser, successors: [8]}
  8: {successors: [5]}
log: []
";

/// A folder with this gamestate.
pub fn folder(game: impl AsRef<[u8]>) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("gamestate.yaml"), game).expect("a writable folder");
    folder
}

/// The program in that folder, without colours, prompts or a clock of its own.
pub fn referee(folder: &Path, words: &str) -> Command {
    let mut command = Command::cargo_bin("referee").expect("the program is built");
    command.current_dir(folder).env("NO_COLOR", "1").env("COLUMNS", "120").args(shlex::split(words).expect("words"));
    command
}

/// Runs the words on the game, and expects the exit code, every text on the way, and the file as it was.
pub fn fails(game: impl AsRef<[u8]>, words: &str, code: i32, texts: &[&str]) {
    let folder = folder(&game);
    let output = referee(folder.path(), words).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    // The report wraps long lines; what it says is compared without its layout.
    let flat = said
        .split(|c: char| c.is_whitespace() || c == '│')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(output.status.code(), Some(code), "{words}\n{said}");
    for text in texts {
        assert!(flat.contains(text), "`{words}` should say `{text}`:\n{said}");
    }
    let after = std::fs::read(folder.path().join("gamestate.yaml")).expect("the file is there");
    assert!(after == game.as_ref(), "`{words}` has touched the file");
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["gamestate.yaml"], "`{words}` has left something behind");
}

/// The game with one text in place of another.
fn with(old: &str, new: &str) -> String {
    assert!(GAME.contains(old), "{old}");
    GAME.replacen(old, new, 1)
}

#[test]
fn an_unknown_player_is_named_with_the_near_name() {
    fails(
        GAME,
        "move Nhyilo --roll 1,2",
        3,
        &["unknown-player", "no player called `Nhyilo`", "did you mean `Nyhilo`?"],
    );
}

#[test]
fn a_path_that_does_not_follow_the_successors_names_the_step_and_the_legal_ones() {
    fails(
        GAME,
        "move Nyhilo --roll 2,1 --path 4,6,0",
        3,
        &["illegal-selection", "step 2 of `path` cannot be 6", "legal: 5"],
    );
    fails(GAME, "move Magnitech --roll 2,1 --path 1,9,3", 3, &["step 2 of `path` cannot be 9", "legal: 2, 7"]);
}

#[test]
fn too_many_or_too_few_steps_are_refused() {
    fails(
        GAME,
        "move Nyhilo --roll 2,1 --path 4,5,6,0",
        3,
        &["unused-selection", "too many values for `path`: 4 given, 3 needed"],
    );
    fails(
        GAME,
        "move Nyhilo --roll 2,1 --path 4,5",
        3,
        &["illegal-selection", "`path` is too short: 2 of 3 steps", "step 3 is 6"],
    );
}

#[test]
fn dice_that_the_rule_cannot_give_are_refused() {
    fails(GAME, "move Nyhilo --roll 5,1", 3, &["illegal-selection", "2d4 cannot show 5", "each die shows 1 to 4"]);
    fails(GAME, "move Nyhilo --roll 0,1", 3, &["illegal-selection", "2d4 cannot show 0"]);
    fails(GAME, "move Nyhilo --roll 1,2,3", 3, &["illegal-selection", "needs exactly 2 dice (2d4), got 3"]);
    fails(GAME, "move Nyhilo --roll 4", 3, &["illegal-selection", "needs 2 dice (2d4), got 1"]);
    fails(GAME, "move Nyhilo --roll four,1", 3, &["bad-value", "cannot show four"]);
}

#[test]
fn a_second_move_in_a_phase_is_refused() {
    let game = with("moved-in: [2]", "moved-in: [2], move-action-in: 2");
    fails(game, "move Magnitech --roll 1,2 --path 1,2,3", 3, &["already-moved", "M-1"]);
}

#[test]
fn a_selection_that_nothing_asks_for_is_refused() {
    fails(GAME, "move Nyhilo --roll 1,2 -s glide=1", 3, &["unused-selection", "this action does not ask for `glide`"]);
}

#[test]
fn a_location_on_a_missing_space_is_a_problem_with_its_place() {
    fails(
        with("location: 3", "location: 99"),
        "check",
        1,
        &["gamestate.yaml:7", "is on space 99, which does not exist"],
    );
    fails(with("location: 3", "location: 99"), "move Magnitech --roll 1,2", 6, &["space 99"]);
}

#[test]
fn a_successor_that_does_not_exist_is_a_problem() {
    fails(
        with("[2, 7]", "[2, 77]"),
        "check",
        1,
        &["gamestate.yaml:10", "77 is a successor of space 1 but does not exist"],
    );
}

#[test]
fn a_pseudo_type_outside_its_category_is_a_problem() {
    fails(
        with("Geyser", "Casino"),
        "check",
        1,
        &["`Casino` is not in the category Hazard", "Stop Sign, Thin Ice, Geyser, Blank"],
    );
    fails(with("{successors: [3]}", "{pseudo-type: Geyser, successors: [3]}"), "check", 1, &["is not a category"]);
}

#[test]
fn names_that_nobody_knows_are_problems_with_the_near_one() {
    fails(with("type: Hazard", "type: Hazrad"), "check", 1, &["unknown space type `Hazrad`", "did you mean `Hazard`?"]);
    fails(with("location: 3", "locaton: 3"), "check", 1, &["unknown key `locaton`", "did you mean `location`?"]);
    fails(
        with("moved-in: [2]", "items: {Crystl: 1}"),
        "check",
        1,
        &["unknown item `Crystl`", "did you mean `Crystal`?"],
    );
    fails(with("log: []", "rulings: {prty: once}"), "check", 1, &["unknown key `prty`", "did you mean `party`?"]);
    fails(
        with("log: []", "rulings: {party: twice}"),
        "check",
        1,
        &["not a valid value for `party`", "toggle, once (R-143)"],
    );
}

#[test]
fn every_problem_is_reported_at_once() {
    let game = with("location: 3", "location: 99").replace("[2, 7]", "[2, 77]").replace("Geyser", "Casino");
    fails(game, "check", 1, &["space 99", "77 is a successor", "`Casino`"]);
}

#[test]
fn duplicate_keys_name_both_lines() {
    fails(with("phase: 2", "phase: 2\nphase: 3"), "check", 6, &["gamestate.yaml:5", "duplicate key", "line 4"]);
}

#[test]
fn yaml_that_is_not_for_people_is_refused() {
    fails(with("  Nyhilo: {location: 3}", "\tNyhilo: {location: 3}"), "check", 6, &["gamestate.yaml:7", "tab"]);
    fails(with("{location: 3}", "&me {location: 3}"), "check", 6, &["gamestate.yaml:7", "anchor"]);
    fails(with("{location: 3}", "*me"), "check", 6, &["gamestate.yaml:7"]);
    fails(with("{location: 3}", "{<<: {location: 3}}"), "check", 6, &["gamestate.yaml:7", "merge"]);
    fails(GAME.to_owned() + "---\nformat: 1\n", "check", 6, &["gamestate.yaml:19", "document"]);
}

#[test]
fn a_file_that_is_not_utf_8_names_the_byte() {
    let mut game = GAME.as_bytes().to_vec();
    game[20] = 0xff;
    fails(game, "check", 6, &["gamestate.yaml:2", "UTF-8"]);
}

#[test]
fn a_very_deep_file_is_refused_at_once() {
    fails(format!("{GAME}proposals: {}", "[".repeat(100_000)), "check", 6, &["gamestate.yaml:19"]);
    fails(format!("{GAME}proposals:\n{}", "- ".repeat(100_000)), "check", 6, &["gamestate.yaml:20"]);
}

#[test]
fn phase_0_is_a_problem() {
    fails(with("phase: 2", "phase: 0"), "check", 1, &["gamestate.yaml:4", "phase 0 does not exist", "counted from 1"]);
}

#[test]
fn a_missing_space_0_is_made_by_the_next_action() {
    let game = "format: 1\nruleset: cycle-15\nplayers: {Ann: {location: 1}}\nspaces:\n  1: {successors: [2]}\n  \
                2: {successors: [1]}\nlog: []\n";
    fails(game, "check", 0, &["space 0 is missing", "the next action will create it (B-5)"]);
    let folder = folder(game);
    referee(folder.path(), "move Ann --roll 1,2").assert().success();
    let after = std::fs::read_to_string(folder.path().join("gamestate.yaml")).unwrap();
    assert!(after.contains("\n  0: {type: Blank"), "{after}");
}

#[test]
fn a_file_that_is_not_there_or_not_writable_is_said_plainly() {
    fails(GAME, "-f other.yaml move Nyhilo --roll 1,2", 6, &["other.yaml"]);
    fails(with("ruleset: cycle-15", "ruleset: cycle-51"), "check", 6, &["cycle-51", "cycle-15"]);
}

#[test]
fn a_command_line_that_is_wrong_exits_with_2() {
    fails(GAME, "mvoe Nyhilo", 2, &["move"]);
    fails(GAME, "move", 2, &["PLAYER"]);
    fails(GAME, "move Nyhilo -s roll", 2, &["KEY=VALUE"]);
    fails(GAME, "--at yesterday move Nyhilo", 2, &["yesterday"]);
}

#[test]
fn a_rule_that_is_wrong_refuses_the_action_with_its_line() {
    let folder = folder(with("ruleset: cycle-15", "ruleset: ours").replace("type: Crystal", "type: Trap"));
    let rules = folder.path().join("ours/spaces");
    std::fs::create_dir_all(&rules).unwrap();
    std::fs::write(folder.path().join("ours/ruleset.yaml"), "base: cycle-15\nname: ours\ntitle: ours\n").unwrap();
    for (effect, words) in [
        ("grnat(you, \"Shard\")", "grnat"),
        ("for a in range(90000): [b for b in range(90000)]", "tick"),
        ("x = [0] * 200000000", "more than the 100000 allowed"),
        ("grant(you, \"Shard\"", "expected"),
    ] {
        let rule = format!("name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n  {effect}\n");
        std::fs::write(rules.join("trap.yaml"), rule).unwrap();
        let before = std::fs::read(folder.path().join("gamestate.yaml")).unwrap();
        let output = referee(folder.path(), "move Nyhilo --roll 3,1 --path 4,5,6,0").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("trap.yaml:") && said.contains(words) && said.contains("rule-failed"), "{said}");
        assert_eq!(std::fs::read(folder.path().join("gamestate.yaml")).unwrap(), before);
    }
}
