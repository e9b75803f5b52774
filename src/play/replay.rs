//! Goes back in the log and plays it again from there: the entries since are reverted by their changes, then resolved again
//! with their recorded selections. Changed rolls, negated moves (M-7), void attempts (RC-2) and the steward's
//! corrections all use this.

#![expect(clippy::result_large_err, reason = "a replay stops at most once")]

use std::sync::Arc;

use super::pending::{pending_then, waited, with_first};
use super::understand::VOID_KEY;
use crate::data::{Key, Value};
use crate::engine::{Run, recorded, run, thrown_by};
use crate::game::{Amended, Amendment, Amends, Game, LogEntry, Outcome, PendingAction, Rolled};
use crate::protocol::{By, Event, Options, Origin, Question, Refusal, Selection, Selections, Status, What, spelled};
use crate::ruleset::{Action, Ruleset};

/// Resolves an action that changes one that was performed: first the log from that entry on with the change, then the
/// action itself. `first` is its run as far as the change, on the game as it is.
pub(super) fn resolve_again(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, first: &Run, amends: &Amends) -> Run {
    let mut replay = Replay::new(ruleset, game, first.given.clone());
    // A roll is the players' to change; what is then impossible makes the change impossible.
    replay.voids = amends.change == Amended::Void;
    let stopped = replay.from(game, std::slice::from_ref(amends)).err();
    // Played again, it can be refused before it comes as far.
    let spliced = |all: &[Selection], new: &[Selection]| {
        let (before, after) = all.split_at(first.selections.len().min(all.len()));
        [before, new, after].concat()
    };
    let mut ran = match stopped {
        Some(status) => Run { status, rewinds: None, given: replay.given.clone(), game: game.clone(), ..first.clone() },
        None => {
            let given = replay.given.restarted_after(&first.given);
            // Ids of players can have moved.
            let known = Action::read(ruleset, &replay.game, &shlex::split(&action.what).unwrap_or_default());
            match known {
                Ok(again) => {
                    let again = Action {
                        at: action.at,
                        amended: action.amended.clone(),
                        amends: vec![amends.clone()],
                        ..again
                    };
                    run(ruleset, &replay.game, &again, given)
                }
                Err(error) => {
                    let status = refused(&format!("`{}` is no longer possible: {}", action.what, error.message));
                    Run { status, rewinds: None, game: game.clone(), ..first.clone() }
                }
            }
        }
    };
    ran.selections = spliced(&ran.selections, &replay.selections);
    (ran.random, ran.chosen) = recorded(&ran.selections);
    let actor = action.player().map(|player| Value::from(&*game.player(player).name));
    ran.thrown_by = thrown_by(&ran.selections, actor.as_ref());
    // The log itself is history: what was replayed is in `again`.
    ran.game.log = Arc::clone(&game.log);
    ran.events.splice(0..0, replay.events);
    ran.lapsed.splice(0..0, replay.lapsed);
    lean_on(&mut ran.rulings, replay.rulings);
    ran.again = Value::Map(replay.again);
    if ran.rewinds.take().is_some() {
        ran.status = refused("an action may change only one earlier action");
    }
    ran
}

/// Plays the log again with entries changed as the steward says, and nothing after it.
pub(super) fn replay_corrected(ruleset: &Arc<Ruleset>, game: &Game, amends: &[Amends], given: Selections) -> Run {
    let mut replay = Replay::new(ruleset, game, given);
    replay.voids = true;
    let status = replay.from(game, amends).err().unwrap_or(Status::Done);
    let (random, chosen) = recorded(&replay.selections);
    let mut replayed = if status == Status::Done { replay.game } else { game.clone() };
    replayed.log = Arc::clone(&game.log);
    Run {
        game: replayed,
        thrown_by: thrown_by(&replay.selections, None),
        selections: replay.selections,
        events: replay.events,
        random,
        chosen,
        given: replay.given,
        rulings: replay.rulings,
        lapsed: replay.lapsed,
        again: Value::Map(replay.again),
        status,
        ..void_only(game, amends)
    }
}

