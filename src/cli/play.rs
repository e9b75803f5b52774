//! Commands that play: from the arguments to the written file.

use std::path::Path;
use std::sync::Arc;

use dialoguer::console::Term;
use jiff::Timestamp;

use super::answer::DiceRoller;
use super::args::{Format, Global};
use super::proposal::Steward;
use super::session::Session;
use super::{ExitCode, Outcome, json_line};
use crate::data::Value;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::Game;
use crate::gamestate::{self, archived};
use crate::play::{
    AnswerSource, By, Played, Question, Refusal, Request, Selections, Status, drop_pending, hash_of, take_turn,
};
use crate::ruleset::{Action, Ruleset};
use crate::view::{self, Look};

type Problems = Vec<Problem>;

/// The widest table that is read at ease, and what is taken where there is no terminal.
const WIDTH: u16 = 110;

/// Everything that was given with a command.
pub(super) fn given(global: &Global) -> Selections {
    let mut given = Selections::default();
    let shortcuts = [
        ("roll", &global.roll),
        ("path", &global.path),
        ("player", &global.player),
        ("space", &global.space),
        ("item", &global.item),
    ];
    for (key, values) in shortcuts {
        if let Some(values) = values {
            // Dice and spaces are pasted from chat with commas or without.
            let numbers = matches!(key, "roll" | "path");
            // A blank within the brackets of a place on a map parts nothing.
            let places = numbers && values.contains('(');
            let values = match (numbers, places) {
                (true, false) => values.split_whitespace().collect::<Vec<_>>().join(","),
                (true, true) => values.replace(") (", "),(").replace(' ', ""),
                _ => values.clone(),
            };
            given.add_written(&format!("{key}={values}")).expect("it is KEY=VALUE");
        }
    }
    for written in &global.select {
        given.add_written(written).expect("the command line has checked it");
    }
    given
}

fn request(global: &Global, words: &[String]) -> Request {
    #[expect(clippy::disallowed_methods, reason = "an action without --at was posted now")]
    let at = global.at.unwrap_or_else(Timestamp::now);
    // Nobody posts by the nanosecond.
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    Request {
        words: words.to_vec(),
        given: given(global),
        at: Some(at),
        link: global.link.clone(),
        decline: global.decline,
        secret: if global.dry_run { None } else { secret(global).ok() },
    }
}

/// The secret of sealed dice.
fn secret(global: &Global) -> Result<String, Problem> {
    let file = global.secret.as_ref().ok_or_else(|| {
        let problem = Problem::new("no-secret", "the dice of this game are sealed, and the secret is not named");
        problem.help("name its file with --secret, or give every draw as it fell with -s")
    })?;
    Ok(String::from_utf8_lossy(&files::read(file)?).trim().to_owned())
}

/// Whether draws are derived from the secret; it must be the one whose hash the file has.
fn is_sealed(global: &Global, game: &Game) -> Result<bool, Problem> {
    let Some(hash) = game.sealed.get("hash").and_then(Value::as_text) else { return Ok(false) };
    if game.sealed.get("secret").is_some() || global.dry_run {
        return Ok(false);
    }
    if global.secret.is_some() && hash_of(&secret(global)?) != hash {
        let problem = Problem::new("wrong-secret", "this is not the secret whose hash the file has");
        return Err(problem.help("give the file that `init --sealed` wrote"));
    }
    Ok(true)
}

/// An action that the ruleset has.
pub(super) fn act(global: &Global, words: &[String]) -> Result<Outcome, Problems> {
    let request = request(global, words);
    let turns = |ruleset: &Arc<Ruleset>, game: &Game, answers: &mut dyn AnswerSource| {
        take_turn(ruleset, game, &request, answers)
    };
    play(global, None, turns).map(|(outcome, _)| outcome)
}

/// `tick-phase`. With a time, where a proposal has put other rules in force, the rest is done under these.
pub(super) fn tick(global: &Global, to: Option<Timestamp>, archive: Option<&Path>) -> Result<Outcome, Problems> {
    let global = &Global { at: global.at.or(to), ..global.clone() };
    let until = to.map(|to| ["--to".to_owned(), to.to_string()]).into_iter().flatten();
    let request = request(global, &std::iter::once("tick-phase".to_owned()).chain(until).collect::<Vec<_>>());
    let mut all: Option<Outcome> = None;
    loop {
        let turns = |ruleset: &Arc<Ruleset>, game: &Game, answers: &mut dyn AnswerSource| {
            let turn = take_turn(ruleset, game, &request, answers)?;
            // Under the new rules nothing need be due: that is no entry.
            let idle = all.is_some() && turn.status == Status::Done && turn.changes.is_empty();
            Ok(if idle { Played { next: game.clone(), ..turn } } else { turn })
        };
        let (outcome, rules_changed) = play(global, archive, turns)?;
        all = Some(match all {
            None => outcome,
            Some(before) if global.quiet => {
                Outcome { out: before.out + &outcome.out, err: before.err + &outcome.err, ..outcome }
            }
            Some(before) => Outcome {
                code: outcome.code,
                out: format!("{}\n{}", before.out, outcome.out),
                err: before.err + &outcome.err,
            },
        });
        // Other rules are read anew; a dry run has written nothing that could be.
        if to.is_none() || !rules_changed || global.dry_run {
            return Ok(all.expect("set just now"));
        }
    }
}

