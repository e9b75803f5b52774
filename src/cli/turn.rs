//! One command that plays: from the request to the written file and what is printed.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::dice_args::{has_beacon, time_of};
use super::exit_code::ExitCode;
use super::gate::Steward;
use super::global::{Format, Global};
use super::outcome::{Outcome, Problems, json_line};
use super::play_args::PlayArgs;
use super::prompt::DiceRoller;
use super::request::{is_sealed, look, request, secret};
use super::session::{Context, Session};
use super::timed::new_action;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::Game;
use crate::gamestate::{self, archived};
use crate::play::{AnswerSource, By, Played, Question, Refusal, Request, Status, take_turn};
use crate::ruleset::{Action, Ruleset};
use crate::view;

/// Carries out the command of these words.
pub(super) fn act(context: &Context, play: &PlayArgs, words: Vec<String>) -> Result<Outcome, Problems> {
    act_in(context.session()?, context, play, words)
}

/// Carries out the command of these words in an opened game.
pub(super) fn act_in(
    session: Session,
    context: &Context,
    play: &PlayArgs,
    words: Vec<String>,
) -> Result<Outcome, Problems> {
    // A correction plays many entries again, each with its own time.
    if !matches!(words.first().map(String::as_str), Some("amend" | "void-attempts" | "negate-move")) {
        new_action();
    }
    let request = request(play, &context.global, words)?;
    let turns = |ruleset: &Arc<Ruleset>, game: &Game, answers: &mut dyn AnswerSource| {
        take_turn(ruleset, game, &by_link(&request, play, game), answers)
    };
    resolve(session, &context.global, play, None, turns).map(|(outcome, _)| outcome)
}

/// Carries out an action that does everything due until a moment. If that puts other rules in force, the rest is done
/// under these. `archive` takes the entries of the log that the rules can no longer reach.
pub(super) fn act_until(
    context: &Context,
    play: &PlayArgs,
    words: Vec<String>,
    until: bool,
    archive: Option<&Path>,
) -> Result<Outcome, Problems> {
    let global = &context.global;
    let request = request(play, global, words)?;
    let mut all: Option<Outcome> = None;
    loop {
        let turns = |ruleset: &Arc<Ruleset>, game: &Game, answers: &mut dyn AnswerSource| {
            let turn = take_turn(ruleset, game, &by_link(&request, play, game), answers)?;
            // Under the new rules nothing need be due: that is not an entry.
            let idle = all.is_some() && turn.status == Status::Done && turn.changes.is_empty();
            Ok(if idle { Played { next: game.clone(), ..turn } } else { turn })
        };
        let (outcome, rules_changed) = resolve(context.session()?, global, play, archive, turns)?;
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
        // Other rules are read again; a dry run has written nothing that could be.
        if !until || !rules_changed || play.post.dry_run {
            return Ok(all.expect("set just now"));
        }
    }
}

/// Returns the request with the time that its link tells, in a game in which the round depends on it.
fn by_link<'a>(request: &'a Request, play: &PlayArgs, game: &Game) -> Cow<'a, Request> {
    let told = request.link.as_deref().filter(|_| play.post.at.is_none() && has_beacon(game)).and_then(time_of);
    told.map_or(Cow::Borrowed(request), |at| Cow::Owned(Request { at: Some(at), ..request.clone() }))
}

