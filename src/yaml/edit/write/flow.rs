//! Adds and removes entries and items within brackets and braces.

use std::ops::Range;

use super::super::change::Parts;
use super::Writer;
use super::slot::Slot;
use crate::yaml::path::Step;
use crate::yaml::read::scalar::Position;
use crate::yaml::read::tree::{Entry, Node};
use crate::yaml::trivia;

impl<'d> Writer<'d> {
    /// Writes the changed parts of a flow map.
    pub(super) fn flow_map(&mut self, node: &'d Node, entries: &'d [Entry], parts: &Parts) {
        let text = self.document.text();
        for (&index, change) in &parts.changed {
            let entry = &entries[index];
            let colon_end = entry.colon_end(text);
            let slot = Slot::FlowEntry { colon: colon_end.is_some() };
            let indicator_end = colon_end.unwrap_or(entry.key_end());
            let step = Step::Key(entry.key.clone());
            self.down(step, index, Some(&entry.value), |writer| {
                writer.change(&entry.value, change, slot, indicator_end);
            });
        }
        let spans: Vec<(usize, usize)> = entries.iter().map(|entry| (entry.key_start(), entry.end())).collect();
        let mut new = Vec::new();
        for (before, (key, value)) in parts.added_in_order(entries) {
            let step = Step::Key(key.clone());
            new.push((before, self.down(step, before, None, |writer| writer.flow_entry(key, value))));
        }
        self.flow_items(node, &spans, parts, &new);
    }

    /// Writes the changed parts of a flow list.
    pub(super) fn flow_list(&mut self, node: &'d Node, items: &'d [Node], parts: &Parts) {
        for (&index, change) in &parts.changed {
            let item = &items[index];
            self.down(Step::Index(index), index, Some(item), |writer| {
                writer.change(item, change, Slot::FlowItem, item.start());
            });
        }
        let spans: Vec<(usize, usize)> = items.iter().map(|item| (item.start(), item.end())).collect();
        let mut new = Vec::new();
        for (index, value) in &parts.inserted {
            let step = Step::Index(*index);
            new.push((*index, self.down(step, *index, None, |writer| writer.inline(value, Position::Flow))));
        }
        self.flow_items(node, &spans, parts, &new);
    }

    /// Removes and adds items; `spans` are the ranges of all old ones, `new` the new ones with the index of the item that
    /// follows.
    fn flow_items(&mut self, node: &Node, spans: &[(usize, usize)], parts: &Parts, new: &[(usize, String)]) {
        let stays = |index: &usize| !parts.removed.contains(index);
        let last = (0..spans.len()).rev().find(stays);
        let continued = last.is_some_and(|last| new.iter().any(|(before, _)| *before > last));
        let mut cut = None;
        let mut index = 0;
        while index < spans.len() {
            let first = index;
            while index < spans.len() && !stays(&index) {
                index += 1;
            }
            if index > first && self.remove_flow(node, spans, first..index, continued) {
                cut = first.checked_sub(1);
            }
            index += 1;
        }
        let mut rest = new;
        while let Some((before, _)) = rest.first() {
            let previous = (0..*before).rev().find(stays);
            let together = rest.iter().take_while(|(before, _)| (0..*before).rev().find(stays) == previous).count();
            let (group, others) = rest.split_at(together);
            rest = others;
            match (previous, (0..spans.len()).find(stays)) {
                (Some(previous), _) if cut == Some(previous) => self.add_in_line(spans[previous].1, group),
                (Some(previous), _) => self.add_flow(node, spans, previous, previous == last.unwrap_or(0), group),
                (None, Some(next)) => {
                    for (_, item) in group {
                        self.splices.insert(spans[next].0, format!("{item}, "));
                    }
                }
                (None, None) => {}
            }
        }
    }

    /// Removes a run of items; `continued` is whether new ones follow the last item that stays.
    ///
    /// Returns whether the comma before them was removed, with everything in between.
    fn remove_flow(&mut self, node: &Node, spans: &[(usize, usize)], run: Range<usize>, continued: bool) -> bool {
        let text = self.document.text();
        let Range { start: first, end: next } = run;
        let (start, last_end) = (spans[first].0, spans[next - 1].1);
        let line_end = line_after(text, last_end).filter(|_| self.has_own_line(node, start));
        if let Some(line_end) = line_end {
            self.splices.delete_lines(trivia::line_start(text, start), line_end);
            let comma_stays = continued || next < spans.len() || trivia::indicator(text, last_end, b',').is_some();
            if first > 0
                && !comma_stays
                && let Some(comma) = trivia::indicator(text, spans[first - 1].1, b',')
            {
                self.splices.delete(comma, comma + 1);
            }
        } else if next < spans.len() {
            self.splices.delete(start, spans[next].0);
        } else if first > 0 {
            self.splices.delete(spans[first - 1].1, last_end);
            return true;
        }
        false
    }

    /// Adds items behind the one at `previous`; `last` is whether no old item follows them.
    fn add_flow(
        &mut self,
        node: &Node,
        spans: &[(usize, usize)],
        previous: usize,
        last: bool,
        items: &[(usize, String)],
    ) {
        let text = self.document.text();
        let (start, end) = spans[previous];
        let Some(line_end) = line_after(text, end).filter(|_| self.has_own_line(node, start)) else {
            return self.add_in_line(end, items);
        };
        if trivia::indicator(text, end, b',').is_none() {
            self.splices.insert(end, ",");
        }
        // The last item has a comma if the last one had.
        let comma = !last || spans.last().is_some_and(|&(_, end)| trivia::indicator(text, end, b',').is_some());
        let column = trivia::column(text, start);
        for (index, (_, item)) in items.iter().enumerate() {
            let sign = if comma || index + 1 < items.len() { "," } else { "" };
            let line = self.line(column);
            self.splices.insert(line_end, format!("{line}{item}{sign}"));
        }
    }

    /// Adds items behind the one that ends at `end`, in its line.
    fn add_in_line(&mut self, end: usize, items: &[(usize, String)]) {
        for (_, item) in items {
            self.splices.insert(end, format!(", {item}"));
        }
    }

    /// Whether an item begins a line below the line of the bracket.
    fn has_own_line(&self, node: &Node, start: usize) -> bool {
        let text = self.document.text();
        trivia::begins_line(text, start) && trivia::has_break(text, node.start(), start)
    }
}

/// Returns the end of the line in which an item ends, if only its comma and a comment follow in it.
fn line_after(text: &str, end: usize) -> Option<usize> {
    let mut here = trivia::skip_blanks(text, end);
    if text.as_bytes().get(here) == Some(&b',') {
        here += 1;
    }
    trivia::only_comment_follows(text, here).then(|| trivia::line_end(text, here))
}
