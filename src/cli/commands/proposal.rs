//! `proposal list` and `proposal show`: what the file says of proposals.

use clap::Args;
use serde_json::json;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::request::look;
use crate::cli::session::Context;
use crate::play::Refusal;
use crate::view::{self, Grid};

/// List the proposals
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee proposal list")]
pub(super) struct List {}

impl Run for List {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        super::show::section(context, &super::show::What::Proposals)
    }
}

/// Show everything that the file says of a proposal
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee proposal show 3")]
pub(super) struct Show {
    /// The proposal
    number: i64,
}

impl Run for Show {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let (number, global) = (self.number, &context.global);
        let session = context.session()?;
        let Some(found) = session.game()?.proposals.get(&number.to_string()).cloned() else {
            let refusal = Refusal::new("unknown-proposal", format!("unknown proposal {number}"))
                .help("`referee proposal list` lists the proposals");
            return Ok(Outcome::no_action(global, &refusal));
        };
        let mut grid = Grid::new("Proposal", &["what", "value"]);
        grid.row(["number".into(), number.to_string()]);
        for (key, value) in found.entries() {
            grid.row([key.to_string(), value.to_string()]);
        }
        Ok(Outcome::found(global, json!({"proposal": view::value_json(&found)}), || grid.render(look(global))))
    }
}