/// Voids entries that have no effect on the game, so nothing needs replaying.
pub(super) fn void_only(game: &Game, amends: &[Amends]) -> Run {
    let void = |amends: &Amends| match &amends.of {
        Rolled::Entry(id) => format!("entry {id} is void; its dice will not be reused"),
        Rolled::Pending(what) => format!("`{what}` is void"),
    };
    Run {
        game: game.clone(),
        selections: Vec::new(),
        events: amends.iter().map(|amends| Event::new(void(amends), "RC-2")).collect(),
        random: Value::Null,
        chosen: Value::Null,
        thrown_by: Value::Null,
        given: Selections::default(),
        rulings: Vec::new(),
        lapsed: Vec::new(),
        amends: amends.to_vec(),
        again: Value::Null,
        rewinds: None,
        status: Status::Done,
    }
}

/// Adds rulings that were depended on, each once.
fn lean_on(rulings: &mut Vec<(String, String)>, more: Vec<(String, String)>) {
    for own in more {
        if !rulings.contains(&own) {
            rulings.push(own);
        }
    }
}

/// The code of a refusal of an illegal answer.
const SLIP: &str = "illegal-selection";

fn refused(message: &str) -> Status {
    let help = "`adjudicate` records what is decided by hand";
    Status::Refused(Refusal::new("replay-refused", message).help(help).rule("R-61"))
}

/// The log played again from an entry on.
struct Replay<'a> {
    ruleset: &'a Arc<Ruleset>,
    game: Game,
    /// Answers to what the record does not hold.
    given: Selections,
    /// Whether the steward may void an entry that is no longer possible.
    voids: bool,
    /// Selections made with them.
    selections: Vec<Selection>,
    events: Vec<Event>,
    /// What is pending now, and was not lost on the way.
    pending: Vec<PendingAction>,
    lapsed: Vec<PendingAction>,
    rulings: Vec<(String, String)>,
    again: Vec<(Key, Value)>,
}

impl<'a> Replay<'a> {
    fn new(ruleset: &'a Arc<Ruleset>, game: &Game, given: Selections) -> Self {
        Self {
            ruleset,
            game: game.clone(),
            given,
            voids: false,
            selections: Vec::new(),
            events: Vec::new(),
            pending: game.pending.to_vec(),
            lapsed: Vec::new(),
            rulings: Vec::new(),
            again: Vec::new(),
        }
    }

    fn from(&mut self, game: &Game, new: &[Amends]) -> Result<(), Status> {
        let log = &game.log;
        let target = |amends: &Amends| log.iter().position(|entry| amends.of == Rolled::Entry(entry.id));
        let Some(mut first) = new.iter().filter_map(target).min() else {
            return Err(refused("the action is not in the log"));
        };
        // What changed earlier entries since must be gone back to as well: its own effect reached that far.
        while let Some(earlier) = log[first..]
            .iter()
            .filter(|entry| entry.counts())
            .flat_map(|entry| &entry.amends)
            .filter_map(target)
            .find(|place| *place < first)
        {
            first = earlier;
        }
        for entry in log[first..].iter().rev().filter(|entry| entry.counts()) {
            self.game.revert(&entry.changes).map_err(|conflict| {
                refused(&format!(
                    "cannot go back before entry {}: {} should be {} but is {}; it was edited outside the log",
                    entry.id, conflict.pointer, conflict.expected, conflict.found
                ))
            })?;
        }
        let mut rest = Arc::make_mut(&mut self.game.log).split_off(first);
        let counting = log.iter().filter(|entry| entry.counts());
        let known: Vec<Amends> = counting.flat_map(|entry| entry.amends.clone()).chain(new.iter().cloned()).collect();
        let text = format!("the log is replayed from entry {} on", rest[0].id);
        self.events.push(Event::new(text, "R-61"));
        for (place, entry) in rest.drain(..).enumerate() {
            self.game.pending = Arc::new(pending_then(log, first + place, &self.pending));
            let now = self.play(log, &known, &entry)?;
            // Rules that look at the dice of the log see those of now, not those that were replaced (M-8, R-61).
            let mut again = entry.again.clone();
            for (id, since) in entry.again.entries() {
                if since.get("void").is_none() {
                    again.remove(&id.to_string());
                }
            }
            Arc::make_mut(&mut self.game.log).push(Arc::new(LogEntry {
                action: now,
                again,
                ..LogEntry::clone(&entry)
            }));
        }
        self.game.pending = Arc::new(std::mem::take(&mut self.pending));
        Ok(())
    }

