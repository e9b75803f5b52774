//! `show`: parts of the game, and rules.

use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

use super::run::Run;
use crate::cli::global::{Format, Global};
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::request::look;
use crate::cli::session::Context;
use crate::play::{Refusal, draws};
use crate::view;
use crate::yaml::{Document, Node};

/// Show a part of the game, or a rule
#[derive(Debug, Args)]
pub(super) struct Show {
    /// What to show
    #[command(subcommand)]
    what: What,
}

/// What `show` shows.
#[derive(Debug, Subcommand)]
pub(super) enum What {
    /// Players, their locations and items
    Players,
    /// Spaces, their links, lines and loops
    Board,
    /// Kinds of item and who has them
    Items,
    /// Entries of the log
    Log,
    /// Actions that are started and not finished
    Pending,
    /// Proposals
    Proposals,
    /// A rule in words, by name, number (G-006) or catalogue ID, with its readings and cases
    #[command(after_help = "Examples:\n  referee show rule M-4\n  referee show rule Geyser --code")]
    Rule {
        /// A name, a number, a catalogue ID, the key of a switch, or a function
        name: String,
        /// Also show the functions and effects that carry it out
        #[arg(long)]
        code: bool,
    },
}

impl Run for Show {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        section(context, &self.what)
    }
}

/// Shows a part of the game, or a rule.
pub(super) fn section(context: &Context, what: &What) -> Result<Outcome, Problems> {
    let global = &context.global;
    if let What::Rule { name, code } = what {
        let (ruleset, game) = context.rules()?;
        return Ok(found(global, name, *code, &view::rule(&ruleset, game.as_ref(), name)));
    }
    let session = context.session()?;
    let game = session.game()?;
    let (section, grids) = match what {
        What::Players => ("players", vec![view::players(&session.ruleset, game)]),
        What::Board => ("spaces", view::board(&session.ruleset, game)),
        What::Items => ("items", vec![view::items(&session.ruleset, game)]),
        What::Log => ("log", vec![view::log(game)]),
        What::Pending => ("pending", vec![view::pending(game)]),
        What::Proposals | What::Rule { .. } => ("proposals", vec![view::proposals(game)]),
    };
    if global.format == Format::Json && section == "items" {
        // The file has no such part: items are in the rules, and with their owners.
        return Ok(Outcome::found(global, json!({section: grids[0].json()}), String::new));
    }
    if global.format == Format::Json {
        let document = Document::parse(session.file.text()).ok();
        let part = document.as_ref().and_then(|document| document.root().get(section)).map(Node::to_value);
        let mut object = json!({section: view::value_json(&part.unwrap_or_default())});
        if section == "log" {
            let draws = draws(&session.ruleset, game);
            object["draws"] = draws.iter().map(view::value_json).collect();
        }
        return Ok(Outcome::found(global, object, String::new));
    }
    Ok(Outcome::done(grids.iter().map(|grid| grid.render(look(global))).collect::<Vec<_>>().join("\n")))
}

/// Shows the rules that were found for a name, or says that there are none.
pub(super) fn found(global: &Global, name: &str, code: bool, rules: &[view::Rule]) -> Outcome {
    let text = rules.iter().map(|rule| rule.text(code)).collect::<Vec<_>>().join("\n");
    let [first, more @ ..] = rules else {
        let refusal = Refusal::new("no-such-rule", format!("no rule is called `{name}`"));
        return Outcome::no_action(global, &refusal.help("`referee rules list` lists the rules"));
    };
    let mut object = json!({"name": name, "text": text});
    if let (Some(all), Json::Object(own)) = (object.as_object_mut(), first.json(code)) {
        all.extend(own);
    }
    if !more.is_empty() {
        object["more"] = more.iter().map(|rule| rule.json(code)).collect();
    }
    Outcome::found(global, object, || text.clone())
}
