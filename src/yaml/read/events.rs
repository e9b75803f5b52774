//! Puts the events of the parser together as a tree.
//!
//! What the parser accepts and this program refuses is in `reject`, whose methods are called from here.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};

use super::refusal;
use super::scalar::{Plain, read_plain};
use super::tree::{Data, Entry, Node, NodeStyle, offset32};
use crate::data::Key;
use crate::diagnostic::{Problem, Source, Span};
use crate::yaml::trivia;

/// How deep lists and maps may be nested.
pub(in crate::yaml) const DEPTH: usize = 64;
/// After so many problems the rest of a file is not worth reading.
pub(super) const MOST_PROBLEMS: usize = 100;

/// A list or map that is not yet closed.
pub(super) struct Frame {
    pub map: bool,
    pub flow: bool,
    start: usize,
    /// How many finished nodes and entries belong to the frames below.
    pub nodes: usize,
    pub entries: usize,
    /// The key whose value comes next.
    pub key: Option<(Key, Span)>,
}

/// The tree while it is read, as a stack of open lists and maps.
pub(super) struct Builder<'t> {
    pub source: &'t Arc<Source>,
    pub text: &'t str,
    /// The length of the byte order mark, which the parser does not see.
    base: usize,
    /// Top-level keys to stop at.
    pub stop: &'t [&'t str],
    pub frames: Vec<Frame>,
    /// Finished items of the lists that are still open.
    pub nodes: Vec<Node>,
    /// Finished entries of the maps that are still open.
    pub entries: Vec<Entry>,
    pub comments: Vec<(u32, u32)>,
    pub root: Option<Node>,
    documents: usize,
    pub problems: Vec<Problem>,
}

