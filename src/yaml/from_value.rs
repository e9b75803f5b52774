//! Makes a document from data, on one line.
//!
//! Text and tree come from the same walk, so nothing has to be parsed.

use std::sync::Arc;

use super::read::events::DEPTH;
use super::read::refusal;
use super::read::scalar::double_quoted;
use super::read::tree::{Data, Document, Entry, Node, NodeStyle, offset32};
use crate::data::{Key, Pointer, Value};
use crate::diagnostic::{Problem, Source};

impl Document {
    /// Makes a document that says `value`, in flow style with all text in double quotes; problems show it as `name`.
    ///
    /// # Errors
    /// The first problem that a file saying the same would have: a duplicate key, or nesting that is too deep.
    pub fn from_value(name: &str, value: &Value) -> Result<Self, Problem> {
        let mut made = Made { text: String::new(), path: Pointer::default(), depth: 0 };
        let root = made.node(value)?;
        let source = Arc::new(Source::new(name, made.text));
        Ok(Self { source, root, comments: Box::default() })
    }
}

/// The text so far, and where in the data it is.
struct Made {
    text: String,
    path: Pointer,
    depth: usize,
}

impl Made {
    /// Appends a value to the text and returns its node.
    fn node(&mut self, value: &Value) -> Result<Node, Problem> {
        let start = self.text.len();
        let (style, data) = match value {
            Value::Null => (NodeStyle::Plain, Data::Null),
            Value::Bool(yes) => (NodeStyle::Plain, Data::Bool(*yes)),
            Value::Int(number) => (NodeStyle::Plain, Data::Int(*number)),
            Value::Text(text) => (NodeStyle::Double, Data::Text(text.clone())),
            Value::List(values) => (NodeStyle::Flow, Data::List(self.items(values)?)),
            Value::Map(entries) => (NodeStyle::Flow, Data::Map(self.entries(entries)?)),
        };
        match value {
            Value::Text(text) => self.text.push_str(&double_quoted(text)),
            Value::List(_) | Value::Map(_) => {}
            scalar => self.text.push_str(&scalar.to_string()),
        }
        Ok(Node { start: offset32(start), end: offset32(self.text.len()), style, indent: 0, data })
    }

    fn items(&mut self, values: &[Value]) -> Result<Box<[Node]>, Problem> {
        self.enter("[")?;
        let mut items = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            self.path.push(index);
            items.push(self.node(value)?);
            self.path.pop();
        }
        self.leave("]");
        Ok(items.into())
    }

    fn entries(&mut self, values: &[(Key, Value)]) -> Result<Box<[Entry]>, Problem> {
        let mut keys: Vec<&Key> = values.iter().map(|(key, _)| key).collect();
        keys.sort_unstable();
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
            self.path.push(pair[0]);
            return Err(Problem { path: self.path.clone(), ..refusal::duplicate_key(pair[0], 1) });
        }
        self.enter("{")?;
        let mut entries = Vec::with_capacity(values.len());
        for (index, (key, value)) in values.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            let key_start = self.text.len();
            match key {
                Key::Int(number) => self.text.push_str(&number.to_string()),
                Key::Text(text) => self.text.push_str(&double_quoted(text)),
            }
            let key_end = self.text.len();
            self.text.push_str(": ");
            self.path.push(key);
            let value = self.node(value)?;
            self.path.pop();
            entries.push(Entry { key: key.clone(), key_start: offset32(key_start), key_end: offset32(key_end), value });
        }
        self.leave("}");
        Ok(entries.into())
    }

    /// Opens a list or map.
    fn enter(&mut self, bracket: &str) -> Result<(), Problem> {
        if self.depth >= DEPTH {
            return Err(Problem { path: self.path.clone(), ..refusal::too_deep() });
        }
        self.depth += 1;
        self.text.push_str(bracket);
        Ok(())
    }

    fn leave(&mut self, bracket: &str) {
        self.depth -= 1;
        self.text.push_str(bracket);
    }
}
