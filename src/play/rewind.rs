//! Going back in the log and playing on from there: the entries since are taken back by their changes, then played again
//! with their recorded selections.

use std::sync::Arc;

use super::{Event, Given, Halt, Ran, Refusal, Selection};
use crate::game::{Amendment, Amends, Commenced, Game, LogEntry, Name, Outcome, Rolled};
use crate::rulebook::script::{recorded, run};
use crate::rulebook::{Action, Rulebook};
use crate::value::{Key, Value};

/// Resolves an action that changes a roll of an entry: first the log from that entry on with the roll as changed, then
/// the action itself. `first` is its run as far as the change, on the game as it is.
pub(super) fn resolve_again(
    rulebook: &Arc<Rulebook>,
    game: &Game,
    action: &Action,
    first: &Ran,
    amends: &Amends,
) -> Ran {
    let mut replay = Replay { rulebook, given: first.given.clone(), ..Replay::new(rulebook, game) };
    let stopped = replay.from(game, amends).err();
    // Played again, it can be refused before it comes as far.
    let spliced = |all: &[Selection], new: &[Selection]| {
        let (before, after) = all.split_at(first.selections.len().min(all.len()));
        [before, new, after].concat()
    };
    let mut ran = match stopped {
        Some(halt) => Ran { halt: Some(halt), given: replay.given.clone(), game: game.clone(), ..first.clone() },
        None => {
            let given = replay.given.from_the_start(&first.given);
            // Ids of players can have moved.
            let known = Action::read(rulebook, &replay.game, &shlex::split(&action.what).unwrap_or_default());
            match known {
                Ok(again) => {
                    let again = Action {
                        at: action.at,
                        amended: action.amended.clone(),
                        amends: vec![amends.clone()],
                        ..again
                    };
                    run(rulebook, &replay.game, &again, given)
                }
                Err(error) => {
                    let refusal = refused(&format!("`{}` is no longer possible: {}", action.what, error.message));
                    Ran { halt: Some(refusal), game: game.clone(), ..first.clone() }
                }
            }
        }
    };
    ran.selections = spliced(&ran.selections, &replay.selections);
    (ran.random, ran.chosen) = recorded(&ran.selections);
    ran.events.splice(0..0, replay.events);
    ran.lapsed.splice(0..0, replay.lapsed);
    ran.rulings.extend(replay.rulings.into_iter().filter(|own| !first.rulings.contains(own)));
    ran.rulings.dedup();
    ran.again = Value::Map(replay.again);
    if let Some(Halt::Rewinds(_)) = ran.halt {
        ran.halt = Some(refused("an action changes one roll that was performed, not two"));
    }
    ran
}

fn refused(message: &str) -> Halt {
    let help = "nothing was written; `adjudicate` records what is decided by hand".to_owned();
    let code = "replay-refused".to_owned();
    Halt::Refused(Refusal { code, message: message.to_owned(), help: Some(help), rule: "R-61".into() })
}

/// The log played again from an entry on.
struct Replay<'a> {
    rulebook: &'a Arc<Rulebook>,
    game: Game,
    /// Answers to what the record does not hold.
    given: Given,
    /// Selections made with them.
    selections: Vec<Selection>,
    events: Vec<Event>,
    lapsed: Vec<Commenced>,
    rulings: Vec<(String, String)>,
    again: Vec<(Key, Value)>,
}

impl<'a> Replay<'a> {
    fn new(rulebook: &'a Arc<Rulebook>, game: &Game) -> Self {
        Self {
            rulebook,
            game: game.clone(),
            given: Given::default(),
            selections: Vec::new(),
            events: Vec::new(),
            lapsed: Vec::new(),
            rulings: Vec::new(),
            again: Vec::new(),
        }
    }

    fn from(&mut self, game: &Game, new: &Amends) -> Result<(), Halt> {
        let this_phase = game.log.iter().position(|entry| entry.action.phase >= game.phase).unwrap_or(game.log.len());
        let log = &game.log[this_phase..];
        let Some(mut first) = log.iter().position(|entry| Rolled::Entry(entry.id) == new.of) else {
            return Err(refused("the roll is not in the log of this phase"));
        };
        // What changed earlier rolls since must be gone back to as well: its own effect reached that far.
        let target = |amends: &Amends| log.iter().position(|entry| amends.of == Rolled::Entry(entry.id));
        while let Some(earlier) =
            log[first..].iter().flat_map(|entry| &entry.amends).filter_map(target).find(|place| *place < first)
        {
            first = earlier;
        }
        for entry in log[first..].iter().rev() {
            self.game.take_back(&entry.changes).map_err(|conflict| {
                refused(&format!(
                    "entry {} left {} at {}, and it is {} now: something has changed it that is not in the log",
                    entry.id, conflict.pointer, conflict.expected, conflict.found
                ))
            })?;
        }
        let mut rest = Arc::make_mut(&mut self.game.log).split_off(this_phase + first);
        let known: Vec<Amends> = log.iter().flat_map(|entry| entry.amends.clone()).chain([new.clone()]).collect();
        let text = format!("the log goes back to entry {}, and is played again from there", rest[0].id);
        self.events.push(event(text));
        for entry in rest.drain(..) {
            self.play(log, &known, &entry)?;
            Arc::make_mut(&mut self.game.log).push(entry);
        }
        Ok(())
    }

