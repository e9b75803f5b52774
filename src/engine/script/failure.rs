//! Errors of the script library, with their places.

use crate::engine::error::ScriptError;

/// Turns an error of the script library into ours, at its place, or at the line that was entered last if it names none.
pub(in crate::engine) fn script_error(error: &starlark::Error, entered: Option<&(String, usize)>) -> ScriptError {
    let message = error.without_diagnostic().to_string();
    let message = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    match error.span() {
        Some(span) => {
            let begin = span.resolve_span().begin;
            ScriptError { file: span.filename().to_owned(), line: begin.line + 1, column: begin.column + 1, message }
        }
        None => {
            let (file, line) = entered.cloned().unwrap_or_else(|| ("ruleset.yaml".into(), 1));
            ScriptError { file, line, column: 1, message }
        }
    }
}
