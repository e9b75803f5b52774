//! A gamestate opened with its rules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Global;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::Game;
use crate::gamestate::GamestateFile;
use crate::ruleset::{Files, Ruleset};

/// The file as it was read, its rules, and what the check found.
pub(super) struct Session {
    path: PathBuf,
    global: Global,
    /// What the file holds now: as it was read, or as it was last written.
    on_disk: Vec<u8>,
    pub file: GamestateFile,
    pub ruleset: Arc<Ruleset>,
    pub game: Option<Game>,
    /// The game as far as it can be read.
    pub as_read: Option<Game>,
    pub problems: Vec<Problem>,
}

impl Session {
    /// Reads and checks the gamestate.
    pub fn open(global: &Global) -> Result<Self, Vec<Problem>> {
        let path = global.file.clone();
        let bytes = files::read(&path).map_err(|problem| vec![problem])?;
        let file = GamestateFile::parse(&path.display().to_string(), &bytes)?;
        let named = match &global.rules {
            Some(_) => String::new(),
            None => file.ruleset().map_err(|problem| vec![problem])?,
        };
        let ruleset = ruleset(global, &named).map_err(|problems| at_its_line(&file, problems))?;
        let checked = file.check(&ruleset);
        Ok(Self {
            path,
            global: global.clone(),
            on_disk: bytes,
            file,
            ruleset,
            game: checked.game,
            as_read: checked.as_read,
            problems: checked.problems,
        })
    }

    /// The game, or the problems that keep it from being played.
    pub fn game(&self) -> Result<&Game, Vec<Problem>> {
        self.game.as_ref().ok_or_else(|| self.problems.clone())
    }

    /// Writes `after` in the place of the file, which held `before` when it was read. Says whether the file
    /// now differs from what was read.
    ///
    /// It may be called again with a later `after`: the text is always made from the one that was read.
    pub fn write(&mut self, before: &Game, after: &Game) -> Result<bool, Vec<Problem>> {
        // Where the rules have changed, the file must be sound under those that it names then.
        let other = before.ruleset != after.ruleset && self.global.rules.is_none();
        let rules = if other { ruleset(&self.global, &after.ruleset)? } else { Arc::clone(&self.ruleset) };
        let text = self.file.updated(&rules, before, after).map_err(|problem| vec![problem])?;
        if text.as_bytes() != self.on_disk {
            files::replace(&self.path, &self.on_disk, &text).map_err(|problem| vec![problem])?;
        }
        let differs = text != self.file.text();
        self.on_disk = text.into_bytes();
        Ok(differs)
    }
}

/// The rules of a name: a built-in ruleset, or a folder relative to the gamestate; `--rules` beats both.
pub(super) fn ruleset(global: &Global, named: &str) -> Result<Arc<Ruleset>, Vec<Problem>> {
    let files = match &global.rules {
        Some(folder) => {
            let beside = game_folder(global);
            // A folder that the command line names is trusted itself; what it builds on lies beside it or in the game's.
            let own = files::home(folder.parent().unwrap_or(Path::new("")));
            let home = if own.starts_with(&beside) { beside } else { own };
            files::read_ruleset(folder, &folder.display().to_string(), &home)
        }
        None => match Files::built_in(named) {
            Some(files) => Ok(files),
            None => {
                let folder = global.file.parent().unwrap_or(Path::new("")).join(named);
                if Path::new(named).is_absolute() {
                    let problem =
                        Problem::new("outside", format!("`ruleset: {named}` is no path of the game's repository"));
                    Err(problem.help("name the folder relative to the gamestate, or give it with --rules"))
                } else if folder.is_dir() {
                    files::read_ruleset(&folder, named, &game_folder(global))
                } else {
                    let built_in = Files::built_in_names().join(", ");
                    let problem = Problem::new("no-ruleset", format!("there is no ruleset `{named}`"));
                    Err(problem.help(format!("built in: {built_in}; or a folder relative to the gamestate")))
                }
            }
        },
    };
    let ruleset = Arc::new(Ruleset::load(&files.map_err(|problem| vec![problem])?)?);
    // It serves to the end of the process, and to free it then would take a twentieth of the whole.
    std::mem::forget(Arc::clone(&ruleset));
    Ok(ruleset)
}

/// Adds the line that names the ruleset to problems that have no place of their own.
fn at_its_line(file: &GamestateFile, problems: Vec<Problem>) -> Vec<Problem> {
    let each = |problem: Problem| match problem.place {
        None => Problem { place: file.place_of("/ruleset"), ..problem },
        Some(_) => problem,
    };
    problems.into_iter().map(each).collect()
}

/// The folder that the game's rules may not lead out of.
pub(super) fn game_folder(global: &Global) -> PathBuf {
    files::home(global.file.parent().unwrap_or(Path::new("")))
}

/// The gamestate with its rules if there is one, else the rules that come with the program.
pub(super) fn rules_at_hand(global: &Global) -> Result<(Arc<Ruleset>, Option<Game>), Vec<Problem>> {
    if global.file.exists() && global.rules.is_none() {
        let session = Session::open(global)?;
        return Ok((session.ruleset, session.game));
    }
    Ok((ruleset(global, "cycle-15")?, None))
}
