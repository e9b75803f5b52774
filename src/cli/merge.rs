//! `merge`: joins two branches that each appended actions, by playing theirs on ours.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::args::Global;
use super::session::ruleset;
use super::{ExitCode, Outcome};
use crate::data::Value;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::{Game, LogEntry};
use crate::gamestate::GamestateFile;
use crate::play::{Refusal, Request, Selections, Status, take_turn, verify_edit};
use crate::ruleset::Ruleset;

type Problems = Vec<Problem>;

struct Side {
    bytes: Vec<u8>,
    file: GamestateFile,
    ruleset: Arc<Ruleset>,
    game: Game,
}

fn read(global: &Global, path: &Path, of: &Path) -> Result<Side, Problems> {
    let bytes = files::read(path).map_err(|problem| vec![problem])?;
    let file = GamestateFile::parse(&path.display().to_string(), &bytes)?;
    // Rules lie beside the gamestate, wherever its three versions do.
    let beside = Global { file: of.to_owned(), ..global.clone() };
    let named = if global.rules.is_some() { String::new() } else { file.ruleset().map_err(|problem| vec![problem])? };
    let ruleset = ruleset(&beside, &named)?;
    let checked = file.check(&ruleset);
    let game = checked.game.ok_or(checked.problems)?;
    Ok(Side { bytes, file, ruleset, game })
}

/// Carries out `merge BASE OURS THEIRS`; the outcome stands in OURS, as a merge driver of git has it.
pub(super) fn run(global: &Global, base: &Path, ours: &Path, theirs: &Path) -> Result<Outcome, Problems> {
    let of = &global.file;
    let (base, mine, their) = (read(global, base, of)?, read(global, ours, of)?, read(global, theirs, of)?);
    let joined = match join(&base.game, &mine, &their) {
        Ok(joined) => joined,
        Err(message) => {
            let refusal = Refusal {
                code: "merge-refused".into(),
                message,
                help: Some("ours was left as it is: enter their actions by hand, or undo ours first".into()),
                rule: String::new(),
            };
            return Ok(Outcome::refused(global, ExitCode::Refused, &refusal));
        }
    };
    let count = joined.log.len() - mine.game.log.len();
    let text = mine.file.updated(&mine.ruleset, &mine.game, &joined).map_err(|problem| vec![problem])?;
    if !global.dry_run && text.as_bytes() != mine.bytes {
        files::replace(ours, &mine.bytes, &text).map_err(|problem| vec![problem])?;
    }
    Ok(Outcome::found(global, json!({"merged": count, "written": !global.dry_run}), || {
        format!("{count} of their actions were played on ours\n")
    }))
}

fn join(base: &Game, mine: &Side, their: &Side) -> Result<Game, String> {
    for (side, whose) in [(mine, "our"), (their, "their")] {
        if let Some(finding) = verify_edit(base, &side.game, &[]).first() {
            return Err(format!("{whose} file has more than new actions: {}", finding.message));
        }
        let turned = base.log.iter().zip(side.game.log.iter()).find(|(was, is)| was.undone != is.undone);
        if let Some((entry, _)) = turned {
            return Err(format!("entry {} was undone or redone on {whose} side", entry.id));
        }
    }
    if mine.ruleset.pin() != their.ruleset.pin() {
        return Err(format!("ours is played by {}, theirs by {}", mine.ruleset.pin(), their.ruleset.pin()));
    }
    let mut game = mine.game.clone();
    for entry in their.game.log[base.log.len()..].iter().filter(|entry| entry.counts()) {
        game = played(&mine.ruleset, &game, entry)?;
    }
    let known = |what: &str| game.pending.iter().chain(base.pending.iter()).any(|own| own.what == what);
    let new: Vec<_> = their.game.pending.iter().filter(|own| !known(&own.what)).cloned().collect();
    Arc::make_mut(&mut game.pending).extend(new);
    Ok(game)
}

/// One of their actions on the game as ours has it, with its recorded selections.
fn played(ruleset: &Arc<Ruleset>, game: &Game, entry: &LogEntry) -> Result<Game, String> {
    let fails =
        |why: String| format!("entry {} of theirs, `{}`, does not hold on ours: {why}", entry.id, entry.action.what);
    if !entry.amends.is_empty() {
        return Err(fails("it changes other entries".into()));
    }
    let mut given = Selections::default();
    for (key, values) in [&entry.action.random, &entry.action.chosen].into_iter().flat_map(Value::entries) {
        given.add(&key.to_string(), values.items().iter().cloned());
    }
    let words = shlex::split(&entry.action.what).ok_or_else(|| fails("its words cannot be read".into()))?;
    let request = Request { words, given, at: entry.action.at, link: entry.action.link.clone(), ..Request::default() };
    let turn = take_turn(ruleset, game, &request, &mut ()).map_err(|error| fails(error.message))?;
    match turn.status {
        Status::Done => Ok(turn.next),
        Status::Asks(question) => Err(fails(format!("it asks for `{}`", question.key))),
        Status::Refused(refusal) => Err(fails(refusal.message)),
        Status::NeedsRuling(ruling) => Err(fails(format!("it {ruling}"))),
    }
}
