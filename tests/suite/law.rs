//! Time, players, proposals and the Judge on the command line.

use std::path::Path;

use crate::errors::{fails, folder, referee};

const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z   # a Friday
phase: 4
players:
  Ann: {joined: 2024-01-05T01:00:00Z}
  Bob: {joined: 2024-01-05T01:00:00Z}
  Cid: {joined: 2024-01-12T01:00:00Z}   # new
spaces:
  0: {successors: [1]}
  1: {successors: [0]}
";

/// Runs commands that must succeed and gives what the last one printed on both channels.
fn played(folder: &Path, commands: &[&str]) -> String {
    let mut said = String::new();
    for words in commands {
        // What plays draws from a seed.
        let plays = ![
            "show",
            "adjudicate",
            "undo",
            "redo",
            "rules",
            "migrate",
            "check",
            "verify",
            "proposal show",
            "proposal list",
            "legal",
        ]
        .iter()
        .any(|own| words.starts_with(own));
        let seed = if plays { " --seed 1" } else { "" };
        let output = referee(folder, &format!("{words} --no-input{seed}")).output().expect("it runs");
        said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{words}\n{said}");
    }
    said
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).expect("the file is there")
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("room on the disk");
    std::fs::write(path, text).expect("room on the disk");
}

#[test]
fn wrong_words_about_the_law_are_refused_with_rule_and_reason() {
    for (words, texts) in [
        ("tick-phase --at 2024-01-16", &["too-early", "phase 4 ends at 2024-01-19T00:00:00Z", "--to"][..]),
        ("tick-phase --to 2024-01-10", &["too-early", "phase 4 began at 2024-01-15"]),
        ("join ann --at 2024-01-16", &["already-a-player", "P-1"]),
        ("join ' ' --at 2024-01-16", &["bad-name"]),
        ("leave Zoe", &["unknown-player"]),
        ("alias Bob ANN", &["already-a-player"]),
        ("proposal submit Cid x --class urgent --at 2024-01-16", &["not-reputable", "PR-2", "R-24"]),
        ("proposal submit Ann x --class 'Tune Up'", &["bad-class", "PR-10"]),
        ("proposal submit Ann x --class fancy", &["bad-class", "urgent or standard"]),
        ("proposal vote 1 Ann for", &["unknown-proposal"]),
        ("judge rule Ann --request 1", &["not-judge", "J-3", "there is no Judge"]),
        ("judge vote Ann Bob up", &["no-candidacy"]),
        ("judge remove Ann", &["no-judge"]),
        ("judge resign Ann", &["not-judge"]),
    ] {
        fails(GAME, words, 3, texts);
    }
    fails(GAME, "tick-phase --to soon", 2, &["is not a time in UTC"]);
    fails(GAME, "proposal vote one Ann for", 2, &["is not a whole number"]);
}

#[test]
fn ticking_twice_early_or_late_is_answered_plainly() {
    let folder = folder(GAME);
    let folder = folder.path();
    let said = played(folder, &["tick-phase --at 2024-01-19T00:00Z"]);
    assert!(said.contains("phase 4 ends, phase 5 begins (II of its week)"), "{said}");
    let again = referee(folder, "tick-phase --at 2024-01-19T00:00Z").output().expect("it runs");
    assert_eq!(again.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&again.stderr).contains("phase 5 ends at 2024-01-22T00:00:00Z"));
    let late = played(folder, &["tick-phase --at 2024-01-27"]);
    assert!(late.contains("by the calendar it is phase 7: run `tick-phase` again"), "{late}");
    let warned = played(folder, &["move Ann --at 2024-01-27 --decline"]);
    assert!(warned.contains("is in phase 7 by the calendar, but the file is in phase 6"), "{warned}");
    assert!(text(folder).contains("phase: 6"));
}

#[test]
fn what_is_due_is_told_and_done_up_to_a_moment() {
    let folder = folder(GAME);
    let folder = folder.path();
    played(folder, &["proposal submit Ann Mend --class urgent --at 2024-01-15T10:00Z"]);
    let told = played(folder, &["proposal tally 1 --at 2024-01-17T10:00Z"]);
    assert!(told.contains("due since 2024-01-17T10:00:00Z: the vote on proposal 1 has ended"), "{told}");
    let none = played(folder, &["tick-phase --to 2024-01-17T09:59Z"]);
    assert!(!none.contains("takes effect"), "{none}");
    let done = played(folder, &["tick-phase --to 2024-01-17T10:00Z"]);
    assert!(done.contains("proposal 1, “Mend” by Ann, takes effect"), "{done}");
    // Cid, who joined on 12 January at one, becomes reputable a week later, within phase 5: two chilis.
    let grants = played(folder, &["tick-phase --to 2024-01-19T01:00Z -s garbage=Duck"]);
    for what in ["Cid is reputable", "Cid gains 1 Summoning Whistle", "Cid gains 1 Duck", "Cid gains 2 Time Bean Chili"]
    {
        assert!(grants.contains(what), "{what}\n{grants}");
    }
}

