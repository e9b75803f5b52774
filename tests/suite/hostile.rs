//! Rule files, folders, names and gamestates that mean harm, played as processes: each ends within its limits, and says
//! what is wrong.

mod bombs;
mod folders;
mod names;
mod pins;

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::errors::{folder, referee};

/// A game whose only trap is on the space where a throw of 1 and 1 ends.
const GAME: &str = "format: 1\nruleset: rules/ours\nplayers: {Ann: {}}\nspaces:\n  0: {successors: [1]}\n  \
                    1: {successors: [2]}\n  2: {type: Trap, successors: [2]}\nlog: []\n";

/// Writes a ruleset `rules/ours` beside the game, with the trap that these lines make.
fn with_trap(effect: &str) -> TempDir {
    let folder = folder(GAME);
    let rules = folder.path().join("rules/ours");
    std::fs::create_dir_all(rules.join("spaces")).expect("a writable folder");
    write(&rules.join("ruleset.yaml"), "base: cycle-15\nname: ours\ntitle: ours\n");
    write(&rules.join("spaces/trap.yaml"), &format!("name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n{effect}\n"));
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a writable file");
}

/// Runs words in a folder; the test fails if they take longer than two seconds of a machine that has nothing else to do.
fn said(folder: &Path, words: &str) -> (i32, String) {
    let begun = Instant::now();
    let mut command = referee(folder, words);
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let took = begun.elapsed();
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    assert!(took < limit(), "`{words}` took {took:?}: {said}");
    (status.code().unwrap_or_else(|| panic!("`{words}` was ended by a signal: {said}")), said)
}

/// Two seconds, and as much more as an empty process takes more than it should: the tests share their machine.
fn limit() -> Duration {
    let begun = Instant::now();
    let _ = std::process::Command::new(env!("CARGO_BIN_EXE_referee")).arg("--version").stdout(Stdio::null()).status();
    Duration::from_secs(2) + begun.elapsed() * 10
}

#[test]
fn what_is_no_gamestate_is_told_what_one_is() {
    for (text, found) in
        [("", "it holds nothing"), ("- a\n- b\n", "it holds a list"), ("7\n", "it holds a single value")]
    {
        let folder = folder(text);
        let (code, said) = said(folder.path(), "check");
        assert_eq!(code, 6, "{said}");
        for words in [found, "gamestate.yaml:1:", "format: 1"] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
    let folder = folder(GAME.replace("rules/ours", "cycle-16"));
    let (code, said) = said(folder.path(), "check");
    assert!(code == 6 && said.contains("gamestate.yaml:2:") && said.contains("cycle-15"), "{said}");
}

#[test]
fn a_warning_is_shown_beside_an_error_and_a_future_phase_is_one() {
    let game = "format: 1\nruleset: cycle-15\nphase: 3\nplayers:\n  Ann: {moved-in: [4]}\n  --help: {}\nspaces:\n  \
                0: {successors: [1]}\n  1: {successors: [0]}\n  9: {successors: [0]}\n";
    let folder = folder(game);
    let (code, said) = said(folder.path(), "check");
    assert_eq!(code, 1, "{said}");
    for words in ["future-phase", "names phase 4", "spaces 9 cannot be reached", "`--help` begins as an option"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn migrate_takes_out_what_is_wrong_only_because_it_has_no_counterpart() {
    let game = "format: 1\nruleset: cycle-15\nplayers:\n  Ann: {items: {Spork: 2, Duck: 1}}\nspaces:\n  \
                0: {type: Volcano, successors: [0]}\nlog: []\n";
    let folder = folder(game);
    let (code, _) = said(folder.path(), "check");
    assert_eq!(code, 1);
    let (code, told) = said(folder.path(), "migrate cycle-15-early");
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("2 Spork") && told.contains("Volcano of space 0"), "{told}");
    let (code, after) = said(folder.path(), "check");
    assert_eq!(code, 0, "{after}");
}
