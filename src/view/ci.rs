//! Problems for the tools around a pull request: SARIF 2.1.0 (OASIS), and the workflow commands of GitHub.

use serde_json::{Value as Json, json};

use crate::diagnostic::Problem;

/// Returns a SARIF log with one run.
pub fn sarif(problems: &[Problem]) -> Json {
    let mut rules: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Json> = rules.into_iter().map(|code| json!({"id": code})).collect();
    let result = |problem: &Problem| {
        let mut result = json!({
            "ruleId": problem.code,
            "level": if problem.warning { "warning" } else { "error" },
            "message": {"text": problem.message},
        });
        if let Some(place) = &problem.place {
            let (line, column) = place.source.line_column(place.span.start);
            result["locations"] = json!([{"physicalLocation": {
                "artifactLocation": {"uri": place.source.name},
                "region": {"startLine": line, "startColumn": column},
            }}]);
        }
        result
    };
    let results: Vec<Json> = problems.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "referee", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
        }],
    })
}

/// Returns one workflow command for each problem, which GitHub shows beside the line.
pub fn annotations(problems: &[Problem]) -> String {
    let mut out = String::new();
    for problem in problems {
        let level = if problem.warning { "warning" } else { "error" };
        let place = problem.place.as_ref().map_or_else(String::new, |place| {
            let (line, column) = place.source.line_column(place.span.start);
            format!("file={},line={line},col={column},", property(&place.source.name))
        });
        out.push_str(&format!("::{level} {place}title={}::{}\n", problem.code, data(&problem.message)));
    }
    out
}

/// Escapes what the message of a workflow command must not contain.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
