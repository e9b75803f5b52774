//! Where new text goes in block style, and what goes out.

use super::edit::{Care, Step};
use super::emit::Writer;
use super::gap;
use super::plan::{Change, Parts};
use super::tree::{Data, Entry, Look, Node};
use crate::data::{Key, Value};

/// What holds a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seat {
    /// It is the whole document.
    Root,
    /// A block map whose keys begin in `column`; the colon ends at `at`.
    Entry { at: usize, column: usize },
    /// A block list; the dash ends at `at`, and the items begin in `column`.
    Item { at: usize, column: usize },
    /// A flow map; the colon, if there is one, ends at `at`, else the key does.
    FlowEntry { at: usize, colon: bool },
    /// A flow list.
    FlowItem,
}

impl<'d> Writer<'d> {
    /// Writes what becomes of `node`.
    pub fn change(&mut self, node: &'d Node, change: &Change, seat: Seat) {
        match change {
            Change::None => {}
            Change::Become { value, parts: None, .. } => self.replace(node, value, seat),
            Change::Become { parts: Some(parts), .. } | Change::Parts(parts) => match (&node.data, node.look) {
                (Data::Map(entries), Look::Flow) => self.flow_map(node, entries, parts),
                (Data::List(items), Look::Flow) => self.flow_list(node, items, parts),
                (Data::Map(entries), _) => self.block_map(node, entries, parts),
                (Data::List(items), _) => self.block_list(node, items, parts),
                _ => {}
            },
        }
    }

    fn block_map(&mut self, node: &'d Node, entries: &'d [Entry], parts: &Parts) {
        let text = self.document.text();
        let column = gap::column(text, node.start());
        for (&place, change) in &parts.changed {
            let entry = &entries[place];
            let at = after_colon(text, entry).unwrap_or(entry.key_end());
            let step = Step::Key(entry.key.clone());
            self.down(step, place, Some(&entry.value), |writer| {
                writer.change(&entry.value, change, Seat::Entry { at, column });
            });
        }
        let spans: Vec<(usize, usize)> = if parts.removed.is_empty() {
            Vec::new()
        } else {
            entries.iter().map(|e| (e.key_start(), end(e))).collect()
        };
        self.remove_block(&spans, parts, column);
        for (before, (key, value)) in in_order(entries, parts) {
            let previous = (0..before).rev().find(|place| !parts.removed.contains(place));
            let next = (before..entries.len()).find(|place| !parts.removed.contains(place));
            let step = Step::Key(key.clone());
            let new = self.down(step, before, None, |writer| writer.entry(key, value, column));
            self.put(
                previous.map(|place| end(&entries[place])),
                next.map(|place| entries[place].key_start()),
                column,
                new,
            );
        }
    }

    fn block_list(&mut self, node: &'d Node, items: &'d [Node], parts: &Parts) {
        let text = self.document.text();
        let column = gap::column(text, node.start());
        let dashes = dashes(text, node, items);
        for (&place, change) in &parts.changed {
            let item = &items[place];
            let at = dashes[place] + 1;
            let below = gap::breaks(text, at, item.start());
            let beside = if below || item.look == Look::Absent { at + 1 } else { item.start() };
            let seat = Seat::Item { at, column: column + beside - dashes[place] };
            self.down(Step::Index(place), place, Some(item), |writer| writer.change(item, change, seat));
        }
        let spans: Vec<(usize, usize)> = dashes.iter().zip(items).map(|(&dash, item)| (dash, item.end())).collect();
        self.remove_block(&spans, parts, column);
        let pad = super::look::pad(self.document, node);
        for (index, value) in &parts.inserted {
            let previous = (0..*index).rev().find(|place| !parts.removed.contains(place));
            let next = (*index..items.len()).find(|place| !parts.removed.contains(place));
            let new = self.down(Step::Index(*index), *index, None, |writer| writer.item(value, column, pad));
            self.put(previous.map(|place| items[place].end()), next.map(|place| dashes[place]), column, new);
        }
    }

