//! Scalars: what a plain one means, which text may be written as one, and how the rest is quoted.

use std::fmt::Write;

/// The meaning of a plain scalar.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::yaml) enum Plain {
    Null,
    Bool(bool),
    Int(i64),
    /// A whole number that does not fit into 64 bits.
    TooLarge,
    Text,
}

/// Reads a plain scalar by the core schema of YAML 1.2, without floats and without the capitalised words.
pub(in crate::yaml) fn read_plain(text: &str) -> Plain {
    match text.as_bytes() {
        [] | b"~" | b"null" => Plain::Null,
        b"true" => Plain::Bool(true),
        b"false" => Plain::Bool(false),
        [b'0'..=b'9' | b'+' | b'-', ..] => read_number(text),
        _ => Plain::Text,
    }
}

fn read_number(text: &str) -> Plain {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let unsigned = if radix == 10 { digits.strip_prefix(['+', '-']).unwrap_or(digits) } else { digits };
    let whole = !unsigned.is_empty() && unsigned.chars().all(|c| c.is_digit(radix));
    // A leading zero means octal to some readers, so a person has to settle it.
    if !whole || (radix == 10 && unsigned.len() > 1 && unsigned.starts_with('0')) {
        return Plain::Text;
    }
    i64::from_str_radix(digits, radix).map_or(Plain::TooLarge, Plain::Int)
}

/// Where a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::yaml) enum Position {
    BlockValue,
    BlockKey,
    /// A key or value within brackets or braces.
    Flow,
}

/// Whether `text` can be written without quotes and no reader of YAML 1.1 or 1.2 takes it for anything else.
pub(in crate::yaml) fn may_be_plain(text: &str, position: Position) -> bool {
    // Readers of YAML 1.1 take a question mark within brackets for the sign of a key.
    let question_mark = position == Position::Flow && text.contains('?');
    is_plain_syntax(text, position) && !question_mark && !is_misread(text) && !is_timestamp(text)
}

/// Whether `text` without quotes is one plain scalar, whatever it is then taken for.
pub(in crate::yaml) fn is_plain_syntax(text: &str, position: Position) -> bool {
    let bytes = text.as_bytes();
    let opening = match bytes {
        [] | [b'-'] | [b'-', b' ' | b'-', ..] => return false,
        [b'-', next, ..] => next.is_ascii_alphanumeric() || *next >= 0x80 || *next == b'.',
        [first, ..] => !b"?:,[]{}#&*!|>'\"%@`= \t".contains(first),
    };
    let colon = match position {
        Position::BlockValue => text.contains(": ") || text.contains(":\t") || text.ends_with(':'),
        Position::BlockKey | Position::Flow => text.contains(':'),
    };
    let brackets = position == Position::Flow && text.contains([',', '[', ']', '{', '}']);
    let comment = text.contains(" #") || text.contains("\t#");
    let edge = text.ends_with([' ', '\t']);
    opening && !colon && !brackets && !comment && !edge && !text.starts_with("...") && text.chars().all(is_printable)
}

/// Whether a character may be written without an escape.
pub(in crate::yaml) fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether some reader takes the plain text for null, true or false, a number, a date or a merge key.
fn is_misread(text: &str) -> bool {
    const WORDS: [&str; 11] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", "<<"];
    if WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned.as_bytes() {
        [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', digits @ ..] => {
            digits.iter().all(|digit| digit.is_ascii_hexdigit() || *digit == b'_')
        }
        [b'0'..=b'9' | b'.', ..] => {
            unsigned.bytes().all(|byte| b"0123456789_.:eE+-".contains(&byte))
                || [".inf", ".nan"].iter().any(|word| word.eq_ignore_ascii_case(unsigned))
        }
        _ => false,
    }
}

/// Whether the text begins as a date and continues as a time, such as `2024-01-05T01:22:00Z`.
pub(in crate::yaml) fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 8
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes.iter().all(|byte| byte.is_ascii_digit() || b"-:.+TtZz ".contains(byte))
}

/// Writes the text in single quotes, if that is possible on one line.
pub(in crate::yaml) fn single_quoted(text: &str) -> Option<String> {
    text.chars().all(is_printable).then(|| format!("'{}'", text.replace('\'', "''")))
}

