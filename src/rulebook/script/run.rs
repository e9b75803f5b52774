//! Runs the rule of an action at a fresh table and says how it ended.

use std::sync::Arc;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::AllocDict;

use super::answer::Given;
use super::question::{Event, Halt, Selection};
use super::seat::{at, call, seat, settle};
use super::table::{Table, recorded};
use super::values::{Player, Space};
use super::{ScriptError, limits};
use crate::game::{Amends, Commenced, Game};
use crate::rulebook::{Action, Argument, Rulebook};
use crate::value::Value as Data;

/// How a run ended, and what had come of it until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The game after the action; of a run that stopped, as far as it came.
    pub game: Game,
    /// The selections in the order in which they were made.
    pub selections: Vec<Selection>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Draws, as the file keeps them.
    pub random: Data,
    /// Choices, as the file keeps them.
    pub chosen: Data,
    /// The answers, with what was used of them.
    pub given: Given,
    /// Switches not at their default that were leaned on.
    pub rulings: Vec<(String, String)>,
    /// Actions whose time ran out.
    pub lapsed: Vec<Commenced>,
    /// Changes that it made to the rolls of other actions.
    pub amends: Vec<Amends>,
    /// By the ids of entries that were played again: their selections since, where these differ.
    pub again: Data,
    /// Why it stopped before its end; `None` for an action that was carried out.
    pub halt: Option<Halt>,
}

/// Carries out `action` on `game` with the answers given. Pure: the same arguments give the same result.
pub fn run(rulebook: &Arc<Rulebook>, game: &Game, action: &Action, given: Given) -> Ran {
    let table = Table::new(Arc::clone(rulebook), game.clone(), action.clone(), given);
    let (mut table, ended) = seat(table, || play(rulebook, action));
    let entered = table.running.last().map(|(file, key)| rulebook.scripts.place(*file, key));
    let placed = |failed: &starlark::Error| ScriptError::of(failed, entered.as_ref());
    let halt = match (table.halt.take(), ended) {
        (Some(Halt::Failed(error)), Err(failed)) if error.line == 0 => {
            Some(Halt::Failed(ScriptError { message: error.message, ..placed(&failed) }))
        }
        (Some(Halt::Ended), _) | (None, Ok(())) => table.finish().err(),
        (Some(halt), _) => Some(halt),
        (None, Err(failed)) => Some(Halt::Failed(placed(&failed))),
    };
    let (random, chosen) = recorded(&table.selections);
    Ran {
        random,
        chosen,
        given: table.given,
        game: table.game,
        selections: table.selections,
        events: table.events,
        rulings: table.leaned_on,
        lapsed: table.lapsed,
        amends: table.amends,
        again: Data::Null,
        halt,
    }
}

fn play(rulebook: &Rulebook, action: &Action) -> starlark::Result<()> {
    let Some(rule) = rulebook.ruleset.action(&action.name) else {
        return at(|_| Err(Table::failed(&format!("the ruleset has no action `{}`", action.name))));
    };
    Module::with_temp_heap(|module| {
        let mut eval = Evaluator::new(&module);
        let set = [
            eval.set_max_tick_count(limits::STEPS),
            eval.set_max_callstack_size(limits::DEPTH),
            eval.set_max_heap_size(limits::HEAP),
        ];
        debug_assert!(set.iter().all(Result::is_ok), "each limit is set once and above zero");
        let heap = eval.heap();
        let args: Vec<Value> = action
            .args
            .iter()
            .map(|argument| match argument {
                Argument::Player(player) => heap.alloc(Player::from(*player)),
                Argument::Space(space) => heap.alloc(Space::from(*space)),
                Argument::Item(name) => heap.alloc(&**name),
                Argument::Items(items) => {
                    heap.alloc(AllocDict(items.iter().map(|(name, amount)| (heap.alloc(&**name), heap.alloc(*amount)))))
                }
                Argument::Text(text) => heap.alloc(text.as_str()),
                Argument::Number(number) => heap.alloc(*number),
                Argument::Texts(texts) => heap.alloc(texts.clone()),
                Argument::None => Value::new_none(),
            })
            .collect();
        // What changes an earlier roll has passed before; the roll as changed may have ended the cycle.
        for before in rulebook.ruleset.before_action.iter().filter(|_| action.amends.is_empty()) {
            call(&mut eval, before, &[])?;
        }
        call(&mut eval, &rule.run, &args)?;
        settle(&mut eval)?;
        for after in &rulebook.ruleset.after_action {
            call(&mut eval, after, &[])?;
        }
        Ok(())
    })
}
