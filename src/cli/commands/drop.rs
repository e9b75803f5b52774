//! `drop`: abandons a pending action.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PostArgs;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Abandon a pending action (its dice are kept)
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee drop Nyhilo")]
pub(super) struct Drop {
    /// The player, and a word of the command if they have several; not needed if only one action is pending
    which: Vec<String>,
    #[command(flatten)]
    play: PostArgs,
}

impl Run for Drop {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let words = ["drop".to_owned(), "--".to_owned()].into_iter().chain(self.which);
        act(context, &self.play.into(), words.collect())
    }
}
