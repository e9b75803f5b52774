//! New text.

use super::Style;
use super::edit::{Care, Step};
use super::look::{Down, Trail, Usual};
use super::plan::Change;
use super::scalar::{self, Position};
use super::splice::Splices;
use super::tree::{Document, Look, Node};
use crate::data::{Key, Value};

/// How wide a line of folded text gets.
const FOLD: usize = 80;

/// Writes changes as pieces of new text.
pub(super) struct Writer<'d> {
    pub document: &'d Document,
    pub style: &'d Style,
    pub care: Care,
    pub usual: Usual,
    pub trail: Trail<'d>,
    pub splices: Splices,
}

/// Where a value stands in block style.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spot {
    /// Under a key that begins in this column.
    Under(usize),
    /// Beside a dash, beginning in this column; the first entry or item of a block collection stands there too.
    Beside(usize),
    /// As an item of a list that begins on the line below its dash, in this column.
    Below(usize),
}

/// A value in block style.
#[derive(Debug)]
pub(super) struct Placed {
    /// What stands behind the colon or dash.
    pub same: String,
    /// What stands on the lines below, each after its line break.
    pub below: String,
}

impl<'d> Writer<'d> {
    pub fn new(document: &'d Document, style: &'d Style, care: Care) -> Self {
        let trail = Trail { document, downs: Vec::new() };
        Self { document, style, care, usual: Usual::of(document), trail, splices: Splices::default() }
    }

    /// The new text, and the places of the comments of the old one that are still in it.
    pub fn write(mut self, change: &Change) -> Option<(String, Vec<(u32, u32)>)> {
        let document = self.document;
        self.change(&document.root, change, super::block::Seat::Root);
        self.splices.apply(document)
    }

    /// Does `work` one step further down.
    pub fn down<T>(&mut self, step: Step, near: usize, node: Option<&'d Node>, work: impl FnOnce(&mut Self) -> T) -> T {
        self.trail.downs.push(Down { step, near, node });
        let result = work(self);
        self.trail.downs.pop();
        result
    }

    /// A line break and the indentation of the next line.
    pub fn line(&self, column: usize) -> String {
        format!("{}{}", self.usual.newline, " ".repeat(column))
    }

    /// A value in block style; `lead` is how wide the line is before it.
    pub fn placed(&mut self, value: &Value, spot: Spot, lead: usize) -> Placed {
        let collection = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        if collection && !self.trail.writes_flow(value, self.style, lead) {
            let list = matches!(value, Value::List(_));
            let column = match spot {
                Spot::Beside(column) => return Placed { same: self.block(value, column), below: String::new() },
                Spot::Below(column) => column,
                Spot::Under(column) => column + self.trail.offset(list, &self.usual),
            };
            return Placed { same: String::new(), below: self.line(column) + &self.block(value, column) };
        }
        if let Value::Text(text) = value
            && let Some(placed) = self.block_scalar(text, spot)
        {
            return placed;
        }
        Placed { same: self.inline(value, Position::BlockValue), below: String::new() }
    }

    /// The entries or items of a block collection, the first without its indentation.
    pub fn block(&mut self, value: &Value, column: usize) -> String {
        let here = self.trail.here();
        let mut lines = Vec::new();
        if let Value::List(values) = value {
            let pad = self.trail.pad();
            for (place, value) in values.iter().enumerate() {
                let step = Step::Index(place);
                let node = here.and_then(|node| node.child(&step));
                lines.push(self.down(step, place, node, |writer| writer.item(value, column, pad)));
            }
        }
        for (place, (key, value)) in value.entries().iter().enumerate() {
            let step = Step::Key(key.clone());
            let node = here.and_then(|node| node.child(&step));
            lines.push(self.down(step, place, node, |writer| writer.entry(key, value, column)));
        }
        lines.join(&self.line(column))
    }

    /// An entry of a block map whose keys begin in `column`.
    pub fn entry(&mut self, key: &Key, value: &Value, column: usize) -> String {
        let key = self.key(key, Position::BlockKey);
        let lead = column + key.chars().count() + 2;
        let Placed { same, below } = self.placed(value, Spot::Under(column), lead);
        let space = if same.is_empty() { "" } else { " " };
        format!("{key}:{space}{same}{below}")
    }

    /// An item of a block list whose dashes stand in `column`, `pad` before the items.
    pub fn item(&mut self, value: &Value, column: usize, pad: usize) -> String {
        let Placed { same, below } = self.placed(value, Spot::Beside(column + pad), column + pad);
        format!("-{}{same}{below}", " ".repeat(pad - 1))
    }