/// Moves the entries of the log before the last phase to an archive; they are there before they leave the log.
fn move_to(archive: &Path, next: &mut Game) -> Result<(), Problems> {
    let reach = next.phase - 1;
    // The newest entry stays, so that ids go on from it.
    let count = next.log.iter().take_while(|entry| entry.action.phase < reach).count();
    let count = count.min(next.log.len().saturating_sub(1));
    let known = if archive.exists() { files::read(archive).map_err(|problem| vec![problem])? } else { Vec::new() };
    let last = archived(&archive.display().to_string(), &known)?.last().map_or(i64::MIN, |entry| entry.id);
    let log = Arc::make_mut(&mut next.log);
    let older: Vec<_> = log.drain(..count).filter(|entry| entry.id > last).collect();
    if older.is_empty() {
        return Ok(());
    }
    let text = gamestate::archive(&String::from_utf8_lossy(&known), &older).map_err(|problem| vec![problem])?;
    let written = if known.is_empty() && !archive.exists() {
        files::create(archive, &text)
    } else {
        files::replace(archive, &known, &text)
    };
    written.map_err(|problem| vec![problem])
}

/// `reveal`.
pub(super) fn reveal(global: &Global) -> Result<Outcome, Problems> {
    let secret = secret(global).map_err(|problem| vec![problem])?;
    act(global, &["reveal".to_owned(), secret])
}

/// `resume`.
pub(super) fn resume(global: &Global, which: &[String]) -> Result<Outcome, Problems> {
    let request = request(global, &[]);
    let turns = |ruleset: &Arc<Ruleset>, game: &Game, answers: &mut dyn AnswerSource| {
        Ok(crate::play::resume(ruleset, game, which, &request, answers))
    };
    play(global, None, turns).map(|(outcome, _)| outcome)
}

/// `drop`.
pub(super) fn drop(global: &Global, which: &[String]) -> Result<Outcome, Problems> {
    play(global, None, |ruleset, game, _| Ok(drop_pending(ruleset, game, which))).map(|(outcome, _)| outcome)
}

/// Gives the outcome, and whether other rules are in force now.
fn play(
    global: &Global,
    archive: Option<&Path>,
    turns: impl Fn(&Arc<Ruleset>, &Game, &mut dyn AnswerSource) -> Result<Played, Refusal>,
) -> Result<(Outcome, bool), Problems> {
    let mut session = Session::open(global)?;
    let game = session.game()?.clone();
    let sealed = is_sealed(global, &game).map_err(|problem| vec![problem])?;
    let mut answers = DiceRoller::new(global.seed, !global.no_input && global.format == Format::Table, global.dry_run);
    let outcome = loop {
        let gamestate = session.file.text().to_owned();
        let mut steward = Steward { global, gamestate: &gamestate, sealed, others: &mut answers, problems: Vec::new() };
        let mut turn = match turns(&session.ruleset, &game, &mut steward) {
            Ok(turn) => turn,
            Err(error) => break Ok((no_action(global, error), false)),
        };
        session.problems.extend(steward.problems.into_iter().map(|problem| Problem { warning: true, ..problem }));
        if let (true, Status::Asks(Question { by: By::Random, .. })) = (sealed, &turn.status) {
            break Err(vec![secret(global).err().unwrap_or_else(|| Problem::new("no-secret", "a draw is open"))]);
        }
        if let (Some(archive), Status::Done, false) = (archive, &turn.status, global.dry_run) {
            move_to(archive, &mut turn.next)?;
        }
        // Draws are on the disk before anybody sees them: who breaks off at the prompt does not throw again (RC-2).
        let written = !global.dry_run && session.write(&game, &turn.next)?;
        match &turn.status {
            Status::Asks(question) if answers.ask(question) => {}
            _ => {
                let outcome = finish(global, &session, &game, &turn, written);
                break Ok((outcome, turn.status == Status::Done && turn.next.ruleset != game.ruleset));
            }
        }
    };
    // The process ends with the command, and taking a large game apart node by node only takes time.
    std::mem::forget((session, game));
    outcome
}

