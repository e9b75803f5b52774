//! Every case file, and every rule file's own cases.

use nomic_referee::cases::{CaseResult, run_text};
use nomic_referee::ruleset::Files;

use crate::support::{folder_rulebook, root, rules_of, yaml_files};

pub fn all() -> Vec<CaseResult> {
    let built_in = Files::built_in_names().into_iter().map(|name| (name, rules_of(name)));
    let extras = ("tests/rulesets/extras", folder_rulebook("tests/rulesets/extras"));
    let known: Vec<_> = built_in.chain([extras]).collect();
    let mut rulesets = |name: &str| known.iter().find(|(own, _)| *own == name).map(|(_, rules)| rules.clone());
    let mut results = Vec::new();
    for file in yaml_files(&root("tests/cases")).into_iter().chain(yaml_files(&root("rules"))) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let name = file.strip_prefix(root("")).unwrap_or(&file).display().to_string();
        results.extend(run_text(&name, &text, &mut rulesets));
    }
    results
}

#[test]
fn every_case_holds() {
    let results = all();
    let failures: Vec<String> = results
        .iter()
        .filter_map(|result| Some(format!("{}: {}: {}", result.file, result.case, result.failure.as_ref()?)))
        .collect();
    assert!(
        failures.is_empty(),
        "{}\n{} passed, {} failed",
        failures.join("\n"),
        results.len() - failures.len(),
        failures.len()
    );
    assert!(results.len() >= 150, "only {} cases were found", results.len());
}