/// Writes the text in double quotes, on one line.
pub(in crate::yaml) fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if is_printable(c) => quoted.push(c),
            // No character that is not printable has more than four digits.
            c => write!(quoted, "\\u{:04X}", u32::from(c)).unwrap_or_default(),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether the text can be a literal block scalar (`|` or `|-`) without an indentation indicator.
pub(in crate::yaml) fn may_be_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.starts_with([' ', '\t', '\n'])
        && !body.ends_with('\n')
        && body.lines().all(|line| line.is_empty() || !line.trim_matches([' ', '\t']).is_empty())
        && body.contains('\n') | (body.len() < text.len())
        && !body.is_empty()
        && body.chars().all(|c| c == '\n' || c == '\t' || is_printable(c))
}

/// Whether the text can be a folded block scalar (`>` or `>-`) that is written without reflowing it by hand.
pub(in crate::yaml) fn may_be_folded(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    !body.is_empty()
        && body
            .split('\n')
            .all(|line| !line.is_empty() && !line.starts_with([' ', '\t']) && !line.ends_with([' ', '\t']))
        && body.chars().all(|c| c == '\n' || is_printable(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_decimal_or_hexadecimal() {
        assert_eq!(read_plain("-16"), Plain::Int(-16));
        assert_eq!(read_plain("0xDEADBEEF"), Plain::Int(0xDEAD_BEEF));
        assert_eq!(read_plain("-9223372036854775808"), Plain::Int(i64::MIN));
        assert_eq!(read_plain("9223372036854775808"), Plain::TooLarge);
        assert_eq!(read_plain("0xFFFFFFFFFFFFFFFF"), Plain::TooLarge);
        for text in ["01", "1.5", "1e3", "1_000", "0o17", "-", "+", "0x", "-0x1", "2024-01-05", "no", "True"] {
            assert_eq!(read_plain(text), Plain::Text, "{text}");
        }
    }

    #[test]
    fn text_that_a_reader_could_misread_is_quoted() {
        let unsafe_texts = [
            "",
            "no",
            "Yes",
            "y",
            "on",
            "NULL",
            "~",
            "1",
            "-1",
            "+1",
            "01",
            "1.5",
            ".5",
            "1e3",
            "1_000",
            "12:30",
            "0b1",
            "0o7",
            "0x1F",
            ".inf",
            "-.INF",
            ".NaN",
            "2024-01-05",
            "2024-01-05T01:22:00Z",
            "=",
            "<<",
            "- a",
            "-",
            "---",
            "...",
            "? a",
            ": a",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "'a",
            "\"a",
            "%a",
            "@a",
            "`a",
            "[a",
            "{a",
            " a",
            "a ",
            "a\tb",
            "a\nb",
            "a\u{85}b",
            "\u{feff}",
        ];
        for text in unsafe_texts {
            assert!(!may_be_plain(text, Position::BlockValue), "{text:?}");
        }
        for text in ["Ann", "Don't Use This", "2d4", "a:b", "a, b", "(1, 2)", "/players/Ann", "-x", "7 coins", "a#b"] {
            assert!(may_be_plain(text, Position::BlockValue), "{text:?}");
        }
        assert!(!may_be_plain("a, b", Position::Flow));
        assert!(!may_be_plain("a:b", Position::Flow));
        assert!(!may_be_plain("a:b", Position::BlockKey));
        assert!(may_be_plain("/players/Ann/location", Position::BlockKey));
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(double_quoted("a\"\\\n\u{0}\u{2028}é☃"), "\"a\\\"\\\\\\n\\u0000\\u2028é☃\"");
        assert_eq!(single_quoted("it's"), Some("'it''s'".to_owned()));
        assert_eq!(single_quoted("a\nb"), None);
    }

    #[test]
    fn a_literal_has_no_indicator_and_at_most_one_final_line_break() {
        for text in ["a\nb", "a\nb\n", "a\n\nb\n", "a\n  b", "a\n"] {
            assert!(may_be_literal(text), "{text:?}");
        }
        for text in ["", "\n", "a", " a\nb", "\na", "a\n\n", "a\n  \nb", "a\r\nb", "a\n\n\n"] {
            assert!(!may_be_literal(text), "{text:?}");
        }
    }
}
