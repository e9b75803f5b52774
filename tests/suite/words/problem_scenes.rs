//! The small wrong files whose problems are shown: one table.

use super::Scene;

/// What is wrong with a gamestate: the code, and a text of the game with the one in its place.
pub const GAMESTATES: &[(&str, &str, &str)] = &[
    ("yaml::alias", "phase: 2", "phase: *two"),
    ("yaml::anchor", "phase: 2", "phase: &two 2"),
    ("yaml::bare-pair", "log: []", "log: [id: 1]"),
    ("yaml::byte-order-mark", "phase: 2", "phase: \u{feff}2"),
    ("yaml::control-character", "phase: 2", "phase: 2\u{7}"),
    ("yaml::directive", "format: 1", "%YAML 1.2\n---\nformat: 1"),
    ("yaml::duplicate-key", "  Bob:", "  Ann:"),
    ("yaml::explicit-key", "log: []", "? log\n: []"),
    ("yaml::keep", "phase: 2", "phase: |+\n  2\n"),
    ("yaml::key", "log: []", "true: 1\nlog: []"),
    ("yaml::lone-return", "phase: 2\n", "phase: 2\r"),
    ("yaml::merge-key", "log: []", "<<: {phase: 3}\nlog: []"),
    ("yaml::number-range", "phase: 2", "phase: 99999999999999999999"),
    ("yaml::second-document", "log: []", "---\nlog: []"),
    ("yaml::syntax", "phase: 2", "phase: 2: 3"),
    ("yaml::tab", "log: []", "log:\n\t- id: 1"),
    ("yaml::tag", "phase: 2", "phase: !!int 2"),
    (
        "yaml::too-deep",
        "log: []",
        "log: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
         ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    ),
    ("dangling-link", "[0]", "[9]"),
    ("double-link", "[2, 3]", "[2, 2]"),
    ("future-phase", "location: 1", "location: 1, moved-in: [4]"),
    ("log-order", "log: []", "log:\n  - {id: 2, do: move Ann}\n  - {id: 1, do: move Bob}"),
    ("means-nothing", "log: []", "state: {wheel-rotation: 3}\nlog: []"),
    ("missing", "log: []", "log:\n  - {id: 1}"),
    ("missing-space", "location: 1", "location: 7"),
    ("past-phase", "log: []", "pending:\n  - {phase: 1, do: move Ann}\nlog: []"),
    ("pseudo-type", "type: Crystal", "type: Crystal, pseudo-type: Geyser"),
    ("too-few", "Shard: 3", "Crystal: -3"),
    ("two-spellings", "  Bob:", "  ann:"),
    ("unknown-format", "format: 1", "format: 2"),
    ("unknown-item", "Duck", "Duk"),
    ("unknown-key", "phase: 2", "phaze: 2"),
    ("unknown-player", "log: []", "state: {judge: Anne}\nlog: []"),
    ("unknown-ruling", "log: []", "rulings: {wheel: maybe}\nlog: []"),
    ("unknown-type", "type: Crystal", "type: Crystl"),
    ("unreachable", "[2, 3]", "[2]"),
    ("wrong-value", "phase: 2", "phase: 0"),
    // The bytes of this text are taken as Latin-1.
    ("yaml::not-utf8", "Bob", "Bö"),
];

/// What is wrong with rules that build on a built-in ruleset: the code, what follows in `ruleset.yaml`, and another file.
pub const RULES: &[(&str, &str, &str, &str)] = &[
    ("bad-id", "", "garbage/099-duckling.yaml", "name: Duckling\ncites: [X-1]\ntext: quacks\n"),
    ("bad-kind", "state: {mood: feeling}\n", "", ""),
    ("bad-name", "actions:\n  dig: {run: dig_action, options: {a deep hole: text}}\n", "", ""),
    ("bad-rule", "", "spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\non-land: grnat(you)\n"),
    ("bad-switch", "", "rulings.yaml", "wheel: {ruling: R-1}\n"),
    ("no-base", "base: cycle-99\n", "", ""),
    ("no-name", "", "spaces/trap.yaml", "text: a trap\n"),
    ("old-name", "", "around.star", "def heed_the_end():\n    pass\n"),
    ("reserved-name", "actions:\n  undo: {run: undo_action}\n", "", ""),
    ("two-of-a-name", "", "spaces/trap.yaml", "name: Hazard\ncites: [X-1]\ntext: a trap\n"),
    ("unknown-file", "", "spaces/trap.yaml", "name: Trap\nlike: spaces/trip.yaml\n"),
    ("unknown-type", "categories: {Hazard: [Trip]}\n", "", ""),
    ("yaml::no-map", "", "spaces/trap.yaml", "- a trap\n"),
    ("missing", "actions: {dig: {text: Dig}}\n", "", ""),
];

const MOVED: &str = "move Ann --roll 1,1 --path 1,2 --at 2024-01-09T12:00Z";

/// A game with sealed dice, whose secret is `guess`.
const SEALED: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: cycle-15\nsealed: {hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61}\nstarted: 2024-01-05T00:00:00Z\nphase: 2\nplayers: {Ann: {}, Bob: {}}\n\
     spaces: {0: {successors: [1]}, 1: {successors: [0]}}\nlog: []\n",
);

