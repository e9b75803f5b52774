//! Refusals as people read them.

use crate::data::shown;
use crate::play::Refusal;

/// Formats a refusal: the message, its code and rule, what to do.
pub fn refusal(refusal: &Refusal) -> String {
    let rule = if refusal.rule.is_empty() { String::new() } else { format!(", {}", refusal.rule) };
    let help = refusal.help.as_ref().map_or_else(String::new, |help| format!("  help: {help}\n"));
    shown(&format!("refused: {} [{}{rule}]\n{help}", refusal.message, refusal.code)).into_owned()
}
