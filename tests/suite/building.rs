//! Rulesets that build on others: what holds of each, and what is said where they do not fit together.

use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::diagnostic::Problem;
use nomic_referee::engine::check_scripts;
use nomic_referee::game::Game;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Played, Request, Selections, Status, take_turn};
use nomic_referee::ruleset::{Files, Ruleset};

const GAME: &str = "format: 1\nruleset: ours\nplayers: {Ann: {items: {Duck: 1}}}\nspaces:\n  0: {successors: [1]}\n  \
                    1: {successors: [2]}\n  2: {successors: [2]}\n";

fn files(folder: &str, base: &str, texts: &[(&str, &str)]) -> Files {
    let mut files = Files { folder: folder.into(), ..Files::default() };
    files.texts.insert("ruleset.yaml".into(), format!("base: {base}\nname: ours\ntitle: ours\n").into());
    for (path, text) in texts {
        let whole = files.texts.remove(*path).filter(|_| *path == "ruleset.yaml").unwrap_or_default().into_owned();
        files.texts.insert((*path).into(), format!("{whole}{text}").into());
    }
    files.with_switches()
}

fn ours(texts: &[(&str, &str)]) -> Files {
    files("rules/ours", "cycle-15", texts)
}

fn load(files: &Files) -> Result<Arc<Ruleset>, Vec<Problem>> {
    Ok(Ruleset::load(files).map(Arc::new)?)
}

fn sound(files: &Files) -> Arc<Ruleset> {
    let ruleset = load(files).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let problems = check_scripts(&ruleset);
    assert!(problems.is_empty(), "{problems:#?}");
    ruleset
}

fn problems(files: &Files) -> Vec<Problem> {
    load(files).map_or_else(|problems| problems, |ruleset| check_scripts(&ruleset))
}

fn place(problem: &Problem) -> String {
    let place = problem.place.as_ref().expect("a place");
    let (line, column) = place.source.line_column(place.span.start);
    format!("{}:{line}:{column}", place.source.name)
}

fn game(ruleset: &Ruleset) -> Game {
    let file = GamestateFile::parse("gamestate.yaml", GAME.as_bytes()).expect("YAML");
    file.check(ruleset).game.expect("a sound game")
}

/// Ann's action with these dice.
fn act(ruleset: &Arc<Ruleset>, words: &[&str], key: &str, values: &[i64]) -> Played {
    let mut given = Selections::default();
    given.add(key, values.iter().map(|value| Value::Int(*value)));
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    take_turn(ruleset, &game(ruleset), &Request { words, given, ..Request::default() }, &mut ()).expect("a command")
}

fn held(turn: &Played, item: &str) -> i64 {
    assert_eq!(turn.status, Status::Done);
    let (_, ann) = turn.next.players().next().expect("Ann");
    ann.items.iter().find(|(own, _)| &**own == item).map_or(0, |(_, count)| *count)
}

const THREE_FOR_DOUBLES: &str =
    "def doubles(you, thrown):\n    rule(\"M-10\")\n    grant(you, \"Time Bean Chili\", MANY)\n\nMANY = 3\n";

#[test]
fn a_definition_stands_for_that_of_the_base() {
    let ruleset = sound(&ours(&[("movement.star", THREE_FOR_DOUBLES)]));
    assert_eq!(held(&act(&ruleset, &["move", "Ann"], "roll", &[1, 1]), "Time Bean Chili"), 3);
    assert_ne!(ruleset.pin(), sound(&ours(&[])).pin(), "other rules, and the same hash");
    let named = ruleset.definitions().filter(|(name, ..)| *name == "doubles").collect::<Vec<_>>();
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].1.name, "rules/ours/movement.star");
}

#[test]
fn a_definition_stands_for_those_of_all_bases() {
    let mut files = files("rules/later", "../ours", &[("movement.star", "MANY = 5\n")]);
    files.base = Some(Box::new(ours(&[("movement.star", THREE_FOR_DOUBLES)])));
    let ruleset = sound(&files);
    assert_eq!(held(&act(&ruleset, &["move", "Ann"], "roll", &[1, 1]), "Time Bean Chili"), 5);
}

#[test]
fn a_definition_can_be_left_out() {
    let without = "without: [movement.star/doubles]\n";
    let nothing = "def after_move(you, thrown, selected, rolled):\n    pass\n";
    let ruleset = sound(&ours(&[("ruleset.yaml", without), ("movement.star", nothing)]));
    assert_eq!(held(&act(&ruleset, &["move", "Ann"], "roll", &[1, 1]), "Time Bean Chili"), 0);
    assert!(ruleset.definitions().all(|(name, ..)| name != "doubles"));
    let found = problems(&ours(&[("ruleset.yaml", without)]));
    assert!(found.iter().any(|problem| problem.message.contains("doubles")), "{found:#?}");
    assert!(found.iter().any(|problem| place(problem).starts_with("rules/cycle-15/movement.star:")), "{found:#?}");
}

