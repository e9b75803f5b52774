//! Everything that is refused, with its message and place.

use std::sync::Arc;

use super::*;
use crate::diagnostic::{Problem, Source};

/// Shows code, line, column, path and message of each problem, one problem a line.
fn refusals(text: &str) -> String {
    let problems = Document::parse(text).expect_err(text);
    problems.iter().map(|problem| shown(text, problem)).collect::<Vec<_>>().join("\n")
}

fn shown(text: &str, problem: &Problem) -> String {
    let place = problem.place.as_ref().unwrap();
    let (line, column) = place.source.line_column(place.span.start);
    let path = if problem.path.is_top() { String::new() } else { format!(" {}", problem.path) };
    let found = &text[place.span.start..place.span.end];
    assert!(problem.help.as_deref() != Some(""), "{problem:?}");
    format!("{} {line}:{column} {found:?}{path}: {}", problem.code, problem.message)
}

fn help(text: &str) -> String {
    Document::parse(text).expect_err(text)[0].help.clone().unwrap_or_default()
}

#[test]
fn every_duplicate_key_is_named_with_its_first_line() {
    let text = "players:\n  Ann:\n    gold: 1\n    gold: 2\n  Bob: {a: 1, b: 2, a: 3, a: 4}\n  Ann: {}\nlog:\n- x\n- 7: a\n  7: b\n";
    assert_eq!(
        refusals(text),
        "yaml::duplicate-key 4:5 \"gold\" /players/Ann/gold: duplicate key `gold` (first on line 3)\n\
         yaml::duplicate-key 5:21 \"a\" /players/Bob/a: duplicate key `a` (first on line 5)\n\
         yaml::duplicate-key 5:27 \"a\" /players/Bob/a: duplicate key `a` (first on line 5)\n\
         yaml::duplicate-key 6:3 \"Ann\" /players/Ann: duplicate key `Ann` (first on line 2)\n\
         yaml::duplicate-key 10:3 \"7\" /log/1/7: duplicate key `7` (first on line 9)"
    );
    assert!(Document::parse("7: a\n\"7\": b\n").is_ok());
}

#[test]
fn a_duplicate_key_in_a_large_map_is_found_at_once() {
    let numbers = (0..100_000).rev().chain([5000]).map(|number: i32| number.to_string());
    let text = numbers.collect::<Vec<_>>().join(": {}\n") + ": {}\n";
    assert_eq!(
        refusals(&text),
        "yaml::duplicate-key 100001:1 \"5000\" /5000: duplicate key `5000` (first on line 95000)"
    );
}

#[test]
fn tabs_cannot_indent() {
    for text in ["a:\n\tb: 1\n", "a:\n  b: 1\n\tc: 2\n", "a:\n\t- 1\n", "-\ta: 1\n", "a: |\n\tx\n", "a:\n- x\n-\t- y\n"]
    {
        let found = refusals(text);
        assert!(found.starts_with("yaml::tab ") && found.contains("\"\\t\""), "{text:?}: {found}");
        assert!(found.ends_with("a tab is used where only spaces can indent"), "{found}");
    }
    assert_eq!(help("a:\n\tb: 1\n"), "replace the tab with spaces, as many as the lines beside it have");
    assert!(Document::parse("a:\tb\t# c\n").is_ok());
}

#[test]
fn anchors_aliases_and_tags_are_refused() {
    assert_eq!(
        refusals("a: &x [1]\nb: *x\nc: {d: *y}\n"),
        "yaml::anchor 1:4 \"&x\" /a: anchors (`&x`) are not allowed\n\
         yaml::alias 2:4 \"*x\" /b: aliases (`*x`) are not allowed\n\
         yaml::alias 3:8 \"*y\" /c/d: aliases (`*y`) are not allowed"
    );
    assert_eq!(
        refusals("a: !!str 5\nb:\n  - !foo {x: 1}\n"),
        "yaml::tag 1:4 \"!!str\" /a: tags (`!name`) are not allowed\n\
         yaml::tag 3:5 \"!foo\" /b/0: tags (`!name`) are not allowed"
    );
    assert_eq!(refusals("a: !x!foo 5\n").split(' ').next(), Some("yaml::tag"));
}

#[test]
fn a_billion_laughs_are_refused_early() {
    let mut text = "a: &a [x, x]\n".to_owned();
    for (name, before) in ('b'..='z').zip('a'..='y') {
        text += &[name.to_string(), format!(": &{name} [*{before}, *{before}, *{before}]\n")].concat();
    }
    assert!(Document::parse(&text).unwrap_err().len() <= 101);
}