impl<'t> Builder<'t> {
    pub fn new(source: &'t Arc<Source>, stop: &'t [&'t str]) -> Self {
        Self {
            source,
            text: &source.text,
            base: trivia::first_byte(&source.text),
            stop,
            frames: Vec::new(),
            nodes: Vec::new(),
            entries: Vec::new(),
            comments: Vec::new(),
            root: None,
            documents: 0,
            problems: Vec::new(),
        }
    }

    /// Reads the text, to its end or to the first thing that makes the rest unreadable.
    pub fn read(&mut self) {
        let options: Options = granit_parser::options! {
            disallow_directives: true,
            emit_unresolved_aliases: true,
            emit_anchor_events: true,
            max_buffered_comment_events: usize::MAX,
            flow_nesting_limit: DEPTH + 1,
            block_nesting_limit: DEPTH + 1,
        };
        for next in Parser::new_from_str_with_options(&self.text[self.base..], options) {
            let flow = match next {
                Ok((event, span)) => self.event(event, &span),
                Err(error) => {
                    let (problem, span) = refusal::syntax(self.text, self.base, &error);
                    self.problems.push(problem.at(self.source, span));
                    ControlFlow::Break(())
                }
            };
            if flow.is_break() || self.problems.len() >= MOST_PROBLEMS {
                break;
            }
        }
    }

    fn event(&mut self, event: Event<'_>, at: &granit_parser::Span) -> ControlFlow<()> {
        let range = at.byte_range().unwrap_or_default();
        let span = Span { start: range.start + self.base, end: range.end + self.base };
        if let (Some(tag), Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..)) =
            (at.tag_start(), &event)
        {
            let start = tag.byte_offset().unwrap_or_default() + self.base;
            let end = at.tag_span().and_then(|tag| tag.byte_range()).map_or(start + 1, |range| range.end + self.base);
            self.refuse(refusal::tag(), Span { start, end });
        }
        match event {
            Event::Scalar(text, style, ..) => return self.scalar(text, style, span, at.indent),
            Event::Comment(..) => self.comments.push((offset32(span.start), offset32(span.end))),
            Event::MappingStart(style, ..) => return self.open(true, style, span),
            Event::SequenceStart(style, ..) => return self.open(false, style, span),
            Event::MappingEnd | Event::SequenceEnd => self.close(span.end),
            Event::DocumentStart(..) => return self.document(span),
            Event::Anchor(_, name) => self.refuse_anchor(&name, span),
            Event::Alias(_) | Event::UnresolvedAlias(_) => return self.alias(span),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn document(&mut self, span: Span) -> ControlFlow<()> {
        self.documents += 1;
        if self.documents == 1 {
            return ControlFlow::Continue(());
        }
        let help = "keep one document in a file; text that begins with `---` must be quoted";
        self.refuse(Problem::new("yaml::second-document", "a second document begins here").help(help), span);
        ControlFlow::Break(())
    }

    /// Refuses an alias, and reads on as if it were null.
    fn alias(&mut self, span: Span) -> ControlFlow<()> {
        let message = format!("aliases (`{}`) are not allowed", &self.text[span.start..span.end]);
        let help = "write the value out; text that begins with `*` must be quoted";
        self.refuse(Problem::new("yaml::alias", message).help(help), span);
        if self.awaits_key() {
            return ControlFlow::Break(());
        }
        self.finish(Node {
            start: offset32(span.start),
            end: offset32(span.end),
            style: NodeStyle::Plain,
            indent: 0,
            data: Data::Null,
        });
        ControlFlow::Continue(())
    }

    fn awaits_key(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.map && frame.key.is_none())
    }

    fn open(&mut self, map: bool, style: StructureStyle, span: Span) -> ControlFlow<()> {
        if self.awaits_key() {
            let help = "write the key as text, in quotes";
            self.refuse(Problem::new("yaml::key", "a list or map cannot be a key").help(help), span);
            return ControlFlow::Break(());
        }
        if self.frames.len() >= DEPTH {
            self.refuse(refusal::too_deep(), span);
            return ControlFlow::Break(());
        }
        let flow = style == StructureStyle::Flow;
        if flow && map && span.start == span.end {
            let help = "put braces around it: `[{key: value}]`";
            self.refuse(Problem::new("yaml::bare-pair", "this `key: value` in a list has no braces").help(help), span);
        }
        let mut start = span.start;
        if !flow && !map {
            // The parser has a list that is not indented begin with its first item.
            if self.frames.last().is_some_and(|frame| frame.map) {
                start = trivia::indicator(self.text, self.after_indicator(), b'-').unwrap_or(start);
            }
            self.refuse_tab(start);
        }
        let (nodes, entries) = (self.nodes.len(), self.entries.len());
        self.frames.push(Frame { map, flow, start, nodes, entries, key: None });
        ControlFlow::Continue(())
    }

    fn close(&mut self, end: usize) {
        let Some(frame) = self.frames.pop() else { return };
        let (data, last_end) = if frame.map {
            let entries: Box<[Entry]> = self.entries.drain(frame.entries..).collect();
            self.refuse_duplicates(&entries);
            let last_end = entries.last().map(Entry::end);
            (Data::Map(entries), last_end)
        } else {
            let items: Box<[Node]> = self.nodes.drain(frame.nodes..).collect();
            let last_end = items.last().map(Node::end);
            (Data::List(items), last_end)
        };
        // The parser lets block style run on to the next token, past comments and blank lines.
        let end = if frame.flow { end } else { last_end.unwrap_or(frame.start) };
        let style = if frame.flow { NodeStyle::Flow } else { NodeStyle::Block };
        self.finish(Node { start: offset32(frame.start), end: offset32(end), style, indent: 0, data });
    }

    /// Adds a finished value to the list or map that it is in.
    fn finish(&mut self, value: Node) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(value);
            return;
        };
        match frame.key.take() {
            Some((key, span)) => {
                let (key_start, key_end) = (offset32(span.start), offset32(span.end));
                self.entries.push(Entry { key, key_start, key_end, value });
            }
            None => self.nodes.push(value),
        }
    }

    fn scalar(&mut self, text: Cow<str>, style: ScalarStyle, span: Span, indent: Option<usize>) -> ControlFlow<()> {
        if self.awaits_key() {
            return self.key(text, style, span);
        }
        let (style, data) = match style {
            ScalarStyle::Plain if span.start == span.end => (NodeStyle::Absent, Data::Null),
            ScalarStyle::Plain => {
                let data = match read_plain(&text) {
                    Plain::Null => Data::Null,
                    Plain::Bool(yes) => Data::Bool(yes),
                    Plain::Int(number) => Data::Int(number),
                    Plain::Text => Data::Text(text.into()),
                    Plain::TooLarge => {
                        self.refuse_number(&text, span);
                        Data::Null
                    }
                };
                (NodeStyle::Plain, data)
            }
            ScalarStyle::SingleQuoted => (NodeStyle::Single, Data::Text(text.into())),
            ScalarStyle::DoubleQuoted => (NodeStyle::Double, Data::Text(text.into())),
            ScalarStyle::Literal => (NodeStyle::Literal, Data::Text(text.into())),
            ScalarStyle::Folded => (NodeStyle::Folded, Data::Text(text.into())),
        };
        let (span, indent) = match style {
            NodeStyle::Absent => (self.absent(span), 0),
            NodeStyle::Literal | NodeStyle::Folded => self.block_scalar(span, indent.unwrap_or(0)),
            _ => (span, 0),
        };
        self.finish(Node { start: offset32(span.start), end: offset32(span.end), style, indent, data });
        ControlFlow::Continue(())
    }

    fn key(&mut self, text: Cow<str>, style: ScalarStyle, span: Span) -> ControlFlow<()> {
        self.check_key_style(style, span);
        let key = if style == ScalarStyle::Plain { self.plain_key(text, span) } else { Key::Text(text.into()) };
        if let (1, Key::Text(name)) = (self.frames.len(), &key)
            && self.stop.contains(&name.as_str())
        {
            return ControlFlow::Break(());
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some((key, span));
        }
        ControlFlow::Continue(())
    }

    /// Returns where the indicator before the next value ends: a colon, a dash, or nothing at the top.
    fn after_indicator(&self) -> usize {
        let Some(frame) = self.frames.last() else { return self.base };
        if let Some((_, key)) = &frame.key {
            return trivia::indicator(self.text, key.end, b':').map_or(key.end, |colon| colon + 1);
        }
        let before = if self.nodes.len() > frame.nodes { self.nodes.last() } else { None };
        let before = before.map_or(frame.start, Node::end);
        trivia::indicator(self.text, before, b'-').map_or(before, |dash| dash + 1)
    }

    /// Returns the place of a value that is left out.
    fn absent(&self, span: Span) -> Span {
        if self.frames.is_empty() {
            return span;
        }
        let start = self.after_indicator();
        Span { start, end: start }
    }

    /// Returns the place of a block scalar, from its header to its last line that is not blank, and its indentation.
    fn block_scalar(&mut self, body: Span, indent: usize) -> (Span, u16) {
        let mut start = trivia::skip(self.text, self.after_indicator());
        if self.text[start..].starts_with("---") {
            start = trivia::skip(self.text, start + 3);
        }
        let header = self.text[start..].find([' ', '\t', '\r', '\n', '#']).map_or(self.text.len(), |n| start + n);
        self.refuse_keep(Span { start, end: header });
        let mut end = body.end.max(header);
        while end > body.start {
            let line = trivia::line_start(self.text, end);
            let width = trivia::skip_blanks(self.text, line) - line;
            if line + width < end && !matches!(self.text.as_bytes()[line + width], b'\r' | b'\n') {
                break;
            }
            // A line of more blanks than the indentation is part of the text.
            if end - line > indent && width > indent {
                break;
            }
            end = if line <= body.start { body.start } else { line - 1 };
            if self.text[..end].ends_with('\r') {
                end -= 1;
            }
        }
        if end <= body.start {
            return (Span { start, end: header }, 0);
        }
        (Span { start, end }, u16::try_from(indent).unwrap_or(0))
    }
}
