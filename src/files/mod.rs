//! The only folder that touches the disk: whole files in, whole files out. `folder` reads folders of rules, which somebody
//! else may have written.

#![expect(clippy::disallowed_methods, reason = "the one folder that touches the disk")]

mod folder;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

pub use folder::{home, read_ruleset, yaml_files};

use crate::diagnostic::Problem;

/// The most that a file may hold; a game of a hundred thousand spaces has a tenth of it.
const LARGEST: u64 = 128 << 20;

fn failed(code: &'static str, path: &Path, what: &str, error: &io::Error) -> Problem {
    Problem::new(code, format!("{}: {what}: {error}", path.display()))
}

/// Reads a whole file.
///
/// # Errors
/// `cannot-read` where it is not there, not readable or larger than 128 mebibytes.
pub fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let metadata = fs::metadata(path).map_err(|error| {
        let problem = failed("cannot-read", path, "cannot be read", &error);
        if error.kind() == io::ErrorKind::NotFound {
            return problem.help("name the file with -f, or make one with `referee init`");
        }
        problem
    })?;
    // What is no plain file says nothing of its size, so no more is read than may be there.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(LARGEST)).unwrap_or(0));
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| failed("cannot-read", path, "cannot be read", &error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Problem::new("cannot-read", format!("{}: larger than 128 MiB", path.display())));
    }
    Ok(bytes)
}

/// How the names of half-written files begin.
const LITTER: &str = ".referee-write-";

/// Looks whether a folder can be filled: it is not there, or holds nothing.
///
/// # Errors
/// `exists` where something is there, `cannot-read` where that cannot be seen.
pub fn free(folder: &Path) -> Result<(), Problem> {
    match fs::read_dir(folder).map(|mut entries| entries.next()) {
        Ok(None) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(Some(_)) => {
            let problem = Problem::new("exists", format!("{} holds something; nothing was written", folder.display()));
            Err(problem.help("name another place, or move it out of the way"))
        }
        Err(error) => Err(failed("cannot-read", folder, "cannot be read", &error)),
    }
}

/// Writes a file that is not there yet, with the folders above it.
///
/// # Errors
/// `exists` where it is there, `cannot-write` where it cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Problem> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("cannot-write", folder, "cannot be made", &error))?;
    }
    let mut file = File::create_new(path).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            let problem = Problem::new("exists", format!("{} is there already; nothing was written", path.display()));
            return problem.help("name another place, or move the file out of the way");
        }
        failed("cannot-write", path, "cannot be written", &error)
    })?;
    file.write_all(text.as_bytes()).map_err(|error| failed("cannot-write", path, "cannot be written", &error))
}

/// Takes away what a process that was killed while it wrote has left: who holds the lock is the only one who writes.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(LITTER));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Puts a new text in the place of `before`, whole: beside the old file first, then in its place. A symbolic link goes
/// on pointing where it points, and the file keeps its mode.
///
/// # Errors
/// `changed-meanwhile` where the file no longer holds `before`, and `cannot-write`. The file is then as it was.
pub fn replace(path: &Path, before: &[u8], after: &str) -> Result<(), Problem> {
    let real = fs::canonicalize(path).map_err(|error| failed("cannot-write", path, "cannot be written", &error))?;
    let write = |error: &io::Error| {
        failed("cannot-write", path, "cannot be written", error)
            .help("the file is as it was; check its permissions and the space left")
    };
    let metadata = fs::metadata(&real).map_err(|error| write(&error))?;
    if metadata.permissions().readonly() {
        return Err(Problem::new("cannot-write", format!("{} is read-only; nothing was written", path.display())));
    }
    let folder = real.parent().unwrap_or(Path::new("."));
    // The folder's own handle is the lock: it leaves no file behind.
    let lock = File::open(folder).map_err(|error| write(&error))?;
    lock.lock().map_err(|error| write(&error))?;
    let unchanged = || -> Result<(), Problem> {
        if fs::read(&real).map_err(|error| write(&error))? == before {
            return Ok(());
        }
        let problem = Problem::new(
            "changed-meanwhile",
            format!("{} was changed since it was read; nothing was written", path.display()),
        );
        Err(problem.help("look at the change and give the command again"))
    };
    unchanged()?;
    sweep(folder);
    let mut beside = tempfile::Builder::new().prefix(LITTER).tempfile_in(folder).map_err(|error| write(&error))?;
    beside.write_all(after.as_bytes()).map_err(|error| write(&error))?;
    beside.as_file().set_permissions(metadata.permissions()).map_err(|error| write(&error))?;
    beside.as_file().sync_all().map_err(|error| write(&error))?;
    unchanged()?;
    beside.persist(&real).map_err(|error| write(&error.error))?;
    // The name is on disk only once the folder is.
    lock.sync_all().map_err(|error| write(&error))
}
