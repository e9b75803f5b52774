//! Commands about the law: `check`, `rules`, `schema`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::args::{Format, Global};
use super::look::found;
use super::play::look;
use super::session::{Session, rules_at_hand, ruleset};
use super::{ExitCode, Outcome, json_line};
use crate::cases::run_text;
use crate::data::Pointer;
use crate::diagnostic::Problem;
use crate::engine::check_scripts;
use crate::files;
use crate::game::Game;
use crate::play::{self, Event, Request, take_turn};
use crate::ruleset::{Files, Ruleset};
use crate::view;

type Problems = Vec<Problem>;

/// `check`.
pub(super) fn check(global: &Global, fix: bool) -> Result<Outcome, Problems> {
    let mut session = Session::open(global)?;
    let mut mended = Vec::new();
    if fix {
        let (text, done) = session.file.fixed(&session.ruleset).map_err(|problem| vec![problem])?;
        if !done.is_empty() && !global.dry_run {
            files::replace(&global.file, session.file.text().as_bytes(), &text).map_err(|problem| vec![problem])?;
            session = Session::open(global)?;
        }
        mended = done;
    }
    let mut problems = session.problems.clone();
    if let Some(game) = &session.game {
        problems.extend(session.file.lint(&session.ruleset, game));
        problems.extend(by_the_rules(&session, game));
    }
    problems.extend(session.ruleset.problems.iter().cloned().map(|problem| Problem { warning: true, ..problem }));
    let wrong = problems.iter().filter(|problem| !problem.warning).count();
    let code = if wrong == 0 { ExitCode::Done } else { ExitCode::Found };
    let mut outcome = Outcome::problems(global, code, &problems);
    if global.format != Format::Json && !global.quiet {
        let warnings = problems.len() - wrong;
        let found = match (wrong, warnings) {
            (0, 0) => "nothing wrong found".to_owned(),
            (0, _) => format!("playable, {warnings} to look at"),
            _ => format!("{wrong} wrong, {warnings} more to look at"),
        };
        let mended: String = mended.iter().map(|done| format!("fixed: {done}\n")).collect();
        outcome.out = format!("{mended}{}: {found}\n", global.file.display());
    }
    Ok(outcome)
}

/// What the ruleset itself finds odd.
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

/// `rules list`.
pub(super) fn list(global: &Global) -> Result<Outcome, Problems> {
    let (ruleset, game) = rules_at_hand(global)?;
    let types: Vec<_> = ruleset.space_types().map(|rule| json!({"name": &*rule.name, "cites": rule.cites})).collect();
    let items = ruleset.items().iter();
    let items: Vec<_> =
        items.map(|item| json!({"id": item.number, "name": &*item.name, "cites": item.cites})).collect();
    let actions: Vec<_> = ruleset.declared.actions.iter().map(|action| &action.name).collect();
    let amendments = game.as_ref().map(|game| view::value_json(&game.amendments));
    let object = json!({
        "ruleset": ruleset.pin(), "types": types, "items": items, "actions": actions, "amendments": amendments,
    });
    Ok(Outcome::found(global, object, || {
        let table = view::rule_list(&ruleset, game.as_ref()).render(look(global));
        format!("{}: {}\n\n{table}", ruleset.pin(), ruleset.declared.title)
    }))
}

/// `rules show`.
pub(super) fn show(global: &Global, name: &str, code: bool) -> Result<Outcome, Problems> {
    let (ruleset, game) = rules_at_hand(global)?;
    if name != "rulings" {
        return Ok(found(global, name, code, &view::rule(&ruleset, game.as_ref(), name)));
    }
    let switch = |switch: &crate::ruleset::Switch| {
        let set = game.as_ref().and_then(|game| game.ruling(&switch.key));
        let source = game.as_ref().and_then(|game| game.rulings.get(&switch.key));
        let source = |key: &str| source.and_then(|source| source.get(key)).map(view::value_json);
        json!({
            "key": switch.key, "ruling": switch.ruling, "question": switch.question, "values": switch.values,
            "default": switch.default(), "value": set.unwrap_or(switch.default()), "set": set.is_some(),
            "by": source("by"), "at": source("at"), "request": source("request"), "link": source("link"),
        })
    };
    let switches: Vec<_> = ruleset.switches.iter().map(switch).collect();
    Ok(Outcome::found(global, json!({"rulings": switches}), || {
        view::switches(&ruleset, game.as_ref()).render(look(global))
    }))
}

/// `rules check`.
pub(super) fn check_rules(global: &Global) -> Result<Outcome, Problems> {
    let (ruleset, _) = rules_at_hand(global)?;
    let mut problems = check_scripts(&ruleset);
    problems.extend(ruleset.law_problems().iter().cloned());
    let code = if problems.is_empty() { ExitCode::Done } else { ExitCode::Found };
    let mut outcome = Outcome::problems(global, code, &problems);
    if problems.is_empty() && global.format != Format::Json && !global.quiet {
        outcome.out = format!("{}: every rule compiles\n", ruleset.pin());
    }
    Ok(outcome)
}

