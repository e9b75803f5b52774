//! `adjudicate`: sets values by hand.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PostArgs;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Set values by hand (steward only), with a reason
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  referee adjudicate --set /players/Lime/items/Praqueue=1 --because \"Praqueue nodded\""
)]
pub(super) struct Adjudicate {
    /// A JSON Pointer and its new value; null removes the old one
    #[arg(long, value_name = "POINTER=VALUE")]
    set: Vec<String>,
    /// Who decided it, and where
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    #[command(flatten)]
    post: PostArgs,
}

impl Run for Adjudicate {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let mut words = vec!["adjudicate".to_owned()];
        words.extend(self.set.into_iter().flat_map(|set| ["--set".to_owned(), set]));
        words.extend(self.because.into_iter().flat_map(|because| ["--because".to_owned(), because]));
        act(context, &self.post.into(), words)
    }
}
