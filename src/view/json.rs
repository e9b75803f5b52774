//! The one JSON object of `--format json` (INTERFACE.md, section 5).

use serde_json::{Map, Value as Json, json};

use super::turn::origin_word;
use crate::data::Value;
use crate::diagnostic::Problem;
use crate::play::{By, Event, Options, Played, Question, Refusal, Selection, Status};

/// Converts plain data to JSON.
pub fn value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(yes) => json!(yes),
        Value::Int(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(values) => Json::Array(values.iter().map(self::value).collect()),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|(key, own)| (key.to_string(), self::value(own))).collect())
        }
    }
}

fn by(by: &By) -> Json {
    match by {
        By::Random => json!("random"),
        By::Player(name) => json!(&**name),
    }
}

fn selection(own: &Selection) -> Json {
    let mut object =
        json!({"key": own.key, "by": by(&own.by), "value": value(&own.value), "source": origin_word(own.origin)});
    if own.dice {
        object["dice"] = json!(format!("{}d{}", own.out_of.0, own.out_of.1));
    } else if own.by == By::Random {
        object["options"] = json!(own.out_of.1);
    }
    object
}

fn event(event: &Event) -> Json {
    let names = |names: &[crate::game::Name]| names.iter().map(|name| json!(&**name)).collect::<Vec<_>>();
    let spaces: Vec<Json> = event.spaces.iter().map(|space| value(&Value::from(*space))).collect();
    let rulings: Map<String, Json> = event.rulings.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    json!({
        "text": event.text, "rule": event.rule, "rulings": rulings,
        "players": names(&event.players), "spaces": spaces, "items": names(&event.items),
    })
}

/// Converts an open question with its legal answers.
pub fn question(question: &Question) -> Json {
    let mut object = json!({
        "key": question.key, "by": by(&question.by), "random": question.by == By::Random, "text": question.text,
        "rule": question.rule,
    });
    match &question.options {
        Options::Dice { count, faces } => object["dice"] = json!(format!("{count}d{faces}")),
        Options::OneOf(options) => object["options"] = Json::Array(options.iter().map(value).collect()),
        Options::Whole(least, most) => object["range"] = json!([least, most]),
        Options::Text => object["free-text"] = json!(true),
    }
    object
}

/// Converts a refusal.
pub fn refusal(refusal: &Refusal) -> Json {
    json!({"code": refusal.code, "message": refusal.message, "help": refusal.help, "rule": refusal.rule})
}

fn problem(problem: &Problem) -> Json {
    let mut object =
        json!({"code": problem.code, "message": problem.message, "help": problem.help, "warning": problem.warning});
    if !problem.path.is_top() {
        object["path"] = json!(problem.path.to_string());
    }
    if let Some(place) = &problem.place {
        let (line, column) = place.source.line_column(place.span.start);
        object["file"] = json!(place.source.name);
        object["line"] = json!(line);
        object["column"] = json!(column);
    }
    object
}

/// Returns the whole object of a command that is refused before anything is resolved.
pub fn refused(refused: &Refusal) -> Json {
    json!({
        "format": "referee/1", "status": "refused", "action": "", "selections": [], "events": [], "changes": [],
        "refusal": refusal(refused), "problems": [], "written": false,
    })
}

/// Returns the whole object of a played command, of problems, or of both.
pub fn report(turn: Option<&Played>, problems: &[Problem], written: bool) -> Json {
    let mut object = json!({"format": "referee/1"});
    let status = match turn.map(|turn| &turn.status) {
        Some(Status::Done) => "done",
        Some(Status::Asks(_)) => "asks",
        Some(Status::Refused(_)) => "refused",
        Some(Status::NeedsRuling(_)) => "needs-ruling",
        None if problems.iter().all(|problem| problem.warning) => "done",
        None => "problem",
    };
    object["status"] = json!(status);
    if let Some(turn) = turn {
        object["action"] = json!(turn.action);
        object["selections"] = Json::Array(turn.selections.iter().map(selection).collect());
        object["events"] = Json::Array(turn.events.iter().map(event).collect());
        let change = |change: &crate::game::Change| json!({"path": change.pointer.to_string(), "from": value(&change.before), "to": value(&change.after)});
        object["changes"] = Json::Array(turn.changes.iter().map(change).collect());
        match &turn.status {
            Status::Asks(open) => object["question"] = question(open),
            Status::Refused(own) => object["refusal"] = refusal(own),
            Status::NeedsRuling(open) => {
                object["ruling"] = json!({"ruling": open.ruling, "message": open.message});
            }
            Status::Done => {}
        }
    }
    object["problems"] = Json::Array(problems.iter().map(problem).collect());
    object["written"] = json!(written);
    object
}
