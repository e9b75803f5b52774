//! Documents made from data.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::made_up::any_value;
use super::*;

#[test]
fn a_document_made_from_data_equals_its_text_parsed() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..5_000 {
        let value = any_value(&mut rng, 4);
        let made = Document::from_value("data", &value).unwrap();
        assert_eq!(made.root().to_value(), value, "{}", made.text());
        // The debug form shows places and styles, which do not count as differences between nodes.
        let parsed = Document::parse(made.text()).unwrap();
        assert_eq!(format!("{:?}", made.root()), format!("{:?}", parsed.root()), "{}", made.text());
    }
}

#[test]
fn a_document_made_from_data_can_be_edited() {
    let value = Value::Map(vec![("a".into(), Value::from(vec![1, 2])), ("b".into(), "x".into())]);
    let made = Document::from_value("data", &value).unwrap();
    assert_eq!(made.text(), r#"{"a": [1, 2], "b": "x"}"#);
    let insert = Edit::Insert { path: vec![Step::Key("a".into())], index: 2, value: Value::Int(3) };
    assert_eq!(made.edit(&[insert], &Style::default()).unwrap().text(), r#"{"a": [1, 2, 3], "b": "x"}"#);
}

#[test]
fn data_that_no_file_can_have_is_refused() {
    let twice = Value::Map(vec![("b".into(), Value::Int(1)), ("a".into(), Value::Null), ("b".into(), Value::Int(2))]);
    let refused = Document::from_value("data", &Value::Map(vec![("x".into(), Value::List(vec![twice]))])).unwrap_err();
    assert_eq!((refused.code, refused.path.to_string().as_str()), ("yaml::duplicate-key", "/x/0/b"));
    let nested = |depth: usize| (0..depth).fold(Value::Null, |value, _| Value::List(vec![value]));
    assert!(Document::from_value("data", &nested(64)).is_ok());
    assert_eq!(Document::from_value("data", &nested(65)).unwrap_err().code, "yaml::too-deep");
}