    /// Plays an entry again if it took place, and returns its action with the selections that it has now.
    fn play(&mut self, log: &[Arc<LogEntry>], known: &[Amends], entry: &LogEntry) -> Result<PendingAction, Status> {
        let told = format!("entry {}, `{}`", entry.id, entry.action.what);
        let fails = |why: &str| refused(&format!("{told}, is no longer valid: {why}"));
        let as_before = || entry.action.clone();
        let without_dice = || PendingAction { random: Value::Null, ..entry.action.clone() };
        if !entry.counts() {
            return Ok(as_before());
        }
        let id = entry.id.to_string();
        let since = log.iter().rev().filter(|later| later.counts()).find_map(|later| later.again.get(&id));
        let mine = || known.iter().filter(|amends| amends.of == Rolled::Entry(entry.id)).map(|amends| &amends.change);
        if mine().any(|change| *change == Amended::Void) || since.is_some_and(|since| since.get("void").is_some()) {
            self.events.push(Event::new(format!("{told}, is void"), "R-61"));
            return Ok(without_dice());
        }
        match entry.outcome {
            Some(Outcome::Declared) => {
                self.events.push(Event::new(format!("{told}, as declared"), "R-61"));
                let done = self.game.do_again(&entry.changes);
                let done = done.map(|()| as_before());
                return done.map_err(|conflict| fails(&format!("there is no place {}", conflict.pointer)));
            }
            // What it corrected is played again with the correction.
            Some(_) => return Ok(as_before()),
            None => {}
        }
        match self.play_again(known, entry, since) {
            Err(Status::Refused(refusal)) if ["other-rules", SLIP].contains(&&*refusal.code) => {
                Err(Status::Refused(refusal))
            }
            Err(Status::Refused(refusal)) if self.voids => {
                self.ask_void(entry, &refusal)?;
                Ok(without_dice())
            }
            Err(Status::Refused(refusal)) => Err(fails(&refusal.message)),
            other => other,
        }
    }

    /// Plays a performed action again, and returns it with the selections that it has now.
    fn play_again(
        &mut self,
        known: &[Amends],
        entry: &LogEntry,
        since: Option<&Value>,
    ) -> Result<PendingAction, Status> {
        let rules = entry.ruleset.as_deref().and_then(|pin| pin.split('+').next());
        if rules.is_some_and(|rules| !self.ruleset.is_pinned(rules)) {
            let pin = entry.ruleset.clone().unwrap_or_default();
            let message =
                format!("entry {}, `{}`, was resolved under {pin}, not under these rules", entry.id, entry.action.what);
            let help = "`adjudicate` records what is decided by hand";
            return Err(Status::Refused(Refusal::new("other-rules", message).help(help).rule("R-61")));
        }
        let words = shlex::split(&entry.action.what).unwrap_or_default();
        let action = Action::read(self.ruleset, &self.game, &words);
        let mut action = action.map_err(|error| refused(&error.message))?;
        let mine = || known.iter().filter(|amends| amends.of == Rolled::Entry(entry.id));
        action.at = entry.action.at;
        action.amended.clone_from(&entry.action.amended);
        action.amended.extend(mine().filter_map(|amends| amends.roll().cloned()));
        action.amends.clone_from(&entry.amends);
        let known = |part: &str, first: &Value| with_first(since.and_then(|since| since.get(part)), first);
        let (mut random, mut chosen) = (known("random", &entry.action.random), known("chosen", &entry.action.chosen));
        for amends in mine() {
            if let Amended::Selections { random: own_random, chosen: own_chosen } = &amends.change {
                for (map, own) in [(&mut random, own_random), (&mut chosen, own_chosen)] {
                    own.entries().iter().for_each(|(key, values)| map.set(key.clone(), values.clone()));
                }
            }
        }
        let given = self.given.again([&random, &chosen]);
        let ran = run(self.ruleset, &self.game, &action, given);
        if ran.rewinds.is_some() {
            return Err(refused("it would change an action that it did not change before"));
        }
        match ran.status {
            Status::Done => {}
            Status::Asks(question) => {
                self.note(entry, &ran.given, &ran.selections);
                let text = format!("{} (entry {})", question.text, entry.id);
                return Err(Status::Asks(Question { text, ..question }));
            }
            // An answer that was posted now and is illegal says nothing against the entry.
            Status::Refused(refusal) if refusal.code == SLIP => {
                if !ran.given.last_was_new() {
                    return Err(refused(&refusal.message));
                }
                let message = format!("{} (entry {})", refusal.message, entry.id);
                return Err(Status::Refused(Refusal { message, ..refusal }));
            }
            status => return Err(status),
        }
        self.note(entry, &ran.given, &ran.selections);
        let amendments: Vec<String> = action.amended.iter().map(in_words).collect();
        let with = if amendments.is_empty() { String::new() } else { format!(", with {}", amendments.join(" and ")) };
        self.events.push(Event::new(format!("entry {}, `{}`, replayed{with}", entry.id, entry.action.what), "R-61"));
        // What it had drawn and did not need is in its record, and does not count as a difference.
        let random = with_first(Some(&ran.random), &waited(entry));
        let now =
            PendingAction { random: ran.random, chosen: ran.chosen, thrown_by: ran.thrown_by, ..entry.action.clone() };
        let first = &entry.action;
        let differs = match since {
            None => (&random, &now.chosen, &now.thrown_by) != (&first.random, &first.chosen, &first.thrown_by),
            Some(since) => [("random", &now.random), ("thrown-by", &now.thrown_by), ("chosen", &now.chosen)]
                .into_iter()
                .any(|(key, part)| since.get(key).cloned().unwrap_or_default() != *part),
        };
        if differs {
            let mut map = Value::Map(Vec::new());
            for (key, part) in [("random", &now.random), ("thrown-by", &now.thrown_by), ("chosen", &now.chosen)] {
                if !part.is_empty() {
                    map.set(Key::from(key), part.clone());
                }
            }
            self.again.push((Key::Int(entry.id), map));
        }
        self.events.extend(ran.events);
        // What expired then is in the log; what is still pending expires with it.
        let gone: Vec<PendingAction> = ran.lapsed.into_iter().filter(|own| self.pending.contains(own)).collect();
        self.pending.retain(|pending| !gone.contains(pending));
        self.lapsed.extend(gone);
        lean_on(&mut self.rulings, ran.rulings);
        self.game = ran.game;
        self.game.sweep();
        Ok(if differs || since.is_some() { now } else { entry.action.clone() })
    }

