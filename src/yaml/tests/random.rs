//! Random edits of random files in all the styles that people write, judged by a model and by another reader.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::made_up::{any_value, file, key_of, scalar_value};
use super::*;
use crate::diagnostic::Source;
use crate::yaml::read::tree::{Node, NodeStyle};
use crate::yaml::trivia;

const FILES: u64 = 20_000;

/// Collects all paths into a value, the top level first.
fn paths(node: &Node, above: &Path, all: &mut Vec<Path>) {
    all.push(above.clone());
    let mut enter = |step: Step, child: &Node| {
        let mut path = above.clone();
        path.push(step);
        paths(child, &path, all);
    };
    node.items().iter().enumerate().for_each(|(index, item)| enter(Step::Index(index), item));
    node.entries().iter().for_each(|entry| enter(Step::Key(entry.key.clone()), &entry.value));
}

fn at<'n>(document: &'n Document, path: &[Step]) -> &'n Node {
    path.iter().fold(document.root(), |node, step| node.child(step).unwrap())
}

fn random_edit(rng: &mut ChaCha8Rng, document: &Document, all: &[Path]) -> Edit {
    let path = all.choose(rng).unwrap().clone();
    let node = at(document, &path);
    match rng.random_range(0..10) {
        0..=2 if !path.is_empty() => Edit::Remove { path },
        3..=5 if node.is_list() => {
            let index = rng.random_range(0..=node.items().len());
            Edit::Insert { path, index, value: any_value(rng, 2) }
        }
        3..=5 if node.is_map() => {
            let numbers = node.entries().first().is_some_and(|entry| matches!(entry.key, Key::Int(_)));
            let key = key_of(rng, numbers);
            let taken = node.entries().iter().any(|entry| entry.key != key && entry.key.to_string() == key.to_string());
            let mut path = path;
            path.push(Step::Key(if taken { Key::from("fresh") } else { key }));
            Edit::Set { path, value: any_value(rng, 2) }
        }
        6 | 7 if node.is_list() || node.is_map() => {
            let mut value = node.to_value();
            vary(rng, &mut value);
            Edit::Set { path, value }
        }
        _ if path.is_empty() => {
            let mut value = node.to_value();
            vary(rng, &mut value);
            Edit::Set { path, value }
        }
        _ => {
            let depth = *[0, 2].choose(rng).unwrap();
            Edit::Set { path, value: any_value(rng, depth) }
        }
    }
}

/// Changes a map or list a little.
fn vary(rng: &mut ChaCha8Rng, value: &mut Value) {
    match value {
        Value::List(items) => {
            if !items.is_empty() && rng.random() {
                items.remove(rng.random_range(0..items.len()));
            }
            if rng.random() {
                items.insert(rng.random_range(0..=items.len()), any_value(rng, 1));
            }
            if let Some(item) = items.iter_mut().next_back().filter(|_| rng.random()) {
                vary(rng, item);
            }
        }
        Value::Map(entries) => {
            if !entries.is_empty() && rng.random() {
                entries.remove(rng.random_range(0..entries.len()));
            }
            let new = key_of(rng, entries.first().is_some_and(|(key, _)| matches!(key, Key::Int(_))));
            if rng.random() && entries.iter().all(|(key, _)| key.to_string() != new.to_string()) {
                entries.push((new, any_value(rng, 1)));
            }
            if let Some((_, value)) = entries.iter_mut().next().filter(|_| rng.random()) {
                vary(rng, value);
            }
        }
        scalar => *scalar = scalar_value(rng),
    }
}

/// Whether one edit reaches into what the other sets or removes, or both change the same value.
fn clash(one: &Edit, other: &Edit) -> bool {
    let whole = |edit: &Edit| !matches!(edit, Edit::Insert { .. });
    // Two keys that look the same may not come together in one map.
    let shown = |edit: &Edit| edit.path().iter().map(|step| format!("{step:?}").replace(['"', '\\'], "")).collect();
    let (a, b): (Vec<String>, Vec<String>) = (shown(one), shown(other));
    let same = |text: &[String]| text.iter().map(|t| t.replace("Int", "").replace("Text", "")).collect::<Vec<_>>();
    let (a, b) = (same(&a), same(&b));
    (whole(one) && b.starts_with(&a)) || (whole(other) && a.starts_with(&b))
}

