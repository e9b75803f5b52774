//! `reveal`: reveals the secret of sealed dice.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::{PlayArgs, PostArgs, SecretArg};
use crate::cli::request::secret;
use crate::cli::session::Context;
use crate::cli::turn::act;

/// Reveal the secret of sealed dice, so that anyone can check every die
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee reveal --secret ~/game.secret")]
pub(super) struct Reveal {
    #[command(flatten)]
    post: PostArgs,
    #[command(flatten)]
    secret: SecretArg,
}

impl Run for Reveal {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let revealed = secret(&self.secret).map_err(|problem| vec![problem])?;
        let play = PlayArgs { post: self.post, secret: self.secret, ..PlayArgs::default() };
        act(context, &play, vec!["reveal".to_owned(), revealed])
    }
}
