//! The repository tests itself: pages that repeat the code agree with it, examples run, named paths exist.

use std::path::Path;
use std::sync::Arc;

use nomic_referee::cases::run_text;
use nomic_referee::engine;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::ruleset::{Files, Ruleset};

use crate::support::{read, root, rules_of, yaml_files};

/// Compares a page with what the code says, or renews it where `REFEREE_UPDATE` is set.
pub fn same_as_page(page: &str, wanted: &str) {
    let path = root(page);
    if std::env::var_os("REFEREE_UPDATE").is_some() {
        std::fs::write(&path, wanted).expect("a writable page");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "renew it with REFEREE_UPDATE=1 cargo test --test suite repository";
    assert!(found == wanted, "{page} is not what the code says; {hint}");
}

#[test]
fn the_vocabulary_page_is_the_vocabulary() {
    let head = "# Vocabulary\n\nWhat a rule can ask, read, change and say, beside the functions of the ruleset's own \
                `.star` files. This page is made from the code.\n\n";
    same_as_page("docs/vocabulary.md", &format!("{head}{}\n", engine::vocabulary().trim_end()));
}

#[test]
fn the_sample_game_is_sound() {
    let file = GamestateFile::parse("gamestate.yaml", &std::fs::read(root("gamestate.yaml")).unwrap()).unwrap();
    let checked = file.check(&rules_of("cycle-15"));
    assert!(checked.problems.is_empty(), "{:#?}", checked.problems);
    let game = checked.game.expect("a sound game");
    assert_eq!((game.board().len(), game.players().count()), (121, 20));
}

#[test]
fn the_sample_game_that_nobody_has_played_is_the_one_the_tests_use() {
    let top = read("gamestate.yaml");
    assert!(!top.ends_with("\nlog: []\n") || top == crate::support::sample(), "copy gamestate.yaml to tests/data");
}

#[test]
fn every_rule_text_of_the_built_in_rulesets_compiles() {
    for name in Files::built_in_names() {
        let problems = engine::check_scripts(&rules_of(name));
        assert!(problems.is_empty(), "{name}: {problems:#?}");
    }
}

#[test]
fn all_98_rows_of_garbage_and_all_97_switches_are_there() {
    let ruleset = rules_of("cycle-15");
    let numbers: Vec<i64> = ruleset.items().iter().filter_map(|item| item.number).collect();
    assert_eq!(numbers, (1..=98).collect::<Vec<_>>());
    assert_eq!(ruleset.switches.len(), 97);
    assert_eq!(ruleset.space_types().count(), 17);
}

#[test]
fn every_rule_file_has_a_text_of_its_own() {
    for file in yaml_files(&root("rules/cycle-15")) {
        let document = nomic_referee::yaml::Document::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let top = document.root();
        if top.get("name").is_some() && top.get("actions").is_none() {
            assert!(top.get("text").is_some(), "{} has no text", file.display());
            assert!(top.get("cites").is_some(), "{} cites nothing", file.display());
        }
    }
}

#[test]
fn the_rule_in_the_docs_works_as_it_is_printed() {
    let page = read("docs/writing-rules.md");
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    files.texts.insert("ruleset.yaml".into(), blocks[0].to_owned().into());
    files.texts.insert("spaces/trampoline.yaml".into(), blocks[1].to_owned().into());
    let ruleset = Arc::new(Ruleset::load(&files.with_switches()).unwrap());
    assert!(engine::check_scripts(&ruleset).is_empty(), "{:#?}", engine::check_scripts(&ruleset));
    let results = run_text("trampoline.yaml", blocks[1], &mut |_| Some(ruleset.clone()));
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].failure, None);
}

#[test]
fn every_path_named_in_the_architecture_exists() {
    let page = read("ARCHITECTURE.md");
    for name in page.split('`').skip(1).step_by(2) {
        let is_path = name.contains('/') && !name.contains([' ', '(', '<', '*']);
        assert!(!is_path || root(name).exists(), "ARCHITECTURE.md names {name}, which is not there");
    }
}

#[test]
fn the_core_reads_no_clock_no_dice_and_no_disk() {
    let outside = ["src/cli", "src/files", "src/main.rs"];
    for file in crate::support::files_below(&root("src")) {
        let name = file.strip_prefix(root("")).unwrap().to_str().unwrap().to_owned();
        if outside.iter().any(|edge| Path::new(&name).starts_with(edge)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in ["std::fs", "SystemTime", "Instant::now", "Timestamp::now", "rand::", "println!", "std::env"] {
            assert!(!code.contains(word) || name.contains("tests"), "{name} uses {word}");
        }
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/gamestate.md", "docs/writing-rules.md"];
    for page in pages {
        let text = read(page);
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let target = root(page).parent().unwrap().join(link.split('#').next().unwrap());
            assert!(link.starts_with("http") || target.exists(), "{page} links to {link}");
        }
    }
}

#[test]
fn every_code_of_a_refusal_is_in_the_docs() {
    let page = read("docs/refusals.md");
    let mut found = 0;
    for file in crate::support::files_below(&root("src")).into_iter().chain(crate::support::files_below(&root("rules")))
    {
        let text = std::fs::read_to_string(&file).unwrap();
        for start in ["refusal(\"", "refuse(\"", "Refusal::new(\""] {
            for code in text.split(start).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                found += 1;
                assert!(
                    code == "usage" || page.contains(&format!("`{code}`")),
                    "{} refuses with {code}",
                    file.display()
                );
            }
        }
    }
    assert!(found > 15, "only {found} found");
}