    /// Keeps which answers have been used, and the selections made with them; their dice are those of the entry.
    fn note(&mut self, entry: &LogEntry, used: &Selections, selections: &[Selection]) {
        self.given.use_as(used);
        let own = selections.iter().filter(|own| own.recorded && !own.known && !own.value.is_empty());
        let of_entry = |own: &Selection| {
            let whose = if own.dice { Value::Int(entry.id) } else { Value::Null };
            Selection { whose, ..own.clone() }
        };
        self.selections.extend(own.map(of_entry));
    }

    /// Asks the steward whether to void an entry that is no longer possible.
    fn ask_void(&mut self, entry: &LogEntry, refusal: &Refusal) -> Result<(), Status> {
        let key = VOID_KEY;
        let text = format!(
            "entry {}, `{}`, is no longer possible ({}): void it?",
            entry.id, entry.action.what, refusal.message
        );
        let options = Options::OneOf(vec![Value::from("yes"), Value::from("no")]);
        let question = Question::new(key, By::Player("the steward".into()), What::Text, options, text, "R-61");
        let Some(said) = self.given.take(key, 1).pop() else { return Err(Status::Asks(question)) };
        let origin = self.given.last_origin(key).unwrap_or(Origin::Posted);
        if spelled(&said) != "yes" {
            let message =
                format!("entry {}, `{}`, is no longer valid: {}", entry.id, entry.action.what, refusal.message);
            return Err(refused(&message));
        }
        self.events.push(Event::new(format!("entry {}, `{}`, is void", entry.id, entry.action.what), "R-61"));
        self.again.push((Key::Int(entry.id), Value::Map(vec![(Key::from("void"), Value::Bool(true))])));
        self.selections.push(Selection {
            key: key.into(),
            by: question.by,
            value: Value::from("yes"),
            out_of: (1, 2),
            place: 1,
            dice: false,
            forced: false,
            recorded: true,
            origin,
            whose: Value::Null,
            known: false,
        });
        Ok(())
    }
}

fn in_words(amendment: &Amendment) -> String {
    use crate::game::Alteration::{Add, From};
    let what = amendment.die.map_or_else(|| "the total".to_owned(), |die| format!("die {die}"));
    match amendment.change {
        Add(amount) => format!("{what} of `{}` changed by {amount:+}", amendment.key),
        From(from) => format!("{what} of `{}` turned to {from} minus it", amendment.key),
    }
}
