//! Rule files that are wrong: each is refused with its place, and the game stays as it was.

use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::diagnostic::Problem;
use nomic_referee::engine::check_scripts;
use nomic_referee::game::Game;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Refusal, Request, Selections, Status, take_turn};
use nomic_referee::ruleset::{Files, Ruleset};

const GAME: &str = "format: 1\nruleset: ours\nplayers: {Ann: {}}\nspaces:\n  0: {successors: [1]}\n  \
                    1: {successors: [2]}\n  2: {type: Trap, successors: [2]}\n";

/// The later ruleset with a space type `Trap` whose file is this text, and perhaps another `ruleset.yaml`.
fn files(trap: &str, more: &str) -> Files {
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    let main = format!("base: cycle-15\nname: ours\ntitle: ours\n{more}");
    files.texts.insert("ruleset.yaml".into(), main.into());
    files.texts.insert("spaces/trap.yaml".into(), trap.to_owned().into());
    files.with_switches()
}

fn landing_on(trap: &str) -> (Refusal, bool) {
    let ruleset = Arc::new(Ruleset::load(&files(trap, "")).expect("the ruleset itself is sound"));
    let game = game(&ruleset);
    let mut given = Selections::default();
    given.add("roll", [Value::Int(1), Value::Int(1)]);
    let request = Request { words: vec!["move".into(), "Ann".into()], given, ..Request::default() };
    let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command of the game");
    let same = turn.next == game;
    match turn.status {
        Status::Refused(refusal) => (refusal, same),
        other => panic!("{other:?}"),
    }
}

fn game(ruleset: &Ruleset) -> Game {
    let file = GamestateFile::parse("gamestate.yaml", GAME.as_bytes()).expect("YAML");
    file.check(ruleset).game.expect("a sound game")
}

fn problems(trap: &str, more: &str) -> Vec<Problem> {
    match Ruleset::load(&files(trap, more)) {
        Ok(ruleset) => check_scripts(&ruleset),
        Err(problems) => problems.into(),
    }
}

/// Landing is refused with a message that begins with the place and holds the words, and nothing has changed.
fn refused(effect: &str, place: &str, words: &str) {
    let (refusal, same) = landing_on(&format!("name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n{effect}"));
    assert_eq!(refusal.code, "rule-failed");
    assert!(refusal.message.starts_with(place), "{}", refusal.message);
    assert!(refusal.message.contains(words), "{}", refusal.message);
    assert!(same, "the game has changed");
}

#[test]
fn a_syntax_error_names_line_and_column_of_the_rule_file() {
    refused("  grant(you, \"Shard\"\n  grant(you)\n", "rules/ours/spaces/trap.yaml:6:", "expected");
}

#[test]
fn an_unknown_name_is_found_before_the_rule_runs() {
    refused("  if False:\n      grnat(you, \"Shard\")\n", "rules/ours/spaces/trap.yaml:6:7: ", "grnat");
}

#[test]
fn an_unknown_item_type_or_field_is_found_when_it_is_used() {
    refused("  grant(you, \"Shrad\")\n", "rules/ours/spaces/trap.yaml:5:3: ", "unknown item `Shrad`");
    refused("  set_type(here, \"Blnak\")\n", "rules/cycle-15/board.star:", "`Blnak`");
    refused("  you.set(\"locaton\", 3)\n", "rules/ours/spaces/trap.yaml:5:3: ", "no field `locaton`");
    refused("  ruling(\"prty\")\n", "rules/ours/spaces/trap.yaml:5:3: ", "unknown switch `prty`");
}

#[test]
fn an_endless_loop_is_stopped() {
    let nested = "  for a in range(90000):\n    for b in range(90000):\n      pass\n";
    refused(nested, "rules/ours/spaces/trap.yaml:", "tick");
    let (refusal, same) = landing_on("name: Trap\ncites: [X-1]\ntext: a trap\non-land: land(you, here)\n");
    assert_eq!((&*refusal.code, same), ("endless", true));
}

#[test]
fn a_huge_list_is_refused_before_it_is_made() {
    refused("  x = [0] * 200000000\n", "rules/ours/spaces/trap.yaml:5:7: ", "more than the 100000 allowed");
    refused("  x = range(2000000000)\n", "rules/ours/spaces/trap.yaml:5:7: ", "more than the 100000 allowed");
    refused("  x = [1]\n  for _ in range(60):\n    x = x + x\n", "rules/ours/spaces/trap.yaml:7:9: ", "more than the");
    refused(
        "  x = \"a\"\n  for _ in range(60):\n    x = x + x\n",
        "rules/ours/spaces/trap.yaml:7:9: ",
        "more than the",
    );
}

#[test]
fn a_rule_cannot_reach_outside() {
    refused("  load(\"other.star\", \"x\")\n", "rules/ours/spaces/trap.yaml:5:", "");
    refused("  x = open(\"/etc/passwd\")\n", "rules/ours/spaces/trap.yaml:5:", "open");
}

