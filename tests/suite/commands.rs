//! The commands as a steward, a script and a player use them.

use std::path::Path;
use std::process::Output;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::errors::{folder, referee};
use crate::support::root;

fn sample() -> TempDir {
    folder(crate::support::sample())
}

fn run(folder: &Path, words: &str) -> Output {
    referee(folder, words).output().expect("it runs")
}

fn code(folder: &Path, words: &str) -> i32 {
    run(folder, words).status.code().expect("an exit code")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn json(folder: &Path, words: &str) -> (i32, Json) {
    let output = run(folder, &format!("--format json {words}"));
    let object =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words}: {error}\n{}", said(&output)));
    assert!(output.stderr.is_empty(), "{words} wrote to standard error: {}", said(&output));
    (output.status.code().expect("an exit code"), object)
}

fn state(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gamestate.yaml")).expect("the file is there")
}

#[test]
fn a_steward_resolves_five_posted_moves_one_with_a_fork_left_open() {
    let game = sample();
    let at = game.path();
    let posted = "--no-input --at 2024-02-02T18:22Z";
    assert_eq!(code(at, &format!("move Nyhilo --roll 3,2 {posted} --link https://chat.example/1")), 0);
    assert_eq!(code(at, &format!("move Hithroc --roll '1 3' {posted}")), 0);
    assert_eq!(code(at, &format!("move google --roll 1,2 {posted} --decline")), 0);
    // The dice were posted without a path, and the way forks at 18.
    let open = run(at, &format!("move 'Random Internet Cat' --roll 4,3 {posted}"));
    assert_eq!(open.status.code(), Some(4));
    assert!(said(&open).contains("legal: 19, 205"), "{}", said(&open));
    assert!(said(&open).contains("continue with: referee resume 'Random Internet Cat' -s path=19"), "{}", said(&open));
    assert!(state(at).contains("random: {roll: [4, 3]}"));
    assert_eq!(code(at, &format!("move SlimeyApprentice --roll 2,1 {posted} --decline")), 0);
    // Another throw for the open move is not possible, with or without dice.
    assert_eq!(code(at, &format!("move 'Random Internet Cat' --roll 1,1 {posted}")), 3);
    assert_eq!(code(at, &format!("resume Random --roll 1,1 --path 205 {posted}")), 3);
    assert_eq!(code(at, &format!("resume Random --path 205 {posted} --decline")), 0);
    let after = state(at);
    assert!(after.contains("pending: []"), "{after}");
    assert_eq!(after.matches("    do: move ").count(), 5);
    assert_eq!(code(at, "check"), 0);
}

#[test]
fn the_tables_of_a_move_look_like_this() {
    let game = sample();
    let output = run(game.path(), "move Praqueue --roll 1,3 --at 2024-02-02T18:22Z");
    insta::assert_snapshot!("tables_of_a_move", said(&output));
}

#[test]
fn a_script_reads_exit_codes_and_json() {
    let game = sample();
    let (code, done) = json(game.path(), "move Nyhilo --roll 3,2 --at 2024-02-02T18:22Z");
    assert_eq!(
        (code, &done["format"], &done["status"], &done["written"]),
        (0, &"referee/1".into(), &"done".into(), &true.into())
    );
    assert_eq!(done["action"], "move Nyhilo");
    assert_eq!(
        done["selections"][0],
        serde_json::json!({"key": "roll", "by": "random", "value": [3, 2], "source": "posted", "dice": "2d4"})
    );
    assert_eq!(done["selections"][1]["source"], "forced");
    assert_eq!(done["changes"][0], serde_json::json!({"path": "/players/Nyhilo/location", "from": -209, "to": -18}));
    assert!(done["events"].as_array().unwrap().iter().all(|event| event["rule"] != "" && event["text"] != ""));
    let (code, asks) = json(game.path(), "move 'Random Internet Cat' --roll 4,3");
    assert_eq!((code, &asks["status"], &asks["question"]["key"]), (4, &"asks".into(), &"path".into()));
    assert_eq!(asks["question"]["options"], serde_json::json!([19, 205]));
    assert_eq!(asks["question"]["by"], "Random Internet Cat");
    let (code, refused) = json(game.path(), "move Nyhilo --roll 3,2");
    assert_eq!((code, &refused["status"]), (3, &"refused".into()));
    assert_eq!((&refused["refusal"]["code"], &refused["refusal"]["rule"]), (&"already-moved".into(), &"M-1".into()));
    assert_eq!(refused["written"], false);
    let broken = folder(crate::support::sample().replace("location: -209", "location: 999"));
    let (code, problems) = json(broken.path(), "check");
    assert_eq!((code, &problems["status"]), (1, &"problem".into()));
    assert_eq!(
        (&problems["problems"][0]["line"], &problems["problems"][0]["file"]),
        (&33.into(), &"gamestate.yaml".into())
    );
}

