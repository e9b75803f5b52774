//! Every catalogue ID, every ruling, every item and every value of every switch that this version serves has its cases.

use std::collections::{BTreeMap, BTreeSet};

use nomic_referee::data::{Key, Value};
use nomic_referee::yaml::Document;

use crate::cases::all;
use crate::support::{root, rules_of, yaml_files};

/// The groups of the catalogue that are served, with the numbers of their entries.
pub const GROUPS: [(&str, u32); 23] = [
    ("L", 47),
    ("E", 16),
    ("WR", 4),
    ("T", 6),
    ("RU", 5),
    ("P", 7),
    ("PR", 10),
    ("J", 9),
    ("AC", 4),
    ("D", 4),
    ("RC", 2),
    ("PA", 6),
    ("B", 8),
    ("CN", 2),
    ("S", 21),
    ("C", 8),
    ("M", 12),
    ("W", 4),
    ("PY", 2),
    ("I", 8),
    ("GB", 7),
    ("MG", 1),
    ("SH", 2),
];
/// Items of the earlier ruleset, numbered from EG-01 on.
pub const EARLY_ITEMS: usize = 23;
/// The marks, which have no numbers, and what stands before the first statement of its group.
const SINGLE: [&str; 2] = ["ST", "L-0"];

/// Rulings of these groups.
const RULINGS: std::ops::RangeInclusive<u32> = 1..=193;

fn rulings() -> BTreeSet<String> {
    RULINGS.map(|number| format!("R-{number:02}")).collect()
}

#[test]
fn every_id_of_the_served_groups_has_a_case() {
    let cited: BTreeSet<String> = all().into_iter().flat_map(|result| result.cites).collect();
    let numbered = GROUPS.iter().flat_map(|(group, last)| (1..=*last).map(move |number| format!("{group}-{number}")));
    let items = (1..=EARLY_ITEMS).map(|number| format!("EG-{number:02}"));
    let wanted = numbered.chain(rulings()).chain(items).chain(SINGLE.iter().map(ToString::to_string));
    let missing: Vec<String> = wanted.filter(|id| !cited.contains(id)).collect();
    assert!(missing.is_empty(), "no case cites {}", missing.join(", "));
}

#[test]
fn every_item_has_two_cases_in_its_own_file() {
    have_two_cases_each("cycle-15", 98);
    have_two_cases_each("cycle-15-early", EARLY_ITEMS);
}

fn have_two_cases_each(name: &str, count: usize) {
    let ruleset = rules_of(name);
    let all = all_cases();
    let mut items = 0;
    for item in ruleset.items().iter().filter(|item| item.number.is_some()) {
        let own = &item.cites[0];
        let file = ruleset.item_file(item);
        assert!(file.get("effect").is_some(), "{own}: no effect");
        items += 1;
        let folder = format!("rules/{name}/garbage/{:03}-", item.number.unwrap_or_default());
        let cases = all.iter().filter(|(path, case)| path.contains(&folder) && cites(case).contains(own)).count();
        assert!(cases >= 2, "{own} {} has {cases} cases in its file", item.name);
    }
    assert_eq!(items, count);
}

/// For each value of a switch that is not the default there are two cases that differ in nothing but the switch and what
/// comes of it.
#[test]
fn every_value_of_the_served_switches_has_a_pair_of_cases() {
    let ruleset = rules_of("cycle-15");
    let served = rulings();
    let cases = all_cases();
    let mut missing = Vec::new();
    let mut pairs = 0;
    for switch in ruleset.switches.iter().filter(|switch| served.contains(&switch.ruling)) {
        let mut groups: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (_, case) in &cases {
            let (rest, value) = without(case, &switch.key);
            let value = value.unwrap_or_else(|| switch.default().to_owned());
            groups.entry(rest).or_default().push((value, outcome(case)));
        }
        for other in &switch.values[1..] {
            let is = |value: &str| match other.strip_suffix('N') {
                Some(start) => value.starts_with(start),
                None => value == other,
            };
            let found = groups.values().any(|group| {
                group.iter().any(|(value, outcome)| {
                    is(value) && group.iter().any(|(own, its)| own == switch.default() && its != outcome)
                })
            });
            pairs += usize::from(found);
            if !found {
                missing.push(format!("{}={other} ({})", switch.key, switch.ruling));
            }
        }
    }
    assert!(missing.is_empty(), "no pair of cases shows {}", missing.join(", "));
    assert!(pairs > 70, "only {pairs} pairs");
}

/// Every case of the repository with the path of its file.
fn all_cases() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for file in yaml_files(&root("tests/cases")).into_iter().chain(yaml_files(&root("rules"))) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let tree = Document::parse(&text).expect("YAML").root().to_value();
        let cases = tree.get("cases").unwrap_or(&tree).items().to_vec();
        let cases = cases.into_iter().filter(|case| case.get("case").is_some());
        found.extend(cases.map(|case| (file.display().to_string(), case)));
    }
    found
}

fn cites(case: &Value) -> Vec<String> {
    case.get("cites").map_or_else(Vec::new, |cites| cites.items().iter().map(ToString::to_string).collect())
}

/// What a case begins with and does, but for one switch; and the value of that switch.
fn without(case: &Value, switch: &str) -> (String, Option<String>) {
    let mut given = case.get("given").cloned().unwrap_or_default();
    let mut rulings = given.get("rulings").cloned().unwrap_or_default();
    let value = rulings.get(switch).map(|value| value.get("value").unwrap_or(value).to_string());
    rulings.remove(switch);
    given.set(Key::from("rulings"), rulings);
    let part = |key: &str| case.get(key).map_or_else(String::new, |part| part.in_order().to_string());
    let rest = [part("ruleset"), given.in_order().to_string(), part("do"), part("select"), part("decline")].join("\n");
    (rest, value)
}

fn outcome(case: &Value) -> String {
    ["expect", "refused", "asks", "needs-ruling"]
        .map(|key| format!("{:?}", case.get(key).map(Value::in_order)))
        .join("\n")
}
