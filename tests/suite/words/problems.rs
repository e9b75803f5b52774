//! Every code of a problem in the sources: what `check`, `verify` and the commands print of a small wrong file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nomic_referee::diagnostic::Problem;
use nomic_referee::engine::check_scripts;
use nomic_referee::files::replace;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::ruleset::{Files, Ruleset};
use nomic_referee::view;

use super::problem_scenes::{GAMESTATES, RULES, SCENES};
use super::{GAME, Scene, compare, file_name, play};
use crate::cheats;
use crate::support::{files_below, root, rules_of};

/// Codes of problems that no test can cause: a file of more than two gigabytes, a system without random numbers, and an edit of
/// which the program itself finds that it is wrong.
const CANNOT_BE_CAUSED: [&str; 4] = ["yaml::too-large", "no-randomness", "cannot-run", "cannot-edit"];

/// Returns the problems of the game with one text in place of another.
fn of_gamestate(code: &str, old: &str, new: &str) -> Vec<Problem> {
    assert!(GAME.contains(old), "{code}: {old}");
    let text = GAME.replacen(old, new, 1);
    let bytes: Vec<u8> = match code {
        "yaml::not-utf8" => text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect(),
        _ => text.into_bytes(),
    };
    let rules = rules_of("cycle-15");
    match GamestateFile::parse("gamestate.yaml", &bytes) {
        Err(problems) => problems.into(),
        Ok(file) => {
            let checked = file.check(&rules);
            let warnings = checked.game.as_ref().map(|game| file.lint(&rules, game)).unwrap_or_default();
            checked.problems.into_iter().chain(warnings).collect()
        }
    }
}

/// Returns the problems of rules with these lines in `ruleset.yaml` and this file.
fn of_rules(lines: &str, path: &str, text: &str) -> Vec<Problem> {
    let mut files = Files { folder: "ours".into(), ..Files::default() };
    let base = if lines.contains("base:") { "" } else { "base: cycle-15\n" };
    files.texts.insert("ruleset.yaml".into(), format!("{base}name: ours\ntitle: Ours\n{lines}").into());
    if !path.is_empty() {
        files.texts.insert(path.to_owned(), text.to_owned().into());
    }
    match Ruleset::load(&files.with_switches()) {
        Ok(ruleset) => check_scripts(&Arc::new(ruleset)),
        Err(problems) => problems.into(),
    }
}

/// Shows the first problem with this code.
fn first(code: &str, problems: &[Problem]) -> String {
    let problem = problems.iter().find(|problem| problem.code == code);
    problem.map_or_else(|| format!("{problems:#?}"), |problem| view::problems(std::slice::from_ref(problem), false))
}

/// Returns the texts, each by the code of its problem.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for &(code, old, new) in GAMESTATES {
        texts.insert(code.to_owned(), first(code, &of_gamestate(code, old, new)));
    }
    for &(code, lines, path, text) in RULES {
        texts.entry(code.to_owned()).or_insert_with(|| first(code, &of_rules(lines, path, text)));
    }
    let empty = Files { folder: "ours".into(), ..Files::default() };
    let none: Vec<Problem> = Ruleset::load(&empty).expect_err("rules without a file do not load").into();
    texts.insert("no-ruleset".into(), first("no-ruleset", &none));
    let (game, rounds) = (cheats::gamestate("dice: {by: beacon, since: 2023-08-18T00:00:00Z}"), cheats::beacons());
    let moves = [("Bob", 1000), ("Ann", 1001)]
        .map(|(who, number)| format!("move {who} --no-input --decline --link {}", cheats::link(number, 1)));
    let swapped = format!("edit gamestate.yaml {} {}", cheats::link(1000, 1), cheats::link(1002, 1));
    let late = Scene {
        name: "out-of-order",
        files: &[("gamestate.yaml", &game), ("beacons.jsonl", &rounds)],
        lines: &[&moves[0], &moves[1], &swapped, "verify"],
    };
    texts.extend(play(&[late]));
    for (code, text) in play(SCENES) {
        texts.insert(code, text);
    }
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join("gamestate.yaml");
    std::fs::write(&path, "of another program").expect("a writable folder");
    let changed = replace(&path, b"as it was read", "new").expect_err("the file has changed");
    let shown = first("changed-meanwhile", &[changed]).replace(folder.path().to_str().expect("a plain path"), "FOLDER");
    // The path is of another length on each machine, so lines break at other places.
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    texts.insert("changed-meanwhile".into(), shown + "\n");
    texts
}

/// Returns the codes that the sources give to problems: the first argument of each call that makes one, or the second if
/// the first is the place.
fn codes() -> BTreeSet<String> {
    let is_code = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':')
    };
    let mut codes = BTreeSet::new();
    for file in files_below(&root("src")) {
        let name = file.strip_prefix(root("src")).expect("below it").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if name.contains("tests") {
            continue;
        }
        for start in [
            "Problem::new(",
            "problem(",
            "problem_at(",
            "warn(",
            "failed(",
            "found(",
            "found.push((",
            "Finding { code: ",
            "            code: ",
        ] {
            for (at, _) in code.match_indices(start) {
                // Other functions end in the same letters, and structs of refusals have codes as well.
                let other = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let rest = code[at + start.len()..].trim_start();
                if other || start.ends_with("code: ") && !name.contains("verify") {
                    continue;
                }
                let literal = |text: &str| {
                    text.strip_prefix('"')
                        .and_then(|rest| rest.split_once('"'))
                        .map(|(own, rest)| (own.to_owned(), rest.to_owned()))
                };
                let found = match literal(rest) {
                    Some((own, rest)) => {
                        let next = literal(rest.trim_start_matches(',').trim_start())
                            .filter(|(next, _)| start == "problem(" && is_code(next));
                        Some(next.map_or(own, |(next, _)| next))
                    }
                    None if start == "problem(" => rest.split_once(", \"").and_then(|(place, rest)| {
                        let call = !place.contains([';', '{']) || place.starts_with("&format!");
                        rest.split('"').next().filter(|_| call).map(str::to_owned)
                    }),
                    None => None,
                };
                codes.extend(found.filter(|code| is_code(code)));
            }
        }
    }
    codes
}

#[test]
fn every_problem_has_its_words_in_the_folder() {
    let texts = texts();
    compare("problems", &texts.iter().map(|(code, text)| (file_name(code), text.clone())).collect());
    let codes = codes();
    assert!(codes.len() > 80, "only {} codes: {codes:?}", codes.len());
    let shown = |code: &&String| !texts.contains_key(*code) && !CANNOT_BE_CAUSED.contains(&code.as_str());
    let missing: Vec<&String> = codes.iter().filter(shown).collect();
    assert!(missing.is_empty(), "no scene has the problems {missing:?}");
    // What clap says of a wrong command line has no code before it.
    let strangers: Vec<&String> =
        texts.iter().filter(|(code, text)| *code != "usage" && !text.contains(*code)).map(|(_, text)| text).collect();
    assert!(strangers.is_empty(), "{}", strangers.into_iter().cloned().collect::<String>());
}
