//! `roll`: dice that decide nothing.

use clap::Args;
use serde_json::json;

use super::run::Run;
use crate::cli::exit_code::ExitCode;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::Selecting;
use crate::cli::prompt::DiceRoller;
use crate::cli::session::Context;
use crate::data::{Dice, NotDice};
use crate::play::Refusal;

/// Throw dice and write nothing
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee roll 2d4\n  referee roll 5d6 --target 3      how many show 3 or more (D-2)"
)]
pub(super) struct Roll {
    /// The dice, such as 5d6
    dice: String,
    /// Count the dice that show this or more
    #[arg(long, allow_negative_numbers = true)]
    target: Option<i64>,
    #[command(flatten)]
    selecting: Selecting,
    /// Draw from this stream instead of the system's randomness: the same seed gives the same draws
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Run for Roll {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        Ok(roll(context, &self))
    }
}

/// Throws dice and shows them with their sum (D-1) or how many reach the target (D-2).
fn roll(context: &Context, args: &Roll) -> Outcome {
    let (global, dice, target) = (&context.global, &args.dice, args.target);
    let refused = |exit, code: &str, message: String, rule: &str| {
        let refusal = Refusal { code: code.to_owned(), message, help: None, rule: rule.to_owned() };
        Outcome::refused(global, exit, &refusal)
    };
    let Dice { count, faces } = match dice.parse() {
        Ok(dice) => dice,
        Err(error) => return refused(ExitCode::Usage, "usage", NotDice::to_string(&error), "D-1"),
    };
    let posted = args.selecting.given();
    if let Some((key, _)) = posted.all().find(|(key, _)| *key != "roll") {
        return refused(ExitCode::Refused, "unused-selection", format!("`roll` does not ask for `{key}`"), "");
    }
    let values = match posted.left("roll") {
        [] => DiceRoller::new(args.seed, false, false).throw(count, faces),
        values => values.to_vec(),
    };
    let in_range = |die: &i64| (1..=i64::from(faces)).contains(die);
    let shown: Option<Vec<i64>> = values.iter().map(|value| value.as_int().filter(in_range)).collect();
    let Some(shown) = shown.filter(|shown| shown.len() == count as usize) else {
        let message = format!("{dice} needs {count} dice, each 1 to {faces}");
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
