//! Made-up files in all the styles that people write.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::yaml::read::scalar::{self, Position};

/// Text that is easy to get wrong.
const TEXTS: [&str; 44] = [
    "Ann",
    "Bob",
    "a b",
    "Don't Use This",
    "no",
    "yes",
    "y",
    "n",
    "null",
    "~",
    "",
    "7",
    "-3",
    "0x10",
    "1.5",
    "1e3",
    "01",
    "12:30",
    "2024-01-05",
    "2024-01-05T01:22:00Z",
    "=",
    "<<",
    "#1",
    "a #b",
    "a: b",
    "a:",
    "map, torn",
    "[x]",
    "{x}",
    "- a",
    "-",
    "---",
    "'q'",
    "\"q\"",
    "it's \"it\"",
    "back\\slash",
    "é☃𝄞",
    " lead",
    "trail ",
    "tab\there",
    "nul\u{1}",
    "line\u{2028}sep",
    "&a",
    "!t",
];

const LINES: [&str; 14] = [
    "one\ntwo\n",
    "one\ntwo",
    "one\n",
    "one\n\ntwo\n",
    "  deep\nshallow\n",
    "# not a comment\nb\n",
    "a\n  b\n\n\nc\n",
    "\nlead\n",
    "trail\n\n",
    "\n",
    "a: b\n- c\n",
    "x  \ny\n",
    "tab\t\n\tin\n",
    "a long text of more than eighty \
     columns that continues until it is longer than one line can be in print\nand a second\n",
];

const KEYS: [&str; 18] = [
    "a",
    "b",
    "c",
    "name",
    "items",
    "moved-in",
    "n",
    "7",
    "#1",
    "a: b",
    "map, torn",
    "silver key",
    "yes",
    "null",
    "/players/Ann/location",
    "(1, 2)",
    "Don't",
    "é",
];

struct Made<'r> {
    rng: &'r mut ChaCha8Rng,
    text: String,
    newline: &'static str,
    step: usize,
    dash: usize,
    comments: bool,
    /// Whether text may be plain that other readers take for something else.
    risky: bool,
}

pub(super) fn scalar_value(rng: &mut ChaCha8Rng) -> Value {
    match rng.random_range(0..12) {
        0 => Value::Null,
        1 => Value::Bool(rng.random()),
        2..=5 => Value::Int(*[0, 7, -16, 1038, i64::MAX, i64::MIN, 255, 8].choose(rng).unwrap()),
        6 => Value::from(*LINES.choose(rng).unwrap()),
        _ => Value::from(*TEXTS.choose(rng).unwrap()),
    }
}

pub(super) fn key_of(rng: &mut ChaCha8Rng, numbers: bool) -> Key {
    if numbers { Key::Int(rng.random_range(-6..30)) } else { Key::from(*KEYS.choose(rng).unwrap()) }
}

pub(super) fn any_value(rng: &mut ChaCha8Rng, depth: usize) -> Value {
    let kind = if depth == 0 { 0 } else { rng.random_range(0..5) };
    let count = *[0, 1, 1, 2, 2, 3, 4].choose(rng).unwrap();
    match kind {
        0 | 1 => scalar_value(rng),
        2 => {
            let simple = rng.random();
            Value::List((0..count).map(|_| any_value(rng, if simple { 0 } else { depth - 1 })).collect())
        }
        _ => {
            let (numbers, sorted) = (rng.random_bool(0.25), rng.random::<bool>());
            let mut entries: Vec<(Key, Value)> = Vec::new();
            for _ in 0..count {
                let key = key_of(rng, numbers);
                // Another reader may take 7 and "7" for one key.
                if entries.iter().all(|(own, _)| own.to_string() != key.to_string()) {
                    entries.push((key, any_value(rng, depth - 1)));
                }
            }
            if sorted {
                entries.sort_by(|a, b| a.0.cmp(&b.0));
            }
            Value::Map(entries)
        }
    }
}

