//! Undoing, verifying, merging, archiving, sealed dice and writes that are killed, by the program itself.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::errors::{fails, folder, referee};
use crate::support::{root, sample, scaled};

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 4
players:
  Ann: {location: 3, items: {Duck: 1}}   # owns a duck
  Bob: {}
spaces:
  0: {successors: [1]}
  1: {successors: [2, 3]}
  2: {successors: [3]}
  3: {successors: [4]}
  4: {successors: [5]}
  5: {successors: [0]}
log: []
";

/// Runs words and gives the exit code with everything that was said.
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

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the file is there")
}

const AT: &str = "--at 2024-01-16T10:00Z --no-input --decline";

#[test]
fn an_undone_action_meets_its_draws_again_and_a_redone_one_is_the_same_file() {
    let folder = folder(GAME);
    let folder = folder.path();
    done(folder, &format!("move Ann --seed 7 {AT}"));
    let after = text(folder, "gamestate.yaml");
    let told = done(folder, "undo");
    assert!(told.contains("undid entry 1, `move Ann`; its dice"), "{told}");
    done(folder, "redo");
    assert_eq!(text(folder, "gamestate.yaml"), after);
    done(folder, "undo");
    let again = done(folder, &format!("move Ann --seed 8 {AT}"));
    assert!(again.contains("recorded"), "another seed draws nothing new: {again}");
    assert!(text(folder, "gamestate.yaml").contains("met: 1"));
    let (code, no) = said(folder, "redo");
    assert_eq!(code, 3, "{no}");
    assert!(no.contains("nothing-to-redo"), "{no}");
    done(folder, "void-attempts 1 2 --because 'ruling 3'");
    let anew = done(folder, &format!("move Ann --roll 1,1 {AT}"));
    assert!(anew.contains("posted"), "what is void is met no more: {anew}");
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn amending_plays_everything_since_again() {
    let folder = folder(GAME);
    let folder = folder.path();
    done(folder, &format!("move Bob --roll 1,1 --path 1,2 {AT}"));
    done(folder, &format!("move Ann --roll 1,2 {AT}"));
    let before = text(folder, "gamestate.yaml");
    let shown = done(folder, &format!("amend 1 --path 1,3 --dry-run {AT}"));
    assert!(shown.contains("/players/Bob/location   2        3"), "{shown}");
    assert_eq!(text(folder, "gamestate.yaml"), before, "a dry run writes nothing");
    done(folder, &format!("amend 1 --path 1,3 {AT}"));
    let file = text(folder, "gamestate.yaml");
    for line in ["do: amend 1", "amends: [{entry: 1, chosen: {path: [1, 3]}}]", "outcome: corrected"] {
        assert!(file.contains(line), "{line}\n{file}");
    }
    assert!(done(folder, "verify").contains(" 0 findings"));
    done(folder, "undo");
    assert!(text(folder, "gamestate.yaml").contains("location: 2"));
}

#[test]
fn wrong_corrections_are_refused() {
    let game = GAME.replace(
        "log: []\n",
        "log:\n  - {id: 1, phase: 1, do: move Bob, random: {roll: [1, 1]}, chosen: {path: [1, 2]}}\n",
    );
    for (words, texts) in [
        ("undo 2", &["nothing-to-undo"][..]),
        ("redo", &["nothing-to-redo"]),
        ("amend 9 --roll 1,2", &["unknown-entry", "the last is 1"]),
        ("amend 1 --because x", &["nothing-changes"]),
        ("amend 1 --roll 1,2", &["too-late", "M-6", "R-84"]),
        ("void-attempts 1", &["no-reason", "RC-2"]),
        ("negate-move Ann", &["no-move", "M-7"]),
    ] {
        fails(&game, words, 3, texts);
    }
    fails(GAME, "undo none", 2, &["invalid digit"]);
}

#[test]
fn nobody_is_undone_whose_action_waits() {
    let folder = folder(GAME);
    let folder = folder.path();
    done(folder, &format!("join Zoe {AT}"));
    let (code, left) = said(folder, &format!("--no-input move Zoe --roll 1,2 {AT}"));
    assert_eq!(code, 4, "{left}");
    let before = text(folder, "gamestate.yaml");
    let (code, refused) = said(folder, "undo");
    assert_eq!(code, 3, "{refused}");
    assert!(refused.contains("move-pending") && refused.contains("`move Zoe` is pending"), "{refused}");
    assert_eq!(text(folder, "gamestate.yaml"), before);
    done(folder, "drop Zoe");
    done(folder, "undo");
    assert!(done(folder, "verify").contains(" 0 findings"));
}

#[test]
fn an_edit_that_no_entry_explains_is_found_with_its_line() {
    let folder = folder(GAME);
    let folder = folder.path();
    std::fs::copy(folder.join("gamestate.yaml"), folder.join("old.yaml")).expect("room");
    done(folder, &format!("move Ann --roll 1,2 {AT}"));
    assert!(done(folder, "verify old.yaml gamestate.yaml").contains(" 0 findings"));
    let honest = text(folder, "gamestate.yaml");
    std::fs::write(folder.join("gamestate.yaml"), honest.replace("Duck: 1", "Duck: 2")).expect("room");
    let (code, found) = said(folder, "verify old.yaml gamestate.yaml");
    assert_eq!(code, 1, "{found}");
    assert!(found.contains("/players/Ann/items/Duck changed from 1 to 2, which no entry records"), "{found}");
    let (_, github) = said(folder, "verify old.yaml gamestate.yaml --report github");
    assert!(github.starts_with("::error file=gamestate.yaml,line=6,col="), "{github}");
    let (_, sarif) = said(folder, "verify old.yaml gamestate.yaml --report sarif");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    std::fs::write(folder.join("gamestate.yaml"), honest.replace("roll: [1, 2]", "roll: [1, 1]")).expect("room");
    let (code, found) = said(folder, "verify --format json");
    assert_eq!(code, 1);
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    assert_eq!(found["verified"]["findings"], found["problems"].as_array().map_or(0, Vec::len), "{found}");
}

#[test]
fn every_commit_of_a_range_is_looked_at() {
    let folder = folder(GAME);
    let folder = folder.path();
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=Lime", "-c", "user.email=lime@example.org", "-c", "init.defaultBranch=main"];
        let ran = Command::new("git").current_dir(folder).args(who).args(args).output().expect("git runs");
        assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "a new game"]);
    done(folder, &format!("move Ann --roll 1,2 {AT}"));
    git(&["commit", "-qam", "a move"]);
    assert!(done(folder, "verify --git HEAD~1..HEAD").contains(" 0 findings"));
    let file = text(folder, "gamestate.yaml");
    std::fs::write(folder.join("gamestate.yaml"), file.replace("Bob: {}", "Bob: {items: {Crystal: 1}}")).expect("room");
    git(&["commit", "-qam", "a gift"]);
    let (code, found) = said(folder, "verify --git HEAD~2..HEAD");
    assert_eq!(code, 1, "{found}");
    let flat = found.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(flat.contains("/players/Bob/items") && flat.contains("commit "), "{found}");
    let (code, wrong) = said(folder, "verify --git nowhere..HEAD");
    assert_eq!(code, 6, "{wrong}");
}

