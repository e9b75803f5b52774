//! `roll`: dice that decide nothing.

use serde_json::json;

use super::answer::Answerer;
use super::args::{Format, Global};
use super::play::given;
use super::{ExitCode, Outcome, json_line};
use crate::rulebook::script::read_dice;
use crate::value::Value;

/// Throws dice and shows them, their sum (D-1) or how many reach the target (D-2).
pub(super) fn roll(global: &Global, dice: &str, target: Option<i64>) -> Outcome {
    let Some((count, faces)) = read_dice(dice) else {
        let err = format!("`{dice}` are no dice: write NdK, such as 2d4 (D-1)\n");
        return Outcome { code: ExitCode::Usage, out: String::new(), err };
    };
    let posted = given(global);
    let shown: Vec<i64> = match posted.left("roll") {
        [] => Answerer::new(global.seed, false, false).throw(count, faces).iter().filter_map(Value::as_int).collect(),
        values => values.iter().filter_map(Value::as_int).collect(),
    };
    let fits = shown.len() == count as usize && shown.iter().all(|die| (1..=i64::from(faces)).contains(die));
    if !fits {
        let err = format!("refused: {dice} takes {count} dice, each 1 to {faces} [illegal-selection, D-1]\n");
        return Outcome { code: ExitCode::Refused, out: String::new(), err };
    }
    let total: i64 = shown.iter().sum();
    let hits = target.map(|target| shown.iter().filter(|die| **die >= target).count());
    if global.format == Format::Json {
        let object = json!({"format": "referee/1", "status": "done", "dice": dice, "shown": shown, "total": total, "target": target, "hits": hits});
        return Outcome::done(json_line(&object));
    }
    let list = shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Outcome::done(match (target, hits) {
        (Some(target), Some(hits)) => format!("{dice}: {list}; {hits} show {target} or more (D-2)\n"),
        _ => format!("{dice}: {list}; total {total} (D-1)\n"),
    })
}
