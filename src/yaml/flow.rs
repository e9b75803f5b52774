//! Where new text goes within brackets and braces, and what goes out.

use super::block::{Seat, after_colon, end, in_order};
use super::edit::Step;
use super::emit::Writer;
use super::gap;
use super::plan::Parts;
use super::scalar::Position;
use super::tree::{Entry, Node};

impl<'d> Writer<'d> {
    pub(super) fn flow_map(&mut self, node: &'d Node, entries: &'d [Entry], parts: &Parts) {
        let text = self.document.text();
        for (&place, change) in &parts.changed {
            let entry = &entries[place];
            let colon = after_colon(text, entry);
            let seat = Seat::FlowEntry { at: colon.unwrap_or(entry.key_end()), colon: colon.is_some() };
            let step = Step::Key(entry.key.clone());
            self.down(step, place, Some(&entry.value), |writer| writer.change(&entry.value, change, seat));
        }
        let spans: Vec<(usize, usize)> = entries.iter().map(|entry| (entry.key_start(), end(entry))).collect();
        let mut new = Vec::new();
        for (before, (key, value)) in in_order(entries, parts) {
            let step = Step::Key(key.clone());
            new.push((before, self.down(step, before, None, |writer| writer.flow_entry(key, value))));
        }
        self.flow_items(node, &spans, parts, &new);
    }

    pub(super) fn flow_list(&mut self, node: &'d Node, items: &'d [Node], parts: &Parts) {
        for (&place, change) in &parts.changed {
            let item = &items[place];
            self.down(Step::Index(place), place, Some(item), |writer| writer.change(item, change, Seat::FlowItem));
        }
        let spans: Vec<(usize, usize)> = items.iter().map(|item| (item.start(), item.end())).collect();
        let mut new = Vec::new();
        for (index, value) in &parts.inserted {
            let step = Step::Index(*index);
            new.push((*index, self.down(step, *index, None, |writer| writer.inline(value, Position::Flow))));
        }
        self.flow_items(node, &spans, parts, &new);
    }

    /// Takes out and puts in; `spans` are all items, `new` the new ones with the place that each stands before.
    fn flow_items(&mut self, node: &Node, spans: &[(usize, usize)], parts: &Parts, new: &[(usize, String)]) {
        let stays = |place: &usize| !parts.removed.contains(place);
        let last = (0..spans.len()).rev().find(stays);
        let goes_on = last.is_some_and(|last| new.iter().any(|(before, _)| *before > last));
        let mut cut = None;
        let mut place = 0;
        while place < spans.len() {
            let first = place;
            while place < spans.len() && !stays(&place) {
                place += 1;
            }
            if place > first && self.remove_flow(node, spans, first, place, goes_on) {
                cut = first.checked_sub(1);
            }
            place += 1;
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

    /// Takes the items from `first` up to `next` out; `goes_on` is whether new ones follow the last item that stays.
    /// Gives back whether the comma before them went, with all that stood between.
    fn remove_flow(&mut self, node: &Node, spans: &[(usize, usize)], first: usize, next: usize, goes_on: bool) -> bool {
        let text = self.document.text();
        let (start, last_end) = (spans[first].0, spans[next - 1].1);
        let line_end = line_after(text, last_end).filter(|_| self.has_own_line(node, start));
        if let Some(line_end) = line_end {
            self.splices.delete_lines(gap::line_start(text, start), line_end);
            let comma_stays = goes_on || next < spans.len() || gap::indicator(text, last_end, b',').is_some();
            if first > 0
                && !comma_stays
                && let Some(comma) = gap::indicator(text, spans[first - 1].1, b',')
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

    /// Puts items behind the one at `previous`; `last` is whether none that stays stands behind them.
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
        if gap::indicator(text, end, b',').is_none() {
            self.splices.insert(end, ",");
        }
        // The last item has a comma if the last one had.
        let comma = !last || spans.last().is_some_and(|&(_, end)| gap::indicator(text, end, b',').is_some());
        let column = gap::column(text, start);
        for (place, (_, item)) in items.iter().enumerate() {
            let sign = if comma || place + 1 < items.len() { "," } else { "" };
            let line = self.line(column);
            self.splices.insert(line_end, format!("{line}{item}{sign}"));
        }
    }

    /// Puts items behind the one that ends at `end`, in its line.
    fn add_in_line(&mut self, end: usize, items: &[(usize, String)]) {
        for (_, item) in items {
            self.splices.insert(end, format!(", {item}"));
        }
    }

    /// Whether an item begins a line below that of the bracket.
    fn has_own_line(&self, node: &Node, start: usize) -> bool {
        let text = self.document.text();
        gap::begins_line(text, start) && gap::breaks(text, node.start(), start)
    }
}

/// The end of the line in which an item ends, if only its comma and a comment follow in it.
fn line_after(text: &str, end: usize) -> Option<usize> {
    let mut here = gap::skip_blanks(text, end);
    if text.as_bytes().get(here) == Some(&b',') {
        here += 1;
    }
    gap::only_comment_follows(text, here).then(|| gap::line_end(text, here))
}
