//! `verify`: checks that the log explains the file, an edit of it, or every commit of a range.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::run::Run;
use crate::cli::exit_code::ExitCode;
use crate::cli::global::{Format, Global};
use crate::cli::outcome::{Outcome, Problems, json_line};
use crate::cli::session::{Context, load};
use crate::diagnostic::Problem;
use crate::files;
use crate::game::{Game, LogEntry};
use crate::gamestate::{GamestateFile, archived};
use crate::play::{Finding, Verified, verify, verify_edit};
use crate::ruleset::{Files, Ruleset};
use crate::view;

/// Verify that the log accounts for every change: in the file, between two versions, or per commit
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  referee verify\n  referee verify old.yaml gamestate.yaml        is this edit explained?\n  referee verify --git main..HEAD --report github"
)]
pub(super) struct Verify {
    /// The file; or an older and a newer one. Default: the gamestate
    #[arg(num_args = 0..=2, conflicts_with = "git")]
    versions: Vec<PathBuf>,
    /// A range of commits: the edit that each makes to the gamestate
    #[arg(long, value_name = "BASE..HEAD", value_parser = range)]
    git: Option<String>,
    /// The archive of older entries, as an action that ends a phase writes it with --archive
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// How to report: as text or JSON (`--format json`), as SARIF, or as annotations of a GitHub workflow
    #[arg(long, value_enum, default_value_t = Report::Text)]
    report: Report,
}

/// How findings are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Report {
    /// For people, or with `--format json` for programs
    Text,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

fn range(written: &str) -> Result<String, String> {
    let begins = written.split_once("..").is_some_and(|(base, _)| !base.is_empty());
    if begins { Ok(written.to_owned()) } else { Err("a range of commits is written main..HEAD".into()) }
}

impl Run for Verify {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let global = &context.global;
        let mut cache = RulesetCache::new(global);
        let archive = self.archive.as_deref();
        let result = match (&self.git, &self.versions[..]) {
            (Some(range), _) => commits(global, &mut cache, range, archive)?,
            (None, [] | [_]) => {
                let version = open(global, &mut cache, self.versions.first().unwrap_or(&global.file))?;
                whole(&cache, &version, archive)?
            }
            (None, [old, new, ..]) => {
                let (old, new) = (open(global, &mut cache, old)?, open(global, &mut cache, new)?);
                edit(&cache, &old, &new, &older(archive)?)
            }
        };
        Ok(outcome(global, result, self.report))
    }
}

/// Rules by their pins: the built-in ones, and every folder that a log or a file has named.
#[derive(Default)]
struct RulesetCache {
    by_pin: BTreeMap<String, Arc<Ruleset>>,
}

impl RulesetCache {
    fn new(global: &Global) -> Self {
        let mut cache = Self::default();
        for name in Files::built_in_names() {
            cache.add(load(&global.file, None, name).ok());
        }
        cache
    }

    fn add(&mut self, found: Option<Arc<Ruleset>>) {
        if let Some(found) = found {
            self.by_pin.insert(found.old_pin(), Arc::clone(&found));
            self.by_pin.insert(found.pin(), found);
        }
    }

    /// Returns the rules of a pin; without one, those in play.
    fn find(&self, pin: &str, in_play: &Arc<Ruleset>) -> Option<Arc<Ruleset>> {
        let plain = pin.split('+').next().unwrap_or(pin);
        if plain.is_empty() {
            return Some(Arc::clone(in_play));
        }
        self.by_pin.get(plain).cloned()
    }
}

/// A version of the gamestate with its rules.
struct Version {
    file: GamestateFile,
    ruleset: Arc<Ruleset>,
    game: Game,
}

/// What was found in a version or an edit.
#[derive(Default)]
struct VerifyResult {
    problems: Problems,
    verified: Verified,
}

fn open(global: &Global, cache: &mut RulesetCache, path: &Path) -> Result<Version, Problems> {
    let bytes = files::read(path).map_err(|problem| vec![problem])?;
    let mut rules = |name: &str| load(path, global.rules.as_ref(), name);
    read(global, cache, &path.display().to_string(), &bytes, &mut rules)
}

/// Reads a version, and every folder of rules that its log names.
fn read(
    global: &Global,
    cache: &mut RulesetCache,
    name: &str,
    bytes: &[u8],
    rules: &mut dyn FnMut(&str) -> Result<Arc<Ruleset>, Problems>,
) -> Result<Version, Problems> {
    let file = GamestateFile::parse(name, bytes)?;
    let named = if global.rules.is_some() { String::new() } else { file.ruleset().map_err(|problem| vec![problem])? };
    let ruleset = rules(&named)?;
    cache.add(Some(Arc::clone(&ruleset)));
    let checked = file.check(&ruleset);
    let game = checked.game.ok_or(checked.problems)?;
    for change in game.log.iter().filter_map(|entry| entry.changes.get("/ruleset")) {
        for folder in change.items().iter().filter_map(crate::data::Value::as_text) {
            cache.add(rules(folder).ok());
        }
    }
    Ok(Version { file, ruleset, game })
}

