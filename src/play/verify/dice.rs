//! Verifies the dice of a log: each draw is derived again, and what only a person's word says is listed.

use super::finding::{Finding, Verified};
use crate::data::Value;
use crate::draws::Thrower;
use crate::game::{Amended, Game, LogEntry, Outcome, PendingAction};
use crate::play::dice::check::{Around, Found, Secrets, check};
use crate::play::dice::drawer::derives;
use crate::play::dice::identity::identity;
use crate::play::dice::order::{PostKey, last_key};
use crate::play::dice::record::DrawRecord;
use crate::ruleset::Ruleset;

/// Verifies the dice of one log, entry after entry.
pub(super) struct DiceCheck<'a> {
    now: &'a Game,
    secrets: Secrets,
    /// The last post that was performed, with its entry.
    last: Option<(i64, PostKey)>,
}

impl<'a> DiceCheck<'a> {
    /// Prepares to verify the dice of this game; a chain whose rounds its owner can know is listed at once.
    pub fn new(now: &'a Game, verified: &mut Verified) -> Self {
        if let Ok(Thrower::Beacon(dice)) = Thrower::read(&now.dice)
            && dice.chain.is_custom()
        {
            let message =
                "the dice come from a chain of its own key: the owner of that key can know every die in advance";
            note(verified, "custom-chain", None, message.to_owned());
        }
        Self { now, secrets: Secrets::of(now), last: None }
    }

    /// Returns the secret of the seal that a game had, if it is revealed by now.
    pub fn secret(&self, then: &Game) -> Option<&str> {
        self.secrets.get(then.dice.get("hash").and_then(Value::as_text)?)
    }

    /// Verifies the dice of an entry on the game as it was before it.
    pub fn entry(&mut self, ruleset: &Ruleset, then: &Game, entry: &LogEntry, verified: &mut Verified) {
        let name = format!("entry {}", entry.id);
        let around = Around { ruleset, then, now: self.now, secrets: &self.secrets };
        add(verified, Some(entry.id), check(&around, &entry.action, &name));
        self.order(ruleset, then, entry, verified);
        let mut list = |code, message| note(verified, code, Some(entry.id), message);
        if entry.counts() && entry.changes.entries().iter().any(|(key, _)| key.to_string().starts_with("/dice")) {
            list("dice-changed", format!("{name}, `{}`, changes who throws", entry.action.what));
        }
        if !derives(then) {
            return;
        }
        let random = |change: &Amended| matches!(change, Amended::Selections { random, .. } if !random.is_empty());
        for amends in entry.amends.iter().filter(|amends| entry.outcome.is_some() && random(&amends.change)) {
            list("amended-die", format!("{name} sets draws by hand: {}", amends.to_value()));
        }
        let record = DrawRecord::read(&entry.action.dice).filter(DrawRecord::counts);
        match (entry.outcome, record) {
            (Some(Outcome::Lapsed), Some(record)) if record.waits_for().is_some() => {
                list("lapsed-draw", format!("{name} expired before its round was given"));
            }
            (None, Some(_)) if entry.undone && !self.is_reused(entry) => {
                list("undone-draw", format!("{name} was drawn and then undone, and nothing reuses its draws"));
            }
            _ => {}
        }
    }

    fn is_reused(&self, entry: &LogEntry) -> bool {
        let all = self.now.log.iter().map(|own| &own.action).chain(&*self.now.pending);
        all.into_iter().any(|own| own.reused == Some(entry.id))
    }

    /// Finds an action that was performed after one that was posted later.
    fn order(&mut self, ruleset: &Ruleset, then: &Game, entry: &LogEntry, verified: &mut Verified) {
        let Ok(Thrower::Beacon(dice)) = Thrower::read(&then.dice) else {
            self.last = None;
            return;
        };
        if !entry.counts() || entry.outcome.is_some() || identity(ruleset, then, &entry.action.what).player.is_empty() {
            return;
        }
        let Ok(key) = last_key(&dice, &entry.action) else {
            // Without a draw nothing else has looked at its post.
            if entry.action.dice.is_empty() {
                let message =
                    format!("nothing says when entry {} was posted, so its order cannot be checked", entry.id);
                note(verified, "declared-time", Some(entry.id), message);
            }
            return;
        };
        if let Some((before, last)) = self.last.filter(|(_, last)| key.is_before(last)) {
            let _ = last;
            let message = format!("entry {} was posted before entry {before}, which was performed first", entry.id);
            let (entry, pointer) = (Some(entry.id), None);
            verified.findings.push(Finding { code: "out-of-order", entry, pointer, message });
        }
        self.last = Some((entry.id, key));
    }

    /// Verifies the dice of a pending action.
    pub fn pending(&self, ruleset: &Ruleset, action: &PendingAction, verified: &mut Verified) {
        let around = Around { ruleset, then: self.now, now: self.now, secrets: &self.secrets };
        add(verified, None, check(&around, action, &format!("the pending `{}`", action.what)));
    }
}

fn note(verified: &mut Verified, code: &'static str, entry: Option<i64>, message: String) {
    verified.notes.push(Finding { code, entry, pointer: None, message });
}

fn add(verified: &mut Verified, entry: Option<i64>, found: Found) {
    let finding = |(code, message)| Finding { code, entry, pointer: None, message };
    verified.findings.extend(found.findings.into_iter().map(finding));
    verified.notes.extend(found.notes.into_iter().map(finding));
}