    fn play(&mut self, log: &[Arc<LogEntry>], known: &[Amends], entry: &LogEntry) -> Result<(), Halt> {
        let fails =
            |why: &str| refused(&format!("entry {}, `{}`, does not hold any more: {why}", entry.id, entry.action.what));
        match entry.outcome {
            None => {}
            Some(Outcome::Lapsed | Outcome::Dropped) => return Ok(()),
            Some(Outcome::Declared) => {
                self.events.push(event(format!("entry {}, `{}`, as declared", entry.id, entry.action.what)));
                return self
                    .game
                    .do_again(&entry.changes)
                    .map_err(|conflict| fails(&format!("there is no place {}", conflict.pointer)));
            }
        }
        let rules = entry.ruleset.as_deref().and_then(|pin| pin.split('+').next());
        if rules.is_some_and(|rules| rules != self.rulebook.pin()) {
            return Err(fails("it was resolved under other rules"));
        }
        let words = shlex::split(&entry.action.what).unwrap_or_default();
        let mut action = Action::read(self.rulebook, &self.game, &words).map_err(|error| fails(&error.message))?;
        let mine = |amends: &&Amends| amends.of == Rolled::Entry(entry.id);
        action.at = entry.action.at;
        action.amended.clone_from(&entry.action.amended);
        action.amended.extend(known.iter().filter(mine).map(|amends| amends.amendment.clone()));
        action.amends.clone_from(&entry.amends);
        let id = entry.id.to_string();
        let since = log.iter().rev().find_map(|later| later.again.get(&id));
        let known = |part: &str, first: &Value| with_first(since.and_then(|since| since.get(part)), first);
        let (random, chosen) = (known("random", &entry.action.random), known("chosen", &entry.action.chosen));
        let given = self.given.again([&random, &chosen]);
        let ran = run(self.rulebook, &self.game, &action, given);
        self.given.use_as(&ran.given);
        self.selections
            .extend(ran.selections.iter().filter(|own| own.recorded && !own.known && !own.value.is_empty()).cloned());
        match ran.halt {
            None => {}
            Some(Halt::Refused(refusal)) => return Err(fails(&refusal.message)),
            Some(Halt::Rewinds(_)) => return Err(fails("it would change a roll that it did not change before")),
            Some(halt) => return Err(halt),
        }
        let amendments: Vec<String> = action.amended.iter().map(in_words).collect();
        let with = if amendments.is_empty() { String::new() } else { format!(", with {}", amendments.join(" and ")) };
        self.events.push(event(format!("entry {id}, `{}`, again{with}", entry.action.what)));
        if (&ran.random, &ran.chosen) != (&entry.action.random, &entry.action.chosen) {
            let mut map = Value::Map(Vec::new());
            for (key, part) in [("random", ran.random), ("chosen", ran.chosen)] {
                if !part.is_empty() {
                    map.set(Key::from(key), part);
                }
            }
            self.again.push((Key::Int(entry.id), map));
        }
        self.events.extend(ran.events);
        self.lapsed.extend(ran.lapsed);
        self.rulings.extend(ran.rulings);
        self.game = ran.game;
        self.game.sweep();
        Ok(())
    }
}

/// The selections of an entry since it was last played again, and after them those of its first time that it did not need
/// then: a draw once drawn stays a fact (RC-2).
fn with_first(since: Option<&Value>, first: &Value) -> Value {
    let mut all = since.cloned().unwrap_or_else(|| Value::Map(Vec::new()));
    for (key, values) in first.entries() {
        let now = all.get(&key.to_string()).map_or(&[][..], Value::items);
        let rest = values.items().get(now.len()..).unwrap_or_default();
        let both = now.iter().chain(rest).cloned().collect();
        all.set(key.clone(), Value::List(both));
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

fn event(text: String) -> Event {
    let none: Vec<Name> = Vec::new();
    Event { text, rule: "R-61".into(), rulings: vec![], players: none.clone(), spaces: vec![], items: none }
}
