//! How new text looks: as what stands nearest under the same key, else as most of the document, else by default.

use super::Style;
use super::edit::Step;
use super::gap;
use super::tree::{Data, Document, Entry, Look, Node};
use crate::data::{Key, Value};

/// How many neighbours to either side are asked how they look.
const NEIGHBOURS: usize = 48;
/// Maps with more entries are not searched for the same key.
const LARGE: usize = 2_000;
/// How many nodes from the start of a document show what is usual in it.
const SAMPLE: usize = 3_000;
/// How wide a list of scalars may be on one line.
const WIDTH: usize = 72;

/// What is usual in a document.
#[derive(Debug)]
pub(super) struct Usual {
    /// How much deeper a map is than its key.
    pub step: usize,
    /// How much deeper the dashes of a list are than its key.
    pub dash: usize,
    /// Whether text that needs quotes gets single ones.
    pub single: bool,
    /// The line break.
    pub newline: &'static str,
}

impl Usual {
    pub fn of(document: &Document) -> Self {
        let mut count = Count::default();
        count.node(document, &document.root, &mut SAMPLE.clone());
        let most = |counts: &[usize]| {
            let most = counts.iter().copied().max().unwrap_or(0);
            counts.iter().position(|&count| count == most && most > 0)
        };
        let dash = most(&count.dashes);
        // Without a map in a map, an indented list shows the step.
        let step = most(&count.steps).or(dash).filter(|&step| step > 0).unwrap_or(2);
        let newline = match document.text.find('\n') {
            Some(place) if document.text[..place].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        Self { step, dash: dash.unwrap_or(step), single: count.single > count.double, newline }
    }
}

/// What the first nodes of a document look like.
#[derive(Default)]
struct Count {
    steps: [usize; 10],
    dashes: [usize; 10],
    single: usize,
    double: usize,
}

impl Count {
    fn node(&mut self, document: &Document, node: &Node, left: &mut usize) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        match (&node.data, node.look) {
            (_, Look::Single) => self.single += 1,
            (_, Look::Double) => self.double += 1,
            (Data::List(items), _) => items.iter().for_each(|item| self.node(document, item, left)),
            (Data::Map(entries), look) => {
                for entry in entries {
                    if look == Look::Block
                        && let Some(offset) = offset(document, node, &entry.value)
                    {
                        let counts = if entry.value.is_list() { &mut self.dashes } else { &mut self.steps };
                        counts[offset.min(9)] += 1;
                    }
                    self.node(document, &entry.value, left);
                }
            }
            _ => {}
        }
    }
}

/// How much deeper than the keys of the block map `parent` its block value is.
pub(super) fn offset(document: &Document, parent: &Node, value: &Node) -> Option<usize> {
    if !parent.is_map() || !parent.is_block() || !value.is_block() {
        return None;
    }
    gap::column(&document.text, value.start()).checked_sub(gap::column(&document.text, parent.start()))
}

/// One step of the way from the top to the place of new text.
#[derive(Debug)]
pub(super) struct Down<'d> {
    pub step: Step,
    /// The place in its map or list, or the place it is next to.
    pub near: usize,
    /// What is there now.
    pub node: Option<&'d Node>,
}

/// A node that shows how a new one may look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example<'d> {
    pub node: &'d Node,
    pub parent: Option<&'d Node>,
}

impl<'d> Example<'d> {
    /// The entry, if the example is the value of one.
    pub fn entry(&self) -> Option<&'d Entry> {
        self.parent?.entries().iter().find(|entry| std::ptr::eq(&raw const entry.value, self.node))
    }
}

/// The way from the top to the place of new text, and what it passes.
#[derive(Debug)]
pub(super) struct Trail<'d> {
    pub document: &'d Document,
    pub downs: Vec<Down<'d>>,
}

