//! Proposals and the Judge on the command line: reactions pasted in bulk, and rule files that a proposal carries.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::args::{Format, Global, Judge, Proposal};
use super::play::{act, look, no_action};
use super::session::{Session, ruleset};
use super::{ExitCode, Outcome};
use crate::cases::run_text;
use crate::data::Value;
use crate::diagnostic::{Problem, Source};
use crate::engine::check_scripts;
use crate::files;
use crate::game::Game;
use crate::gamestate::GamestateFile;
use crate::play::{Answer, AnswerSource, By, Origin, Question, Refusal, phase_again};
use crate::ruleset::{ActionError, Ruleset};
use crate::view::{self, Grid};
use crate::yaml::Document;

type Problems = Vec<Problem>;

/// `proposal`.
pub(super) fn proposal(global: &Global, what: &Proposal) -> Result<Outcome, Problems> {
    let numbered = |word: &str, number: i64| vec!["proposal".to_owned(), word.to_owned(), number.to_string()];
    let words = match what {
        Proposal::Submit { who, title, class, text, because } => {
            let mut words = ["proposal", "submit", who, title].map(str::to_owned).to_vec();
            let options = [("--class", class.as_ref()), ("--text", text.as_ref()), ("--because", because.as_ref())];
            words.extend(given_options(options));
            return submit(global, words);
        }
        Proposal::Vote { number, who, reactions, pro, against, rewrite, none, from } => {
            let mut words = numbered("vote", *number);
            words.extend(who.iter().chain(reactions).cloned());
            let mut bulk = vec![("for", pro.clone()), ("against", against.clone()), ("rewrite", rewrite.clone())];
            bulk.push(("none", none.clone()));
            if let Some(file) = from {
                bulk.extend(reactions_in(file)?);
            }
            let each = |(word, people): (&str, Vec<String>)| {
                people.into_iter().flat_map(move |person| [format!("--{word}"), person]).collect::<Vec<_>>()
            };
            words.extend(bulk.into_iter().flat_map(each));
            words
        }
        Proposal::Edit { number, who, text } => with_text(numbered("edit", *number), who.as_ref(), text.as_ref()),
        Proposal::Approve { number, who, text } => with_text(numbered("approve", *number), who.as_ref(), text.as_ref()),
        Proposal::Delete { number } => numbered("delete", *number),
        Proposal::Hold { number, who } => with_text(numbered("hold", *number), who.as_ref(), None),
        Proposal::Tally { number } => numbered("tally", *number),
        Proposal::List => return super::look::show(global, &super::args::Show::Proposals),
        Proposal::Show { number } => return show(global, *number),
    };
    act(global, &words)
}

/// `judge`.
pub(super) fn judge(global: &Global, what: &Judge) -> Result<Outcome, Problems> {
    let mut words = vec!["judge".to_owned()];
    match what {
        Judge::Request { who, text } => words.extend(["request", who, text].map(str::to_owned)),
        Judge::Rule { who, request, text, set } => {
            words.extend(["rule", who].map(str::to_owned));
            let request = request.map(|number| number.to_string());
            words.extend(given_options([("--request", request.as_ref()), ("--text", text.as_ref())]));
            words.extend(set.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
        }
        Judge::Overturn { who, number } => words.extend(["overturn".to_owned(), who.clone(), number.to_string()]),
        Judge::Poll { number, who } => {
            words.extend(["poll".to_owned(), number.to_string()]);
            words.extend(who.clone());
        }
        Judge::Vote { target, who, reactions } => {
            words.extend(["vote", target, who].map(str::to_owned));
            words.extend(reactions.iter().cloned());
        }
        Judge::Candidacy { who } => words.extend(["candidacy", who].map(str::to_owned)),
        Judge::Remove { who, withdraw } => {
            words.extend(["remove", who].map(str::to_owned));
            words.extend(given_options([("--withdraw", withdraw.as_ref())]));
        }
        Judge::Resign { who } => words.extend(["resign", who].map(str::to_owned)),
    }
    act(global, &words)
}

fn given_options<const N: usize>(options: [(&str, Option<&String>); N]) -> Vec<String> {
    let given = options.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?.clone()]));
    given.flatten().collect()
}

