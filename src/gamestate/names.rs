//! The names of a game: which there are, and which of them are hard to tell apart, to see or to write.

use super::GamestateFile;
use crate::data::{Pointer, Value, looks, shown, unseen};
use crate::diagnostic::Problem;
use crate::game::Game;

/// Returns the names under which players are found, with the player's own name for each.
pub(crate) fn names(game: &Game) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (_, player) in game.players() {
        let aliases = player.fields.get("aliases").map_or(&[][..], Value::items);
        let all = std::iter::once(player.name.to_string()).chain(aliases.iter().map(ToString::to_string));
        found.extend(all.map(|name| (name, player.name.to_string())));
    }
    found
}

/// Says which character of a name cannot be seen.
pub(crate) fn holds(c: char) -> String {
    format!("holds a character that cannot be seen, U+{:04X}", u32::from(c))
}

/// Returns a name as messages show it, on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    shown(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Finds the names of players and the titles of proposals that mislead: each with the pointer of what it names.
pub fn odd_names(game: &Game) -> Vec<(Pointer, String)> {
    let all = names(game);
    let looks_of: Vec<[String; 2]> = all.iter().map(|(name, _)| looks(name)).collect();
    let mut found = Vec::new();
    for (place, (name, player)) in all.iter().enumerate() {
        let (safe, pointer) = (on_one_line(name), Pointer::from(["players", player.as_str()]));
        if let Some(c) = unseen(name) {
            found.push((pointer.clone(), format!("the name `{safe}` {}", holds(c))));
        }
        if name.starts_with('-') {
            found.push((pointer.clone(), format!("the name `{safe}` begins as an option of a command")));
        }
        let alike = |other: &usize| {
            all[*other].1 != *player && looks_of[*other].iter().zip(&looks_of[place]).any(|(one, own)| one == own)
        };
        if let Some(other) = (0..place).find(alike) {
            let other = on_one_line(&all[other].0);
            found.push((pointer, format!("the name `{safe}` looks like `{other}`")));
        }
    }
    for (number, proposal) in game.proposals.entries() {
        let title = proposal.get("title").and_then(Value::as_text);
        if let Some((title, c)) = title.and_then(|title| Some((title, unseen(title)?))) {
            let what = format!("the title `{}` {}", on_one_line(title), holds(c));
            found.push((["proposals", &*number.to_string()].into(), what));
        }
    }
    found
}

impl GamestateFile {
    /// Returns a warning for every name that misleads, with its place in the file.
    pub fn odd_names(&self, game: &Game) -> Vec<Problem> {
        let each = |(path, message): (Pointer, String)| {
            let problem = Problem::new("odd-name", message).help("`referee adjudicate` can give it another name");
            Problem { warning: true, place: Some(self.place_of(&path)), path, ..problem }
        };
        odd_names(game).into_iter().map(each).collect()
    }
}