impl<'d> Trail<'d> {
    /// What is now at the place that many steps down.
    fn node(&self, depth: usize) -> Option<&'d Node> {
        match depth {
            0 => Some(&self.document.root),
            _ => self.downs[depth - 1].node,
        }
    }

    /// What is now at the place of the new text.
    pub fn here(&self) -> Option<&'d Node> {
        self.node(self.downs.len())
    }

    /// The map or list that the new text is in.
    pub fn parent(&self) -> Option<&'d Node> {
        self.node(self.downs.len().checked_sub(1)?)
    }

    /// The key that the new text is under, if it is in a map.
    pub fn key(&self) -> Option<&Key> {
        match &self.downs.last()?.step {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }

    /// What is at the place now, else the nearest node that has the same keys above it, if it `fits`.
    ///
    /// Items of a list, and entries under numbers, are alike: there the neighbours come first.
    pub fn like(&self, fits: impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        let depth = self.downs.len();
        if let Some(node) = self.here().filter(|node| fits(node)) {
            return Some(Example { node, parent: self.parent() });
        }
        let last = depth.checked_sub(1)?;
        let alike = !matches!(self.downs[last].step, Step::Key(Key::Text(_)));
        let levels = if alike { depth } else { last };
        (0..levels).rev().find_map(|level| self.cousin(level, &fits))
    }

    /// The nearest neighbour in the same map or list that `fits`, under whatever key.
    pub fn sibling(&self, fits: impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        self.cousin(self.downs.len().checked_sub(1)?, &fits)
    }

    /// Searches where the way would lead if it took another turn `level` steps down.
    fn cousin(&self, level: usize, fits: &impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        let parent = self.node(level)?;
        let way = &self.downs[level + 1..];
        if !way.is_empty() && !way.iter().any(|down| matches!(down.step, Step::Key(Key::Text(_)))) {
            return None;
        }
        let near = self.downs[level].near;
        let found = |child: &'d Node| follow(Example { node: child, parent: Some(parent) }, way);
        let fits = |example: &Example<'d>| fits(example.node);
        match &parent.data {
            Data::Map(entries) => nearest(entries, near).filter_map(|entry| found(&entry.value)).find(fits),
            Data::List(items) => nearest(items, near).filter_map(found).find(fits),
            _ => None,
        }
    }

    /// Whether a new map or list is written on one line, where it could be written on several.
    pub fn writes_flow(&self, value: &Value, style: &Style, lead: usize) -> bool {
        if holds_lines(value) {
            return false;
        }
        let list = matches!(value, Value::List(_));
        let alike = |node: &Node| {
            if list { !node.items().is_empty() } else { !node.entries().is_empty() }
        };
        if let Some(example) = self.like(alike) {
            return !example.node.is_block();
        }
        if let Some(Key::Text(key)) = self.key()
            && (style.flow)(key)
        {
            return true;
        }
        let simple = |value: &Value| !matches!(value, Value::List(_) | Value::Map(_));
        if !list || !value.items().iter().all(simple) {
            return false;
        }
        let scalars =
            |node: &Node| !node.items().is_empty() && node.items().iter().all(|item| !item.is_list() && !item.is_map());
        match self.sibling(scalars) {
            Some(example) => !example.node.is_block(),
            None => lead + value.to_string().chars().count() <= WIDTH,
        }
    }

    /// How much deeper than its key a new block map or list is.
    pub fn offset(&self, list: bool, usual: &Usual) -> usize {
        let document = self.document;
        let alike = |node: &Node| node.is_block() && if list { node.is_list() } else { node.is_map() };
        let offset_of = |example: Example| offset(document, example.parent?, example.node);
        let found = self.like(alike).and_then(offset_of).or_else(|| self.sibling(alike).and_then(offset_of));
        match found {
            Some(offset) if list || offset > 0 => offset,
            _ if list => usual.dash,
            _ => usual.step,
        }
    }

    /// How far after its dash an item of a new block list begins.
    pub fn pad(&self) -> usize {
        let list = self.like(|node| node.is_block() && node.is_list());
        list.map_or(2, |example| pad(self.document, example.node))
    }
}

/// How far after its dash the first item of a block list begins.
pub(super) fn pad(document: &Document, list: &Node) -> usize {
    match list.items() {
        [first, ..] if first.start > list.start && first.look != Look::Absent => {
            let between = &document.text[list.start()..first.start()];
            if between[1..].bytes().all(|byte| byte == b' ') { between.len() } else { 2 }
        }
        _ => 2,
    }
}

/// Those before `near`, nearest first, then those from there on.
fn nearest<T>(all: &[T], near: usize) -> impl Iterator<Item = &T> {
    let (before, after) = all.split_at(near.min(all.len()));
    before.iter().rev().take(NEIGHBOURS).chain(after.iter().take(NEIGHBOURS))
}

/// Goes on from `example` by the same keys; items of lists and entries under numbers stand for each other.
fn follow<'d>(mut example: Example<'d>, way: &[Down]) -> Option<Example<'d>> {
    for down in way {
        let parent = example.node;
        let node = match (&down.step, &parent.data) {
            (Step::Key(Key::Text(_)), Data::Map(entries)) if entries.len() <= LARGE => parent.child(&down.step)?,
            (Step::Key(Key::Int(_)), Data::Map(entries)) => &entries.first()?.value,
            (Step::Index(index), Data::List(items)) => items.get(*index).or(items.last())?,
            _ => return None,
        };
        example = Example { node, parent: Some(parent) };
    }
    Some(example)
}

/// Whether a value holds text of several lines.
fn holds_lines(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.contains('\n'),
        Value::List(values) => values.iter().any(holds_lines),
        Value::Map(entries) => entries.iter().any(|(_, value)| holds_lines(value)),
        _ => false,
    }
}
