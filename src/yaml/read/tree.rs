//! The tree of the values in a text, each with its place.

use std::sync::Arc;

use crate::data::{Key, Value};
use crate::diagnostic::{Source, Span};
use crate::yaml::path::Step;
use crate::yaml::trivia;

/// A text and the values found in it.
#[derive(Debug, Clone)]
pub struct Document {
    pub(in crate::yaml) source: Arc<Source>,
    pub(in crate::yaml) root: Node,
    /// The start and end of every comment, in order.
    pub(in crate::yaml) comments: Box<[(u32, u32)]>,
}

/// How a node is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::yaml) enum NodeStyle {
    /// A null that is left out; it is an empty range right after the colon or dash.
    Absent,
    Plain,
    Single,
    Double,
    Literal,
    Folded,
    Block,
    Flow,
}

/// A value with its place.
///
/// A list in block style starts at its first dash, a block scalar at its `|` or `>`; every node ends with its last
/// visible character.
#[derive(Debug, Clone)]
pub struct Node {
    // Offsets are u32 because a board of 100,000 spaces has a million nodes.
    pub(in crate::yaml) start: u32,
    pub(in crate::yaml) end: u32,
    pub(in crate::yaml) style: NodeStyle,
    /// The indentation of a block scalar's text; 0 if it is empty, and for all other nodes.
    pub(in crate::yaml) indent: u16,
    /// The value.
    pub data: Data,
}

/// The value of a node, whose children are nodes too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number, decimal or `0x…`.
    Int(i64),
    /// Any other plain scalar, and all quoted and block scalars.
    Text(String),
    /// A list.
    List(Box<[Node]>),
    /// A map, in the order of the text.
    Map(Box<[Entry]>),
}

/// A key with its value.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key.
    pub key: Key,
    pub(in crate::yaml) key_start: u32,
    pub(in crate::yaml) key_end: u32,
    /// The value.
    pub value: Node,
}

/// Returns an offset in the form in which nodes keep it; longer texts are refused before.
pub(in crate::yaml) fn offset32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// Entries and nodes are equal if their values are, wherever and however they are written.
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Eq for Entry {}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl Eq for Node {}

impl Document {
    /// Returns the text, byte for byte as it was given.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Returns the text with its name.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the value of the whole text.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Returns the line and column of a byte offset, both counted from 1, the column in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        self.source.line_column(offset)
    }

    /// Returns the comments in order, each from its `#` to the end of its line.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().map(|&(start, end)| &self.source.text[start as usize..end as usize])
    }
}

impl Entry {
    /// Returns where the key is.
    pub fn key_span(&self) -> Span {
        Span { start: self.key_start(), end: self.key_end() }
    }

    pub(in crate::yaml) fn key_start(&self) -> usize {
        self.key_start as usize
    }

    pub(in crate::yaml) fn key_end(&self) -> usize {
        self.key_end as usize
    }

    /// Returns the end of the entry: of its value, or of its key if the value is left out.
    pub(in crate::yaml) fn end(&self) -> usize {
        self.value.end().max(self.key_end())
    }

    /// Returns where the colon ends; `None` for a key of a flow map without one.
    pub(in crate::yaml) fn colon_end(&self, text: &str) -> Option<usize> {
        let colon = trivia::indicator(text, self.key_end(), b':')?;
        // A value may itself begin with a colon.
        (self.value.style == NodeStyle::Absent || colon < self.value.start()).then_some(colon + 1)
    }
}

impl Node {
    /// Returns where the value is; an empty range right after the colon or dash if it is left out.
    pub fn span(&self) -> Span {
        Span { start: self.start(), end: self.end() }
    }

