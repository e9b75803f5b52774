//! What several tests need.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nomic_referee::rulebook::{Files, Rulebook};

/// A path of the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A ruleset that comes with the program.
pub fn rulebook(name: &str) -> Arc<Rulebook> {
    let files = Files::built_in(name).unwrap_or_else(|| panic!("no ruleset {name}"));
    Arc::new(Rulebook::load(&files).unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// All files below a folder that end in `.yaml`, in order.
pub fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "yaml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
