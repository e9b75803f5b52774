//! `schema`: the JSON Schema of the gamestate.

use clap::Args;

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems, json_line};
use crate::cli::session::Context;
use crate::view;

/// Print the JSON Schema of the gamestate
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee schema > gamestate.schema.json")]
pub(super) struct Schema {}

impl Run for Schema {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        Ok(Outcome::done(json_line(&view::schema(&context.rules()?.0))))
    }
}
