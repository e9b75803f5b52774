//! Commands that look and change nothing: `show` and `legal`.

use serde_json::{Value as Json, json};

use super::Outcome;
use super::args::{Format, Global, Show};
use super::play::{given, look, no_action};
use super::session::{Session, rules_at_hand};
use crate::data::Value;
use crate::diagnostic::Problem;
use crate::play::{Leaf, Refusal, Status, legal as ways, next_step, under_way};
use crate::ruleset::{Action, find_player};
use crate::view::{self, Grid};
use crate::yaml::Document;

/// `show`.
pub(super) fn show(global: &Global, what: &Show) -> Result<Outcome, Vec<Problem>> {
    if let Show::Rule { name, code } = what {
        let (ruleset, game) = rules_at_hand(global)?;
        return Ok(found(global, name, *code, &view::rule(&ruleset, game.as_ref(), name)));
    }
    let session = Session::open(global)?;
    let game = session.game()?;
    let (section, grids) = match what {
        Show::Players => ("players", vec![view::players(&session.ruleset, game)]),
        Show::Board => ("spaces", view::board(&session.ruleset, game)),
        Show::Items => ("items", vec![view::items(&session.ruleset, game)]),
        Show::Log => ("log", vec![view::log(game)]),
        Show::Pending => ("pending", vec![view::pending(game)]),
        Show::Proposals | Show::Rule { .. } => ("proposals", vec![view::proposals(game)]),
    };
    if global.format == Format::Json && section == "items" {
        // The file has no such part: items are in the rules, and with their owners.
        return Ok(Outcome::found(global, json!({section: grids[0].json()}), String::new));
    }
    if global.format == Format::Json {
        let document = Document::parse(session.file.text()).ok();
        let part = document.as_ref().and_then(|document| document.root().get(section)).map(crate::yaml::Node::to_value);
        return Ok(Outcome::found(global, json!({section: view::value_json(&part.unwrap_or_default())}), String::new));
    }
    Ok(Outcome::done(grids.iter().map(|grid| grid.render(look(global))).collect::<Vec<_>>().join("\n")))
}

/// Shows the rules that were found for a name, or says that there are none.
pub(super) fn found(global: &Global, name: &str, code: bool, rules: &[view::Rule]) -> Outcome {
    let text = rules.iter().map(|rule| rule.text(code)).collect::<Vec<_>>().join("\n");
    match rules {
        [first, more @ ..] => {
            let mut object = json!({"name": name, "text": text});
            if let (Some(all), Json::Object(own)) = (object.as_object_mut(), first.json(code)) {
                all.extend(own);
            }
            if !more.is_empty() {
                object["more"] = more.iter().map(|rule| rule.json(code)).collect();
            }
            Outcome::found(global, object, || text.clone())
        }
        [] => no_action(
            global,
            Refusal::new("no-such-rule", format!("no rule is called `{name}`"))
                .help("`referee rules list` lists what there is"),
        ),
    }
}

/// The most ways that `legal` follows.
const WAYS: usize = 500;

/// `legal`.
pub(super) fn legal(global: &Global, player: &str, only: &[String]) -> Result<Outcome, Vec<Problem>> {
    let session = Session::open(global)?;
    let game = session.game()?;
    let name = match find_player(game, player) {
        Ok(id) => game.player(id).name.to_string(),
        Err(error) => return Ok(no_action(global, error)),
    };
    let given = given(global);
    let selects = given.all().next().is_some();
    let actions = session.ruleset.declared.actions.iter();
    let mut wanted: Vec<&str> =
        actions.filter(|action| action.args == ["player"]).map(|action| action.name.as_str()).collect();
    if let Some(other) = only.iter().find(|action| !wanted.contains(&action.as_str())) {
        let message = format!("`{other}` is no action that a player takes alone");
        let help = format!("there is {}", wanted.join(", "));
        return Ok(no_action(global, Refusal::new("no-such-rule", message).help(help)));
    }
    match only {
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
            Err(error) => return Ok(no_action(global, error)),
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

/// A command of these words, quoted where they need it.
fn named(words: &[&str]) -> String {
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}

/// How a way ends, in words and as data.
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
