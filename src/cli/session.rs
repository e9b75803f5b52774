//! A gamestate opened with its rules.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::global::Global;
use super::outcome::Problems;
use crate::data::Value;
use crate::diagnostic::{Problem, Source};
use crate::files;
use crate::game::Game;
use crate::gamestate::GamestateFile;
use crate::ruleset::{Declarations, Files, Ruleset};
use crate::yaml::{self, Document, Node};

/// The ruleset that is used without a game.
pub(super) const DEFAULT_RULES: &str = "cycle-15";

/// A gamestate that was read and parsed, with its rules loaded and nothing checked.
pub(super) struct Opened {
    path: PathBuf,
    rules: Option<PathBuf>,
    bytes: Vec<u8>,
    file: GamestateFile,
    pub ruleset: Arc<Ruleset>,
}

impl Opened {
    /// Reads a gamestate and loads its rules.
    pub fn read(path: &Path, rules: Option<&PathBuf>) -> Result<Self, Problems> {
        let bytes = files::read(path).map_err(|problem| vec![problem])?;
        let file = GamestateFile::parse(&path.display().to_string(), &bytes)?;
        let named = match rules {
            Some(_) => String::new(),
            None => file.ruleset().map_err(|problem| vec![problem])?,
        };
        let ruleset = load(path, rules, &named).map_err(|problems| at_its_line(&file, problems))?;
        Ok(Self { path: path.to_owned(), rules: rules.cloned(), bytes, file, ruleset })
    }
}

/// What a command is given: the options that every command has, and the game if its rules were needed to read the
/// command.
pub(super) struct Context {
    pub global: Global,
    opened: RefCell<Option<Opened>>,
    /// Builds the argument parser with every command; the commands that print it are themselves among them.
    whole: fn(&Declarations) -> clap::Command,
}

impl Context {
    pub fn new(global: Global, opened: Option<Opened>, whole: fn(&Declarations) -> clap::Command) -> Self {
        let fits = |own: &Opened| own.path == global.file && own.rules == global.rules;
        let opened = RefCell::new(opened.filter(fits));
        Self { global, opened, whole }
    }

    /// Returns a context that uses the rules that the gamestate names, whatever `--rules` says.
    pub fn without_rules(&self) -> Self {
        Self::new(Global { rules: None, ..self.global.clone() }, None, self.whole)
    }

    /// Builds the argument parser with every command of the program and of the rules in play; if these do not load, of
    /// the default rules.
    pub fn whole_parser(&self) -> clap::Command {
        let ruleset = self.rules_alone().or_else(|_| load(Path::new(""), None, DEFAULT_RULES));
        (self.whole)(&ruleset.expect("the default ruleset is built in").declared)
    }

    /// Opens the gamestate; what was read before the command was known is not read again the first time.
    pub fn session(&self) -> Result<Session, Problems> {
        let opened = match self.opened.borrow_mut().take() {
            Some(opened) => opened,
            None => Opened::read(&self.global.file, self.global.rules.as_ref())?,
        };
        Ok(Session::of(&self.global, opened))
    }

    /// Opens the gamestate also if its rules do not load: then under the first ruleset under which it is valid of
    /// `others`, those that the game had before by its log, and the built-in ones.
    pub fn session_under(&self, others: &[&str]) -> Result<Session, Problems> {
        let problems = match self.session() {
            Ok(session) => return Ok(session),
            Err(problems) => problems,
        };
        let Ok(bytes) = files::read(&self.global.file) else { return Err(problems) };
        let before = rules_before(&String::from_utf8_lossy(&bytes));
        let others = others.iter().copied().chain(before.iter().map(String::as_str));
        for name in others.chain(Files::built_in_names()) {
            let Ok(file) = GamestateFile::parse(&self.global.file.display().to_string(), &bytes) else { break };
            let Ok(ruleset) = load(&self.global.file, None, name) else { continue };
            let opened = Opened { path: self.global.file.clone(), rules: None, bytes: bytes.clone(), file, ruleset };
            let mut session = Session::of(&self.global, opened);
            if session.game.is_some() {
                let warnings = problems.into_iter().map(|problem| Problem { warning: true, ..problem });
                session.problems.splice(0..0, warnings);
                return Ok(session);
            }
        }
        Err(problems)
    }

    /// Returns the rules in play, and the game if there is a valid one; without a gamestate, the default rules.
    pub fn rules(&self) -> Result<(Arc<Ruleset>, Option<Game>), Problems> {
        if self.global.file.exists() && self.global.rules.is_none() {
            let session = self.session()?;
            return Ok((session.ruleset, session.game));
        }
        Ok((self.ruleset(DEFAULT_RULES)?, None))
    }

    /// Returns the rules in play even if the rest of the gamestate cannot be read.
    pub fn rules_alone(&self) -> Result<Arc<Ruleset>, Problems> {
        if !self.global.file.exists() || self.global.rules.is_some() {
            return self.ruleset(DEFAULT_RULES);
        }
        let bytes = files::read(&self.global.file).map_err(|problem| vec![problem])?;
        let source = Arc::new(Source::new(self.global.file.display().to_string(), String::from_utf8_lossy(&bytes)));
        let head = Value::Map(yaml::parse_head(&source, &["players", "spaces", "log"]).unwrap_or_default());
        match head.get("ruleset") {
            Some(named) => self.ruleset(&named.to_string()),
            None => Ok(Opened::read(&self.global.file, None)?.ruleset),
        }
    }

