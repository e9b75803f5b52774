//! The looks of edits, and the edits that do not fit together.

use super::*;

fn k(key: &str) -> Step {
    Step::Key(Key::from(key))
}

fn n(key: i64) -> Step {
    Step::Key(Key::Int(key))
}

fn set<const N: usize>(path: [Step; N], value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.into(), value: value.into() }
}

fn remove<const N: usize>(path: [Step; N]) -> Edit {
    Edit::Remove { path: path.into() }
}

fn insert<const N: usize>(path: [Step; N], index: usize, value: impl Into<Value>) -> Edit {
    Edit::Insert { path: path.into(), index, value: value.into() }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Key::from(key), value)).collect())
}

fn numbers<const N: usize>(numbers: [i64; N]) -> Value {
    Value::List(numbers.into_iter().map(Value::Int).collect())
}

const STYLE: Style = Style { flow: |key| matches!(key, "items" | "random" | "successors"), plain_times: false };

#[track_caller]
fn edited(text: &str, edits: &[Edit], expected: &str) {
    let edited = Document::parse(text).unwrap().edit(edits, &STYLE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(edited.text(), expected);
}

#[track_caller]
fn refused(text: &str, edits: &[Edit], expected: &str) {
    let error = Document::parse(text).unwrap().edit(edits, &STYLE).map(|edited| edited.text().to_owned()).unwrap_err();
    assert_eq!(error.message, expected);
}

#[test]
fn an_edit_that_changes_nothing_keeps_every_byte() {
    let text = "\u{feff}a:  0x10 # ten\r\nb: [ 1,2 ]\r\nc: ~";
    edited(text, &[], text);
    edited(text, &[set([k("a")], 16), set([k("b")], numbers([1, 2])), set([k("c")], Value::Null)], text);
}

#[test]
fn numbers_keep_their_radix_and_aligned_comments_their_column() {
    edited("a: 0xFF # x\nb: 0xab\n", &[set([k("a")], 3054), set([k("b")], 205)], "a: 0xBEE # x\nb: 0xcd\n");
    let text = "moved-in: [7]       # phases\nlocation: -16       # default 0\n";
    let longer = "moved-in: [7, 8]    # phases\nlocation: 100000    # default 0\n";
    edited(text, &[set([k("moved-in")], numbers([7, 8])), set([k("location")], 100_000)], longer);
}

#[test]
fn a_list_set_as_a_whole_changes_only_where_it_differs() {
    edited("a:\n- 1 # one\n- 2\n- 3\n", &[set([k("a")], numbers([1, 4, 3, 5]))], "a:\n- 1 # one\n- 4\n- 3\n- 5\n");
    edited("a: [7]  # c\n", &[set([k("a")], numbers([7, 8]))], "a: [7, 8]  # c\n");
    edited(
        "a: {b: 1, c: {d: 2}} # x\n",
        &[set([k("a")], map([("c", map([("d", 3.into()), ("e", 4.into())]))]))],
        "a: {c: {d: 3, e: 4}} # x\n",
    );
}

#[test]
fn numbered_entries_are_added_in_sorted_order() {
    let entry = || map([("type", "Blank".into())]);
    edited(
        "spaces:\n  0: {type: Ice}\n  # later\n  5: {type: Ice}\n\nlog: []\n",
        &[set([k("spaces"), n(3)], entry()), set([k("spaces"), n(9)], entry()), set([k("spaces"), n(-1)], entry())],
        "spaces:\n  -1: {type: Blank}\n  0: {type: Ice}\n  3: {type: Blank}\n  # later\n  5: {type: Ice}\n  \
         9: {type: Blank}\n\nlog: []\n",
    );
    edited("{5: a, 7: b}\n", &[set([n(6)], "c"), set([n(1)], "d")], "{1: d, 5: a, 6: c, 7: b}\n");
    edited("s:\n  5: a\n  1: b\n", &[set([k("s"), n(3)], "c")], "s:\n  5: a\n  1: b\n  3: c\n");
}

#[test]
fn new_keys_are_quoted_if_they_would_be_misread() {
    edited(
        "a: 1\n",
        &[set([n(7)], 1), set([k("7")], 2), set([k("no")], 3), set([k("/players/Ann")], 4), set([k("(1, 2)")], 5)],
        "a: 1\n7: 1\n\"7\": 2\n\"no\": 3\n/players/Ann: 4\n(1, 2): 5\n",
    );
}

#[test]
fn the_first_entry_of_a_log_follows_the_indentation_of_the_file() {
    let entry = || {
        map([
            ("id", 1.into()),
            ("at", "2024-01-19T18:22:00Z".into()),
            ("random", map([("roll", numbers([3, 1]))])),
            ("changes", map([("/players/Ann/location", numbers([-205, -209]))])),
        ])
    };
    edited(
        "players:\n  Ann: {}\nlog: []\n",
        &[insert([k("log")], 0, entry())],
        "players:\n  Ann: {}\nlog:\n  - id: 1\n    at: \"2024-01-19T18:22:00Z\"\n    random: {roll: [3, 1]}\n    \
         changes:\n      /players/Ann/location: [-205, -209]\n",
    );
    edited(
        "log:\n- id: 0\n  at: 2024-01-19T18:22:00Z\n  random:\n    roll: [1]\n  changes: {}\n# end\n",
        &[insert([k("log")], 1, entry())],
        "log:\n- id: 0\n  at: 2024-01-19T18:22:00Z\n  random:\n    roll: [1]\n  changes: {}\n- id: 1\n  \
         at: 2024-01-19T18:22:00Z\n  random:\n    roll: [3, 1]\n  changes:\n    /players/Ann/location: [-205, -209]\n\
         # end\n",
    );
}

#[test]
fn absent_maps_above_a_new_value_are_made() {
    edited("a: 1", &[set([k("x"), k("z"), k("items"), k("Duck")], 2)], "a: 1\nx:\n  z:\n    items: {Duck: 2}");
    edited("x:   # none yet\n", &[set([k("x"), n(5), k("t")], "a")], "x:   # none yet\n  5:\n    t: a\n");
    edited("", &[set([k("a"), k("b")], 1), set([k("a"), k("c")], 2)], "a:\n  b: 1\n  c: 2\n");
    edited("# only this", &[set([k("a")], 1)], "# only this\na: 1\n");
    edited("{}\n", &[set([k("a")], map([("b", 1.into())]))], "a:\n  b: 1\n");
    edited("a: 1\n", &[insert([k("l")], 0, "x"), insert([k("l")], 0, "w")], "a: 1\nl: [x, w]\n");
    edited(
        "a: 1\n",
        &[set([k("p"), k("q")], Value::Map(vec![])), set([k("p"), k("q"), k("r")], 1)],
        "a: 1\np:\n  q:\n    r: 1\n",
    );
}

#[test]
fn an_emptied_list_or_map_is_written_as_empty() {
    edited(
        "a:\n  b: 1 # one\n  # two\n  c: 2\nd: 3\n",
        &[remove([k("a"), k("b")]), remove([k("a"), k("c")])],
        "a: {}\nd: 3\n",
    );
    edited("a:\n- 1\n", &[remove([k("a"), Step::Index(0)])], "a: []\n");
    edited("a: [1, 2]\n", &[remove([k("a"), Step::Index(0)]), remove([k("a"), Step::Index(1)])], "a: []\n");
    edited("- [] # c\n", &[insert([Step::Index(0)], 0, map([("a", 1.into())]))], "- # c\n  - a: 1\n");
}

#[test]
fn several_insertions_at_one_index_keep_their_order() {
    edited(
        "l:\n  - a\n  - b\n",
        &[
            insert([k("l")], 1, "x"),
            insert([k("l")], 2, "z"),
            insert([k("l")], 1, "w"),
            remove([k("l"), Step::Index(1)]),
        ],
        "l:\n  - a\n  - x\n  - w\n  - z\n",
    );
    edited("l: [a, b]\n", &[insert([k("l")], 0, "x"), insert([k("l")], 0, "w")], "l: [x, w, a, b]\n");
}

#[test]
fn brackets_over_several_lines_keep_their_lines() {
    let text = "a: [\n  one, # 1\n  two  # 2\n]\n";
    edited(text, &[insert([k("a")], 2, "three")], "a: [\n  one, # 1\n  two, # 2\n  three\n]\n");
    edited(text, &[insert([k("a")], 1, "three")], "a: [\n  one, # 1\n  three,\n  two  # 2\n]\n");
    edited(text, &[remove([k("a"), Step::Index(1)])], "a: [\n  one  # 1\n]\n");
    edited(text, &[remove([k("a"), Step::Index(0)])], "a: [\n  two  # 2\n]\n");
    edited(text, &[remove([k("a"), Step::Index(1)]), insert([k("a")], 2, "x")], "a: [\n  one, # 1\n  x\n]\n");
    edited("a: {\n  b: 1,\n}\n", &[set([k("a"), k("c")], 2)], "a: {\n  b: 1,\n  c: 2,\n}\n");
    edited("a: { b: 1 }\nc: {}\n", &[set([k("a"), k("d")], 2)], "a: { b: 1, d: 2 }\nc: {}\n");
}

#[test]
fn text_of_several_lines_is_a_block_scalar_that_keeps_its_kind() {
    edited("a: x # c\nb: 1\n", &[set([k("a")], "one\ntwo\n")], "a: | # c\n  one\n  two\nb: 1\n");
    edited("a: |- # c\n    one\nb: 1\n", &[set([k("a")], "two\nthree\n")], "a: | # c\n    two\n    three\nb: 1\n");
    edited("a: |\n  one\n\nb: 1\n", &[set([k("a")], 5)], "a: 5\n\nb: 1\n");
    edited("a: >-\n  one two\n", &[set([k("a")], "one\ntwo\nthree")], "a: >-\n  one\n\n  two\n\n  three\n");
    edited("a: x\n", &[set([k("a")], "kept\n\n")], "a: \"kept\\n\\n\"\n");
    edited("a: [x]\n", &[set([k("a"), Step::Index(0)], "one\ntwo")], "a: [\"one\\ntwo\"]\n");
}

#[test]
fn a_long_list_of_scalars_is_written_in_lines_unless_its_key_says_otherwise() {
    let long = || Value::List((0..30).map(|number| Value::Int(1000 + number)).collect());
    let document = Document::parse("x: 1\n").unwrap();
    let text = document.edit(&[set([k("l")], long()), set([k("successors")], long())], &STYLE).unwrap();
    assert!(text.text().starts_with("x: 1\nl:\n  - 1000\n  - 1001\n"), "{}", text.text());
    assert!(text.text().contains("successors: [1000, 1001, "), "{}", text.text());
}

#[test]
fn a_comment_is_never_swallowed() {
    // Deeper than the new text would be, the comment would become a line of it: quotes keep it out.
    let document = Document::parse("a: 1\nb: x\n\n    # deep\nc: 1\n").unwrap();
    let quoted = document.edit(&[set([k("b")], "one\ntwo\n")], &STYLE).unwrap();
    assert_eq!(quoted.comments().collect::<Vec<_>>(), ["# deep"]);
    assert_eq!(quoted.root().get("b").unwrap().to_value(), Value::from("one\ntwo\n"));
    // The literal would swallow the comment: it has to move to the left.
    edited("a: |\n  x\nb: 1\n  # deep\nc: 2\n", &[remove([k("b")])], "a: |\n  x\n# deep\nc: 2\n");
}

#[test]
fn edits_that_do_not_fit_are_refused_in_words() {
    let text = "a: {b: 1}\nl: [1]\nn:\n";
    refused(text, &[remove([k("x")])], "`/x` does not exist");
    refused(text, &[remove([k("l"), Step::Index(1)])], "`/l/1` does not exist");
    refused(text, &[insert([k("l")], 2, 1)], "`/l` has only 1 items");
    refused(text, &[insert([k("a")], 0, 1)], "`/a` is not a list");
    refused(text, &[set([k("l"), k("x")], 1)], "`/l` is not a map");
    refused(text, &[set([k("a"), k("b"), k("c")], 1)], "`/a/b` is not a map");
    refused(text, &[set([k("a")], 1), set([k("a"), k("b")], 2)], "`/a` is set by another edit");
    refused(text, &[set([k("a"), k("b")], 2), set([k("a")], 1)], "`/a` is changed by another edit");
    refused(text, &[set([k("a"), k("b")], 2), set([k("a"), k("b")], 2)], "`/a/b` is set by another edit");
    refused(text, &[set([k("l")], numbers([1])), insert([k("l")], 0, 2)], "`/l` is set by another edit");
    refused(text, &[remove([k("a")]), set([k("a"), k("b")], 2)], "`/a` is removed by another edit");
    refused(text, &[remove([k("a")]), remove([k("a")])], "`/a` is removed by another edit");
    refused(text, &[remove([])], "the top level cannot be removed");
}

#[test]
fn an_entry_is_added_at_its_index() {
    let add = |key: &str, index| Edit::Add { path: vec![k("p"), k(key)], index, value: Value::Int(7) };
    let text = "p:\n  a: 1 # first\n  # about b\n  b: 2\n";
    edited(text, &[add("x", 0)], "p:\n  x: 7\n  a: 1 # first\n  # about b\n  b: 2\n");
    edited(text, &[add("x", 1), add("z", 1)], "p:\n  a: 1 # first\n  x: 7\n  z: 7\n  # about b\n  b: 2\n");
    edited(text, &[add("x", 2)], "p:\n  a: 1 # first\n  # about b\n  b: 2\n  x: 7\n");
    edited("p: {a: 1, b: 2}\n", &[add("x", 1), set([k("p"), k("z")], 3)], "p: {a: 1, x: 7, b: 2, z: 3}\n");
    edited("p: {}\n", &[add("x", 0)], "p:\n  x: 7\n");
    refused(text, &[add("a", 0)], "`/p/a` already exists");
}
