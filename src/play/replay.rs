//! Going back in the log and playing on from there: the entries since are taken back by their changes, then played again
//! with their recorded selections. Changed rolls, negated moves (M-7), void attempts (RC-2) and corrections of the
//! steward's all come to this.

use std::sync::Arc;

use super::{By, Event, Interrupt, Options, Question, Refusal, Run, Selection, Selections, What};
use crate::data::{Key, Value};
use crate::engine::{recorded, run};
use crate::game::{Amended, Amendment, Amends, Game, LogEntry, Name, Outcome, PendingAction, Rolled};
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
        Some(halt) => Run { halt: Some(halt), given: replay.given.clone(), game: game.clone(), ..first.clone() },
        None => {
            let given = replay.given.from_the_start(&first.given);
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
                    let refusal = refused(&format!("`{}` is no longer possible: {}", action.what, error.message));
                    Run { halt: Some(refusal), game: game.clone(), ..first.clone() }
                }
            }
        }
    };
    ran.selections = spliced(&ran.selections, &replay.selections);
    (ran.random, ran.chosen) = recorded(&ran.selections);
    ran.events.splice(0..0, replay.events);
    ran.lapsed.splice(0..0, replay.lapsed);
    lean_on(&mut ran.rulings, replay.rulings);
    ran.again = Value::Map(replay.again);
    if let Some(Interrupt::Rewinds(_)) = ran.halt {
        ran.halt = Some(refused("an action changes one other that was performed, not two"));
    }
    ran
}

/// Plays the log again with entries changed as the steward says, and nothing after it.
pub(super) fn correct(ruleset: &Arc<Ruleset>, game: &Game, amends: &[Amends], given: Selections) -> Run {
    let mut replay = Replay::new(ruleset, game, given);
    replay.voids = true;
    let halt = replay.from(game, amends).err();
    let (random, chosen) = recorded(&replay.selections);
    Run {
        game: if halt.is_some() { game.clone() } else { replay.game },
        selections: replay.selections,
        events: replay.events,
        random,
        chosen,
        given: replay.given,
        rulings: replay.rulings,
        lapsed: replay.lapsed,
        amends: amends.to_vec(),
        again: Value::Map(replay.again),
        halt,
    }
}

/// Says that entries have not taken place which count for nothing in the game as it is.
pub(super) fn only(game: &Game, amends: &[Amends]) -> Run {
    let void = |amends: &Amends| match &amends.of {
        Rolled::Entry(id) => format!("entry {id} has not taken place; its draws are met no more"),
        Rolled::Pending(what) => format!("`{what}` has not taken place"),
    };
    let events = amends.iter().map(|amends| Event { rule: "RC-2".into(), ..event(void(amends)) }).collect();
    Run {
        game: game.clone(),
        selections: Vec::new(),
        events,
        random: Value::Null,
        chosen: Value::Null,
        given: Selections::default(),
        rulings: Vec::new(),
        lapsed: Vec::new(),
        amends: amends.to_vec(),
        again: Value::Null,
        halt: None,
    }
}

/// Adds rulings that were leaned on, each once.
fn lean_on(rulings: &mut Vec<(String, String)>, more: Vec<(String, String)>) {
    for own in more {
        if !rulings.contains(&own) {
            rulings.push(own);
        }
    }
}

/// The code of a refusal over an answer that is none.
const SLIP: &str = "illegal-selection";

fn refused(message: &str) -> Interrupt {
    let help = "nothing was written; `adjudicate` records what is decided by hand".to_owned();
    let code = "replay-refused".to_owned();
    Interrupt::Refused(Refusal { code, message: message.to_owned(), help: Some(help), rule: "R-61".into() })
}