#[test]
fn a_player_looks_before_posting_and_nothing_is_written() {
    let game = sample();
    let before = state(game.path());
    let (code, ways) = json(game.path(), "legal Lime --roll 2,1");
    assert_eq!((code, ways["legal"][0]["chosen"]["path"].clone()), (0, serde_json::json!([10, 11, 12])));
    let (_, ways) = json(game.path(), "legal Random --roll 4,3");
    assert_eq!(ways["legal"].as_array().unwrap().len(), 3, "one way to ping on, one not, one to draw: {ways}");
    assert_eq!(
        code_of_all(
            game.path(),
            &["legal Lime", "move Lime -n --roll 2,1 -s shards=3 -s pseudo-type=Geode --decline", "show players"]
        ),
        [0, 0, 0]
    );
    let shown = said(&run(game.path(), "move Lime --dry-run"));
    assert!(shown.contains("sample") && shown.contains("dry run: nothing written"), "{shown}");
    assert_eq!(said(&run(game.path(), "move Lime --dry-run")), shown, "a sample shows the same throw again");
    assert_eq!(state(game.path()), before);
}

fn code_of_all(folder: &Path, commands: &[&str]) -> Vec<i32> {
    commands.iter().map(|words| code(folder, words)).collect()
}

#[test]
fn the_same_seed_gives_the_same_draws_and_the_same_bytes() {
    let results: Vec<String> = (0..2)
        .map(|_| {
            let game = sample();
            let words = "move Praqueue --seed 7 --no-input --decline --at 2024-02-02T18:22Z";
            assert_eq!(code(game.path(), words), 0);
            state(game.path())
        })
        .collect();
    assert_eq!(results[0], results[1]);
    assert_ne!(results[0], crate::support::sample());
}

#[test]
fn what_was_drawn_is_never_drawn_again() {
    let game = sample();
    let words = "move 'Random Internet Cat' --seed 7 --no-input --path 13,99";
    assert_eq!(code(game.path(), words), 3, "a path that no roll allows");
    assert_eq!(state(game.path()), crate::support::sample(), "nothing fell");
    let words = "move 'Random Internet Cat' --seed 7 --no-input";
    assert_eq!(code(game.path(), words), 4, "a fork is open");
    let kept = state(game.path());
    let dice = kept
        .lines()
        .find(|line| line.trim_start().starts_with("random: {roll:"))
        .expect("the dice are kept")
        .to_owned();
    assert_eq!(code(game.path(), "move 'Random Internet Cat' --seed 4 --no-input"), 3, "it is pending");
    assert_eq!(code(game.path(), "drop Random"), 0);
    assert!(state(game.path()).contains("outcome: dropped"));
    let code = code(game.path(), "move 'Random Internet Cat' --seed 5 --no-input --decline");
    assert!(code == 0 || code == 4, "{code}");
    assert_eq!(state(game.path()).matches(dice.trim()).count(), 2, "{}", state(game.path()));
}

#[test]
fn tick_phase_lets_unfinished_moves_lapse_and_returns_the_allowance() {
    let game = sample();
    assert_eq!(code(game.path(), "move Nyhilo --roll 3,2"), 0);
    assert_eq!(code(game.path(), "move 'Random Internet Cat' --roll 4,3"), 4);
    assert_eq!(code(game.path(), "tick-phase"), 0);
    let after = state(game.path());
    assert!(
        after.contains("\nphase: 10 ") && after.contains("outcome: lapsed") && after.contains("pending: []"),
        "{after}"
    );
    assert_eq!(code(game.path(), "move Nyhilo --roll 1,2 --decline"), 0);
}

