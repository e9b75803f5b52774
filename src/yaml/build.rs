//! The events of the parser put together as a tree; and what is refused although it is YAML.

use std::borrow::Cow;
use std::ops::ControlFlow;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};

use super::refusal::{self, problem};
use super::scalar::{Plain, read_plain};
use super::tree::{self, Data, Entry, Look, Node};
use super::{Problem, Span, gap};
use crate::data::Key;

/// How deep lists and maps may be nested.
const DEPTH: usize = 64;
/// After so many problems the rest of a file is not worth reading.
pub(super) const MOST_PROBLEMS: usize = 100;

/// A place as it is held; longer texts are refused before.
pub(super) fn place(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A list or map that is not yet closed.
struct Frame {
    map: bool,
    flow: bool,
    start: usize,
    /// How many finished nodes and entries belong to the frames below.
    nodes: usize,
    entries: usize,
    /// The key whose value comes next.
    key: Option<(Key, Span)>,
}

/// Puts the events of the parser together, on stacks of its own.
pub(super) struct Builder<'t> {
    text: &'t str,
    /// The bytes before the part that the parser sees: a byte order mark.
    base: usize,
    /// Top-level keys to stop at.
    stop: &'t [&'t str],
    frames: Vec<Frame>,
    nodes: Vec<Node>,
    pub entries: Vec<Entry>,
    pub comments: Vec<(u32, u32)>,
    pub root: Option<Node>,
    documents: usize,
    pub problems: Vec<Problem>,
}

