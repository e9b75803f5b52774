//! The examples: a whole game from `init` to its winner, and the file that it ends with.

use std::process::Command;

use crate::repository::same_as_page;
use crate::support::root;

/// 290 commands, each a process of its own.
#[test]
fn the_month_ends_with_its_file_byte_for_byte() {
    plays("month", &["ruleset: month/rules/duckling", "winners:"]);
}

/// Three rounds with four players; an adopted rule brings its files.
#[test]
fn the_world_map_ends_with_its_file_byte_for_byte() {
    plays("world-map", &["ruleset: world-map/rules/harvest", "round: 4"]);
}

/// Four players under the earlier ruleset, until one has won.
#[test]
fn the_early_game_ends_with_its_file_byte_for_byte() {
    plays("early", &["ruleset: cycle-15-early", "winners: [Bram]", "ended: true"]);
}

/// Ten actions with the dice of public rounds; a second verifier, which shares no code with the program, finds the same.
#[test]
fn the_beacon_game_ends_with_its_file_byte_for_byte() {
    plays("beacon", &["dice: {by: beacon, chain: quicknet, delay: 30", "round: 64530", "round: 657413"]);
    let file = root("examples/beacon.yaml").display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["-f", &file, "show", "log", "--format", "json"])
        .output()
        .expect("it runs");
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let draws = shown["draws"].as_array().expect("a list");
    let actions = shown["log"].as_array().expect("a list").iter().filter(|entry| entry["dice"].is_object()).count();
    assert_eq!((actions, draws.len()), (10, 20));
    for draw in draws {
        assert_eq!(
            crate::verifiers::settle(draw).expect("it can be derived"),
            draw["place"].as_u64().expect("a place")
        );
    }
}

/// The board of phase VIII can be played; the wheel rule as it is written does not agree with it at three links.
#[test]
fn the_board_of_phase_8_does_not_agree_with_the_wheel_as_it_is_written() {
    let file = root("examples/cycle-15-phase-8.yaml").display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["-f", &file, "check", "--format", "json"])
        .output()
        .expect("it runs");
    assert!(output.status.success());
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let by_the_rules = found["problems"].as_array().expect("a list").iter().filter(|own| own["code"] == "by-the-rules");
    let said: Vec<&str> = by_the_rules.filter_map(|own| own["message"].as_str()).collect();
    for link in [
        "space -205 should precede space 2",
        "space -210 should precede space 12",
        "space 22 should precede space -219",
    ] {
        assert!(said.iter().any(|message| message.contains(link)), "{link}: {said:?}");
    }
}

/// Plays the example's script in a folder of its own, compares the file it ends with, and has the log verified.
fn plays(name: &str, holds: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = root(&format!("examples/{name}.sh"));
    let mut command = Command::new("bash");
    command.arg(script).arg(folder.path()).env("REFEREE", env!("CARGO_BIN_EXE_referee"));
    let output = command.output().expect("bash runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    let played = std::fs::read_to_string(folder.path().join("gamestate.yaml")).expect("the file is there");
    for text in holds {
        assert!(played.contains(text), "{name} has no `{text}`");
    }
    let page = format!("examples/{name}.yaml");
    same_as_page(&page, &played);
    let file = root(&page).display().to_string();
    let verified = Command::new(env!("CARGO_BIN_EXE_referee")).args(["-f", &file, "verify"]).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&verified.stdout), String::from_utf8_lossy(&verified.stderr));
    assert!(verified.status.success() && said.contains(", 0 findings") && !said.contains("not-checkable"), "{said}");
}
