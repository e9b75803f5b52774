//! Makes a JSON Schema of the gamestate from the declarations of a ruleset.

use serde_json::{Map, Value as Json, json};

use super::schema_dice::{dice, record};
use crate::game::{Outcome, SpaceId};
use crate::ruleset::{Field, Kind, Ruleset};

/// A place on a map as a file writes it.
const PLACE: &str = r"^\(-?[0-9]+, *-?[0-9]+\)$";

/// Returns the JSON Schema (draft 2020-12) of a gamestate under this ruleset.
pub fn schema(ruleset: &Ruleset) -> Json {
    let rules = &ruleset.declared;
    let types: Vec<&str> = ruleset.type_names().map(|name| &**name).collect();
    let shown: Vec<&str> = ruleset.space_types().map(|rule| &*rule.name).collect();
    let space_id = space_id(rules.initial_space);
    let fields = |fields: &[Field]| -> Map<String, Json> {
        fields.iter().map(|own| (own.name.to_string(), field(own, &shown, &space_id))).collect()
    };
    let closed = |properties: Map<String, Json>| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let mut player = fields(&rules.player_fields);
    let mut location = space_id.clone();
    location["description"] = json!("the space where the player is (B-1)");
    player.insert("location".into(), location);
    let held = match rules.symbolic.as_slice() {
        [] => json!({"type": "integer"}),
        words => json!({"anyOf": [
            {"type": "integer"}, {"enum": words}, {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"enum": words}]}},
        ]}),
    };
    let made: Map<String, Json> = rules.derived.iter().map(|word| (format!("^{word} "), held.clone())).collect();
    let items: Map<String, Json> = ruleset.items().iter().map(|item| (item.name.to_string(), held.clone())).collect();
    player.insert(
        "items".into(),
        json!({
            "type": "object", "properties": items, "patternProperties": made,
            "additionalProperties": {"type": "integer"}, "description": "signed counts (GB-6)",
        }),
    );
    player.insert("marks".into(), closed(fields(&rules.marks)));
    let mut space = fields(&rules.space_fields);
    space.insert("type".into(), json!({"enum": types, "default": &*rules.default_type, "description": "B-6"}));
    space.insert(
        "successors".into(),
        json!({"type": "array", "items": space_id, "uniqueItems": true, "description": "CN-1"}),
    );
    let switch = |values: &[String]| {
        let value = if values.iter().any(|value| value.ends_with(":N")) {
            json!({"type": "string"})
        } else {
            json!({"enum": values})
        };
        let sourced = json!({
            "type": "object", "required": ["value"], "additionalProperties": false,
            "properties": {"value": value.clone(), "by": {"type": "string"}, "at": {"type": "string"}, "link": {"type": "string"}, "request": {}},
        });
        json!({"anyOf": [value, sourced]})
    };
    let switches: Map<String, Json> = ruleset
        .switches
        .iter()
        .map(|own| {
            let mut object = switch(&own.values);
            object["description"] = json!(format!("{}: {}", own.ruling, own.question));
            (own.key.clone(), object)
        })
        .collect();
    let (action, entry) = log();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("A gamestate under {}", ruleset.name),
        "type": "object",
        "required": ["format", "ruleset", "players", "spaces"],
        "additionalProperties": false,
        "properties": {
            "format": {"const": 1},
            "ruleset": {"type": "string", "description": "a built-in ruleset, or a folder relative to the file"},
            "id": {"type": "string", "description": "what tells this game from others; derived draws depend on it"},
            "dice": dice(),
            "sealed": {
                "type": "object", "description": "of older files: now `dice` by sealed, scheme 1",
                "properties": {"hash": {"type": "string"}, "secret": {"type": "string"}}, "additionalProperties": false,
            },
            "started": {"type": "string", "description": "the round's start, UTC"},
            "phase": {"type": "integer", "minimum": 1, "default": 1, "description": "counted from the round's start (R-02)"},
            "settings": closed(fields(&rules.settings)),
            "state": closed(fields(&rules.state)),
            "rulings": closed(switches),
            "players": {"type": "object", "additionalProperties": {"anyOf": [{"type": "null"}, closed(player)]}},
            "spaces": {
                "type": "object", "patternProperties": {"^(-?[0-9]+|\\(-?[0-9]+, *-?[0-9]+\\))$": {"anyOf": [{"type": "null"}, closed(space)]}},
                "additionalProperties": false,
            },
            "amendments": closed(fields(&rules.amendments)),
            "pending": {"type": "array", "items": {"type": "object", "required": ["do"], "properties": action, "additionalProperties": false}},
            "proposals": {
                "type": "object", "patternProperties": {"^[1-9][0-9]*$": {"type": "object", "properties": fields(&rules.proposals)}},
                "additionalProperties": false,
            },
            "log": {"type": "array", "items": {"type": "object", "required": ["id", "do"], "properties": entry, "additionalProperties": false}},
        },
    })
}

