//! The shape of the source: which file uses which, read off the `use` lines and the paths in the code.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{files_below, root};

/// The folders and lone files of `src/`, the lowest first. A file uses only what is on its own line or above it.
const ROOMS: [&str; 13] = [
    "data",
    "diagnostic",
    "yaml",
    "game",
    "protocol",
    "ruleset",
    "draws",
    "engine",
    "gamestate",
    "play",
    "cases",
    "view",
    "files",
];

/// Rooms above all others: they may use everything.
const EDGE: [&str; 3] = ["cli", "main", "lib"];

/// Files that are one table, and may therefore be long.
const TABLES: [&str; 0] = [];

/// One source file without its tests.
struct File {
    /// The path of its module, such as `["yaml", "edit", "plan"]`; that of `mod.rs` is its folder's.
    module: Vec<String>,
    code: String,
    lines: usize,
}

fn source_files() -> Vec<File> {
    let src = root("src");
    let rust = files_below(&src).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let files = rust.map(|path| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.strip_prefix(&src).expect("below it").with_extension("");
        let mut module: Vec<String> = name.iter().map(|part| part.to_str().expect("a plain name").to_owned()).collect();
        module.pop_if(|last| last == "mod");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        File { module, code, lines: text.lines().count() }
    });
    files.filter(|file| !file.module.iter().any(|part| part == "tests")).collect()
}

/// The paths that a text names, each as its parts: use trees are taken apart, and paths within code count as well.
fn paths(code: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    let plain: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut rest = plain.as_str();
    while let Some(at) = ["crate::", "super::", "self::"].iter().filter_map(|start| rest.find(start)).min() {
        let before = rest[..at].rsplit(['\n', ';']).next().unwrap_or_default().trim_start();
        let is_lent = before.starts_with("pub") && before.contains("use ");
        let is_use = before.contains("use ") || before.starts_with("use");
        let within = rest[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let end = if is_use {
            rest[at..].find(';').map_or(rest.len(), |end| at + end)
        } else {
            at + path_length(&rest[at..])
        };
        if !within {
            let mut names = Vec::new();
            expand(&rest[at..end], &[], &mut names);
            found.extend(names.into_iter().map(|path| (is_lent, path)));
        }
        rest = &rest[end.max(at + 5)..];
    }
    found
}

fn path_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len())
}

/// Takes a use tree apart, such as `crate::data::{Key, Value as Data}`.
fn expand(tree: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    match tree.find(['{', ',']) {
        Some(at) if tree.as_bytes()[at] == b'{' => {
            let mut path = before.to_vec();
            path.extend(tree[..at].split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned));
            let inner = &tree[at + 1..tree.rfind('}').unwrap_or(tree.len())];
            let (mut depth, mut start) = (0, 0);
            for (place, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
                match letter {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        if !inner[start..place].trim().is_empty() {
                            expand(&inner[start..place], &path, found);
                        }
                        start = place + 1;
                    }
                    _ => {}
                }
            }
        }
        _ => {
            let name = tree.split(" as ").next().unwrap_or_default();
            let parts = name.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
            found.push(before.iter().cloned().chain(parts).collect());
        }
    }
}

/// Follows a path to the file that holds what it names, through what modules pass on with `pub use`.
struct House {
    files: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
}

impl House {
    fn new(files: &[File]) -> Self {
        let mut passed = BTreeMap::new();
        for file in files {
            let on: BTreeMap<String, Vec<String>> = (file.code.split(';'))
                .filter_map(|line| {
                    let at = line.rfind("pub use ").or_else(|| line.rfind("pub(crate) use ")).or_else(|| {
                        line.rfind(") use ")
                            .filter(|at| line[..*at].rsplit('\n').next().is_some_and(|l| l.starts_with("pub(")))
                    })?;
                    let tree = line[at..].split_once("use ")?.1;
                    let mut names = Vec::new();
                    expand(tree, &[], &mut names);
                    Some(names)
                })
                .flatten()
                .filter_map(|path| Some((path.last()?.clone(), path)))
                .collect();
            passed.insert(file.module.clone(), on);
        }
        Self { files: passed }
    }

