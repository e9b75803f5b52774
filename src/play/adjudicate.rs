//! What no rule computes: the steward sets values by hand and says why. It is checked to leave a sound game, and stands
//! in the log as declared, apart from everything that was computed.

use std::sync::Arc;

use super::turn::by_hand;
use super::{Event, Played, Refusal, Request};
use crate::data::{Key, Pointer, Value};
use crate::game::{Game, changes};
use crate::gamestate::{in_a_line, sound};
use crate::ruleset::{ActionError, Ruleset};
use crate::yaml::Document;

/// The word of the command.
pub(super) const WORD: &str = "adjudicate";

/// Sections that are not for setting by hand: the file's form, and its history.
const CLOSED: [&str; 3] = ["format", "ruleset", "log"];

struct Declaration {
    sets: Vec<(String, Value)>,
    because: String,
}

/// Carries out `adjudicate --set POINTER=VALUE … --because TEXT`.
///
/// # Errors
/// A command that is not of this form, with nothing done.
pub(super) fn declare(ruleset: &Arc<Ruleset>, game: &Game, request: &Request) -> Result<Played, ActionError> {
    let what = shlex::try_join(request.words.iter().map(String::as_str)).unwrap_or_else(|_| WORD.to_owned());
    let declaration = match read(&request.words[1..])? {
        Ok(declaration) => declaration,
        Err(refusal) => return Ok(Played::refused(game, what, refusal)),
    };
    let next = match declared(ruleset, game, &declaration.sets) {
        Ok(next) => next,
        Err(refusal) => return Ok(Played::refused(game, what, refusal)),
    };
    let found = changes(game, &next);
    if found.is_empty() {
        return Ok(Played::refused(game, what, refusal("nothing-changes", "every value is what it was".into(), None)));
    }
    let mut next = next;
    next.log = Arc::clone(&game.log);
    let event = |text: String| Event {
        text,
        rule: "R-135".into(),
        rulings: vec![],
        players: vec![],
        spaces: vec![],
        items: vec![],
    };
    let mut events = vec![event(format!("declared by hand, because: {}", declaration.because))];
    events.extend(found.iter().map(|change| {
        event(format!("{} is {}, and was {}", change.pointer, in_words(&change.after), in_words(&change.before)))
    }));
    Ok(Played { events, ..by_hand(ruleset, game, next, what, request) })
}

fn in_words(value: &Value) -> String {
    if *value == Value::Null { "nothing".into() } else { value.to_string() }
}

fn refusal(code: &str, message: String, help: Option<&str>) -> Refusal {
    Refusal { code: code.to_owned(), message, help: help.map(str::to_owned), rule: "R-135".into() }
}

fn read(words: &[String]) -> Result<Result<Declaration, Refusal>, ActionError> {
    let usage = |message: String| ActionError { code: "usage", message, help: None };
    let mut declaration = Declaration { sets: Vec::new(), because: String::new() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (word.as_str(), words.next().map(String::as_str)),
        };
        let value = value.ok_or_else(|| usage(format!("{option} needs a value")))?;
        match option {
            "--because" => value.trim().clone_into(&mut declaration.because),
            "--set" => {
                let (pointer, value) =
                    value.split_once('=').ok_or_else(|| usage(format!("`{value}` is not POINTER=VALUE")))?;
                let read = Document::parse(&format!("value: {value}\n"));
                let read = read.map_err(|_| usage(format!("`{value}` is no value in YAML")))?;
                let value = read.root().get("value").map(crate::yaml::Node::to_value).unwrap_or_default();
                declaration.sets.push((pointer.to_owned(), value));
            }
            _ => return Err(usage(format!("`{WORD}` has no option {option}"))),
        }
    }
    if declaration.sets.is_empty() {
        return Err(usage(format!("`{WORD}` takes --set POINTER=VALUE, once or more, and --because TEXT")));
    }
    if declaration.because.is_empty() {
        let help = "say who decided it and where, with --because";
        return Ok(Err(refusal("no-reason", "what is set by hand needs a reason".into(), Some(help))));
    }
    Ok(Ok(declaration))
}

fn declared(ruleset: &Ruleset, game: &Game, sets: &[(String, Value)]) -> Result<Game, Refusal> {
    let mut state = game.to_value();
    for (pointer, value) in sets {
        let path = Pointer::from(pointer.as_str());
        let section = path
            .first()
            .filter(|section| pointer.starts_with('/') && state.get(section).is_some() && !CLOSED.contains(section));
        let deep_enough = section.is_some_and(|section| section == "phase" || path.steps().len() > 1);
        if !deep_enough || path.set(&mut state, value.clone()).is_none() {
            let help = "a JSON Pointer from the top of the file, such as /players/Ann/location or /state/party";
            return Err(refusal("bad-pointer", format!("`{pointer}` is no place of a gamestate"), Some(help)));
        }
    }
    state.set(Key::from("format"), Value::Int(1));
    state.remove("log");
    sound(ruleset, &state).map_err(|problems| {
        let codes = ["unknown-key"];
        let unknown = problems.iter().all(|problem| codes.contains(&problem.code));
        let code = if unknown { "bad-pointer" } else { "unsound" };
        let message = format!("the game would not be sound: {}", in_a_line(&problems));
        refusal(code, message, problems.iter().find_map(|problem| problem.help.as_deref()))
    })
}
