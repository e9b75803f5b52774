//! Adds and removes entries and items in block style.

use super::super::change::Parts;
use super::super::style;
use super::slot::Slot;
use super::{Attempt, Writer};
use crate::yaml::path::Step;
use crate::yaml::read::tree::{Entry, Node, NodeStyle};
use crate::yaml::trivia;

impl<'d> Writer<'d> {
    /// Writes the changed parts of a block map.
    pub(super) fn block_map(&mut self, node: &'d Node, entries: &'d [Entry], parts: &Parts) {
        let text = self.document.text();
        let column = trivia::column(text, node.start());
        for (&index, change) in &parts.changed {
            let entry = &entries[index];
            let colon_end = entry.colon_end(text).unwrap_or(entry.key_end());
            let step = Step::Key(entry.key.clone());
            self.down(step, index, Some(&entry.value), |writer| {
                writer.change(&entry.value, change, Slot::Under(column), colon_end);
            });
        }
        let spans: Vec<(usize, usize)> = if parts.removed.is_empty() {
            Vec::new()
        } else {
            entries.iter().map(|entry| (entry.key_start(), entry.end())).collect()
        };
        self.remove_block(&spans, parts, column);
        for (before, (key, value)) in parts.added_in_order(entries) {
            let previous = (0..before).rev().find(|index| !parts.removed.contains(index));
            let next = (before..entries.len()).find(|index| !parts.removed.contains(index));
            let step = Step::Key(key.clone());
            let new = self.down(step, before, None, |writer| writer.entry(key, value, column));
            self.put(
                previous.map(|index| entries[index].end()),
                next.map(|index| entries[index].key_start()),
                column,
                new,
            );
        }
    }

    /// Writes the changed parts of a block list.
    pub(super) fn block_list(&mut self, node: &'d Node, items: &'d [Node], parts: &Parts) {
        let text = self.document.text();
        let column = trivia::column(text, node.start());
        let dashes = dashes(text, node, items);
        for (&index, change) in &parts.changed {
            let item = &items[index];
            let dash_end = dashes[index] + 1;
            let below = trivia::has_break(text, dash_end, item.start());
            let beside = if below || item.style == NodeStyle::Absent { dash_end + 1 } else { item.start() };
            let slot = Slot::Beside(column + beside - dashes[index]);
            self.down(Step::Index(index), index, Some(item), |writer| writer.change(item, change, slot, dash_end));
        }
        let spans: Vec<(usize, usize)> = dashes.iter().zip(items).map(|(&dash, item)| (dash, item.end())).collect();
        self.remove_block(&spans, parts, column);
        let pad = style::pad(self.document, node);
        for (index, value) in &parts.inserted {
            let previous = (0..*index).rev().find(|index| !parts.removed.contains(index));
            let next = (*index..items.len()).find(|index| !parts.removed.contains(index));
            let new = self.down(Step::Index(*index), *index, None, |writer| writer.item(value, column, pad));
            self.put(previous.map(|index| items[index].end()), next.map(|index| dashes[index]), column, new);
        }
    }

    /// Puts a new entry or item behind the one that ends at `previous`, or else before the one that starts at `next`.
    fn put(&mut self, previous: Option<usize>, next: Option<usize>, column: usize, new: String) {
        let text = self.document.text();
        if let Some(end) = previous {
            let offset = trivia::deeper_comments(text, trivia::line_end(text, end), column);
            let line = self.line(column);
            self.splices.insert(offset, line + &new);
        } else if let Some(start) = next {
            let line = self.line(column);
            self.splices.insert(start, new + &line);
        }
    }

    /// Removes entries or items, of which some stay; `spans` are the ranges of all of them.
    fn remove_block(&mut self, spans: &[(usize, usize)], parts: &Parts, column: usize) {
        let text = self.document.text();
        let mut removed = parts.removed.iter().copied().peekable();
        // If the first entry is beside a dash, the next one that stays moves there.
        if let Some(&(first, first_end)) = spans.first()
            && removed.peek() == Some(&0)
            && !trivia::begins_line(text, first)
        {
            let stays = (0..spans.len()).find(|index| !parts.removed.contains(index)).unwrap_or(0);
            let rest = trivia::line_end(text, spans[stays.saturating_sub(1)].1);
            let next = spans[stays].0;
            let bare = text[rest..next].bytes().all(|byte| matches!(byte, b' ' | b'\r' | b'\n'));
            if bare {
                self.splices.delete(first, next);
                while removed.next_if(|index| *index < stays).is_some() {}
            } else {
                self.splices.delete(trivia::trim_blanks(text, first), trivia::line_end(text, first_end));
                removed.next();
            }
        }
        for index in removed {
            let (start, end) = spans[index];
            let end = trivia::line_end(text, end);
            self.splices.delete_lines(trivia::line_start(text, start), end);
            if self.attempt == Attempt::Dedented {
                self.dedent_comments(end, column);
            }
        }
    }

    /// Moves the comments below a removed entry to the left if no text above can absorb them.
    fn dedent_comments(&mut self, mut line_end: usize, column: usize) {
        let text = self.document.text();
        while let Some(start) = trivia::next_line(text, line_end) {
            let sign = trivia::skip_blanks(text, start);
            line_end = trivia::line_end(text, sign);
            match text.as_bytes().get(sign) {
                Some(b'#') if sign > start + column => self.splices.delete(start + column, sign),
                Some(b'#' | b'\r' | b'\n') => {}
                _ => break,
            }
        }
    }
}

/// Returns where the dashes of a block list are.
fn dashes(text: &str, node: &Node, items: &[Node]) -> Vec<usize> {
    let mut from = node.start();
    let mut dashes = Vec::with_capacity(items.len());
    for item in items {
        dashes.push(trivia::indicator(text, from, b'-').unwrap_or(from));
        from = item.end();
    }
    dashes
}