    /// The module of the file that a path seen in `from` leads to.
    fn holder(&self, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let mut at: Vec<String> = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            _ => from.to_vec(),
        };
        let skip = usize::from(matches!(path[0].as_str(), "crate" | "super" | "self"));
        for (place, part) in path.iter().enumerate().skip(skip) {
            if part == "super" {
                at.pop()?;
                continue;
            }
            let mut inner = at.clone();
            inner.push(part.clone());
            if self.files.contains_key(&inner) {
                at = inner;
                continue;
            }
            if let Some(on) = self.files.get(&at).and_then(|on| on.get(part)).filter(|_| depth < 8) {
                let mut on = on.clone();
                on.extend(path[place + 1..].iter().cloned());
                let found = self.holder(&at, &on, depth + 1);
                return found.or(Some(at));
            }
            break;
        }
        (!at.is_empty() && self.files.contains_key(&at)).then_some(at)
    }
}

/// Which file uses which: what a module passes on without using it does not count.
fn arrows(files: &[File]) -> BTreeSet<(Vec<String>, Vec<String>)> {
    let house = House::new(files);
    let mut found = BTreeSet::new();
    for file in files {
        for (passed_on, path) in paths(&file.code) {
            let Some(holder) = house.holder(&file.module, &path, 0) else { continue };
            if !passed_on && holder != file.module {
                found.insert((file.module.clone(), holder));
            }
        }
    }
    found
}

fn spelled(module: &[String]) -> String {
    module.join("/")
}

#[test]
fn no_file_uses_a_room_above_its_own() {
    let files = source_files();
    let floor = |module: &[String]| {
        ROOMS.iter().position(|room| *room == module[0]).or_else(|| EDGE.contains(&&*module[0]).then_some(ROOMS.len()))
    };
    let all = arrows(&files);
    assert!(all.len() > 250, "only {} arrows found", all.len());
    let mut wrong = Vec::new();
    for (from, to) in &all {
        let (Some(lower), Some(upper)) = (floor(to), floor(from)) else {
            panic!("{} or {} is in no room of the list", spelled(from), spelled(to))
        };
        if lower > upper {
            wrong.push(format!("{} uses {}", spelled(from), spelled(to)));
        }
    }
    assert!(wrong.is_empty(), "arrows that run upwards:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let files = source_files();
    let all = arrows(&files);
    let mut reached: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (from, to) in &all {
        reached.entry(from).or_default().insert(to);
    }
    loop {
        let mut grown = false;
        for from in reached.keys().copied().collect::<Vec<_>>() {
            let next: BTreeSet<&[String]> =
                reached[from].iter().filter_map(|via| reached.get(via)).flatten().copied().collect();
            let own = reached.get_mut(from).expect("a key of the map");
            let before = own.len();
            own.extend(next);
            grown |= own.len() > before;
        }
        if !grown {
            break;
        }
    }
    let circles: Vec<String> = (all.iter())
        .filter(|(from, to)| reached.get(to.as_slice()).is_some_and(|on| on.contains(from.as_slice())))
        .map(|(from, to)| format!("{} -> {}", spelled(from), spelled(to)))
        .collect();
    assert!(circles.is_empty(), "files in a circle:\n{}", circles.join("\n"));
}

#[test]
fn no_file_is_long_unless_it_is_one_table() {
    let long: Vec<String> = (source_files().iter())
        .filter(|file| file.lines > 400 && !TABLES.contains(&&*spelled(&file.module)))
        .map(|file| format!("{}: {} lines", spelled(&file.module), file.lines))
        .collect();
    assert!(long.is_empty(), "files over 400 lines:\n{}", long.join("\n"));
    assert!(TABLES.iter().all(|table| root(&format!("src/{table}.rs")).exists()), "a table that is gone");
}

#[test]
fn a_use_tree_is_taken_apart() {
    let code = "use crate::data::{Key, Value as Data};\npub use super::a::{self, b::C};\nfn f() { crate::x::y(1) } // crate::no\n";
    let found: Vec<(bool, String)> = paths(code).into_iter().map(|(on, path)| (on, path.join("/"))).collect();
    let wanted = [
        (false, "crate/data/Key"),
        (false, "crate/data/Value"),
        (true, "super/a/self"),
        (true, "super/a/b/C"),
        (false, "crate/x/y"),
    ];
    assert_eq!(found, wanted.map(|(on, path)| (on, path.to_owned())));
}
