//! YAML as people write it: some of it on one line, some in blocks, with comments, blank lines and quotes.

use nomic_referee::data::{Key, Value};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Writes a map in a random hand; whoever reads it finds the map again.
pub fn written_by_hand(state: &Value, rng: &mut ChaCha8Rng) -> String {
    let (step, comments, dash) = (*[1, 2, 2, 2, 4].choose(rng).unwrap(), rng.random_bool(0.8), rng.random());
    let mut hand = Hand { text: String::new(), rng, step, comments, dash };
    hand.block(state, 0);
    let (windows, text) = (hand.rng.random_ratio(1, 8), hand.text);
    if windows { text.replace('\n', "\r\n") } else { text }
}

struct Hand<'a> {
    rng: &'a mut ChaCha8Rng,
    text: String,
    step: usize,
    comments: bool,
    /// Whether the dashes of a list stand deeper than its key.
    dash: bool,
}

impl Hand<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_ratio(1, n)
    }

    fn block(&mut self, value: &Value, column: usize) {
        let indent = " ".repeat(column);
        for (key, value) in value.entries() {
            if self.comments && self.one_in(12) {
                self.text
                    .push_str([&*format!("{indent}# {key}: as it was\n"), "\n", "# ---\n"].choose(self.rng).unwrap());
            }
            let key = self.scalar(&match key {
                Key::Int(number) => Value::Int(*number),
                Key::Text(text) => Value::from(text.as_str()),
            });
            self.text.push_str(&format!("{indent}{key}:"));
            self.value(value, column, self.step, false);
        }
        for item in value.items().iter().filter(|_| matches!(value, Value::List(_))) {
            self.text.push_str(&format!("{indent}-"));
            self.value(item, column, 2, true);
        }
    }

    /// What stands behind a colon or a dash, to the end of its last line.
    fn value(&mut self, value: &Value, column: usize, step: usize, under_dash: bool) {
        let wide = column == 0 && value.entries().len() + value.items().len() > 3;
        let in_flow = if wide { self.one_in(25) } else { !self.one_in(3) };
        let collection = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        if !collection || in_flow {
            let absent = *value == Value::Null && self.one_in(2);
            let text = if absent { String::new() } else { self.flow(value, column + 1 + step) };
            let space = if text.is_empty() {
                ""
            } else if self.one_in(20) {
                "   "
            } else {
                " "
            };
            self.text.push_str(&format!("{space}{text}"));
            self.end_line();
            return;
        }
        self.end_line();
        let level = matches!(value, Value::List(_)) && !self.dash && !under_dash;
        self.block(value, if level { column } else { column + step });
    }

    fn end_line(&mut self) {
        if self.comments && self.one_in(10) {
            self.text.push_str([" # why", "   # é: [x", " #"].choose(self.rng).unwrap());
        }
        self.text.push('\n');
    }

    fn flow(&mut self, value: &Value, column: usize) -> String {
        let (open, close, parts): (_, _, Vec<String>) = match value {
            Value::Null => return (*["null", "~"].choose(self.rng).unwrap()).to_owned(),
            Value::List(items) => ("[", "]", items.iter().map(|item| self.flow(item, column)).collect()),
            Value::Map(entries) => {
                let part = |(key, value): &(Key, Value)| {
                    let key = match key {
                        Key::Int(number) => number.to_string(),
                        Key::Text(text) => self.scalar(&Value::from(text.as_str())),
                    };
                    format!("{key}: {}", self.flow(value, column))
                };
                ("{", "}", entries.iter().map(part).collect())
            }
            single => return self.scalar(single),
        };
        let comma = if self.one_in(12) { format!(",\n{}", " ".repeat(column)) } else { ", ".to_owned() };
        let pad = if self.one_in(8) { " " } else { "" };
        format!("{open}{pad}{}{pad}{close}", parts.join(&comma))
    }

    /// A scalar in one of the ways in which it can be written.
    fn scalar(&mut self, value: &Value) -> String {
        let Value::Text(text) = value else { return value.to_string() };
        let begins = text.starts_with(|first: char| first.is_alphabetic());
        let simple = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '\''));
        let reserved = ["yes", "no", "null", "true", "false", "on", "off", "y", "n"];
        if begins
            && simple
            && !text.ends_with(' ')
            && !reserved.contains(&text.to_lowercase().as_str())
            && !self.one_in(8)
        {
            return text.clone();
        }
        if text.contains('\n') {
            // Nobody spreads a quoted text over lines; they write the sign.
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
        } else if self.one_in(2) {
            format!("'{}'", text.replace('\'', "''"))
        } else {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
    }
}
