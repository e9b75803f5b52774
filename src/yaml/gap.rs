//! The text between the nodes: blanks, line ends, comments and indicators.

/// Where the text begins after a byte order mark.
pub(super) fn first_byte(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The first byte of the line that holds `at`; a byte order mark is no part of the first line.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let found = bytes[..at].iter().rposition(|&byte| byte == b'\n');
    found.map_or_else(|| first_byte(text).min(at), |place| place + 1)
}

/// The end of the line that holds `at`, before its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(length) = bytes[at..].iter().position(|&byte| byte == b'\n') else { return bytes.len() };
    let end = at + length;
    if end > at && bytes[end - 1] == b'\r' { end - 1 } else { end }
}

/// The first byte of the next line, given the end of a line; `None` at the end of the text.
pub(super) fn next_line(text: &str, line_end: usize) -> Option<usize> {
    match text.as_bytes().get(line_end..)? {
        [b'\r', b'\n', ..] => Some(line_end + 2),
        [b'\n', ..] => Some(line_end + 1),
        _ => None,
    }
}

/// How many bytes before the line's end the line is at `at`: its indentation, where only spaces and dashes precede.
pub(super) fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}

/// Whether only spaces stand before `at` in its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    text.as_bytes()[line_start(text, at)..at].iter().all(|&byte| byte == b' ')
}

/// Whether a line break stands in the range.
pub(super) fn breaks(text: &str, start: usize, end: usize) -> bool {
    text.as_bytes()[start..end].contains(&b'\n')
}

/// The first byte at or after `at` that is no blank, line break or comment.
pub(super) fn skip(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut here = at;
    while let Some(&byte) = bytes.get(here) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => here += 1,
            b'#' => here = line_end(text, here),
            _ => break,
        }
    }
    here
}

/// The first byte at or after `at` that is no blank.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// The byte after the last one before `at` that is no blank.
pub(super) fn trim_blanks(text: &str, at: usize) -> usize {
    at - text.as_bytes()[..at].iter().rev().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// The indicator `sign` (a colon, a dash or a comma) that follows `at` with nothing but a gap between.
pub(super) fn indicator(text: &str, at: usize, sign: u8) -> Option<usize> {
    let here = skip(text, at);
    (text.as_bytes().get(here) == Some(&sign)).then_some(here)
}

/// Whether nothing but blanks, and perhaps a comment, stands from `at` to the end of its line.
pub(super) fn only_comment_follows(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(skip_blanks(text, at)), None | Some(b'#' | b'\r' | b'\n'))
}

/// The end of the last comment line that follows the line ending at `end` at once and is indented more than `column`.
pub(super) fn deeper_comments(text: &str, mut end: usize, column: usize) -> usize {
    while let Some(start) = next_line(text, end) {
        let sign = skip_blanks(text, start);
        if text.as_bytes().get(sign) != Some(&b'#') || sign - start <= column {
            break;
        }
        end = line_end(text, sign);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_before_its_break_whatever_the_break() {
        let text = "a: 1\r\nb: 2\nc";
        assert_eq!((line_end(text, 0), next_line(text, 4)), (4, Some(6)));
        assert_eq!((line_end(text, 6), next_line(text, 10)), (10, Some(11)));
        assert_eq!((line_end(text, 11), next_line(text, 12)), (12, None));
    }

    #[test]
    fn a_gap_ends_at_the_next_indicator() {
        let text = "k # one: \n  # two\n  : v";
        assert_eq!(indicator(text, 1, b':'), Some(20));
        assert_eq!(indicator(text, 1, b'-'), None);
    }

    #[test]
    fn only_deeper_comments_belong_to_an_entry() {
        let text = "a:\n  b: 1\n    # deep\n  # not\n";
        assert_eq!(deeper_comments(text, 9, 2), text.find("deep").unwrap() + 4);
    }
}
