//! Shows a command that plays: the dice, the steps, the changes and the open question.

use super::Grid;
use crate::data::shown;
use crate::play::{By, Options, Origin, Played, Question, spelled};
use crate::ruleset::Ruleset;

/// Builds the tables of a turn that are not empty: dice, resolution, changes.
pub fn turn(ruleset: &Ruleset, turn: &Played) -> Vec<Grid> {
    [dice(turn), resolution(ruleset, turn), changes(turn)].into_iter().filter(|table| !table.is_empty()).collect()
}

fn dice(turn: &Played) -> Grid {
    let mut grid = Grid::new("Dice", &["roll", "dice", "result", "total", "source"]);
    for selection in turn.selections.iter().filter(|selection| selection.by == By::Random) {
        let (count, out_of) = selection.out_of;
        let kind = match (selection.dice, out_of) {
            (true, _) => format!("{count}d{out_of}"),
            (false, 1) => "only one".to_owned(),
            (false, _) => format!("1 of {out_of}"),
        };
        let shown = selection.value.items().iter().map(spelled).collect::<Vec<_>>().join(", ");
        let numbers = selection.value.items().iter().filter_map(crate::data::Value::as_int);
        let total = if selection.dice { numbers.sum::<i64>().to_string() } else { String::new() };
        grid.row([selection.key.clone(), kind, shown, total, origin_word(selection.origin).to_owned()]);
    }
    grid
}

/// Returns the word for the source of a selection.
pub(super) fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Posted => "posted",
        Origin::Forced => "forced",
        Origin::Drawn => "drawn",
        Origin::Sample => "sample",
        Origin::Prompted => "prompted",
        Origin::Recorded => "recorded",
        Origin::Declined => "declined",
    }
}

fn resolution(ruleset: &Ruleset, turn: &Played) -> Grid {
    let mut grid = Grid::new("Resolution", &["step", "what happened", "rule"]);
    for (index, event) in turn.events.iter().enumerate() {
        let mut rule = event.rule.clone();
        for (key, value) in &event.rulings {
            let number = ruleset.switch(key).map_or("", |switch| switch.ruling.as_str());
            rule.push_str(&format!("\n{key}: {value} ({number})"));
        }
        grid.row([(index + 1).to_string(), event.text.clone(), rule]);
    }
    grid
}

fn changes(turn: &Played) -> Grid {
    let mut grid = Grid::new("Changes", &["where", "before", "after"]);
    let shown = |value: &crate::data::Value| if value.is_empty() { "–".to_owned() } else { value.to_string() };
    // Pending actions are described in words instead.
    for change in turn.changes.iter().filter(|change| change.pointer.first() != Some("pending")) {
        grid.row([change.pointer.to_string(), shown(&change.before), shown(&change.after)]);
    }
    grid
}

/// Formats a draw that waits for a round of a beacon; `resumes` begins the command that continues the action.
pub fn awaited(question: &Question, resumes: &str) -> String {
    let rule = if question.rule.is_empty() { String::new() } else { format!(" [{}]", question.rule) };
    let (text, key) = (&question.text, &question.key);
    format!("open: {text}{rule}\n  to be drawn: `{key}`\n  continue with: {resumes}--beacon ROUND:SIGNATURE\n")
}

/// Shows an open question with its legal answers and how to answer it. `resumes` is the command that continues it; empty if
/// nothing is pending.
pub fn question(question: &Question, resumes: &str) -> String {
    const SHOWN: usize = 20;
    let who = match &question.by {
        By::Random => "to be drawn".to_owned(),
        By::Player(name) => format!("{name} chooses"),
    };
    let legal = match &question.options {
        Options::Dice { count, faces } => format!("{count} dice, each 1 to {faces}"),
        Options::Whole(least, most) => format!("a whole number from {least} to {most}"),
        Options::Text => "some text".to_owned(),
        Options::OneOf(options) => {
            let mut words: Vec<String> = options.iter().take(SHOWN).map(spelled).collect();
            if options.len() > SHOWN {
                words.push(format!("… ({} in all)", options.len()));
            }
            words.join(", ")
        }
    };
    let example = match &question.options {
        Options::Dice { count, .. } => (1..=*count).map(|die| die.min(3).to_string()).collect::<Vec<_>>().join(","),
        Options::OneOf(options) => options.first().map(spelled).unwrap_or_default(),
        _ => "…".to_owned(),
    };
    let rule = if question.rule.is_empty() { String::new() } else { format!(" [{}]", question.rule) };
    let key = &question.key;
    let text = format!(
        "open: {}{rule}\n  {who}: `{key}`\n  legal: {legal}\n  continue with: {resumes}-s {}\n",
        question.text,
        if example.contains(' ') { format!("\"{key}={example}\"") } else { format!("{key}={example}") },
    );
    shown(&text).into_owned()
}