#[test]
fn two_branches_that_each_appended_are_joined_by_playing_theirs_on_ours() {
    let folder = folder(GAME);
    let folder = folder.path();
    for name in ["base.yaml", "ours.yaml", "theirs.yaml"] {
        std::fs::copy(folder.join("gamestate.yaml"), folder.join(name)).expect("room");
    }
    done(folder, &format!("-f ours.yaml move Ann --roll 1,2 {AT}"));
    done(folder, &format!("-f theirs.yaml move Bob --roll 1,1 --path 1,2 {AT}"));
    done(folder, "merge base.yaml ours.yaml theirs.yaml");
    let joined = text(folder, "ours.yaml");
    assert!(joined.contains("do: move Ann") && joined.contains("do: move Bob") && joined.contains("# owns a duck"));
    assert!(done(folder, "verify base.yaml ours.yaml").contains(" 0 findings"));
    let (code, no) = said(folder, "merge base.yaml ours.yaml theirs.yaml");
    assert_eq!((code, no.contains("cannot replay their entry 1, `move Bob`")), (3, true), "{no}");
    assert_eq!(text(folder, "ours.yaml"), joined, "ours is left as it was");
}

#[test]
fn entries_out_of_reach_move_to_an_archive_that_verify_reads() {
    let folder = folder(GAME);
    let folder = folder.path();
    done(folder, &format!("move Ann --roll 1,2 {AT}"));
    std::fs::copy(folder.join("gamestate.yaml"), folder.join("old.yaml")).expect("room");
    done(folder, "tick-phase --to 2024-01-22 --archive archive.yaml");
    assert!(text(folder, "archive.yaml").contains("do: move Ann"));
    assert!(!text(folder, "gamestate.yaml").contains("do: move Ann"));
    assert!(done(folder, "verify --archive archive.yaml").contains("replayed 2 entries"), "the tick and the move");
    assert!(done(folder, "verify old.yaml gamestate.yaml --archive archive.yaml").contains(" 0 findings"));
    let (code, gone) = said(folder, "verify old.yaml gamestate.yaml");
    assert_eq!((code, gone.contains("is missing")), (1, true), "{gone}");
    done(folder, "tick-phase --to 2024-01-29 --archive archive.yaml");
    let archive = text(folder, "archive.yaml");
    assert_eq!(archive.matches("- id: ").count(), 2, "the newest entry stays, and with it the count: {archive}");
    assert!(done(folder, "verify --archive archive.yaml").contains(" 0 findings"));
}

