//! What every command prints, those of the built-in ruleset and those of the program: each is run once in a small game.

use std::collections::{BTreeMap, BTreeSet};

use super::{Scene, compare, file_name, play};
use crate::support::{read, rules_of};

const MOVED: &str = "move Ann --roll 1,1 --path 1,2 --at 2024-01-09T12:00Z";

const SUBMITTED: &str = "proposal submit Ann 'Five dice' --at 2024-01-09T12:00Z";

const REQUESTED: &str = "judge request Ann 'May Bob move?' --at 2024-01-09T12:00Z";

/// A phase in which Bob is the Judge, and later than the game of the other scenes.
const JUDGED: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: cycle-15\nstarted: 2024-01-05T00:00:00Z\nphase: 2\nstate: {judge: Bob}\nplayers:\n  \
     Ann: {location: 0, joined: 2024-01-05T00:00:00Z}\n  Bob: {location: 1, joined: 2024-01-05T00:00:00Z}\nspaces:\n  \
     0: {successors: [1]}\n  1: {successors: [0]}\nlog: []\n",
);

/// A ruling of Bob on a request of Ann.
const RULED: &str = "judge rule Bob --request 1 --text 'It may.' --at 2024-01-09T13:00Z";

/// How many lines of an output are shown: the manual and the schema are long and not only words.
const MOST: usize = 60;

const fn scene<'a>(name: &'a str, lines: &'a [&'a str]) -> Scene<'a> {
    Scene { name, files: &[], lines }
}

const fn judged<'a>(name: &'a str, lines: &'a [&'a str]) -> Scene<'a> {
    Scene { name, files: &[JUDGED], lines }
}

const TUNED: [&str; 2] = [
    "proposal submit Ann 'Five dice' --at 2024-01-09T12:00Z",
    "adjudicate --set /proposals/1/class=tune-up --because 'ruling 3'",
];

