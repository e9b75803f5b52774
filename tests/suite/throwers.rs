//! Who throws: the program, the players, a secret or a beacon, by the program itself.

use std::path::Path;

use tempfile::TempDir;

use crate::cheats::{beacons, gamestate, link, round};
use crate::errors::{folder, referee};
use crate::support::read;

const AT: &str = "--no-input --at 2023-08-23T16:00Z";
const BEACON: &str = "dice: {by: beacon, since: 2023-08-18T00:00:00Z}";

fn said(folder: &Path, words: &str) -> (i32, String) {
    let output = referee(folder, words).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("no signal"), said)
}

/// Runs words that end with this exit code, and say this.
fn ends(folder: &Path, words: &str, code: i32, text: &str) -> String {
    let (found, said) = said(folder, words);
    assert_eq!(found, code, "{words}\n{said}");
    assert!(said.contains(text), "{words}: no `{text}` in\n{said}");
    said
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).expect("it is there")
}

fn game(dice: &str) -> TempDir {
    let folder = folder(gamestate(dice));
    if dice.contains("beacon") {
        std::fs::write(folder.path().join("beacons.jsonl"), beacons()).expect("room");
    }
    folder
}

#[test]
fn posted_dice_are_thrown_by_nobody_unless_a_command_may_draw() {
    let folder = game("dice: {by: posted}");
    let folder = folder.path();
    ends(folder, &format!("move Ann {AT}"), 4, "to be drawn: `roll`");
    assert!(!text(folder).contains("random"), "nothing was thrown");
    ends(folder, &format!("resume Ann --roll 1,2 {AT}"), 0, "posted");
    ends(folder, &format!("move Bob --draw {AT}"), 0, "drawn");
    ends(folder, "verify", 0, ", 0 findings");
}

/// A file whose dice were sealed before scheme 2, with a move that waits with its dice.
#[test]
fn an_older_seal_is_read_and_written_as_dice_and_keeps_its_scheme() {
    let folder = folder(read("tests/data/sealed-scheme-1.yaml"));
    let folder = folder.path();
    std::fs::write(folder.join("game.secret"), "96f62fa2f62d0c02f823613c5ade6e93ee869b29d3f6a04b166c363c6196aba9")
        .expect("room");
    ends(folder, "verify", 0, ", 0 findings");
    assert!(text(folder).contains("\nsealed: {hash: "), "looking changes nothing");
    let at = "--secret game.secret --no-input --at 2024-01-16T11:00Z";
    ends(folder, &format!("resume Cleo -s path=21 {at}"), 0, "recorded");
    let renewed = text(folder);
    assert!(renewed.contains("\ndice: {by: sealed, hash: d7d9") && renewed.contains(", scheme: 1}"), "{renewed}");
    assert!(renewed.contains("\nid: g") && !renewed.contains("\nsealed: "), "{renewed}");
    ends(folder, &format!("move Bob {at}"), 0, "drawn");
    assert!(text(folder).contains("dice: {nth: 0, drawn: {roll: [["), "what is new has scheme 2");
    ends(folder, "reveal --secret game.secret", 0, "revealed");
    ends(folder, "verify", 0, ", 0 findings");
    let honest = text(folder);
    for (from, to, code) in [
        ("state: \"json:06", "state: \"json:07", "other-state"),
        (
            "sealed: {state: \"json:06d1205230dfa65dcf846d5be9ccdfcb3440ca2f52157c1fe480a96f0e039d15\", drawn: {roll: [[3,",
            "sealed: {state: \"json:06d1205230dfa65dcf846d5be9ccdfcb3440ca2f52157c1fe480a96f0e039d15\", drawn: {roll: [[2,",
            "wrong-die",
        ),
        (", scheme: 1", ", words-until: 2024-01-06T00:00:00Z", "other-scheme"),
    ] {
        assert!(honest.contains(from), "{from}\n{honest}");
        std::fs::write(folder.join("gamestate.yaml"), honest.replacen(from, to, 1)).expect("room");
        ends(folder, "verify", 1, code);
    }
}

/// What is drawn after a choice comes from the round of the post that made the choice.
#[test]
fn a_draw_after_a_choice_takes_the_round_of_the_choice() {
    let geodes = gamestate(BEACON).replace(": {successors: [", ": {type: Geode, successors: [");
    let folder = folder(&geodes);
    let folder = folder.path();
    std::fs::write(folder.join("beacons.jsonl"), beacons()).expect("room");
    ends(folder, &format!("move Cleo --no-input --link {}", link(1000, 1)), 4, "path");
    let waits = ends(folder, &format!("resume Cleo -s path=21 --no-input --decline --link {}", link(1010, 1)), 0, "");
    let file = text(folder);
    assert!(file.contains("posts: [{round: 1000, signature: "), "{waits}\n{file}");
    assert!(file.contains(&format!("link: \"{}\"", link(1010, 1))), "{file}");
    assert!(file.contains(", 2]") && file.contains("geode: [["), "the list comes from the second post: {file}");
    ends(folder, "verify", 0, ", 0 findings");
}

