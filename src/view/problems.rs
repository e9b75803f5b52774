//! Problems as people read them, with the lines of the file.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity,
    SourceCode, SourceSpan, SpanContents,
};

use crate::data::{shown, unseen};
use crate::diagnostic::{Place, Problem};

/// The part of one line that a problem is about, in bytes of the whole text.
struct Excerpt<'a> {
    name: &'a str,
    line: usize,
    column: usize,
    from: usize,
    shown: Vec<u8>,
    label: Range<usize>,
}

impl<'a> Excerpt<'a> {
    fn new(place: &'a Place) -> Self {
        let (line, column) = place.source.line_column(place.span.start);
        let text = &place.source.text;
        let start = text.floor_char_boundary(place.span.start);
        let (_, bytes) = place.source.line(start);
        // Only the part around the place is shown of a long line.
        let from = bytes.start.max(text.floor_char_boundary(start.saturating_sub(60)));
        let to = bytes.end.min(text.ceil_char_boundary(start + 100)).max(start);
        // Characters that cannot be seen are shown as spaces, as many as they have bytes, so that the columns stay right.
        let shown = text[from..to].chars().flat_map(|c| {
            let hides = c != '\t' && unseen(c.encode_utf8(&mut [0; 4])).is_some();
            let written = c.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
            if hides { vec![b' '; written.len()] } else { written }
        });
        let label = start..place.span.end.clamp(start, to);
        Self { name: &place.source.name, line, column, from, shown: shown.collect(), label }
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Without lines of context, miette asks for the position that it shows above the excerpt.
        let (from, column) = if lines_before == 0 { (span.offset(), self.column - 1) } else { (self.from, 0) };
        let skipped = from.checked_sub(self.from).ok_or(MietteError::OutOfBounds)?;
        let data = self.shown.get(skipped..).ok_or(MietteError::OutOfBounds)?;
        let whole = SourceSpan::new(from.into(), data.len());
        let contents = MietteSpanContents::new_named(self.name.to_owned(), data, whole, self.line - 1, column, 1);
        Ok(Box::new(contents))
    }
}

struct Report<'a> {
    problem: &'a Problem,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.problem.message))
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.problem.message))
    }
}

impl std::error::Error for Report<'_> {}

impl Diagnostic for Report<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.problem.code))
    }

    fn severity(&self) -> Option<Severity> {
        Some(if self.problem.warning { Severity::Warning } else { Severity::Error })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(shown(help)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.excerpt.as_ref()?.label.clone();
        let label =
            Some(&self.problem.path).filter(|path| !path.is_top()).map(|path| shown(&path.to_string()).into_owned());
        Some(Box::new(std::iter::once(LabeledSpan::new(label, span.start, span.len()))))
    }
}

/// Shows problems, each with its line of the file.
pub fn problems(problems: &[Problem], colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_context_lines(1).with_links(false);
    let mut all = String::new();
    for problem in problems {
        let excerpt = problem.place.as_ref().map(Excerpt::new);
        let mut text = String::new();
        match handler.render_report(&mut text, &Report { problem, excerpt }) {
            Ok(()) => all.push_str(&text),
            Err(_) => all.push_str(&shown(&format!("{problem}\n"))),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::Source;

    #[test]
    fn a_problem_shows_its_own_line_and_no_other() {
        let source = Arc::new(Source::new("g.yaml", "é: 1\r\nab: {c: 2}\r\nd: 3\n"));
        let span = source.text.find('2').unwrap()..source.text.find('d').unwrap();
        let text = problems(&[Problem::new("wrong", "no").at(&source, span)], false);
        assert!(text.contains("[g.yaml:2:9]") && text.contains("2 │ ab: {c: 2}") && !text.contains("d: 3"), "{text}");
    }

    #[test]
    fn a_report_names_the_line_and_column_of_every_offset() {
        for text in ["", "\n", "a\n\nbé", "\u{1b}é\r\n\tb\n"] {
            let source = Arc::new(Source::new("f", text));
            for offset in 0..=text.len() + 1 {
                // Counted without the index of lines.
                let before = &text[..text.floor_char_boundary(offset)];
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
                assert_eq!((line, column), source.line_column(offset), "{text:?} at {offset}");
                let said = problems(&[Problem::new("wrong", "no").at(&source, offset..offset + 9)], false);
                assert!(said.contains(&format!("[f:{line}:{column}]")), "{text:?} at {offset}: {said}");
                assert!(!said.contains('\u{1b}'));
            }
        }
    }
}
