//! A value written anew in the place of another.

use super::block::Seat;
use super::emit::{Placed, Spot, Writer};
use super::gap;
use super::scalar::Position;
use super::tree::{Look, Node};
use crate::data::Value;

impl<'d> Writer<'d> {
    /// Writes `value` in the place of `node`.
    pub(super) fn replace(&mut self, node: &'d Node, value: &Value, seat: Seat) {
        match seat {
            Seat::Root => self.replace_root(node, value),
            Seat::FlowItem => {
                let new = self.inline(value, Position::Flow);
                self.splices.replace_value(node.start(), node.end(), new);
            }
            Seat::FlowEntry { at, colon } => {
                let new = self.inline(value, Position::Flow);
                let lead = if colon { " " } else { ": " };
                if node.look == Look::Absent {
                    self.splices.insert(at, format!("{lead}{new}"));
                } else {
                    self.splices.replace_value(node.start(), node.end(), new);
                }
            }
            Seat::Entry { at, column } => {
                let lead = gap::column(self.document.text(), at) + 1;
                let placed = self.placed(value, Spot::Under(column), lead);
                self.replace_block(node, at, placed);
            }
            Seat::Item { at, column } => {
                let text = self.document.text();
                let compound = matches!(value, Value::List(_) | Value::Map(_));
                let below = !node.is_block() && gap::line_end(text, at) > self.visible_end(node, at);
                let spot = if compound && (below || gap::breaks(text, at, node.start().max(at))) {
                    Spot::Below(column)
                } else {
                    Spot::Beside(column)
                };
                let placed = self.placed(value, spot, column);
                self.replace_block(node, at, placed);
            }
        }
    }

    /// Where the line of the indicator that ends at `at` would end without a comment.
    fn visible_end(&self, node: &Node, at: usize) -> usize {
        let text = self.document.text();
        let end = if node.start() >= gap::line_end(text, at) {
            at
        } else if node.is_block_scalar() {
            self.header_end(node)
        } else {
            node.end()
        };
        if text.as_bytes().get(gap::skip_blanks(text, end)) == Some(&b'#') { end } else { gap::line_end(text, end) }
    }

    /// Where the `|` or `>` of a block scalar ends, with its indicators.
    fn header_end(&self, node: &Node) -> usize {
        let text = self.document.text();
        let length = text[node.start()..].find([' ', '\t', '\r', '\n']);
        length.map_or(text.len(), |length| node.start() + length)
    }

    /// Puts new text in the place of a value in block style, behind the indicator that ends at `at`. A comment in the
    /// line of the indicator stays there.
    fn replace_block(&mut self, node: &Node, at: usize, placed: Placed) {
        let text = self.document.text();
        let Placed { same, below } = placed;
        let spaced = if same.is_empty() { String::new() } else { format!(" {same}") };
        let indicator_line_end = gap::line_end(text, at);
        let beside = node.start() < indicator_line_end;
        match node.look {
            Look::Absent => {
                self.splices.replace_value(at, at, spaced);
                self.splices.insert(indicator_line_end, below);
            }
            Look::Literal | Look::Folded => {
                let header_end = self.header_end(node);
                let start = if same.is_empty() { at } else { node.start() };
                self.splices.replace(start, header_end, same);
                let body = gap::line_end(text, header_end);
                self.splices.replace(body, node.end().max(body), below);
            }
            Look::Block if beside => {
                self.splices.replace(node.start(), gap::line_end(text, node.end()), same + &below);
            }
            Look::Block => {
                self.splices.replace_value(at, at, spaced);
                self.splices.replace(indicator_line_end, gap::line_end(text, node.end()), below);
            }
            _ if below.is_empty() => self.splices.replace_value(node.start(), node.end(), same),
            _ if beside => {
                let start = if same.is_empty() { at } else { node.start() };
                self.splices.replace(start, node.end(), same);
                self.splices.insert(gap::line_end(text, node.end()), below);
            }
            _ => {
                self.splices.replace_value(at, at, spaced);
                let end = gap::line_end(text, node.end());
                self.splices.delete_lines(gap::line_start(text, node.start()), end);
                self.splices.insert(indicator_line_end, below);
            }
        }
    }

    fn replace_root(&mut self, node: &'d Node, value: &Value) {
        let text = self.document.text();
        let block = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        let new = if block && !self.trail.writes_flow(value, self.style, 0) {
            self.block(value, 0)
        } else {
            self.inline(value, Position::BlockValue)
        };
        if node.look == Look::Absent {
            let open = !text.is_empty() && !text.ends_with('\n') && text.len() > gap::first_byte(text);
            let before = if open { self.usual.newline } else { "" };
            let new = format!("{before}{new}{}", self.usual.newline);
            self.splices.insert(text.len(), new);
            return;
        }
        let start = node.start();
        // A block collection cannot begin behind the `---` of the document.
        let line = if gap::begins_line(text, start) { String::new() } else { self.usual.newline.to_owned() };
        let end = if node.is_block() { gap::line_end(text, node.end()) } else { node.end() };
        // A comment behind a block would be read as part of its last value at best.
        if block && gap::line_end(text, end) > end {
            let rest = gap::line_end(text, end);
            self.splices.delete(start, end);
            let newline = self.usual.newline;
            self.splices.insert(rest, format!("{newline}{new}"));
        } else {
            self.splices.replace(start, end, if block { line + &new } else { new });
        }
    }
}
