//! Options for the dice of a game that derives its draws, or leaves them to posts.

use std::path::Path;

use clap::Args;
use jiff::Timestamp;

use crate::data::Value;
use crate::diagnostic::Problem;
use crate::draws::{Answer, Answers, Post, TimeOf};
use crate::files;
use crate::game::Game;
use crate::play::Supply;

/// The heading of the options of play in help.
pub(super) const HEADING: &str = "Options of play";

/// The file beside the gamestate that keeps the beacon's answers.
const KEPT: &str = "beacons.jsonl";

/// Options for dice.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options of play")]
pub(super) struct DiceArgs {
    /// Let this command draw, in a game whose dice are posted
    #[arg(long)]
    draw: bool,
    /// A round of the beacon, if beacons.jsonl beside the gamestate does not have it
    #[arg(long, value_name = "ROUND:SIGNATURE", value_parser = round)]
    beacon: Vec<Answer>,
}

impl DiceArgs {
    /// Returns what these options and the answers beside the gamestate bring; a dry run draws samples.
    pub fn supply(&self, gamestate: &Path, dry_run: bool) -> Result<Supply, Problem> {
        let kept = gamestate.with_file_name(KEPT);
        let text = if kept.exists() { files::read(&kept)? } else { Vec::new() };
        let kept = Answers::read(&String::from_utf8_lossy(&text));
        Ok(Supply { draw: self.draw, sample: dry_run, rounds: self.beacon.clone(), kept })
    }
}

fn round(written: &str) -> Result<Answer, String> {
    Answer::read(written).map_err(|error| error.message)
}

/// Returns whether the dice of a game come from a beacon.
pub(super) fn has_beacon(game: &Game) -> bool {
    game.dice.get("by").and_then(Value::as_text) == Some("beacon")
}

/// Returns the time of the message that a link names, if the link carries it.
pub(super) fn time_of(link: &str) -> Option<Timestamp> {
    let post = Post::read(Some(link), None).ok()?;
    let own = matches!(post.time_of, TimeOf::Message(_));
    Timestamp::from_millisecond(post.at_ms).ok().filter(|_| own)
}
