//! The part of the JSON Schema that is about dice.

use serde_json::{Value as Json, json};

/// Returns the schema of the key `dice` of a gamestate.
pub(super) fn dice() -> Json {
    let own = |by: &str, required: &[&str], parts: Json| {
        let mut properties = parts;
        properties["by"] = json!({"const": by});
        let required: Vec<&str> = std::iter::once("by").chain(required.iter().copied()).collect();
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let text = json!({"type": "string"});
    let chain = json!({"anyOf": [text, {
        "type": "object", "required": ["public-key", "genesis", "period", "scheme"], "additionalProperties": false,
        "properties": {
            "public-key": text, "genesis": {"type": "integer"}, "period": {"type": "integer", "minimum": 1}, "scheme": text,
        },
    }]});
    let hash = json!({"type": "string", "pattern": "^[0-9a-f]{64}$"});
    json!({"description": "who throws the dice", "anyOf": [
        own("referee", &[], json!({})),
        own("posted", &[], json!({})),
        own("sealed", &["hash"], json!({
            "hash": hash, "secret": text, "words": {"type": "object", "additionalProperties": text}, "words-until": text,
            "scheme": {"const": 1},
        })),
        own("beacon", &[], json!({"chain": chain, "delay": {"type": "integer", "minimum": 2}, "since": text})),
    ]})
}

/// Returns the schema of the record of draws in an entry.
pub(super) fn record() -> Json {
    let post = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "at": {"type": "string"}, "link": {"type": "string"}, "round": {"type": "integer", "minimum": 1},
            "signature": {"type": "string", "pattern": "^[0-9a-f]+$"},
        },
    });
    json!({"type": "object", "required": ["nth"], "additionalProperties": false, "properties": {
        "nth": {"type": "integer", "minimum": 0},
        "posts": {"type": "array", "items": post},
        "drawn": {"type": "object", "additionalProperties": {"type": "array", "items": {
            "type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "integer", "minimum": 1},
        }}},
    }})
}