/// Makes the edits in data, without any text.
fn model(mut value: Value, edits: &[Edit]) -> Value {
    fn find<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
        path.iter().fold(value, |value, step| match (step, value) {
            (Step::Key(key), Value::Map(entries)) => &mut entries.iter_mut().find(|(own, _)| own == key).unwrap().1,
            (Step::Index(index), Value::List(items)) => &mut items[*index],
            _ => panic!("no such path"),
        })
    }
    let mut lists: Vec<(usize, usize, bool, usize, &Edit)> = Vec::new();
    let mut keys = Vec::new();
    for (order, edit) in edits.iter().enumerate() {
        match edit {
            Edit::Set { path, value: new } | Edit::Add { path, value: new, .. } => match path.split_last() {
                None => value = new.clone(),
                Some((Step::Key(key), above)) => find(&mut value, above).set(key.clone(), new.clone()),
                Some(_) => *find(&mut value, path) = new.clone(),
            },
            Edit::Remove { path } => match path.last() {
                Some(Step::Index(index)) => lists.push((path.len() - 1, *index, true, order, edit)),
                _ => keys.push(path),
            },
            Edit::Insert { path, index, .. } => lists.push((path.len(), *index, false, order, edit)),
        }
    }
    for path in keys {
        let (last, above) = path.split_last().unwrap();
        if let (Step::Key(key), Value::Map(entries)) = (last, find(&mut value, above)) {
            entries.retain(|(own, _)| own != key);
        }
    }
    // Deep lists first, and from their ends, so that all indices still hold; what goes in at a place, after what goes out.
    lists.sort_by_key(|&(depth, index, remove, order, _)| std::cmp::Reverse((depth, index, remove, order)));
    for (_, index, _, _, edit) in lists {
        match edit {
            Edit::Remove { path } => {
                if let Value::List(items) = find(&mut value, &path[..path.len() - 1]) {
                    items.remove(index);
                }
            }
            Edit::Insert { path, value: new, .. } => {
                if let Value::List(items) = find(&mut value, path) {
                    items.insert(index, new.clone());
                }
            }
            Edit::Set { .. } | Edit::Add { .. } => {}
        }
    }
    value
}

/// Converts to JSON, for a reader that knows only text as keys.
fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(yes) => (*yes).into(),
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (key.to_string(), json(value))).collect(),
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(sorted).collect()),
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort();
            Value::Map(entries)
        }
        scalar => scalar.clone(),
    }
}

/// Collects the lines that an edit may touch: those of the changed value, and of the brackets around it.
fn touched(document: &Document, edit: &Edit, lines: &mut BTreeSet<usize>) {
    let text = document.text();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let path = edit.path();
    let mut node = document.root();
    // The key or dash of the node.
    let mut sign = node.span().start;
    for (depth, step) in path.iter().enumerate() {
        if node.style == NodeStyle::Flow {
            spans.push((sign, node.span().end));
        }
        let Some(child) = node.child(step) else {
            // A new entry before all others may follow the dash that the first one followed.
            match node.entries().first() {
                Some(first) => spans.push((first.key_span().start, first.key_span().start)),
                None => spans.push((sign, node.span().end)),
            }
            break;
        };
        let siblings: Vec<(usize, usize)> = if node.is_map() {
            node.entries().iter().map(|e| (e.key_span().start, e.value.span().end.max(e.key_span().end))).collect()
        } else {
            let mut from = node.span().start;
            let dash = |item: &Node| {
                let dash = trivia::indicator(text, from, b'-').unwrap_or(item.span().start);
                from = item.span().end;
                (dash, item.span().end)
            };
            node.items().iter().map(dash).collect()
        };
        let place = match step {
            Step::Key(key) => node.entries().iter().position(|entry| entry.key == *key).unwrap(),
            Step::Index(index) => *index,
        };
        spans.push((siblings[place].0, siblings[place].0));
        if depth + 1 == path.len() && !matches!(edit, Edit::Insert { .. }) {
            spans.push(siblings[place]);
            // Another may take the place beside a dash; and an emptied container is written again.
            if matches!(edit, Edit::Remove { .. }) {
                let beside = !trivia::begins_line(text, node.span().start);
                spans.extend(siblings.iter().filter(|_| beside).map(|&(start, _)| (start, start)));
                if siblings.len() <= 4 {
                    spans.push((sign, node.span().end));
                }
            }
        }
        sign = siblings[place].0;
        node = child;
    }
    if let Edit::Insert { .. } = edit {
        spans.push(if node.is_block() { (node.span().start, node.span().start) } else { (sign, node.span().end) });
    }
    if path.is_empty() {
        spans.push((0, text.len()));
    }
    for (start, end) in spans {
        let (first, last) = (document.line_column(start).0, document.line_column(end.max(start)).0);
        lines.extend(first..=last);
    }
}

