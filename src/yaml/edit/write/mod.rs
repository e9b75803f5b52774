//! Writes changes as pieces of new text.
//!
//! The recursion over the tree is here. [`block`] and [`flow`] add and remove entries and items, [`replace`] writes a
//! value over another, and [`value`] gives a value its text.

mod block;
mod flow;
mod replace;
mod slot;
mod value;

use slot::Slot;

use super::Style;
use super::change::Change;
use super::splice::Splices;
use super::style::{Cursor, DocumentStyle, PathStep};
use crate::yaml::path::Step;
use crate::yaml::read::tree::{Data, Document, Node, NodeStyle};

/// How carefully new text is written. The second and third way are tried if the one before is not proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// In the style of the surrounding text.
    Matching,
    /// With all new text in quotes on one line.
    Quoted,
    /// As `Quoted`, and with the comments below a removed entry moved left, so that no text above absorbs them.
    Dedented,
}

/// Writes one change of a document.
pub(super) struct Writer<'d> {
    document: &'d Document,
    style: &'d Style,
    attempt: Attempt,
    document_style: DocumentStyle,
    cursor: Cursor<'d>,
    splices: Splices,
}

impl<'d> Writer<'d> {
    pub fn new(document: &'d Document, style: &'d Style, attempt: Attempt) -> Self {
        let cursor = Cursor { document, steps: Vec::new() };
        let document_style = DocumentStyle::of(document);
        Self { document, style, attempt, document_style, cursor, splices: Splices::default() }
    }

    /// Returns the new text, and the ranges in the old text of the comments that are still in it; `None` if pieces of
    /// the change overlap.
    pub fn write(mut self, change: &Change) -> Option<(String, Vec<(u32, u32)>)> {
        let document = self.document;
        self.change(&document.root, change, Slot::Root, 0);
        self.splices.apply(document)
    }

    /// Writes the change of `node`, which is in `slot` behind the indicator that ends at `indicator_end`.
    fn change(&mut self, node: &'d Node, change: &Change, slot: Slot, indicator_end: usize) {
        match change {
            Change::None => {}
            Change::Become { value, parts: None, .. } => self.replace(node, value, slot, indicator_end),
            Change::Become { parts: Some(parts), .. } | Change::Parts(parts) => match (&node.data, node.style) {
                (Data::Map(entries), NodeStyle::Flow) => self.flow_map(node, entries, parts),
                (Data::List(items), NodeStyle::Flow) => self.flow_list(node, items, parts),
                (Data::Map(entries), _) => self.block_map(node, entries, parts),
                (Data::List(items), _) => self.block_list(node, items, parts),
                _ => {}
            },
        }
    }

    /// Does `work` one step further down; `near` is the index there, or that of a neighbour.
    fn down<T>(&mut self, step: Step, near: usize, node: Option<&'d Node>, work: impl FnOnce(&mut Self) -> T) -> T {
        self.cursor.steps.push(PathStep { step, near, node });
        let result = work(self);
        self.cursor.steps.pop();
        result
    }

    /// Returns a line break and the indentation of the next line.
    fn line(&self, column: usize) -> String {
        format!("{}{}", self.document_style.newline, " ".repeat(column))
    }
}