    /// Puts a new entry or item behind the one that ends at `previous`, or else before the one that starts at `next`.
    fn put(&mut self, previous: Option<usize>, next: Option<usize>, column: usize, new: String) {
        let text = self.document.text();
        if let Some(end) = previous {
            let at = gap::deeper_comments(text, gap::line_end(text, end), column);
            let line = self.line(column);
            self.splices.insert(at, line + &new);
        } else if let Some(start) = next {
            let line = self.line(column);
            self.splices.insert(start, new + &line);
        }
    }

    /// Takes entries or items out, of which some stay; `spans` are all of them.
    fn remove_block(&mut self, spans: &[(usize, usize)], parts: &Parts, column: usize) {
        let text = self.document.text();
        let mut removed = parts.removed.iter().copied().peekable();
        // A first entry that stands beside a dash leaves its place to the next one that stays.
        if let Some(&(first, first_end)) = spans.first()
            && removed.peek() == Some(&0)
            && !gap::begins_line(text, first)
        {
            let stays = (0..spans.len()).find(|place| !parts.removed.contains(place)).unwrap_or(0);
            let rest = gap::line_end(text, spans[stays.saturating_sub(1)].1);
            let next = spans[stays].0;
            let bare = text[rest..next].bytes().all(|byte| matches!(byte, b' ' | b'\r' | b'\n'));
            if bare {
                self.splices.delete(first, next);
                while removed.next_if(|place| *place < stays).is_some() {}
            } else {
                self.splices.delete(gap::trim_blanks(text, first), gap::line_end(text, first_end));
                removed.next();
            }
        }
        for place in removed {
            let (start, end) = spans[place];
            let end = gap::line_end(text, end);
            self.splices.delete_lines(gap::line_start(text, start), end);
            if self.care == Care::Dedented {
                self.dedent_comments(end, column);
            }
        }
    }

    /// Moves the comments below a removed entry to the left, where no text above can take them in.
    fn dedent_comments(&mut self, mut line_end: usize, column: usize) {
        let text = self.document.text();
        while let Some(start) = gap::next_line(text, line_end) {
            let sign = gap::skip_blanks(text, start);
            line_end = gap::line_end(text, sign);
            match text.as_bytes().get(sign) {
                Some(b'#') if sign > start + column => self.splices.delete(start + column, sign),
                Some(b'#' | b'\r' | b'\n') => {}
                _ => break,
            }
        }
    }
}

/// Where the colon of an entry ends.
pub(super) fn after_colon(text: &str, entry: &Entry) -> Option<usize> {
    let colon = gap::indicator(text, entry.key_end(), b':')?;
    // A value of its own that begins with a colon is none.
    (entry.value.look == Look::Absent || colon < entry.value.start()).then_some(colon + 1)
}

/// Where an entry ends.
pub(super) fn end(entry: &Entry) -> usize {
    entry.value.end().max(entry.key_end())
}

/// Where the dashes of a block list are.
fn dashes(text: &str, node: &Node, items: &[Node]) -> Vec<usize> {
    let mut from = node.start();
    let mut dashes = Vec::with_capacity(items.len());
    for item in items {
        dashes.push(gap::indicator(text, from, b'-').unwrap_or(from));
        from = item.end();
    }
    dashes
}

/// The new entries with the place of the old entry that each stands before: the one given, or by number in a map that is
/// sorted so.
pub(super) fn in_order<'a>(entries: &[Entry], parts: &'a Parts) -> Vec<(usize, &'a (Key, Value))> {
    let added = &parts.added;
    let sorted = entries.iter().all(|entry| matches!(entry.key, Key::Int(_)))
        && entries.windows(2).all(|pair| pair[0].key < pair[1].key);
    let place = |key: &Key| {
        if let Some((_, given)) = parts.places.iter().find(|(own, _)| own == key) {
            (*given).min(entries.len())
        } else if sorted && matches!(key, Key::Int(_)) {
            entries.partition_point(|entry| entry.key < *key)
        } else {
            entries.len()
        }
    };
    let mut placed: Vec<_> = added.iter().map(|entry| (place(&entry.0), entry)).collect();
    if sorted && added.iter().all(|(key, _)| matches!(key, Key::Int(_))) {
        placed.sort_by(|a, b| a.1.0.cmp(&b.1.0));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed
}
