//! `rules`: inspects, tests and exports rulesets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::json;

use super::run::Run;
use super::show::found;
use crate::cases::run_text;
use crate::cli::exit_code::ExitCode;
use crate::cli::global::Format;
use crate::cli::outcome::{Outcome, Problems, json_line};
use crate::cli::request::look;
use crate::cli::session::{Context, load};
use crate::diagnostic::Problem;
use crate::engine::check_scripts;
use crate::files;
use crate::ruleset::{Files, Ruleset};
use crate::view;

/// Inspect, test and export rulesets
#[derive(Debug, Args)]
pub(super) struct Rules {
    /// What to do with them
    #[command(subcommand)]
    what: What,
}

/// What `rules` does.
#[derive(Debug, Subcommand)]
enum What {
    /// List space types, categories, items and actions
    List,
    /// Show a rule in words, with its readings and cases, or `rulings` for every switch
    #[command(
        after_help = "Examples:\n  referee rules show R-61\n  referee rules show Geyser --code\n  referee rules show rulings"
    )]
    Show {
        /// A name, a number, a catalogue ID, the key of a switch, a function, or `rulings`
        name: String,
        /// Also show the functions and effects that carry it out
        #[arg(long)]
        code: bool,
    },
    /// Compile all rules and report errors
    Check,
    /// Run case files; without a path, the cases in the ruleset's own files
    #[command(after_help = "Example:\n  referee rules test tests/cases rules")]
    Test {
        /// Files or folders
        paths: Vec<PathBuf>,
    },
    /// Compare two rulesets
    #[command(after_help = "Example:\n  referee rules diff cycle-15 rules/ours")]
    Diff {
        /// A built-in ruleset, or a folder relative to the gamestate
        old: String,
        /// Another one
        new: String,
    },
    /// Export a built-in ruleset for editing
    Eject {
        /// The new folder; default: rules/NAME beside the gamestate
        folder: Option<PathBuf>,
    },
}

impl Run for Rules {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        match &self.what {
            What::List => list(context),
            What::Show { name, code } => show(context, name, *code),
            What::Check => check_rules(context),
            What::Test { paths } => test(context, paths),
            What::Diff { old, new } => diff(context, old, new),
            What::Eject { folder } => eject(context, folder.as_deref()),
        }
    }
}

/// Lists space types, categories, items and actions.
fn list(context: &Context) -> Result<Outcome, Problems> {
    let global = &context.global;
    let (ruleset, game) = context.rules()?;
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

/// Shows a rule, or every switch.
fn show(context: &Context, name: &str, code: bool) -> Result<Outcome, Problems> {
    let global = &context.global;
    let (ruleset, game) = context.rules()?;
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

/// Compiles every rule and reports errors.
fn check_rules(context: &Context) -> Result<Outcome, Problems> {
    let global = &context.global;
    let ruleset = context.rules_alone()?;
    let mut problems = check_scripts(&ruleset);
    problems.extend(ruleset.law_problems().iter().cloned());
    let code = if problems.is_empty() { ExitCode::Done } else { ExitCode::Found };
    let mut outcome = Outcome::problems(global, code, &problems);
    if problems.is_empty() && global.format != Format::Json && !global.quiet {
        outcome.out = format!("{}: every rule compiles\n", ruleset.pin());
    }
    Ok(outcome)
}

/// Runs case files; without a path, the cases in the ruleset's own files.
fn test(context: &Context, paths: &[PathBuf]) -> Result<Outcome, Problems> {
    let global = &context.global;
    let mut known: BTreeMap<String, Option<Arc<Ruleset>>> = BTreeMap::new();
    let mut rulesets =
        |name: &str| known.entry(name.to_owned()).or_insert_with(|| ruleset_of_case(context, name)).clone();
    let mut results = Vec::new();
    if paths.is_empty() {
        let (ruleset, _) = context.rules()?;
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

/// Returns the rules that a case names: built in, or a folder relative to where the command runs.
fn ruleset_of_case(context: &Context, name: &str) -> Option<Arc<Ruleset>> {
    if context.global.rules.is_some() {
        return context.ruleset(name).ok();
    }
    let files = match Files::built_in(name) {
        Some(files) => files,
        None => files::read_ruleset(Path::new(name), name, &files::home(Path::new(""))).ok()?,
    };
    Ruleset::load(&files).ok().map(Arc::new)
}

/// Exports a built-in ruleset.
fn eject(context: &Context, folder: Option<&Path>) -> Result<Outcome, Problems> {
    let global = &context.global;
    let (ruleset, _) = context.rules()?;
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
        format!("{count} files written to {folder}\nset `ruleset: {name}` in the gamestate to use them\n")
    }))
}

/// Compares two rulesets.
fn diff(context: &Context, old: &str, new: &str) -> Result<Outcome, Problems> {
    let global = &context.global;
    let named = |name: &str| load(&global.file, None, name);
    let grid = view::difference(&*named(old)?, &*named(new)?);
    Ok(Outcome::found(global, json!({"differences": grid.json()}), || {
        if grid.is_empty() { "no differences\n".into() } else { grid.render(look(global)) }
    }))
}