impl Made<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_ratio(1, n)
    }

    fn indent(&mut self, column: usize) {
        self.text.push_str(&" ".repeat(column));
    }

    /// Ends a line, perhaps with a comment, perhaps with empty lines below.
    fn end_line(&mut self, column: usize) {
        if self.comments && self.one_in(5) {
            if self.one_in(2) {
                let line = self.text.len() - self.text.rfind('\n').map_or(0, |place| place + 1);
                self.indent(24_usize.saturating_sub(line));
            }
            self.text.push_str([" # why", "  # é: [x", " #"].choose(self.rng).unwrap());
        } else if self.one_in(40) {
            self.text.push_str("  ");
        }
        self.text.push_str(self.newline);
        self.between(column);
    }

    fn between(&mut self, column: usize) {
        while self.one_in(9) {
            if self.comments && self.one_in(2) {
                let column = *[0, column, column + 2, 9].choose(self.rng).unwrap();
                self.indent(column);
                self.text.push_str(["# - not: a list", "# ---", "#"].choose(self.rng).unwrap());
            }
            self.text.push_str(self.newline);
        }
    }

    fn quoted(&mut self, text: &str, position: Position) -> String {
        let plain = if self.risky {
            scalar::is_plain_syntax(text, position) && scalar::read_plain(text) == scalar::Plain::Text && text != "<<"
        } else {
            scalar::may_be_plain(text, position)
        };
        match self.rng.random_range(0..4) {
            0 | 1 if plain => text.to_owned(),
            2 => scalar::single_quoted(text).unwrap_or_else(|| scalar::double_quoted(text)),
            _ => scalar::double_quoted(text),
        }
    }

    fn key(&mut self, key: &Key, position: Position) -> String {
        match key {
            Key::Int(number) => number.to_string(),
            Key::Text(text) => self.quoted(text, position),
        }
    }

    fn scalar(&mut self, value: &Value, position: Position) -> String {
        match value {
            Value::Null => (*["null", "~"].choose(self.rng).unwrap()).to_owned(),
            Value::Int(number) if *number >= 0 && self.one_in(6) => format!("0x{number:X}"),
            Value::Text(text) => self.quoted(text, position),
            other => other.to_string(),
        }
    }

    fn flow(&mut self, value: &Value, column: usize) {
        let lines = self.one_in(4);
        let pad = if self.one_in(5) { " " } else { "" };
        let (open, close) = match value {
            Value::List(_) => ('[', ']'),
            Value::Map(_) => ('{', '}'),
            scalar => {
                let text = self.scalar(scalar, Position::Flow);
                self.text.push_str(&text);
                return;
            }
        };
        self.text.push(open);
        self.text.push_str(pad);
        let mut first = true;
        let items = match value {
            Value::List(items) => items.iter().map(|item| (None, item)).collect(),
            other => other.entries().iter().map(|(key, value)| (Some(key), value)).collect::<Vec<_>>(),
        };
        for (key, item) in &items {
            if !first {
                let comma = if self.one_in(8) { " ," } else { "," };
                self.text.push_str(comma);
                if !lines {
                    self.text.push(' ');
                }
            }
            first = false;
            if lines {
                self.end_line(column + 2);
                self.indent(column + 2);
            }
            if let Some(key) = key {
                let key = self.key(key, Position::Flow);
                self.text.push_str(&key);
                if **item == Value::Null && self.one_in(3) {
                    if self.one_in(2) {
                        self.text.push(':');
                    }
                    continue;
                }
                self.text.push_str(": ");
            }
            self.flow(item, column + 2);
        }
        if lines && !items.is_empty() {
            if self.one_in(4) {
                self.text.push(',');
            }
            self.end_line(column + 2);
            self.indent(column + 1);
        }
        self.text.push_str(pad);
        self.text.push(close);
    }

    /// Writes a value behind `key:` or `-`, with the end of its line; `column` is that of the key or dash.
    fn value(&mut self, value: &Value, column: usize, item: bool) {
        if *value == Value::Null && self.one_in(3) {
            return self.end_line(column);
        }
        let compound = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        if compound && !self.one_in(3) {
            let list = matches!(value, Value::List(_));
            if item && self.one_in(2) {
                let pad = if self.one_in(4) { self.rng.random_range(1..4) } else { 1 };
                self.indent(pad);
                return self.block(value, column + 1 + pad, true);
            }
            let deeper = if list && !item { self.dash } else { self.step };
            self.end_line(column + deeper);
            return self.block(value, column + deeper, false);
        }
        let gap = if self.one_in(8) { 3 } else { 1 };
        self.indent(gap);
        match value {
            Value::Text(text) if scalar::may_be_literal(text) && !self.one_in(4) => {
                let strip = if text.ends_with('\n') { "" } else { "-" };
                let folded = scalar::may_be_folded(text) && self.one_in(3);
                self.text.push_str(if folded { ">" } else { "|" });
                self.text.push_str(strip);
                if self.comments && self.one_in(5) {
                    self.text.push_str("  # header");
                }
                self.text.push_str(self.newline);
                for (place, line) in text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate() {
                    if folded && place > 0 {
                        self.text.push_str(self.newline);
                    }
                    if !line.is_empty() {
                        self.indent(column + self.step);
                        self.text.push_str(line);
                    }
                    self.text.push_str(self.newline);
                }
                if self.one_in(4) {
                    self.text.push_str(self.newline);
                }
            }
            _ => {
                self.flow(value, column);
                self.end_line(column);
            }
        }
    }

    fn block(&mut self, value: &Value, column: usize, mut beside: bool) {
        if let Value::List(items) = value {
            for item in items {
                if !std::mem::take(&mut beside) {
                    self.indent(column);
                }
                self.text.push('-');
                self.value(item, column, true);
            }
        }
        for (key, value) in value.entries() {
            if !std::mem::take(&mut beside) {
                self.indent(column);
            }
            let key = self.key(key, Position::BlockKey);
            self.text.push_str(&key);
            self.text.push(':');
            self.value(value, column, false);
        }
    }
}

/// Writes a random file that says `value`.
pub(super) fn file(rng: &mut ChaCha8Rng, value: &Value, risky: bool) -> String {
    let newline = if rng.random_ratio(1, 4) { "\r\n" } else { "\n" };
    let step = *[2, 2, 2, 3, 4, 8].choose(rng).unwrap();
    let dash = *[0, 2, step].choose(rng).unwrap();
    let (mark, open, comments) = (rng.random_ratio(1, 8), rng.random_ratio(1, 6), rng.random_ratio(3, 4));
    let mut made = Made { rng, text: String::new(), newline, step, dash, comments, risky };
    if mark {
        made.text.push('\u{feff}');
    }
    if made.one_in(12) {
        made.text.push_str("---");
        made.text.push_str(newline);
    }
    made.between(0);
    if value.is_empty() || made.one_in(12) {
        made.flow(value, 0);
        made.end_line(0);
    } else {
        made.block(value, 0, false);
    }
    let mut text = made.text;
    if open {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}