    /// Returns the rules of a name; see [`load`].
    pub fn ruleset(&self, named: &str) -> Result<Arc<Ruleset>, Problems> {
        load(&self.global.file, self.global.rules.as_ref(), named)
    }
}

/// The file as it was read, its rules, and what the check found.
pub(super) struct Session {
    path: PathBuf,
    rules: Option<PathBuf>,
    /// What the file holds now: as it was read, or as it was last written.
    on_disk: Vec<u8>,
    pub file: GamestateFile,
    pub ruleset: Arc<Ruleset>,
    pub game: Option<Game>,
    /// The game as far as it can be read.
    pub as_read: Option<Game>,
    pub problems: Problems,
}

impl Session {
    fn of(global: &Global, opened: Opened) -> Self {
        let Opened { path, bytes, file, ruleset, .. } = opened;
        let checked = file.check(&ruleset);
        Self {
            path,
            rules: global.rules.clone(),
            on_disk: bytes,
            file,
            ruleset,
            game: checked.game,
            as_read: checked.as_read,
            problems: checked.problems,
        }
    }

    /// Returns the game, or the problems that keep it from being played.
    pub fn game(&self) -> Result<&Game, Problems> {
        self.game.as_ref().ok_or_else(|| self.problems.clone())
    }

    /// Writes `after` in the place of the file, which held `before` when it was read. Returns whether the file now
    /// differs from what was read.
    ///
    /// It may be called again with a later `after`: the text is always made from the one that was read.
    pub fn write(&mut self, before: &Game, after: &Game) -> Result<bool, Problems> {
        // If the rules have changed, the file must be valid under those that it names then.
        let other = before.ruleset != after.ruleset && self.rules.is_none();
        let rules = if other { load(&self.path, None, &after.ruleset)? } else { Arc::clone(&self.ruleset) };
        let text = self.file.updated(&rules, before, after).map_err(|problem| vec![problem])?;
        if text.as_bytes() != self.on_disk {
            files::replace(&self.path, &self.on_disk, &text).map_err(|problem| vec![problem])?;
        }
        let differs = text != self.file.text();
        self.on_disk = text.into_bytes();
        Ok(differs)
    }
}

/// Returns the rulesets that a game had before by its log, the latest first.
fn rules_before(text: &str) -> Vec<String> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let log = document.root().get("log").map(Node::to_value).unwrap_or_default();
    let before = |entry: &Value| Some(entry.get("changes")?.get("/ruleset")?.items().first()?.to_string());
    log.items().iter().rev().filter_map(before).collect()
}

/// Adds the line that names the ruleset to problems that have no place of their own.
fn at_its_line(file: &GamestateFile, problems: Problems) -> Problems {
    let each = |problem: Problem| match problem.place {
        None => Problem { place: Some(file.place_of(&["ruleset"].into())), ..problem },
        Some(_) => problem,
    };
    problems.into_iter().map(each).collect()
}

/// Returns the folder that the game's rules may not lead out of.
fn game_folder(gamestate: &Path) -> PathBuf {
    files::home(gamestate.parent().unwrap_or(Path::new("")))
}

/// Loads the rules of a name: a built-in ruleset, or a folder relative to the gamestate; `--rules` overrides both.
pub(super) fn load(gamestate: &Path, rules: Option<&PathBuf>, named: &str) -> Result<Arc<Ruleset>, Problems> {
    let files = match rules {
        Some(folder) => {
            let beside = game_folder(gamestate);
            // A folder that the command line names is trusted itself; what it builds on lies beside it or in the game's.
            let own = files::home(folder.parent().unwrap_or(Path::new("")));
            let home = if own.starts_with(&beside) { beside } else { own };
            files::read_ruleset(folder, &folder.display().to_string(), &home)
        }
        None => match Files::built_in(named) {
            Some(files) => Ok(files),
            None => {
                let folder = gamestate.parent().unwrap_or(Path::new("")).join(named);
                if Path::new(named).is_absolute() {
                    let problem =
                        Problem::new("outside", format!("`ruleset: {named}` is not a path of the game's repository"));
                    Err(problem.help("name the folder relative to the gamestate, or give it with --rules"))
                } else if folder.is_dir() {
                    files::read_ruleset(&folder, named, &game_folder(gamestate))
                } else {
                    let built_in = Files::built_in_names().join(", ");
                    let problem = Problem::new("no-ruleset", format!("unknown ruleset `{named}`"));
                    Err(problem.help(format!("built in: {built_in}; or a folder relative to the gamestate")))
                }
            }
        },
    };
    let ruleset = Arc::new(Ruleset::load(&files.map_err(|problem| vec![problem])?)?);
    // It serves to the end of the process, and freeing it then would take a twentieth of the whole.
    std::mem::forget(Arc::clone(&ruleset));
    Ok(ruleset)
}
