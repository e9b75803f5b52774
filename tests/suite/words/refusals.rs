//! Every code of `docs/refusals.md`: the first case that is refused with it, or a scene if no case is.

use std::collections::{BTreeMap, BTreeSet};

use nomic_referee::cases::refusal;
use nomic_referee::data::Value;
use nomic_referee::ruleset::Files;
use nomic_referee::view;
use nomic_referee::yaml::Document;

use super::{Scene, compare, play};
use crate::cheats;
use crate::support::{folder_rulebook, read, root, rules_of, yaml_files};

/// A ruleset with a space type whose rule does what is written in the file `spaces/trap.yaml`.
const OURS: (&str, &str) = ("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n");

/// The game with that space type at the second space.
const TRAP: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: ours\nplayers: {Ann: {}}\nspaces:\n  0: {successors: [1]}\n  1: {successors: [2]}\n  \
     2: {type: Trap, successors: [2]}\nlog: []\n",
);

/// A game with the dice of a public beacon.
const BEACON: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: cycle-15\nid: words\ndice: {by: beacon, since: 2023-08-18T00:00:00Z}\nstarted: 2023-08-18T00:00:00Z\n\
     phase: 2\nplayers: {Ann: {}}\nspaces: {0: {successors: [1]}, 1: {successors: [0]}}\nlog: []\n",
);

/// A move in that game, which waits for its round.
const WAITING: &str = "move Ann --no-input --link https://discord.com/channels/1/2/1143937192427520000";

/// A game with sealed dice, whose secret is `guess`, and with a space that can be drawn for.
const REROLLS: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: cycle-15\nsealed: {hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61}\nstarted: 2024-01-05T00:00:00Z\nphase: 2\nplayers: {Ann: {}}\n\
     spaces: {0: {successors: [1]}, 1: {type: Hazard, successors: [0]}}\nlog: []\n",
);

const LANDING: &str = "move Ann --roll 1,1 --at 2024-01-09T12:00Z";

const MOVED: &str = "move Ann --roll 1,1 --path 1,2 --at 2024-01-09T12:00Z";