fn finish(global: &Global, session: &Session, game: &Game, turn: &Played, written: bool) -> Outcome {
    let code = match &turn.status {
        Status::Done => ExitCode::Done,
        Status::Asks(_) => ExitCode::Open,
        Status::Refused(_) => ExitCode::Refused,
        Status::NeedsRuling(_) => ExitCode::NeedsRuling,
    };
    let problems = warnings(global, session, game, turn.next.phase);
    if global.format == Format::Json {
        let out = json_line(&view::report_json(Some(turn), &problems, written));
        return Outcome { code, out, err: String::new() };
    }
    let mut out = String::new();
    let mut err = view::problems(&problems, global.colour());
    if !global.quiet {
        out.push_str(&view::turn(&session.ruleset, turn, look(global)));
        if global.format == Format::Markdown && !out.is_empty() {
            // Without an empty line, Markdown takes the next line for a row.
            out.push('\n');
        }
        out.push_str(&closing(global, game, turn, written));
    }
    match &turn.status {
        Status::Done => {}
        Status::Asks(question) => err.push_str(&view::question(question, &goes_on(global, session, game, turn))),
        Status::Refused(refusal) => err.push_str(&view::refusal(refusal)),
        Status::NeedsRuling(open) => err.push_str(&format!("{open}\n")),
    }
    Outcome { code, out, err }
}

/// The command that goes on where a question is open, up to the answer itself.
fn goes_on(global: &Global, session: &Session, game: &Game, turn: &Played) -> String {
    // A correction keeps nothing of itself before it is through.
    let kept = turn.next.pending.iter().any(|pending| pending.what == turn.action);
    if global.dry_run || !kept {
        return "the same command with ".into();
    }
    let player = shlex::split(&turn.action)
        .and_then(|words| Action::read(&session.ruleset, game, &words).ok())
        .and_then(|action| action.player())
        .map(|player| game.player(player).name.to_string());
    let mut words = vec!["referee".to_owned()];
    if global.file.as_os_str() != "gamestate.yaml" {
        words.extend(["-f".to_owned(), global.file.display().to_string()]);
    }
    if let Some(folder) = &global.rules {
        words.extend(["--rules".to_owned(), folder.display().to_string()]);
    }
    words.push("resume".to_owned());
    words.extend(player);
    shlex::try_join(words.iter().map(String::as_str)).map_or_else(|_| String::new(), |command| format!("{command} "))
}

/// The last line: what became of the file.
fn closing(global: &Global, game: &Game, turn: &Played, written: bool) -> String {
    let file = global.file.display();
    match (written, &turn.status) {
        (false, _) if global.dry_run => "nothing was written: a dry run\n".into(),
        (false, _) => "nothing was written\n".into(),
        (true, Status::Done) => match turn.next.log.last() {
            Some(entry) if game.log.last().is_none_or(|last| last.id < entry.id) => {
                format!("written to {file} as entry {} of the log\n", entry.id)
            }
            _ => format!("written to {file}\n"),
        },
        (true, _) => match turn.next.pending.iter().find(|pending| pending.what == turn.action) {
            Some(pending) if !pending.random.is_empty() => {
                format!("kept in {file} under `pending`: {}\n", pending.random)
            }
            _ => format!("kept in {file} under `pending`\n"),
        },
    }
}

/// The warnings of the check, and one for an action posted before the last that was resolved.
fn warnings(global: &Global, session: &Session, game: &Game, then: i64) -> Vec<Problem> {
    let mut problems = session.problems.clone();
    let lies_in = global.at.and_then(|at| Some((at, session.ruleset.phase_at(game, at)?)));
    if let Some((at, phase)) = lies_in.filter(|(_, phase)| *phase != game.phase && *phase != then) {
        let message =
            format!("{at} lies in phase {phase} by the calendar, and the file is in phase {} (R-12)", game.phase);
        let help = "`referee tick-phase --to TIME` brings the file there".to_owned();
        problems.push(Problem { warning: true, ..Problem::new("another-phase", message).help(help) });
    }
    let last = game.log.last().and_then(|entry| entry.action.at);
    if let (Some(at), Some(last)) = (global.at, last)
        && at < last
    {
        let message = format!("{at} lies before the last entry of the log, {last} (R-12)");
        problems.push(Problem { warning: true, ..Problem::new("before-the-log", message) });
    }
    problems
}

/// How tables look: as Markdown, or as wide as the terminal.
pub(super) fn look(global: &Global) -> Look {
    match global.format {
        Format::Markdown => Look::Markdown,
        _ => {
            let columns = Term::stdout().size_checked().map_or(WIDTH, |(_, columns)| columns);
            Look::Drawn(columns.clamp(60, WIDTH))
        }
    }
}

/// A command that is none of this game's.
#[expect(clippy::needless_pass_by_value, reason = "callers have just made the refusal and are done with it")]
pub(super) fn no_action(global: &Global, refusal: Refusal) -> Outcome {
    let code = if refusal.code == "usage" { ExitCode::Usage } else { ExitCode::Refused };
    Outcome::refused(global, code, &refusal)
}