/// Returns the properties of a pending action, and of an entry of the log.
fn log() -> (Json, serde_json::Map<String, Json>) {
    let selections = json!({"type": "object"});
    let change = json!({
        "key": {"type": "string"}, "die": {"type": "integer", "minimum": 1}, "add": {"type": "integer"}, "from": {"type": "integer"},
    });
    let amendment = json!({"type": "object", "required": ["key"], "properties": change, "additionalProperties": false});
    let action = json!({
        "at": {"type": "string"}, "phase": {"type": "integer", "minimum": 1}, "do": {"type": "string"}, "link": {"type": "string"},
        "random": selections.clone(), "thrown-by": selections.clone(), "chosen": selections, "amended": {"type": "array", "items": amendment},
        "posted": {"type": "array", "items": {"type": "string"}}, "seed": {"type": ["integer", "string"]},
        "met": {"type": "integer", "minimum": 1},
        "sealed": {"type": "object", "properties": {"state": {"type": "string"}, "drawn": {"type": "object"}}},
        "dice": record(),
    });
    let mut entry = action.as_object().cloned().unwrap_or_default();
    let mut action = action;
    action["given"] = json!({"type": "object"});
    entry.insert("id".into(), json!({"type": "integer", "minimum": 1}));
    entry.insert(
        "changes".into(),
        json!({"type": "object", "additionalProperties": {"type": "array", "minItems": 2, "maxItems": 2}}),
    );
    entry.insert("ruleset".into(), json!({"type": "string"}));
    entry.insert("rulings".into(), json!({"type": "object"}));
    entry.insert("amends".into(), json!({"type": "array", "items": {"type": "object"}}));
    entry.insert("again".into(), json!({"type": "object"}));
    entry.insert("undone".into(), json!({"type": "boolean"}));
    entry.insert("after".into(), json!({"type": "integer", "minimum": 0}));
    entry.insert("outcome".into(), json!({"enum": Outcome::ALL.map(Outcome::word)}));
    (action, entry)
}

/// Returns the schema of a space's identifier: places such as `(2, -1)` in a game on a map (L-1), numbers in any other. A
/// map may have numbered spaces as well, which lie at no coordinates.
fn space_id(initial: SpaceId) -> Json {
    match initial {
        SpaceId::Number(_) => json!({"type": "integer"}),
        SpaceId::Place { .. } => json!({"type": ["string", "integer"], "pattern": PLACE}),
    }
}

fn field(field: &Field, shown: &[&str], space_id: &Json) -> Json {
    let mut object = kind(&field.kind, shown, space_id);
    object["description"] = json!(field.text);
    if !field.default.is_empty() {
        object["default"] = super::json::value(&field.default);
    }
    object
}

fn kind(kind: &Kind, shown: &[&str], space_id: &Json) -> Json {
    match kind {
        Kind::YesNo => json!({"type": "boolean"}),
        Kind::Number => json!({"type": "integer"}),
        Kind::Space => space_id.clone(),
        Kind::Text | Kind::Time => json!({"type": "string"}),
        Kind::Player => json!({"type": ["string", "null"]}),
        Kind::Phase => json!({"type": "integer", "minimum": 1}),
        Kind::Dice => json!({"type": "string", "pattern": "^[0-9]*d[0-9]+$"}),
        Kind::PseudoType => json!({"enum": shown}),
        Kind::OneOf(words) => json!({"enum": words}),
        Kind::List(one) => json!({"type": "array", "items": self::kind(one, shown, space_id)}),
        Kind::Any => json!({}),
    }
}
