//! `completions`: completions for a shell, with the commands of the game.

use clap::Args;
use clap_complete::Shell;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::session::Context;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee completions bash > ~/.local/share/bash-completion/completions/referee")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Run for Completions {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let mut out = Vec::new();
        let mut command = context.whole_parser();
        clap_complete::generate(self.shell, &mut command, "referee", &mut out);
        Ok(Outcome::done(String::from_utf8_lossy(&out).into_owned()))
    }
}
