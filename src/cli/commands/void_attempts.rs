//! `void-attempts`: declares entries of the log void.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PlayArgs;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Void log entries by consensus or ruling, and replay everything after them
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee void-attempts 42 43 --because \"ruling 3: second tries\"")]
pub(super) struct VoidAttempts {
    /// The entries
    #[arg(required = true)]
    ids: Vec<i64>,
    /// The consensus or the ruling
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    #[command(flatten)]
    play: PlayArgs,
}

impl Run for VoidAttempts {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let mut words = vec!["void-attempts".to_owned()];
        words.extend(self.ids.iter().map(ToString::to_string));
        words.extend(self.because.into_iter().flat_map(|because| ["--because".to_owned(), because]));
        act(context, &self.play, words)
    }
}