#[test]
fn every_exit_code_is_in_the_readme_or_the_commands() {
    let page = read("docs/commands.md");
    for code in nomic_referee::cli::ExitCode::ALL {
        assert!(page.contains(&format!("| {} | {} |", code as i32, code.sentence())), "{code:?}");
    }
}

#[test]
fn the_map_in_the_readme_is_what_the_program_prints() {
    let page = read("README.md");
    let game = tempfile::tempdir().unwrap();
    let block = between(&page, "$ referee init --ruleset world-map", "```");
    let mut printed = String::new();
    let play = "move ann --roll 2 --path North,East -s resource=Wood";
    for command in ["init --ruleset world-map --players ann,bo", "tick-phase", play] {
        assert!(
            format!("$ referee init --ruleset world-map{block}").contains(&format!("$ referee {command}")),
            "{command}"
        );
        let output = crate::errors::referee(game.path(), command).output().unwrap();
        assert!(output.status.success(), "{command}");
        printed = String::from_utf8(output.stdout).unwrap();
    }
    let table = between(&printed, "Resolution\n", "\n\n");
    assert!(block.contains(table), "the README does not show\n{table}");
}

/// The text between two marks of a page.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let rest = page.split_once(start).unwrap_or_else(|| panic!("no {start}")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

#[test]
fn the_worked_turn_in_the_readme_is_what_the_program_prints() {
    let page = read("README.md");
    let folder = crate::errors::folder(crate::support::sample());
    let command = between(&page, "cargo run -- ", "\n");
    let output = crate::errors::referee(folder.path(), command).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = between(&page, "```text\n", "```");
    let folder = crate::errors::folder(crate::support::sample());
    let fork = between(&page, "```text\n$ referee ", "$ referee resume");
    let (command, open) = fork.split_once('\n').unwrap();
    let output = crate::errors::referee(folder.path(), command).output().unwrap();
    let asked = String::from_utf8(output.stderr).unwrap();
    if std::env::var_os("REFEREE_UPDATE").is_some() {
        let renewed = page.replacen(shown, &printed, 1).replacen(open, &asked, 1);
        std::fs::write(root("README.md"), renewed).unwrap();
        return;
    }
    assert_eq!((shown, open), (printed.as_str(), asked.as_str()), "renew it with REFEREE_UPDATE=1");
    assert_eq!(output.status.code(), Some(4));
}

/// The program knows no game: what a ruleset calls its space types, items, resources and phases stands in its rule files.
/// Comments, and the examples of help texts, are about a game all the same.
#[test]
fn no_name_of_any_game_stands_in_the_program() {
    let mut names: Vec<String> =
        ["Wood", "Metal", "Water", "Food", "Shard", "Summoning Whistle"].map(str::to_owned).to_vec();
    for ruleset in Files::built_in_names() {
        let rules = rules_of(ruleset);
        names.extend(rules.space_types().map(|rule| rule.name.to_string()));
        names.extend(rules.items().iter().map(|item| item.name.to_string()));
        // A name such as II is one only where it stands alone in quotes.
        names.extend(rules.declared.calendar.iter().map(|(phase, _)| format!("\"{phase}\"")));
        let steps = rules.declared.settings.iter().filter(|field| &*field.name == "steps");
        names.extend(steps.flat_map(|steps| steps.default.items()).map(ToString::to_string));
    }
    assert!(["rule-change", "\"II\""].iter().all(|phase| names.iter().any(|name| name == phase)), "{names:?}");
    // What is a word of the program's own as well.
    names.retain(|name| name != "Plain");
    assert!(names.len() > 110, "{} names", names.len());
    for file in crate::support::files_below(&root("src")) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_test = file.components().any(|part| part.as_os_str() == "tests") || file.ends_with("tests.rs");
        for (number, line) in code.lines().enumerate().filter(|_| !is_test) {
            let line = line.split("//").next().unwrap_or_default();
            if line.contains("after_help") {
                continue;
            }
            for name in &names {
                let stands = line.match_indices(name.as_str()).any(|(at, _)| {
                    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    !letter(line[..at].chars().next_back()) && !letter(line[at + name.len()..].chars().next())
                });
                assert!(!stands, "{}:{}: {name}", file.display(), number + 1);
            }
        }
    }
}
