//! Functions of the vocabulary that had another name before, so that a rule file which uses the old one is told the new.

use crate::ruleset::Sources;

/// The old name and the new one.
const RENAMED: &[(&str, &str)] = &[
    ("acting", "acting_player"),
    ("amend_roll", "change_roll"),
    ("deciding", "choosing_for"),
    ("folded", "lower_case"),
    ("item_says", "item_attribute"),
    ("lapse", "expire"),
    ("leaned_on", "entries_depending_on"),
    ("let_go", "end_use"),
    ("performed", "performed_actions"),
    ("ruling_set", "recorded_ruling"),
    ("take_in_use", "begin_use"),
    ("this_action", "this_command"),
    ("until_ended", "ended_during"),
];

/// Says how a name is called now, if it is the old name of a word of the vocabulary or of a function of the rule files.
pub(super) fn new_name(sources: &Sources, name: &str) -> Option<String> {
    let word = RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new);
    let new = word.or_else(|| sources.renamed(name))?;
    Some(format!("`{name}` is now called `{new}`"))
}

/// Replaces the message that a name is unknown by its new name, if it has one.
pub(super) fn explain(sources: &Sources, message: &mut String) {
    let name = message.strip_prefix("Variable `").and_then(|rest| rest.split_once("` not found"));
    if let Some(new) = name.and_then(|(name, _)| new_name(sources, name)) {
        *message = new;
    }
}
