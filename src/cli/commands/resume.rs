//! `resume`: continues a pending action.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PlayArgs;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Continue a pending action
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee resume Nyhilo -s path=28,210\n  referee resume Nyhilo chili -s path=28      if several are pending, the one whose command has that word"
)]
pub(super) struct Resume {
    /// The player, and a word of the command if they have several; not needed if only one action is pending
    which: Vec<String>,
    #[command(flatten)]
    play: PlayArgs,
}

impl Run for Resume {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let words = ["resume".to_owned(), "--".to_owned()].into_iter().chain(self.which);
        act(context, &self.play, words.collect())
    }
}
