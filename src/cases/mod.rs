//! Case files: rules tested by data that a player can read and write (INTERFACE.md, section 6).

mod untouched;

use std::sync::Arc;

use untouched::{is_default, untouched};

use crate::data::{Key, Value};
use crate::game::Game;
use crate::gamestate::{in_a_line, valid_game};
use crate::play::{By, Played, Refusal, Request, Selections, Status, spelled, take_turn};
use crate::ruleset::{Posted, Ruleset};
use crate::yaml::Document;

/// Finds the ruleset of a name.
pub type Rulebooks<'a> = &'a mut dyn FnMut(&str) -> Option<Arc<Ruleset>>;

/// The result of one case; `rules test --format json` prints it with these field names.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CaseResult {
    /// The file.
    pub file: String,
    /// The case's name.
    pub case: String,
    /// The IDs that it cites.
    pub cites: Vec<String>,
    /// The switches it sets, as `key=value`.
    pub rulings: Vec<String>,
    /// What was expected and what was found, if they differ.
    pub failure: Option<String>,
}

const KEYS: [&str; 17] = [
    "case",
    "cites",
    "ruleset",
    "given",
    "do",
    "select",
    "expect",
    "refused",
    "asks",
    "needs-ruling",
    "changed-only",
    "any-exit",
    "because",
    "note",
    "pair",
    "requires",
    "decline",
];

/// Runs every case of a text: a list of cases, or a rule file with a list under `cases`.
pub fn run_text(name: &str, text: &str, rulesets: Rulebooks) -> Vec<CaseResult> {
    let broken = |message: String| {
        vec![CaseResult {
            file: name.to_owned(),
            case: "(the file)".into(),
            cites: vec![],
            rulings: vec![],
            failure: Some(message),
        }]
    };
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(problems) => return broken(problems.first().map_or_else(String::new, |problem| problem.message.clone())),
    };
    let root = document.root().to_value();
    let cases = root.get("cases").unwrap_or(&root);
    let Value::List(cases) = cases else {
        return if matches!(root, Value::Map(_)) {
            Vec::new()
        } else {
            broken("a case file is a list of cases".into())
        };
    };
    cases.iter().map(|case| one(name, case, rulesets)).collect()
}

fn one(file: &str, case: &Value, rulesets: Rulebooks) -> CaseResult {
    let texts = |value: Option<&Value>| value.map_or(&[][..], Value::items).iter().map(ToString::to_string).collect();
    let given = case.get("given").cloned().unwrap_or_default();
    let set = given.get("rulings").map_or(&[][..], Value::entries);
    CaseResult {
        file: file.to_owned(),
        case: case.get("case").map_or_else(|| "(no name)".into(), ToString::to_string),
        cites: texts(case.get("cites")),
        rulings: set.iter().map(|(key, value)| format!("{key}={}", value.get("value").unwrap_or(value))).collect(),
        failure: play(case, &given, rulesets).err(),
    }
}

fn play(case: &Value, given: &Value, rulesets: Rulebooks) -> Result<(), String> {
    if let Some((key, _)) = case.entries().iter().find(|(key, _)| !KEYS.contains(&key.to_string().as_str())) {
        return Err(format!("a case has no `{key}`"));
    }
    let name = case.get("ruleset").map_or_else(|| "cycle-15".to_owned(), ToString::to_string);
    let ruleset = rulesets(&name).ok_or_else(|| format!("unknown ruleset `{name}`"))?;
    let start = load(&ruleset, &name, given)?;
    let commands: Vec<String> = case.get("do").map_or(&[][..], Value::items).iter().map(ToString::to_string).collect();
    let selects = case.get("select").map_or(&[][..], Value::items);
    if commands.is_empty() {
        return Err("a case needs something to `do`".into());
    }
    if selects.len() > commands.len() {
        return Err(format!("{} commands and {} maps of selections", commands.len(), selects.len()));
    }
    let any_exit =
        is_true(case.get("any-exit")) || case.get("expect").is_some_and(|expect| is_true(expect.get("any-exit")));
    let mut game = start.clone();
    for (place, command) in commands.iter().enumerate() {
        let last = place + 1 == commands.len();
        let turn = command_turn(&ruleset, &game, command, selects.get(place), is_true(case.get("decline")));
        let turn = match turn {
            Ok(turn) => turn,
            Err(refusal) => {
                // A command that the game does not have changes nothing.
                return if last {
                    expected_code(case, &refusal.code, "refused", any_exit)
                } else {
                    Err(format!("`{command}`: refused: {}", refusal.code))
                };
            }
        };
        if last {
            ended(case, &turn, any_exit)?;
        } else if !any_exit && !matches!(turn.status, Status::Done | Status::Asks(_)) {
            return Err(format!("`{command}`: {}", describe(&turn.status)));
        }
        game = turn.next;
    }
    let Some(expect) = case.get("expect") else { return Ok(()) };
    let (before, after) = (start.to_value(), game.to_value());
    for (section, wanted) in expect.entries().iter().filter(|(key, _)| !key.is("never") && !key.is("any-exit")) {
        holds(&ruleset, wanted, after.get(&section.to_string()), &section.to_string())?;
    }
    if let Some(never) = expect.get("never") {
        for (section, unwanted) in never.entries() {
            if holds(&ruleset, unwanted, after.get(&section.to_string()), "").is_ok() {
                return Err(format!("{section} must not be {unwanted}, and is"));
            }
        }
    }
    if is_true(case.get("changed-only")) || is_true(expect.get("changed-only")) {
        untouched(&ruleset, expect, &before, &after)?;
    }
    Ok(())
}

