//! How a command ends: its exit code, and what it prints.

use super::exit_code::ExitCode;
use super::global::{Format, Global};
use crate::diagnostic::Problem;
use crate::play::Refusal;
use crate::view;

/// What is wrong with files, so that a command cannot be carried out.
pub(super) type Problems = Vec<Problem>;

/// How a command ends.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The exit code.
    pub code: ExitCode,
    /// The text for standard output.
    pub out: String,
    /// The text for standard error.
    pub err: String,
}

impl Outcome {
    pub fn done(out: String) -> Self {
        Self { code: ExitCode::Done, out, err: String::new() }
    }

    /// Returns the answer of a command that shows something: an object for programs, or a text.
    pub fn found(global: &Global, own: serde_json::Value, text: impl FnOnce() -> String) -> Self {
        if global.format != Format::Json {
            return Self::done(text());
        }
        let mut object = serde_json::json!({"format": "referee/1", "status": "done"});
        if let (Some(all), serde_json::Value::Object(own)) = (object.as_object_mut(), own) {
            all.extend(own);
        }
        Self::done(json_line(&object))
    }

    pub fn refused(global: &Global, code: ExitCode, refusal: &Refusal) -> Self {
        if global.format == Format::Json {
            return Self { code, out: json_line(&view::refused_json(refusal)), err: String::new() };
        }
        Self { code, out: String::new(), err: view::refusal(refusal) }
    }

    /// Returns the refusal of a command that is not one of this game's.
    pub fn no_action(global: &Global, refusal: &Refusal) -> Self {
        let code = if refusal.code == "usage" { ExitCode::Usage } else { ExitCode::Refused };
        Self::refused(global, code, refusal)
    }

    pub fn problems(global: &Global, code: ExitCode, problems: &[Problem]) -> Self {
        let mut outcome = Self { code, out: String::new(), err: String::new() };
        if global.format == Format::Json {
            outcome.out = json_line(&view::report_json(None, problems, false));
        } else {
            outcome.err = view::problems(problems, global.colour());
        }
        outcome
    }
}

pub(super) fn json_line(object: &serde_json::Value) -> String {
    format!("{object:#}\n")
}