impl<'t> Builder<'t> {
    pub fn new(text: &'t str, stop: &'t [&'t str]) -> Self {
        Self {
            text,
            base: gap::first_byte(text),
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
            let go_on = match next {
                Ok((event, span)) => self.event(event, &span),
                Err(error) => {
                    self.problems.push(refusal::syntax(self.text, self.base, &error));
                    ControlFlow::Break(())
                }
            };
            if go_on.is_break() || self.problems.len() >= MOST_PROBLEMS {
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
            self.refuse(refusal::tag(Span { start, end }));
        }
        match event {
            Event::Scalar(text, style, ..) => return self.scalar(text, style, span, at.indent),
            Event::Comment(..) => self.comments.push((place(span.start), place(span.end))),
            Event::MappingStart(style, ..) => return self.open(true, style, span),
            Event::SequenceStart(style, ..) => return self.open(false, style, span),
            Event::MappingEnd | Event::SequenceEnd => self.close(span.end),
            Event::DocumentStart(..) => return self.document(span),
            Event::Anchor(_, name) => self.anchor(&name, span),
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
        self.refuse(problem("yaml::second-document", span, "a second document begins here", help));
        ControlFlow::Break(())
    }

    /// Refuses the anchor of the value that has just been read, or just been opened.
    fn anchor(&mut self, name: &str, span: Span) {
        let help = "write the value out; text that begins with `&` must be quoted";
        let mut found = problem("yaml::anchor", span, format!("anchors (`&{name}`) are not allowed"), help);
        let children = |frame: &Frame| self.entries.len() > frame.entries || self.nodes.len() > frame.nodes;
        found.path = match self.frames.last() {
            Some(frame) if frame.key.is_none() && !children(frame) => self.path_of(self.frames.len() - 1, None),
            Some(frame) if frame.map && frame.key.is_none() => self.path(self.entries.last().map(|entry| &entry.key)),
            _ => self.path(None),
        };
        self.problems.push(found);
    }

    fn alias(&mut self, span: Span) -> ControlFlow<()> {
        let message = format!("aliases (`{}`) are not allowed", &self.text[span.start..span.end]);
        let help = "write the value out; text that begins with `*` must be quoted";
        self.refuse(problem("yaml::alias", span, message, help));
        if self.awaits_key() {
            return ControlFlow::Break(());
        }
        self.finish(Node {
            start: place(span.start),
            end: place(span.end),
            look: Look::Plain,
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
            self.refuse(problem(
                "yaml::key",
                span,
                "a list or map cannot be a key",
                "write the key as text, in quotes",
            ));
            return ControlFlow::Break(());
        }
        if self.frames.len() >= DEPTH {
            self.refuse(refusal::too_deep(span));
            return ControlFlow::Break(());
        }
        let flow = style == StructureStyle::Flow;
        if flow && map && span.start == span.end {
            let help = "put braces around it: `[{key: value}]`";
            self.refuse(problem("yaml::bare-pair", span, "a `key: value` stands in a list without braces", help));
        }
        let mut start = span.start;
        if !flow && !map {
            // The parser has a list that is not indented begin with its first item.
            if self.frames.last().is_some_and(|frame| frame.map) {
                start = gap::indicator(self.text, self.after_indicator(), b'-').unwrap_or(start);
            }
            self.refuse_tab(start);
        }
        let (nodes, entries) = (self.nodes.len(), self.entries.len());
        self.frames.push(Frame { map, flow, start, nodes, entries, key: None });
        ControlFlow::Continue(())
    }

    fn close(&mut self, end: usize) {
        let Some(frame) = self.frames.pop() else { return };
        let (data, last) = if frame.map {
            let entries: Box<[Entry]> = self.entries.drain(frame.entries..).collect();
            self.refuse_duplicates(&entries);
            let last = entries.last().map(|entry| entry.value.end.max(entry.key_end));
            (Data::Map(entries), last)
        } else {
            let items: Box<[Node]> = self.nodes.drain(frame.nodes..).collect();
            let last = items.last().map(|item| item.end);
            (Data::List(items), last)
        };
        // The parser lets block style run on to the next token, past comments and blank lines.
        let end = if frame.flow { place(end) } else { last.unwrap_or(place(frame.start)) };
        let look = if frame.flow { Look::Flow } else { Look::Block };
        self.finish(Node { start: place(frame.start), end, look, indent: 0, data });
    }

    /// Puts a finished value where it belongs.
    fn finish(&mut self, value: Node) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(value);
            return;
        };
        match frame.key.take() {
            Some((key, span)) => {
                self.entries.push(Entry { key, key_start: place(span.start), key_end: place(span.end), value });
            }
            None => self.nodes.push(value),
        }
    }

    fn scalar(&mut self, text: Cow<str>, style: ScalarStyle, span: Span, indent: Option<usize>) -> ControlFlow<()> {
        if self.awaits_key() {
            return self.key(text, style, span);
        }
        let (look, data) = match style {
            ScalarStyle::Plain if span.start == span.end => (Look::Absent, Data::Null),
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
                (Look::Plain, data)
            }
            ScalarStyle::SingleQuoted => (Look::Single, Data::Text(text.into())),
            ScalarStyle::DoubleQuoted => (Look::Double, Data::Text(text.into())),
            ScalarStyle::Literal => (Look::Literal, Data::Text(text.into())),
            ScalarStyle::Folded => (Look::Folded, Data::Text(text.into())),
        };
        let (span, indent) = match look {
            Look::Absent => (self.absent(span), 0),
            Look::Literal | Look::Folded => self.block_scalar(span, indent.unwrap_or(0)),
            _ => (span, 0),
        };
        self.finish(Node { start: place(span.start), end: place(span.end), look, indent, data });
        ControlFlow::Continue(())
    }

    /// Where the indicator before the next value ends: a colon, a dash, or nothing at the top.
    fn after_indicator(&self) -> usize {
        let Some(frame) = self.frames.last() else { return self.base };
        if let Some((_, key)) = &frame.key {
            return gap::indicator(self.text, key.end, b':').map_or(key.end, |colon| colon + 1);
        }
        let before = if self.nodes.len() > frame.nodes { self.nodes.last() } else { None };
        let before = before.map_or(frame.start, Node::end);
        gap::indicator(self.text, before, b'-').map_or(before, |dash| dash + 1)
    }

    /// The place of a value that is left out.
    fn absent(&self, span: Span) -> Span {
        if self.frames.is_empty() {
            return span;
        }
        let at = self.after_indicator();
        Span { start: at, end: at }
    }

    /// The whole of a block scalar, with its header and without the blank lines below it; and its indentation.
    fn block_scalar(&mut self, body: Span, indent: usize) -> (Span, u16) {
        let mut start = gap::skip(self.text, self.after_indicator());
        if self.text[start..].starts_with("---") {
            start = gap::skip(self.text, start + 3);
        }
        let header = self.text[start..].find([' ', '\t', '\r', '\n', '#']).map_or(self.text.len(), |n| start + n);
        if self.text[start..header].contains('+') {
            let help = "write `|` or `>`; blank lines at the end then do not count";
            let message = format!("`{}` makes the blank lines below it part of the text", &self.text[start..header]);
            self.refuse(problem("yaml::keep", Span { start, end: header }, message, help));
        }
        let mut end = body.end.max(header);
        while end > body.start {
            let line = gap::line_start(self.text, end);
            let width = gap::skip_blanks(self.text, line) - line;
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

    fn key(&mut self, text: Cow<str>, style: ScalarStyle, span: Span) -> ControlFlow<()> {
        let flow = self.frames.last().is_some_and(|frame| frame.flow);
        if self.is_explicit(span, flow) || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            let help = "write `key: value`";
            self.refuse(problem(
                "yaml::explicit-key",
                span,
                "keys with a question mark (`? key`) are not allowed",
                help,
            ));
        }
        if !flow {
            self.refuse_tab(span.start);
        }
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

    fn plain_key(&mut self, text: Cow<str>, span: Span) -> Key {
        if span.start == span.end {
            self.refuse(problem("yaml::key", span, "a key is missing before the `:`", "write an empty key as `\"\"`"));
            return Key::Text(String::new());
        }
        match read_plain(&text) {
            Plain::Int(number) => return Key::Int(number),
            Plain::TooLarge => self.refuse_number(&text, span),
            Plain::Null | Plain::Bool(_) => self.refuse(problem(
                "yaml::key",
                span,
                format!("`{text}` cannot be a key as it stands: it is not text"),
                &format!("quote it: `\"{text}\"`"),
            )),
            Plain::Text if text == "<<" => {
                let help = "write the entries out; as a name it must be quoted";
                self.refuse(problem("yaml::merge-key", span, "merge keys (`<<`) are not allowed", help));
            }
            Plain::Text => {}
        }
        Key::Text(text.into())
    }

    /// Whether a key is introduced by a question mark.
    fn is_explicit(&self, key: Span, flow: bool) -> bool {
        let bytes = self.text.as_bytes();
        let before = gap::trim_blanks(self.text, key.start);
        if before > 0 && bytes[before - 1] == b'?' && before < key.start {
            return true;
        }
        !flow && key.start < key.end && bytes.get(gap::skip_blanks(self.text, key.end)) != Some(&b':')
    }

    fn refuse_number(&mut self, text: &str, span: Span) {
        let message = format!("the number {text} is out of range");
        let help = format!("numbers go from {} to {}; quote it if it is text", i64::MIN, i64::MAX);
        self.refuse(problem("yaml::number-range", span, message, &help));
    }

    /// Refuses a tab right before a key or dash in block style.
    fn refuse_tab(&mut self, at: usize) {
        let blanks = gap::trim_blanks(self.text, at);
        if let Some(found) = self.text[blanks..at].find('\t') {
            self.refuse(refusal::tab(Span { start: blanks + found, end: blanks + found + 1 }));
        }
    }

    pub fn refuse_duplicates(&mut self, entries: &[Entry]) {
        if entries.windows(2).all(|pair| pair[0].key < pair[1].key) {
            return;
        }
        let mut sorted: Vec<&Entry> = entries.iter().collect();
        sorted.sort_by(|a, b| a.key.cmp(&b.key));
        let mut first = 0;
        for place in 1..sorted.len() {
            if sorted[place].key != sorted[first].key {
                first = place;
                continue;
            }
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            let entry = sorted[place];
            let (line, _) = tree::line_column(self.text, sorted[first].key_start());
            let message = format!("duplicate key `{}` (first on line {line})", entry.key);
            let mut found = problem("yaml::duplicate-key", entry.key_span(), message, "take one of the two out");
            found.path = self.path(Some(&entry.key));
            self.problems.push(found);
        }
    }

    fn refuse(&mut self, mut problem: Problem) {
        problem.path = self.path(None);
        self.problems.push(problem);
    }

    /// The path to the value that is being read, and from there to the entry `last`.
    fn path(&self, last: Option<&Key>) -> String {
        self.path_of(self.frames.len(), last)
    }

    /// The same, of the outermost `depth` lists and maps.
    fn path_of(&self, depth: usize, last: Option<&Key>) -> String {
        let mut path = String::new();
        for (depth, frame) in self.frames[..depth].iter().enumerate() {
            let above = self.frames.get(depth + 1).map_or(self.nodes.len(), |above| above.nodes);
            match &frame.key {
                Some((key, _)) => tree::push_key(&mut path, key),
                None if frame.map => {}
                None => tree::push_index(&mut path, above - frame.nodes),
            }
        }
        if let Some(key) = last {
            tree::push_key(&mut path, key);
        }
        path
    }
}
