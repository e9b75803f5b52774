//! Commands that look and change nothing: `show` and `legal`.

use serde_json::json;

use super::args::{Format, Global, Show};
use super::play::{given, look, no_action};
use super::session::{Session, rules_at_hand};
use super::{ExitCode, Outcome, json_line};
use crate::play::{Halt, Leaf, legal as ways, resolve};
use crate::problem::Problem;
use crate::rulebook::{Action, find_player};
use crate::value::Value;
use crate::view::{self, Grid};
use crate::yaml::Document;

/// `show`.
pub(super) fn show(global: &Global, what: &Show) -> Result<Outcome, Vec<Problem>> {
    if let Show::Rule { name } = what {
        let (rulebook, game) = rules_at_hand(global)?;
        return Ok(found(name, view::rule(&rulebook, game.as_ref(), name)));
    }
    let session = Session::open(global)?;
    let game = session.game()?;
    let (section, grids) = match what {
        Show::Players => ("players", vec![view::players(game)]),
        Show::Board => ("spaces", view::board(&session.rulebook, game)),
        Show::Items => ("items", vec![view::items(&session.rulebook, game)]),
        Show::Log => ("log", vec![view::log(game)]),
        Show::Pending => ("pending", vec![view::pending(game)]),
        Show::Proposals | Show::Rule { .. } => ("proposals", vec![view::proposals(game)]),
    };
    if global.format == Format::Json {
        let document = Document::parse(session.file.text()).ok();
        let part = document.as_ref().and_then(|document| document.root().get(section)).map(crate::yaml::Node::to_value);
        let object =
            json!({"format": "referee/1", "status": "done", section: view::value_json(&part.unwrap_or_default())});
        return Ok(Outcome::done(json_line(&object)));
    }
    Ok(Outcome::done(grids.iter().map(|grid| grid.render(look(global))).collect::<Vec<_>>().join("\n")))
}

/// The text of a rule that was looked for, or that there is none.
pub(super) fn found(name: &str, text: Option<String>) -> Outcome {
    match text {
        Some(text) => Outcome::done(text),
        None => Outcome {
            code: ExitCode::Refused,
            out: String::new(),
            err: format!(
                "refused: no rule is called `{name}` [no-such-rule]\n  help: `referee rules list` lists what there is\n"
            ),
        },
    }
}

/// The most ways that `legal` follows.
const WAYS: usize = 500;

/// `legal`.
pub(super) fn legal(global: &Global, player: &str, only: Option<&str>) -> Result<Outcome, Vec<Problem>> {
    let session = Session::open(global)?;
    let game = session.game()?;
    let name = match find_player(game, player) {
        Ok(id) => game.player(id).name.to_string(),
        Err(error) => return Ok(no_action(global, game, error)),
    };
    let actions = session.rulebook.ruleset.actions.iter();
    let of_players: Vec<&str> =
        actions.filter(|action| action.args == ["player"]).map(|action| action.name.as_str()).collect();
    let wanted: Vec<&str> = match only {
        Some(only) => vec![only],
        None if given(global).all().next().is_some() => of_players.iter().take(1).copied().collect(),
        None => of_players,
    };
    let mut grid = Grid::new("Legal", &["action", "choices", "what then"]);
    let mut rows = Vec::new();
    let mut more = false;
    for word in wanted {
        let words = [word.to_owned(), name.clone()];
        let action = match Action::read(&session.rulebook, game, &words) {
            Ok(action) => action,
            Err(error) => return Ok(no_action(global, game, error)),
        };
        let given = given(global);
        let leaves = if given.all().next().is_some() {
            let (leaves, cut) = ways(&session.rulebook, game, &action, &given, WAYS);
            more |= cut;
            leaves
        } else {
            let ran = resolve(&session.rulebook, game, &action, given);
            vec![Leaf { chosen: ran.chosen.entries().to_vec(), halt: ran.halt, game: ran.game }]
        };
        for leaf in leaves {
            let chosen = Value::Map(leaf.chosen.clone());
            let ends = ends(&leaf, &name);
            let choices =
                chosen.entries().iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ");
            grid.row([action.what.clone(), choices, ends.1.clone()]);
            rows.push(
                json!({"action": action.what, "chosen": view::value_json(&chosen), "status": ends.0, "then": ends.1}),
            );
        }
    }
    if global.format == Format::Json {
        return Ok(Outcome::done(json_line(
            &json!({"format": "referee/1", "status": "done", "legal": rows, "more": more}),
        )));
    }
    let mut out = grid.render(look(global));
    if more {
        out.push_str(&format!("only the first {WAYS} ways are listed\n"));
    }
    Ok(Outcome::done(if global.quiet { String::new() } else { out }))
}

/// How a way ends: a status, and words.
fn ends(leaf: &Leaf, name: &str) -> (&'static str, String) {
    match &leaf.halt {
        None => {
            let at = leaf.game.player_named(name).map(|id| leaf.game.player(id).location.to_string());
            ("done", format!("done; {name} is then on space {}", at.unwrap_or_default()))
        }
        Some(Halt::Asks(question)) => ("asks", format!("`{}`: {}", question.key, question.text)),
        Some(Halt::Refused(refusal)) => ("refused", format!("refused [{}]: {}", refusal.code, refusal.message)),
        Some(Halt::NeedsRuling { ruling, message }) => {
            ("needs-ruling", format!("needs a ruling on {ruling}: {message}"))
        }
        Some(Halt::Failed(error)) => ("refused", format!("refused [rule-failed]: {error}")),
        Some(Halt::Ended) => ("done", "the cycle ends".to_owned()),
    }
}