    /// Copies the value, without its places.
    pub fn to_value(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Bool(yes) => Value::Bool(*yes),
            Data::Int(number) => Value::Int(*number),
            Data::Text(text) => Value::Text(text.clone()),
            Data::List(items) => Value::List(items.iter().map(Self::to_value).collect()),
            Data::Map(entries) => {
                Value::Map(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())).collect())
            }
        }
    }

    /// Returns the value under `key`, which is compared with the keys as they are displayed.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key.is(key)).map(|entry| &entry.value)
    }

    /// Returns the entries of a map; none for any other value.
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list; none for any other value.
    pub fn items(&self) -> &[Node] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    /// Whether this is left out, or a scalar without quotes that is not a block scalar.
    ///
    /// Plain text may have been meant as a number, such as `01` or `1.5`.
    pub fn plain(&self) -> bool {
        matches!(self.style, NodeStyle::Plain | NodeStyle::Absent)
    }

    /// Returns the byte offset of the first line of a literal block scalar (`|`), and the indentation of its lines;
    /// `None` for any other value.
    ///
    /// The offset is before the indentation. Line n of the text is line n from there, and column c of the text is column
    /// c plus the indentation.
    pub fn literal_body(&self, document: &Document) -> Option<(usize, usize)> {
        if self.style != NodeStyle::Literal || self.indent == 0 {
            return None;
        }
        let header_end = trivia::line_end(document.text(), self.start());
        Some((trivia::next_line(document.text(), header_end)?, usize::from(self.indent)))
    }

    pub(in crate::yaml) fn start(&self) -> usize {
        self.start as usize
    }

    pub(in crate::yaml) fn end(&self) -> usize {
        self.end as usize
    }

    /// Returns the value one step further down.
    pub(in crate::yaml) fn child(&self, step: &Step) -> Option<&Node> {
        match (step, &self.data) {
            (Step::Key(key), Data::Map(entries)) => {
                entries.iter().find(|entry| entry.key == *key).map(|entry| &entry.value)
            }
            (Step::Index(index), Data::List(items)) => items.get(*index),
            _ => None,
        }
    }

    pub(in crate::yaml) fn is_map(&self) -> bool {
        matches!(self.data, Data::Map(_))
    }

    pub(in crate::yaml) fn is_list(&self) -> bool {
        matches!(self.data, Data::List(_))
    }

    /// Whether this is a list or map in block style: on lines of its own, or beside a dash.
    pub(in crate::yaml) fn is_block(&self) -> bool {
        self.style == NodeStyle::Block
    }

    pub(in crate::yaml) fn is_block_scalar(&self) -> bool {
        matches!(self.style, NodeStyle::Literal | NodeStyle::Folded)
    }

    /// Whether this is equal to `value`; the order of the entries of a map does not matter.
    pub(in crate::yaml) fn equals(&self, value: &Value) -> bool {
        match (&self.data, value) {
            (Data::Null, Value::Null) => true,
            (Data::Bool(mine), Value::Bool(other)) => mine == other,
            (Data::Int(mine), Value::Int(other)) => mine == other,
            (Data::Text(mine), Value::Text(other)) => mine == other,
            (Data::List(items), Value::List(values)) => {
                items.len() == values.len() && items.iter().zip(values).all(|(item, value)| item.equals(value))
            }
            (Data::Map(mine), Value::Map(other)) => mine.len() == other.len() && same_entries(mine, other),
            _ => false,
        }
    }
}

/// Whether two maps of the same size are equal. The keys of a node's map are all different.
fn same_entries(entries: &[Entry], values: &[(Key, Value)]) -> bool {
    let Some(parting) = entries.iter().zip(values).position(|(entry, (key, _))| entry.key != *key) else {
        return entries.iter().zip(values).all(|(entry, (_, value))| entry.value.equals(value));
    };
    let (same, rest) = entries.split_at(parting);
    if !same.iter().zip(values).all(|(entry, (_, value))| entry.value.equals(value)) {
        return false;
    }
    let mut left: Vec<&Entry> = rest.iter().collect();
    let mut right: Vec<&(Key, Value)> = values[parting..].iter().collect();
    left.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    right.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    left.iter().zip(right).all(|(entry, (key, value))| entry.key == *key && entry.value.equals(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert!(size_of::<Node>() <= 40, "{}", size_of::<Node>());
        assert!(size_of::<Entry>() <= 72, "{}", size_of::<Entry>());
    }

    #[test]
    fn a_literal_knows_where_its_lines_are() {
        let document = Document::parse("a: 1\neffect: |  # why\n\n    one\n      two\n").unwrap();
        let (body, indent) = document.root().get("effect").unwrap().literal_body(&document).unwrap();
        assert_eq!((document.line_column(body), indent), ((3, 1), 4));
        assert_eq!(document.root().get("effect").unwrap().to_value(), Value::from("\none\n  two\n"));
        assert_eq!(document.root().get("a").unwrap().literal_body(&document), None);
    }

    #[test]
    fn maps_in_another_order_are_equal() {
        let document = Document::parse("{a: 1, b: 2, c: 3}").unwrap();
        let entries = |order: [(&str, i64); 3]| {
            Value::Map(order.iter().map(|(key, number)| (Key::from(*key), Value::from(*number))).collect())
        };
        assert!(document.root().equals(&entries([("a", 1), ("c", 3), ("b", 2)])));
        assert!(!document.root().equals(&entries([("a", 1), ("c", 2), ("b", 3)])));
        assert!(!document.root().equals(&entries([("a", 1), ("a", 1), ("b", 2)])));
    }
}
