//! Problems and refusals as people read them, with the lines of the file.

use std::fmt;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity, SourceCode};

use crate::play::Refusal;
use crate::problem::Problem;

struct Report<'a> {
    problem: &'a Problem,
    source: Option<NamedSource<String>>,
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
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
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.problem.place.as_ref()?.span.clone();
        let label = Some(self.problem.path.clone()).filter(|path| !path.is_empty());
        Some(Box::new(std::iter::once(LabeledSpan::new(label, span.start, span.len()))))
    }
}

fn handler(colour: bool) -> GraphicalReportHandler {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    GraphicalReportHandler::new_themed(theme).with_width(100).with_context_lines(0).with_links(false)
}

/// A problem with the line it is about. The place stands in plain text too, so that editors can follow it.
pub fn problem(problem: &Problem, colour: bool) -> String {
    // A window of the file is enough: the report counts lines itself, so the window begins with as many line ends.
    let source = problem.place.as_ref().map(|place| NamedSource::new(&place.source.name, place.source.text.clone()));
    let mut text = String::new();
    let report = Report { problem, source };
    if handler(colour).render_report(&mut text, &report).is_err() {
        text = format!("{problem}\n");
    }
    text
}

/// A refusal: what is so, its code and rule, what to do.
pub fn refusal(refusal: &Refusal) -> String {
    let rule = if refusal.rule.is_empty() { String::new() } else { format!(", {}", refusal.rule) };
    let help = refusal.help.as_ref().map_or_else(String::new, |help| format!("  help: {help}\n"));
    format!("refused: {} [{}{rule}]\n{help}", refusal.message, refusal.code)
}

/// A warning in a line.
pub fn warning(text: &str) -> String {
    format!("warning: {text}\n")
}
