//! What a move writes into the sample game, line by line.

use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Request, Selections, Status, take_turn};

use crate::support::rules_of;

/// The sample game before and after a command with these selections.
fn played(words: &[&str], selections: &[&str]) -> (String, String) {
    let ruleset = rules_of("cycle-15");
    let text = crate::support::sample();
    let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML");
    let game = file.check(&ruleset).game.expect("a sound game");
    let mut given = Selections::default();
    for selection in selections {
        given.add_written(selection).expect("KEY=VALUE");
    }
    let at = Some("2024-02-02T18:22:00Z".parse().expect("a time"));
    let words = words.iter().map(ToString::to_string).collect();
    let request = Request { words, given, at, ..Request::default() };
    let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command of the game");
    assert!(matches!(turn.status, Status::Done | Status::Asks(_)), "{:?}", turn.status);
    let after = file.updated(&ruleset, &game, &turn.next).expect("it can be written");
    (text, after)
}

/// The lines taken out of and put into the sample game by a command with these selections.
fn difference(words: &[&str], selections: &[&str]) -> (Vec<String>, Vec<String>) {
    let (text, after) = played(words, selections);
    let difference = similar::TextDiff::from_lines(&text, &after);
    let lines = |tag| {
        let changes = difference.iter_all_changes().filter(move |change| change.tag() == tag);
        changes.map(|change| change.value().trim_end().to_owned()).collect::<Vec<_>>()
    };
    (lines(similar::ChangeTag::Delete), lines(similar::ChangeTag::Insert))
}

#[test]
fn a_move_touches_the_mover_and_the_log() {
    let (out, put_in) = difference(&["move", "Nyhilo"], &["roll=3,2"]);
    assert_eq!(out, ["    location: -209", "log: []"]);
    let pinned = put_in.last().expect("lines").clone();
    assert!(pinned.starts_with("    ruleset: cycle-15@") && pinned.len() == 54, "{pinned}");
    assert_eq!(
        put_in[..put_in.len() - 1],
        [
            "    location: -18",
            "    move-action-in: 9",
            "    moved-in: [9]",
            "log:",
            "  - id: 1",
            "    at: 2024-02-02T18:22:00Z",
            "    phase: 9",
            "    do: move Nyhilo",
            "    random: {roll: [3, 2]}",
            "    chosen: {path: [-208, -207, -206, -205, -18]}",
            "    posted: [roll]",
            "    changes:",
            "      /players/Nyhilo/location: [-209, -18]",
            "      /players/Nyhilo/move-action-in: [null, 9]",
            "      /players/Nyhilo/moved-in: [null, [9]]",
        ]
    );
}

#[test]
fn a_move_with_a_fork_left_open_is_kept_in_pending() {
    let (out, put_in) = difference(&["move", "Random Internet Cat"], &["roll=4,4"]);
    assert_eq!(out, ["pending: []"]);
    assert_eq!(
        put_in,
        [
            "pending:",
            "  - at: 2024-02-02T18:22:00Z",
            "    phase: 9",
            "    do: move 'Random Internet Cat'",
            "    random: {roll: [4, 4]}",
            "    chosen: {path: [13, 14, 15, 16, 17, 18]}",
            "    posted: [roll]",
        ]
    );
}

#[test]
fn another_reader_of_yaml_reads_what_was_written() {
    let (_, after) = played(&["move", "Lime"], &["roll=2,1", "shards=4", "pseudo-type=Geode", "ping=yes"]);
    let read: serde_yaml::Value = serde_yaml::from_str(&after).expect("YAML");
    let lime = &read["players"]["Lime"];
    assert_eq!((lime["location"].as_i64(), lime["items"]["Shard"].as_i64()), (Some(12), Some(4)));
    assert_eq!(read["spaces"][12]["pseudo-type"].as_str(), Some("Geode"));
    let entry = &read["log"][0];
    assert_eq!((entry["do"].as_str(), entry["chosen"]["ping"].as_str()), (Some("move Lime"), Some("yes")));
    assert_eq!(entry["changes"]["/players/Lime/location"][1].as_i64(), Some(12));
}

/// The file after one command after the other, each read from what the one before has written.
fn after(ruleset: &str, text: &str, commands: &[&str]) -> String {
    let ruleset = rules_of(ruleset);
    commands.iter().fold(text.to_owned(), |text, command| {
        let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML");
        let game = file.check(&ruleset).game.expect("a sound game");
        let words = shlex::split(command).expect("words");
        let request = Request { words, ..Request::default() };
        let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command of the game");
        assert!(matches!(turn.status, Status::Done), "{command}: {:?}", turn.status);
        file.updated(&ruleset, &game, &turn.next).unwrap_or_else(|problem| panic!("{command}: {}", problem.message))
    })
}

