//! The tree of values with their places in the text.

use super::{Span, gap};
use crate::data::{Key, Value};

/// A text and the values found in it.
#[derive(Debug, Clone)]
pub struct Document {
    pub(super) text: Box<str>,
    pub(super) root: Node,
    /// The places of all comments, in order.
    pub(super) comments: Box<[(u32, u32)]>,
}

/// How a node is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Null by leaving it out; the place is right after the colon or dash.
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
    // Places are u32 because a board of 100,000 spaces holds a million nodes.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) look: Look,
    /// The indentation of a block scalar's text; 0 if it is empty, and for all other nodes.
    pub(super) indent: u16,
    /// The value.
    pub data: Data,
}

/// What a node holds.
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
    pub(super) key_start: u32,
    pub(super) key_end: u32,
    /// The value.
    pub value: Node,
}

/// Entries and nodes are equal if they hold the same, wherever and however it is written.
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
    /// The text, byte for byte as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value of the whole text.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Line and column of a byte offset, both counted from 1, the column in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        line_column(&self.text, offset)
    }

    /// The comments in order, each from its `#` to the end of its line.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().map(|&(start, end)| &self.text[start as usize..end as usize])
    }
}

/// Line and column of a byte offset, both counted from 1, the column in characters.
pub(super) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let line = text[..offset].matches('\n').count() + 1;
    (line, text[gap::line_start(text, offset)..offset].chars().count() + 1)
}

/// Goes on to a key in a path in words, such as `players.Ann`.
pub(super) fn push_key(path: &mut String, key: &Key) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(&key.to_string());
}

/// Goes on to an item in a path in words, such as `log[3]`.
pub(super) fn push_index(path: &mut String, index: usize) {
    path.push('[');
    path.push_str(&index.to_string());
    path.push(']');
}

impl Entry {
    /// Where the key is.
    pub fn key_span(&self) -> Span {
        Span { start: self.key_start(), end: self.key_end() }
    }

    pub(super) fn key_start(&self) -> usize {
        self.key_start as usize
    }

    pub(super) fn key_end(&self) -> usize {
        self.key_end as usize
    }
}

impl Node {
    /// Where the value is; an empty range right after the colon or dash where it is left out.
    pub fn span(&self) -> Span {
        Span { start: self.start(), end: self.end() }
    }

    /// The value without its places.
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

    /// The value under `key`, compared as it is displayed.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key.is(key)).map(|entry| &entry.value)
    }

    /// The entries, if this is a map; none otherwise.
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items, if this is a list; none otherwise.
    pub fn items(&self) -> &[Node] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    /// Whether this is a scalar without quotes that is not a block scalar, or nothing at all.
    ///
    /// Text that is plain may have been meant as a number, such as `01` or `1.5`.
    pub fn plain(&self) -> bool {
        matches!(self.look, Look::Plain | Look::Absent)
    }

    /// For a literal block scalar (`|`): the byte offset of its first line (with its indentation), and the indentation.
    ///
    /// Line n and column c of the text are line n after that one, column c plus the indentation.
    pub fn literal_body(&self, document: &Document) -> Option<(usize, usize)> {
        if self.look != Look::Literal || self.indent == 0 {
            return None;
        }
        let header_end = gap::line_end(&document.text, self.start());
        Some((gap::next_line(&document.text, header_end)?, usize::from(self.indent)))
    }

    pub(super) fn start(&self) -> usize {
        self.start as usize
    }

    pub(super) fn end(&self) -> usize {
        self.end as usize
    }

    /// The value that one step leads to.
    pub(super) fn child(&self, step: &super::Step) -> Option<&Node> {
        match (step, &self.data) {
            (super::Step::Key(key), Data::Map(entries)) => {
                entries.iter().find(|entry| entry.key == *key).map(|entry| &entry.value)
            }
            (super::Step::Index(index), Data::List(items)) => items.get(*index),
            _ => None,
        }
    }

    pub(super) fn is_map(&self) -> bool {
        matches!(self.data, Data::Map(_))
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.data, Data::List(_))
    }

    /// Whether the value is written on lines below its key, or beside its dash, in block style.
    pub(super) fn is_block(&self) -> bool {
        self.look == Look::Block
    }

    pub(super) fn is_block_scalar(&self) -> bool {
        matches!(self.look, Look::Literal | Look::Folded)
    }

    /// Whether this holds the same as `value`; the order of the entries of a map does not count.
    pub(super) fn holds(&self, value: &Value) -> bool {
        match (&self.data, value) {
            (Data::Null, Value::Null) => true,
            (Data::Bool(own), Value::Bool(other)) => own == other,
            (Data::Int(own), Value::Int(other)) => own == other,
            (Data::Text(own), Value::Text(other)) => own == other,
            (Data::List(own), Value::List(other)) => {
                own.len() == other.len() && own.iter().zip(other).all(|(node, value)| node.holds(value))
            }
            (Data::Map(own), Value::Map(other)) => own.len() == other.len() && same_entries(own, other),
            _ => false,
        }
    }
}

/// Whether two maps of the same size hold the same. The keys of a node's map are all different.
fn same_entries(own: &[Entry], other: &[(Key, Value)]) -> bool {
    let Some(place) = own.iter().zip(other).position(|(entry, (key, _))| entry.key != *key) else {
        return own.iter().zip(other).all(|(entry, (_, value))| entry.value.holds(value));
    };
    let (same, rest) = own.split_at(place);
    if !same.iter().zip(other).all(|(entry, (_, value))| entry.value.holds(value)) {
        return false;
    }
    let mut left: Vec<&Entry> = rest.iter().collect();
    let mut right: Vec<&(Key, Value)> = other[place..].iter().collect();
    left.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    right.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    left.iter().zip(right).all(|(entry, (key, value))| entry.key == *key && entry.value.holds(value))
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
    fn a_literal_tells_where_its_lines_are() {
        let document = Document::parse("a: 1\neffect: |  # why\n\n    one\n      two\n").unwrap();
        let (body, indent) = document.root().get("effect").unwrap().literal_body(&document).unwrap();
        assert_eq!((document.line_column(body), indent), ((3, 1), 4));
        assert_eq!(document.root().get("effect").unwrap().to_value(), Value::from("\none\n  two\n"));
        assert_eq!(document.root().get("a").unwrap().literal_body(&document), None);
    }

    #[test]
    fn the_order_of_a_map_does_not_count() {
        let document = Document::parse("{a: 1, b: 2, c: 3}").unwrap();
        let entries = |order: [(&str, i64); 3]| {
            Value::Map(order.iter().map(|(key, number)| (Key::from(*key), Value::from(*number))).collect())
        };
        assert!(document.root().holds(&entries([("a", 1), ("c", 3), ("b", 2)])));
        assert!(!document.root().holds(&entries([("a", 1), ("c", 2), ("b", 3)])));
        assert!(!document.root().holds(&entries([("a", 1), ("a", 1), ("b", 2)])));
    }
}