/// That game after a move whose draws are sealed in the older way.
const DRAWN: (&str, &str) = (
    "gamestate.yaml",
    "format: 1\nruleset: cycle-15\nsealed: {hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61, secret: guess}\n\
     started: 2024-01-05T00:00:00Z\nphase: 2\nplayers: {Ann: {items: {Time Bean Chili: 1}, move-action-in: 2, moved-in: [2]}}\n\
     spaces: {0: {successors: [1]}, 1: {successors: [0]}}\nlog:\n  - id: 1\n    at: 2024-01-09T12:00:00Z\n    phase: 2\n    do: move Ann\n    \
     random: {roll: [4, 4]}\n    chosen: {path: [1, 0, 1, 0, 1, 0, 1, 0]}\n    sealed: {state: \"json:\
     a559e37dec5648245cff9d66a9937e9b93d0cc890ad55632c27a6bc5c61009fb\", drawn: {roll: [[4, 4], [4, 4]]}}\n    changes:\n      \
     /players/Ann/items/Time Bean Chili: [null, 1]\n      /players/Ann/move-action-in: [null, 2]\n      \
     /players/Ann/moved-in: [null, [2]]\n",
);

pub const SCENES: &[Scene] = &[
    Scene { name: "another-phase", files: &[], lines: &["move Ann --roll 1,1 --path 1,2 --at 2024-01-22T12:00Z"] },
    Scene {
        name: "bad-reaction",
        files: &[("votes.csv", "Ann,maybe\n")],
        lines: &["proposal submit Bob Dice --at 2024-01-09T12:00Z", "proposal vote 1 --from votes.csv"],
    },
    Scene {
        name: "before-the-log",
        files: &[],
        lines: &[MOVED, "move Bob --roll 1,1 --path 2,4 --at 2024-01-09T11:00Z"],
    },
    Scene {
        name: "by-the-rules",
        files: &[(
            "gamestate.yaml",
            "format: 1\nruleset: cycle-15\nrulings: {wheel: as-earlier}\nplayers: {}\nspaces:\n  0: {}\n  204: {}\n",
        )],
        lines: &["check"],
    },
    Scene { name: "cannot-read", files: &[], lines: &["check --file nowhere.yaml"] },
    Scene { name: "cannot-write", files: &[], lines: &["lock gamestate.yaml", MOVED] },
    Scene {
        name: "case-fails",
        files: &[
            ("duckling/ruleset.yaml", "base: cycle-15\nname: duckling\ntitle: Duckling\n"),
            (
                "duckling/garbage/099-duckling.yaml",
                "id: 99\nname: Duckling\ncites: [X-2]\ntext: Quack.\neffect: grant(you, \"Duck\")\ncases:\n  - case: quacks\n    \
                 cites: [X-2]\n    given: {line: [0, 1], players: {Ann: {items: {Duckling: 1}}}}\n    do: use-item Ann Duckling\n    \
                 expect: {players: {Ann: {items: {Duck: 2}}}}\n",
            ),
        ],
        lines: &["proposal submit Ann Ducks --carry duckling --at 2024-01-09T12:00Z"],
    },
    Scene { name: "exists", files: &[], lines: &["init"] },
    Scene {
        name: "not-unique",
        files: &[
            ("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n"),
            ("ours/spaces/trap.yaml", "name: Trap\ncites: [X-1]\nunique: true\ntext: a trap\n"),
            (
                "gamestate.yaml",
                "format: 1\nruleset: ours\nplayers: {}\nspaces:\n  0: {type: Trap, successors: [1]}\n  1: {type: Trap}\n",
            ),
        ],
        lines: &["check"],
    },
    Scene { name: "git", files: &[], lines: &["verify --git v1..v2"] },
    Scene {
        name: "log-edited",
        files: &[],
        lines: &[
            MOVED,
            "copy gamestate.yaml old.yaml",
            "edit gamestate.yaml '12:00:00Z' '13:00:00Z'",
            "verify old.yaml gamestate.yaml",
        ],
    },
    Scene {
        name: "lost-draws",
        files: &[
            (
                "old.yaml",
                "format: 1\nruleset: cycle-15\nphase: 2\nplayers: {Ann: {}}\nspaces: {0: {}}\npending:\n  - {phase: 2, do: move Ann, \
             random: {roll: [1, 2]}}\nlog: []\n",
            ),
            (
                "gamestate.yaml",
                "format: 1\nruleset: cycle-15\nphase: 2\nplayers: {Ann: {}}\nspaces: {0: {}}\nlog: []\n",
            ),
        ],
        lines: &["verify old.yaml gamestate.yaml"],
    },
    Scene {
        name: "missing-entry",
        files: &[],
        lines: &[
            MOVED,
            "move Bob --roll 1,1 --path 2,4 --at 2024-01-09T13:00Z",
            "edit gamestate.yaml 'id: 2' 'id: 3'",
            "verify",
        ],
    },
    Scene { name: "no-secret", files: &[SEALED], lines: &["move Ann"] },
    Scene { name: "not-checkable", files: &[], lines: &[MOVED, "edit gamestate.yaml cycle-15@ cycle-15@0", "verify"] },
    Scene {
        name: "not-possible",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml 'roll: [1, 1]' 'roll: [9, 1]'", "verify"],
    },
    Scene {
        name: "other-draws",
        files: &[DRAWN],
        lines: &[
            "edit gamestate.yaml 'random: {roll: [4, 4]}' 'random: {roll: [4, 3]}'",
            "edit gamestate.yaml 'path: [1, 0, 1, 0, 1, 0, 1, 0]' 'path: [1, 0, 1, 0, 1, 0, 1]'",
            "verify",
        ],
    },
    Scene {
        name: "other-outcome",
        files: &[],
        lines: &[
            MOVED,
            "edit gamestate.yaml '/players/Ann/location: [0, 2]' '/players/Ann/location: [0, 3]'",
            "verify",
        ],
    },
    Scene {
        name: "other-rules",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml 'phase: 2' 'phase: 2\namendments: {garbage-removed: [1]}'", "verify"],
    },
    Scene {
        name: "other-selections",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml 'path: [1, 2]' 'path: [1, 2], number: 3'", "verify"],
    },
    Scene { name: "other-state", files: &[DRAWN], lines: &["edit gamestate.yaml 'json:a' 'json:0'", "verify"] },
    Scene {
        name: "second-try",
        files: &[],
        lines: &[
            MOVED,
            "undo",
            "move Ann --path 1,2 --at 2024-01-09T12:00Z",
            "edit gamestate.yaml 'met: 1' 'link: https://chat.example/1'",
            "verify",
        ],
    },
    Scene {
        name: "dated-elsewhere",
        files: &[],
        lines: &["move Ann --roll 1,1 --path 1,2 --at 2024-01-22T12:00Z", "verify"],
    },
    Scene { name: "no-gamestate", files: &[("gamestate.yaml", "- Ann\n")], lines: &["check"] },
    Scene { name: "odd-name", files: &[], lines: &["edit gamestate.yaml '  Bob:' '  --help:'", "check"] },
    Scene {
        name: "other-phase",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml '    phase: 2' '    phase: 1'", "verify"],
    },
    Scene {
        name: "outside",
        files: &[],
        lines: &["edit gamestate.yaml 'ruleset: cycle-15' 'ruleset: /rules/ours'", "check"],
    },
    Scene {
        name: "seeded",
        files: &[],
        lines: &[
            "edit gamestate.yaml 'successors: [2, 3]' 'successors: [2]'",
            "move Ann --seed 7 --decline --at 2024-01-09T12:00Z",
            "verify",
        ],
    },
    Scene {
        name: "too-large",
        files: &[("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n")],
        lines: &["fill ours/notes.yaml", "--rules ours check"],
    },
    Scene {
        name: "unexplained-rules",
        files: &[
            ("old/ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n"),
            ("old/gamestate.yaml", "format: 1\nruleset: ours\nplayers: {}\nspaces: {0: {}}\nlog: []\n"),
            (
                "new/ours/ruleset.yaml",
                "base: cycle-15\nname: ours\ntitle: Ours\nsettings:\n  move-dice: {kind: dice, default: 5d4, text: dice}\n",
            ),
            ("new/gamestate.yaml", "format: 1\nruleset: ours\nplayers: {}\nspaces: {0: {}}\nlog: []\n"),
        ],
        lines: &["verify old/gamestate.yaml new/gamestate.yaml"],
    },
    Scene {
        name: "bad-law",
        files: &[
            ("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n"),
            ("ours/law/ours.yaml", "X-1: {title: A law}\n"),
        ],
        lines: &["--rules ours rules check"],
    },
    Scene {
        name: "unexplained-value",
        files: &[],
        lines: &[
            "copy gamestate.yaml old.yaml",
            "edit gamestate.yaml 'Duck: 1' 'Duck: 2'",
            "verify old.yaml gamestate.yaml",
        ],
    },
    Scene {
        name: "unknown-rules",
        files: &[],
        lines: &[
            "copy gamestate.yaml old.yaml",
            MOVED,
            "edit gamestate.yaml cycle-15@ cycle-15@0",
            "verify old.yaml gamestate.yaml",
        ],
    },
    Scene { name: "usage", files: &[], lines: &["check --roll 9,9"] },
    Scene {
        name: "wrong-die",
        files: &[DRAWN],
        lines: &["edit gamestate.yaml 'drawn: {roll: [[4' 'drawn: {roll: [[3'", "verify"],
    },
    Scene {
        name: "wrong-secret",
        files: &[SEALED, ("secret", "another guess\n")],
        lines: &["move Ann --secret secret"],
    },
    Scene {
        name: "unexplained",
        files: &[("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n")],
        lines: &[
            MOVED,
            "edit gamestate.yaml '/players/Ann/location: [0, 2]' '/players/Ann/location: [0, 3]'",
            "proposal submit Ann Ours --carry ours --at 2024-01-09T12:00Z",
        ],
    },
];
