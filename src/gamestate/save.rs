//! From the next game back into the same text: the changes become edits of the source, the edited text is read again
//! and must be exactly the next game.

use std::sync::Arc;

use super::GamestateFile;
use crate::data::{Key, Value};
use crate::diagnostic::Problem;
use crate::game::{Change, Game, LogEntry, PLACE, changes};
use crate::ruleset::Ruleset;
use crate::yaml::{Document, Edit, Node, Step, Style};

/// How new entries look where nothing in the file says otherwise: what belongs to one selection, one holding or one
/// changed value stands on one line.
pub(super) const STYLE: Style = Style {
    flow: |key| {
        const SHORT: [&str; 12] = [
            "random",
            "thrown-by",
            "chosen",
            "rulings",
            "items",
            "marks",
            "settings",
            "amended",
            "amends",
            "again",
            "trades",
            "sealed",
        ];
        SHORT.contains(&key) || key.starts_with('/')
    },
    plain_times: true,
};

pub(super) fn updated(file: &GamestateFile, ruleset: &Ruleset, before: &Game, after: &Game) -> Result<String, Problem> {
    let root = file.document.root();
    let mut edits: Vec<Edit> =
        changes(before, after).into_iter().filter_map(|change| edit(root, after, change)).collect();
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
    let edited = file.document.edit(&edits, &STYLE).map_err(|cannot| {
        let help = "nothing was written; write this part of the file more plainly, or report it with the file";
        Problem::new("cannot-edit", format!("the file cannot be edited safely: {}", cannot.message)).help(help)
    })?;
    let text = edited.text().to_owned();
    let again = GamestateFile { document: edited };
    match again.check(ruleset).game {
        Some(game) if game.equivalent(after) => Ok(text),
        _ => Err(Problem::new(
            "cannot-edit",
            "the edited file would not hold the game that was played; nothing was written",
        )
        .help("this is a bug in the referee: please report it with the file")),
    }
}

/// Entries that were taken back, or that count again: nothing else of an entry ever changes.
fn turned<'a>(before: &'a Game, after: &'a Game, archived: usize) -> impl Iterator<Item = Edit> + 'a {
    let pairs = before.log.iter().enumerate().skip(archived).zip(after.log.iter());
    let pairs = pairs.map(|((index, old), new)| (index, (old, new)));
    pairs.filter(|(_, (old, new))| old.undone != new.undone).map(|(index, (_, new))| {
        let path = ["log"].map(|key| Step::Key(Key::from(key))).into_iter();
        let path = path.chain([Step::Index(index), Step::Key(Key::from("undone"))]).collect();
        if new.undone { Edit::Set { path, value: Value::Bool(true) } } else { Edit::Remove { path } }
    })
}

/// The text of an archive with entries added at its end; an empty text is a new archive.
///
/// # Errors
/// `cannot-edit` where the text cannot be added to safely.
pub fn archive(text: &str, entries: &[Arc<LogEntry>]) -> Result<String, Problem> {
    let text = if text.trim().is_empty() {
        "# Entries of the log that the rules can no longer reach.\nlog: []\n"
    } else {
        text
    };
    let cannot = |message: String| Problem::new("cannot-edit", format!("the archive cannot be added to: {message}"));
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
    // The keys as the file spells them: `7` and "7" are the same player.
    let mut node = Some(root);
    let mut path = Vec::new();
    for key in &change.path {
        let own = node.and_then(|node| node.entries().iter().find(|entry| entry.key.is(&key.to_string())));
        path.push(Step::Key(own.map_or(key, |entry| &entry.key).clone()));
        node = own.map(|entry| &entry.value);
    }
    match change.after {
        Value::Null => node.map(|_| Edit::Remove { path }),
        mut value => Some(match place_of_a_player(root, game, &change.path) {
            Some(index) => {
                value.remove(PLACE);
                if node.is_none() { Edit::Add { path, index, value } } else { Edit::Set { path, value } }
            }
            None => Edit::Set { path, value },
        }),
    }
}

/// Where a player who comes back belongs: before the first of those in the file whom they precede in the game. `None` for
/// any other change.
fn place_of_a_player(root: &Node, game: &Game, path: &[Key]) -> Option<usize> {
    let [section, name] = path else { return None };
    let entries = root.get("players").filter(|_| section.is("players"))?.entries();
    let after = game.players().skip_while(|(_, player)| !name.is(&player.name)).skip(1);
    let places = after.map(|(_, player)| entries.iter().position(|entry| entry.key.is(&player.name)));
    Some(places.flatten().next().unwrap_or(entries.len()))
}
