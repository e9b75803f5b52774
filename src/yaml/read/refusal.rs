//! The messages for what is refused: friendlier than the parser's, and with advice.

use granit_parser::{ErrorKind, ScanError};

use crate::yaml::problem::{Problem, Span};
use crate::yaml::trivia;

/// Makes a problem without a path; an empty `help` is none.
pub(in crate::yaml) fn problem(code: &'static str, span: Span, message: impl Into<String>, help: &str) -> Problem {
    let help = (!help.is_empty()).then(|| help.to_owned());
    Problem { code, message: message.into(), span, path: String::new(), help }
}

/// Returns the range of the character at `offset`.
pub(super) fn character(text: &str, offset: usize) -> Span {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    Span { start, end: start + text[start..].chars().next().map_or(0, char::len_utf8) }
}

/// Refuses a tab in indentation.
pub(super) fn tab(span: Span) -> Problem {
    problem(
        "yaml::tab",
        span,
        "a tab is used where only spaces can indent",
        "replace the tab with spaces, as many as the lines beside it have",
    )
}

/// Refuses nesting that is too deep.
pub(in crate::yaml) fn too_deep(span: Span) -> Problem {
    problem("yaml::too-deep", span, "lists and maps are nested more than 64 deep", "")
}

/// Refuses a `%YAML` or `%TAG` line.
fn directive(span: Span) -> Problem {
    problem("yaml::directive", span, "lines that begin with `%` are not allowed", "remove the line, or quote the text")
}

/// Explains what stopped the parser, which saw the text from `base` bytes on.
pub(super) fn syntax(text: &str, base: usize, error: &ScanError) -> Problem {
    let offset = error.marker().byte_offset().unwrap_or(0) + base;
    let span = character(text, offset);
    if let Some(refused) = named(text, span, error.kind()) {
        return refused;
    }
    let line = trivia::line_start(text, span.start);
    let rest = &text[line..trivia::line_end(text, line)];
    let indentation = rest.find(|c| !matches!(c, ' ' | '\t' | '-')).map_or(rest, |width| &rest[..width]);
    if let Some(width) = indentation.find('\t') {
        return tab(Span { start: line + width, end: line + width + 1 });
    }
    let (message, help) = words(error.kind());
    let message = if message.is_empty() { error.info() } else { message.to_owned() };
    problem("yaml::syntax", span, message, help)
}

/// Returns the refusal for an error of the parser that has a code of its own.
fn named(text: &str, span: Span, kind: &ErrorKind) -> Option<Problem> {
    Some(match kind {
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
            tab(before.or_else(behind).map_or(span, |offset| character(text, offset)))
        }
        ErrorKind::RecursionLimitExceeded => too_deep(span),
        ErrorKind::DirectiveDisallowed
        | ErrorKind::MissingDocumentEndBeforeDirective
        | ErrorKind::UnsupportedYamlMajorVersion => directive(span),
        ErrorKind::BomInsideDocument => inner_mark(span),
        ErrorKind::UndeclaredTagHandle
        | ErrorKind::InvalidTagTerminator
        | ErrorKind::MissingTagUri
        | ErrorKind::InvalidGlobalTagCharacter => tag(span),
        ErrorKind::MissingAnchorOrAliasName => {
            let sign = if text[span.start..].starts_with('*') { "*" } else { "&" };
            problem(
                "yaml::syntax",
                span,
                format!("a name is missing after `{sign}`"),
                "text that begins with `&` or `*` must be quoted",
            )
        }
        _ => return None,
    })
}

/// Refuses a byte order mark that is not at the start.
pub(super) fn inner_mark(span: Span) -> Problem {
    problem(
        "yaml::byte-order-mark",
        span,
        "there is a byte order mark (an invisible character) within the text",
        "delete the character; it is allowed only at the very start of a file",
    )
}

/// Refuses a tag.
pub(super) fn tag(span: Span) -> Problem {
    problem("yaml::tag", span, "tags (`!name`) are not allowed", "text that begins with `!` must be quoted")
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

/// Refuses a carriage return that does not end a line.
pub(super) fn lone_return(span: Span) -> Problem {
    problem(
        "yaml::lone-return",
        span,
        "a carriage return is not followed by a line feed",
        "save the file with one kind of line ends",
    )
}

/// Refuses a control character.
pub(super) fn control_character(span: Span, byte: u8) -> Problem {
    problem(
        "yaml::control-character",
        span,
        format!("the file contains a control character (U+{byte:04X})"),
        "delete the character, or write it as an escape in double quotes",
    )
}
