//! What no rule computes: the steward sets values by hand and says why. The result is checked to be a valid game, and the
//! log keeps it as declared, apart from everything that was computed.

use std::sync::Arc;

use super::dice::declare::{add_id, settle};
use super::record::declared_turn;
use super::turn::{Played, Request};
use crate::data::{Key, Pointer, Value};
use crate::game::{Game, changes};
use crate::gamestate::{in_a_line, valid_game};
use crate::protocol::{Event, Refusal};
use crate::ruleset::{Declaration, Ruleset};

/// Sections that are not for setting by hand: the file's form, and its history.
const CLOSED: [&str; 4] = ["format", "ruleset", "id", "log"];

/// The section that a game need not have, and that can be set as a whole.
const DICE: &str = "dice";

/// Carries out `adjudicate --set POINTER=VALUE … --because TEXT`.
///
/// # Errors
/// Refuses values that are not changed, that the gamestate has no place for, or that would make it invalid.
pub(super) fn declare(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    declaration: &Declaration,
) -> Result<Played, Refusal> {
    if declaration.because.is_empty() {
        return Err(refusal("no-reason", "a reason is required").help("add --because \"who decided, and where\""));
    }
    let mut next = declared(ruleset, game, &declaration.sets)?;
    settle(game, &mut next, request.at)?;
    let found = changes(game, &next);
    if found.is_empty() {
        return Err(refusal("nothing-changes", "nothing would change"));
    }
    next.log = Arc::clone(&game.log);
    let event = |text: String| Event::new(text, "R-135");
    let mut events = vec![event(format!("declared by hand: {}", declaration.because))];
    events.extend(found.iter().map(|change| {
        let (before, after) = (in_words(&change.before), in_words(&change.after));
        event(format!("{} changes from {before} to {after}", change.pointer))
    }));
    let what = shlex::try_join(request.words.iter().map(String::as_str)).unwrap_or_else(|_| request.words.join(" "));
    Ok(Played { events, ..declared_turn(ruleset, game, next, what, request) })
}

fn in_words(value: &Value) -> String {
    if *value == Value::Null { "nothing".into() } else { value.to_string() }
}

fn refusal(code: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(code, message).rule("R-135")
}

/// Returns the game with values set by hand.
fn declared(ruleset: &Ruleset, game: &Game, sets: &[(String, Value)]) -> Result<Game, Refusal> {
    let mut state = game.to_value();
    for (pointer, value) in sets {
        let path = Pointer::from(pointer.as_str());
        let section = path
            .first()
            .filter(|section| *section == DICE || state.get(section).is_some())
            .filter(|section| pointer.starts_with('/') && !CLOSED.contains(section));
        let deep_enough = section.is_some_and(|section| ["phase", DICE].contains(&section) || path.steps().len() > 1);
        if !deep_enough || path.set(&mut state, value.clone()).is_none() {
            let help = "a JSON Pointer from the top of the file, such as /players/Ann/location or /state/party";
            return Err(refusal("bad-pointer", format!("`{pointer}` does not exist in a gamestate")).help(help));
        }
    }
    state.set(Key::from("format"), Value::Int(1));
    state.remove("log");
    add_id(game, &mut state);
    valid_game(ruleset, &state).map_err(|problems| {
        let codes = ["unknown-key"];
        let unknown = problems.iter().all(|problem| codes.contains(&problem.code));
        let code = if unknown { "bad-pointer" } else { "unsound" };
        let message = format!("that would make the gamestate invalid: {}", in_a_line(&problems));
        let help = problems.iter().find_map(|problem| problem.help.clone());
        Refusal { help, ..refusal(code, message) }
    })
}
