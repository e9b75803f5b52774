//! Gives values their text, in the style of the nearest example.

use super::slot::Slot;
use super::{Attempt, Writer};
use crate::data::{Key, Value};
use crate::yaml::path::Step;
use crate::yaml::read::scalar::{self, Position};
use crate::yaml::read::tree::{Data, Node, NodeStyle};

/// The largest width of a line of folded text.
const FOLD: usize = 80;

/// The text of a value in block style.
#[derive(Debug)]
pub(super) struct Rendered {
    /// The text behind the colon or dash.
    pub same: String,
    /// The lines below, each after its line break.
    pub below: String,
}

impl Writer<'_> {
    /// Renders a value for a slot; the line is `lead` wide before it.
    pub(super) fn rendered(&mut self, value: &Value, slot: Slot, lead: usize) -> Rendered {
        if matches!(slot, Slot::FlowEntry { .. } | Slot::FlowItem) {
            return Rendered { same: self.inline(value, Position::Flow), below: String::new() };
        }
        let collection = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        if collection && !self.cursor.writes_flow(value, self.style, lead) {
            let list = matches!(value, Value::List(_));
            let column = match slot {
                Slot::Under(column) => column + self.cursor.offset(list, &self.document_style),
                Slot::Below(column) => column,
                Slot::Beside(column) => return Rendered { same: self.block(value, column), below: String::new() },
                _ => return Rendered { same: self.block(value, 0), below: String::new() },
            };
            return Rendered { same: String::new(), below: self.line(column) + &self.block(value, column) };
        }
        if let Value::Text(text) = value
            && let Some(rendered) = self.block_scalar(text, slot)
        {
            return rendered;
        }
        Rendered { same: self.inline(value, Position::BlockValue), below: String::new() }
    }

    /// Renders the entries or items of a block collection, the first without its indentation.
    pub(super) fn block(&mut self, value: &Value, column: usize) -> String {
        let here = self.cursor.node();
        let mut lines = Vec::new();
        if let Value::List(values) = value {
            let pad = self.cursor.pad();
            for (index, value) in values.iter().enumerate() {
                let step = Step::Index(index);
                let node = here.and_then(|node| node.child(&step));
                lines.push(self.down(step, index, node, |writer| writer.item(value, column, pad)));
            }
        }
        for (index, (key, value)) in value.entries().iter().enumerate() {
            let step = Step::Key(key.clone());
            let node = here.and_then(|node| node.child(&step));
            lines.push(self.down(step, index, node, |writer| writer.entry(key, value, column)));
        }
        lines.join(&self.line(column))
    }

    /// Renders an entry of a block map whose keys begin in `column`.
    pub(super) fn entry(&mut self, key: &Key, value: &Value, column: usize) -> String {
        let key = self.key(key, Position::BlockKey);
        let lead = column + key.chars().count() + 2;
        let Rendered { same, below } = self.rendered(value, Slot::Under(column), lead);
        let space = if same.is_empty() { "" } else { " " };
        format!("{key}:{space}{same}{below}")
    }

    /// Renders an item of a block list whose dashes are in `column`, `pad` before the items.
    pub(super) fn item(&mut self, value: &Value, column: usize, pad: usize) -> String {
        let Rendered { same, below } = self.rendered(value, Slot::Beside(column + pad), column + pad);
        format!("-{}{same}{below}", " ".repeat(pad - 1))
    }

    /// Renders a value on one line.
    pub(super) fn inline(&mut self, value: &Value, position: Position) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(yes) => yes.to_string(),
            Value::Int(number) => self.number(*number),
            Value::Text(text) => self.text(text, position),
            Value::List(values) => {
                let here = self.cursor.node();
                let mut items = Vec::new();
                for (index, value) in values.iter().enumerate() {
                    let step = Step::Index(index);
                    let node = here.and_then(|node| node.child(&step));
                    items.push(self.down(step, index, node, |writer| writer.inline(value, Position::Flow)));
                }
                let pad = self.flow_pad(&Value::List(Vec::new()));
                if items.is_empty() { "[]".to_owned() } else { format!("[{pad}{}{pad}]", items.join(", ")) }
            }
            Value::Map(entries) => {
                let here = self.cursor.node();
                let mut items = Vec::new();
                for (index, (key, value)) in entries.iter().enumerate() {
                    let step = Step::Key(key.clone());
                    let node = here.and_then(|node| node.child(&step));
                    items.push(self.down(step, index, node, |writer| writer.flow_entry(key, value)));
                }
                let pad = self.flow_pad(&Value::Map(Vec::new()));
                if items.is_empty() { "{}".to_owned() } else { format!("{{{pad}{}{pad}}}", items.join(", ")) }
            }
        }
    }

    /// Renders an entry of a flow map.
    pub(super) fn flow_entry(&mut self, key: &Key, value: &Value) -> String {
        format!("{}: {}", self.key(key, Position::Flow), self.inline(value, Position::Flow))
    }

    /// Returns the blank inside the brackets or braces, as in `{ a: 1 }`, if the nearest example has one.
    fn flow_pad(&self, kind: &Value) -> &'static str {
        let list = matches!(kind, Value::List(_));
        let alike = |node: &Node| {
            node.style == NodeStyle::Flow && if list { !node.items().is_empty() } else { !node.entries().is_empty() }
        };
        let padded = |node: &Node| self.document.text().as_bytes().get(node.start() + 1) == Some(&b' ');
        match self.cursor.example(alike) {
            Some(example) if padded(example.node) => " ",
            _ => "",
        }
    }

    /// Renders a key.
    fn key(&self, key: &Key, position: Position) -> String {
        let Key::Text(text) = key else { return key.to_string() };
        let example = self.cursor.example(|_| true).and_then(|example| example.entry());
        let example = example.filter(|entry| entry.key == *key);
        let quote = example.map(|entry| self.document.text().as_bytes()[entry.key_start()]);
        match quote {
            Some(b'\'') => self.quoted(text, true),
            Some(b'"') => scalar::double_quoted(text),
            // The same key without quotes elsewhere is not misread either.
            Some(_) if scalar::is_plain_syntax(text, position) => text.clone(),
            _ if scalar::may_be_plain(text, position) => text.clone(),
            _ => self.quoted(text, self.document_style.single),
        }
    }

    /// Renders a number, in hexadecimal if the old one was.
    fn number(&self, number: i64) -> String {
        let old = self.cursor.node().map_or("", |node| &self.document.text()[node.start()..node.end()]);
        match old.strip_prefix("0x") {
            Some(digits) if number >= 0 && digits.contains(|c: char| c.is_ascii_uppercase()) => format!("0x{number:X}"),
            Some(_) if number >= 0 => format!("0x{number:x}"),
            _ => number.to_string(),
        }
    }

    /// Renders text on one line.
    fn text(&self, text: &str, position: Position) -> String {
        if self.attempt != Attempt::Matching {
            return scalar::double_quoted(text);
        }
        let example = self.cursor.example(|node| matches!(node.data, Data::Text(_))).map(|example| example.node);
        match example.map(|node| node.style) {
            Some(NodeStyle::Single) => return self.quoted(text, true),
            Some(NodeStyle::Double) => return scalar::double_quoted(text),
            _ => {}
        }
        // A time may stay plain if the document writes its times so.
        let time = |node: &Node| node.plain() && matches!(&node.data, Data::Text(text) if scalar::is_timestamp(text));
        let plain = scalar::may_be_plain(text, position)
            || ((self.style.plain_times || example.is_some_and(time))
                && scalar::is_timestamp(text)
                && scalar::is_plain_syntax(text, position));
        if plain { text.to_owned() } else { self.quoted(text, self.document_style.single) }
    }

    fn quoted(&self, text: &str, single: bool) -> String {
        let single = if single && self.attempt == Attempt::Matching { scalar::single_quoted(text) } else { None };
        single.unwrap_or_else(|| scalar::double_quoted(text))
    }

    /// Renders text of several lines as a block scalar, if that is possible.
    fn block_scalar(&self, text: &str, slot: Slot) -> Option<Rendered> {
        if self.attempt != Attempt::Matching || !text.contains('\n') {
            return None;
        }
        let example = self.cursor.example(Node::is_block_scalar).map(|example| example.node);
        let folded = example.is_some_and(|node| node.style == NodeStyle::Folded) && scalar::may_be_folded(text);
        if !folded && !scalar::may_be_literal(text) {
            return None;
        }
        let old = self.cursor.node().filter(|node| node.is_block_scalar() && node.indent > 0);
        let column = match slot {
            Slot::Under(column) => column + self.document_style.step,
            Slot::Beside(column) | Slot::Below(column) => column,
            _ => return None,
        };
        let column = old.map_or(column, |node| usize::from(node.indent));
        let body = text.strip_suffix('\n').unwrap_or(text);
        let mut below = String::new();
        for (index, line) in body.split('\n').enumerate() {
            if folded && index > 0 {
                below.push_str(self.document_style.newline);
            }
            if line.is_empty() {
                below.push_str(self.document_style.newline);
            } else {
                let width = FOLD.saturating_sub(column);
                for line in if folded { fold(line, width) } else { vec![line] } {
                    below.push_str(&self.line(column));
                    below.push_str(line);
                }
            }
        }
        let sign = if folded { ">" } else { "|" };
        let strip = if body.len() < text.len() { "" } else { "-" };
        Some(Rendered { same: format!("{sign}{strip}"), below })
    }
}

/// Breaks a line at single blanks, so that the parts are at most `width` wide if possible.
fn fold(line: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (blank, _) in line.match_indices(' ') {
        let beside = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t'));
        let bytes = line.as_bytes();
        if blank == 0 || beside(bytes.get(blank - 1)) || beside(bytes.get(blank + 1)) {
            continue;
        }
        if let Some(fits) = last
            && line[start..blank].chars().count() > width
        {
            parts.push(&line[start..fits]);
            start = fits + 1;
        }
        last = Some(blank);
    }
    if let Some(fits) = last
        && fits > start
        && line[start..].chars().count() > width
    {
        parts.push(&line[start..fits]);
        start = fits + 1;
    }
    parts.push(&line[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_text_breaks_only_at_single_blanks() {
        assert_eq!(fold("one two three", 7), ["one two", "three"]);
        assert_eq!(fold("one  two three", 5), ["one  two", "three"]);
        assert_eq!(fold("unbreakable", 3), ["unbreakable"]);
        assert_eq!(fold("a b c d", 3), ["a b", "c d"]);
    }
}