fn is_true(value: Option<&Value>) -> bool {
    value == Some(&Value::Bool(true))
}

/// Plays one command as typed, selections and `-s` options in it included.
fn command_turn(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    command: &str,
    select: Option<&Value>,
    decline: bool,
) -> Result<Played, Refusal> {
    let typed = shlex::split(command).ok_or_else(|| Refusal::new("usage", "unbalanced quotes"))?;
    let posted = Posted::read(ruleset, &typed).map_err(|error| Refusal::new("usage", error.message))?;
    let mut given = Selections::default();
    for (key, value) in select.map_or(&[][..], Value::entries) {
        given.add(&key.to_string(), value.items().iter().cloned());
    }
    for (key, values) in posted.given.all() {
        given.add(key, values.iter().cloned());
    }
    let request = Request {
        words: posted.words,
        given,
        at: posted.at,
        link: posted.link,
        decline: decline || posted.decline,
        ..Request::default()
    };
    let turn = take_turn(ruleset, game, &request, &mut ())?;
    Ok(if posted.dry_run { Played { next: game.clone(), ..turn } } else { turn })
}

/// Plays one case and returns how its last command was refused; `None` if it was not, or if the case cannot be played.
pub fn refusal(case: &Value, rulesets: Rulebooks) -> Option<Refusal> {
    let name = case.get("ruleset").map_or_else(|| "cycle-15".to_owned(), ToString::to_string);
    let ruleset = rulesets(&name)?;
    let mut game = load(&ruleset, &name, &case.get("given").cloned().unwrap_or_default()).ok()?;
    let selects = case.get("select").map_or(&[][..], Value::items);
    let mut last = None;
    for (place, command) in case.get("do")?.items().iter().enumerate() {
        let select = selects.get(place);
        last = match command_turn(&ruleset, &game, &command.to_string(), select, is_true(case.get("decline"))) {
            Ok(turn) => {
                game = turn.next;
                if let Status::Refused(refusal) = turn.status { Some(refusal) } else { None }
            }
            Err(refusal) => Some(refusal),
        };
    }
    last
}

fn describe(status: &Status) -> String {
    match status {
        Status::Done => "done".into(),
        Status::Asks(question) => format!("asks for `{}`", question.key),
        Status::Refused(refusal) => format!("refused: {} ({})", refusal.code, refusal.message),
        Status::NeedsRuling(open) => format!("needs a ruling on {}", open.ruling),
    }
}

fn expected_code(case: &Value, code: &str, kind: &str, any_exit: bool) -> Result<(), String> {
    match case.get(kind).map(ToString::to_string) {
        Some(wanted) if wanted == code => Ok(()),
        Some(wanted) => Err(format!("expected {kind}: {wanted}, found {code}")),
        None if any_exit => Ok(()),
        None => Err(format!("{kind}: {code}")),
    }
}

