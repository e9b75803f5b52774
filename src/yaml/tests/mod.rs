//! Tests of the module as a whole: the edits whose text is known byte for byte.

use crate::data::{Key, Value};
use crate::yaml::{CannotEdit, Document, Edit, Path, Step, Style, parse_head};

mod edits;
mod from_value;
mod made_up;
mod random;
mod refusals;

fn value_of(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(yes) => Value::Bool(*yes),
        serde_json::Value::Number(number) => Value::Int(number.as_i64().unwrap()),
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of).collect()),
        serde_json::Value::Object(entries) => {
            Value::Map(entries.iter().map(|(key, value)| (Key::from(key.as_str()), value_of(value))).collect())
        }
    }
}

/// Reads a path of keys and indices.
fn path_of(json: &serde_json::Value) -> Path {
    let step = |step: &serde_json::Value| match step {
        serde_json::Value::String(key) => Step::Key(Key::from(key.as_str())),
        other => Step::Index(usize::try_from(other.as_u64().unwrap()).unwrap()),
    };
    json.as_array().unwrap().iter().map(step).collect()
}

fn edit_of(document: &Document, op: &serde_json::Value) -> Edit {
    let mut path = path_of(&op["path"]);
    let value = || value_of(&op["value"]);
    match op["op"].as_str().unwrap() {
        "set" => Edit::Set { path, value: value() },
        "add" => {
            path.push(Step::Key(Key::from(op["key"].as_str().unwrap())));
            Edit::Set { path, value: value() }
        }
        "del" => Edit::Remove { path },
        "insert" => {
            Edit::Insert { path, index: usize::try_from(op["index"].as_u64().unwrap()).unwrap(), value: value() }
        }
        "append" => {
            let list = path.iter().fold(document.root(), |node, step| node.child(step).unwrap());
            Edit::Insert { index: list.items().len(), path, value: value() }
        }
        other => panic!("unknown operation {other}"),
    }
}

#[test]
fn the_known_edits_come_out_byte_for_byte() {
    let cases: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/data/yaml-edit-cases.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 32);
    let mut wrong = Vec::new();
    for case in cases {
        let document = Document::parse(case["src"].as_str().unwrap()).unwrap();
        let edits: Vec<Edit> = case["ops"].as_array().unwrap().iter().map(|op| edit_of(&document, op)).collect();
        let edited = document.edit(&edits, &Style::default()).map(|edited| edited.text().to_owned());
        if edited.as_deref() != Ok(case["gold"].as_str().unwrap()) {
            let text = edited.unwrap_or_else(|error| error.message);
            wrong.push(format!("--- {}\n{text}\n", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