const SCENES: &[Scene] = &[
    Scene {
        name: "before-dice",
        files: &[BEACON],
        lines: &["move Ann --no-input --link https://discord.com/channels/1/2/1141702970572800000"],
    },
    Scene {
        name: "bound-dice",
        files: &[],
        lines: &[
            "adjudicate --set '/dice={by: sealed, hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61, scheme: 1}' --because 'as agreed' --at 2024-01-09T12:00Z",
        ],
    },
    Scene {
        name: "other-identity",
        files: &[REROLLS, ("secret", "guess\n")],
        lines: &[
            "copy gamestate.yaml base.yaml",
            "copy gamestate.yaml theirs.yaml",
            "reroll 1 --secret secret --at 2024-01-09T11:00Z",
            "-f theirs.yaml reroll 1 --secret secret --at 2024-01-09T12:00Z",
            "merge base.yaml gamestate.yaml theirs.yaml",
        ],
    },
    Scene {
        name: "out-of-order",
        files: &[REROLLS, ("secret", "guess\n")],
        lines: &["reroll 1 --secret secret --at 2024-01-09T12:00Z", "reroll 1 --secret secret --at 2024-01-09T11:00Z"],
    },
    Scene {
        name: "posted-die",
        files: &[BEACON],
        lines: &["move Ann --roll 1,1 --no-input --link https://discord.com/channels/1/2/1143937192427520000"],
    },
    Scene { name: "round-first", files: &[BEACON], lines: &[WAITING, "resume Ann -s ping=yes --no-input"] },
    Scene { name: "unknown-selection", files: &[], lines: &["move Ann -s rol=1,2 --at 2024-01-09T12:00Z"] },
    Scene {
        name: "wrong-signature",
        files: &[BEACON],
        lines: &[
            WAITING,
            "resume Ann --no-input --beacon 982:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    },
    Scene { name: "bad-pointer", files: &[], lines: &["adjudicate --set /players/Ann/hat=1 --because 'ruling 3'"] },
    Scene {
        name: "beyond-the-map",
        files: &[
            (
                "ours/ruleset.yaml",
                "base: world-map\nname: ours\ntitle: Ours\nactions: {fly: {run: fly_action, text: Fly to the end of the map}}\n",
            ),
            ("ours/fly.star", "def fly_action():\n    space_at((268435457, 0))\n"),
            ("gamestate.yaml", "format: 1\nruleset: ours\nplayers: {}\nspaces: {}\nlog: []\n"),
        ],
        lines: &["fly"],
    },
    Scene {
        name: "changed-since",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml 'location: 2' 'location: 3'", "undo"],
    },
    Scene {
        name: "endless",
        files: &[
            OURS,
            TRAP,
            ("ours/spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\non-land: land(you, here)\n"),
        ],
        lines: &[LANDING],
    },
    Scene {
        name: "merge-refused",
        files: &[],
        lines: &[
            "copy gamestate.yaml base.yaml",
            "copy gamestate.yaml theirs.yaml",
            MOVED,
            "-f theirs.yaml move Ann --roll 1,1 --path 1,3 --at 2024-01-09T12:00Z",
            "merge base.yaml gamestate.yaml theirs.yaml",
        ],
    },
    Scene {
        name: "no-players",
        files: &[("gamestate.yaml", "format: 1\nruleset: world-map\nplayers: {}\nspaces: {}\nlog: []\n")],
        lines: &["tick-phase"],
    },
    Scene { name: "no-reason", files: &[], lines: &["adjudicate --set /players/Ann/items/Duck=2"] },
    Scene { name: "not-performed", files: &[], lines: &[MOVED, "undo", "amend 1 --path 1,3"] },
    Scene {
        name: "nothing-changes",
        files: &[],
        lines: &["adjudicate --set /players/Ann/items/Duck=1 --because 'ruling 3'"],
    },
    Scene { name: "nothing-to-redo", files: &[], lines: &["redo"] },
    Scene {
        name: "nothing-to-select",
        files: &[
            OURS,
            TRAP,
            (
                "ours/spaces/trap.yaml",
                "name: Trap\ncites: [X-1]\ntext: a trap\non-land: choose_word(you, \"word\", [], \"which word?\")\n",
            ),
        ],
        lines: &[LANDING],
    },
    Scene { name: "nothing-to-undo", files: &[], lines: &["undo"] },
    Scene {
        name: "other-rules",
        files: &[],
        lines: &[
            "move Bob --roll 1,1 --path 2,4 --at 2024-01-09T11:00Z",
            MOVED,
            "edit gamestate.yaml 'ruleset: cycle-15@' 'ruleset: cycle-15@0'",
            "edit gamestate.yaml 'ruleset: cycle-15@' 'ruleset: cycle-15@0'",
            "amend 1 --path 3,4 --at 2024-01-09T13:00Z",
        ],
    },
    Scene {
        name: "rule-failed",
        files: &[
            OURS,
            TRAP,
            ("ours/spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\non-land: grant(you, \"Shrad\")\n"),
        ],
        lines: &[LANDING],
    },
    Scene {
        name: "rules-do-not-load",
        files: &[
            ("rules/broken/ruleset.yaml", "base: cycle-15\nname: broken\ntitle: Broken\n"),
            ("rules/broken/spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\non-land: grnat(you)\n"),
        ],
        lines: &["proposal submit Ann Traps --carry rules/broken --at 2024-01-09T12:00Z"],
    },
    Scene {
        name: "too-many",
        files: &[
            OURS,
            (
                "gamestate.yaml",
                "format: 1\nruleset: ours\nplayers: {Ann: {items: {Shard: 9223372036854775807}}}\nspaces:\n  \
                 0: {successors: [1]}\n  1: {successors: [2]}\n  2: {type: Trap, successors: [2]}\nlog: []\n",
            ),
            ("ours/spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\non-land: grant(you, \"Shard\")\n"),
        ],
        lines: &[LANDING],
    },
    Scene { name: "unknown-entry", files: &[], lines: &[MOVED, "amend 9 --roll 1,2"] },
    Scene { name: "unsound", files: &[], lines: &["adjudicate --set /players/Ann/location=99 --because 'ruling 3'"] },
    Scene { name: "wrong-secret", files: &[("secret", "guess\n")], lines: &["reveal --secret secret"] },
];

/// Returns the first case, in the order of the files, that is refused with each code.
fn cases() -> BTreeMap<String, Value> {
    let mut first = BTreeMap::new();
    for file in yaml_files(&root("tests/cases")).into_iter().chain(yaml_files(&root("rules"))) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let codes: BTreeSet<&str> =
            text.split("refused: ").skip(1).filter_map(|rest| rest.split_whitespace().next()).collect();
        if codes.iter().all(|code| first.contains_key(*code)) {
            continue;
        }
        let Ok(document) = Document::parse(&text) else { continue };
        let top = document.root().to_value();
        for case in top.get("cases").unwrap_or(&top).items() {
            if let Some(code) = case.get("refused") {
                first.entry(code.to_string()).or_insert_with(|| case.clone());
            }
        }
    }
    first
}

/// Returns the codes in the first cells of the table of refusals.
fn codes() -> Vec<String> {
    let page = read("docs/refusals.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let codes = cells.flat_map(|cell| cell.split('`').step_by(2).map(str::to_owned).collect::<Vec<_>>());
    codes.filter(|code| !code.is_empty()).collect()
}

#[test]
fn every_refusal_has_its_words_in_the_folder() {
    let built_in = Files::built_in_names().into_iter().map(|name| (name, rules_of(name)));
    let extras = ("tests/rulesets/extras", folder_rulebook("tests/rulesets/extras"));
    let rulesets: Vec<_> = built_in.chain([extras]).collect();
    let find = &mut |name: &str| rulesets.iter().find(|(own, _)| *own == name).map(|(_, rules)| rules.clone());
    let cases = cases();
    let mut scenes = play(SCENES);
    let game = cheats::gamestate("dice: {by: beacon, since: 2023-08-18T00:00:00Z}");
    let waits = format!("move Ann --no-input --link {}", cheats::link(1000, 1));
    let other = format!("resume Ann --no-input --beacon {}", cheats::round(1001));
    let another = Scene { name: "another-round", files: &[("gamestate.yaml", &game)], lines: &[&waits, &other] };
    scenes.extend(play(&[another]));
    let mut texts = BTreeMap::new();
    for code in codes() {
        let text = match (cases.get(&code), scenes.get(&code)) {
            (Some(case), _) => {
                let refused = refusal(case, find).unwrap_or_else(|| panic!("{case} is not refused"));
                assert_eq!(refused.code, code, "{case}");
                let command = case.get("do").map_or(&[][..], Value::items).last().expect("a case does something");
                format!("$ referee {command}\n{}", view::refusal(&refused))
            }
            (None, Some(text)) => text.clone(),
            (None, None) => panic!("no case and no scene is refused with {code}"),
        };
        texts.insert(code, text);
    }
    compare("refusals", &texts);
    // A merge shows the message of `other-identity` under its own code.
    let strangers: Vec<&String> = texts
        .iter()
        .filter(|(code, text)| *code != "other-identity" && !text.contains(*code))
        .map(|(_, text)| text)
        .collect();
    assert!(strangers.is_empty(), "{strangers:#?}");
    assert!(texts.len() >= 80, "only {} codes", texts.len());
}
