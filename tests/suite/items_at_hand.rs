//! Items on the command line: what a wrong use gets, what a right one writes, and an item written a minute ago.

use crate::errors::{fails, folder, referee};
use crate::support::read;

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 5   # counted by hand until now
players:
  Ann:
    joined: 2024-01-05T01:00:00Z
    location: 3
    items: {Duck: 1, Actual Garbage: 1, NEW ITEM: 1, Rainbow Gun: 1, Shurdle: 4, Crystal: 2, Draught of Fudging: 1}
  Bob:
    joined: 2024-01-05T01:00:00Z
    items: {Fish: 1}   # a fine fish
    moved-in: [4, 5]
spaces:
  0: {successors: [1]}
  1: {successors: [2]}
  2: {successors: [3]}
  3: {successors: [0]}
log:
  - {id: 1, phase: 4, do: move Bob, random: {roll: [3, 1]}, chosen: {path: [1, 2, 3, 0]}}
";

#[test]
fn a_wrong_use_is_refused_with_the_rule_the_reason_and_what_would_be_legal() {
    for (words, texts) in [
        ("use-item Ann Mauve", &["not-owned", "I-7", "Ann has no Mauve", "Duck"][..]),
        ("use-item Ann G-014", &["cannot-be-used", "G-014", "MacGyvered"]),
        (
            "use-item Ann the",
            &["ambiguous", "The Emperor's New Clothes, The Emperor's Old Clothes", "type more of the name"],
        ),
        ("use-item Ann Unicorn", &["unknown-item", "no item called `Unicorn`"]),
        ("use-item Ann G-099", &["unknown-item"]),
        ("use-item Cid Duck", &["unknown-player"]),
        ("use-item Ann 19 -s number=2", &["illegal-selection", "B-4", "space 2 already", "not on the board"]),
        ("use-item Ann 19 -s number=two", &["illegal-selection", "G-019", "a whole number"]),
        ("use-item Ann Rainbow -s type=Fancy", &["illegal-selection", "G-038", "Fancy", "Blank, Boulder Trap"]),
        ("use-item Ann Shurdle -s amount=3", &["illegal-selection", "G-058", "legal: 1, 2"]),
        ("use-item Ann Draught -s die=1.1 -s sign=+", &["too-late", "GB-4", "phase 4"]),
        ("use-item Ann Draught -s die=7 -s sign=+", &["illegal-selection", "R-61", "only rolls of this phase"]),
        ("use-item Ann Duck -s player=Bob", &["unused-selection", "`player`"]),
        ("macgyver Ann Duck Duck", &["not-different", "R-43"]),
        ("macgyver Ann Duck Crystal", &["not-garbage", "MG-1"]),
        ("macgyver Ann Duck Fish", &["not-owned"]),
        ("shatter Bob", &["not-owned", "SH-1", "Crustal"]),
        ("trade Ann Bob --gives Crystal", &["not-transferable", "W-1"]),
        ("trade Ann Bob --gives '0 Duck'", &["bad-amount", "R-55"]),
        ("trade Ann Bob --withdraw", &["nothing-pending"]),
        ("adjudicate --set /players/Ann/items/Duck=2", &["no-reason", "--because"]),
        ("adjudicate --set /players/Ann/hat=1 --because x", &["bad-pointer", "unknown"]),
        ("adjudicate --set /players/Ann/location=99 --because x", &["unsound", "space 99"]),
        ("adjudicate --set /log/0/id=9 --because x", &["bad-pointer", "JSON Pointer"]),
        ("adjudicate --set /players/Bob/items/Fish=1 --because x", &["nothing-changes"]),
    ] {
        fails(GAME, words, 3, texts);
    }
    fails(GAME, "adjudicate --because x", 2, &["--set"]);
}

#[test]
fn a_use_touches_what_it_changes_and_adds_one_entry() {
    let folder = folder(GAME);
    let at = " --at 2024-01-20T10:00:00Z --no-input";
    for words in [
        "use-item Ann Shurdle -s amount=1",
        "trade Ann Bob --gives Duck --takes Fish",
        "trade Bob Ann --gives Fish --takes Duck",
        "move Ann --roll 2,1 --decline",
        "use-item Ann draught -s die=1 -s sign=- --decline",
        "adjudicate --set /players/Bob/items/Praqueue=1 --because 'Praqueue nodded'",
    ] {
        let output = referee(folder.path(), &(words.to_owned() + at)).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{words}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = std::fs::read_to_string(folder.path().join("gamestate.yaml")).expect("the file is there");
    for line in [
        "phase: 5   # counted by hand until now",
        "    items: {Duck: 1, Praqueue: 1}   # a fine fish",
        "amends: ",
        "outcome: declared",
        "/players/Ann/location: [2, 1]",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let check = referee(folder.path(), "check").output().expect("it runs");
    assert_eq!(check.status.code(), Some(0));
}

/// The page on writing rules is followed word by word: an item written as a file works with the next command.
#[test]
fn an_item_written_beside_the_gamestate_works_at_once() {
    let page = read("docs/writing-rules.md");
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let block = |start: &str| *blocks.iter().find(|block| block.starts_with(start)).expect("it is on the page");
    let folder = folder(GAME.replace("cycle-15", "rules/ours").replace("Duck: 1", "Rubber Chicken: 1"));
    for (path, text) in [
        ("rules/ours/ruleset.yaml", block("base:")),
        ("rules/ours/garbage/099-rubber-chicken.yaml", block("id: 99")),
        ("rules/ours/spaces/trampoline.yaml", block("name: Trampoline")),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).expect("a writable folder");
        std::fs::write(path, text).expect("a writable folder");
    }
    for (words, said) in [
        ("rules check", "every rule compiles"),
        ("rules test rules/ours", "2 passed, 0 failed"),
        ("show rule G-099", "it can ask for: player (chosen)"),
        ("use-item Ann 'rubber chicken' --player Bob --at 2024-01-20T10:00:00Z", "Bob squawks"),
    ] {
        let output = referee(folder.path(), words).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains(said), "{words}\n{text}");
    }
}
