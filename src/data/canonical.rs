//! Plain data as the text that hashes are taken of.

use super::value::{Key, Value};

/// Writes data as canonical JSON: no blanks; the keys of a map in order, numbers before texts, written as texts; in texts
/// only `"`, `\` and control characters (as `\u000a`) escaped. A text and a list or number that look alike differ in it.
pub fn canonical_json(value: &Value) -> String {
    let mut json = String::new();
    write(value, &mut json);
    json
}

fn write(value: &Value, json: &mut String) {
    match value {
        Value::Null => json.push_str("null"),
        Value::Bool(yes) => json.push_str(if *yes { "true" } else { "false" }),
        Value::Int(number) => json.push_str(&number.to_string()),
        Value::Text(text) => write_text(text, json),
        Value::List(values) => {
            json.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write(value, json);
            }
            json.push(']');
        }
        Value::Map(entries) => {
            let mut entries: Vec<&(Key, Value)> = entries.iter().collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            json.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_text(&key.to_string(), json);
                json.push(':');
                write(value, json);
            }
            json.push('}');
        }
    }
}

fn write_text(text: &str, json: &mut String) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if u32::from(c) < 0x20 => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_looks_like_a_list_differs_from_the_list() {
        let list = Value::List(vec![Value::Int(1), Value::Int(2)]);
        assert_eq!(list.to_string(), Value::from("[1, 2]").to_string(), "the display form cannot tell them apart");
        assert_eq!(canonical_json(&list), "[1,2]");
        assert_eq!(canonical_json(&Value::from("[1, 2]")), r#""[1, 2]""#);
        assert_ne!(canonical_json(&Value::Int(1)), canonical_json(&Value::from("1")));
        assert_ne!(canonical_json(&Value::Null), canonical_json(&Value::from("null")));
    }

    #[test]
    fn keys_are_in_order_and_texts_are_escaped() {
        let map = Value::Map(vec![
            (Key::from("b"), Value::from("a\"\\\n é")),
            (Key::Int(10), Value::Bool(true)),
            (Key::Int(9), Value::Null),
        ]);
        assert_eq!(canonical_json(&map), r#"{"9":null,"10":true,"b":"a\"\\\u000a é"}"#);
    }
}
