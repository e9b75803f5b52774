//! The effects that a rule file holds beside its data: texts under its top-level keys.

use std::sync::{Arc, OnceLock};

use starlark::values::OwnedFrozenValue;

use crate::diagnostic::Source;
use crate::engine::error::ScriptError;
use crate::yaml::{Data, Document};

/// Something compiled when it is first used.
pub(super) type Compiled<T> = OnceLock<Result<T, ScriptError>>;

/// One effect of a rule file: the place of its text, and the function once it is compiled.
#[derive(Debug)]
pub(super) struct Effect {
    /// The key under which it is written.
    pub key: String,
    /// The file in which it is written.
    pub source: Arc<Source>,
    /// Line of the text's first line, from 1.
    pub line: usize,
    /// The text's lines as they are in the file, with their indentation.
    body: String,
    pub function: Compiled<OwnedFrozenValue>,
}

impl Effect {
    /// Writes the effect as a function of these parameters. Blank lines before it let each line keep its number in the
    /// rule file.
    pub fn text(&self, params: &[String]) -> String {
        let before = "\n".repeat(self.line.saturating_sub(2));
        format!("{before}def effect({}):\n{}\n", params.join(", "), self.body)
    }
}

/// Finds the effects in a rule file: every text under a top-level key, as far as its cases.
pub(super) fn effects(source: &Arc<Source>) -> Result<Vec<Effect>, ScriptError> {
    let text = source.text.split_inclusive("\ncases:").next().map_or("", |text| text.trim_end_matches("cases:"));
    let document = Document::parse(text).map_err(|problems| {
        let place = problems.first().and_then(|problem| problem.place.as_ref());
        let (line, column) = place.map_or((1, 1), |place| source.line_column(place.span.start));
        let message = problems.first().map_or_else(String::new, |problem| problem.message.clone());
        ScriptError { file: source.name.clone(), line, column, message }
    })?;
    let mut found = Vec::new();
    for entry in document.root().entries() {
        let Data::Text(one_line) = &entry.value.data else { continue };
        let (line, body) = match entry.value.literal_body(&document) {
            Some((start, indent)) => {
                let (line, _) = document.line_column(start);
                let margin = " ".repeat(indent.max(1));
                let rest = document.text()[start..].lines();
                let body =
                    rest.take_while(|line| line.trim().is_empty() || line.starts_with(&margin)).collect::<Vec<_>>();
                (line, body.join("\n"))
            }
            None => {
                let (line, column) = document.line_column(entry.value.span().start);
                (line, format!("{}{one_line}", " ".repeat(column - 1)))
            }
        };
        let body = if body.trim().is_empty() { " pass".to_owned() } else { body };
        found.push(Effect {
            key: entry.key.to_string(),
            source: Arc::clone(source),
            line,
            body,
            function: OnceLock::new(),
        });
    }
    Ok(found)
}
