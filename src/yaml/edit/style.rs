//! Finds out how new text should look: like the nearest value under the same key, else like most of the document, else
//! by default.

use super::Style;
use crate::data::{Key, Value};
use crate::yaml::path::Step;
use crate::yaml::read::tree::{Data, Document, Entry, Node, NodeStyle};
use crate::yaml::trivia;

/// How many neighbours on either side may serve as an example.
const NEIGHBOURS: usize = 48;
/// Maps with more entries are not searched for the same key.
const LARGE: usize = 2_000;
/// How many nodes from the start of a document are counted for its style.
const SAMPLE: usize = 3_000;
/// The largest width of a list of scalars on one line.
const WIDTH: usize = 72;

/// The style of most of a document.
#[derive(Debug)]
pub(super) struct DocumentStyle {
    /// How much deeper a map is than its key.
    pub step: usize,
    /// How much deeper the dashes of a list are than its key.
    pub dash: usize,
    /// Whether text that needs quotes gets single ones.
    pub single: bool,
    /// The line break.
    pub newline: &'static str,
}

impl DocumentStyle {
    /// Counts the first nodes of a document.
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
        let newline = match document.text().find('\n') {
            Some(line_end) if document.text()[..line_end].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        Self { step, dash: dash.unwrap_or(step), single: count.single > count.double, newline }
    }
}

/// How often the first nodes of a document have each style.
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
        match (&node.data, node.style) {
            (_, NodeStyle::Single) => self.single += 1,
            (_, NodeStyle::Double) => self.double += 1,
            (Data::List(items), _) => items.iter().for_each(|item| self.node(document, item, left)),
            (Data::Map(entries), style) => {
                for entry in entries {
                    if style == NodeStyle::Block
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

/// Returns how much deeper a block value is than the keys of its block map `parent`.
pub(super) fn offset(document: &Document, parent: &Node, value: &Node) -> Option<usize> {
    if !parent.is_map() || !parent.is_block() || !value.is_block() {
        return None;
    }
    trivia::column(document.text(), value.start()).checked_sub(trivia::column(document.text(), parent.start()))
}

/// One step on the way from the top to the new text.
#[derive(Debug)]
pub(super) struct PathStep<'d> {
    pub step: Step,
    /// The index in its map or list, or the index of a neighbour.
    pub near: usize,
    /// The node that is there now.
    pub node: Option<&'d Node>,
}

/// A node whose style a new one takes over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example<'d> {
    pub node: &'d Node,
    pub parent: Option<&'d Node>,
}

impl<'d> Example<'d> {
    /// Returns the entry that has the example as its value.
    pub fn entry(&self) -> Option<&'d Entry> {
        self.parent?.entries().iter().find(|entry| std::ptr::eq(&raw const entry.value, self.node))
    }
}

/// The place of new text: all steps down to it, with the nodes on the way.
#[derive(Debug)]
pub(super) struct Cursor<'d> {
    pub document: &'d Document,
    pub steps: Vec<PathStep<'d>>,
}

