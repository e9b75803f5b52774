//! `redo`: redoes undone entries of the log.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PostArgs;
use crate::cli::session::Context;
use crate::cli::turn::act_in;

/// Redo the most recently undone entries
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee redo 3")]
pub(super) struct Redo {
    /// How many
    #[arg(default_value_t = 1)]
    count: usize,
    #[command(flatten)]
    post: PostArgs,
}

impl Run for Redo {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        // No rule is needed for it, so it also works if the rules are broken.
        let session = context.session_under(&[])?;
        act_in(session, context, &self.post.into(), vec!["redo".to_owned(), self.count.to_string()])
    }
}
