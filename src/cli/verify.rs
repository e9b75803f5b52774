//! `verify`: does the log explain the file, an edit of it, or every commit of a range?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::json;

use super::args::{Format, Global, Report};
use super::session::ruleset;
use super::{ExitCode, Outcome, json_line};
use crate::diagnostic::Problem;
use crate::files;
use crate::game::{Game, LogEntry};
use crate::gamestate::{GamestateFile, archived};
use crate::play::{Finding, Verified, verify, verify_edit};
use crate::ruleset::{Files, Ruleset};
use crate::view;

type Problems = Vec<Problem>;

/// Rules by their pins: those that come with the program, and every folder that a log or a file has named.
#[derive(Default)]
struct Library {
    by_pin: BTreeMap<String, Arc<Ruleset>>,
}

impl Library {
    fn new(archive: &Global) -> Self {
        let mut library = Self::default();
        for name in Files::built_in_names() {
            library.add(ruleset(&Global { rules: None, ..archive.clone() }, name).ok());
        }
        library
    }

    fn add(&mut self, found: Option<Arc<Ruleset>>) {
        if let Some(found) = found {
            self.by_pin.insert(found.pin(), found);
        }
    }

    /// The rules of a pin; without one, those at hand.
    fn find(&self, pin: &str, at_hand: &Arc<Ruleset>) -> Option<Arc<Ruleset>> {
        let plain = pin.split('+').next().unwrap_or(pin);
        if plain.is_empty() {
            return Some(Arc::clone(at_hand));
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

/// How a look at one version or edit came out.
#[derive(Default)]
struct Looked {
    problems: Problems,
    verified: Verified,
}

/// Carries out `verify`.
pub(super) fn run(
    global: &Global,
    versions: &[PathBuf],
    range: Option<&str>,
    archive: Option<&Path>,
    report: Report,
) -> Result<Outcome, Problems> {
    let mut library = Library::new(global);
    let looked = match (range, versions) {
        (Some(range), _) => commits(global, &mut library, range, archive)?,
        (None, [] | [_]) => {
            let version = open(global, &mut library, versions.first().unwrap_or(&global.file))?;
            whole(&library, &version, archive)?
        }
        (None, [old, new, ..]) => {
            let (old, new) = (open(global, &mut library, old)?, open(global, &mut library, new)?);
            edit(&library, &old, &new, &older(archive)?)
        }
    };
    Ok(outcome(global, looked, report))
}

fn open(global: &Global, library: &mut Library, path: &Path) -> Result<Version, Problems> {
    let bytes = files::read(path).map_err(|problem| vec![problem])?;
    let beside = Global { file: path.to_owned(), ..global.clone() };
    read(&beside, library, &path.display().to_string(), &bytes, &mut |name| ruleset(&beside, name))
}

/// Reads a version, and every folder of rules that its log names.
fn read(
    global: &Global,
    library: &mut Library,
    name: &str,
    bytes: &[u8],
    rules: &mut dyn FnMut(&str) -> Result<Arc<Ruleset>, Problems>,
) -> Result<Version, Problems> {
    let file = GamestateFile::parse(name, bytes)?;
    let named = if global.rules.is_some() { String::new() } else { file.ruleset().map_err(|problem| vec![problem])? };
    let ruleset = rules(&named)?;
    library.add(Some(Arc::clone(&ruleset)));
    let checked = file.check(&ruleset);
    let game = checked.game.ok_or(checked.problems)?;
    for change in game.log.iter().filter_map(|entry| entry.changes.get("/ruleset")) {
        for folder in change.items().iter().filter_map(crate::data::Value::as_text) {
            library.add(rules(folder).ok());
        }
    }
    Ok(Version { file, ruleset, game })
}

/// The entries of an archive, where one is named.
fn older(archive: Option<&Path>) -> Result<Vec<Arc<LogEntry>>, Problems> {
    let Some(archive) = archive else { return Ok(Vec::new()) };
    let bytes = files::read(archive).map_err(|problem| vec![problem])?;
    Ok(archived(&archive.display().to_string(), &bytes)?.into_iter().map(Arc::new).collect())
}

/// Looks at a whole log, and at the archive of what came before it.
fn whole(library: &Library, version: &Version, archive: Option<&Path>) -> Result<Looked, Problems> {
    let mut game = version.game.clone();
    let first = game.log.first().map_or(i64::MAX, |first| first.id);
    let older = older(archive)?.into_iter().filter(|entry| entry.id < first);
    game.log = Arc::new(older.chain(game.log.iter().cloned()).collect());
    let verified = verify(&mut |pin| library.find(pin, &version.ruleset), &game);
    let problems = verified.findings.iter().map(|finding| problem(&version.file, finding)).collect();
    Ok(Looked { problems, verified })
}

/// Looks at an edit: the log of the newer file, and what differs beyond it.
fn edit(library: &Library, old: &Version, new: &Version, archive: &[Arc<LogEntry>]) -> Looked {
    let mut verified = verify(&mut |pin| library.find(pin, &new.ruleset), &new.game);
    // What the older file brought along is no fault of the edit's.
    let before = verify(&mut |pin| library.find(pin, &old.ruleset), &old.game);
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
    // What an edit adds must be checkable: anybody could name rules that nobody has.
    let last = old.game.log.last().map_or(0, |entry| entry.id);
    let (added, known) = std::mem::take(&mut verified.not_checkable).into_iter().partition(|(id, _)| *id > last);
    verified.not_checkable = known;
    verified.findings.extend(added.into_iter().map(|(id, pin): (i64, String)| Finding {
        code: "unknown-rules",
        entry: Some(id),
        pointer: None,
        message: format!("entry {id} is new, and says that it was resolved under {pin}, which is not at hand"),
    }));
    let problems = verified.findings.iter().map(|finding| problem(&new.file, finding)).collect();
    Looked { problems, verified }
}

/// Looks at the edit of every commit of a range, such as `main..HEAD`.
fn commits(global: &Global, library: &mut Library, range: &str, archive: Option<&Path>) -> Result<Looked, Problems> {
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
    let at = |library: &mut Library, commit: &str| -> Result<Version, Problems> {
        let bytes = git(&["show", &format!("{commit}:{prefix}{name}")])?;
        // A folder is read as it was in that commit.
        let mut rules = |folder: &str| -> Result<Arc<Ruleset>, Problems> {
            if global.rules.is_some() || Files::built_in(folder).is_some() {
                return ruleset(global, folder);
            }
            let tree = |path: &str| git(&["ls-tree", "-r", "--name-only", "--full-tree", commit, path]).map(text);
            let show = |path: &str| git(&["show", &format!("{commit}:{path}")]);
            Ok(Arc::new(Ruleset::load(&in_commit(&format!("{prefix}{folder}"), folder, &tree, &show)?)?))
        };
        read(global, library, &format!("{prefix}{name}"), &bytes, &mut rules)
    };
    let mut all = Looked::default();
    for commit in list.split_whitespace() {
        // What was merged in is compared with the branch that took it in, not with where the branch began.
        let parent = git(&["rev-parse", "--verify", "--quiet", &format!("{commit}^1:{prefix}{name}")]).is_ok();
        let looked = (|| {
            let now = at(library, commit)?;
            // The archive is a file of the same repository, as that commit has it.
            let moved = archive.map(|archive| git(&["show", &format!("{commit}:{prefix}{}", archive.display())]));
            let moved = moved.and_then(Result::ok).unwrap_or_default();
            let moved: Vec<_> = archived("the archive", &moved)?.into_iter().map(Arc::new).collect();
            if !parent {
                return whole(library, &now, None);
            }
            let before = at(library, &format!("{commit}^1"))?;
            Ok(edit(library, &before, &now, &moved))
        })();
        // A version that cannot be read is a finding, and the next is looked at all the same.
        let mut looked = looked.unwrap_or_else(|problems| Looked { problems, ..Looked::default() });
        for problem in looked.problems.iter_mut().filter(|problem| !problem.warning) {
            problem.message = format!("commit {}: {}", &commit[..commit.len().min(10)], problem.message);
        }
        all.problems.extend(looked.problems);
        // The log grows, so that the last commit has resolved them all.
        all.verified = looked.verified;
    }
    Ok(all)
}

fn in_commit(
    path: &str,
    shown: &str,
    tree: &dyn Fn(&str) -> Result<String, Problems>,
    show: &dyn Fn(&str) -> Result<Vec<u8>, Problems>,
) -> Result<Files, Problems> {
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

/// A path with another one after it, in which `..` goes up.
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

/// A finding as a problem of the file, at the line of the value or of the entry.
fn problem(file: &GamestateFile, finding: &Finding) -> Problem {
    let problem = Problem::new(finding.code, finding.message.clone());
    let pointed = finding.pointer.as_ref().map(|pointer| file.place_of(pointer));
    let place = match finding.code {
        // The value stands in the file; what an entry says stands in the log.
        "unexplained-value" => pointed.or_else(|| finding.entry.and_then(|id| file.place_of_entry(id))),
        _ => finding.entry.and_then(|id| file.place_of_entry(id)).or(pointed),
    };
    Problem { place, path: finding.pointer.clone().unwrap_or_default(), ..problem }
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn outcome(global: &Global, looked: Looked, report: Report) -> Outcome {
    let Looked { mut problems, verified } = looked;
    for (id, pin) in &verified.not_checkable {
        let message = format!("entry {id} was resolved under {pin}, which is not at hand: it is not checked");
        problems.push(Problem { warning: true, ..Problem::new("not-checkable", message) });
    }
    let wrong = problems.iter().filter(|problem| !problem.warning).count();
    let code = if wrong == 0 { ExitCode::Done } else { ExitCode::Found };
    let summary = format!(
        "{} resolved again; {} explained, {} declared by hand, {}\n",
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
                "not-checkable": verified.not_checkable.iter().map(|(id, _)| id).collect::<Vec<_>>(), "findings": wrong,
            });
            Outcome { code, out: json_line(&object), err: String::new() }
        }
        Report::Text => {
            let out = if global.quiet { String::new() } else { summary };
            Outcome { code, out, err: view::problems(&problems, global.colour()) }
        }
    }
}