const SCENES: &[Scene] = &[
    scene("move", &[MOVED]),
    scene("use-item", &["use-item Bob 'Mysterious Ontological Hole' --player Ann --at 2024-01-09T12:00Z"]),
    scene("macgyver", &["macgyver Ann Duck Shard -s garbage=Mauve --at 2024-01-09T12:00Z"]),
    scene("shatter", &["shatter Ann -s shards=7 --at 2024-01-09T12:00Z"]),
    scene("trade", &["trade Ann Bob --gives '2 Shard' --takes Fish --at 2024-01-09T12:00Z"]),
    scene("beam", &["beam 2 --by Ann --at 2024-01-09T12:00Z"]),
    scene("combo", &["combo Ann -s number=3 --at 2024-01-09T12:00Z"]),
    scene("reroll", &["reroll 2 -s pseudo-type=Geyser --at 2024-01-09T12:00Z"]),
    scene("tick-phase", &[MOVED, "tick-phase --at 2024-01-12T00:00Z"]),
    scene("negate-move", &["negate-move Ann --at 2024-01-09T12:00Z"]),
    scene("check-rules", &["check-rules"]),
    scene("join", &["join Cid --alias cid#1 --at 2024-01-09T12:00Z"]),
    scene("leave", &["leave Bob --at 2024-01-09T12:00Z"]),
    scene("alias", &["alias Ann ann#1 --at 2024-01-09T12:00Z"]),
    scene("proposal submit", &[SUBMITTED]),
    scene("proposal vote", &[SUBMITTED, "proposal vote 1 Bob for --at 2024-01-10T12:00Z"]),
    scene("proposal edit", &[SUBMITTED, "proposal edit 1 Ann --text 'Five dice.' --at 2024-01-10T12:00Z"]),
    scene("proposal delete", &[SUBMITTED, "proposal delete 1 --at 2024-01-10T12:00Z"]),
    scene("proposal hold", &[TUNED[0], TUNED[1], "proposal hold 1 Ann --at 2024-01-10T12:00Z"]),
    scene(
        "proposal approve",
        &[TUNED[0], TUNED[1], "proposal approve 1 Ann --text 'Five dice.' --at 2024-01-10T12:00Z"],
    ),
    scene(
        "proposal tally",
        &[SUBMITTED, "proposal vote 1 Bob for --at 2024-01-10T12:00Z", "proposal tally 1 --at 2024-01-10T13:00Z"],
    ),
    scene("proposal list", &[SUBMITTED, "proposal list"]),
    scene("proposal show", &[SUBMITTED, "proposal show 1"]),
    judged("judge request", &[REQUESTED]),
    judged("judge rule", &[REQUESTED, RULED]),
    judged("judge overturn", &[REQUESTED, RULED, "judge overturn Bob 1 --at 2024-01-09T14:00Z"]),
    judged("judge poll", &[REQUESTED, RULED, "judge poll 1 Ann --at 2024-01-09T14:00Z"]),
    judged(
        "judge vote",
        &[
            REQUESTED,
            RULED,
            "judge poll 1 Ann --at 2024-01-09T14:00Z",
            "judge vote poll-1 Ann overturn --at 2024-01-09T15:00Z",
        ],
    ),
    judged("judge candidacy", &["judge candidacy Ann --at 2024-01-16T12:00Z"]),
    judged("judge remove", &["judge remove Ann --at 2024-01-09T12:00Z"]),
    judged("judge resign", &["judge resign Bob --at 2024-01-09T12:00Z"]),
    scene(
        "resume",
        &["--no-input move Ann --roll 1,1 --at 2024-01-09T12:00Z", "resume Ann --path 1,3 --at 2024-01-09T13:00Z"],
    ),
    scene("drop", &["--no-input move Ann --roll 1,1 --at 2024-01-09T12:00Z", "drop Ann --at 2024-01-09T13:00Z"]),
    scene("legal", &["legal Ann --roll 1,1 --at 2024-01-09T12:00Z"]),
    scene("show players", &["show players"]),
    scene("show board", &["show board"]),
    scene("show items", &["show items"]),
    scene("show log", &[MOVED, "show log"]),
    scene("show pending", &["--no-input move Ann --roll 1,1 --at 2024-01-09T12:00Z", "show pending"]),
    scene("show proposals", &[SUBMITTED, "show proposals"]),
    scene("show rule", &["show rule M-4"]),
    scene("roll", &["roll 2d4 --seed 7"]),
    scene("undo", &[MOVED, "undo"]),
    scene("redo", &[MOVED, "undo", "redo"]),
    scene("amend", &[MOVED, "amend 1 --path 1,3 --at 2024-01-09T13:00Z"]),
    scene("void-attempts", &[MOVED, "void-attempts 1 --because 'ruling 3' --at 2024-01-09T13:00Z"]),
    scene("adjudicate", &["adjudicate --set /players/Ann/items/Fish=1 --because 'ruling 3' --at 2024-01-09T12:00Z"]),
    Scene {
        name: "reveal",
        files: &[
            ("secret", "guess\n"),
            (
                "gamestate.yaml",
                "format: 1\nruleset: cycle-15\nsealed: {hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61}\n\
                 started: 2024-01-05T00:00:00Z\nphase: 2\nplayers: {Ann: {}}\nspaces: {0: {successors: [0]}}\nlog: []\n",
            ),
        ],
        lines: &["reveal --secret secret"],
    },
    scene("check", &["check"]),
    scene("verify", &[MOVED, "verify"]),
    scene(
        "merge",
        &[
            "copy gamestate.yaml base.yaml",
            "copy gamestate.yaml theirs.yaml",
            MOVED,
            "-f theirs.yaml move Bob --roll 1,1 --path 2,4 --at 2024-01-09T12:00Z",
            "merge base.yaml gamestate.yaml theirs.yaml",
        ],
    ),
    scene("rules list", &["rules list"]),
    scene("rules show", &["rules show R-61"]),
    scene("rules check", &["rules check"]),
    Scene {
        name: "rules test",
        files: &[(
            "cases.yaml",
            "- case: a duck\n  cites: [G-005]\n  given: {line: [0, 1], players: {Ann: {items: {Duck: 1}}}}\n  do: use-item Ann Duck\n  \
             refused: cannot-be-used\n- case: two ducks\n  cites: [G-005]\n  given: {line: [0, 1], players: {Ann: {}}}\n  \
             do: use-item Ann Duck\n",
        )],
        lines: &["rules test cases.yaml"],
    },
    scene("rules diff", &["rules diff cycle-15-early cycle-15"]),
    scene("rules eject", &["rules eject rules/mine"]),
    scene("migrate", &["migrate cycle-15-early --dry-run"]),
    scene("init", &["-f new.yaml init --started 2024-01-05 --players Ann,Bob"]),
    scene("schema", &["schema"]),
    scene("completions", &["completions fish"]),
    scene("man", &["man"]),
];

/// Returns every command of the page that lists them, without the groups.
fn commands() -> BTreeSet<String> {
    let page = read("docs/commands.md");
    let names: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("## `referee ")?.strip_suffix('`')).collect();
    let is_group = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name} ")));
    names.iter().filter(|name| !is_group(name)).map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_command_has_its_words_in_the_folder() {
    let scenes: BTreeSet<String> = SCENES.iter().map(|scene| scene.name.to_owned()).collect();
    assert_eq!(scenes, commands());
    let declared = &rules_of("cycle-15").declared;
    assert!(declared.actions.iter().all(|action| action.hidden || scenes.contains(&action.name)));
    let mut texts = BTreeMap::new();
    for (name, text) in play(SCENES) {
        let mut lines: Vec<&str> = text.lines().collect();
        if lines.len() > MOST {
            lines.splice(MOST - 2..lines.len() - 1, ["…"]);
        }
        texts.insert(file_name(&name), lines.join("\n") + "\n");
    }
    compare("commands", &texts);
}