#[test]
fn what_is_left_out_must_be_there() {
    for gone in ["movement.star/duobles", "movment.star/doubles", "spaces/gyser.yaml", "actions.brake"] {
        let found = problems(&ours(&[("ruleset.yaml", &format!("without: [{gone}]\n"))]));
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].message, format!("the base has no `{gone}` to leave out"));
    }
}

#[test]
fn a_rule_file_takes_from_another_what_it_does_not_say() {
    let like = "id: 101\nname: Second Chili\nlike: garbage/023-actual-garage.yaml\ncites: [X-1]\n";
    let ruleset = sound(&ours(&[("garbage/101-second-garage.yaml", like)]));
    let item = ruleset.item("Second Chili").expect("it is an item");
    assert!(ruleset.item_file(item).get("text").is_some() && ruleset.item_file(item).get("effect").is_some());
    assert_eq!(ruleset.item_file(item).get("id"), Some(&Value::Int(101)));
    assert!(ruleset.item("Actual Garage").is_some(), "the other one is still there");
}

#[test]
fn a_rule_file_can_be_like_one_that_is_left_out() {
    let like = "id: 7\nlike: garbage/023-actual-garage.yaml\ncites: [X-1]\n";
    let more = "without: [garbage/, amending.star/remove_row]\nrows-amended-by: {letter: X}\n";
    let ruleset = sound(&ours(&[("ruleset.yaml", more), ("garbage/007-actual-garage.yaml", like)]));
    let numbered: Vec<i64> = ruleset.items().iter().filter_map(|item| item.number).collect();
    assert_eq!(numbered, [7]);
}

#[test]
fn a_rule_file_that_is_like_none_says_what_is_near() {
    let like = "id: 101\nname: Second\nlike: garbage/023-actual-garbage.yaml\ncites: [X-1]\n";
    let found = problems(&ours(&[("garbage/101-second.yaml", like)]));
    assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["unknown-file"]);
    assert_eq!(place(&found[0]), "rules/ours/garbage/101-second.yaml:3:1");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `garbage/023-actual-garage.yaml`?"));
}

#[test]
fn files_may_use_each_other() {
    let a = "def even(n):\n    return n == 0 or odd(n - 1)\n\nLEAST = 2\n";
    let b = "def odd(n):\n    return n > 0 and even(n - 1)\n\ndef many():\n    return LEAST if even(4) else 0\n";
    let effect = "id: 101\nname: Pair\ncites: [X-1]\ntext: two\neffect: |\n  grant(you, \"Fish\", many())\n";
    let game = GAME.replace("Duck", "Pair");
    let ruleset = sound(&ours(&[("a.star", a), ("b.star", b), ("garbage/101-pair.yaml", effect)]));
    let file = GamestateFile::parse("gamestate.yaml", game.as_bytes()).expect("YAML");
    let game = file.check(&ruleset).game.expect("a sound game");
    let words = ["use-item", "Ann", "Pair"].map(str::to_owned).to_vec();
    let turn = take_turn(&ruleset, &game, &Request { words, ..Request::default() }, &mut ()).expect("a command");
    assert_eq!(held(&turn, "Fish"), 2);
}

#[test]
fn a_mistake_is_placed_in_the_file_that_has_it() {
    let wrong = "# ours\n\ndef doubles(you, thrown):\n    grnat(you, \"Duck\")\n";
    let found = problems(&ours(&[("movement.star", wrong)]));
    assert_eq!(place(&found[0]), "rules/ours/movement.star:4:5", "{found:#?}");
    // What the base uses is gone; the place is where it uses it, with the lines counted as they stand there.
    let text = std::fs::read_to_string(crate::support::root("rules/cycle-15/movement.star")).expect("a rule file");
    let line = 1 + text.lines().position(|line| line.starts_with("    doubles(you, thrown)")).expect("its use");
    let gone = "without: [movement.star/doubles]\n";
    let found = problems(&ours(&[("ruleset.yaml", gone), ("movement.star", "MANY = 3\n")]));
    assert_eq!(place(&found[0]), format!("rules/cycle-15/movement.star:{line}:5"), "{found:#?}");
}

#[test]
fn two_files_cannot_define_the_same() {
    let ruleset = load(&ours(&[("ours.star", "def doubles(you, thrown):\n    pass\n")])).expect("it loads");
    let found = check_scripts(&ruleset);
    assert_eq!(found.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["two-of-a-name"], "{found:#?}");
    assert!(found[0].message.contains("`doubles` is defined in "), "{found:#?}");
}
