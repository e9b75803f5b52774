//! What several tests need.

use std::ops::Div;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nomic_referee::ruleset::{Files, Ruleset};

/// A path of the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the repository.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The sample game as it comes with the program; the one at the top may have been played since.
pub fn sample() -> String {
    read("tests/data/gamestate.yaml")
}

/// The part of a full count that a run of the tests takes on: a twentieth, or all of it with `REFEREE_LONG` set, as `.ci/long`
/// sets it. The counts in the descriptions of tests are the full ones.
pub fn scaled<N: From<u8> + Div<Output = N>>(whole: N) -> N {
    if is_long() { whole } else { whole / N::from(20) }
}

/// Whether the full counts are run, so that what is rare among the cases must turn up as well.
pub fn is_long() -> bool {
    std::env::var_os("REFEREE_LONG").is_some()
}

/// A ruleset that comes with the program.
pub fn rules_of(name: &str) -> Arc<Ruleset> {
    let files = Files::built_in(name).unwrap_or_else(|| panic!("no ruleset {name}"));
    Arc::new(Ruleset::load(&files).unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// A ruleset in a folder of the repository.
pub fn folder_rulebook(folder: &str) -> Arc<Ruleset> {
    let mut files = Files { folder: folder.to_owned(), ..Files::default() };
    for path in files_below(&root(folder)) {
        let name = path.strip_prefix(root(folder)).expect("below it").to_str().expect("a plain name").to_owned();
        files.texts.insert(name, std::fs::read_to_string(&path).expect("a readable file").into());
    }
    Arc::new(Ruleset::load(&files.with_switches()).unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// All files below a folder that end in `.yaml`, in order.
pub fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    files_below(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect()
}

/// All files below a folder, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
