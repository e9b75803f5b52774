//! The law in words: every ID of every ruleset has its sentence, and a rule is shown with that sentence first.

use std::collections::BTreeSet;
use std::path::Path;

use assert_cmd::Command;
use nomic_referee::ruleset::{Files, Ruleset};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::coverage::{EARLY_ITEMS, GROUPS};
use crate::support::{rules_of, sample};

/// The catalogue's entries that the earlier text does not have, by group: the first and the last.
const NOT_EARLY: [(&str, u32, u32); 10] = [
    ("P", 5, 7),
    ("PR", 4, 5),
    ("PR", 9, 9),
    ("GB", 2, 2),
    ("GB", 6, 7),
    ("SH", 1, 2),
    ("S", 8, 21),
    ("C", 8, 8),
    ("M", 5, 11),
    ("PY", 1, 2),
];

/// The IDs of a group, the first and the last included.
fn ids(group: &str, first: u32, last: u32) -> impl Iterator<Item = String> {
    let width = match group {
        "G" => 3,
        "EG" | "R" => 2,
        _ => 1,
    };
    (first..=last).map(move |number| format!("{group}-{number:0width$}"))
}

/// The IDs that a ruleset serves.
fn served(ruleset: &str) -> BTreeSet<String> {
    let groups = |wanted: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
        GROUPS.iter().filter(|(group, _)| wanted(group)).flat_map(|(group, last)| ids(group, 1, *last)).collect()
    };
    let early = |group: &str| group == "E" || group == "WR";
    match ruleset {
        "world-map" => {
            groups(&|group| group == "L").into_iter().chain(["L-0".into()]).chain(ids("R", 175, 192)).collect()
        }
        "cycle-15" => {
            let items = ids("G", 1, 98).chain(ids("R", 1, 164)).chain(["ST".into()]);
            groups(&|group| group != "L" && !early(group)).into_iter().chain(items).collect()
        }
        _ => {
            let items = u32::try_from(EARLY_ITEMS).expect("a few");
            let mut served = groups(&|group| group != "L");
            for id in NOT_EARLY.iter().flat_map(|(group, first, last)| ids(group, *first, *last)) {
                assert!(served.remove(&id), "{id} is in the catalogue");
            }
            assert!(served.remove("W-4"), "W-4 is in the catalogue");
            served.extend(ids("EG", 1, items).chain(ids("R", 1, 174)).chain(["R-193".to_owned()]));
            served
        }
    }
}

#[test]
fn every_id_of_every_ruleset_has_its_sentence() {
    for name in ["cycle-15", "cycle-15-early", "world-map"] {
        let ruleset = rules_of(name);
        let missing: Vec<String> = served(name).into_iter().filter(|id| ruleset.law_text(id).is_none()).collect();
        assert!(missing.is_empty(), "{name} has no sentence for {}", missing.join(", "));
        assert_eq!(ruleset.law_problems(), [], "{name}");
    }
}

#[test]
fn a_ruleset_speaks_only_of_what_it_serves() {
    for name in ["cycle-15", "cycle-15-early", "world-map"] {
        let (ruleset, served) = (rules_of(name), served(name));
        // What the program holds every game to, and oddities of the texts.
        let shared = |id: &str| {
            let group = id.split('-').next().unwrap_or_default();
            let readings = ["R-01", "R-12", "R-13", "R-37", "R-61", "R-135", "R-193"];
            ["TA", "RC", "D", "PA"].contains(&group) || readings.contains(&id)
        };
        let more: Vec<&str> = ruleset.law_ids().filter(|id| !served.contains(*id) && !shared(id)).collect();
        assert!(more.is_empty(), "{name} has sentences for {}", more.join(", "));
    }
    assert_eq!(rules_of("cycle-15-early").law_text("M-8"), None, "combos belong to the later text");
    assert!(rules_of("world-map").law_text("RC-2").is_some(), "the program names it in every game");
}

#[test]
fn a_text_is_one_to_three_sentences() {
    for name in ["cycle-15", "cycle-15-early", "world-map"] {
        let ruleset = rules_of(name);
        for law in ruleset.law_ids().filter_map(|id| ruleset.law_text(id)) {
            let sentences = law.text.matches(". ").count() + 1;
            assert!(law.text.ends_with('.') && sentences <= 3, "{}: {}", law.id, law.text);
            assert!(!law.title.ends_with('.') && law.title.chars().count() <= 45, "{}: {}", law.id, law.title);
        }
    }
}

#[test]
fn the_same_id_differs_if_the_texts_do() {
    let text = |ruleset: &str, id: &str| rules_of(ruleset).law_text(id).expect("a text").text;
    assert_ne!(text("cycle-15", "M-2"), text("cycle-15-early", "M-2"));
    assert_eq!(text("cycle-15", "M-4"), text("cycle-15-early", "M-4"));
    assert!(text("cycle-15", "r-5").starts_with("Every move counts"));
}

fn run(folder: &Path, words: &str) -> (bool, String) {
    let mut command = Command::cargo_bin("referee").expect("the program is built");
    let output = command.current_dir(folder).args(shlex::split(words).expect("quotes")).output().expect("it runs");
    (
        output.status.success(),
        (String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into_owned(),
    )
}

fn game() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("gamestate.yaml"), sample()).expect("a writable folder");
    folder
}

