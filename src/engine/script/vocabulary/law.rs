//! Amendments, rulings, proposals, and the values that the ruleset declares.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::none::NoneType;
use starlark::values::{Heap, Value};

use super::super::cell::at;
use super::super::handles::from_script;
use super::super::handles::to_script as value_to_script;
use crate::data::Key;
use crate::data::Value as Data;
use crate::engine::context::Context;
use crate::ruleset::Field;

#[starlark_module]
pub(super) fn law(builder: &mut GlobalsBuilder) {
    /// What play has amended in the rules.
    fn amendment<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = Context::declared(&context.ruleset.declared.amendments, &context.game.amendments, name);
            value
                .map(|value| value_to_script(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no amendment `{name}`")))
        })
    }

    /// Amends the rules; None takes the amendment back. It acts from now on.
    fn amend(name: &str, value: Value) -> starlark::Result<NoneType> {
        let value = from_script(value);
        at(|context| {
            if !context.ruleset.declared.amendments.iter().any(|field| &*field.name == name) {
                return Err(Context::failed(&format!("the ruleset declares no amendment `{name}`")));
            }
            let value = value.ok_or_else(|| Context::failed(&format!("this cannot be kept as amendment `{name}`")))?;
            let amendments = Arc::make_mut(&mut context.game.amendments);
            if value == Data::Null {
                amendments.remove(name);
            } else {
                amendments.set(Key::from(name), value);
            }
            Ok(NoneType)
        })
    }

    /// A value of the game's state.
    fn state<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = Context::declared(&context.ruleset.declared.state, &context.game.state, name);
            value
                .map(|value| value_to_script(heap, &value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no state `{name}`")))
        })
    }

    /// Sets a value of the game's state; None clears it.
    fn set_state(name: &str, value: Value) -> starlark::Result<NoneType> {
        let value = from_script(value);
        at(|context| {
            if !context.ruleset.declared.state.iter().any(|field| &*field.name == name) {
                return Err(Context::failed(&format!("the ruleset declares no state `{name}`")));
            }
            let value = value.ok_or_else(|| Context::failed(&format!("this cannot be kept as state `{name}`")))?;
            let state = Arc::make_mut(&mut context.game.state);
            if value == Data::Null {
                state.remove(name);
            } else {
                state.set(Key::from(name), value);
            }
            Ok(NoneType)
        })
    }

    /// The proposals by their numbers, as the file has them (PR-1).
    fn proposals<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let proposals = Data::Map(context.game.proposals.entries().to_vec());
            Ok(value_to_script(heap, &proposals))
        })
    }

    /// Updates a proposal's record. A field that is at its default, and was not written in the file before, is left out.
    fn set_proposal(number: i64, value: Value) -> starlark::Result<NoneType> {
        let value = from_script(value);
        at(|context| {
            let mut value = value.ok_or_else(|| Context::failed("this cannot be kept of a proposal"))?;
            if let Some(before) = context.game.proposals.get(&number.to_string()) {
                let silent = |field: &&Field| before.get(&field.name).is_none();
                for field in context.ruleset.declared.proposals.iter().filter(silent) {
                    if value.get(&field.name).is_some_and(|now| *now == field.default || now.as_text() == Some("")) {
                        value.remove(&field.name);
                    }
                }
            }
            Arc::make_mut(&mut context.game.proposals).set(Key::Int(number), value);
            Ok(NoneType)
        })
    }

    /// What this game has set for a switch of the rulings list: a value, or a dict with its source; None if it has set
    /// nothing.
    fn recorded_ruling<'v>(key: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| Ok(context.game.rulings.get(key).map_or_else(Value::new_none, |set| value_to_script(heap, set))))
    }

    /// Sets a switch of the rulings list, with its source, or with None clears the setting. Gives the values that the
    /// switch can have if this is not among them, an empty list if the switch is unknown, else None.
    fn set_ruling<'v>(key: &str, value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        let value = from_script(value);
        at(|context| {
            let Some(switch) = context.ruleset.switch(key) else { return Ok(heap.alloc(Vec::<String>::new())) };
            let value = value.ok_or_else(|| Context::failed("this cannot be kept as a ruling"))?;
            let word = value.get("value").unwrap_or(&value);
            if value != Data::Null && !word.as_text().is_some_and(|word| switch.allows(word)) {
                return Ok(heap.alloc(switch.values.clone()));
            }
            let rulings = Arc::make_mut(&mut context.game.rulings);
            if value == Data::Null {
                rulings.remove(key);
            } else {
                rulings.set(Key::from(key), value);
            }
            Ok(Value::new_none())
        })
    }

    /// The value of a switch of the rulings list.
    fn ruling(key: &str) -> starlark::Result<String> {
        at(|context| context.ruling(key))
    }

    /// The entries of the log that depended on a switch not at its default: a list of (id, command).
    fn entries_depending_on<'v>(key: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let leaning = context.game.log.iter().filter(|entry| entry.counts() && entry.rulings.get(key).is_some());
            Ok(heap.alloc(leaning.map(|entry| heap.alloc((entry.id, entry.action.what.clone()))).collect::<Vec<_>>()))
        })
    }

    /// From the next command on the game is played by the rules in this folder, relative to its file (PR-7).
    fn set_ruleset(folder: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.game.ruleset = folder.into();
            Ok(NoneType)
        })
    }

    /// The rules by which the game is played from the next command on: a built-in ruleset, or a folder.
    fn ruleset() -> starlark::Result<String> {
        at(|context| Ok(context.game.ruleset.to_string()))
    }

    /// A number that the ruleset declares as data, or that the game has changed.
    fn setting<'v>(name: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let value = context.ruleset.setting(&context.game, name);
            value
                .map(|value| value_to_script(heap, value))
                .ok_or_else(|| Context::failed(&format!("the ruleset declares no setting `{name}`")))
        })
    }
}
