//! The words of the program in one folder, `tests/words/`: a text for every code of a refusal, every code of a problem, and
//! every command. `REFEREE_UPDATE=1 cargo test --test suite words` renews them; read them before you accept them.

mod commands;
mod problem_scenes;
mod problems;
mod refusals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tempfile::TempDir;

use crate::errors::referee;
use crate::support::{files_below, root};

/// A game of a few spaces, in which Ann and Bob have not acted yet.
const GAME: &str = "format: 1
ruleset: cycle-15
started: 2024-01-05T00:00:00Z
phase: 2
players:
  Ann: {location: 0, items: {Duck: 1, Shard: 3}}
  Bob: {location: 1}
spaces:
  0: {type: Crystal, successors: [1]}
  1: {successors: [2, 3]}
  2: {successors: [4]}
  3: {successors: [4]}
  4: {successors: [0]}
log: []
";

/// Files of a folder besides `gamestate.yaml`, which has `GAME` unless it is listed, and what is done there.
struct Scene<'a> {
    /// The name of the snapshot.
    name: &'a str,
    /// Each file by its path and text.
    files: &'a [(&'a str, &'a str)],
    /// Command lines; the snapshot shows the last one. `edit FILE` with an old and a new text changes a file, `copy`
    /// copies one, `lock` makes one read-only, and `fill` writes one of 5 MB; all other lines are the program's.
    lines: &'a [&'a str],
}

/// Plays scenes, four at a time; returns the text of each by its name.
fn play(scenes: &[Scene]) -> BTreeMap<String, String> {
    let played: Vec<(String, Result<String, String>)> = std::thread::scope(|scope| {
        let shares = scenes.chunks(scenes.len().div_ceil(4));
        let workers: Vec<_> = shares
            .map(|share| {
                scope.spawn(|| share.iter().map(|scene| (scene.name.to_owned(), played(scene))).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no scene panics")).collect()
    });
    let wrong: Vec<String> =
        played.iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_ref().err()?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    played.into_iter().filter_map(|(name, text)| Some((name, text.ok()?))).collect()
}

/// Plays a scene in a new folder; returns its last line and what that printed.
fn played(scene: &Scene) -> Result<String, String> {
    let folder = TempDir::new().expect("a temporary folder");
    let folder = folder.path();
    write(folder, "gamestate.yaml", GAME);
    for (path, text) in scene.files {
        write(folder, path, text);
    }
    let (last, before) = scene.lines.split_last().expect("a scene has a line");
    before.iter().try_for_each(|line| step(folder, line))?;
    Ok(shown(folder, last))
}

/// Runs one line that is not shown.
fn step(folder: &Path, line: &str) -> Result<(), String> {
    let words = shlex::split(line).expect("words");
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["edit", file, old, new] => {
            let text = std::fs::read_to_string(folder.join(file)).expect("a file of the scene");
            if !text.contains(old) {
                return Err(format!("{file} has no `{old}`:\n{text}"));
            }
            write(folder, file, &text.replacen(old, new, 1));
        }
        ["copy", file, to] => write(folder, to, &std::fs::read_to_string(folder.join(file)).expect("a file")),
        ["fill", file] => write(folder, file, &"# not a rule\n".repeat(400_000)),
        ["lock", file] => {
            let path = folder.join(file);
            let mut permissions = std::fs::metadata(&path).expect("a file").permissions();
            permissions.set_readonly(true);
            std::fs::set_permissions(&path, permissions).expect("it can be locked");
        }
        _ => {
            let output = referee(folder, line).output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if !matches!(output.status.code(), Some(0 | 4)) {
                return Err(format!("{line}\n{said}"));
            }
        }
    }
    Ok(())
}

/// Runs one line and shows it with what it printed and its exit code, without what differs between machines.
fn shown(folder: &Path, line: &str) -> String {
    let output = referee(folder, line).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().expect("an exit code");
    let place = folder.canonicalize().expect("the folder is there");
    let printed = printed.replace(place.to_str().expect("a plain path"), "FOLDER");
    format!("$ referee {line}\n{}\n[exit code {code}]\n", without_hashes(printed.trim_end()))
}

/// Replaces the hashes of rulesets, which follow an `@` or a `+` and change with every rule file.
fn without_hashes(text: &str) -> String {
    let mut shown = String::new();
    for part in text.split_inclusive(['@', '+']) {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let is_hash = part.len() - rest.len() >= 8 && shown.ends_with(['@', '+']);
        shown += if is_hash { "HASH" } else { "" };
        shown += if is_hash { rest } else { part };
    }
    shown
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
    std::fs::write(path, text).expect("a writable file");
}

/// Compares the texts with the files of a folder below `tests/words/`, which has no other files; renews them if
/// `REFEREE_UPDATE` is set.
fn compare(folder: &str, texts: &BTreeMap<String, String>) {
    let path = root(&format!("tests/words/{folder}"));
    if std::env::var_os("REFEREE_UPDATE").is_some() {
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a writable folder");
        for (name, text) in texts {
            std::fs::write(path.join(format!("{name}.txt")), text).expect("a writable file");
        }
    }
    let hint = "REFEREE_UPDATE=1 cargo test --test suite words";
    let found: BTreeSet<String> =
        files_below(&path).iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    let wanted: BTreeSet<String> = texts.keys().map(|name| format!("{name}.txt")).collect();
    assert_eq!(found, wanted, "{hint}");
    let differing: Vec<String> = texts
        .iter()
        .filter_map(|(name, text)| {
            let file = std::fs::read_to_string(path.join(format!("{name}.txt"))).expect("it was found");
            (file != *text)
                .then(|| format!("tests/words/{folder}/{name}.txt has\n{file}\nbut the program says\n{text}"))
        })
        .collect();
    assert!(differing.is_empty(), "{}\n{hint}", differing.join("\n"));
}

/// Returns the name of a file for a code, such as `yaml-tab` for `yaml::tab`.
fn file_name(code: &str) -> String {
    code.replace("::", "-").replace(' ', "-")
}