    /// A value on one line.
    pub fn inline(&mut self, value: &Value, position: Position) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(yes) => yes.to_string(),
            Value::Int(number) => self.number(*number),
            Value::Text(text) => self.text(text, position),
            Value::List(values) => {
                let here = self.trail.here();
                let mut items = Vec::new();
                for (place, value) in values.iter().enumerate() {
                    let step = Step::Index(place);
                    let node = here.and_then(|node| node.child(&step));
                    items.push(self.down(step, place, node, |writer| writer.inline(value, Position::Flow)));
                }
                let pad = self.flow_pad(&Value::List(Vec::new()));
                if items.is_empty() { "[]".to_owned() } else { format!("[{pad}{}{pad}]", items.join(", ")) }
            }
            Value::Map(entries) => {
                let here = self.trail.here();
                let mut items = Vec::new();
                for (place, (key, value)) in entries.iter().enumerate() {
                    let step = Step::Key(key.clone());
                    let node = here.and_then(|node| node.child(&step));
                    items.push(self.down(step, place, node, |writer| writer.flow_entry(key, value)));
                }
                let pad = self.flow_pad(&Value::Map(Vec::new()));
                if items.is_empty() { "{}".to_owned() } else { format!("{{{pad}{}{pad}}}", items.join(", ")) }
            }
        }
    }

    /// An entry of a flow map.
    pub fn flow_entry(&mut self, key: &Key, value: &Value) -> String {
        format!("{}: {}", self.key(key, Position::Flow), self.inline(value, Position::Flow))
    }

    /// The blank inside the braces of `{ a: 1 }`, if they are written so.
    fn flow_pad(&self, kind: &Value) -> &'static str {
        let list = matches!(kind, Value::List(_));
        let alike = |node: &Node| {
            node.look == Look::Flow && if list { !node.items().is_empty() } else { !node.entries().is_empty() }
        };
        let padded = |node: &Node| self.document.text.as_bytes().get(node.start() + 1) == Some(&b' ');
        match self.trail.like(alike) {
            Some(example) if padded(example.node) => " ",
            _ => "",
        }
    }

    fn key(&self, key: &Key, position: Position) -> String {
        let Key::Text(text) = key else { return key.to_string() };
        let example = self.trail.like(|_| true).and_then(|example| example.entry());
        let example = example.filter(|entry| entry.key == *key);
        let quote = example.map(|entry| self.document.text.as_bytes()[entry.key_start()]);
        match quote {
            Some(b'\'') => self.quoted(text, true),
            Some(b'"') => scalar::double_quoted(text),
            // The same key without quotes elsewhere is not misread either.
            Some(_) if scalar::is_plain_syntax(text, position) => text.clone(),
            _ if scalar::may_be_plain(text, position) => text.clone(),
            _ => self.quoted(text, self.usual.single),
        }
    }

    fn number(&self, number: i64) -> String {
        let old = self.trail.here().map_or("", |node| &self.document.text[node.start()..node.end()]);
        match old.strip_prefix("0x") {
            Some(digits) if number >= 0 && digits.contains(|c: char| c.is_ascii_uppercase()) => format!("0x{number:X}"),
            Some(_) if number >= 0 => format!("0x{number:x}"),
            _ => number.to_string(),
        }
    }

    fn text(&self, text: &str, position: Position) -> String {
        if self.care != Care::Usual {
            return scalar::double_quoted(text);
        }
        let example = self.trail.like(|node| matches!(node.data, super::Data::Text(_))).map(|example| example.node);
        match example.map(|node| node.look) {
            Some(Look::Single) => return self.quoted(text, true),
            Some(Look::Double) => return scalar::double_quoted(text),
            _ => {}
        }
        // A time is only misread where times are written in quotes.
        let time =
            |node: &Node| node.plain() && matches!(&node.data, super::Data::Text(own) if scalar::is_timestamp(own));
        let plain = scalar::may_be_plain(text, position)
            || ((self.style.plain_times || example.is_some_and(time))
                && scalar::is_timestamp(text)
                && scalar::is_plain_syntax(text, position));
        if plain { text.to_owned() } else { self.quoted(text, self.usual.single) }
    }

    fn quoted(&self, text: &str, single: bool) -> String {
        let single = if single && self.care == Care::Usual { scalar::single_quoted(text) } else { None };
        single.unwrap_or_else(|| scalar::double_quoted(text))
    }

    /// Text of several lines as a block scalar, if it can be written as one.
    fn block_scalar(&self, text: &str, spot: Spot) -> Option<Placed> {
        if self.care != Care::Usual || !text.contains('\n') {
            return None;
        }
        let example = self.trail.like(Node::is_block_scalar).map(|example| example.node);
        let folded = example.is_some_and(|node| node.look == Look::Folded) && scalar::may_be_folded(text);
        if !folded && !scalar::may_be_literal(text) {
            return None;
        }
        let own = self.trail.here().filter(|node| node.is_block_scalar() && node.indent > 0);
        let column = match (own, spot) {
            (Some(node), _) => usize::from(node.indent),
            (None, Spot::Under(column)) => column + self.usual.step,
            (None, Spot::Beside(column) | Spot::Below(column)) => column,
        };
        let body = text.strip_suffix('\n').unwrap_or(text);
        let mut below = String::new();
        for (place, line) in body.split('\n').enumerate() {
            if folded && place > 0 {
                below.push_str(self.usual.newline);
            }
            if line.is_empty() {
                below.push_str(self.usual.newline);
            } else {
                let wrapped = if folded { line.replace('\n', "") } else { line.to_owned() };
                let width = FOLD.saturating_sub(column);
                for line in if folded { fold(&wrapped, width) } else { vec![wrapped.as_str()] } {
                    below.push_str(&self.line(column));
                    below.push_str(line);
                }
            }
        }
        let sign = if folded { ">" } else { "|" };
        let strip = if body.len() < text.len() { "" } else { "-" };
        Some(Placed { same: format!("{sign}{strip}"), below })
    }
}

/// Breaks a line at single blanks so that the parts are at most `width` wide where that is possible.
fn fold(line: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (place, _) in line.match_indices(' ') {
        let beside = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t'));
        let bytes = line.as_bytes();
        if place == 0 || beside(bytes.get(place - 1)) || beside(bytes.get(place + 1)) {
            continue;
        }
        if let Some(fits) = last
            && line[start..place].chars().count() > width
        {
            parts.push(&line[start..fits]);
            start = fits + 1;
        }
        last = Some(place);
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