/// The log played again from an entry on.
struct Replay<'a> {
    ruleset: &'a Arc<Ruleset>,
    game: Game,
    /// AnswerSource to what the record does not hold.
    given: Selections,
    /// Whether the steward may say that an entry which is no longer possible has not taken place.
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

    fn from(&mut self, game: &Game, new: &[Amends]) -> Result<(), Interrupt> {
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
                    "entry {} left {} at {}, and it is {} now: something has changed it that is not in the log",
                    entry.id, conflict.pointer, conflict.expected, conflict.found
                ))
            })?;
        }
        let mut rest = Arc::make_mut(&mut self.game.log).split_off(first);
        let counting = log.iter().filter(|entry| entry.counts());
        let known: Vec<Amends> = counting.flat_map(|entry| entry.amends.clone()).chain(new.iter().cloned()).collect();
        let text = format!("the log goes back to entry {}, and is played again from there", rest[0].id);
        self.events.push(event(text));
        for (place, entry) in rest.drain(..).enumerate() {
            self.game.pending = Arc::new(pending_then(log, first + place, &self.pending));
            self.play(log, &known, &entry)?;
            Arc::make_mut(&mut self.game.log).push(entry);
        }
        self.game.pending = Arc::new(std::mem::take(&mut self.pending));
        Ok(())
    }

    fn play(&mut self, log: &[Arc<LogEntry>], known: &[Amends], entry: &LogEntry) -> Result<(), Interrupt> {
        let told = format!("entry {}, `{}`", entry.id, entry.action.what);
        let fails = |why: &str| refused(&format!("{told}, does not hold any more: {why}"));
        if !entry.counts() {
            return Ok(());
        }
        let id = entry.id.to_string();
        let since = log.iter().rev().filter(|later| later.counts()).find_map(|later| later.again.get(&id));
        let mine = || known.iter().filter(|amends| amends.of == Rolled::Entry(entry.id)).map(|amends| &amends.change);
        if mine().any(|change| *change == Amended::Void) || since.is_some_and(|since| since.get("void").is_some()) {
            self.events.push(event(format!("{told}, has not taken place")));
            return Ok(());
        }
        match entry.outcome {
            Some(Outcome::Declared) => {
                self.events.push(event(format!("{told}, as declared")));
                let done = self.game.do_again(&entry.changes);
                return done.map_err(|conflict| fails(&format!("there is no place {}", conflict.pointer)));
            }
            // What it corrected is played again with the correction.
            Some(_) => return Ok(()),
            None => {}
        }
        match self.play_again(known, entry, since) {
            Err(Interrupt::Refused(refusal)) if ["other-rules", SLIP].contains(&&*refusal.code) => {
                Err(Interrupt::Refused(refusal))
            }
            Err(Interrupt::Refused(refusal)) if self.voids => self.ask_void(entry, &refusal),
            Err(Interrupt::Refused(refusal)) => Err(fails(&refusal.message)),
            other => other,
        }
    }

    /// Plays a performed action again.
    fn play_again(&mut self, known: &[Amends], entry: &LogEntry, since: Option<&Value>) -> Result<(), Interrupt> {
        let rules = entry.ruleset.as_deref().and_then(|pin| pin.split('+').next());
        if rules.is_some_and(|rules| rules != self.ruleset.pin()) {
            let pin = entry.ruleset.clone().unwrap_or_default();
            let message =
                format!("entry {}, `{}`, was resolved under {pin}, not under these rules", entry.id, entry.action.what);
            let help = "`adjudicate` enters what is decided by hand".to_owned();
            let code = "other-rules".to_owned();
            return Err(Interrupt::Refused(Refusal { code, message, help: Some(help), rule: "R-61".into() }));
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
        match ran.halt {
            None => {}
            Some(Interrupt::Rewinds(_)) => {
                return Err(refused("it would change an action that it did not change before"));
            }
            Some(Interrupt::Asks(question)) => {
                self.note(&ran.given, &ran.selections);
                let text = format!("{} (entry {})", question.text, entry.id);
                return Err(Interrupt::Asks(Box::new(Question { text, ..*question })));
            }
            // An answer that was posted now and is illegal says nothing against the entry.
            Some(Interrupt::Refused(refusal)) if refusal.code == SLIP => {
                if !ran.given.last_was_new() {
                    return Err(refused(&refusal.message));
                }
                let message = format!("{} (entry {})", refusal.message, entry.id);
                return Err(Interrupt::Refused(Refusal { message, ..refusal }));
            }
            Some(halt) => return Err(halt),
        }
        self.note(&ran.given, &ran.selections);
        let amendments: Vec<String> = action.amended.iter().map(in_words).collect();
        let with = if amendments.is_empty() { String::new() } else { format!(", with {}", amendments.join(" and ")) };
        self.events.push(event(format!("entry {}, `{}`, again{with}", entry.id, entry.action.what)));
        // What it had drawn and did not need is in its record, and is no difference.
        let random = with_first(Some(&ran.random), &waited(entry));
        if (&random, &ran.chosen) != (&entry.action.random, &entry.action.chosen) {
            let mut map = Value::Map(Vec::new());
            for (key, part) in [("random", ran.random), ("chosen", ran.chosen)] {
                if !part.is_empty() {
                    map.set(Key::from(key), part);
                }
            }
            self.again.push((Key::Int(entry.id), map));
        }
        self.events.extend(ran.events);
        // What lapsed then stands in the log; what waits until now lapses with it.
        let now: Vec<PendingAction> = ran.lapsed.into_iter().filter(|lapsed| self.pending.contains(lapsed)).collect();
        self.pending.retain(|pending| !now.contains(pending));
        self.lapsed.extend(now);
        lean_on(&mut self.rulings, ran.rulings);
        self.game = ran.game;
        self.game.sweep();
        Ok(())
    }

    /// Keeps which answers have been used, and the selections made with them.
    fn note(&mut self, used: &Selections, selections: &[Selection]) {
        self.given.use_as(used);
        let own = selections.iter().filter(|own| own.recorded && !own.known && !own.value.is_empty());
        self.selections.extend(own.cloned());
    }

    /// Asks the steward whether an entry that is no longer possible has not taken place.
    fn ask_void(&mut self, entry: &LogEntry, refusal: &Refusal) -> Result<(), Interrupt> {
        let key = "void";
        let text = format!(
            "entry {}, `{}`, is no longer possible ({}): whether it has not taken place",
            entry.id, entry.action.what, refusal.message
        );
        let options = Options::OneOf(vec![Value::from("yes"), Value::from("no")]);
        let question = Question::new(key, By::Player("the steward".into()), What::Text, options, text, "R-61");
        let Some(said) = self.given.take(key, 1).pop() else { return Err(Interrupt::Asks(Box::new(question))) };
        if super::spelled(&said) != "yes" {
            let message =
                format!("entry {}, `{}`, does not hold any more: {}", entry.id, entry.action.what, refusal.message);
            return Err(refused(&message));
        }
        self.events.push(event(format!("entry {}, `{}`, has not taken place", entry.id, entry.action.what)));
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
            known: false,
        });
        Ok(())
    }
}