#[test]
fn a_rule_file_that_does_not_load_keeps_only_its_own_rule_from_working() {
    let ruleset = Ruleset::load(&files("cites: [X-1]\n", "")).expect("the rest goes on");
    assert_eq!(ruleset.problems.len(), 1);
    assert!(ruleset.problems[0].message.contains("begins with its `name`"), "{}", ruleset.problems[0]);
    assert!(ruleset.has_type("Geyser"));
}

#[test]
fn every_mistake_of_a_ruleset_is_reported_at_once() {
    let found =
        problems("name: Trap\n", "categores: {}\nstate:\n  mood: {kind: feeling}\ncategories: {Hazard: [Trip]}\n");
    let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
    for words in ["a ruleset has no `categores`", "unknown kind `feeling` for `mood`", "Hazard holds `Trip`"] {
        assert!(messages.iter().any(|message| message.contains(words)), "{words}: {messages:#?}");
    }
    assert!(found.iter().any(|problem| problem.help.as_deref() == Some("did you mean `Trap`?")), "{found:#?}");
}

#[test]
fn a_message_with_too_few_or_too_many_values_is_refused() {
    let place = "rules/ours/spaces/trap.yaml:5:3: ";
    refused("  tell(\"{} leaves {}\", you)\n", place, "the message has 2 places `{}` and 1 value");
    refused("  tell(\"a plain text\", you)\n", place, "the message has 0 places `{}` and 1 value");
    refused("  refuse(\"x\", \"{}\", you, here, help = \"no place\")\n", place, "1 place `{}` and 2 values");
    refused("  tell(\"a { alone\")\n", place, "a brace is written twice: `{{`");
}

#[test]
fn a_message_whose_values_do_not_fit_is_found_before_it_runs() {
    let trap = "name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n  if False:\n      choose_yes_no(you, \"ping\", \"{} or {}\", you)\n";
    let found = problems(trap, "");
    let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(messages.iter().any(|message| message.contains("2 places `{}` and 1 value")), "{messages:#?}");
}

#[test]
fn a_text_that_fills_a_place_is_shown_as_it_is() {
    let effect = "  refuse(\"x\", \"{{{}}} and {} on {}\", \"{} and {{\", you, here, [1, (2, -3)], help = \"{}\")\n";
    let (refusal, _) = landing_on(&format!("name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n{effect}"));
    assert_eq!(refusal.message, "{{} and {{} and Ann on space 2");
    assert_eq!(refusal.help.as_deref(), Some("1, (2, -3)"));
}

#[test]
fn the_rule_at_work_is_the_callers_again_after_a_call() {
    let trap = "name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n  outer(you)\n  tell(\"outside\")\n";
    let mut files = files(trap, "");
    let functions = "def outer(you):\n    rule(\"X-2\")\n    inner(you)\n    tell(\"outer\")\n\n\
                     def inner(you):\n    tell(\"before\")\n    rule(\"X-3\")\n    tell(\"inner\")\n";
    files.texts.insert("causes.star".into(), functions.to_owned().into());
    let ruleset = Arc::new(Ruleset::load(&files).expect("the ruleset itself is sound"));
    let mut given = Selections::default();
    given.add("roll", [Value::Int(1), Value::Int(1)]);
    let request = Request { words: vec!["move".into(), "Ann".into()], given, ..Request::default() };
    let turn = take_turn(&ruleset, &game(&ruleset), &request, &mut ()).expect("a command of the game");
    let texts = ["before", "inner", "outer", "outside"];
    let told = turn.events.iter().filter(|event| texts.contains(&&*event.text));
    let causes: Vec<(&str, &str)> = told.map(|event| (&*event.text, &*event.rule)).collect();
    assert_eq!(causes, [("before", "X-2"), ("inner", "X-3"), ("outer", "X-2"), ("outside", "X-1")]);
}

#[test]
fn a_rule_that_uses_an_old_name_is_told_the_new_one() {
    refused("  lapse(\"move Ann\")\n", "rules/ours/spaces/trap.yaml:5:3: ", "`lapse` is now called `expire`");
    refused("  nothing(\"so\")\n", "rules/ours/spaces/trap.yaml:5:3: ", "`nothing` is now called `no_effect`");
    let found = problems(
        "name: Trap\ncites: [X-1]\ntext: a trap\non-land: |\n  folded(\"A\")\n",
        "before-action: [heed_the_end]\n",
    );
    let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(messages.iter().any(|message| message.contains("now called `lower_case`")), "{messages:#?}");
}

#[test]
fn a_definition_under_an_old_name_is_told_the_new_one() {
    let mut files = files("name: Trap\ncites: [X-1]\ntext: a trap\n", "");
    files.texts.insert("waiting.star".into(), "def meet_watches(p):\n    pass\n".to_owned().into());
    let messages: Vec<String> = match Ruleset::load(&files) {
        Ok(ruleset) => ruleset.problems.iter().map(ToString::to_string).collect(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    };
    assert!(messages.iter().any(|message| message.contains("now called `trigger_watches`")), "{messages:#?}");
}