fn with_text(mut words: Vec<String>, who: Option<&String>, text: Option<&String>) -> Vec<String> {
    words.extend(who.cloned());
    words.extend(given_options([("--text", text)]));
    words
}

/// `proposal show`.
fn show(global: &Global, number: i64) -> Result<Outcome, Problems> {
    let session = Session::open(global)?;
    let Some(found) = session.game()?.proposals.get(&number.to_string()).cloned() else {
        return Ok(no_action(
            global,
            ActionError {
                code: "unknown-proposal",
                message: format!("there is no proposal {number}"),
                help: Some("`referee proposal list` shows what there is".into()),
            },
        ));
    };
    let mut grid = Grid::new("Proposal", &["what", "value"]);
    grid.row(["number".into(), number.to_string()]);
    for (key, value) in found.entries() {
        grid.row([key.to_string(), value.to_string()]);
    }
    Ok(Outcome::found(global, json!({"proposal": view::value_json(&found)}), || grid.render(look(global))))
}

/// The reactions in a file, by reaction.
fn reactions_in(file: &Path) -> Result<Vec<(&'static str, Vec<String>)>, Problems> {
    let bytes = files::read(file).map_err(|problem| vec![problem])?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let wrong = |message: String| {
        vec![Problem::new("bad-reaction", message).help("for, against, rewrite or none; also 👍 👎 🤔")]
    };
    let shown = file.display();
    let pairs = if file.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv")) {
        in_csv(text).map_err(|message| wrong(format!("{shown}: {message}")))?
    } else {
        let source = Arc::new(Source::new(shown.to_string(), text));
        let document = Document::parse_source(source)?;
        in_yaml(&document.root().to_value())
    };
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (person, reaction) in pairs {
        let Some(word) = known(&reaction) else {
            return Err(wrong(format!("{shown}: `{reaction}` of {person} is no reaction")));
        };
        match found.iter_mut().find(|(own, _)| *own == word) {
            Some((_, people)) => people.push(person),
            None => found.push((word, vec![person])),
        }
    }
    Ok(found)
}

fn known(reaction: &str) -> Option<&'static str> {
    match reaction.trim().trim_end_matches('\u{fe0f}').to_lowercase().as_str() {
        "for" | "👍" | "+1" | "thumbsup" | "up" => Some("for"),
        "against" | "👎" | "-1" | "thumbsdown" | "down" => Some("against"),
        "rewrite" | "🤔" | "thinking" => Some("rewrite"),
        "none" | "" => Some("none"),
        _ => None,
    }
}

/// A person and their reactions in a line; a first line such as `who,reaction` is a head.
fn in_csv(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut pairs = Vec::new();
    for (place, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let mut cells = record.iter();
        let Some(person) = cells.next().filter(|person| !person.is_empty()) else { continue };
        let reactions: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let is_head =
            ["who", "person", "player", "name", "user", "voter"].iter().any(|head| person.eq_ignore_ascii_case(head));
        if place == 0 && is_head && !reactions.iter().any(|word| known(word).is_some()) {
            continue;
        }
        if reactions.is_empty() {
            return Err(format!("line {}: {person} has no reaction", place + 1));
        }
        pairs.extend(reactions.into_iter().map(|reaction| (person.to_owned(), reaction.to_owned())));
    }
    Ok(pairs)
}

/// A map from people to reactions, or from reactions to people.
fn in_yaml(root: &Value) -> Vec<(String, String)> {
    let by_reaction = root.entries().iter().all(|(key, _)| known(&key.to_string()).is_some());
    let pair = |key: String, value: String| if by_reaction { (value, key) } else { (key, value) };
    let each = |(key, value): &(crate::data::Key, Value)| {
        value.items().iter().map(|value| pair(key.to_string(), value.to_string())).collect::<Vec<_>>()
    };
    root.entries().iter().flat_map(each).collect()
}

