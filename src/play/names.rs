//! New names and words: what cannot be seen is refused before it becomes part of a game, because the file, the tables and
//! every later command would carry it. What a game has already stays playable; `check` warns of it.

use super::{Played, Refusal, Request, Status};
use crate::data::{Key, Value, unseen};
use crate::game::Game;
use crate::gamestate::{holds, names, on_one_line};

fn bad(text: &str, why: &str) -> Refusal {
    let message = format!("`{}` {why}", on_one_line(text));
    Refusal::new("bad-name", message).help("write it with letters, signs and emoji that can be seen")
}

/// Returns the first character of a text that cannot be seen, line breaks and tabs aside.
fn unseen_in_text(text: &str) -> Option<char> {
    text.split(['\n', '\t']).find_map(unseen)
}

/// Finds a word of a command that no new action may hold: a control character, one that turns the direction of writing,
/// or one that leaves no mark. What options say may have several lines.
pub(super) fn refused(game: &Game, request: &Request) -> Option<Refusal> {
    let known = |word: &str| names(game).iter().any(|(name, _)| name == word);
    let mut option = false;
    for word in &request.words {
        let found = if option || word.starts_with("--") { unseen_in_text(word) } else { unseen(word) };
        option = word.starts_with("--") && !word.contains('=');
        // A pointer of `adjudicate` may lead through a name that the game has.
        let leads = || names(game).iter().any(|(name, _)| unseen(name).is_some() && word.contains(name.as_str()));
        if let Some(c) = found.filter(|_| !known(word) && !leads()) {
            return Some(bad(word, &holds(c)));
        }
    }
    let given = request.given.all().flat_map(|(_, values)| values.iter().filter_map(Value::as_text));
    let texts = given.chain(request.link.as_deref());
    let mut found = texts.filter_map(|text| Some((text, unseen_in_text(text)?)));
    found.find(|(text, _)| !known(text)).map(|(text, c)| bad(text, &holds(c)))
}

/// Returns the result of a command, refused if it has made a name that no game should have.
pub(super) fn checked(game: &Game, played: Played) -> Played {
    if played.status != Status::Done || played.changes.is_empty() {
        return played;
    }
    match wrong(game, &played) {
        Some(refusal) => Played::refused(game, played.action, refusal),
        None => played,
    }
}

fn wrong(game: &Game, played: &Played) -> Option<Refusal> {
    let before = names(game);
    for (name, _) in names(&played.next).into_iter().filter(|new| !before.contains(new)) {
        if name.trim().is_empty() {
            return Some(bad(&name, "is an empty name"));
        }
        if name.starts_with('-') {
            return Some(bad(&name, "begins as an option of a command"));
        }
        if let Some(c) = unseen(&name) {
            return Some(bad(&name, &holds(c)));
        }
    }
    let mut new = Vec::new();
    for change in &played.changes {
        new.extend(change.pointer.steps().iter().filter_map(|step| Some((step.as_str(), unseen(step)?))));
        texts(&change.after, &mut new);
    }
    let (text, c) = *new.iter().find(|(text, _)| !has(&game.to_value(), text))?;
    Some(bad(text, &holds(c)))
}

fn text_of(key: &Key) -> Option<&str> {
    match key {
        Key::Text(text) => Some(text),
        Key::Int(_) => None,
    }
}

/// Collects the texts of a value that hold what cannot be seen.
fn texts<'a>(value: &'a Value, found: &mut Vec<(&'a str, char)>) {
    match value {
        Value::Text(text) => found.extend(unseen_in_text(text).map(|c| (text.as_str(), c))),
        Value::List(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Map(entries) => {
            for (key, value) in entries {
                found.extend(text_of(key).and_then(|text| Some((text, unseen(text)?))));
                texts(value, found);
            }
        }
        _ => {}
    }
}

fn has(value: &Value, text: &str) -> bool {
    match value {
        Value::Text(own) => own == text,
        Value::List(values) => values.iter().any(|value| has(value, text)),
        Value::Map(entries) => entries.iter().any(|(key, value)| key.is(text) || has(value, text)),
        _ => false,
    }
}
