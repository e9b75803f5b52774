//! `migrate`: switches the game to another ruleset.

use clap::Args;
use serde_json::json;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PostArgs;
use crate::cli::session::Context;
use crate::files;
use crate::play;

/// Switch the game to another ruleset, listing what is dropped
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee migrate cycle-15 --dry-run")]
pub(super) struct Migrate {
    /// A built-in ruleset, or a folder relative to the gamestate
    ruleset: String,
    #[command(flatten)]
    post: PostArgs,
}

impl Run for Migrate {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let to = self.ruleset.as_str();
        let under = context.without_rules();
        let global = &under.global;
        let session = under.session_under(&[&self.ruleset])?;
        // What is wrong with the file may be what migrating takes out; if not, it is told.
        let game = session.as_read.as_ref().ok_or_else(|| session.problems.clone())?;
        let new = under.ruleset(to)?;
        let play::Migrated { next, lost, changed } = play::migrate(&session.ruleset, &new, game, to, self.post.at);
        let wrong = |problem| if session.game.is_none() { session.problems.clone() } else { vec![problem] };
        let text = session.file.updated(&new, game, &next).map_err(wrong)?;
        if !self.post.dry_run {
            files::replace(&global.file, session.file.text().as_bytes(), &text).map_err(|problem| vec![problem])?;
        }
        Ok(Outcome::found(
            global,
            json!({"ruleset": to, "lost": lost, "changed": changed, "written": !self.post.dry_run}),
            || {
                let lost: String = lost.iter().map(|lost| format!("dropped: {lost}\n")).collect();
                let changed: String = changed.iter().map(|changed| format!("changed: {changed}\n")).collect();
                let file = global.file.display();
                let end = if self.post.dry_run {
                    "dry run: nothing written".to_owned()
                } else {
                    format!("{file} now uses ruleset {to}")
                };
                format!("{lost}{changed}{end}\n")
            },
        ))
    }
}
