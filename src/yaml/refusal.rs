//! The words for what is refused: friendlier than the parser's own, and with advice.

use granit_parser::{ErrorKind, ScanError};

use super::{Problem, Span, gap};

/// A problem without a path.
pub(super) fn problem(code: &'static str, span: Span, message: impl Into<String>, help: &str) -> Problem {
    let help = (!help.is_empty()).then(|| help.to_owned());
    Problem { code, message: message.into(), span, path: String::new(), help }
}

/// The range of the character at `at`.
pub(super) fn character(text: &str, at: usize) -> Span {
    let mut start = at.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    Span { start, end: start + text[start..].chars().next().map_or(0, char::len_utf8) }
}

/// A tab used to indent.
pub(super) fn tab(span: Span) -> Problem {
    problem(
        "yaml::tab",
        span,
        "a tab stands where only spaces can indent",
        "replace the tab with spaces, as many as the lines beside it have",
    )
}

/// Brackets or indentation nested too deep.
pub(super) fn too_deep(span: Span) -> Problem {
    problem("yaml::too-deep", span, "lists and maps are nested more than 64 deep", "")
}

/// A `%YAML` or `%TAG` line.
fn directive(span: Span) -> Problem {
    problem(
        "yaml::directive",
        span,
        "lines that begin with `%` are not allowed",
        "take the line out, or quote the text",
    )
}

/// What stopped the parser at `start`, where the text after a byte order mark is `base` bytes in.
pub(super) fn syntax(text: &str, base: usize, error: &ScanError) -> Problem {
    let offset = error.marker().byte_offset().unwrap_or(0) + base;
    let span = character(text, offset);
    if let Some(found) = explained(text, span, error.kind()) {
        return found;
    }
    let line = gap::line_start(text, span.start);
    let rest = &text[line..gap::line_end(text, line)];
    let indentation = rest.find(|c| !matches!(c, ' ' | '\t' | '-')).map_or(rest, |width| &rest[..width]);
    if let Some(place) = indentation.find('\t') {
        return tab(Span { start: line + place, end: line + place + 1 });
    }
    let (message, help) = words(error.kind());
    let message = if message.is_empty() { error.info() } else { message.to_owned() };
    problem("yaml::syntax", span, message, help)
}

/// Errors of the parser that are refusals of ours, with a code of their own.
fn explained(text: &str, span: Span, kind: &ErrorKind) -> Option<Problem> {
    Some(match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => {
            // The parser points before the tab, or behind it.
            let line = gap::line_start(text, span.start);
            let line_end = gap::line_end(text, span.start);
            let next_end = gap::next_line(text, line_end).map_or(line_end, |next| gap::line_end(text, next));
            let before = text[line..gap::skip_blanks(text, line)].find('\t').map(|place| line + place);
            let behind = || text[span.start..next_end].find('\t').map(|place| span.start + place);
            tab(before.or_else(behind).map_or(span, |place| character(text, place)))
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

/// A byte order mark elsewhere than at the start.
pub(super) fn inner_mark(span: Span) -> Problem {
    problem(
        "yaml::byte-order-mark",
        span,
        "a byte order mark (an invisible character) stands within the text",
        "delete the character; it can stand only at the very start of a file",
    )
}

/// A tag.
pub(super) fn tag(span: Span) -> Problem {
    problem("yaml::tag", span, "tags (`!name`) are not allowed", "text that begins with `!` must be quoted")
}

/// Message and advice for the commoner mistakes of syntax; an empty message stands for the parser's own.
fn words(kind: &ErrorKind) -> (&'static str, &'static str) {
    match kind {
        ErrorKind::MappingValueNotAllowed => {
            ("a `:` stands where no key can be", "text that holds `: ` must be quoted; else look at the indentation")
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            ("a `key: value` is missing here", "look for a `:` that was left out, and at the indentation")
        }
        ErrorKind::InvalidIndentation | ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::ExpectedBlockMappingKey => (
            "this fits no map or list above it",
            "entries of one map or list must begin in the same column; look for a `:` or `-` that was left out, too",
        ),
        ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::BlockEntryInFlowCollection => {
            ("a `- ` stands where no list can be", "begin the list on a line of its own, or quote the text")
        }
        ErrorKind::UnclosedQuotedScalar => ("the quotes that open here are never closed", "add the closing quote"),
        ErrorKind::InvalidQuotedScalarIndent => {
            ("text in quotes goes on in a line that is not indented", "add the closing quote, or indent the line")
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
            ("text goes on after the closing quote", "in single quotes write '' for one, in double quotes \\\"")
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            ("no such escape with `\\`", "write \\\\ for a backslash, or use single quotes")
        }
        ErrorKind::CommentInterceptedScalar => {
            ("a comment stands in the middle of a text of several lines", "put the text in quotes, or use `|`")
        }
        _ => ("", ""),
    }
}
