//! Puts pieces of new text into the old one, in a single pass.

use crate::yaml::read::tree::Document;
use crate::yaml::trivia;

/// Text that replaces a range; an empty range is an insertion, an empty text a deletion.
#[derive(Debug)]
struct Piece {
    start: usize,
    end: usize,
    text: String,
    /// Whether a comment right behind it keeps its column.
    pins_comment: bool,
}

/// The pieces of one edit. Insertions at the same offset keep the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Splices {
    pieces: Vec<Piece>,
    /// Whole lines to delete: from the start of the first to the end of the last, without its line break.
    lines: Vec<(usize, usize)>,
}

impl Splices {
    /// Replaces a range.
    pub fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.pieces.push(Piece { start, end, text: text.into(), pins_comment: false });
    }

    /// Replaces a whole value; a trailing comment stays in its column.
    pub fn replace_value(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.pieces.push(Piece { start, end, text: text.into(), pins_comment: true });
    }

    pub fn insert(&mut self, offset: usize, text: impl Into<String>) {
        self.replace(offset, offset, text);
    }

    pub fn delete(&mut self, start: usize, end: usize) {
        self.replace(start, end, "");
    }

    /// Deletes whole lines, from the start of the first to the end of the last.
    pub fn delete_lines(&mut self, start: usize, end: usize) {
        self.lines.push((start, end));
    }

    /// Returns the new text, and the ranges in the old text of the comments that are still in it; `None` if pieces
    /// overlap.
    pub fn apply(mut self, document: &Document) -> Option<(String, Vec<(u32, u32)>)> {
        let old = document.text();
        self.delete_runs(old);
        self.pieces.sort_by_key(|piece| (piece.start, piece.end > piece.start));
        let moved = pin_comments(document, &self.pieces);
        self.pieces.extend(moved);
        self.pieces.sort_by_key(|piece| (piece.start, piece.end > piece.start));

        let growth: usize = self.pieces.iter().map(|piece| piece.text.len()).sum();
        let mut text = String::with_capacity(old.len() + growth);
        let mut done = 0;
        for piece in &self.pieces {
            text.push_str(old.get(done..piece.start)?);
            text.push_str(&piece.text);
            done = piece.end;
        }
        text.push_str(old.get(done..)?);

        let mut pieces = self.pieces.iter().filter(|piece| piece.end > piece.start).peekable();
        let kept = document.comments.iter().copied().filter(|&(start, _)| {
            while pieces.next_if(|piece| piece.end <= start as usize).is_some() {}
            pieces.peek().is_none_or(|piece| piece.start > start as usize)
        });
        let kept = kept.collect();
        Some((text, kept))
    }

    /// Turns deleted lines into pieces. Each takes the line break before it along, so that it does not overlap with text
    /// inserted at the end of the line before or of the last deleted line; the first lines of the file take the break
    /// behind them.
    fn delete_runs(&mut self, old: &str) {
        self.lines.sort_unstable();
        let mut first = trivia::first_byte(old);
        for (start, end) in std::mem::take(&mut self.lines) {
            if start == first {
                first = trivia::next_line(old, end).unwrap_or(end);
                self.delete(start, first);
            } else {
                let before = if old[..start].ends_with("\r\n") { start - 2 } else { start - 1 };
                self.delete(before, end);
            }
        }
    }
}

