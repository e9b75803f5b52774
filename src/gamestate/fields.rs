//! Reads single nodes of the file and collects problems, each with its place and path.

use std::fmt::Display;
use std::sync::Arc;

use jiff::Timestamp;

use crate::data::{Dice, Pointer, Value, nearest};
use crate::diagnostic::{Problem, Source, Span};
use crate::game::SpaceId;
use crate::ruleset::Kind;
use crate::yaml::{Data, Entry, Node};

/// Returns the bytes of a span.
pub(super) fn range(span: Span) -> std::ops::Range<usize> {
    span.start..span.end
}

/// Returns the place where a node begins, for what is missing in it.
pub(super) fn top(node: &Node) -> std::ops::Range<usize> {
    let start = node.span().start;
    start..start
}

/// Reads nodes and collects what is wrong with them.
pub(super) struct Reader<'a> {
    source: &'a Arc<Source>,
    pub problems: Vec<Problem>,
}

/// The path down to a value. Only a problem needs it spelled, so that a valid file of many spaces costs nothing.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    above: Option<&'a Path<'a>>,
    step: Option<&'a dyn Display>,
}

impl<'a> Path<'a> {
    /// The top of the file.
    pub const TOP: Self = Self { above: None, step: None };

    /// Returns the path of a section of the file.
    pub fn section(name: &'a dyn Display) -> Self {
        Self { above: None, step: Some(name) }
    }

    /// Returns the path one step further down.
    pub fn at(&'a self, step: &'a dyn Display) -> Self {
        Self { above: Some(self), step: Some(step) }
    }

    fn pointer(&self) -> Pointer {
        let mut pointer = self.above.map_or_else(Pointer::default, Path::pointer);
        if let Some(step) = self.step {
            pointer.push(step);
        }
        pointer
    }
}

impl<'a> Reader<'a> {
    pub fn new(source: &'a Arc<Source>) -> Self {
        Self { source, problems: Vec::new() }
    }

    pub fn problem(
        &mut self,
        code: &'static str,
        node: &Node,
        path: &Path,
        message: impl Into<String>,
    ) -> &mut Problem {
        let span = range(node.span());
        self.problem_at(code, span, path, message)
    }

    pub fn problem_at(
        &mut self,
        code: &'static str,
        span: std::ops::Range<usize>,
        path: &Path,
        message: impl Into<String>,
    ) -> &mut Problem {
        let mut problem = Problem::new(code, message).at(self.source, span);
        problem.path = path.pointer();
        self.problems.push(problem);
        self.problems.last_mut().expect("pushed just now")
    }

    fn wrong(&mut self, node: &Node, path: &Path, expected: &str) {
        let found = match &node.data {
            Data::List(_) => "a list".to_owned(),
            Data::Map(_) => "a map".to_owned(),
            Data::Null => "nothing".to_owned(),
            _ => format!("`{}`", node.to_value()),
        };
        self.problem("wrong-value", node, path, format!("expected {expected}, found {found}"));
    }

    pub fn map<'n>(&mut self, node: &'n Node, path: &Path) -> &'n [Entry] {
        match &node.data {
            Data::Map(entries) => entries,
            Data::Null => &[],
            _ => {
                self.wrong(node, path, "a map");
                &[]
            }
        }
    }

    pub fn list<'n>(&mut self, node: &'n Node, path: &Path) -> &'n [Node] {
        match &node.data {
            Data::List(nodes) => nodes,
            Data::Null => &[],
            _ => {
                self.wrong(node, path, "a list");
                &[]
            }
        }
    }

    pub fn int(&mut self, node: &Node, path: &Path) -> Option<i64> {
        match node.data {
            Data::Int(number) => Some(number),
            _ => {
                self.wrong(node, path, "a whole number");
                None
            }
        }
    }

    /// Reads the identifier of a space.
    pub fn space(&mut self, node: &Node, path: &Path) -> Option<SpaceId> {
        let found = SpaceId::of(&node.to_value());
        if found.is_none() {
            self.wrong(node, path, "a space: a whole number (B-4), or a place such as (2, -1)");
        }
        found
    }

    pub fn text(&mut self, node: &Node, path: &Path) -> Option<String> {
        match &node.data {
            Data::Text(text) => Some(text.clone()),
            Data::Int(number) => Some(number.to_string()),
            _ => {
                self.wrong(node, path, "text");
                None
            }
        }
    }

    pub fn time(&mut self, node: &Node, path: &Path) -> Option<Timestamp> {
        let found = if let Data::Text(text) = &node.data { text.parse().ok() } else { None };
        if found.is_none() {
            self.wrong(node, path, "a time in UTC such as 2024-01-05T00:00:00Z");
        }
        found
    }

    /// Reports unknown keys, each with the nearest known one.
    pub fn only(&mut self, entries: &[Entry], path: &Path, known: &[&str]) {
        for entry in entries {
            if known.iter().any(|known| entry.key.is(known)) {
                continue;
            }
            let key = entry.key.to_string();
            let help = match nearest(&key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys: {}", known.join(", ")),
            };
            let span = range(entry.key_span());
            self.problem_at("unknown-key", span, path, format!("unknown key `{key}`")).help = Some(help);
        }
    }

    /// Checks that a node is of the kind of its field, and returns its value.
    pub fn kind(&mut self, node: &Node, path: &Path, kind: &Kind) -> Option<Value> {
        let fits = match (kind, &node.data) {
            (Kind::Any, _)
            | (Kind::YesNo, Data::Bool(_))
            | (Kind::Number, Data::Int(_))
            | (Kind::Text | Kind::PseudoType | Kind::Player, Data::Text(_)) => true,
            (Kind::Space, _) => SpaceId::of(&node.to_value()).is_some(),
            (Kind::Phase, Data::Int(number)) => *number >= 1,
            (Kind::Time, Data::Text(text)) => text.parse::<Timestamp>().is_ok(),
            (Kind::Dice, Data::Text(text)) => text.parse::<Dice>().is_ok(),
            (Kind::OneOf(words), Data::Text(text)) => words.iter().any(|word| **word == **text),
            (Kind::Player, Data::Null) => true,
            (Kind::List(one), Data::List(nodes)) => {
                let found: Vec<_> = nodes.iter().map(|node| self.kind(node, path, one)).collect();
                return found.into_iter().collect::<Option<Vec<_>>>().map(Value::List);
            }
            _ => false,
        };
        if !fits {
            self.wrong(node, path, &kind.describe());
            return None;
        }
        Some(node.to_value())
    }
}