#[test]
fn a_round_is_waited_for_and_wrong_ones_are_refused() {
    let folder = game(BEACON);
    let folder = folder.path();
    std::fs::remove_file(folder.join("beacons.jsonl")).expect("it was there");
    let post = link(1000, 1);
    let waits = "round 1000 of quicknet comes at 2023-08-23T15:59:24Z, https://api.drand.sh/";
    let open = ends(folder, &format!("move Ann --no-input --link {post}"), 4, waits);
    assert!(open.contains("continue with: referee resume Ann --beacon ROUND:SIGNATURE"), "{open}");
    ends(folder, &format!("beacon --for {post}"), 0, "round 1000 of quicknet comes at 2023-08-23T15:59:24Z");
    let before = text(folder);
    ends(folder, &format!("resume Ann --no-input --beacon {}", round(1001)), 3, "another-round");
    std::fs::write(folder.join("beacons.jsonl"), "{\"round\":1000,\"signature\":\"00\"}\n").expect("room");
    ends(folder, "resume Ann --no-input", 3, "line 1 of the beacon's answers");
    assert_eq!(text(folder), before, "what is refused changes nothing");
    std::fs::remove_file(folder.join("beacons.jsonl")).expect("it was there");
    ends(folder, &format!("resume Ann --no-input --beacon {}", round(1000)), 0, "drawn");
    ends(folder, "verify", 0, ", 0 findings");
}

/// A correction that needs a draw works with the secret, or with the round of its post.
#[test]
fn an_amended_die_has_a_reason_and_is_listed() {
    let folder = game(BEACON);
    let folder = folder.path();
    ends(folder, &format!("move Ann --no-input --link {}", link(1000, 1)), 0, "drawn");
    let amend = format!("amend 1 --roll 1,1 --path 1,2 --no-input --link {}", link(1010, 1));
    ends(folder, &amend, 3, "no-reason");
    ends(folder, &format!("{amend} --because 'ruling 7'"), 0, "");
    ends(folder, "verify", 0, "amended-die");
}

#[test]
fn two_branches_keep_the_record_of_their_draws() {
    let folder = game(BEACON);
    let folder = folder.path();
    std::fs::copy(folder.join("gamestate.yaml"), folder.join("base.yaml")).expect("room");
    for (name, player, number) in [("ours.yaml", "Ann", 1000), ("theirs.yaml", "Bob", 1001)] {
        std::fs::copy(folder.join("base.yaml"), folder.join(name)).expect("room");
        ends(folder, &format!("-f {name} move {player} --no-input --link {}", link(number, 1)), 0, "drawn");
    }
    ends(folder, "merge base.yaml ours.yaml theirs.yaml", 0, "");
    let joined = std::fs::read_to_string(folder.join("ours.yaml")).expect("it is there");
    assert!(joined.contains("round: 1000,") && joined.contains("round: 1001,"), "{joined}");
    ends(folder, "-f ours.yaml verify", 0, ", 0 findings");
    // Ann's post is the earlier one now, so her move cannot follow Bob's.
    std::fs::copy(folder.join("base.yaml"), folder.join("ours.yaml")).expect("room");
    ends(folder, &format!("-f ours.yaml move Ann --no-input --link {}", link(1000, 1)), 0, "drawn");
    ends(folder, "merge base.yaml theirs.yaml ours.yaml", 3, "was posted later");
}

#[test]
fn dice_change_by_an_entry_which_gives_the_game_an_id() {
    let start = gamestate("").replace("id: cheats\n", "");
    let folder = folder(&start);
    let folder = folder.path();
    ends(folder, &format!("adjudicate --set '/dice={{by: beacon}}' --because 'as agreed' {AT}"), 0, "/dice");
    let file = text(folder);
    assert!(file.contains("\nid: g") && file.contains("since: "), "{file}");
    ends(folder, &format!("move Ann --no-input --link {}", link(1000, 1)), 3, "before-dice");
    ends(folder, &format!("move Ann --no-input --link {}", link(2000, 1)), 4, "round 2000");
    ends(folder, "verify", 0, "dice-changed");
    ends(folder, &format!("adjudicate --set /id=other --because x {AT}"), 3, "bad-pointer");
}

#[test]
fn wrong_dice_in_the_file_are_named_with_their_place() {
    for (dice, code, place) in [
        ("dice: {by: chance}", "bad-dice", "gamestate.yaml:4:12"),
        ("dice: {by: referee, hash: 12}", "unknown-key", "gamestate.yaml:4:21"),
        ("dice: {by: sealed, hash: 12, words-until: 2023-08-18T00:00:00Z}", "bad-dice", "gamestate.yaml:4:26"),
        ("dice: {by: beacon, delay: 5}", "short-delay", "gamestate.yaml:4:27"),
        ("dice: {by: beacon, chain: default}", "chained", "gamestate.yaml:4:27"),
        ("dice: {by: beacon, chain: slownet}", "unknown-chain", "gamestate.yaml:4:27"),
        ("dice: {by: beacon, since: soon}", "bad-dice", "gamestate.yaml:4:27"),
    ] {
        let folder = folder(gamestate(dice));
        let said = ends(folder.path(), "check", 1, code);
        assert!(said.contains(place), "{dice}: no {place} in\n{said}");
    }
}