#[test]
fn look_commands_say_what_they_should() {
    let game = sample();
    for (words, texts) in [
        ("show players", &["Magnitech", "1 Don't Use This"][..]),
        ("show board", &["Hazard (Geyser)", "-39", "loop (B-8)"]),
        ("show items", &["G-006", "Mysterious", "trade places", "pay, random-item", "Klink (1)"]),
        ("show log", &["action"]),
        ("show rule Geyser", &["S-15", "three steps back", "geyser-short"]),
        ("show rule Geyser --code", &["on-select", "on-land"]),
        ("show rule G-006 --code", &["Mysterious Ontological Hole", "it can ask for: player (chosen)", "swap(you,"]),
        (
            "show rule G-054",
            &["image-counts-as-player", "jumbo-counts-as-plain", "later it can ask for: space (chosen)"],
        ),
        ("rules show R-61", &["retroactive-rolls", "rewind-in-phase, pending-only, record-only"]),
        ("rules show R-75", &["pseudo-type-scope", "landing, always"]),
        ("rules show party", &["Third and later parties", "party: toggle, the default; values: toggle, once"]),
        ("rules show M-9 --code", &["party.star", "def dance(there):"]),
        ("rules show dance", &["party.star", "M-9: Dancing"]),
        ("rules show rulings", &["auto-select", "R-90"]),
        ("rules list", &["Crystal Orb", "Treasure", "tick-phase"]),
        ("rules check", &["every rule compiles"]),
        ("roll 5d6 --target 3 -s roll=1,3,2,6,5", &["3 show 3 or more (D-2)"]),
        ("roll 2d4 -s roll=1,3", &["total 4 (D-1)"]),
        ("completions bash", &["_referee"]),
        ("man", &[".TH referee"]),
    ] {
        let output = run(game.path(), words);
        assert_eq!(output.status.code(), Some(0), "{words}: {}", said(&output));
        for text in texts {
            assert!(said(&output).contains(text), "`{words}` should show `{text}`:\n{}", said(&output));
        }
    }
    let (_, rulings) = json(game.path(), "rules show rulings");
    assert_eq!(rulings["rulings"].as_array().unwrap().len(), 97);
    assert_eq!(code(game.path(), "show rule Unicorn"), 3);
}

#[test]
fn legal_goes_on_with_what_is_under_way() {
    let game = sample();
    let at = game.path();
    assert_eq!(code(at, "--no-input move Random --roll 4,3"), 4);
    let (code, object) = json(at, "legal Random move");
    assert_eq!(code, 0);
    assert_eq!(object["legal"][0]["action"], "resume 'Random Internet Cat' move");
    assert_eq!(object["legal"][0]["question"]["options"], serde_json::json!([19, 205]));
    let (_, object) = json(at, "--path 205 legal Random move");
    let ways = object["legal"].as_array().expect("ways");
    assert!(ways.iter().all(|way| way["chosen"]["path"][0] == 13), "{object:#}");
    assert!(said(&run(at, "--no-input resume 'Random Internet Cat' move --path 205 --decline")).contains("written to"));
}

#[test]
fn a_map_is_played_by_places_and_directions() {
    let game = tempfile::tempdir().expect("a folder");
    let at = game.path();
    for words in
        ["init --ruleset world-map --players ann,bo", "tick-phase", "move ann --roll 2 --path N,W -s resource=Wood"]
    {
        assert_eq!(code(at, words), 0, "{words}");
    }
    assert!(state(at).contains("chosen: {path: [\"(0, 0)\", \"(0, 1)\", \"(-1, 1)\"]}"), "{}", state(at));
    let board = said(&run(at, "show board"));
    assert!(board.contains("resource") && board.contains("Wood") && !board.contains("successors"), "{board}");
    let (_, object) = json(at, "legal bo leave");
    assert_eq!(object["legal"][0]["location"], Json::Null);
    assert_eq!(code(at, "tick-phase"), 0);
    assert_eq!(code(at, "tick-phase"), 0);
    let (_, object) = json(at, "legal bo move --roll 1 --path '(-1, 0)' -s resource=Food");
    assert_eq!(object["legal"][0]["location"], "(-1, 0)");
}

