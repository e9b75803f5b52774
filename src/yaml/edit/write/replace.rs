//! Writes a value over another.

use super::Writer;
use super::slot::Slot;
use super::value::Rendered;
use crate::data::Value;
use crate::yaml::read::tree::{Node, NodeStyle};
use crate::yaml::trivia;

impl<'d> Writer<'d> {
    /// Writes `value` over `node`, which is in `slot` behind the indicator that ends at `indicator_end`.
    pub(super) fn replace(&mut self, node: &'d Node, value: &Value, slot: Slot, indicator_end: usize) {
        match slot {
            Slot::Root => self.replace_root(node, value),
            Slot::FlowItem => {
                let new = self.rendered(value, slot, 0).same;
                self.splices.replace_value(node.start(), node.end(), new);
            }
            Slot::FlowEntry { colon } => {
                let new = self.rendered(value, slot, 0).same;
                let lead = if colon { " " } else { ": " };
                if node.style == NodeStyle::Absent {
                    self.splices.insert(indicator_end, format!("{lead}{new}"));
                } else {
                    self.splices.replace_value(node.start(), node.end(), new);
                }
            }
            Slot::Under(_) => {
                let lead = trivia::column(self.document.text(), indicator_end) + 1;
                let rendered = self.rendered(value, slot, lead);
                self.replace_block(node, indicator_end, rendered);
            }
            Slot::Beside(column) | Slot::Below(column) => {
                let text = self.document.text();
                let compound = matches!(value, Value::List(_) | Value::Map(_));
                let comment = trivia::line_end(text, indicator_end) > self.visible_end(node, indicator_end);
                let broken = trivia::has_break(text, indicator_end, node.start().max(indicator_end));
                let below = compound && (broken || (comment && !node.is_block()));
                let slot = if below { Slot::Below(column) } else { Slot::Beside(column) };
                let rendered = self.rendered(value, slot, column);
                self.replace_block(node, indicator_end, rendered);
            }
        }
    }

    /// Returns where the line of the indicator would end without a comment.
    fn visible_end(&self, node: &Node, indicator_end: usize) -> usize {
        let text = self.document.text();
        let end = if node.start() >= trivia::line_end(text, indicator_end) {
            indicator_end
        } else if node.is_block_scalar() {
            self.header_end(node)
        } else {
            node.end()
        };
        if text.as_bytes().get(trivia::skip_blanks(text, end)) == Some(&b'#') {
            end
        } else {
            trivia::line_end(text, end)
        }
    }

    /// Returns where the header of a block scalar ends: its `|` or `>`, with its indicators.
    fn header_end(&self, node: &Node) -> usize {
        let text = self.document.text();
        let length = text[node.start()..].find([' ', '\t', '\r', '\n']);
        length.map_or(text.len(), |length| node.start() + length)
    }

    /// Writes new text over a value in block style. A comment in the line of the indicator stays there.
    fn replace_block(&mut self, node: &Node, indicator_end: usize, rendered: Rendered) {
        let text = self.document.text();
        let Rendered { same, below } = rendered;
        let spaced = if same.is_empty() { String::new() } else { format!(" {same}") };
        let indicator_line_end = trivia::line_end(text, indicator_end);
        let beside = node.start() < indicator_line_end;
        match node.style {
            NodeStyle::Absent => {
                self.splices.replace_value(indicator_end, indicator_end, spaced);
                self.splices.insert(indicator_line_end, below);
            }
            NodeStyle::Literal | NodeStyle::Folded => {
                let header_end = self.header_end(node);
                let start = if same.is_empty() { indicator_end } else { node.start() };
                self.splices.replace(start, header_end, same);
                let body = trivia::line_end(text, header_end);
                self.splices.replace(body, node.end().max(body), below);
            }
            NodeStyle::Block if beside => {
                self.splices.replace(node.start(), trivia::line_end(text, node.end()), same + &below);
            }
            NodeStyle::Block => {
                self.splices.replace_value(indicator_end, indicator_end, spaced);
                self.splices.replace(indicator_line_end, trivia::line_end(text, node.end()), below);
            }
            _ if below.is_empty() => self.splices.replace_value(node.start(), node.end(), same),
            _ if beside => {
                let start = if same.is_empty() { indicator_end } else { node.start() };
                self.splices.replace(start, node.end(), same);
                self.splices.insert(trivia::line_end(text, node.end()), below);
            }
            _ => {
                self.splices.replace_value(indicator_end, indicator_end, spaced);
                let end = trivia::line_end(text, node.end());
                self.splices.delete_lines(trivia::line_start(text, node.start()), end);
                self.splices.insert(indicator_line_end, below);
            }
        }
    }

    /// Writes `value` over the whole document.
    fn replace_root(&mut self, node: &'d Node, value: &Value) {
        let text = self.document.text();
        let block = matches!(value, Value::List(_) | Value::Map(_)) && !value.is_empty();
        let new = self.rendered(value, Slot::Root, 0).same;
        if node.style == NodeStyle::Absent {
            let open = !text.is_empty() && !text.ends_with('\n') && text.len() > trivia::first_byte(text);
            let before = if open { self.document_style.newline } else { "" };
            let new = format!("{before}{new}{}", self.document_style.newline);
            self.splices.insert(text.len(), new);
            return;
        }
        let start = node.start();
        // A block collection cannot begin behind the `---` of the document.
        let line =
            if trivia::begins_line(text, start) { String::new() } else { self.document_style.newline.to_owned() };
        let end = if node.is_block() { trivia::line_end(text, node.end()) } else { node.end() };
        // A comment behind a block would at best be read as part of its last value.
        if block && trivia::line_end(text, end) > end {
            let rest = trivia::line_end(text, end);
            self.splices.delete(start, end);
            let newline = self.document_style.newline;
            self.splices.insert(rest, format!("{newline}{new}"));
        } else {
            self.splices.replace(start, end, if block { line + &new } else { new });
        }
    }
}
