//! Any edit of any text: it says exactly what was asked for, or is refused; an edit that changes nothing keeps every
//! byte.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use nomic_referee::data::{Key, Value};
use nomic_referee::yaml::{Data, Document, Edit, Node, Step, Style};

#[derive(Arbitrary, Debug)]
enum Made {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Made>),
    Map(Vec<(String, Made)>),
}

impl Made {
    fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(yes) => Value::Bool(*yes),
            Self::Int(number) => Value::Int(*number),
            Self::Text(text) => Value::from(text.as_str()),
            Self::List(items) => Value::List(items.iter().map(Self::value).collect()),
            Self::Map(entries) => {
                let mut map = Value::Map(Vec::new());
                for (key, made) in entries {
                    map.set(Key::from(key.as_str()), made.value());
                }
                map
            }
        }
    }
}

#[derive(Arbitrary, Debug)]
enum What {
    Set(Made),
    Add(String, Made),
    Remove,
    Insert(u8, Made),
}

#[derive(Arbitrary, Debug)]
struct Input {
    /// Which child to go down to, step by step.
    way: Vec<u8>,
    what: What,
    text: String,
}

/// Goes down a random way, to a node that is there.
fn walk<'a>(root: &'a Node, way: &[u8]) -> (Vec<Step>, &'a Node) {
    let (mut path, mut node) = (Vec::new(), root);
    for turn in way {
        let turn = usize::from(*turn);
        match &node.data {
            Data::Map(entries) if !entries.is_empty() => {
                let entry = &entries[turn % entries.len()];
                path.push(Step::Key(entry.key.clone()));
                node = &entry.value;
            }
            Data::List(items) if !items.is_empty() => {
                path.push(Step::Index(turn % items.len()));
                node = &items[turn % items.len()];
            }
            _ => break,
        }
    }
    (path, node)
}

/// What the value at the top is once `value` stands at the end of `path`; nothing, for a removal.
fn with(tree: &mut Value, path: &[Step], value: Option<Value>) {
    let Some((step, rest)) = path.split_first() else {
        if let Some(value) = value {
            *tree = value;
        }
        return;
    };
    match (step, tree) {
        (Step::Key(key), Value::Map(entries)) => {
            let place = entries.iter().position(|(own, _)| own == key).unwrap_or_else(|| {
                entries.push((key.clone(), Value::Null));
                entries.len() - 1
            });
            if rest.is_empty() && value.is_none() {
                entries.remove(place);
            } else {
                with(&mut entries[place].1, rest, value);
            }
        }
        (Step::Index(place), Value::List(items)) => {
            if rest.is_empty() && value.is_none() {
                items.remove(*place);
            } else {
                with(&mut items[*place], rest, value);
            }
        }
        (Step::Key(key), tree @ Value::Null) => *tree = Value::Map(vec![(key.clone(), value.unwrap_or_default())]),
        _ => unreachable!("the way was walked, or the edit refused"),
    }
}

/// The same with the keys of every map in order; what is empty stays what it is.
fn sorted(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        Value::Map(mut entries) => {
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Map(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        single => single,
    }
}

fuzz_target!(|input: Input| {
    let Ok(document) = Document::parse(&input.text) else { return };
    let (mut path, node) = walk(document.root(), &input.way);
    let mut wanted = document.root().to_value();
    let unchanged = Edit::Set { path: path.clone(), value: node.to_value() };
    let same = document.edit(&[unchanged], &Style::default()).expect("nothing to do");
    assert_eq!(same.text(), document.text());

    let (edit, value) = match &input.what {
        What::Set(made) => (Edit::Set { path: path.clone(), value: made.value() }, Some(made.value())),
        What::Add(key, made) => {
            path.push(Step::Key(Key::from(key.as_str())));
            (Edit::Set { path: path.clone(), value: made.value() }, Some(made.value()))
        }
        What::Remove => (Edit::Remove { path: path.clone() }, None),
        What::Insert(at, made) => {
            let mut items = node.items().iter().map(Node::to_value).collect::<Vec<_>>();
            let index = usize::from(*at) % (items.len() + 1);
            items.insert(index, made.value());
            (Edit::Insert { path: path.clone(), index, value: made.value() }, Some(Value::List(items)))
        }
    };
    let Ok(edited) = document.edit(&[edit], &Style::default()) else { return };
    with(&mut wanted, &path, value);
    let found = Document::parse(edited.text()).expect("it was read again").root().to_value();
    assert_eq!(sorted(found), sorted(wanted), "{}\n=====\n{}", document.text(), edited.text());
});