#[test]
fn votes_come_one_by_one_in_bulk_and_from_files() {
    let folder = folder(GAME);
    let folder = folder.path();
    write(folder, "r.csv", "who,reaction\nann,👍\n\"Bob\",against,rewrite\nZoe, for\n");
    write(folder, "by-reaction.yaml", "for: [Ann, Bob]\nagainst: Cid\n");
    write(folder, "by-person.yaml", "Ann: [for, rewrite]\nCid: none\n");
    write(folder, "wrong.csv", "Ann,maybe\nBob,for\n");
    let at = "--at 2024-01-16T10:00Z";
    let votes = |command: &str| {
        let said = played(folder, &[&format!("{command} {at}"), "proposal show 1 --format json"]);
        said.split_once("\"votes\":").expect("there are votes").1.split_whitespace().collect::<String>()
    };
    played(folder, &[&format!("proposal submit Ann Dice {at}")]);
    let csv = votes("proposal vote 1 --from r.csv");
    assert!(csv.starts_with(r#"{"Ann":"for","Zoe":"for","Bob":["against","rewrite"]}"#), "{csv}");
    let by_reaction = votes("proposal vote 1 --from by-reaction.yaml");
    assert!(by_reaction.starts_with(r#"{"Ann":"for","Zoe":"for","Bob":"for","Cid":"against"}"#), "{by_reaction}");
    let by_person = votes("proposal vote 1 --from by-person.yaml --against bob");
    assert!(by_person.starts_with(r#"{"Ann":["for","rewrite"],"Zoe":"for","Bob":"against"}"#), "{by_person}");
    let tally = played(folder, &[&format!("proposal tally 1 {at}")]);
    for what in [
        "0 for, 2 against, 0 for a rewrite",
        "it would fail now",
        "not counted, as they are not players: Zoe",
        "with 3 more for it would pass",
    ] {
        assert!(tally.contains(what), "{what}\n{tally}");
    }
    for (file, words) in [("wrong.csv", "unknown reaction `maybe` of Ann"), ("none.csv", "cannot be read")] {
        let output = referee(folder, &format!("proposal vote 1 --from {file}")).output().expect("it runs");
        assert_eq!(output.status.code(), Some(6));
        assert!(String::from_utf8_lossy(&output.stderr).contains(words));
    }
    let shown = played(folder, &["proposal show 1"]);
    assert!(shown.contains("Dice") && shown.contains("2024-01-16T10:00:00Z"), "{shown}");
}

#[test]
fn rule_files_take_effect_with_their_proposal() {
    let folder = folder(GAME);
    let folder = folder.path();
    write(
        folder,
        "rules/five/ruleset.yaml",
        "base: cycle-15\nname: five\ntitle: t\nsettings:\n  move-dice: {kind: dice, default: 5d4, text: dice}\n",
    );
    write(folder, "rules/broken/ruleset.yaml", "base: cycle-15\nname: broken\ntitle: t\n");
    write(
        folder,
        "rules/broken/spaces/trap.yaml",
        "name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n  grnat(you)\n",
    );
    let duckling = "id: 99\nname: Duckling\ncites: [X-2]\ntext: Quack.\neffect: grant(you, \"Duck\")\ncases:\n  - case: quacks\n    \
                    cites: [X-2]\n    given: {line: [0, 1], players: {Ann: {items: {Duckling: 1}}}}\n    do: use-item Ann Duckling\n    \
                    expect: {players: {Ann: {items: {Duck: COUNT}}}}\n";
    write(folder, "rules/duckling/ruleset.yaml", "base: ../five\nname: duckling\ntitle: t\n");
    write(folder, "rules/duckling/garbage/099-duckling.yaml", &duckling.replace("COUNT", "2"));
    let before = text(folder);
    for (rules, words) in
        [("broken", "grnat"), ("duckling", "quacks: players.Ann.items"), ("nowhere", "unknown ruleset")]
    {
        let output =
            referee(folder, &format!("proposal submit Ann x --rules rules/{rules}")).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(words) && said.contains("rules-do-not-load"), "{said}");
    }
    assert_eq!(text(folder), before, "nothing is written for rules that do not load");
    write(folder, "rules/duckling/garbage/099-duckling.yaml", &duckling.replace("COUNT", "1"));
    let said = played(
        folder,
        &[
            "move Ann --roll 1,2 --decline --at 2024-01-15T08:00Z",
            "proposal submit Ann Five --rules rules/five --at 2024-01-15T09:00Z",
        ],
    );
    for what in ["cases", "pass as before", "0 of 1 actions have the same result", "entry 1: move Ann", "5 dice (5d4)"]
    {
        assert!(said.contains(what), "{what}\n{said}");
    }
    played(
        folder,
        &[
            "proposal submit Bob Duckling --rules rules/duckling --at 2024-01-15T10:00Z",
            "proposal vote 1 --for Ann,Bob --at 2024-01-16",
            "proposal vote 2 --for Ann,Bob --at 2024-01-16",
        ],
    );
    // One of them is changed after it was submitted: it is not what people voted on.
    write(folder, "rules/duckling/garbage/099-duckling.yaml", &duckling.replace("COUNT", "1").replace("Quack", "Moo"));
    let said = played(folder, &["tick-phase --to 2024-01-22"]);
    for what in [
        "the rules in rules/five are now in force",
        "the rules in rules/duckling are refused; the old ones stay in force",
        "are no longer those that were voted on",
    ] {
        assert!(said.contains(what), "{what}\n{said}");
    }
    assert!(text(folder).contains("\nruleset: rules/five\n"), "{}", text(folder));
    let moved = played(folder, &["move Bob --roll 1,1,1,2,2 --decline --at 2024-01-22T08:00Z"]);
    assert!(moved.contains("5d4"), "{moved}");
    assert!(text(folder).contains("ruleset: five@"), "the entry says by which rules it was resolved");
    let check = referee(folder, "check").output().expect("it runs");
    assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn a_ruling_of_the_judge_is_in_force_with_its_source() {
    let folder = folder(GAME.replace("phase: 4\n", "phase: 4\nstate: {judge: Ann}\n"));
    let folder = folder.path();
    let at = "--at 2024-01-16T10:00Z";
    let request = format!("judge request Bob 'Once or again?' {at}");
    played(folder, &[&request, &format!("judge rule Ann --request 1 --text Once. --set party=once {at}")]);
    let shown = played(folder, &["rules show rulings"]);
    assert!(shown.contains("once (by Ann"), "{shown}");
    let json = played(folder, &["rules show rulings --format json"]);
    assert!(json.contains("\"by\": \"Ann\"") && json.contains("\"request\": 1"), "the source is there");
    played(folder, &[&format!("judge overturn Ann 1 {at}")]);
    assert!(text(folder).contains("rulings: {}") || !text(folder).contains("party: {value"), "{}", text(folder));
}

#[test]
fn a_game_moves_to_other_rules_and_what_has_no_counterpart_is_listed() {
    let folder =
        folder(GAME.replace("  Ann: {", "  Ann: {items: {Duckling: 2, Duck: 1}, ").replace("cycle-15", "rules/more"));
    let folder = folder.path();
    write(
        folder,
        "rules/more/ruleset.yaml",
        "base: cycle-15\nname: more\ntitle: t\nwithout: [spaces/geode.yaml, actions.combo]\ncategories: {Treasure: [Crystal]}\nsettings: {hats: {kind: number, default: 1, text: t}}\n",
    );
    write(
        folder,
        "rules/more/garbage/099-duckling.yaml",
        "id: 99\nname: Duckling\ncites: [X-2]\ntext: Quack.\neffect: pass\n",
    );
    let told = played(folder, &["rules diff cycle-15 rules/more"]);
    for what in ["hats", "Duckling", "Geode", "Crystal Orb", "Claim a combo"] {
        assert!(told.contains(what), "{what}\n{told}");
    }
    let before = text(folder);
    let told = played(folder, &["migrate cycle-15 --dry-run"]);
    assert!(told.contains("dropped: Ann's 2 Duckling"), "{told}");
    assert_eq!(text(folder), before);
    played(folder, &["migrate cycle-15 --at 2024-01-16", "check", "verify"]);
    assert!(text(folder).contains("ruleset: cycle-15\n") && text(folder).contains("do: migrate cycle-15"));
    played(folder, &["undo"]);
    assert!(text(folder).contains("ruleset: rules/more\n") && text(folder).contains("Duckling: 2"));
}

#[test]
fn a_game_of_the_earlier_ruleset_moves_to_the_later_one() {
    let folder = folder(crate::support::read("examples/early.yaml"));
    let folder = folder.path();
    let told = played(folder, &["migrate cycle-15"]);
    for lost in ["the state `wheel-rotation`, 4", "the type Spin-up Spinner of space 3, which is now Blank (B-6)"] {
        assert!(told.contains(&format!("dropped: {lost}")), "{told}");
    }
    // The dice were set by a proposal, so they stay.
    assert!(!told.contains("move-dice"), "{told}");
    played(folder, &["check"]);
    std::fs::write(folder.join("gamestate.yaml"), crate::support::read("examples/cycle-15-phase-8.yaml"))
        .expect("room");
    let told = played(folder, &["migrate cycle-15"]);
    assert!(told.contains("changed: `move-dice` changes from 2d6 to 2d4"), "{told}");
    let rotation = "adjudicate --set /state/wheel-rotation=3 --because x";
    let told = played(folder, &[rotation, "check"]);
    assert!(
        told.contains("`wheel-rotation` has no effect under the current rulings")
            && told.contains("`wheel: as-earlier`"),
        "{told}"
    );
}
