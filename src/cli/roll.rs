//! `roll`: dice that decide nothing.

use serde_json::json;

use super::answer::DiceRoller;
use super::args::Global;
use super::play::given;
use super::{ExitCode, Outcome};
use crate::data::{Dice, NotDice};
use crate::play::Refusal;

/// Throws dice and shows them, their sum (D-1) or how many reach the target (D-2).
pub(super) fn roll(global: &Global, dice: &str, target: Option<i64>) -> Outcome {
    let refused = |exit, code: &str, message: String, rule: &str| {
        let refusal = Refusal { code: code.to_owned(), message, help: None, rule: rule.to_owned() };
        Outcome::refused(global, exit, &refusal)
    };
    let Dice { count, faces } = match dice.parse() {
        Ok(dice) => dice,
        Err(error) => return refused(ExitCode::Usage, "usage", NotDice::to_string(&error), "D-1"),
    };
    let posted = given(global);
    if let Some((key, _)) = posted.all().find(|(key, _)| *key != "roll") {
        return refused(ExitCode::Refused, "unused-selection", format!("nothing asks for `{key}`"), "");
    }
    let values = match posted.left("roll") {
        [] => DiceRoller::new(global.seed, false, false).throw(count, faces),
        values => values.to_vec(),
    };
    let in_range = |die: &i64| (1..=i64::from(faces)).contains(die);
    let shown: Option<Vec<i64>> = values.iter().map(|value| value.as_int().filter(in_range)).collect();
    let Some(shown) = shown.filter(|shown| shown.len() == count as usize) else {
        let message = format!("{dice} takes {count} dice, each 1 to {faces}");
        return refused(ExitCode::Refused, "illegal-selection", message, "D-1");
    };
    let total: i64 = shown.iter().sum();
    let hits = target.map(|target| shown.iter().filter(|die| **die >= target).count());
    let object = json!({"dice": dice, "shown": shown, "total": total, "target": target, "hits": hits});
    Outcome::found(global, object, || {
        let list = shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match (target, hits) {
            (Some(target), Some(hits)) => format!("{dice}: {list}; {hits} show {target} or more (D-2)\n"),
            _ => format!("{dice}: {list}; total {total} (D-1)\n"),
        }
    })
}
