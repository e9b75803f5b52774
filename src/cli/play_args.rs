//! Options of play: only commands that change the game or preview it have them.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use super::dice_args::{DiceArgs, HEADING};
use crate::play::Selections;
use crate::ruleset::{self, shortcut};

/// The selections given with a command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct Selecting {
    /// A selection, such as roll=3,1 or ping=yes; several values are used in order
    #[arg(short, long = "select", value_name = "KEY=VALUE", value_parser = key_value)]
    pub select: Vec<String>,
    /// The dice of the movement roll, as they fell
    #[arg(long, value_name = "DICE", allow_hyphen_values = true)]
    pub roll: Option<String>,
    /// The spaces of a move, the first step first, forced steps included
    #[arg(long, value_name = "SPACES", allow_hyphen_values = true)]
    pub path: Option<String>,
    /// The player to select
    #[arg(long = "player", value_name = "NAME", id = "selected-player")]
    pub player: Option<String>,
    /// The space to select
    #[arg(long = "space", value_name = "ID", allow_hyphen_values = true, id = "selected-space")]
    pub space: Option<String>,
    /// The item to select
    #[arg(long = "item", value_name = "NAME", id = "selected-item")]
    pub item: Option<String>,
}

impl Selecting {
    /// Returns the selections, those of the shortcuts first.
    pub fn given(&self) -> Selections {
        let mut given = Selections::default();
        let shortcuts = [
            ("roll", &self.roll),
            ("path", &self.path),
            ("player", &self.player),
            ("space", &self.space),
            ("item", &self.item),
        ];
        let shortcuts = shortcuts.iter().filter_map(|(key, values)| Some(shortcut(key, values.as_ref()?)));
        for written in shortcuts.chain(self.select.iter().cloned()) {
            let read = given.add_written(&written);
            debug_assert!(read.is_ok(), "the argument parser has checked it");
        }
        given
    }
}

/// When and where a command was posted, and whether it is only a preview.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct PostArgs {
    /// When the action was posted, such as 2024-02-02T18:22Z; default: now
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub at: Option<Timestamp>,
    /// Link to the post this action came from
    #[arg(long, value_name = "URL")]
    pub link: Option<String>,
    /// Show what would happen and write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,
}

/// The file with the secret of sealed dice.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct SecretArg {
    /// The secret of sealed dice, kept outside the game's repository
    #[arg(long, value_name = "FILE", env = "REFEREE_SECRET", hide_env_values = true)]
    pub secret: Option<PathBuf>,
}

/// Everything that can be given with an action.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct PlayArgs {
    /// The selections.
    #[command(flatten)]
    pub selecting: Selecting,
    /// The post.
    #[command(flatten)]
    pub post: PostArgs,
    /// Decline every optional effect that is not mentioned
    #[arg(long)]
    pub decline: bool,
    /// Draw from this stream instead of the system's randomness: the same seed gives the same draws
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The secret.
    #[command(flatten)]
    pub secret: SecretArg,
    /// The dice.
    #[command(flatten)]
    pub dice: DiceArgs,
}

impl From<PostArgs> for PlayArgs {
    fn from(post: PostArgs) -> Self {
        Self { post, ..Self::default() }
    }
}

fn key_value(written: &str) -> Result<String, String> {
    match written.split_once('=') {
        Some((key, _)) if !key.trim().is_empty() => Ok(written.to_owned()),
        _ => Err("a selection is written KEY=VALUE".into()),
    }
}

/// Reads a time: with any offset, without one as UTC, or a day alone.
pub(super) fn time(written: &str) -> Result<Timestamp, String> {
    ruleset::time(written).ok_or_else(|| "a time is written 2024-02-02T18:22Z, or 2024-02-02".into())
}