/// What was pending when the entry at this place was made: what it says itself, or what the next one that says so found,
/// and what was given up between them, as far as it had been commenced by then in the same phase.
pub(super) fn pending_then(log: &[Arc<LogEntry>], place: usize, now: &[PendingAction]) -> Vec<PendingAction> {
    let entry = &log[place];
    let before = |entry: &LogEntry| {
        let [before, _] = entry.changes.get("/pending").map(Value::items)? else { return None };
        Some(before.items().iter().filter_map(PendingAction::read).collect::<Vec<_>>())
    };
    if let Some(mut own) = before(entry) {
        own.retain(|pending| pending.what != entry.action.what);
        return own;
    }
    // An action waits within its phase only.
    let later = &log[place + 1..];
    let later = &later[..later.iter().position(|own| own.action.phase != entry.action.phase).unwrap_or(later.len())];
    let next = later.iter().position(|later| later.counts() && later.changes.get("/pending").is_some());
    let found = next.and_then(|next| before(&later[next])).unwrap_or_else(|| now.to_vec());
    let given_up = later[..next.unwrap_or(later.len())].iter().filter(|later| later.outcome == Some(Outcome::Dropped));
    let then = |pending: &PendingAction| {
        pending.phase == entry.action.phase && pending.at.zip(entry.action.at).is_none_or(|(own, at)| own <= at)
    };
    found.into_iter().chain(given_up.map(|later| later.action.clone())).filter(then).collect()
}

/// What had been drawn for the action of an entry while it waited, as the entry says it.
pub(super) fn waited(entry: &LogEntry) -> Value {
    let before = entry.changes.get("/pending").and_then(|pair| pair.items().first()).map_or(&[][..], Value::items);
    let own = before.iter().find(|own| own.get("do").and_then(Value::as_text) == Some(&entry.action.what));
    own.and_then(|own| own.get("random")).cloned().unwrap_or_default()
}

/// The selections of an entry since it was last played again, and after them those of its first time that it did not need
/// then: a draw once drawn stays a fact (RC-2).
pub(super) fn with_first(since: Option<&Value>, first: &Value) -> Value {
    let mut all = since.cloned().unwrap_or_else(|| Value::Map(Vec::new()));
    for (key, values) in first.entries() {
        let now = all.get(&key.to_string()).map_or(&[][..], Value::items);
        let rest = values.items().get(now.len()..).unwrap_or_default();
        let mut both: Vec<Value> = now.iter().chain(rest).cloned().collect();
        all.set(key.clone(), if both.len() == 1 { both.remove(0) } else { Value::List(both) });
    }
    all
}

fn in_words(amendment: &Amendment) -> String {
    use crate::game::Alteration::{Add, From};
    let what = amendment.die.map_or_else(|| "the total".to_owned(), |die| format!("die {die}"));
    match amendment.change {
        Add(amount) => format!("{what} of `{}` changed by {amount:+}", amendment.key),
        From(from) => format!("{what} of `{}` turned to {from} minus it", amendment.key),
    }
}

pub(super) fn event(text: String) -> Event {
    let none: Vec<Name> = Vec::new();
    Event { text, rule: "R-61".into(), rulings: vec![], players: none.clone(), spaces: vec![], items: none }
}
