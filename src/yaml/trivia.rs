//! The text between the nodes: blanks, line breaks, comments and indicators.

/// Returns where the text begins, after a byte order mark if there is one.
pub(super) fn first_byte(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Returns the first byte of the line that contains `offset`; a byte order mark is not part of the first line.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    let line_break = text.as_bytes()[..offset].iter().rposition(|&byte| byte == b'\n');
    line_break.map_or_else(|| first_byte(text).min(offset), |line_break| line_break + 1)
}

/// Returns the end of the line that contains `offset`, before its line break.
pub(super) fn line_end(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(length) = bytes[offset..].iter().position(|&byte| byte == b'\n') else { return bytes.len() };
    let end = offset + length;
    if end > offset && bytes[end - 1] == b'\r' { end - 1 } else { end }
}

/// Returns the first byte of the next line, given the end of a line; `None` at the end of the text.
pub(super) fn next_line(text: &str, line_end: usize) -> Option<usize> {
    match text.as_bytes().get(line_end..)? {
        [b'\r', b'\n', ..] => Some(line_end + 2),
        [b'\n', ..] => Some(line_end + 1),
        _ => None,
    }
}

/// Returns the column of `offset` in its line, in bytes from 0.
pub(super) fn column(text: &str, offset: usize) -> usize {
    offset - line_start(text, offset)
}

/// Whether only spaces come before `offset` in its line.
pub(super) fn begins_line(text: &str, offset: usize) -> bool {
    text.as_bytes()[line_start(text, offset)..offset].iter().all(|&byte| byte == b' ')
}

/// Whether the range contains a line break.
pub(super) fn has_break(text: &str, start: usize, end: usize) -> bool {
    text.as_bytes()[start..end].contains(&b'\n')
}

/// Returns the first byte at or after `offset` that is not part of a blank, line break or comment.
pub(super) fn skip(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut here = offset;
    while let Some(&byte) = bytes.get(here) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => here += 1,
            b'#' => here = line_end(text, here),
            _ => break,
        }
    }
    here
}

/// Returns the first byte at or after `offset` that is not a blank.
pub(super) fn skip_blanks(text: &str, offset: usize) -> usize {
    offset + text.as_bytes()[offset..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// Returns the start of the blanks that end at `offset`.
pub(super) fn trim_blanks(text: &str, offset: usize) -> usize {
    offset - text.as_bytes()[..offset].iter().rev().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// Finds the indicator `sign` (a colon, a dash or a comma), if only trivia separate it from `offset`.
pub(super) fn indicator(text: &str, offset: usize, sign: u8) -> Option<usize> {
    let here = skip(text, offset);
    (text.as_bytes().get(here) == Some(&sign)).then_some(here)
}

/// Whether only blanks and perhaps a comment follow `offset` in its line.
pub(super) fn only_comment_follows(text: &str, offset: usize) -> bool {
    matches!(text.as_bytes().get(skip_blanks(text, offset)), None | Some(b'#' | b'\r' | b'\n'))
}

/// Returns the end of the last comment line directly below the line that ends at `end`, as long as each is indented
/// more than `column`; `end` if there are none.
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
    fn a_line_ends_before_its_line_break() {
        let text = "a: 1\r\nb: 2\nc";
        assert_eq!((line_end(text, 0), next_line(text, 4)), (4, Some(6)));
        assert_eq!((line_end(text, 6), next_line(text, 10)), (10, Some(11)));
        assert_eq!((line_end(text, 11), next_line(text, 12)), (12, None));
    }

    #[test]
    fn an_indicator_is_found_behind_comments() {
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
