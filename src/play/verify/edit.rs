//! Verifies an edit of the file.

use std::sync::Arc;

use super::finding::{Finding, in_words};
use crate::data::Value;
use crate::game::{Game, LogEntry, PendingAction, changes};
use crate::play::dice::record::DrawRecord;
use crate::ruleset::is_short;

/// Verifies that `new` grew from `old`: the log only grew, and reverting what is new gives what was. What left the log
/// must be in the archive.
pub fn verify_edit(old: &Game, new: &Game, archive: &[Arc<LogEntry>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let first = new.log.first().map_or(i64::MAX, |first| first.id);
    let begins = old.log.first().map_or(i64::MIN, |first| first.id);
    let moved = archive.iter().filter(|entry| entry.id < first && entry.id >= begins);
    let mut whole = new.clone();
    whole.log = Arc::new(moved.chain(new.log.iter()).cloned().collect());
    let new = &whole;
    for (place, entry) in old.log.iter().enumerate() {
        let mut same = new.log.get(place).map(|own| LogEntry::clone(own));
        if let Some(own) = &mut same {
            own.undone = entry.undone;
        }
        if same.as_ref().is_none_or(|own| own.to_value().in_order() != entry.to_value().in_order()) {
            let elsewhere = new.log.iter().any(|own| own.id == entry.id);
            let how = if elsewhere { "was changed" } else { "is missing" };
            let message =
                format!("entry {}, `{}`, {how}: entries may only be added to the log", entry.id, entry.action.what);
            findings.push(Finding { code: "log-edited", entry: Some(entry.id), pointer: None, message });
        }
    }
    findings.extend(short_pins(old, new));
    let mut then = new.clone();
    let known = old.log.len().min(new.log.len());
    for entry in new.log[known..].iter().rev().filter(|entry| entry.counts()) {
        then.force_back(&entry.changes);
    }
    let turned = || old.log.iter().zip(new.log.iter()).filter(|(was, is)| was.undone != is.undone);
    for (_, entry) in turned().filter(|(_, is)| is.counts()).collect::<Vec<_>>().into_iter().rev() {
        then.force_back(&entry.changes);
    }
    for (entry, _) in turned().filter(|(was, _)| was.counts()) {
        let _ = then.do_again(&entry.changes);
    }
    then.sweep();
    for change in changes(old, &then).into_iter().filter(|change| change.pointer.first() != Some("pending")) {
        findings.push(Finding {
            code: "unexplained-value",
            entry: None,
            pointer: Some(change.pointer.clone()),
            message: format!(
                "{} changed from {} to {}, which no entry records",
                change.pointer,
                in_words(&change.before),
                in_words(&change.after)
            ),
        });
    }
    if old.started != new.started {
        let shown = |game: &Game| game.started.map_or_else(|| "nothing".to_owned(), |at| at.to_string());
        findings.push(Finding {
            code: "unexplained-value",
            entry: None,
            pointer: Some("/started".into()),
            message: format!("/started changed from {} to {}, which no entry records", shown(old), shown(new)),
        });
    }
    let bound = |pending: &&PendingAction| !pending.random.is_empty() || !pending.dice.is_empty();
    for lost in old.pending.iter().filter(bound).filter(|pending| !draws_are_kept(new, pending, known)) {
        let message = format!("the dice {} of `{}` are neither pending nor in the log", lost.random, lost.what);
        findings.push(Finding { code: "lost-draws", entry: None, pointer: Some("/pending".into()), message });
    }
    findings
}

/// Returns whether a record of derived draws has grown from another: its place in the count and its rounds are kept.
fn is_continued(before: &Value, now: &Value) -> bool {
    let Some(before) = DrawRecord::read(before).filter(DrawRecord::counts) else { return true };
    let rounds = |record: &DrawRecord| record.posts.iter().filter_map(|post| post.round).collect::<Vec<_>>();
    let now = DrawRecord::read(now).unwrap_or_default();
    before.nth == now.nth && rounds(&now).starts_with(&rounds(&before))
}

/// Returns whether what was drawn for a pending action is still kept, there or in an entry made since (RC-2).
fn draws_are_kept(new: &Game, pending: &PendingAction, since: usize) -> bool {
    let holds = |own: &PendingAction| {
        own.what == pending.what
            && is_continued(&pending.dice, &own.dice)
            && pending.random.entries().iter().all(|(key, values)| {
                let own = own.random.get(&key.to_string()).map_or(&[][..], Value::items);
                own.starts_with(values.items())
            })
    };
    new.pending.iter().any(holds) || new.log[since.min(new.log.len())..].iter().any(|entry| holds(&entry.action))
}

/// Finds new entries that name their rules by fewer digits than the log had already: other rules can be made to fit them.
fn short_pins(old: &Game, new: &Game) -> Vec<Finding> {
    let long = old.log.iter().any(|entry| entry.ruleset.as_ref().is_some_and(|pin| !is_short(pin)));
    let last = old.log.last().map_or(i64::MIN, |entry| entry.id);
    let short = |entry: &&Arc<LogEntry>| entry.id > last && entry.ruleset.as_deref().is_some_and(is_short);
    let each = |entry: &Arc<LogEntry>| Finding {
        code: "unknown-rules",
        entry: Some(entry.id),
        pointer: None,
        message: format!("entry {} is new, and names its rules by eight digits, which other rules can have", entry.id),
    };
    new.log.iter().filter(|_| long).filter(short).map(each).collect()
}