#[test]
fn who_comes_back_stands_where_they_stood() {
    let text = "format: 1\nruleset: cycle-15\nplayers:\n  Ann: {location: 0}\n  Bob: {location: 0}\n  Cid: {location: 0}\n\
                spaces:\n  0: {successors: [0]}\n";
    for commands in [
        &["leave Bob", "undo"][..],
        &["leave Bob", "void-attempts 1 --because 'it was a slip'"],
        &["leave Bob", "void-attempts 1 --because 'it was a slip'", "undo 2"],
    ] {
        let text = after("cycle-15", text, commands);
        let places = ["  Ann:", "  Bob:", "  Cid:"].map(|name| text.find(name));
        assert!(places.is_sorted(), "{commands:?}\n{text}");
    }
}

#[test]
fn a_name_that_looks_like_a_number_stays_a_name() {
    let text = "format: 1\nruleset: world-map\nplayers:\n  Ann: {}\n  '7': {}\n  Cid: {}\nspaces: {'(0, 0)': {}}\n\
                state: {round: 1, turn: Ann, step: rule-change}\n\
                proposals: {201: {author: Ann, title: x, class: enactment, status: open, votes: {Ann: for}}}\n";
    let text = after("world-map", text, &["proposal vote 201 7 for", "undo", "redo", "proposal vote 201 Cid for"]);
    // All three were counted.
    let result = text.find("result:").map(|at| &text[at..]).expect("the vote is over");
    assert!(result.contains("for: 3") && result.contains("missing: 0"), "{text}");
}

#[test]
fn a_player_called_7_and_a_space_7_are_both_found_by_pointers() {
    let ruleset = rules_of("cycle-15");
    for name in ["7", "\"7\""] {
        let text = format!(
            "format: 1\nruleset: cycle-15\nplayers:\n  Ann: {{location: 7}}\n  {name}: {{location: 7, items: {{Crystal: 2}}}}\n\
             spaces:\n  0: {{successors: [7]}}\n  7: {{type: Crystal, successors: [0]}}\nlog: []\n"
        );
        let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML");
        let game = file.check(&ruleset).game.expect("a valid game");
        let sets = ["/players/7/location=0", "/players/7/items/Crystal=5", "/spaces/7/type=Blank"];
        let words = ["adjudicate", "--because", "a test"].map(str::to_owned);
        let sets = sets.iter().flat_map(|set| ["--set".to_owned(), (*set).to_owned()]);
        let request = Request { words: words.into_iter().chain(sets).collect(), ..Request::default() };
        let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command");
        assert_eq!(turn.status, Status::Done);
        let after = file.updated(&ruleset, &game, &turn.next).expect("it can be written");
        assert!(after.contains(&format!("  {name}: {{location: 0, items: {{Crystal: 5}}}}")), "{after}");
        assert!(after.contains("  7: {type: Blank, successors: [0]}"), "{after}");
        let mut undone = turn.next.clone();
        undone.revert(&turn.next.log[0].changes).expect("nothing has happened since");
        undone.log = game.log.clone();
        assert!(undone.equivalent(&game), "{name}");
    }
}

#[test]
fn dice_are_read_alike_in_a_file_by_a_rule_and_on_the_command_line() {
    let ruleset = rules_of("world-map");
    for (dice, valid) in [("d6", true), ("1d2000", true), ("3d4", true), ("1001d4", false), ("1d0", false)] {
        let text = format!(
            "format: 1\nruleset: world-map\nsettings: {{move-dice: {dice}}}\nplayers: {{Ann: {{}}}}\nspaces: {{\"(0, 0)\": {{}}}}\n\
             state: {{round: 1, order: [Ann], turn: Ann, step: movement}}\n"
        );
        let file = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML");
        let game = file.check(&ruleset).game;
        assert_eq!(game.is_some(), valid, "{dice}");
        if let Some(game) = game {
            let words = ["move", "Ann"].map(str::to_owned).to_vec();
            let turn =
                take_turn(&ruleset, &game, &Request { words, ..Request::default() }, &mut ()).expect("a command");
            assert!(
                matches!(&turn.status, Status::Asks(question) if question.key == "roll"),
                "{dice}: {:?}",
                turn.status
            );
        }
        let words = format!("roll {dice}");
        let rolled = crate::errors::referee(std::path::Path::new("."), &words).output().expect("it runs");
        assert_eq!(rolled.status.success(), valid, "{dice}");
    }
}
