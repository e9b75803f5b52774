//! The messages for what is refused: friendlier than the parser's, and with advice.

use granit_parser::{ErrorKind, ScanError};

use crate::data::Key;
use crate::diagnostic::{Problem, Span};
use crate::yaml::trivia;

/// Returns the range of the character at `offset`.
pub(super) fn character(text: &str, offset: usize) -> Span {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    Span { start, end: start + text[start..].chars().next().map_or(0, char::len_utf8) }
}

/// Refuses a tab in indentation.
pub(super) fn tab() -> Problem {
    Problem::new("yaml::tab", "a tab is used where only spaces can indent")
        .help("replace the tab with spaces, as many as the lines beside it have")
}

/// Refuses nesting that is too deep.
pub(in crate::yaml) fn too_deep() -> Problem {
    Problem::new("yaml::too-deep", "lists and maps are nested more than 64 deep")
}

/// Refuses the second use of a key in a map.
pub(in crate::yaml) fn duplicate_key(key: &Key, first_line: usize) -> Problem {
    Problem::new("yaml::duplicate-key", format!("duplicate key `{key}` (first on line {first_line})"))
        .help("remove one of the two")
}

/// Refuses a tag.
pub(super) fn tag() -> Problem {
    Problem::new("yaml::tag", "tags (`!name`) are not allowed").help("text that begins with `!` must be quoted")
}

/// Refuses a `%YAML` or `%TAG` line.
fn directive() -> Problem {
    Problem::new("yaml::directive", "lines that begin with `%` are not allowed")
        .help("remove the line, or quote the text")
}

/// Refuses a byte order mark that is not at the start.
pub(super) fn inner_mark() -> Problem {
    Problem::new("yaml::byte-order-mark", "there is a byte order mark (an invisible character) within the text")
        .help("delete the character; it is allowed only at the very start of a file")
}

/// Refuses a carriage return that does not end a line.
pub(super) fn lone_return() -> Problem {
    Problem::new("yaml::lone-return", "a carriage return is not followed by a line feed")
        .help("save the file with one kind of line ends")
}

/// Refuses a control character.
pub(super) fn control_character(byte: u8) -> Problem {
    Problem::new("yaml::control-character", format!("the file contains a control character (U+{byte:04X})"))
        .help("delete the character, or write it as an escape in double quotes")
}

/// Explains what stopped the parser, which saw the text from `base` bytes on, and where.
pub(super) fn syntax(text: &str, base: usize, error: &ScanError) -> (Problem, Span) {
    let offset = error.marker().byte_offset().unwrap_or(0) + base;
    let span = character(text, offset);
    if let Some(refused) = named(text, span, error.kind()) {
        return refused;
    }
    let line = trivia::line_start(text, span.start);
    let rest = &text[line..trivia::line_end(text, line)];
    let indentation = rest.find(|c| !matches!(c, ' ' | '\t' | '-')).map_or(rest, |width| &rest[..width]);
    if let Some(width) = indentation.find('\t') {
        return (tab(), Span { start: line + width, end: line + width + 1 });
    }
    let (message, help) = words(error.kind());
    let message = if message.is_empty() { error.info() } else { message.to_owned() };
    let problem = Problem::new("yaml::syntax", message);
    (if help.is_empty() { problem } else { problem.help(help) }, span)
}

/// Returns the refusal for an error of the parser that has a code of its own, and its place.
fn named(text: &str, span: Span, kind: &ErrorKind) -> Option<(Problem, Span)> {
    let problem = match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => {
            // The parser points before the tab, or behind it.
            let line = trivia::line_start(text, span.start);
            let line_end = trivia::line_end(text, span.start);
            let next_end = trivia::next_line(text, line_end).map_or(line_end, |next| trivia::line_end(text, next));
            let before = text[line..trivia::skip_blanks(text, line)].find('\t').map(|width| line + width);
            let behind = || text[span.start..next_end].find('\t').map(|width| span.start + width);
            return Some((tab(), before.or_else(behind).map_or(span, |offset| character(text, offset))));
        }
        ErrorKind::RecursionLimitExceeded => too_deep(),
        ErrorKind::DirectiveDisallowed
        | ErrorKind::MissingDocumentEndBeforeDirective
        | ErrorKind::UnsupportedYamlMajorVersion => directive(),
        ErrorKind::BomInsideDocument => inner_mark(),
        ErrorKind::UndeclaredTagHandle
        | ErrorKind::InvalidTagTerminator
        | ErrorKind::MissingTagUri
        | ErrorKind::InvalidGlobalTagCharacter => tag(),
        ErrorKind::MissingAnchorOrAliasName => {
            let sign = if text[span.start..].starts_with('*') { "*" } else { "&" };
            Problem::new("yaml::syntax", format!("a name is missing after `{sign}`"))
                .help("text that begins with `&` or `*` must be quoted")
        }
        _ => return None,
    };
    Some((problem, span))
}

/// Returns message and advice for the common syntax errors; an empty message means the parser's.
fn words(kind: &ErrorKind) -> (&'static str, &'static str) {
    match kind {
        ErrorKind::MappingValueNotAllowed => (
            "a `:` is written where no key can be",
            "text that contains `: ` must be quoted; else check the indentation",
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            ("a `key: value` is missing here", "look for a missing `:`, and check the indentation")
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey => (
            "this fits no map or list above it",
            "entries of one map or list must begin in the same column; look for a missing `:` or `-`, too",
        ),
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => {
            ("a `- ` is written where no list can be", "begin the list on a line of its own, or quote the text")
        }
        ErrorKind::UnclosedQuotedScalar => ("the quotes that open here are never closed", "add the closing quote"),
        ErrorKind::InvalidQuotedScalarIndent => {
            ("text in quotes continues on a line that is not indented", "add the closing quote, or indent the line")
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            ("a bracket or brace is never closed", "add the closing `]` or `}`")
        }
        ErrorKind::MismatchedFlowCollectionEnd { .. } => {
            ("this bracket or brace is closed by one of the other kind", "`[` goes with `]`, and `{` with `}`")
        }
        ErrorKind::MisplacedFlowCollectionEnd => ("this bracket or brace closes nothing that is open", ""),
        ErrorKind::ExpectedFlowMappingSeparator => ("a `,` or `}` is missing before this", ""),
        ErrorKind::ExpectedFlowSequenceSeparator => ("a `,` or `]` is missing before this", ""),
        ErrorKind::UnexpectedCharacter { .. } => ("text cannot begin with this character", "put the text in quotes"),
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("text continues after the closing quote", "in single quotes write '' for one, in double quotes \\\"")
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("no such escape with `\\`", "write \\\\ for a backslash, or use single quotes")
        }
        ErrorKind::CommentInterceptedScalar => {
            ("a comment interrupts a text of several lines", "put the text in quotes, or use `|`")
        }
        _ => ("", ""),
    }
}
