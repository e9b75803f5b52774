//! `amend`: gives an entry of the log other selections.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PlayArgs;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Change an entry's selections and replay everything after it
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee amend 42 --path 28,210 --dry-run     what each player would have had\n  referee amend 42 --roll 3,1 --because \"the dice were typed wrongly\""
)]
pub(super) struct Amend {
    /// The entry
    id: i64,
    /// Why; a movement of a phase before the last one is amended with a ruling only
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    #[command(flatten)]
    play: PlayArgs,
}

impl Run for Amend {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let mut words = vec!["amend".to_owned(), self.id.to_string()];
        words.extend(self.because.into_iter().flat_map(|because| ["--because".to_owned(), because]));
        act(context, &self.play, words)
    }
}