/// Returns the pieces that keep trailing comments in their column when the text before them changes its width.
fn pin_comments(document: &Document, pieces: &[Piece]) -> Vec<Piece> {
    let old = document.text();
    let mut moved: Vec<Piece> = Vec::new();
    let mut index = 0;
    while index < pieces.len() {
        let piece = &pieces[index];
        let comment = document.comments.partition_point(|&(start, _)| (start as usize) < piece.end);
        let Some(&(start, _)) = document.comments.get(comment) else { break };
        let start = start as usize;
        // Every piece before this comment and in its line counts.
        let mut shift = 0_isize;
        let mut pinned = false;
        let mut simple = true;
        let blanks = trivia::trim_blanks(old, start);
        let first = index;
        while index < pieces.len() && pieces[index].end <= start {
            let piece = &pieces[index];
            index += 1;
            if trivia::has_break(old, piece.end, start) {
                continue;
            }
            simple &=
                !piece.text.contains('\n') && !trivia::has_break(old, piece.start, piece.end) && piece.end <= blanks;
            shift += width(&piece.text) - width(&old[piece.start..piece.end]);
            pinned |= piece.pins_comment && piece.end == blanks && start >= blanks + 2;
        }
        if index == first {
            index += 1;
        }
        // If a value moves to the lines below, its comment stays right behind the key.
        let emptied = pieces[first..index].iter().any(|piece| piece.text.is_empty() && piece.start < piece.end);
        let below = |next: &Piece| next.start == trivia::line_end(old, start) && next.text.contains('\n');
        simple &= !(emptied && pieces.get(index).is_some_and(below));
        let stays = pieces.get(index).is_none_or(|next| next.start >= start);
        if stays && simple && shift != 0 && blanks < start && (pinned || aligned(document, comment)) {
            let spaces = width(&old[blanks..start]) - shift;
            let text = " ".repeat(usize::try_from(spaces).unwrap_or(0).max(1));
            moved.push(Piece { start: blanks, end: start, text, pins_comment: false });
        }
    }
    moved
}

/// Returns the width of a text in characters.
fn width(text: &str) -> isize {
    isize::try_from(text.chars().count()).unwrap_or(isize::MAX)
}

/// Whether the trailing comment of the line above or below is in the same column.
fn aligned(document: &Document, comment: usize) -> bool {
    let old = document.text();
    let start = |index: usize| document.comments.get(index).map(|&(start, _)| start as usize);
    let column = |offset: usize| old[trivia::line_start(old, offset)..offset].chars().count();
    let Some(this) = start(comment) else { return false };
    let neighbour = |other: Option<usize>| {
        other.is_some_and(|other| {
            let (first, last) = (this.min(other), this.max(other));
            old[first..last].matches('\n').count() == 1
                && column(other) == column(this)
                && !trivia::begins_line(old, other)
        })
    };
    neighbour(comment.checked_sub(1).and_then(start)) || neighbour(start(comment + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str, with: impl FnOnce(&mut Splices)) -> Option<String> {
        let document = Document::parse(text).unwrap();
        let mut splices = Splices::default();
        with(&mut splices);
        splices.apply(&document).map(|(text, _)| text)
    }

    #[test]
    fn deleted_and_inserted_lines_do_not_overlap() {
        let text = "a: 1\nb: 2\nc: 3\n";
        let edited = apply(text, |splices| {
            splices.delete_lines(5, 9);
            splices.insert(4, "\nx: 1");
            splices.insert(9, "\ny: 2");
        });
        assert_eq!(edited.unwrap(), "a: 1\nx: 1\ny: 2\nc: 3\n");
    }

    #[test]
    fn the_first_lines_take_the_break_behind_them() {
        let edited = apply("a: 1\r\nb: 2\r\nc: 3\r\n", |splices| {
            splices.delete_lines(6, 10);
            splices.delete_lines(0, 4);
        });
        assert_eq!(edited.unwrap(), "c: 3\r\n");
    }

    #[test]
    fn overlapping_pieces_are_refused() {
        let edited = apply("a: 1\nb: 2\n", |splices| {
            splices.replace(3, 6, "x");
            splices.replace(4, 7, "y");
        });
        assert_eq!(edited, None);
    }

    #[test]
    fn a_comment_keeps_its_column_while_there_is_room() {
        let text = "a: 10   # one\nb: 2 # two\n";
        let replace = |start, end, new: &str| apply(text, |splices| splices.replace_value(start, end, new)).unwrap();
        assert_eq!(replace(3, 5, "7"), "a: 7    # one\nb: 2 # two\n");
        assert_eq!(replace(3, 5, "12345"), "a: 12345 # one\nb: 2 # two\n");
        assert_eq!(replace(17, 18, "22"), "a: 10   # one\nb: 22 # two\n");
    }
}
