//! Commands that a ruleset declares itself: a stranger's folder is typed, completed, helped, previewed, undone, verified.

use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::errors::{fails, folder, referee};

/// Three commands that no built-in ruleset has: one word; two words with an option; one with a flag.
const RULES: &str = "base: cycle-15
name: ours
title: Ours
groups: {proposal: Proposals and their seconds}
actions:
  dig:
    args: [{kind: player, text: The player who digs}]
    run: dig_action
    text: Dig for a shard (X-1)
    examples: [dig Lime]
  proposal second:
    args: [{name: number, kind: number}, {name: who, kind: person}]
    options: {because: {kind: text, text: Why it is a good proposal}}
    run: second_action
    text: Second a proposal (X-2)
    examples: [proposal second 3 Ann --because \"it is short\"]
  bury:
    args: [player]
    flags: {deep: Bury two of them}
    run: bury_action
    text: Bury a shard (X-3)
    examples: [bury Lime --deep]
";

const SCRIPT: &str = "
def dig_action(you):
    grant(you, \"Shard\", 1)

def second_action(number, who, because):
    set_proposal(number, proposals()[number] | {\"because\": because})

def bury_action(you, deep):
    revoke(you, \"Shard\", 2 if deep else 1)
";

const GAME: &str = "format: 1
ruleset: ours
started: 2024-01-05T00:00:00Z
players:
  Ann: {location: 0}
  Lime: {location: 1, items: {Shard: 3}}
spaces:
  0: {successors: [1]}
  1: {successors: [0]}
proposals:
  3: {author: Ann, title: Dig}
log: []
";

/// A game played by the stranger's folder.
fn ours(rules: &str) -> TempDir {
    let folder = folder(GAME);
    std::fs::create_dir(folder.path().join("ours")).unwrap();
    std::fs::write(folder.path().join("ours/ruleset.yaml"), rules).unwrap();
    std::fs::write(folder.path().join("ours/digging.star"), SCRIPT).unwrap();
    folder
}

fn run(folder: &Path, words: &str) -> Output {
    referee(folder, words).output().expect("it runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs the words, expects the exit code, and returns what was printed.
fn ends(folder: &Path, words: &str, code: i32) -> String {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words}\n{}", said(&output));
    said(&output)
}

fn state(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).unwrap()
}

#[test]
fn a_strangers_commands_are_typed_previewed_undone_and_verified() {
    let game = ours(RULES);
    let at = game.path();
    let before = state(at);
    assert!(ends(at, "dig Lime --dry-run", 0).contains("dry run"));
    assert_eq!(state(at), before, "a preview writes nothing");
    for words in
        ["dig Lime", "proposal second 3 Ann --because 'it is short'", "bury Lime --deep", "--at 2024-01-06 bury lime"]
    {
        ends(at, words, 0);
    }
    let played = state(at);
    for line in
        ["do: dig Lime", "do: proposal second 3 Ann --because 'it is short'", "do: bury Lime --deep", "do: bury Lime\n"]
    {
        assert!(played.contains(line), "{line}\n{played}");
    }
    assert!(played.contains("Lime: {location: 1, items: {Shard: 1}}"), "{played}");
    assert!(played.contains("because: it is short"), "{played}");
    ends(at, "verify", 0);
    ends(at, "undo 4", 0);
    assert!(state(at).contains("Lime: {location: 1, items: {Shard: 3}}"), "{}", state(at));
    ends(at, "verify", 0);
}

#[test]
fn a_strangers_commands_are_in_help_completions_the_manual_and_the_legal_actions() {
    let game = ours(RULES);
    let at = game.path();
    let help = ends(at, "help", 0);
    assert!(help.contains("dig ") && help.contains("Dig for a shard (X-1)"), "{help}");
    assert!(ends(at, "proposal --help", 0).contains("Second a proposal (X-2)"));
    assert!(ends(at, "help proposal second", 0).contains("Why it is a good proposal"));
    let flag = ends(at, "bury --help", 0);
    assert!(
        flag.contains("--deep") && flag.contains("referee bury Lime --deep") && flag.contains("--dry-run"),
        "{flag}"
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = ends(at, &format!("completions {shell}"), 0);
        assert!(["dig", "second", "bury", "deep"].iter().all(|word| script.contains(word)), "{shell}\n{script}");
    }
    assert!(ends(at, "man --markdown", 0).contains("## `referee proposal second`"));
    assert!(ends(at, "legal Lime", 0).contains("dig Lime"));
    assert!(ends(at, "rules list", 0).contains("Dig for a shard"));
}

#[test]
fn what_a_strangers_command_does_not_have_is_a_usage_error() {
    let game = ours(RULES);
    let before = state(game.path());
    for (words, texts) in [
        ("dig", &["<PLAYER>"][..]),
        ("dig Lime --deep", &["--deep"]),
        ("bury Lime --deep yes", &["yes"]),
        ("proposal third 3", &["third"]),
        ("proposal second x Ann", &["`x` is not a whole number"]),
    ] {
        let text = ends(game.path(), words, 2);
        assert!(texts.iter().all(|part| text.contains(part)), "{words}: {text}");
    }
    assert_eq!(state(game.path()), before);
}

#[test]
fn help_shows_the_commands_of_the_game_at_hand() {
    let game = tempfile::tempdir().unwrap();
    let at = game.path();
    assert!(ends(at, "help", 0).contains("macgyver"), "without a game the built-in ruleset serves");
    assert!(ends(at, "--rules missing help", 0).contains("macgyver"));
    ends(at, "init --ruleset world-map --players ann,bo", 0);
    let help = ends(at, "help", 0);
    assert!(!help.to_lowercase().contains("macgyver") && help.contains("tick-phase"), "{help}");
    ends(at, "macgyver ann Duck Fish", 2);
}

#[test]
fn options_of_play_are_only_on_commands_that_play_or_preview() {
    let game = crate::support::sample();
    for words in [
        "check --roll 9,9",
        "--roll 9,9 check",
        "schema --at 2024-01-06",
        "show players --seed 1",
        "rules list -s a=b",
        "verify --decline",
        "undo --roll 1,2",
        "init --link https://chat.example/1",
    ] {
        fails(&game, words, 2, &["unexpected argument"]);
    }
    let folder = folder(&game);
    for words in [
        "--roll 2,1 legal Lime",
        "--at 2024-02-02T18:22Z --seed 7 move Praqueue -n --decline",
        "undo -n --at 2024-02-02",
    ] {
        let code = run(folder.path(), words).status.code();
        assert!(code == Some(0) || code == Some(3), "{words}: {code:?}");
    }
}

#[test]
fn rules_after_submit_are_those_that_the_proposal_carries() {
    for option in ["--carry ours", "--carry=ours", "--rules ours", "--rules=ours"] {
        // Fewer cases are run before the submission.
        let game = ours(&RULES.replace("name: ours\n", "name: ours\nwithout: [garbage/]\n"));
        let at = game.path();
        let text = state(at).replace("ruleset: ours", "ruleset: cycle-15");
        std::fs::write(at.join("gamestate.yaml"), text).unwrap();
        let told = ends(at, &format!("proposal submit Ann Digging {option} --at 2024-01-05T01:00Z"), 0);
        assert!(told.contains("Under the rules of the proposal"), "{told}");
        let after = state(at);
        assert!(after.contains("ruleset: cycle-15") && after.contains("rules: ours@"), "{after}");
        assert!(after.contains("--carry ours@"), "{after}");
        ends(at, "verify", 0);
        // Before the command it is the global option, and after a command without rules of its own as well.
        for words in ["--rules ours dig Lime", "dig Lime --rules ours"] {
            ends(at, words, 0);
        }
    }
}

#[test]
fn names_of_the_program_are_errors_of_the_ruleset() {
    for (declared, message, line) in [
        ("  check: {run: dig_action}\n", "`check` cannot be an action: the program has a command of that name", 5),
        ("  proposal list: {run: dig_action}\n", "`proposal list` cannot be an action", 5),
        ("  show dig: {run: dig_action}\n", "`show dig` cannot be an action", 5),
        ("  proposal: {run: dig_action}\n", "`proposal` cannot be an action", 5),
        ("  dig: {run: dig_action, options: {file: text}}\n", "`dig` cannot have an option --file", 5),
        ("  dig:\n    run: dig_action\n    flags: {dry-run: x}\n", "`dig` cannot have an option --dry-run", 7),
        ("  dig:\n    run: dig_action\n    options: {rules: text}\n", "`dig` cannot have an option --rules", 7),
        ("  dig: {run: dig_action, args: [gold]}\n", "unknown kind `gold`", 5),
        ("  dig: {run: dig_action, args: [player?, item]}\n", "arguments come in the order", 5),
        ("  dig: {run: dig_action, argument: player}\n", "an action cannot declare `argument`", 5),
        ("  dig: {run: dig_action}\n  dig up: {run: dig_action}\n", "`dig` cannot be a command and a group", 5),
        ("  dig up now: {run: dig_action}\n", "`dig up now` cannot be a command", 5),
    ] {
        let game = ours(&format!("base: cycle-15\nname: ours\ntitle: Ours\nactions:\n{declared}"));
        for words in ["rules check", "dig Lime", "check"] {
            let told = ends(game.path(), words, 6).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(told.contains(&format!("ours/ruleset.yaml:{line}")), "{words}: {declared}{told}");
            let plain: String = told.replace("│ ", "");
            assert!(plain.contains(message), "{words}: {declared}{told}");
        }
    }
}

#[test]
fn broken_or_missing_games_and_rules_leave_the_program_its_own_commands() {
    // The rules do not load.
    let game = ours(RULES);
    let at = game.path();
    ends(at, "dig Lime", 0);
    std::fs::write(
        at.join("ours/ruleset.yaml"),
        "base: cycle-15\nname: ours\ntitle: Ours\nactions: {check: {run: x}}\n",
    )
    .unwrap();
    let help = ends(at, "help", 0);
    assert!(help.contains("undo") && help.contains("do not load") && help.contains("`check` cannot be"), "{help}");
    ends(at, "completions bash", 0);
    ends(at, "man", 0);
    for words in ["rules check", "check", "dig Lime"] {
        assert!(ends(at, words, 6).contains("reserved-name"), "{words}");
    }
    ends(at, "undo", 0);
    assert!(state(at).contains("undone: true"), "{}", state(at));
    ends(at, "migrate cycle-15", 0);
    assert!(state(at).contains("ruleset: cycle-15"), "{}", state(at));
    ends(at, "check", 0);
    // The folder of rules is gone.
    std::fs::write(at.join("gamestate.yaml"), GAME.replace("ruleset: ours", "ruleset: gone")).unwrap();
    ends(at, "help", 0);
    ends(at, "migrate cycle-15", 0);
    // The gamestate is not valid, and then not even YAML.
    std::fs::write(
        at.join("gamestate.yaml"),
        GAME.replace("ruleset: ours", "ruleset: cycle-15").replace("location: 0", "location: 9"),
    )
    .unwrap();
    ends(at, "help", 0);
    ends(at, "check", 1);
    ends(at, "rules check", 0);
    std::fs::write(at.join("gamestate.yaml"), "format: 1\nruleset: cycle-15\nplayers: [\n").unwrap();
    ends(at, "help", 0);
    ends(at, "check", 6);
    ends(at, "rules check", 0);
    // There is none.
    std::fs::remove_file(at.join("gamestate.yaml")).unwrap();
    ends(at, "help", 0);
    ends(at, "rules check", 0);
    ends(at, "check", 6);
    ends(at, "undo", 6);
    ends(at, "move Lime", 6);
    ends(at, "mvoe Lime", 2);
}

#[test]
fn withdraw_is_a_flag_and_the_log_reads_it_with_yes_as_well() {
    let game = folder(
        GAME.replace("ruleset: ours", "ruleset: cycle-15")
            .replace("proposals:\n  3: {author: Ann, title: Dig}\n", "state: {judge: Ann}\n"),
    );
    let at = game.path();
    let post = "--at 2024-01-06T10:00Z";
    ends(at, &format!("judge remove Lime {post}"), 0);
    ends(at, &format!("judge remove Lime --withdraw yes {post}"), 2);
    ends(at, &format!("judge remove Lime --withdraw {post}"), 0);
    assert!(state(at).contains("do: judge remove Lime --withdraw\n"), "{}", state(at));
    ends(at, "verify", 0);
    let old = state(at).replace("do: judge remove Lime --withdraw\n", "do: judge remove Lime --withdraw yes\n");
    std::fs::write(at.join("gamestate.yaml"), old).unwrap();
    ends(at, "verify", 0);
}
