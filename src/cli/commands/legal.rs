//! `legal`: what a player may do.

use clap::Args;
use serde_json::{Value as Json, json};

use super::run::Run;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::Selecting;
use crate::cli::request::look;
use crate::cli::session::Context;
use crate::data::Value;
use crate::play::{Leaf, Refusal, Status, legal as ways, next_step, under_way};
use crate::ruleset::{Action, find_player};
use crate::view::{self, Grid};

/// The most continuations that `legal` lists.
const WAYS: usize = 500;

/// List legal actions, and every legal continuation of the given selections
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  referee legal Lime\n  referee legal Lime --roll 3,1")]
pub(super) struct Legal {
    /// The player
    player: String,
    /// Only these actions
    #[arg(value_name = "ACTION")]
    actions: Vec<String>,
    #[command(flatten)]
    selecting: Selecting,
}

impl Run for Legal {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let global = &context.global;
        let session = context.session()?;
        let game = session.game()?;
        let name = match find_player(game, &self.player) {
            Ok(id) => game.player(id).name.to_string(),
            Err(refusal) => return Ok(Outcome::no_action(global, &refusal)),
        };
        let given = self.selecting.given();
        let selects = given.all().next().is_some();
        let actions = session.ruleset.declared.actions.iter();
        let mut wanted: Vec<&str> =
            actions.filter(|action| action.is_of_a_player()).map(|action| action.name.as_str()).collect();
        if let Some(other) = self.actions.iter().find(|action| !wanted.contains(&action.as_str())) {
            let message = format!("`{other}` is not an action that a player takes alone");
            let help = format!("available: {}", wanted.join(", "));
            return Ok(Outcome::no_action(global, &Refusal::new("no-such-rule", message).help(help)));
        }
        match &self.actions[..] {
            // Selections without an action are those of a move, which is what they are mostly given for.
            [] if selects => wanted.truncate(1),
            [] => {}
            only => wanted.retain(|action| only.iter().any(|own| own == action)),
        }
        let mut grid = Grid::new("Legal", &["action", "choices", "what then"]);
        let mut rows = Vec::new();
        let mut more = false;
        for word in wanted {
            let action = match Action::read(&session.ruleset, game, &[word.to_owned(), name.clone()]) {
                Ok(action) => action,
                Err(refusal) => return Ok(Outcome::no_action(global, &refusal)),
            };
            let (what, (game, action, given)) = match under_way(game, &action) {
                Some((game, action, mut known)) => {
                    known.extend(&given);
                    (named(&["resume", &name, word]), (game, action, known))
                }
                None => (action.what.clone(), (game.clone(), action, given.clone())),
            };
            let leaves = if selects {
                let (leaves, cut) = ways(&session.ruleset, &game, &action, &given, WAYS);
                more |= cut;
                leaves
            } else {
                vec![next_step(&session.ruleset, &game, &action, &given)]
            };
            for leaf in leaves {
                let choices = leaf.chosen.iter().map(|(key, value)| format!("{key}: {value}"));
                let (text, mut row) = ends(&leaf, &name);
                grid.row([what.clone(), choices.collect::<Vec<_>>().join(", "), text.clone()]);
                row["action"] = json!(what);
                row["chosen"] = view::value_json(&Value::Map(leaf.chosen));
                row["then"] = json!(text);
                rows.push(row);
            }
        }
        Ok(Outcome::found(global, json!({"legal": rows, "more": more}), || {
            let mut out = grid.render(look(global));
            if more {
                out.push_str(&format!("\nonly the first {WAYS} ways are listed\n"));
            }
            out
        }))
    }
}

/// A command of these words, quoted if necessary.
fn named(words: &[&str]) -> String {
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}

/// Returns how a continuation ends, in words and as data.
fn ends(leaf: &Leaf, name: &str) -> (String, Json) {
    match &leaf.status {
        Status::Done => {
            let at = leaf.game.player_named(name).map(|id| leaf.game.player(id).location);
            let text = at.map_or_else(|| "done".into(), |at| format!("done; {name} is then on space {at}"));
            (text, json!({"status": "done", "location": at.map(|at| view::value_json(&at.into()))}))
        }
        Status::Asks(question) => {
            let text = format!("`{}`: {}", question.key, question.text);
            (text, json!({"status": "asks", "question": view::question_json(question)}))
        }
        Status::Refused(refusal) => (
            view::refusal(refusal).trim_end().replace("\n  ", "\n"),
            json!({"status": "refused", "refusal": view::refusal_json(refusal)}),
        ),
        Status::NeedsRuling(open) => (
            open.to_string(),
            json!({"status": "needs-ruling", "ruling": {"ruling": open.ruling, "message": open.message}}),
        ),
    }
}