/// Compares how the last command ended with what the case says of it.
fn ended(case: &Value, turn: &Played, any_exit: bool) -> Result<(), String> {
    let found = || format!("found {}", describe(&turn.status));
    match &turn.status {
        Status::Done => {
            let other = ["refused", "asks", "needs-ruling"].into_iter().find_map(|kind| Some((kind, case.get(kind)?)));
            other.map_or(Ok(()), |(kind, wanted)| Err(format!("expected {kind}: {wanted}, found done")))
        }
        Status::Refused(refusal) if case.get("refused").is_some() => {
            expected_code(case, &refusal.code, "refused", any_exit)
        }
        Status::NeedsRuling(open) if case.get("needs-ruling").is_some() => {
            expected_code(case, &open.ruling, "needs-ruling", any_exit)
        }
        Status::Asks(question) if case.get("asks").is_some() => {
            let asks = case.get("asks").cloned().unwrap_or_default();
            let key = asks.get("key").map_or_else(|| asks.to_string(), ToString::to_string);
            if key != question.key {
                return Err(format!("expected it to ask for `{key}`, {}", found()));
            }
            let by = match &question.by {
                By::Random => "random".to_owned(),
                By::Player(name) => name.to_string(),
            };
            if asks.get("by").is_some_and(|wanted| wanted.to_string() != by) {
                return Err(format!("expected it to ask {}, and it asks {by}", asks.get("by").unwrap_or(&Value::Null)));
            }
            let Some(wanted) = asks.get("options") else { return Ok(()) };
            let mut wanted: Vec<String> = wanted.items().iter().map(spelled).collect();
            let mut options: Vec<String> = question.option_values().iter().map(spelled).collect();
            wanted.sort();
            options.sort();
            if wanted == options {
                Ok(())
            } else {
                Err(format!("expected options {}, found {}", wanted.join(", "), options.join(", ")))
            }
        }
        _ if any_exit => Ok(()),
        _ => Err(found()),
    }
}

/// Makes the game that `given` describes: a gamestate with defaults for what it leaves out.
fn load(ruleset: &Ruleset, name: &str, given: &Value) -> Result<Game, String> {
    let mut state = given.clone();
    if let Some(line) = given.get("line") {
        let ends: Vec<i64> = line.items().iter().filter_map(Value::as_int).collect();
        let [first, last] = ends[..] else { return Err("`line` is a list of two numbers".into()) };
        let mut spaces = Value::Map(Vec::new());
        for id in first..=last {
            let mut space = Value::Map(Vec::new());
            if id < last {
                space.set(Key::from("successors"), Value::List(vec![Value::Int(id + 1)]));
            }
            spaces.set(Key::Int(id), space);
        }
        for (id, space) in given.get("spaces").map_or(&[][..], Value::entries) {
            spaces.set(id.clone(), space.clone());
        }
        state.set(Key::from("spaces"), spaces);
        state.remove("line");
    }
    state.set(Key::from("format"), Value::Int(1));
    state.set(Key::from("ruleset"), Value::from(name));
    for section in ["players", "spaces"] {
        if state.get(section).is_none() {
            state.set(Key::from(section), Value::Map(Vec::new()));
        }
    }
    valid_game(ruleset, &state).map_err(|problems| format!("`given` is not a valid game: {}", in_a_line(&problems)))
}

/// Whether what is named holds. Maps are compared by what is named, `items` whole, successors as sets, log entries in
/// order with others between them.
fn holds(ruleset: &Ruleset, wanted: &Value, found: Option<&Value>, path: &str) -> Result<(), String> {
    let differs = || Err(format!("{path}: expected {wanted}, found {}", found.unwrap_or(&Value::Null)));
    let last = path.rsplit('.').next().unwrap_or(path);
    match (wanted, found.unwrap_or(&Value::Null)) {
        (wanted, found) if is_default(ruleset, last, wanted) => {
            if is_default(ruleset, last, found) {
                Ok(())
            } else {
                differs()
            }
        }
        (Value::Map(_), found) if last == "items" => {
            if same(wanted, found) {
                Ok(())
            } else {
                differs()
            }
        }
        (Value::Map(entries), found @ (Value::Map(_) | Value::Null)) => entries
            .iter()
            .try_for_each(|(key, value)| holds(ruleset, value, found.get(&key.to_string()), &format!("{path}.{key}"))),
        (wanted, found) if last == "successors" || path.ends_with("successors") => {
            let set = |value: &Value| {
                let mut values = value.items().to_vec();
                values.sort();
                values
            };
            if set(wanted) == set(found) { Ok(()) } else { differs() }
        }
        (Value::List(entries), Value::List(all)) if last == "log" || last == "pending" => {
            let mut all = all.iter();
            let each = entries.iter().all(|entry| all.any(|found| holds(ruleset, entry, Some(found), "").is_ok()));
            if each { Ok(()) } else { differs() }
        }
        (wanted, found) => {
            // The order of keys means nothing at any depth.
            if spelled(wanted) == spelled(found) || wanted.in_order() == found.in_order() { Ok(()) } else { differs() }
        }
    }
}

fn same(wanted: &Value, found: &Value) -> bool {
    let kept = |value: &Value| -> Vec<(String, Value)> {
        let mut entries: Vec<_> = value
            .entries()
            .iter()
            .filter(|(_, v)| *v != Value::Int(0))
            .map(|(k, v)| (k.to_string(), v.clone()))
            .collect();
        entries.sort();
        entries
    };
    kept(wanted) == kept(found)
}
