//! `merge`: joins two branches that each appended actions, by playing theirs on ours.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::run::Run;
use crate::cli::exit_code::ExitCode;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::session::{Context, load};
use crate::files;
use crate::game::{Game, LogEntry};
use crate::gamestate::GamestateFile;
use crate::play::{Refusal, Request, Status, play_recorded, take_turn, verify_edit};
use crate::ruleset::Ruleset;

/// Git merge driver: replay their new actions on top of ours
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee merge base.yaml ours.yaml theirs.yaml     writes the result to ours.yaml\n  git config merge.referee.driver 'referee -f %P merge %O %A %B'\n  echo 'gamestate.yaml merge=referee' >> .gitattributes"
)]
pub(super) struct Merge {
    /// The version from which both branches come
    base: PathBuf,
    /// Our version, which is written
    ours: PathBuf,
    /// Their version
    theirs: PathBuf,
    /// Show how many actions would be replayed and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl Run for Merge {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        merge(context, &self)
    }
}

struct Side {
    bytes: Vec<u8>,
    file: GamestateFile,
    ruleset: Arc<Ruleset>,
    game: Game,
}

/// Reads a version of the gamestate. Rules are beside the gamestate, wherever its three versions are.
fn read(context: &Context, path: &Path) -> Result<Side, Problems> {
    let global = &context.global;
    let bytes = files::read(path).map_err(|problem| vec![problem])?;
    let file = GamestateFile::parse(&path.display().to_string(), &bytes)?;
    let named = if global.rules.is_some() { String::new() } else { file.ruleset().map_err(|problem| vec![problem])? };
    let ruleset = load(&global.file, global.rules.as_ref(), &named)?;
    let checked = file.check(&ruleset);
    let game = checked.game.ok_or(checked.problems)?;
    Ok(Side { bytes, file, ruleset, game })
}

/// Replays their actions on our version; the result is written to OURS, as git expects of a merge driver.
fn merge(context: &Context, args: &Merge) -> Result<Outcome, Problems> {
    let global = &context.global;
    let [base, mine, their] = [&args.base, &args.ours, &args.theirs].map(|path| read(context, path));
    let (base, mine, their) = (base?, mine?, their?);
    let joined = match join(&base.game, &mine, &their) {
        Ok(joined) => joined,
        Err(message) => {
            let refusal = Refusal {
                code: "merge-refused".into(),
                message,
                help: Some("our file is unchanged: enter their actions by hand, or undo ours first".into()),
                rule: String::new(),
            };
            return Ok(Outcome::refused(global, ExitCode::Refused, &refusal));
        }
    };
    let count = joined.log.len() - mine.game.log.len();
    let text = mine.file.updated(&mine.ruleset, &mine.game, &joined).map_err(|problem| vec![problem])?;
    if !args.dry_run && text.as_bytes() != mine.bytes {
        files::replace(&args.ours, &mine.bytes, &text).map_err(|problem| vec![problem])?;
    }
    Ok(Outcome::found(global, json!({"merged": count, "written": !args.dry_run}), || {
        format!("replayed {count} of their actions\n")
    }))
}

fn join(base: &Game, mine: &Side, their: &Side) -> Result<Game, String> {
    for (side, whose) in [(mine, "our"), (their, "their")] {
        if let Some(finding) = verify_edit(base, &side.game, &[]).first() {
            return Err(format!("{whose} file was changed by more than new actions: {}", finding.message));
        }
        let turned = base.log.iter().zip(side.game.log.iter()).find(|(was, is)| was.undone != is.undone);
        if let Some((entry, _)) = turned {
            return Err(format!("entry {} was undone or redone on {whose} side", entry.id));
        }
    }
    if mine.ruleset.pin() != their.ruleset.pin() {
        return Err(format!("our file uses the rules {}, theirs {}", mine.ruleset.pin(), their.ruleset.pin()));
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

/// Replays one of their actions on our game, with its recorded selections.
fn played(ruleset: &Arc<Ruleset>, game: &Game, entry: &LogEntry) -> Result<Game, String> {
    let fails = |why: String| format!("cannot replay their entry {}, `{}`: {why}", entry.id, entry.action.what);
    if !entry.amends.is_empty() {
        return Err(fails("it changes other entries".into()));
    }
    let words = shlex::split(&entry.action.what).ok_or_else(|| fails("its words cannot be read".into()))?;
    let turn = match entry.outcome {
        None => play_recorded(ruleset, game, entry),
        Some(_) => {
            let (at, link) = (entry.action.at, entry.action.link.clone());
            take_turn(ruleset, game, &Request { words, at, link, ..Request::default() }, &mut ())
        }
    };
    let turn = turn.map_err(|error| fails(error.message))?;
    match turn.status {
        Status::Done => Ok(turn.next),
        Status::Asks(question) => Err(fails(format!("it asks for `{}`", question.key))),
        Status::Refused(refusal) => Err(fails(refusal.message)),
        Status::NeedsRuling(ruling) => Err(fails(format!("it {ruling}"))),
    }
}