#[test]
fn keys_are_text_or_numbers() {
    assert_eq!(refusals("<<: {a: 1}\n"), "yaml::merge-key 1:1 \"<<\": merge keys (`<<`) are not allowed");
    assert_eq!(
        refusals("true: 1\nx: {null: 2, ~: 3}\n"),
        "yaml::key 1:1 \"true\": `true` without quotes is not text, so it cannot be a key\n\
         yaml::key 2:5 \"null\" /x: `null` without quotes is not text, so it cannot be a key\n\
         yaml::key 2:14 \"~\" /x: `~` without quotes is not text, so it cannot be a key"
    );
    assert_eq!(help("true: 1\n"), "quote it: `\"true\"`");
    assert_eq!(refusals("a: 1\n: b\n"), "yaml::key 2:1 \"\": a key is missing before the `:`");
    assert_eq!(refusals("[a]: 1\n"), "yaml::key 1:1 \"[\": a list or map cannot be a key");
    let explicit = "keys with a question mark (`? key`) are not allowed";
    assert_eq!(refusals("? a\n: b\n"), format!("yaml::explicit-key 1:3 \"a\": {explicit}"));
    assert_eq!(refusals("x: {? a : b}\n"), format!("yaml::explicit-key 1:7 \"a\" /x: {explicit}"));
    assert_eq!(refusals("?\n  a\n: b\n"), format!("yaml::explicit-key 2:3 \"a\": {explicit}"));
    assert!(Document::parse("\"true\": 1\n\"<<\": 2\n'': 3\n").is_ok());
}

#[test]
fn a_pair_in_a_list_needs_braces() {
    assert_eq!(refusals("a: [b: 1, c]\n"), "yaml::bare-pair 1:5 \"\" /a/0: this `key: value` in a list has no braces");
}

#[test]
fn a_second_document_and_directives_are_refused() {
    assert_eq!(refusals("a: 1\n---\nb: 2\n"), "yaml::second-document 2:1 \"---\": a second document begins here");
    let directive = "yaml::directive 1:1 \"%\": lines that begin with `%` are not allowed";
    assert_eq!(refusals("%YAML 1.2\n---\na: 1\n"), directive);
    assert_eq!(refusals("%TAG ! tag:x\n---\na: 1\n"), directive);
    assert!(Document::parse("---\na: 1\n...\n").is_ok());
}

#[test]
fn a_block_scalar_cannot_keep_the_blank_lines_below_it() {
    let kept = "makes the blank lines below it part of the text";
    assert_eq!(refusals("a: |+\n  x\n\n"), format!("yaml::keep 1:4 \"|+\" /a: `|+` {kept}"));
    assert_eq!(refusals("- >2+ # c\n   x\n"), format!("yaml::keep 1:3 \">2+\" /0: `>2+` {kept}"));
}

#[test]
fn invisible_characters_are_refused() {
    assert_eq!(
        refusals("a: \"x\0y\"\nb: \u{7f}\n"),
        "yaml::control-character 1:6 \"\\0\": the file contains a control character (U+0000)\n\
         yaml::control-character 2:4 \"\\u{7f}\": the file contains a control character (U+007F)"
    );
    assert_eq!(
        refusals("a: 1\rb: 2\r\n"),
        "yaml::lone-return 1:5 \"\\r\": a carriage return is not followed by a line feed"
    );
    assert_eq!(
        refusals("a: 1\n\u{feff}b: 2\n"),
        "yaml::byte-order-mark 2:1 \"\\u{feff}\": there is a byte order mark (an invisible character) within the text"
    );
    let span = |problem: &Problem| problem.place.as_ref().map(|place| place.span);
    let problems = Document::parse_bytes("f", b"a: 1\nb: \xff\xfe\n").unwrap_err();
    assert_eq!((problems[0].code, span(&problems[0])), ("yaml::not-utf8", Some((8..9).into())));
    assert_eq!(problems[0].message, "line 2 is not UTF-8 text (byte 8 of the file)");
    assert_eq!(span(&Document::parse_bytes("f", b"\xe2\x98").unwrap_err()[0]), Some((0..2).into()));
}

#[test]
fn numbers_must_fit() {
    assert_eq!(
        refusals("a: 9223372036854775808\n-9223372036854775809: 0xFFFFFFFFFFFFFFFF\n"),
        "yaml::number-range 1:4 \"9223372036854775808\" /a: the number 9223372036854775808 is out of range\n\
         yaml::number-range 2:1 \"-9223372036854775809\": the number -9223372036854775809 is out of range\n\
         yaml::number-range 2:23 \"0xFFFFFFFFFFFFFFFF\" /-9223372036854775809: \
         the number 0xFFFFFFFFFFFFFFFF is out of range"
    );
}

