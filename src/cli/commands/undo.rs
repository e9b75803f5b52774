//! `undo`: undoes the latest entries of the log.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PostArgs;
use crate::cli::session::Context;
use crate::cli::turn::act_in;

/// Undo the latest entries. Their dice are kept: repeating the action uses the same rolls
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  referee undo\n  referee undo 3 --dry-run     what would be undone")]
pub(super) struct Undo {
    /// How many
    #[arg(default_value_t = 1)]
    count: usize,
    #[command(flatten)]
    post: PostArgs,
}

impl Run for Undo {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        // No rule is needed for it, so it also works if the rules are broken.
        let session = context.session_under(&[])?;
        act_in(session, context, &self.post.into(), vec!["undo".to_owned(), self.count.to_string()])
    }
}
