//! Every code of a problem in the sources: what `check`, `verify` and the commands print of a small wrong file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nomic_referee::diagnostic::Problem;
use nomic_referee::engine::check_scripts;
use nomic_referee::files::replace;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::ruleset::{Files, Ruleset};
use nomic_referee::view;

use super::{GAME, Scene, compare, file_name, play};
use crate::support::{files_below, root, rules_of};

/// Codes of problems that no test can cause: a file of more than 2 GiB, a system without random numbers, and an edit of
/// which the program itself finds that it is wrong.
const CANNOT_BE_CAUSED: [&str; 3] = ["yaml::too-large", "no-randomness", "cannot-edit"];

/// What is wrong with a gamestate: the code, and a text of the game with the one in its place.
const GAMESTATES: [(&str, &str, &str); 37] = [
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
const RULES: [(&str, &str, &str, &str); 15] = [
    ("bad-id", "", "garbage/099-duckling.yaml", "name: Duckling\ncites: [X-1]\ntext: quacks\n"),
    ("bad-kind", "state: {mood: feeling}\n", "", ""),
    ("bad-law", "", "law/ours.yaml", "- a law\n"),
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
    "format: 1\nruleset: cycle-15\nsealed: {hash: f1abe1b083d12d181ae136cfc75b8d18a8ecb43ac4e9d1a36d6a9c75b6016b61}\nstarted: 2024-01-05T00:00:00Z\nphase: 2\nplayers: {Ann: {}}\n\
     spaces: {0: {successors: [1]}, 1: {successors: [0]}}\nlog: []\n",
);

const SECRET: (&str, &str) = ("secret", "guess\n");

const SCENES: &[Scene] = &[
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
            "format: 1\nruleset: cycle-15\nrulings: {wheel: as-earlier}\nplayers: {}\nspaces:\n  0: {successors: [204]}\n  \
             204: {successors: [0]}\n",
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
            ("ours/spaces/trap.yaml", "name: Trap\ncites: [X-1]\ntext: a trap\nunique: true\n"),
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
            "edit gamestate.yaml 'id: 1' 'id: 0'",
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
        files: &[SEALED, SECRET],
        lines: &[
            "move Ann --secret secret --at 2024-01-09T12:00Z",
            "edit gamestate.yaml 'roll: [[' 'roll: [[4, 4], ['",
            "verify --secret secret",
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
    Scene { name: "other-rules", files: &[], lines: &[MOVED, "verify"] },
    Scene {
        name: "other-selections",
        files: &[],
        lines: &[MOVED, "edit gamestate.yaml 'path: [1, 2]' 'path: [1, 2], number: 3'", "verify"],
    },
    Scene {
        name: "other-state",
        files: &[SEALED, SECRET],
        lines: &[
            "move Ann --secret secret --at 2024-01-09T12:00Z",
            "edit gamestate.yaml 'json:' 'json:0'",
            "verify --secret secret",
        ],
    },
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
        name: "unexplained-rules",
        files: &[("ours/ruleset.yaml", "base: cycle-15\nname: ours\ntitle: Ours\n")],
        lines: &[
            "copy gamestate.yaml old.yaml",
            "edit gamestate.yaml 'ruleset: cycle-15' 'ruleset: ours'",
            "verify old.yaml gamestate.yaml",
        ],
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
        files: &[SEALED, SECRET],
        lines: &[
            "move Ann --secret secret --at 2024-01-09T12:00Z",
            "edit gamestate.yaml 'drawn: {roll: [[' 'drawn: {roll: [[1'",
            "verify --secret secret",
        ],
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

/// Returns the problems of the game with one text in place of another.
fn of_gamestate(code: &str, old: &str, new: &str) -> Vec<Problem> {
    assert!(GAME.contains(old), "{code}: {old}");
    let text = GAME.replacen(old, new, 1);
    let bytes: Vec<u8> = match code {
        "yaml::not-utf8" => text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect(),
        _ => text.into_bytes(),
    };
    let rules = rules_of("cycle-15");
    match GamestateFile::parse("gamestate.yaml", &bytes) {
        Err(problems) => problems.into(),
        Ok(file) => {
            let checked = file.check(&rules);
            let warnings = checked.game.as_ref().map(|game| file.lint(&rules, game)).unwrap_or_default();
            checked.problems.into_iter().chain(warnings).collect()
        }
    }
}

/// Returns the problems of rules with these lines in `ruleset.yaml` and this file.
fn of_rules(lines: &str, path: &str, text: &str) -> Vec<Problem> {
    let mut files = Files { folder: "ours".into(), ..Files::default() };
    let base = if lines.contains("base:") { "" } else { "base: cycle-15\n" };
    files.texts.insert("ruleset.yaml".into(), format!("{base}name: ours\ntitle: Ours\n{lines}").into());
    if !path.is_empty() {
        files.texts.insert(path.to_owned(), text.to_owned().into());
    }
    match Ruleset::load(&files.with_switches()) {
        Ok(ruleset) => check_scripts(&Arc::new(ruleset)),
        Err(problems) => problems.into(),
    }
}

/// Shows the first problem with this code.
fn first(code: &str, problems: &[Problem]) -> String {
    let problem = problems.iter().find(|problem| problem.code == code);
    problem.map_or_else(|| format!("{problems:#?}"), |problem| view::problems(std::slice::from_ref(problem), false))
}

/// Returns the texts, each by the code of its problem.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (code, old, new) in GAMESTATES {
        texts.insert(code.to_owned(), first(code, &of_gamestate(code, old, new)));
    }
    for (code, lines, path, text) in RULES {
        texts.entry(code.to_owned()).or_insert_with(|| first(code, &of_rules(lines, path, text)));
    }
    let empty = Files { folder: "ours".into(), ..Files::default() };
    let none: Vec<Problem> = Ruleset::load(&empty).err().expect("rules without a file do not load").into();
    texts.insert("no-ruleset".into(), first("no-ruleset", &none));
    for (code, text) in play(SCENES) {
        texts.insert(code, text);
    }
    let strangers: Vec<&String> =
        texts.iter().filter(|(code, text)| !text.contains(*code)).map(|(_, text)| text).collect();
    assert!(strangers.is_empty(), "{strangers:#?}");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join("gamestate.yaml");
    std::fs::write(&path, "of another program").expect("a writable folder");
    let changed = replace(&path, b"as it was read", "new").expect_err("the file has changed");
    let shown = first("changed-meanwhile", &[changed]).replace(folder.path().to_str().expect("a plain path"), "FOLDER");
    // The path is of another length on each machine, so lines break at other places.
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    texts.insert("changed-meanwhile".into(), shown + "\n");
    texts
}

/// Returns the codes that the sources give to problems: the first argument of each call that makes one, or the second if
/// the first is the place.
fn codes() -> BTreeSet<String> {
    let is_code = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':')
    };
    let mut codes = BTreeSet::new();
    for file in files_below(&root("src")) {
        let name = file.strip_prefix(root("src")).expect("below it").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if name.contains("tests") {
            continue;
        }
        for start in [
            "Problem::new(",
            "problem(",
            "problem_at(",
            "warn(",
            "failed(",
            "found(",
            "found.push((",
            "Finding { code: ",
            "            code: ",
        ] {
            for (at, _) in code.match_indices(start) {
                // Other functions end in the same letters, and structs of refusals have codes as well.
                let other = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let rest = code[at + start.len()..].trim_start();
                if other || start.ends_with("code: ") && !name.contains("verify") {
                    continue;
                }
                let literal = |text: &str| {
                    text.strip_prefix('"')
                        .and_then(|rest| rest.split_once('"'))
                        .map(|(own, rest)| (own.to_owned(), rest.to_owned()))
                };
                let found = match literal(rest) {
                    Some((own, rest)) => {
                        let next = literal(rest.trim_start_matches(',').trim_start())
                            .filter(|(next, _)| start == "problem(" && is_code(next));
                        Some(next.map_or(own, |(next, _)| next))
                    }
                    None if start == "problem(" => rest.split_once(", \"").and_then(|(place, rest)| {
                        let call = !place.contains([';', '{']) || place.starts_with("&format!");
                        rest.split('"').next().filter(|_| call).map(str::to_owned)
                    }),
                    None => None,
                };
                codes.extend(found.filter(|code| is_code(code)));
            }
        }
    }
    codes
}

#[test]
fn every_problem_has_its_words_in_the_folder() {
    let texts = texts();
    let codes = codes();
    assert!(codes.len() > 80, "only {} codes: {codes:?}", codes.len());
    let shown = |code: &&String| !texts.contains_key(*code) && !CANNOT_BE_CAUSED.contains(&code.as_str());
    let missing: Vec<&String> = codes.iter().filter(shown).collect();
    assert!(missing.is_empty(), "no scene has the problems {missing:?}");
    compare("problems", &texts.into_iter().map(|(code, text)| (file_name(&code), text)).collect());
}