/// Checks that all other lines than the touched ones are still there, in order.
fn keeps_lines(old: &Document, edits: &[Edit], new: &str) -> Result<(), String> {
    let mut touched_lines = BTreeSet::new();
    for edit in edits {
        touched(old, edit, &mut touched_lines);
    }
    // A comment may have to move to the left.
    let bare = |line| {
        let line = str::trim_end_matches(line, '\r');
        if line.trim_start().starts_with('#') { line.trim_start() } else { line }
    };
    let mut new = new.split('\n').map(bare);
    for (place, line) in old.text().split('\n').map(bare).enumerate() {
        if touched_lines.contains(&(place + 1)) || line.is_empty() {
            continue;
        }
        if !new.any(|other| other == line) {
            return Err(format!("line {} is gone: {line:?}", place + 1));
        }
    }
    Ok(())
}

#[test]
fn random_edits_of_random_files_say_what_was_asked_for() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let style = Style { flow: |key| matches!(key, "items" | "a"), plain_times: false };
    let mut failures: Vec<String> = Vec::new();
    let (mut refused, mut compared) = (0, 0);
    for number in 0..FILES {
        let risky = rng.random_ratio(1, 5);
        let mut value = any_value(&mut rng, 4);
        if !matches!(value, Value::List(_) | Value::Map(_)) {
            value = Value::Map(vec![(Key::from("a"), value), (Key::from("c"), any_value(&mut rng, 3))]);
        }
        let text = file(&mut rng, &value, risky);
        let document = match Document::parse(&text) {
            Ok(document) => document,
            Err(problems) => panic!("{number}: {problems:?}\n{text}"),
        };
        assert_eq!(document.root().to_value(), value, "{number}: {text}");
        assert_eq!(document.edit(&[], &style).unwrap().text(), text);
        let same = Edit::Set { path: Path::new(), value: value.clone() };
        assert_eq!(document.edit(&[same], &style).unwrap().text(), text);
        let mut all = Vec::new();
        paths(document.root(), &Path::new(), &mut all);
        let mut edits: Vec<Edit> = Vec::new();
        for _ in 0..*[1, 1, 1, 2, 3, 6].choose(&mut rng).unwrap() {
            let edit = random_edit(&mut rng, &document, &all);
            if edits.iter().all(|other| !clash(other, &edit)) {
                edits.push(edit);
            }
        }
        let wanted = model(value, &edits);
        let report = |what: &str, new: &str| format!("{number}: {what}\n{edits:?}\n----\n{text}\n---->\n{new}\n");
        let edited = match document.edit(&edits, &style) {
            Ok(edited) => edited,
            Err(CannotEdit { message }) => {
                refused += 1;
                failures.push(report(&message, ""));
                continue;
            }
        };
        if sorted(&edited.root().to_value()) != sorted(&wanted) {
            failures.push(report("wrong value", edited.text()));
        }
        if let Err(what) = keeps_lines(&document, &edits, edited.text()) {
            failures.push(report(&what, edited.text()));
        }
        if !risky {
            compared += 1;
            let read = serde_saphyr::from_str::<serde_json::Value>(edited.text());
            match read {
                Ok(read) if read == json(&wanted) => {}
                Ok(read) => failures.push(report(&format!("another reader reads {read}"), edited.text())),
                Err(error) => failures.push(report(&format!("another reader: {error}"), edited.text())),
            }
        }
    }
    let shown = failures.iter().take(6).map(String::as_str).collect::<String>();
    assert!(failures.is_empty(), "{} failures, {refused} refused, {compared} compared\n{shown}", failures.len());
}

#[test]
fn broken_files_are_refused_or_read_but_never_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(98);
    let style = Style { flow: |key| key == "items", plain_times: false };
    for _ in 0..FILES {
        let value =
            Value::Map(vec![(Key::from("a"), any_value(&mut rng, 3)), (Key::from("c"), any_value(&mut rng, 2))]);
        let mut bytes = file(&mut rng, &value, true).into_bytes();
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(0..bytes.len());
            let byte = *b"\n\r\t -:#,[]{}\"'|>&*!?%@0a~\x00\xef\xbb\xbf\xff".choose(&mut rng).unwrap();
            match rng.random_range(0..3) {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => {}
            }
        }
        let Ok(document) = Document::parse_bytes("f", &bytes) else {
            let _ = parse_head(&Arc::new(Source::new("f", String::from_utf8_lossy(&bytes))), &["c"]);
            continue;
        };
        let mut all = Vec::new();
        paths(document.root(), &Path::new(), &mut all);
        let edit = random_edit(&mut rng, &document, &all);
        if let Ok(edited) = document.edit(std::slice::from_ref(&edit), &style) {
            assert_eq!(
                sorted(&edited.root().to_value()),
                sorted(&model(document.root().to_value(), &[edit])),
                "{}",
                document.text()
            );
        }
    }
}