/// Moves the entries of the log before the last phase to an archive; they are there before they leave the log.
fn move_to(archive: &Path, next: &mut Game) -> Result<(), Problems> {
    let reach = next.phase - 1;
    // The newest entry stays, so that ids continue from it.
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

/// Plays until the command is done, open or refused. Returns the outcome, and whether other rules are in force now.
fn resolve(
    mut session: Session,
    global: &Global,
    play: &PlayArgs,
    archive: Option<&Path>,
    turns: impl Fn(&Arc<Ruleset>, &Game, &mut dyn AnswerSource) -> Result<Played, Refusal>,
) -> Result<(Outcome, bool), Problems> {
    let game = session.game()?.clone();
    let dry_run = play.post.dry_run;
    let sealed = is_sealed(play, &game).map_err(|problem| vec![problem])?;
    // A choice made at the terminal, after a draw, is posted later and takes a later round: it is made with `resume`.
    let prompts = !global.no_input && global.format == Format::Table && !has_beacon(&game);
    let mut answers = DiceRoller::new(play.seed, prompts, dry_run);
    let outcome = loop {
        let gamestate = session.file.text().to_owned();
        let mut steward = Steward { global, gamestate: &gamestate, sealed, others: &mut answers, problems: Vec::new() };
        let mut turn = match turns(&session.ruleset, &game, &mut steward) {
            Ok(turn) => turn,
            Err(refusal) => break Ok((Outcome::no_action(global, &refusal), false)),
        };
        session.problems.extend(steward.problems.into_iter().map(|problem| Problem { warning: true, ..problem }));
        if let (true, Status::Asks(Question { by: By::Random, .. })) = (sealed, &turn.status) {
            break Err(vec![secret(&play.secret).err().unwrap_or_else(|| Problem::new("no-secret", "a draw is open"))]);
        }
        if let (Some(archive), Status::Done, false) = (archive, &turn.status, dry_run) {
            move_to(archive, &mut turn.next)?;
        }
        // Draws are on the disk before anyone sees them: quitting at the prompt does not throw again (RC-2).
        let written = !dry_run && session.write(&game, &turn.next)?;
        match &turn.status {
            Status::Asks(question) if answers.ask(question) => {}
            _ => {
                let outcome = finish(global, play, &session, &game, &turn, written);
                break Ok((outcome, turn.status == Status::Done && turn.next.ruleset != game.ruleset));
            }
        }
    };
    // The process ends with the command, and taking a large game apart node by node only takes time.
    std::mem::forget((session, game));
    outcome
}

fn finish(global: &Global, play: &PlayArgs, session: &Session, game: &Game, turn: &Played, written: bool) -> Outcome {
    let code = match &turn.status {
        Status::Done => ExitCode::Done,
        Status::Asks(_) => ExitCode::Open,
        Status::Refused(_) => ExitCode::Refused,
        Status::NeedsRuling(_) => ExitCode::NeedsRuling,
    };
    let problems = warnings(play, session, game, &turn.next);
    if global.format == Format::Json {
        let out = json_line(&view::report_json(Some(turn), &problems, written));
        return Outcome { code, out, err: String::new() };
    }
    let mut out = String::new();
    let mut err = view::problems(&problems, global.colour());
    if !global.quiet {
        let tables = view::turn(&session.ruleset, turn);
        out.push_str(&tables.iter().map(|table| table.render(look(global))).collect::<Vec<_>>().join("\n"));
        if global.format == Format::Markdown && !out.is_empty() {
            // Without an empty line, Markdown takes the next line for a row.
            out.push('\n');
        }
        out.push_str(&closing(global, play, game, turn, written));
    }
    match &turn.status {
        Status::Done => {}
        Status::Asks(question) => {
            let next = continuation(global, play, session, game, turn);
            let waits = question.by == By::Random && has_beacon(game);
            err.push_str(&if waits { view::awaited(question, &next) } else { view::question(question, &next) });
        }
        Status::Refused(refusal) => err.push_str(&view::refusal(refusal)),
        Status::NeedsRuling(open) => err.push_str(&format!("{open}\n")),
    }
    Outcome { code, out, err }
}

/// Returns the command that continues an action with an open question, up to the answer itself.
fn continuation(global: &Global, play: &PlayArgs, session: &Session, game: &Game, turn: &Played) -> String {
    // A correction keeps nothing of itself before it is through.
    let kept = turn.next.pending.iter().any(|pending| pending.what == turn.action);
    if play.post.dry_run || !kept {
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

/// Returns the last line: whether the file was written.
fn closing(global: &Global, play: &PlayArgs, game: &Game, turn: &Played, written: bool) -> String {
    let file = global.file.display();
    match (written, &turn.status) {
        (false, _) if play.post.dry_run => "dry run: nothing written\n".into(),
        (false, _) => "nothing written\n".into(),
        (true, Status::Done) => match turn.next.log.last() {
            Some(entry) if game.log.last().is_none_or(|last| last.id < entry.id) => {
                format!("written to {file} as entry {} of the log\n", entry.id)
            }
            _ => format!("written to {file}\n"),
        },
        (true, _) => match turn.next.pending.iter().find(|pending| pending.what == turn.action) {
            Some(pending) if !pending.random.is_empty() => {
                format!("saved to {file} under `pending`: {}\n", pending.random)
            }
            None if turn.next.log.len() > game.log.len() => format!("the dice are saved in the log of {file}\n"),
            _ => format!("saved to {file} under `pending`\n"),
        },
    }
}

/// Returns the warnings of the check, and those about when the action was posted.
fn warnings(play: &PlayArgs, session: &Session, game: &Game, next: &Game) -> Vec<Problem> {
    let mut problems = session.problems.clone();
    let before = gamestate::odd_names(game);
    let new = gamestate::odd_names(next).into_iter().filter(|odd| !before.contains(odd));
    problems.extend(new.map(|(path, message)| Problem { warning: true, path, ..Problem::new("odd-name", message) }));
    let then = next.phase;
    let lies_in = play.post.at.and_then(|at| Some((at, session.ruleset.phase_at(game, at)?)));
    if let Some((at, phase)) = lies_in.filter(|(_, phase)| *phase != game.phase && *phase != then) {
        let message =
            format!("{at} is in phase {phase} by the calendar, but the file is in phase {} (R-12)", game.phase);
        let mut problem = Problem { warning: true, ..Problem::new("another-phase", message) };
        let actions = session.ruleset.declared.actions.iter();
        problem.help = actions
            .filter(|action| action.ends_phase)
            .find_map(|action| Some(format!("run `referee {} --{} TIME` first", action.name, action.until.as_ref()?)));
        problems.push(problem);
    }
    let last = game.log.last().and_then(|entry| entry.action.at);
    if let (Some(at), Some(last)) = (play.post.at, last)
        && at < last
    {
        let message = format!("{at} is before the last entry of the log, {last} (R-12)");
        problems.push(Problem { warning: true, ..Problem::new("before-the-log", message) });
    }
    problems
}
