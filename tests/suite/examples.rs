//! The examples: a whole game from `init` to its winner, and the file that it ends with.

use std::process::Command;

use crate::repository::same_as_page;
use crate::support::{read, root};

/// 290 commands, each a process of its own.
#[test]
fn the_month_ends_with_its_file_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = root("examples/month.sh");
    let mut command = Command::new("bash");
    command.arg(script).arg(folder.path()).env("REFEREE", env!("CARGO_BIN_EXE_referee"));
    let output = command.output().expect("bash runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    let played = std::fs::read_to_string(folder.path().join("gamestate.yaml")).expect("the file is there");
    assert!(played.contains("\n  winners: [Bram]") || played.contains("winners:\n    - Bram"), "Bram has won");
    same_as_page("examples/month.yaml", &played);
    let verified = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["-f", &root("examples/month.yaml").display().to_string(), "verify"])
        .output()
        .expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&verified.stdout), String::from_utf8_lossy(&verified.stderr));
    assert!(verified.status.success() && said.contains(", 0 findings") && !said.contains("not-checkable"), "{said}");
    assert!(read("examples/month.yaml").contains("ruleset: month/rules/duckling"), "the last proposal's rules");
}
