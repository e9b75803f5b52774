//! Folders of rules. They come with a game or in a pull request, so nothing in them is taken on trust: what is read lies in
//! the game's repository, is a regular file of a known ending, and has a bound in number, depth and size.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::failed;
use crate::diagnostic::Problem;
use crate::ruleset::Files;

/// The most rule files that a ruleset and those below it may have.
const FILES: usize = 5_000;
/// The most entries of folders that are looked at.
const ENTRIES: usize = 50_000;
/// How deep folders may nest, and rulesets may build on each other.
const LEVELS: usize = 16;
/// The most bytes of one rule file, and of all.
const ONE: u64 = 4 << 20;
const ALL: u64 = 32 << 20;

/// Returns the folder that rules may not lead out of: the nearest one upward that git keeps, else the folder itself.
pub fn home(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let kept = whole.ancestors().find(|above| above.join(".git").exists());
    kept.map_or_else(|| whole.clone(), Path::to_owned)
}

/// Reads every rule file of a ruleset folder, and of the folders on which it builds; none may lie outside `home`.
///
/// # Errors
/// `cannot-read` if a part of it cannot be read or is not a regular file, `outside` if it leads out of `home`, `too-large` if
/// it is more than a ruleset can be, `no-base` if it builds on itself.
pub fn read_ruleset(folder: &Path, shown: &str, home: &Path) -> Result<Files, Problem> {
    Walk { home: home.to_owned(), ..Walk::default() }.ruleset(folder, shown)
}

/// What has been looked at so far.
#[derive(Default)]
struct Walk {
    home: PathBuf,
    rulesets: Vec<PathBuf>,
    folders: BTreeSet<PathBuf>,
    entries: usize,
    files: usize,
    bytes: u64,
}

impl Walk {
    fn ruleset(&mut self, folder: &Path, shown: &str) -> Result<Files, Problem> {
        let whole = self.within(folder, shown)?;
        if self.rulesets.contains(&whole) || self.rulesets.len() >= LEVELS {
            return Err(Problem::new("no-base", format!("{shown} builds on folders without an end")));
        }
        self.rulesets.push(whole.clone());
        // A folder that is not a ruleset is not searched: it may hold anything.
        if !whole.join("ruleset.yaml").is_file() {
            let problem = Problem::new("no-ruleset", format!("{shown} has no ruleset.yaml"));
            return Err(problem.help("`referee rules eject` writes a whole ruleset folder to start from"));
        }
        let mut files = Files { folder: shown.to_owned(), ..Files::default() };
        self.folder(&whole, "", shown, &mut files, 0)?;
        let Some(base) = files.base_folder() else { return Ok(files.with_switches()) };
        let base_shown = format!("{shown}/{base}");
        if Path::new(&base).components().any(|part| !matches!(part, Component::Normal(_) | Component::ParentDir)) {
            let problem =
                Problem::new("no-base", format!("{shown} builds on `{base}`, which is not a folder beside it"));
            return Err(problem.help("`base` is a ruleset that comes with the program, or a path such as ../other"));
        }
        files.base = Some(Box::new(self.ruleset(&folder.join(&base), &base_shown)?));
        // The list of switches is that of the ruleset below, unless the folder has one of its own.
        Ok(files)
    }

    /// Returns the whole path of something that must lie within the home folder.
    fn within(&self, path: &Path, shown: &str) -> Result<PathBuf, Problem> {
        let whole = fs::canonicalize(path)
            .map_err(|error| failed("cannot-read", Path::new(shown), "cannot be read", &error))?;
        if whole.starts_with(&self.home) {
            return Ok(whole);
        }
        let problem = Problem::new("outside", format!("{shown} leads out of the game's repository; it was not read"));
        Err(problem.help("rules are files of the game's own repository: copy them there"))
    }

    fn folder(
        &mut self,
        whole: &Path,
        inner: &str,
        shown: &str,
        files: &mut Files,
        level: usize,
    ) -> Result<(), Problem> {
        let here = if inner.is_empty() { shown.to_owned() } else { format!("{shown}/{inner}") };
        if level > LEVELS {
            return Err(too_large(&here, &format!("has more than {LEVELS} folders within each other")));
        }
        if !self.folders.insert(whole.to_owned()) {
            return Err(Problem::new("cannot-read", format!("{here} is a link to a folder that is read already")));
        }
        let unread = |error| failed("cannot-read", Path::new(&here), "cannot be read", &error);
        for entry in fs::read_dir(whole).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            self.entries += 1;
            if self.entries > ENTRIES {
                return Err(too_large(shown, &format!("holds more than {ENTRIES} files")));
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if inner.is_empty() { name.clone() } else { format!("{inner}/{name}") };
            let said = format!("{shown}/{path}");
            let is_rule = Path::new(&name).extension().is_some_and(|end| end == "yaml" || end == "star");
            let kind = entry.file_type().map_err(unread)?;
            let (target, kind) = if kind.is_symlink() {
                let target = self.within(&entry.path(), &said)?;
                let kind = fs::metadata(&target).map_err(unread)?.file_type();
                (target, kind)
            } else {
                (entry.path(), kind)
            };
            if kind.is_dir() && !name.starts_with('.') {
                self.folder(&target, &path, shown, files, level + 1)?;
            } else if kind.is_file() && is_rule {
                files.texts.insert(path, self.file(&target, &said)?.into());
            } else if is_rule && !kind.is_dir() {
                return Err(Problem::new("cannot-read", format!("{said} is not a regular file; it was not read")));
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, said: &str) -> Result<String, Problem> {
        let unread = |error| failed("cannot-read", Path::new(said), "cannot be read", &error);
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(ONE + 1).read_to_end(&mut bytes)).map_err(unread)?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        if bytes.len() as u64 > ONE {
            return Err(too_large(said, &format!("is larger than {} MiB", ONE >> 20)));
        }
        if self.files > FILES || self.bytes > ALL {
            return Err(too_large(said, &format!("is beyond {FILES} rule files or {} MiB of them", ALL >> 20)));
        }
        String::from_utf8(bytes).map_err(|_| Problem::new("cannot-read", format!("{said} is not written in UTF-8")))
    }
}

fn too_large(shown: &str, what: &str) -> Problem {
    Problem::new("too-large", format!("{shown} {what}; no ruleset needs that"))
}

/// Returns all files below a path that end in `.yaml`, in order; of a file, itself. Links are not followed.
///
/// # Errors
/// `cannot-read` if a part of it cannot be read, `too-large` if it holds more than can be meant.
pub fn yaml_files(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut entries = 0;
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        let inner = fs::read_dir(&folder).map_err(|error| failed("cannot-read", &folder, "cannot be read", &error))?;
        for entry in inner.flatten() {
            entries += 1;
            if entries > ENTRIES {
                return Err(too_large(&path.display().to_string(), &format!("holds more than {ENTRIES} files")));
            }
            let (path, kind) = (entry.path(), entry.file_type());
            if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
                open.push(path);
            } else if kind.is_ok_and(|kind| kind.is_file()) && path.extension().is_some_and(|end| end == "yaml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