#[test]
fn a_game_is_made_checked_and_played_by_its_own_rules() {
    let game = TempDir::new().unwrap();
    let at = game.path();
    assert_eq!(code(at, "init --started 2024-01-05 --players 'Ann,Bob the second,no'"), 0);
    assert_eq!(code(at, "init"), 6, "it is there already");
    assert_eq!(code_of_all(at, &["check", "move Ann --roll 1,2 --decline", "move no --roll 2,3 --decline"]), [0, 0, 0]);
    assert_eq!(code(at, "rules eject"), 0);
    let text = state(at).replace("ruleset: cycle-15\n", "ruleset: rules/cycle-15\n");
    std::fs::write(at.join("gamestate.yaml"), text).unwrap();
    let main = at.join("rules/cycle-15/ruleset.yaml");
    let rules = std::fs::read_to_string(&main).unwrap().replace("default: 2d4", "default: 1d10");
    std::fs::write(main, rules).unwrap();
    assert_eq!(code(at, "move Bob --roll 9 --decline"), 0, "the dice of a rule file hold at once");
    assert_eq!(code(at, "rules test tests"), 6, "a folder that is not there");
}

#[test]
fn rules_test_prints_failing_cases_and_a_count() {
    let game = TempDir::new().unwrap();
    let cases = "- case: holds\n  cites: [S-7]\n  given: {line: [0, 9], players: {Ann: {}}}\n  do: move Ann\n  select: {roll: [1, 2]}\n  \
                 expect: {players: {Ann: {location: 3}}}\n- case: does not\n  cites: [S-7]\n  given: {line: [0, 9], players: {Ann: {}}}\n  \
                 do: move Ann\n  select: {roll: [1, 2]}\n  expect: {players: {Ann: {location: 4}}}\n";
    std::fs::write(game.path().join("cases.yaml"), cases).unwrap();
    let output = run(game.path(), "rules test cases.yaml");
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    assert_eq!(text, "cases.yaml: does not: players.Ann.location: expected 4, found 3\n1 passed, 1 failed\n");
}

#[test]
fn a_file_that_changes_meanwhile_or_cannot_be_written_is_left_alone() {
    let game = sample();
    let file = game.path().join("gamestate.yaml");
    let link = game.path().join("link.yaml");
    std::os::unix::fs::symlink("gamestate.yaml", &link).unwrap();
    assert_eq!(code(game.path(), "-f link.yaml move Nyhilo --roll 3,2"), 0);
    assert!(link.is_symlink() && state(game.path()).contains("do: move Nyhilo"), "a link goes on pointing");
    let mut rights = std::fs::metadata(&file).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&file, rights).unwrap();
    let before = state(game.path());
    let output = run(game.path(), "move Hithroc --roll 1,2 --decline");
    assert_eq!(output.status.code(), Some(6));
    assert!(said(&output).contains("read-only"), "{}", said(&output));
    assert_eq!(state(game.path()), before);
    let names = std::fs::read_dir(game.path()).unwrap().count();
    assert_eq!(names, 2, "no litter");
}

#[test]
fn eight_stewards_at_once_lose_nothing() {
    let game = sample();
    let game_players = state(game.path());
    let players: Vec<&str> =
        ["Nyhilo", "Hithroc", "Lily", "rosewinsall", "Lime", "Magnitech", "Random Internet Cat", "Praqueue"]
            .into_iter()
            .filter(|name| game_players.contains(name))
            .collect();
    assert_eq!(players.len(), 8);
    std::thread::scope(|scope| {
        for player in players {
            let at = game.path();
            scope.spawn(move || {
                // Whoever comes too late is told so, and gives the command again.
                for _ in 0..200 {
                    match code(at, &format!("move '{player}' --roll 1,2 --no-input --decline")) {
                        0 => return,
                        6 => {}
                        other => panic!("{player}: {other}"),
                    }
                }
                panic!("{player} never came through");
            });
        }
    });
    assert_eq!(state(game.path()).matches("    do: move ").count(), 8);
    assert_eq!(code(game.path(), "check"), 0);
}

#[test]
fn the_help_page_and_the_schema_are_what_the_program_says() {
    crate::repository::same_as_page("docs/commands.md", &nomic_referee::cli::help_markdown());
    let output = run(&root(""), "schema");
    crate::repository::same_as_page("docs/gamestate.schema.json", &String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_help_text_of_a_command_that_acts_has_an_example() {
    let page = nomic_referee::cli::help_markdown();
    for section in page.split("\n## `").skip(1) {
        let name = section.split('`').next().unwrap();
        let plain =
            ["referee show", "referee rules", "referee rules list", "referee rules check", "referee rules eject"];
        let has = section.contains("Example") || plain.contains(&name) || name.starts_with("referee show ");
        assert!(has, "{name} has no example");
    }
}
