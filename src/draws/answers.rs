//! The text of a `beacons.jsonl`: answers of a beacon's public interface, one a line.
//!
//! A line is a JSON object with `round` and `signature`, and for a chained chain `previous_signature`. Everything else in
//! it, `randomness` too, is ignored. A file may hold answers of several chains: a line does not say which, and is tried
//! against the chain that is asked about.

use serde::Deserialize;

use super::{Answer, Beacon, Chain, DrawError};

/// What a line says.
#[derive(Deserialize)]
struct Line {
    round: u64,
    signature: String,
    previous_signature: Option<String>,
}

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: DrawError,
}

/// The answers of a text that can be read, none verified yet, and what is wrong with the other lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    lines: Vec<(usize, Answer)>,
    problems: Vec<LineProblem>,
}

impl Answers {
    /// Reads every line; empty ones are passed over.
    pub fn read(text: &str) -> Self {
        let mut answers = Self::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            match read_line(line) {
                Ok(answer) => answers.lines.push((number, answer)),
                Err(error) => answers.problems.push(LineProblem { line: number, error }),
            }
        }
        answers
    }

    /// Returns what is wrong with the form of lines, in their order: `bad-beacon` or `round-zero`.
    pub fn problems(&self) -> &[LineProblem] {
        &self.problems
    }

    /// Returns `round` of `chain`, verified; `None` if no line has that round.
    ///
    /// # Errors
    /// What is wrong with each line that has the round, if none of them can be verified.
    pub fn find(&self, chain: &Chain, round: u64) -> Result<Option<Beacon>, Vec<LineProblem>> {
        let mut problems = Vec::new();
        for (line, answer) in self.lines.iter().filter(|(_, answer)| answer.round() == round) {
            match answer.verify(chain) {
                Ok(beacon) => return Ok(Some(beacon)),
                Err(error) => problems.push(LineProblem { line: *line, error }),
            }
        }
        if problems.is_empty() { Ok(None) } else { Err(problems) }
    }

    /// Verifies every line against the chains of a game; returns each line that is of none of them.
    pub fn verify(&self, chains: &[Chain]) -> Vec<LineProblem> {
        let wrong = |(line, answer): &(usize, Answer)| {
            let mut error = None;
            for chain in chains {
                error = Some(answer.verify(chain).err()?);
            }
            error.map(|error| LineProblem { line: *line, error })
        };
        self.lines.iter().filter_map(wrong).collect()
    }
}

fn read_line(line: &str) -> Result<Answer, DrawError> {
    let read: Line = serde_json::from_str(line).map_err(|error| {
        // The library counts its own lines, and would always say 1.
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default().to_owned();
        DrawError::new("bad-beacon", format!("this line is not an answer of a beacon: {why}"))
    })?;
    let previous = read.previous_signature.as_deref().filter(|text| !text.is_empty());
    Answer::new(read.round, &read.signature, previous)
}