impl<'d> Cursor<'d> {
    /// Returns the node that is now `depth` steps down.
    fn node_at(&self, depth: usize) -> Option<&'d Node> {
        match depth {
            0 => Some(&self.document.root),
            _ => self.steps[depth - 1].node,
        }
    }

    /// Returns the node that the new text replaces.
    pub fn node(&self) -> Option<&'d Node> {
        self.node_at(self.steps.len())
    }

    /// Returns the map or list that contains the new text.
    pub fn parent(&self) -> Option<&'d Node> {
        self.node_at(self.steps.len().checked_sub(1)?)
    }

    /// Returns the key of the new text, if it is in a map.
    pub fn key(&self) -> Option<&Key> {
        match &self.steps.last()?.step {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }

    /// Returns the node that the new text replaces, else the nearest node under the same keys, if it `fits`.
    ///
    /// Items of a list, and entries under numbers, are alike: for them the neighbours come first.
    pub fn example(&self, fits: impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        let depth = self.steps.len();
        if let Some(node) = self.node().filter(|node| fits(node)) {
            return Some(Example { node, parent: self.parent() });
        }
        let last = depth.checked_sub(1)?;
        let alike = !matches!(self.steps[last].step, Step::Key(Key::Text(_)));
        let levels = if alike { depth } else { last };
        (0..levels).rev().find_map(|level| self.cousin(level, &fits))
    }

    /// Returns the nearest neighbour in the same map or list that `fits`, under any key.
    pub fn sibling(&self, fits: impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        self.cousin(self.steps.len().checked_sub(1)?, &fits)
    }

    /// Returns the nearest node that `fits` and has the same path but for the step at `level`.
    fn cousin(&self, level: usize, fits: &impl Fn(&Node) -> bool) -> Option<Example<'d>> {
        let parent = self.node_at(level)?;
        let rest = &self.steps[level + 1..];
        if !rest.is_empty() && !rest.iter().any(|step| matches!(step.step, Step::Key(Key::Text(_)))) {
            return None;
        }
        let near = self.steps[level].near;
        let cousin = |child: &'d Node| follow(Example { node: child, parent: Some(parent) }, rest);
        let fits = |example: &Example<'d>| fits(example.node);
        match &parent.data {
            Data::Map(entries) => nearest(entries, near).filter_map(|entry| cousin(&entry.value)).find(fits),
            Data::List(items) => nearest(items, near).filter_map(cousin).find(fits),
            _ => None,
        }
    }

    /// Whether a new map or list is written on one line; the line is `lead` wide before it.
    pub fn writes_flow(&self, value: &Value, style: &Style, lead: usize) -> bool {
        if has_line_breaks(value) {
            return false;
        }
        let list = matches!(value, Value::List(_));
        let alike = |node: &Node| {
            if list { !node.items().is_empty() } else { !node.entries().is_empty() }
        };
        if let Some(example) = self.example(alike) {
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

    /// Returns how much deeper than its key a new block map or list is.
    pub fn offset(&self, list: bool, style: &DocumentStyle) -> usize {
        let document = self.document;
        let alike = |node: &Node| node.is_block() && if list { node.is_list() } else { node.is_map() };
        let offset_of = |example: Example| offset(document, example.parent?, example.node);
        match self.example(alike).and_then(offset_of).or_else(|| self.sibling(alike).and_then(offset_of)) {
            Some(offset) if list || offset > 0 => offset,
            _ if list => style.dash,
            _ => style.step,
        }
    }

    /// Returns how far behind its dash an item of a new block list begins.
    pub fn pad(&self) -> usize {
        let list = self.example(|node| node.is_block() && node.is_list());
        list.map_or(2, |example| pad(self.document, example.node))
    }
}

/// Returns how far behind its dash the first item of a block list begins.
pub(super) fn pad(document: &Document, list: &Node) -> usize {
    match list.items() {
        [first, ..] if first.start > list.start && first.style != NodeStyle::Absent => {
            let between = &document.text()[list.start()..first.start()];
            if between[1..].bytes().all(|byte| byte == b' ') { between.len() } else { 2 }
        }
        _ => 2,
    }
}

/// Returns those before `near`, nearest first, then those from there on.
fn nearest<T>(all: &[T], near: usize) -> impl Iterator<Item = &T> {
    let (before, after) = all.split_at(near.min(all.len()));
    before.iter().rev().take(NEIGHBOURS).chain(after.iter().take(NEIGHBOURS))
}

/// Follows `steps` down from `example`; an item of a list or an entry under a number may serve for another.
fn follow<'d>(mut example: Example<'d>, steps: &[PathStep]) -> Option<Example<'d>> {
    for step in steps {
        let parent = example.node;
        let node = match (&step.step, &parent.data) {
            (Step::Key(Key::Text(_)), Data::Map(entries)) if entries.len() <= LARGE => parent.child(&step.step)?,
            (Step::Key(Key::Int(_)), Data::Map(entries)) => &entries.first()?.value,
            (Step::Index(index), Data::List(items)) => items.get(*index).or(items.last())?,
            _ => return None,
        };
        example = Example { node, parent: Some(parent) };
    }
    Some(example)
}

/// Whether a value contains text of several lines.
fn has_line_breaks(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.contains('\n'),
        Value::List(values) => values.iter().any(has_line_breaks),
        Value::Map(entries) => entries.iter().any(|(_, value)| has_line_breaks(value)),
        _ => false,
    }
}