/// `proposal submit`; the global `--rules` names the folder that the proposal carries.
fn submit(global: &Global, mut words: Vec<String>) -> Result<Outcome, Problems> {
    let plain = Global { rules: None, ..global.clone() };
    let Some(folder) = &global.rules else { return act(&plain, &words) };
    let session = Session::open(&plain)?;
    let game = session.game()?;
    let name = beside(&plain, folder);
    let carried = match Carried::read(&plain, &name, session.file.text()) {
        Ok(carried) => carried,
        Err(problems) => {
            let refusal = Refusal {
                code: "rules-do-not-load".into(),
                message: format!("the rules in {name} cannot be played by"),
                help: Some("mend them, and submit the proposal again".into()),
                rule: "PR-7".into(),
            };
            let mut outcome = Outcome::refused(&plain, ExitCode::Refused, &refusal);
            outcome.err.insert_str(0, &view::problems(&problems, plain.colour()));
            return Ok(outcome);
        }
    };
    let preview = preview(&carried.ruleset, game)?;
    words.extend(["--rules".to_owned(), format!("{name}@{}", carried.hash())]);
    let mut outcome = act(&plain, &words)?;
    if plain.format != Format::Json && !plain.quiet {
        outcome.out.insert_str(0, &format!("{}\n", preview.render(look(&plain))));
    }
    Ok(outcome)
}

/// A folder as the gamestate names it: relative to its own place.
fn beside(global: &Global, folder: &Path) -> String {
    let here = global.file.parent().unwrap_or(Path::new(""));
    let inner = folder.strip_prefix(here).map(Path::to_owned);
    let path = inner.unwrap_or_else(|_| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    path.display().to_string()
}

/// Rules that a proposal carries, fit to be played by.
struct Carried {
    ruleset: Arc<Ruleset>,
}

impl Carried {
    /// Loads the rules in a folder, compiles them, runs their own cases, and checks that the game is sound under them.
    fn read(global: &Global, folder: &str, gamestate: &str) -> Result<Self, Problems> {
        let ruleset = ruleset(global, folder)?;
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

    /// What tells these rules from others of the same name.
    fn hash(&self) -> String {
        let pin = self.ruleset.pin();
        pin.rsplit_once('@').map_or(pin.clone(), |(_, hash)| hash.to_owned())
    }
}

/// What would come out differently under the rules: cases that come with the ruleset they build on, and the phase.
fn preview(ruleset: &Arc<Ruleset>, game: &Game) -> Result<Grid, Problems> {
    let mut grid = Grid::new("Under the rules of the proposal", &["what", "outcome"]);
    let (mut total, mut failed) = (0, Vec::new());
    for source in ruleset.sources().files().filter(|source| source.text.contains("\ncases:")) {
        let results = run_text(&source.name, &source.text, &mut |_| Some(Arc::clone(ruleset)));
        total += results.len();
        failed.extend(results.into_iter().filter_map(|result| Some((result.file, result.case, result.failure?))));
    }
    grid.row(["cases".into(), format!("{} of {total} come out as before", total - failed.len())]);
    for (file, case, failure) in failed.iter().take(10) {
        grid.row([format!("{file}: {case}"), failure.clone()]);
    }
    if failed.len() > 10 {
        grid.row(["…".into(), format!("{} more", failed.len() - 10)]);
    }
    let again = phase_again(ruleset, game);
    let (played, differences) = again.map_err(|message| vec![Problem::new("unexplained", message)])?;
    let same = played - differences.len();
    grid.row([format!("phase {}", game.phase), format!("{same} of {played} actions come out as they did")]);
    for difference in differences {
        grid.row([format!("entry {}: {}", difference.id, difference.what), difference.how]);
    }
    Ok(grid)
}

/// Says for the steward whether the rules of a proposal load; everything else is answered by who answered before.
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
            let drawn_by_nobody = self.sealed && question.by == By::Random;
            return if drawn_by_nobody { None } else { self.others.answer(question) };
        };
        let loads = Carried::read(self.global, folder, self.gamestate).and_then(|carried| {
            if carried.hash() == hash {
                return Ok(());
            }
            let message = format!("the rules in {folder} are not those that were voted on: {hash}");
            Err(vec![Problem::new("other-rules", message)])
        });
        let place = usize::from(loads.is_err());
        self.problems = loads.err().unwrap_or_default();
        Some(Answer { values: vec![options[place].clone()], origin: Origin::Posted })
    }
}
