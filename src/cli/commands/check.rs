//! `check`: validates the gamestate.

use clap::Args;

use super::run::Run;
use crate::cli::exit_code::ExitCode;
use crate::cli::global::Format;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::session::{Context, Session};
use crate::data::Pointer;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::Game;
use crate::play::{Event, Request, take_turn};

/// Validate the gamestate and report all problems
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee check --format json\n  referee check --fix          fix what is safe to fix"
)]
pub(super) struct Check {
    /// Fix what is safe: duplicate links, a pseudo-type outside its category, a missing space 0
    #[arg(long)]
    fix: bool,
    /// Show what would be fixed and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl Run for Check {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        check(context, &self)
    }
}

/// Lists every problem; with `--fix`, fixes what is safe to fix.
fn check(context: &Context, args: &Check) -> Result<Outcome, Problems> {
    let global = &context.global;
    let mut session = context.session()?;
    let mut fixed = Vec::new();
    if args.fix {
        let (text, done) = session.file.fixed(&session.ruleset).map_err(|problem| vec![problem])?;
        if !done.is_empty() && !args.dry_run {
            files::replace(&global.file, session.file.text().as_bytes(), &text).map_err(|problem| vec![problem])?;
            session = context.session()?;
        }
        fixed = done;
    }
    let mut problems = session.problems.clone();
    // Warnings are shown beside errors, so that one run of the check is enough.
    if let Some(game) = &session.as_read {
        problems.extend(session.file.lint(&session.ruleset, game));
        problems.extend(session.file.odd_names(game));
        problems.extend(by_the_rules(&session, game));
    }
    problems.extend(session.ruleset.problems.iter().cloned().map(|problem| Problem { warning: true, ..problem }));
    let wrong = problems.iter().filter(|problem| !problem.warning).count();
    let code = if wrong == 0 { ExitCode::Done } else { ExitCode::Found };
    let mut outcome = Outcome::problems(global, code, &problems);
    if global.format != Format::Json && !global.quiet {
        let warnings = problems.len() - wrong;
        let found = match (wrong, warnings) {
            (0, 0) => "no problems found".to_owned(),
            (0, _) => format!("valid, {}", counted(warnings, "warning")),
            _ => format!("{}, {}", counted(wrong, "error"), counted(warnings, "warning")),
        };
        let fixed: String = fixed.iter().map(|done| format!("fixed: {done}\n")).collect();
        outcome.out = format!("{fixed}{}: {found}\n", global.file.display());
    }
    Ok(outcome)
}

/// Returns a number with its noun, such as `2 warnings`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the warnings of the ruleset itself.
fn by_the_rules(session: &Session, game: &Game) -> Problems {
    let Some(word) = &session.ruleset.declared.check else { return Vec::new() };
    let request = Request { words: vec![word.clone()], ..Request::default() };
    let Ok(turn) = take_turn(&session.ruleset, game, &request, &mut ()) else { return Vec::new() };
    let odd = |event: &Event| {
        let pointer =
            event.spaces.first().map(|space| Pointer::from(["spaces", &*space.to_string()])).unwrap_or_default();
        let place = Some(session.file.place_of(&pointer));
        Problem {
            warning: true,
            place,
            path: pointer,
            ..Problem::new("by-the-rules", format!("{} ({})", event.text, event.rule))
        }
    };
    turn.events.iter().map(odd).collect()
}