/// Reads the entries of an archive, if one is named.
fn older(archive: Option<&Path>) -> Result<Vec<Arc<LogEntry>>, Problems> {
    let Some(archive) = archive else { return Ok(Vec::new()) };
    let bytes = files::read(archive).map_err(|problem| vec![problem])?;
    Ok(archived(&archive.display().to_string(), &bytes)?.into_iter().map(Arc::new).collect())
}

/// Verifies a whole log, and the archive of the entries before it.
fn whole(cache: &RulesetCache, version: &Version, archive: Option<&Path>) -> Result<VerifyResult, Problems> {
    let mut game = version.game.clone();
    let first = game.log.first().map_or(i64::MAX, |first| first.id);
    let older = older(archive)?.into_iter().filter(|entry| entry.id < first);
    game.log = Arc::new(older.chain(game.log.iter().cloned()).collect());
    let verified = verify(&mut |pin| cache.find(pin, &version.ruleset), &game);
    let problems = problems(&version.file, &verified);
    Ok(VerifyResult { problems, verified })
}

/// Verifies an edit: the log of the newer file, and what differs beyond it.
fn edit(cache: &RulesetCache, old: &Version, new: &Version, archive: &[Arc<LogEntry>]) -> VerifyResult {
    let mut verified = verify(&mut |pin| cache.find(pin, &new.ruleset), &new.game);
    // Findings of the older file are not the fault of the edit.
    let before = verify(&mut |pin| cache.find(pin, &old.ruleset), &old.game);
    verified.findings.retain(|finding| !before.findings.contains(finding));
    verified.findings.splice(0..0, verify_edit(&old.game, &new.game, archive));
    if old.game.ruleset == new.game.ruleset && old.ruleset.pin() != new.ruleset.pin() {
        let message = format!(
            "the rules in {} were {} and are {}: no proposal has taken effect that says so",
            new.game.ruleset,
            old.ruleset.pin(),
            new.ruleset.pin()
        );
        verified.findings.push(Finding {
            code: "unexplained-rules",
            entry: None,
            pointer: Some("/ruleset".into()),
            message,
        });
    }
    // What an edit adds must be checkable: otherwise it could name rules that do not exist.
    let last = old.game.log.last().map_or(0, |entry| entry.id);
    let (added, known) = std::mem::take(&mut verified.not_checkable).into_iter().partition(|(id, _)| *id > last);
    verified.not_checkable = known;
    verified.findings.extend(added.into_iter().map(|(id, pin): (i64, String)| Finding {
        code: "unknown-rules",
        entry: Some(id),
        pointer: None,
        message: format!("entry {id} is new and was resolved under {pin}, which is not available"),
    }));
    verified.notes.retain(|note| !before.notes.contains(note));
    let problems = problems(&new.file, &verified);
    VerifyResult { problems, verified }
}

