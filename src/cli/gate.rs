//! The gate for rules that a proposal carries: they are loaded and tested before they are submitted and before they take
//! effect.

use std::path::Path;
use std::sync::Arc;

use super::exit_code::ExitCode;
use super::global::{Format, Global};
use super::outcome::{Outcome, Problems};
use super::request::look;
use super::session::{Context, load};
use crate::cases::run_text;
use crate::data::Value;
use crate::diagnostic::{Problem, Source};
use crate::engine::check_scripts;
use crate::game::Game;
use crate::gamestate::GamestateFile;
use crate::play::{Answer, AnswerSource, By, Origin, Question, Refusal, phase_again};
use crate::ruleset::Ruleset;
use crate::view::{self, Grid};

/// Rules that a command carries: how the log names them, and what would come out differently under them.
pub(super) struct Submission {
    /// The folder as the gamestate names it, and the hash of the rules.
    pub pin: String,
    /// For people; empty if they do not read tables.
    pub preview: String,
}

/// Loads and tests the rules in `folder`, a path relative to where the command runs.
///
/// # Errors
/// The outcome to end with: the rules do not load, or the game cannot be read.
pub(super) fn submission(context: &Context, folder: &Path) -> Result<Submission, Result<Outcome, Problems>> {
    let global = &context.global;
    let session = context.session().map_err(Err)?;
    let game = session.game().map_err(Err)?;
    let name = beside(global, folder);
    let plain = Global { rules: None, ..global.clone() };
    let carried = ProposedRules::read(&plain, &name, session.file.text()).map_err(|problems| {
        let refusal = Refusal {
            code: "rules-do-not-load".into(),
            message: format!("the rules in {name} do not load"),
            help: Some("fix the problems above and submit again".into()),
            rule: "PR-7".into(),
        };
        let mut outcome = Outcome::refused(global, ExitCode::Refused, &refusal);
        outcome.err.insert_str(0, &view::problems(&problems, global.colour()));
        Ok(outcome)
    })?;
    let preview = preview(&carried.ruleset, game).map_err(Err)?;
    let tables = global.format != Format::Json && !global.quiet;
    let preview = if tables { format!("{}\n", preview.render(look(global))) } else { String::new() };
    Ok(Submission { pin: format!("{name}@{}", carried.hash()), preview })
}

/// Returns a folder as the gamestate names it: relative to its own place.
fn beside(global: &Global, folder: &Path) -> String {
    let here = global.file.parent().unwrap_or(Path::new(""));
    let inner = folder.strip_prefix(here).map(Path::to_owned);
    let path = inner.unwrap_or_else(|_| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    path.display().to_string()
}

/// Rules that a proposal carries and that are valid.
struct ProposedRules {
    ruleset: Arc<Ruleset>,
}

impl ProposedRules {
    /// Loads the rules in a folder, compiles them, runs their own cases, and checks that the game is valid under them.
    fn read(global: &Global, folder: &str, gamestate: &str) -> Result<Self, Problems> {
        let ruleset = load(&global.file, global.rules.as_ref(), folder)?;
        let mut problems = check_scripts(&ruleset);
        let own = format!("{folder}/");
        let with_cases = |source: &&Arc<Source>| source.name.starts_with(&own) && source.text.contains("\ncases:");
        for source in ruleset.sources().files().filter(with_cases) {
            let results = run_text(&source.name, &source.text, &mut |_| Some(Arc::clone(&ruleset)));
            let failed = results.into_iter().filter_map(|result| Some((result.case, result.failure?)));
            problems.extend(
                failed.map(|(case, failure)| Problem::new("case-fails", format!("{}: {case}: {failure}", source.name))),
            );
        }
        let checked = GamestateFile::parse(&global.file.display().to_string(), gamestate.as_bytes())?.check(&ruleset);
        problems.extend(checked.problems.into_iter().filter(|problem| !problem.warning));
        if problems.is_empty() { Ok(Self { ruleset }) } else { Err(problems) }
    }

    /// Returns the hash that tells these rules from others of the same name.
    fn hash(&self) -> String {
        let pin = self.ruleset.pin();
        pin.rsplit_once('@').map_or(pin.clone(), |(_, hash)| hash.to_owned())
    }
}

/// Lists what would come out differently under the rules: cases of the ruleset they build on, and the phase.
fn preview(ruleset: &Arc<Ruleset>, game: &Game) -> Result<Grid, Problems> {
    let mut grid = Grid::new("Under the rules of the proposal", &["what", "outcome"]);
    let (mut total, mut failed) = (0, Vec::new());
    for source in ruleset.sources().files().filter(|source| source.text.contains("\ncases:")) {
        let results = run_text(&source.name, &source.text, &mut |_| Some(Arc::clone(ruleset)));
        total += results.len();
        failed.extend(results.into_iter().filter_map(|result| Some((result.file, result.case, result.failure?))));
    }
    grid.row(["cases".into(), format!("{} of {total} pass as before", total - failed.len())]);
    for (file, case, failure) in failed.iter().take(10) {
        grid.row([format!("{file}: {case}"), failure.clone()]);
    }
    if failed.len() > 10 {
        grid.row(["…".into(), format!("{} more", failed.len() - 10)]);
    }
    let again = phase_again(ruleset, game);
    let (played, differences) = again.map_err(|message| vec![Problem::new("unexplained", message)])?;
    let same = played - differences.len();
    grid.row([format!("phase {}", game.phase), format!("{same} of {played} actions have the same result")]);
    for difference in differences {
        grid.row([format!("entry {}: {}", difference.id, difference.what), difference.how]);
    }
    Ok(grid)
}

/// Answers for the steward whether the rules of a proposal load; `others` answer everything else.
pub(super) struct Steward<'a, A> {
    pub global: &'a Global,
    pub gamestate: &'a str,
    /// Whether only the secret draws.
    pub sealed: bool,
    pub others: &'a mut A,
    /// Why rules were refused.
    pub problems: Problems,
}

impl<A: AnswerSource> AnswerSource for Steward<'_, A> {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let options = question.option_values();
        let carried = options.first().and_then(Value::as_text).and_then(|first| first.rsplit_once('@'));
        let Some((folder, hash)) = carried.filter(|_| question.key == "rules") else {
            let undrawn = self.sealed && question.by == By::Random;
            return if undrawn { None } else { self.others.answer(question) };
        };
        let loads = ProposedRules::read(self.global, folder, self.gamestate).and_then(|carried| {
            if carried.hash() == hash {
                return Ok(());
            }
            let message = format!("the rules in {folder} are no longer those that were voted on: {hash}");
            Err(vec![Problem::new("other-rules", message)])
        });
        let place = usize::from(loads.is_err());
        self.problems = loads.err().unwrap_or_default();
        Some(Answer { values: vec![options[place].clone()], origin: Origin::Posted })
    }
}
