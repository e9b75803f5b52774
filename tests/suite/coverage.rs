//! Every catalogue ID and every value of every switch that this version serves has a case.

use std::collections::BTreeSet;

use crate::cases::all;
use crate::support::rulebook;

/// The groups of the catalogue that are served, with the numbers of their entries.
const GROUPS: [(&str, u32); 10] =
    [("D", 4), ("RC", 2), ("PA", 6), ("B", 8), ("CN", 2), ("S", 21), ("C", 8), ("M", 10), ("W", 4), ("PY", 2)];
const SINGLE: [&str; 4] = ["M-12", "P-5", "T-4", "ST"];

/// Rulings of these groups.
const RULINGS: [u32; 45] = [
    2, 4, 5, 6, 7, 37, 66, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 82, 85, 86, 87, 88, 89, 90, 91, 111,
    114, 143, 144, 145, 147, 152, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163,
];

/// Switches of these groups that show without an item being used.
const SWITCHES: [&str; 18] = [
    "auto-select",
    "boulder-flee",
    "bounty",
    "combo-dice",
    "combo-limit",
    "dance-count",
    "dead-end",
    "doubles-on",
    "finish-running-action",
    "first-phase-last",
    "forge-per-landing",
    "geyser-short",
    "glide-may-end-on-its-geyser",
    "has-moved",
    "landing-order",
    "newcomer-counts-as-unmoved",
    "oil-spill-at-start",
    "party",
];
const MORE_SWITCHES: [&str; 5] = ["direct-move", "pseudo-type-scope", "teleporter-pool", "win-check", "zero-move"];

#[test]
fn every_id_of_the_served_groups_has_a_case() {
    let cited: BTreeSet<String> = all().into_iter().flat_map(|result| result.cites).collect();
    let numbered = GROUPS.iter().flat_map(|(group, last)| (1..=*last).map(move |number| format!("{group}-{number}")));
    let rulings = RULINGS.iter().map(|number| format!("R-{number:02}"));
    let wanted = numbered.chain(rulings).chain(SINGLE.iter().map(ToString::to_string));
    let missing: Vec<String> = wanted.filter(|id| !cited.contains(id)).collect();
    assert!(missing.is_empty(), "no case cites {}", missing.join(", "));
}

#[test]
fn every_value_of_the_served_switches_has_a_case() {
    let set: BTreeSet<String> = all().into_iter().flat_map(|result| result.rulings).collect();
    let rulebook = rulebook("cycle-15");
    let mut missing = Vec::new();
    for key in SWITCHES.iter().chain(&MORE_SWITCHES) {
        let switch = rulebook.switch(key).unwrap_or_else(|| panic!("no switch {key}"));
        missing.extend(switch.values.iter().map(|value| format!("{key}={value}")).filter(|value| !set.contains(value)));
    }
    assert!(missing.is_empty(), "no case sets {}", missing.join(", "));
}
