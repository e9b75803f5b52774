//! Commands that play: from the arguments to the written file.

use jiff::Timestamp;

use super::answer::Answerer;
use super::args::{Format, Global};
use super::session::Session;
use super::{ExitCode, Outcome, json_line};
use crate::game::{Commenced, Game};
use crate::play::{Given, Refusal, Request, Status, Turn, drop_pending, take_turn};
use crate::problem::Problem;
use crate::rulebook::ActionError;
use crate::view::{self, Look};

type Problems = Vec<Problem>;

/// Everything that was given with a command.
pub(super) fn given(global: &Global) -> Given {
    let mut given = Given::default();
    let shortcuts = [
        ("roll", &global.roll),
        ("path", &global.path),
        ("player", &global.player),
        ("space", &global.space),
        ("item", &global.item),
    ];
    for (key, values) in shortcuts {
        if let Some(values) = values {
            given.add_written(&format!("{key}={values}")).expect("it is KEY=VALUE");
        }
    }
    for written in &global.select {
        given.add_written(written).expect("the command line has checked it");
    }
    given
}

fn request(global: &Global, words: &[&str]) -> Request {
    #[expect(clippy::disallowed_methods, reason = "an action without --at was posted now")]
    let at = global.at.unwrap_or_else(Timestamp::now);
    // Nobody posts by the nanosecond.
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    Request {
        words: words.iter().map(ToString::to_string).collect(),
        given: given(global),
        at: Some(at),
        link: global.link.clone(),
        decline: global.decline,
    }
}

fn answerer(global: &Global) -> Answerer {
    Answerer::new(global.seed, !global.no_input && global.format == Format::Table, global.dry_run)
}

/// An action that the ruleset has.
pub(super) fn act(global: &Global, words: &[&str]) -> Result<Outcome, Problems> {
    let session = Session::open(global)?;
    let game = session.game()?;
    let turn = take_turn(&session.rulebook, game, &request(global, words), &mut answerer(global));
    let outcome = finish(global, &session, game, turn);
    // The process ends with the command, and taking a large game apart node by node only takes time.
    std::mem::forget(session);
    outcome
}

/// `resume`.
pub(super) fn resume(global: &Global, player: Option<&str>) -> Result<Outcome, Problems> {
    let session = Session::open(global)?;
    let game = session.game()?;
    let request = request(global, &[]);
    let turn = crate::play::resume(&session.rulebook, game, player, &request, &mut answerer(global));
    finish(global, &session, game, turn)
}

/// `drop`.
pub(super) fn drop(global: &Global, player: Option<&str>) -> Result<Outcome, Problems> {
    let session = Session::open(global)?;
    let game = session.game()?;
    let turn = drop_pending(&session.rulebook, game, player);
    finish(global, &session, game, turn)
}

fn finish(
    global: &Global,
    session: &Session,
    game: &Game,
    turn: Result<Turn, ActionError>,
) -> Result<Outcome, Problems> {
    let turn = match turn {
        Ok(turn) => turn,
        Err(error) => return Ok(no_action(global, game, error)),
    };
    let written = !global.dry_run && session.write(game, &turn.next)?;
    let code = match &turn.status {
        Status::Done => ExitCode::Done,
        Status::Asks(_) => ExitCode::Open,
        Status::Refused(_) => ExitCode::Refused,
        Status::NeedsRuling { .. } => ExitCode::NeedsRuling,
    };
    if global.format == Format::Json {
        let out = json_line(&view::report_json(Some(&turn), &session.problems, written));
        return Ok(Outcome { code, out, err: String::new() });
    }
    let mut out = String::new();
    let mut err = warnings(global, session, game);
    if !global.quiet {
        out.push_str(&view::turn(&session.rulebook, &turn, look(global)));
    }
    match &turn.status {
        Status::Done => {}
        Status::Asks(question) => {
            let pending =
                turn.next.pending.iter().find(|pending| pending.what == turn.action).filter(|_| !global.dry_run);
            err.push_str(&view::question(
                question,
                &pending.map_or_else(String::new, |own| resumes(session, game, own)),
            ));
        }
        Status::Refused(refusal) => err.push_str(&view::refusal(refusal)),
        Status::NeedsRuling { ruling, message } => err.push_str(&format!("needs a ruling on {ruling}: {message}\n")),
    }
    if !global.quiet {
        out.push_str(&closing(global, &turn, written));
    }
    Ok(Outcome { code, out, err })
}

/// The command that goes on with a pending action.
fn resumes(session: &Session, game: &Game, pending: &Commenced) -> String {
    let words = shlex::split(&pending.what).unwrap_or_default();
    let action = crate::rulebook::Action::read(&session.rulebook, game, &words).ok();
    let player = action.and_then(|action| action.player()).map(|player| game.player(player).name.to_string());
    let words = ["referee", "resume"].into_iter().chain(player.as_deref());
    shlex::try_join(words).map_or_else(|_| String::new(), |command| format!("{command} "))
}

/// The last line: what became of the file.
fn closing(global: &Global, turn: &Turn, written: bool) -> String {
    let file = global.file.display();
    let kept = || turn.next.pending.iter().find(|pending| pending.what == turn.action);
    match (written, &turn.status) {
        (false, _) if global.dry_run => "nothing was written: a dry run\n".into(),
        (false, _) => "nothing was written\n".into(),
        (true, Status::Done) => match turn.next.log.last() {
            Some(entry) => format!("written to {file} as entry {} of the log\n", entry.id),
            None => format!("written to {file}\n"),
        },
        (true, _) => match kept() {
            Some(pending) if !pending.random.is_empty() => {
                format!("kept in {file} under `pending`: {}\n", pending.random)
            }
            _ => format!("kept in {file} under `pending`\n"),
        },
    }
}

fn warnings(global: &Global, session: &Session, game: &Game) -> String {
    let mut text: String = session.problems.iter().map(|problem| view::problem(problem, global.colour())).collect();
    let last = game.log.last().and_then(|entry| entry.action.at);
    if let (Some(at), Some(last)) = (global.at, last)
        && at < last
    {
        text.push_str(&view::warning(&format!("{at} lies before the last entry of the log, {last} (R-12)")));
    }
    text
}

pub(super) fn look(global: &Global) -> Look {
    match global.format {
        Format::Markdown => Look::Markdown,
        _ => Look::Drawn(110),
    }
}

/// A command that is none of this game's.
pub(super) fn no_action(global: &Global, game: &Game, error: ActionError) -> Outcome {
    let code = if error.code == "usage" { ExitCode::Usage } else { ExitCode::Refused };
    let refusal =
        Refusal { code: error.code.to_owned(), message: error.message, help: error.help, rule: String::new() };
    if global.format == Format::Json {
        let turn = Turn {
            status: Status::Refused(refusal),
            action: String::new(),
            selections: vec![],
            events: vec![],
            changes: vec![],
            next: game.clone(),
        };
        return Outcome { code, out: json_line(&view::report_json(Some(&turn), &[], false)), err: String::new() };
    }
    Outcome { code, out: String::new(), err: view::refusal(&refusal) }
}
