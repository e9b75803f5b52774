//! Games on a map: a place is written `(x, y)` everywhere, to people, to programs and in the schema.

use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Played, Request, Selections, Status, take_turn};
use nomic_referee::ruleset::{Files, Ruleset};
use nomic_referee::view;
use serde_json::{Value as Json, json};

use crate::support::rules_of;

const GAME: &str = "format: 1\nruleset: ours\nplayers: {Ann: {}}\nspaces: {\"(0, 0)\": {}}\n\
                    state: {round: 1, order: [Ann], turn: Ann, step: movement}\n";

/// A map on which a landing changes the type of the space, links it to the origin and creates the one beyond it.
fn ours() -> Arc<Ruleset> {
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    let texts = [
        ("ruleset.yaml", "base: world-map\nname: ours\ntitle: ours\n"),
        ("spaces/marsh.yaml", "name: Marsh\ncites: [L-20]\ntext: Wet.\n"),
        (
            "spaces/plain.yaml",
            "name: Plain\ncites: [L-20]\ntext: It becomes a marsh.\non-land: |\n  here.turn_into(\"Marsh\")\n  \
             link(here, space((0, 0)))\n  x, y = here.id\n  create_space(place(x, y + 1), \"Plain\")\n",
        ),
    ];
    files.texts.extend(texts.map(|(path, text)| (path.into(), text.into())));
    Arc::new(Ruleset::load(&files.with_switches()).unwrap_or_else(|problems| panic!("{problems:#?}")))
}

fn landed() -> Played {
    let ruleset = ours();
    let file = GamestateFile::parse("gamestate.yaml", GAME.as_bytes()).expect("YAML");
    let game = file.check(&ruleset).game.expect("a valid game");
    let mut selections = Selections::default();
    selections.add("roll", [Value::Int(1)]);
    selections.add("path", [Value::from("(0, 1)")]);
    let words = ["move", "Ann"].map(str::to_owned).to_vec();
    let request = Request { words, given: selections, ..Request::default() };
    let played = take_turn(&ruleset, &game, &request, &mut ()).unwrap_or_else(|error| panic!("{}", error.message));
    assert_eq!(played.status, Status::Done);
    played
}

#[test]
fn messages_of_a_map_name_its_places() {
    let played = landed();
    let said: Vec<&str> = played.events.iter().map(|event| event.text.as_str()).collect();
    for wanted in ["(0, 1) becomes Marsh", "(0, 1) now precedes (0, 0)", "(0, 2) is created (Plain)"] {
        assert!(said.contains(&wanted), "{wanted}: {said:#?}");
    }
}

#[test]
fn json_writes_a_place_as_text() {
    let report = view::report_json(Some(&landed()), &[], false);
    let linked = json!({
        "text": "(0, 1) now precedes (0, 0)", "rule": "L-20", "rulings": {}, "players": [], "spaces": ["(0, 1)", "(0, 0)"],
        "items": [],
    });
    assert!(report["events"].as_array().expect("a list").contains(&linked), "{report:#}");
    let moved = json!({"path": "/players/Ann/location", "from": "(0, 0)", "to": "(0, 1)"});
    assert!(report["changes"].as_array().expect("a list").contains(&moved), "{report:#}");
    let packed = |json: &Json| json.as_i64().is_some_and(|number| number > 1 << 32);
    let mut open = vec![&report];
    while let Some(json) = open.pop() {
        assert!(!packed(json), "{json}");
        open.extend(json.as_array().into_iter().flatten());
        open.extend(json.as_object().into_iter().flat_map(|object| object.values()));
    }
}

#[test]
fn the_schema_says_how_a_location_is_written() {
    let location = |name: &str| {
        let schema = view::schema(&rules_of(name));
        schema["properties"]["players"]["additionalProperties"]["anyOf"][1]["properties"]["location"].clone()
    };
    assert_eq!(location("cycle-15")["type"], "integer");
    assert_eq!(location("world-map")["type"], json!(["string", "integer"]));
    assert_eq!(location("world-map")["pattern"], r"^\(-?[0-9]+, *-?[0-9]+\)$");
}