/// `rules test`.
pub(super) fn test(global: &Global, paths: &[PathBuf]) -> Result<Outcome, Problems> {
    let mut known: BTreeMap<String, Option<Arc<Ruleset>>> = BTreeMap::new();
    let mut rulesets = |name: &str| known.entry(name.to_owned()).or_insert_with(|| case_rulebook(global, name)).clone();
    let mut results = Vec::new();
    if paths.is_empty() {
        let (ruleset, _) = rules_at_hand(global)?;
        for source in ruleset.sources().files() {
            if source.text.contains("\ncases:") {
                results.extend(run_text(&source.name, &source.text, &mut |_| Some(Arc::clone(&ruleset))));
            }
        }
    }
    for path in paths {
        for file in files::yaml_files(path).map_err(|problem| vec![problem])? {
            let bytes = files::read(&file).map_err(|problem| vec![problem])?;
            let text = String::from_utf8_lossy(&bytes);
            results.extend(run_text(&file.display().to_string(), &text, &mut rulesets));
        }
    }
    let failed = results.iter().filter(|result| result.failure.is_some()).count();
    let passed = results.len() - failed;
    let code = if failed == 0 { ExitCode::Done } else { ExitCode::Found };
    if global.format == Format::Json {
        let status = if failed == 0 { "done" } else { "problem" };
        let object =
            json!({"format": "referee/1", "status": status, "passed": passed, "failed": failed, "cases": results});
        return Ok(Outcome { code, out: json_line(&object), err: String::new() });
    }
    let mut out = String::new();
    for result in &results {
        if let Some(failure) = &result.failure {
            out.push_str(&format!("{}: {}: {failure}\n", result.file, result.case));
        }
    }
    out.push_str(&format!("{passed} passed, {failed} failed\n"));
    Ok(Outcome { code, out, err: String::new() })
}

/// The rules that a case names: built in, or a folder relative to where the command runs.
fn case_rulebook(global: &Global, name: &str) -> Option<Arc<Ruleset>> {
    if global.rules.is_some() {
        return ruleset(global, name).ok();
    }
    let files = match Files::built_in(name) {
        Some(files) => files,
        None => files::read_ruleset(Path::new(name), name).ok()?,
    };
    Ruleset::load(&files).ok().map(Arc::new)
}

/// `rules eject`.
pub(super) fn eject(global: &Global, folder: Option<&Path>) -> Result<Outcome, Problems> {
    let (ruleset, _) = rules_at_hand(global)?;
    let Some(built_in) = Files::built_in(&ruleset.name) else {
        return Err(vec![Problem::new(
            "no-ruleset",
            format!("{} is not built in; its folder is there to be changed", ruleset.name),
        )]);
    };
    let beside = global.file.parent().unwrap_or(Path::new(""));
    let default = beside.join("rules").join(&ruleset.name);
    let folder = folder.unwrap_or(&default);
    files::free(folder).map_err(|problem| vec![problem])?;
    for (path, text) in &built_in.texts {
        files::create(&folder.join(path), text).map_err(|problem| vec![problem])?;
    }
    // A folder that is not beside the gamestate is found from anywhere by its whole path.
    let name = match folder.strip_prefix(beside) {
        Ok(inner) => inner.to_owned(),
        Err(_) => std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
    };
    let (count, name, folder) = (built_in.texts.len(), name.display(), folder.display());
    let object = json!({"folder": folder.to_string(), "ruleset": name.to_string(), "files": count, "written": true});
    Ok(Outcome::found(global, object, || {
        format!("{count} files written to {folder}\nset `ruleset: {name}` in the gamestate to play by them\n")
    }))
}

/// `rules diff`.
pub(super) fn diff(global: &Global, old: &str, new: &str) -> Result<Outcome, Problems> {
    let global = &Global { rules: None, ..global.clone() };
    let grid = view::difference(&*ruleset(global, old)?, &*ruleset(global, new)?);
    Ok(Outcome::found(global, json!({"differences": grid.json()}), || {
        if grid.is_empty() { "nothing is different\n".into() } else { grid.render(look(global)) }
    }))
}

/// `migrate`.
pub(super) fn migrate(global: &Global, to: &str) -> Result<Outcome, Problems> {
    let global = &Global { rules: None, ..global.clone() };
    let session = Session::open(global)?;
    let game = session.game()?;
    let new = ruleset(global, to)?;
    let play::Migrated { next, lost, changed } = play::migrate(&session.ruleset, &new, game, to, global.at);
    if !global.dry_run {
        let text = session.file.updated(&new, game, &next).map_err(|problem| vec![problem])?;
        files::replace(&global.file, session.file.text().as_bytes(), &text).map_err(|problem| vec![problem])?;
    }
    Ok(Outcome::found(
        global,
        json!({"ruleset": to, "lost": lost, "changed": changed, "written": !global.dry_run}),
        || {
            let lost: String = lost.iter().map(|lost| format!("no counterpart: {lost}\n")).collect();
            let changed: String = changed.iter().map(|changed| format!("changed: {changed}\n")).collect();
            let file = global.file.display();
            let end = if global.dry_run {
                "nothing was written: a dry run".to_owned()
            } else {
                format!("{file} is played by {to} now")
            };
            format!("{lost}{changed}{end}\n")
        },
    ))
}

/// `schema`.
pub(super) fn schema(global: &Global) -> Result<Outcome, Problems> {
    let (ruleset, _) = rules_at_hand(global)?;
    Ok(Outcome::done(json_line(&view::schema(&ruleset))))
}
