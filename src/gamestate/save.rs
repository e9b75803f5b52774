//! Writes the next game into the same text: changes become edits of the text, which is read again and must be exactly the
//! next game.

use std::sync::Arc;

use super::GamestateFile;
use super::dice::OLDER;
use crate::data::{Key, Pointer, Value};
use crate::diagnostic::Problem;
use crate::game::{Change, Game, LogEntry, POSITION, changes};
use crate::ruleset::Ruleset;
use crate::yaml::{Document, Edit, Node, Step, Style, locate};

/// How new entries look if nothing in the file shows it: selections, items and changed values are written on one line.
pub(super) const STYLE: Style = Style {
    flow: |key| {
        const SHORT: [&str; 16] = [
            "random",
            "thrown-by",
            "chosen",
            "posted",
            "given",
            "rulings",
            "items",
            "marks",
            "settings",
            "amended",
            "amends",
            "again",
            "trades",
            "sealed",
            "dice",
            "drawn",
        ];
        SHORT.contains(&key) || key.starts_with('/')
    },
    plain_times: true,
};

pub(super) fn updated(file: &GamestateFile, ruleset: &Ruleset, before: &Game, after: &Game) -> Result<String, Problem> {
    let root = file.document.root();
    let older = root.get(OLDER).is_some();
    let of_dice = |change: &Change| matches!(change.pointer.first(), Some("dice" | "id"));
    let changed = changes(before, after).into_iter().filter(|change| !(older && of_dice(change)));
    let mut edits: Vec<Edit> = changed.filter_map(|change| edit(root, after, change)).collect();
    let own = before.log.len();
    // Entries that were moved to an archive are the first ones.
    let first = after.log.first().map_or(i64::MAX, |first| first.id);
    let archived = if after.log.is_empty() { own } else { before.log.partition_point(|entry| entry.id < first) };
    edits.extend(
        (0..archived).map(|index| Edit::Remove { path: vec![Step::Key(Key::from("log")), Step::Index(index)] }),
    );
    edits.extend(turned(before, after, archived));
    edits.extend(after.log[own - archived..].iter().map(|entry| Edit::Insert {
        path: vec![Step::Key(Key::from("log"))],
        index: own,
        value: entry.to_value(),
    }));
    if older && before != after {
        edits.extend(renewed(after));
    }
    let edited = file.document.edit(&edits, &STYLE).map_err(|cannot| {
        let help = "nothing written; simplify the YAML here, or report this with the file";
        Problem::new("cannot-edit", format!("the file cannot be edited safely: {}", cannot.message)).help(help)
    })?;
    let text = edited.text().to_owned();
    let again = GamestateFile { document: edited };
    match again.check(ruleset).game {
        Some(game) if game.equivalent(after) => Ok(text),
        _ => Err(Problem::new(
            "cannot-edit",
            "the edited file would not contain the game that was played; nothing written",
        )
        .help("this is a bug in the referee; please report it with the file")),
    }
}

/// Writes what an older file says under `sealed` as `dice`, with the id of the game.
fn renewed(after: &Game) -> Vec<Edit> {
    let path = |key: &str| vec![Step::Key(Key::from(key))];
    vec![
        Edit::Remove { path: path(OLDER) },
        Edit::Set { path: path("id"), value: Value::from(&*after.id) },
        Edit::Set { path: path("dice"), value: Value::clone(&after.dice) },
    ]
}

/// Returns the edits of entries that were undone or redone; nothing else of an entry ever changes.
fn turned<'a>(before: &'a Game, after: &'a Game, archived: usize) -> impl Iterator<Item = Edit> + 'a {
    let pairs = before.log.iter().enumerate().skip(archived).zip(after.log.iter());
    let pairs = pairs.map(|((index, old), new)| (index, (old, new)));
    pairs.filter(|(_, (old, new))| old.undone != new.undone).map(|(index, (_, new))| {
        let path = ["log"].map(|key| Step::Key(Key::from(key))).into_iter();
        let path = path.chain([Step::Index(index), Step::Key(Key::from("undone"))]).collect();
        if new.undone { Edit::Set { path, value: Value::Bool(true) } } else { Edit::Remove { path } }
    })
}

/// Adds entries at the end of an archive's text; an empty text is a new archive.
///
/// # Errors
/// `cannot-edit` if the text cannot be edited safely.
pub fn archive(text: &str, entries: &[Arc<LogEntry>]) -> Result<String, Problem> {
    let text = if text.trim().is_empty() {
        "# Entries of the log that the rules can no longer reach.\nlog: []\n"
    } else {
        text
    };
    let cannot =
        |message: String| Problem::new("cannot-edit", format!("the archive cannot be edited safely: {message}"));
    let document = Document::parse(text).map_err(|problems| cannot(problems[0].message.clone()))?;
    let index = document.root().get("log").map_or(0, |log| log.items().len());
    let insert = |entry: &Arc<LogEntry>| Edit::Insert {
        path: vec![Step::Key(Key::from("log"))],
        index,
        value: entry.to_value(),
    };
    let edits: Vec<Edit> = entries.iter().map(insert).collect();
    let edited = document.edit(&edits, &STYLE).map_err(|problem| cannot(problem.message))?;
    Ok(edited.text().to_owned())
}

fn edit(root: &Node, game: &Game, change: Change) -> Option<Edit> {
    let (path, node) = locate(root, &change.pointer);
    match change.after {
        Value::Null => node.map(|_| Edit::Remove { path }),
        mut value => Some(match position_of_a_player(root, game, &change.pointer) {
            Some(index) => {
                value.remove(POSITION);
                if node.is_none() { Edit::Add { path, index, value } } else { Edit::Set { path, value } }
            }
            None => Edit::Set { path, value },
        }),
    }
}

/// Returns the position of a player who joins or comes back: before the first player of the file whom they precede in the
/// game. `None` for any other change.
fn position_of_a_player(root: &Node, game: &Game, pointer: &Pointer) -> Option<usize> {
    let [section, name] = pointer.steps() else { return None };
    let entries = root.get("players").filter(|_| section == "players")?.entries();
    let after = game.players().skip_while(|(_, player)| *player.name != **name).skip(1);
    let positions = after.map(|(_, player)| entries.iter().position(|entry| entry.key.is(&player.name)));
    Some(positions.flatten().next().unwrap_or(entries.len()))
}