#[test]
fn a_rule_is_shown_with_its_sentence_first_and_without_code() {
    let folder = game();
    for words in ["show rule M-4", "rules show M-4", "show rule m-4"] {
        let (done, text) = run(folder.path(), words);
        assert!(done, "{text}");
        let parts =
            ["M-4  Carrying out", "You leave your space, pass", "R-66: ", "direct-move: lands", "cases", "garbage/"];
        let places: Vec<usize> =
            parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"))).collect();
        assert!(places.is_sorted(), "{text}");
        assert!(text.contains("shown with --code") && !text.contains("def "), "{text}");
        let (_, code) = run(folder.path(), &format!("{words} --code"));
        assert!(code.starts_with(text.split("\n  code: ").next().expect("a text")) && code.contains("def "), "{code}");
    }
}

#[test]
fn a_reading_is_shown_with_its_switch_and_what_the_game_has_set() {
    let folder = game();
    let (_, text) = run(folder.path(), "rules show R-61");
    assert!(text.starts_with("R-61  Changing a roll afterwards  rules/nomic/law/"), "{text}");
    assert!(text.contains("retroactive-rolls: rewind-in-phase, the default; values: "), "{text}");
    let set = run(folder.path(), "adjudicate --set /rulings/retroactive-rolls=record-only --because 'asked for'");
    assert!(set.0, "{}", set.1);
    let (_, text) = run(folder.path(), "rules show retroactive-rolls");
    assert!(
        text.contains("R-61  Changing") && text.contains("retroactive-rolls: record-only, set in this game"),
        "{text}"
    );
}

#[test]
fn programs_get_the_sentence_the_switches_the_cases_and_the_code_as_data() {
    let folder = game();
    let json = |words: &str| -> Json { serde_json::from_str(&run(folder.path(), words).1).expect("JSON") };
    let rule = json("--format json show rule R-61");
    assert_eq!((&rule["law"]["id"], &rule["law"]["title"]), (&"R-61".into(), &"Changing a roll afterwards".into()));
    assert!(rule["law"]["text"].as_str().is_some_and(|text| text.ends_with('.')));
    assert_eq!((&rule["switch"][0]["key"], &rule["switch"][0]["set"]), (&"retroactive-rolls".into(), &false.into()));
    assert!(rule["cases"].as_array().is_some_and(|cases| cases.len() > 20 && cases[0]["case"].is_string()));
    assert_eq!(rule["code"], Json::Null);
    let code = json("--format json show rule R-61 --code");
    assert!(code["code"].as_array().is_some_and(|code| !code.is_empty() && code[0]["code"].is_string()));
    let item = json("--format json show rule G-005");
    assert_eq!((&item["law"]["id"], &item["law"]["title"]), (&"G-005".into(), &"Duck".into()));
}

/// The later ruleset with a file of the law in words, and perhaps more in `ruleset.yaml`.
fn ours(law: &str, more: &str) -> Files {
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    files.texts.insert("ruleset.yaml".into(), format!("base: cycle-15\nname: ours\ntitle: ours\n{more}").into());
    files.texts.insert("law/ours.yaml".into(), law.to_owned().into());
    files.with_switches()
}

#[test]
fn a_folder_tells_its_own_rules_and_those_it_changes() {
    let law = "M-4: {title: Jumping, text: You jump.}\nX-1: {title: New, text: It is new.}\n";
    let ruleset =
        Ruleset::load(&ours(law, "without: [law/PY-party.yaml, law/M-movement.yaml/M-12]\n")).expect("it loads");
    let text = |id: &str| ruleset.law_text(id).map(|law| law.text);
    assert_eq!(text("M-4").as_deref(), Some("You jump."));
    assert_eq!(text("X-1").as_deref(), Some("It is new."));
    assert_eq!((text("PY-1"), text("M-12")), (None, None));
    assert_eq!(text("M-1"), rules_of("cycle-15").law_text("M-1").map(|law| law.text));

    let problems = Ruleset::load(&ours(law, "without: [law/M-movement.yaml/M-99]\n")).expect_err("there is none");
    assert_eq!(problems[0].code, "unknown-key");
}

#[test]
fn a_sentence_does_not_change_what_a_game_is_played_by() {
    let pin = |law: &str| Ruleset::load(&ours(law, "")).expect("it loads").pin();
    assert_eq!(pin("X-1: {title: New, text: It is new.}\n"), pin("X-1: {title: New, text: Not any more.}\n"));
}

#[test]
fn rules_check_names_the_place_of_a_bad_text() {
    let folder = game();
    let law = folder.path().join("rules/ours/law");
    std::fs::create_dir_all(&law).expect("a writable folder");
    let main = "base: cycle-15\nname: ours\ntitle: ours\n";
    std::fs::write(folder.path().join("rules/ours/ruleset.yaml"), main).expect("a writable folder");
    std::fs::write(law.join("ours.yaml"), "X-1:\n  title: New\n  text: It is new.\nX-2:\n  title: Empty\n")
        .expect("a file");
    let (done, text) = run(folder.path(), "--rules rules/ours rules check");
    assert!(!done && text.contains("rules/ours/law/ours.yaml:4:1") && text.contains("`X-2` needs a `text`"), "{text}");
    let (done, text) = run(folder.path(), "--rules rules/ours rules show X-1");
    assert!(done && text.starts_with("X-1  New"), "{text}");
}
