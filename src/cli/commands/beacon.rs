//! `beacon`: names the round that a post takes.

use clap::Args;
use jiff::Timestamp;
use serde_json::json;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::time;
use crate::cli::session::Context;
use crate::draws::{BeaconDice, DrawError, Post, Thrower, TimeOf};
use crate::play::Refusal;

/// Name the beacon round that a post takes, when it comes and where to get it
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee beacon --for https://discord.com/channels/1/2/1143921456906240000\n  curl -s \"$(referee beacon --for LINK --format json | jq -r .address)\" >> beacons.jsonl"
)]
pub(super) struct Beacon {
    /// The link of the post
    #[arg(long = "for", value_name = "LINK", required_unless_present = "at")]
    link: Option<String>,
    /// When it was posted, if its link does not tell
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Timestamp>,
}

impl Run for Beacon {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let global = &context.global;
        // Without a gamestate the answer is that of a new game.
        let dice = if global.file.exists() { dice_of(context)? } else { BeaconDice::default() };
        let post = Post::read(self.link.as_deref(), self.at.map(Timestamp::as_millisecond));
        let found = post.and_then(|post| {
            let round = dice.chain.round_for(post.at_ms, dice.delay)?;
            post.finding.clone().map_or(Ok((post, round)), Err)
        });
        let (post, round) = match found {
            Ok(found) => found,
            Err(error) => return Ok(Outcome::no_action(global, &refusal(error))),
        };
        let shown = |ms: i64| Timestamp::from_millisecond(ms).map_or_else(|_| ms.to_string(), |at| at.to_string());
        let comes = dice.chain.time_of(round).map(shown).unwrap_or_default();
        let address = dice.chain.address(round);
        let source = if post.time_of == TimeOf::Declared { "declared" } else { "link" };
        let chain = dice.chain.name().unwrap_or("own");
        let object = json!({
            "chain": chain, "round": round, "time": comes, "address": address, "posted": shown(post.at_ms),
            "time-of-post": source,
        });
        Ok(Outcome::found(global, object, || {
            let from = if source == "link" { "by its link" } else { "as declared" };
            let mut text =
                format!("posted {} ({from})\nround {round} of {chain} comes at {comes}\n", shown(post.at_ms));
            if let Some(address) = address {
                text.push_str(&format!("{address}\ncurl -s {address} >> beacons.jsonl && echo >> beacons.jsonl\n"));
            }
            text
        }))
    }
}

/// Returns the beacon of the game, or that of a new game if it has none.
fn dice_of(context: &Context) -> Result<BeaconDice, Problems> {
    let session = context.session()?;
    match Thrower::read(&session.game()?.dice) {
        Ok(Thrower::Beacon(dice)) => Ok(*dice),
        _ => Ok(BeaconDice::default()),
    }
}

fn refusal(error: DrawError) -> Refusal {
    let refusal = Refusal::new(error.code, error.message).rule("RC-1");
    Refusal { help: error.help, ..refusal }
}