/// Verifies the edit of every commit of a range, such as `main..HEAD`.
fn commits(
    global: &Global,
    cache: &mut RulesetCache,
    range: &str,
    archive: Option<&Path>,
) -> Result<VerifyResult, Problems> {
    let folder = global.file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let git = |args: &[&str]| -> Result<Vec<u8>, Problems> {
        let failed = |message: String| vec![Problem::new("git", format!("git {}: {message}", args.join(" ")))];
        let output = Command::new("git").arg("-C").arg(folder).args(args).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    let (base, head) = range.split_once("...").or_else(|| range.split_once("..")).unwrap_or((range, ""));
    let head = if head.is_empty() { "HEAD" } else { head };
    let prefix = text(git(&["rev-parse", "--show-prefix"])?);
    let name = global.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let list = text(git(&["rev-list", "--reverse", "--first-parent", &format!("{base}..{head}")])?);
    let at = |cache: &mut RulesetCache, commit: &str| -> Result<Version, Problems> {
        let bytes = git(&["show", &format!("{commit}:{prefix}{name}")])?;
        // A folder is read as it was in that commit.
        let mut rules = |folder: &str| -> Result<Arc<Ruleset>, Problems> {
            if global.rules.is_some() || Files::built_in(folder).is_some() {
                return load(&global.file, global.rules.as_ref(), folder);
            }
            let tree = |path: &str| git(&["ls-tree", "-r", "--name-only", "--full-tree", commit, path]).map(text);
            let show = |path: &str| git(&["show", &format!("{commit}:{path}")]);
            Ok(Arc::new(Ruleset::load(&in_commit(&format!("{prefix}{folder}"), folder, &tree, &show)?)?))
        };
        read(global, cache, &format!("{prefix}{name}"), &bytes, &mut rules)
    };
    let mut all = VerifyResult::default();
    for commit in list.split_whitespace() {
        // What was merged in is compared with the branch that took it in, not with where the branch began.
        let parent = git(&["rev-parse", "--verify", "--quiet", &format!("{commit}^1:{prefix}{name}")]).is_ok();
        let result = (|| {
            let now = at(cache, commit)?;
            // The archive is a file of the same repository, as that commit has it.
            let moved = archive.map(|archive| git(&["show", &format!("{commit}:{prefix}{}", archive.display())]));
            let moved = moved.and_then(Result::ok).unwrap_or_default();
            let moved: Vec<_> = archived("the archive", &moved)?.into_iter().map(Arc::new).collect();
            if !parent {
                return whole(cache, &now, None);
            }
            let before = at(cache, &format!("{commit}^1"))?;
            Ok(edit(cache, &before, &now, &moved))
        })();
        // A version that cannot be read is a finding, and the next one is verified anyway.
        let mut result = result.unwrap_or_else(|problems| VerifyResult { problems, ..VerifyResult::default() });
        for problem in result.problems.iter_mut().filter(|problem| !problem.warning) {
            problem.message = format!("commit {}: {}", &commit[..commit.len().min(10)], problem.message);
        }
        all.problems.extend(result.problems);
        // The log grows, so that the last commit has resolved them all.
        all.verified = result.verified;
    }
    Ok(all)
}

fn in_commit(
    path: &str,
    shown: &str,
    tree: &dyn Fn(&str) -> Result<String, Problems>,
    show: &dyn Fn(&str) -> Result<Vec<u8>, Problems>,
) -> Result<Files, Problems> {
    if shown.split('/').count() > 64 {
        return Err(vec![Problem::new("no-base", format!("{shown} builds on folders without an end"))]);
    }
    let mut files = Files { folder: shown.to_owned(), ..Files::default() };
    let below = format!("{path}/");
    let is_rule = |name: &&str| Path::new(name).extension().is_some_and(|end| end == "yaml" || end == "star");
    for name in tree(&below)?.lines().filter(is_rule) {
        let text = String::from_utf8_lossy(&show(name)?).into_owned();
        files.texts.insert(name.strip_prefix(&below).unwrap_or(name).to_owned(), text.into());
    }
    if let Some(base) = files.base_folder() {
        files.base = Some(Box::new(in_commit(&joined(path, &base), &format!("{shown}/{base}"), tree, show)?));
        return Ok(files);
    }
    Ok(files.with_switches())
}

/// Joins two paths, in the second of which `..` goes up.
fn joined(path: &str, inner: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    for part in inner.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns everything found as problems of the file: what rests on a person's word as warnings.
fn problems(file: &GamestateFile, verified: &Verified) -> Problems {
    let notes = verified.notes.iter().map(|note| Problem { warning: true, ..problem(file, note) });
    verified.findings.iter().map(|finding| problem(file, finding)).chain(notes).collect()
}

/// Returns a finding as a problem of the file, at the line of the value or of the entry.
fn problem(file: &GamestateFile, finding: &Finding) -> Problem {
    let problem = Problem::new(finding.code, finding.message.clone());
    let pointed = finding.pointer.as_ref().map(|pointer| file.place_of(pointer));
    let place = match finding.code {
        // The value is in the file; what an entry says is in the log.
        "unexplained-value" => pointed.or_else(|| finding.entry.and_then(|id| file.place_of_entry(id))),
        _ => finding.entry.and_then(|id| file.place_of_entry(id)).or(pointed),
    };
    Problem { place, path: finding.pointer.clone().unwrap_or_default(), ..problem }
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn outcome(global: &Global, result: VerifyResult, report: Report) -> Outcome {
    let VerifyResult { mut problems, verified } = result;
    for (id, pin) in &verified.not_checkable {
        let message = format!("entry {id} was resolved under {pin}, which is not available; skipped");
        problems.push(Problem { warning: true, ..Problem::new("not-checkable", message) });
    }
    let warn = |code, message| Problem { warning: true, ..Problem::new(code, message) };
    for id in &verified.seeded {
        problems.push(warn("seeded", format!("entry {id} drew its dice with --seed: they are declared, not drawn")));
    }
    if let Some(((_, first), others)) = verified.dated_elsewhere.split_first() {
        let more = if others.is_empty() { String::new() } else { format!(", and {} more are like it", others.len()) };
        problems.push(warn("dated-elsewhere", format!("{first}{more}")));
    }
    let wrong = problems.iter().filter(|problem| !problem.warning).count();
    let code = if wrong == 0 { ExitCode::Done } else { ExitCode::Found };
    let summary = format!(
        "replayed {}: {} explained, {} declared by hand, {}\n",
        counted(verified.replayed, "entry", "entries"),
        counted(verified.explained, "change", "changes"),
        verified.declared,
        counted(wrong, "finding", "findings")
    );
    match report {
        Report::Sarif => Outcome { code, out: json_line(&view::sarif(&problems)), err: String::new() },
        Report::Github => Outcome { code, out: view::annotations(&problems), err: summary },
        Report::Text if global.format == Format::Json => {
            let mut object = view::report_json(None, &problems, false);
            object["verified"] = json!({
                "replayed": verified.replayed, "explained": verified.explained, "declared": verified.declared,
                "not-checkable": verified.not_checkable.iter().map(|(id, _)| id).collect::<Vec<_>>(), "seeded": verified.seeded, "findings": wrong,
            });
            Outcome { code, out: json_line(&object), err: String::new() }
        }
        Report::Text => {
            let out = if global.quiet { String::new() } else { summary };
            Outcome { code, out, err: view::problems(&problems, global.colour()) }
        }
    }
}