#[test]
fn nesting_ends_at_64_however_it_is_written() {
    let deep = |open: &str, close: &str, depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [("[", "]"), ("- ", ""), ("{a: ", "}"), ("- [", "")] {
        for depth in [65, 1_000, 100_000] {
            let found = Document::parse(&deep(open, close, depth)).unwrap_err();
            let expected = if open == "- [" { "yaml::syntax" } else { "yaml::too-deep" };
            assert!(found.iter().any(|problem| problem.code == expected), "{open} {depth} {found:?}");
        }
        if open != "- [" {
            assert!(Document::parse(&deep(open, close, 64)).is_ok(), "{open}");
        }
    }
    let maps = (0..3_000).map(|depth| " ".repeat(depth)).collect::<Vec<_>>().join("a:\n") + "a:\n";
    assert_eq!(Document::parse(&maps).unwrap_err()[0].code, "yaml::too-deep");
    let mixed = format!("{}{}{}", "- ".repeat(40), "[".repeat(40), "]".repeat(40));
    assert_eq!(Document::parse(&mixed).unwrap_err()[0].code, "yaml::too-deep");
}

#[test]
fn syntax_errors_are_explained_in_plain_words() {
    let cases = [
        ("a: b: c\n", "1:5", "a `:` is written where no key can be"),
        ("a: 1\n b: 2\n", "2:3", "a `:` is written where no key can be"),
        ("a:\n  b: 1\n c: 2\n", "3:2", "this fits no map or list above it"),
        ("a: [1, 2\n", "1:4", "a bracket or brace is never closed"),
        ("a: \"x\n", "2:1", "text in quotes continues on a line that is not indented"),
        ("a: \"x", "1:4", "the quotes that open here are never closed"),
        ("a: [1}\n", "1:4", "this bracket or brace is closed by one of the other kind"),
        ("a: 1]\nb: ]\n", "2:4", "this bracket or brace closes nothing that is open"),
        ("a: @x\n", "1:4", "text cannot begin with this character"),
        ("a: 'it's'\n", "1:8", "text continues after the closing quote"),
        ("a: 1\nb\n", "2:1", "a `key: value` is missing here"),
    ];
    let mut wrong = Vec::new();
    for (text, place, message) in cases {
        let found = refusals(text);
        if !(found.starts_with(&format!("yaml::syntax {place} ")) && found.ends_with(message)) {
            wrong.push(format!("{text:?}: {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn problems_before_a_syntax_error_are_reported_too() {
    let codes: Vec<_> =
        Document::parse("a: {x: 1, x: 2}\nb: &n 1\nc: [\n").unwrap_err().iter().map(|p| p.code).collect();
    assert_eq!(codes, ["yaml::duplicate-key", "yaml::anchor", "yaml::syntax"]);
}

#[test]
fn plain_scalars_are_told_apart_from_quoted_text() {
    let document = Document::parse("a: [no, 1.5, 01, '7', 7, 0x10, ~, true, True]\nb:\n-1: x\n").unwrap();
    let items = document.root().get("a").unwrap().items();
    let plain: Vec<bool> = items.iter().map(crate::yaml::Node::plain).collect();
    assert_eq!(plain, [true, true, true, false, true, true, true, true, true]);
    assert_eq!(
        document.root().to_value().to_string(),
        "{a: [no, 1.5, 01, 7, 7, 16, null, true, True], b: null, -1: x}"
    );
    assert_eq!(document.root().get("-1").unwrap().to_value(), Value::from("x"));
}

#[test]
fn the_head_is_read_without_the_rest() {
    let read = |text: &str, stop: &[&str]| parse_head(&Arc::new(Source::new("f", text)), stop);
    let text = "# rule\nid: 6\nname: Duck\neffect: |\n  x\n*** this is: not: yaml\n";
    let entries = read(text, &["effect", "cases"]).unwrap();
    assert_eq!(entries, [("id".into(), Value::Int(6)), ("name".into(), "Duck".into())]);
    assert_eq!(read("id: 1\nname: {a: [b]}\n", &["effect"]).unwrap().len(), 2);
    assert_eq!(read("", &["effect"]).unwrap(), []);
    assert_eq!(read("effect: 1\n", &["effect"]).unwrap(), []);
    assert_eq!(read("id: 1\nid: 2\neffect: 1\n", &["effect"]).unwrap_err()[0].code, "yaml::duplicate-key");
    assert_eq!(read("- id\n", &["effect"]).unwrap_err()[0].code, "yaml::no-map");
}
