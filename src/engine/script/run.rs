//! Runs the rule of an action in a new context, and says how it ended.

use std::sync::Arc;

use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::AllocDict;

use super::calls::{call, settle};
use super::cell::{at, with_context};
use super::compile::prepare;
use super::failure::script_error;
use super::gauge::{AtWork, entered};
use super::handles::{Player, Space};
use super::vocabulary::globals;
use crate::data::Value as Data;
use crate::diagnostic::Problem;
use crate::engine::context::{Context, recorded};
use crate::engine::error::ScriptError;
use crate::engine::interrupt::Interrupt;
use crate::engine::limits;
use crate::engine::whose::thrown_by;
use crate::game::{Amends, Game, PendingAction};
use crate::protocol::{Event, Refusal, Selection, Selections, Status};
use crate::ruleset::{Action, Argument, Ruleset};

/// How a run ended, and what had happened until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The game after the action; of a run that stopped, the game at that point.
    pub game: Game,
    /// The selections in the order in which they were made.
    pub selections: Vec<Selection>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Draws, as the file keeps them.
    pub random: Data,
    /// Choices, as the file keeps them.
    pub chosen: Data,
    /// Whose the dice are, as the file keeps it: those of the acting player are left out (M-8).
    pub thrown_by: Data,
    /// The selections that were given, with what was used of them.
    pub given: Selections,
    /// Switches not at their default that it depended on.
    pub rulings: Vec<(String, String)>,
    /// Actions whose time ran out.
    pub lapsed: Vec<PendingAction>,
    /// Changes that it made to the rolls of other actions.
    pub amends: Vec<Amends>,
    /// By the ids of entries that were replayed: their selections since, if these differ.
    pub again: Data,
    /// The change of an action of the log that it stopped at; what followed that action must be played again first.
    pub rewinds: Option<Amends>,
    /// How it ended; of a run that rewinds, the refusal for a caller that cannot go back.
    pub status: Status,
}

/// Carries out `action` on `game` with the answers given. Pure: the same arguments give the same result.
pub fn run(ruleset: &Arc<Ruleset>, game: &Game, action: &Action, given: Selections) -> Run {
    let _at_work = AtWork::begin();
    entered(None);
    let context = Context::new(Arc::clone(ruleset), game.clone(), action.clone(), given);
    let scripts = prepare(ruleset, globals);
    let (mut context, ended) = with_context(context, || play(ruleset, action));
    let entered = context.running.last().map(|running| scripts.place(running.file, &running.key));
    let placed = |failed: &starlark::Error| script_error(failed, entered.as_ref());
    let interrupt = match (context.halt.take(), ended) {
        (Some(Interrupt::Failed(error)), Err(failed)) if error.line == 0 => {
            Some(Interrupt::Failed(ScriptError { message: error.message, ..placed(&failed) }))
        }
        (Some(Interrupt::Ended), _) | (None, Ok(())) => context.finish().err(),
        (Some(interrupt), _) => Some(interrupt),
        (None, Err(failed)) => Some(Interrupt::Failed(placed(&failed))),
    };
    let mut rewinds = None;
    let status = match interrupt {
        None | Some(Interrupt::Ended) => Status::Done,
        Some(Interrupt::Asks(question)) => Status::Asks(*question),
        Some(Interrupt::Refused(refusal)) => Status::Refused(refusal),
        Some(Interrupt::NeedsRuling(ruling)) => Status::NeedsRuling(ruling),
        Some(Interrupt::Failed(error)) => {
            let help = "the rule file is wrong; `referee rules check` checks all of them";
            Status::Refused(Refusal::new("rule-failed", error.to_string()).help(help))
        }
        Some(Interrupt::Rewinds(amends)) => {
            rewinds = Some(amends);
            let message = "it would change an action that it did not change before";
            Status::Refused(Refusal::new("replay-refused", message).rule("R-61"))
        }
    };
    let (random, chosen) = recorded(&context.selections);
    let actor = context.action.player().map(|id| Data::from(&*context.name(id)));
    Run {
        thrown_by: thrown_by(&context.selections, actor.as_ref()),
        random,
        chosen,
        given: context.given,
        game: context.game,
        selections: context.selections,
        events: context.events,
        rulings: context.depended_on,
        lapsed: context.lapsed,
        amends: context.amends,
        again: Data::Null,
        rewinds,
        status,
    }
}

/// Compiles every rule text and returns what is wrong with any of them, and with the ruleset itself.
pub fn check_scripts(ruleset: &Ruleset) -> Vec<Problem> {
    let _at_work = AtWork::begin();
    let errors = prepare(ruleset, globals).check(&ruleset.declared.hooks);
    let found = errors.iter().map(|error| error.problem(ruleset.sources().texts()));
    ruleset.problems.iter().cloned().chain(found).collect()
}

fn play(ruleset: &Ruleset, action: &Action) -> starlark::Result<()> {
    let Some(rule) = ruleset.declared.action(&action.name) else {
        return at(|_| Err(Context::failed(&format!("the ruleset has no action `{}`", action.name))));
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
                Argument::Set => Value::new_bool(true),
                Argument::None => Value::new_none(),
            })
            .collect();
        // What changes an earlier roll has passed before; the roll as changed may have ended the cycle.
        for before in ruleset.declared.before_action.iter().filter(|_| action.amends.is_empty()) {
            call(&mut eval, before, &[])?;
        }
        call(&mut eval, &rule.run, &args)?;
        settle(&mut eval)?;
        for after in &ruleset.declared.after_action {
            call(&mut eval, after, &[])?;
        }
        Ok(())
    })
}
