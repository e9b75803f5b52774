//! What of a text cannot be seen: characters that steer a terminal, turn the direction of writing or leave no mark. A name
//! with one of them reads as another name, so new names have none, and those that a game has are shown with escapes.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_properties::{EmojiStatus, GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_security::confusable_detection::skeleton;
use unicode_segmentation::UnicodeSegmentation;

use super::folded;

/// Returns the first character of a text that cannot be seen. Those that join the parts of an emoji are no such
/// characters within it.
pub fn unseen(text: &str) -> Option<char> {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return None;
    }
    text.graphemes(true).find_map(|cluster| {
        let mut before = None;
        let mut rest = cluster.chars().peekable();
        while let Some(c) = rest.next() {
            if is_unseen(c) && !joins(cluster, before, c, rest.peek().copied()) {
                return Some(c);
            }
            before = Some(c);
        }
        None
    })
}

/// Returns the text with an escape such as `\u{202e}` in place of each character that cannot be seen; line breaks and
/// tabs stay.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |c, out| {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
    })
}

/// Returns JSON in which each character that cannot be seen is escaped as JSON has it.
pub fn shown_json(text: &str) -> Cow<'_, str> {
    escaped(text, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.chars().any(|c| is_unseen(c) && !matches!(c, '\n' | '\t')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for cluster in text.graphemes(true) {
        let mut before = None;
        let mut rest = cluster.chars().peekable();
        while let Some(c) = rest.next() {
            let stays = matches!(c, '\n' | '\t') || !is_unseen(c) || joins(cluster, before, c, rest.peek().copied());
            if stays {
                out.push(c);
            } else {
                escape(c, &mut out);
            }
            before = Some(c);
        }
    }
    Cow::Owned(out)
}

/// Returns what is the same for two names that look alike.
pub fn looks(name: &str) -> [String; 2] {
    let bare = |name: &str| skeleton(name).filter(|c| !is_unseen(*c)).collect::<String>();
    [folded(&bare(name)), folded(&bare(&folded(name)))]
}

/// Whether a character leaves no mark of its own, or steers what is around it.
fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let blank = matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1d159}' | '\u{e0100}'..='\u{e01ef}'
        // Spaces that are not the plain one look like it.
        | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}');
    blank
        || matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
        )
}

/// Whether a character that leaves no mark is part of an emoji: it picks its style, joins it to the next, or names a flag.
fn joins(cluster: &str, before: Option<char>, c: char, after: Option<char>) -> bool {
    let keycap = cluster.ends_with('\u{20e3}') && cluster.chars().count() <= 3;
    match c {
        '\u{fe0e}' | '\u{fe0f}' => keycap || before.is_some_and(is_picture),
        '\u{200d}' => {
            let styled = |c: char| is_picture(c) || matches!(c, '\u{fe0f}') || is_tone(c);
            before.is_some_and(styled) && after.is_some_and(is_picture)
        }
        '\u{e0020}'..='\u{e007f}' => cluster.starts_with('\u{1f3f4}') && cluster.ends_with('\u{e007f}'),
        _ => false,
    }
}

fn is_tone(c: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&c)
}

/// Whether a character is an emoji by itself; digits are not.
fn is_picture(c: char) -> bool {
    !c.is_ascii() && c.is_emoji_char() && c.emoji_status() != EmojiStatus::NonEmoji
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_turns_or_hides_is_found() {
        for text in [
            "a\u{1b}[31m",
            "a\nb",
            "\u{202e}nnA",
            "A\u{200b}nn",
            "Ann\u{200d}",
            "\u{2066}x",
            "\u{ad}",
            "a\u{fe0f}",
            "\u{3164}",
            "A\u{a0}B",
            "\u{feff}",
            "\u{9b}1m",
            "\u{85}",
            "\u{e0041}",
            "🔥\u{200d}",
            "a\u{200d}🔥",
            "\u{e000}",
        ] {
            assert!(unseen(text).is_some(), "{text:?}");
            assert!(!shown(text).chars().any(|c| is_unseen(c) && c != '\n'), "{text:?}");
        }
    }

    #[test]
    fn letters_of_all_scripts_and_emoji_can_be_seen() {
        for text in
            ["Ann", "Zoë", "O’Neil", "日本", "Ким", "❤️‍🔥", "👩🏽‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣", "🇫🇷", "☃︎", "👨‍👩‍👧‍👦", "नमस्ते", "عمر", "a b"]
        {
            assert_eq!(unseen(text), None, "{text:?}");
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn an_escape_says_which_character_it_is() {
        assert_eq!(shown("A\u{202e}n\n"), "A\\u{202e}n\n");
        assert_eq!(shown_json("\"\u{9b}\u{e0041}\""), "\"\\u009b\\udb40\\udc41\"");
    }

    #[test]
    fn names_that_look_alike_have_a_look_in_common() {
        let alike = |a: &str, b: &str| looks(a).iter().zip(looks(b)).any(|(a, b)| *a == b);
        for (a, b) in [("Ann", "Аnn"), ("paypal", "раураl"), ("Bill", "Bi11"), ("Ann", "A\u{200b}nn"), ("ANN", "ann")]
        {
            assert!(alike(a, b), "{a} {b}");
        }
        assert!(!alike("Ann", "Bob"));
    }
}
