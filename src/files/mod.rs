//! Reads and writes whole files. No other folder touches the disk. `folder` reads folders of rules, which may come from a
//! stranger.

#![expect(clippy::disallowed_methods, reason = "the one folder that touches the disk")]

mod folder;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

pub use folder::{home, read_ruleset, yaml_files};

use crate::diagnostic::Problem;

/// The largest file that is read, in bytes; a game of 100,000 spaces needs a tenth of it.
const LARGEST: u64 = 128 << 20;

fn failed(code: &'static str, path: &Path, what: &str, error: &io::Error) -> Problem {
    Problem::new(code, format!("{}: {what}: {error}", path.display()))
}

/// Reads a whole file.
///
/// # Errors
/// `cannot-read` if it does not exist, cannot be read or is larger than 128 mebibytes.
pub fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let metadata = fs::metadata(path).map_err(|error| {
        let problem = failed("cannot-read", path, "cannot be read", &error);
        if error.kind() == io::ErrorKind::NotFound {
            return problem.help("name the file with -f, or create one with `referee init`");
        }
        problem
    })?;
    // A pipe or device has no size, so no more than the limit is read.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(LARGEST)).unwrap_or(0));
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| failed("cannot-read", path, "cannot be read", &error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Problem::new("cannot-read", format!("{}: larger than 128 MiB", path.display())));
    }
    Ok(bytes)
}

/// The beginning of the names of half-written files.
const TEMPORARY: &str = ".referee-write-";

/// Checks that a folder does not exist or is empty.
///
/// # Errors
/// `exists` if it is not empty, `cannot-read` if it cannot be read.
pub fn free(folder: &Path) -> Result<(), Problem> {
    match fs::read_dir(folder).map(|mut entries| entries.next()) {
        Ok(None) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(Some(_)) => {
            let problem = Problem::new("exists", format!("{} is not empty; nothing written", folder.display()));
            Err(problem.help("name another folder, or move this one away"))
        }
        Err(error) => Err(failed("cannot-read", folder, "cannot be read", &error)),
    }
}

/// Creates a file, with the folders above it.
///
/// # Errors
/// `exists` if the file exists, `cannot-write` if it cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Problem> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("cannot-write", folder, "cannot be created", &error))?;
    }
    let mut file = File::create_new(path).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            let problem = Problem::new("exists", format!("{} already exists; nothing written", path.display()));
            return problem.help("name another file, or move this one away");
        }
        failed("cannot-write", path, "cannot be written", &error)
    })?;
    file.write_all(text.as_bytes()).map_err(|error| failed("cannot-write", path, "cannot be written", &error))
}

/// Removes what a process left that was killed while writing. The caller holds the lock, so no other process is writing.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(TEMPORARY));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Replaces the text `before` of a file with a new one: writes a temporary file beside it, which then takes its name. A
/// symbolic link keeps its target, and the file keeps its mode.
///
/// # Errors
/// `changed-meanwhile` if the file no longer contains `before`, and `cannot-write`. The file is then unchanged.
pub fn replace(path: &Path, before: &[u8], after: &str) -> Result<(), Problem> {
    let real = fs::canonicalize(path).map_err(|error| failed("cannot-write", path, "cannot be written", &error))?;
    let write = |error: &io::Error| {
        failed("cannot-write", path, "cannot be written", error)
            .help("the file is unchanged; check its permissions and the free space on the disk")
    };
    let metadata = fs::metadata(&real).map_err(|error| write(&error))?;
    if metadata.permissions().readonly() {
        return Err(Problem::new("cannot-write", format!("{} is read-only; nothing written", path.display())));
    }
    let folder = real.parent().unwrap_or(Path::new("."));
    // The handle of the folder is the lock, so that no lock file is left.
    let lock = File::open(folder).map_err(|error| write(&error))?;
    lock.lock().map_err(|error| write(&error))?;
    let unchanged = || -> Result<(), Problem> {
        if fs::read(&real).map_err(|error| write(&error))? == before {
            return Ok(());
        }
        let problem = Problem::new(
            "changed-meanwhile",
            format!("{} has changed since it was read; nothing written", path.display()),
        );
        Err(problem.help("review the change and run the command again"))
    };
    unchanged()?;
    sweep(folder);
    let mut beside = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder).map_err(|error| write(&error))?;
    beside.write_all(after.as_bytes()).map_err(|error| write(&error))?;
    beside.as_file().set_permissions(metadata.permissions()).map_err(|error| write(&error))?;
    beside.as_file().sync_all().map_err(|error| write(&error))?;
    unchanged()?;
    beside.persist(&real).map_err(|error| write(&error.error))?;
    // The new name is on disk only after the folder is written.
    lock.sync_all().map_err(|error| write(&error))
}