#[test]
fn check_warns_and_fixes_what_is_safe_to_fix() {
    let game = "format: 1\nruleset: cycle-15\nphase: 3\nrulings: {wheel: as-earlier}\nplayers: {Ann: {}}\nspaces:\n  \
                1: {successors: [2, 2]}   # twice\n  2: {pseudo-type: Geyser}\n  204: {}\npending:\n  - {phase: 2, do: move Ann, random: {roll: [1, 2]}}\n";
    let folder = folder(game);
    let folder = folder.path();
    assert_eq!(said(folder, "check").0, 1);
    let told = done(folder, "check --fix");
    for what in [
        "fixed: removed duplicate successors of space 1",
        "fixed: removed the pseudo-type of space 2, which has no category",
        "fixed: created space 0",
        "spaces 1, 2, 204",
        "was started in phase 2, but this is phase 3",
        "space 204 should precede space 0 (WR-2)",
    ] {
        assert!(told.contains(what), "{what}\n{told}");
    }
    let file = text(folder, "gamestate.yaml");
    assert!(file.contains("  1: {successors: [2]}   # twice\n  2: {}\n  204: {}\n"), "{file}");
}

#[test]
fn sealed_dice_are_those_of_the_secret() {
    let folder = folder("");
    let folder = folder.path();
    std::fs::remove_file(folder.join("gamestate.yaml")).expect("it was there");
    done(folder, "init --started 2024-01-05 --players Ann,Bob --sealed game.secret");
    let fresh = text(folder, "gamestate.yaml");
    let (code, no) = said(folder, &format!("move Ann {AT}"));
    assert_eq!((code, no.contains("no-secret")), (6, true), "{no}");
    assert_eq!(text(folder, "gamestate.yaml"), fresh);
    done(folder, "tick-phase --to 2024-01-15 --secret game.secret");
    done(folder, &format!("move Ann --secret game.secret {AT}"));
    let first = text(folder, "gamestate.yaml");
    done(folder, "undo");
    done(folder, &format!("move Ann --secret game.secret {AT}"));
    let rolls =
        |text: &str| text.rsplit("random: {roll: ").next().and_then(|rest| rest.split('}').next()).map(str::to_owned);
    assert_eq!(rolls(&first), rolls(&text(folder, "gamestate.yaml")), "the same action draws the same");
    std::fs::write(folder.join("other.secret"), "guess").expect("room");
    assert!(said(folder, &format!("move Bob --secret other.secret {AT}")).1.contains("wrong-secret"));
    assert_eq!(said(folder, "reveal --secret other.secret").0, 6);
    done(folder, "reveal --secret game.secret");
    assert!(done(folder, "verify").contains(" 0 findings"));
    let honest = text(folder, "gamestate.yaml");
    for (what, code) in [("drawn: {roll: [[", "wrong-die"), ("nth: ", "other-identity"), ("random: {roll: [", "entry")]
    {
        let (start, rest) = honest.rsplit_once(what).expect("it is there");
        let digit = rest.chars().next().and_then(|c| c.to_digit(10)).unwrap_or(9);
        let changed = format!("{start}{what}{}{}", digit % 4 + 1, &rest[1..]);
        std::fs::write(folder.join("gamestate.yaml"), changed).expect("room");
        let (exit, found) = said(folder, "verify");
        assert_eq!((exit, found.contains(code)), (1, true), "{what}: {found}");
    }
    std::fs::write(folder.join("gamestate.yaml"), &honest).expect("room");
    // The same scheme in another language, where there is one to run it.
    let Ok(python) = Command::new("python3").arg("--version").output() else { return };
    assert!(python.status.success());
    let log = referee(folder, "show log --format json").output().expect("it runs").stdout;
    std::fs::write(folder.join("log.json"), log).expect("room");
    let script = root("docs/verify_dice.py");
    let log = std::fs::File::open(folder.join("log.json")).expect("just written");
    let mut checks = Command::new("python3");
    checks.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg("game.secret").current_dir(folder).stdin(log);
    let checked = checks.output().expect("it runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    assert!(String::from_utf8_lossy(&checked.stdout).contains(", 0 wrong"));
}

/// 300 processes that write are killed at any moment: the file is the old one or the new one, and what is left of a write
/// goes with the next.
#[test]
fn a_write_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = folder(sample());
    let folder = folder.path();
    let mut rng = ChaCha8Rng::seed_from_u64(300);
    let (mut written, mut kept) = (0, 0);
    // As long as a write takes here, and as long again: so every moment of it is met, and its end as well.
    let start = std::time::Instant::now();
    done(folder, "adjudicate --set /players/Lime/items/Duck=1 --because 'the first one'");
    let most = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX).clamp(10_000, 100_000) * 2;
    let mut before = text(folder, "gamestate.yaml");
    for number in 0..scaled(300).max(60) {
        let set = format!("/players/Lime/items/Duck={}", number + 7);
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.current_dir(folder).args(["adjudicate", "--set", &set, "--because", &number.to_string()]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(rng.random_range(0..most)));
        let _ = child.kill();
        child.wait().expect("it ends");
        let after = text(folder, "gamestate.yaml");
        if after == before {
            kept += 1;
        } else {
            written += 1;
            assert!(after.contains(&format!("Duck: {}", number + 7)), "neither the old file nor the new one");
            assert!(after.ends_with('\n') && after.contains(&format!("--because {number}\n")));
        }
        before = after;
    }
    assert!(written > 0 && kept > 0, "{written} written, {kept} kept: killed at too few moments");
    done(folder, "adjudicate --set /players/Lime/items/Duck=5 --because 'the last one'");
    assert_eq!(said(folder, "check").0, 0);
    let names: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["gamestate.yaml"], "nothing is left behind");
}

/// Where no more can be written, as on a full disk, the file stays as it was and nothing is left beside it.
#[test]
fn a_write_for_which_there_is_no_room_changes_nothing() {
    let folder = folder(sample());
    let folder = folder.path();
    let before = text(folder, "gamestate.yaml");
    let program = env!("CARGO_BIN_EXE_referee");
    let script =
        format!("trap '' XFSZ; ulimit -f 4; exec '{program}' adjudicate --set /players/Lime/items/Duck=2 --because x");
    let output = Command::new("bash").current_dir(folder).args(["-c", &script]).output().expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{said}");
    assert!(said.contains("cannot-write") && said.contains("the file is unchanged"), "{said}");
    assert_eq!(text(folder, "gamestate.yaml"), before);
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 1, "nothing is left behind");
}
