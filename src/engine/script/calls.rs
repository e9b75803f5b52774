//! Calls from a running rule into other functions of the ruleset: by name, of an effect, of watches.

use std::sync::Arc;

use starlark::eval::Evaluator;
use starlark::values::{UnpackValue, Value};

use super::cell::at;
use super::compile::scripts;
use super::gauge::entered;
use super::handles::Player;
use crate::engine::context::Context;
use crate::engine::interrupt::Interrupt;
use crate::ruleset::Ruleset;

/// Calls a function of a rule file by name.
pub(in crate::engine) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    name: &str,
    args: &[Value<'v>],
) -> starlark::Result<Value<'v>> {
    let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
    let function = scripts(&ruleset).function(name).or_else(|error| at(|_| Err(Interrupt::Failed(error))))?;
    let function = eval.heap().access_owned_frozen_value(&function);
    eval.eval_function(function, args, &[])
}

/// Runs the watches that wait for the end of an effect.
pub(in crate::engine) fn settle(eval: &mut Evaluator<'_, '_, '_>) -> starlark::Result<()> {
    loop {
        let next = at(|context| {
            Ok(if context.together == 0 && !context.due.is_empty() { Some(context.due.remove(0)) } else { None })
        })?;
        let Some((watch, player, item, amount)) = next else { return Ok(()) };
        let cause = at(|context| Ok(context.cause.clone()))?;
        let heap = eval.heap();
        let args = [heap.alloc(Player::from(player)), heap.alloc(&*item), heap.alloc(amount)];
        call(eval, &watch, &args)?;
        at(|context| {
            context.cause = cause;
            Ok(())
        })?;
    }
}

/// Runs an effect of a rule file, with its rule as the cause of what happens.
pub(in crate::engine) fn run_effect<'v>(
    ruleset: &Ruleset,
    file: usize,
    rule: &str,
    effect: &str,
    args: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> starlark::Result<Value<'v>> {
    let Some(params) = ruleset.declared.hooks.get(effect) else {
        return at(|_| Err(Context::failed(&format!("the ruleset declares no effect `{effect}`"))));
    };
    let function = scripts(ruleset).effect(file, effect, params);
    let Some(function) = function.or_else(|error| at(|_| Err(Interrupt::Failed(error))))? else {
        return Ok(Value::new_none());
    };
    let you = args.first().and_then(|you| Player::unpack_value(*you).ok().flatten()).map(Player::id);
    let cause = at(|context| {
        context.enter(file, effect, you)?;
        Ok(std::mem::replace(&mut context.cause, rule.to_owned()))
    })?;
    let function = eval.heap().access_owned_frozen_value(function);
    let outer = entered(Some(Arc::clone(&ruleset.sources().part(file)[0].source)));
    let result = eval.eval_function(function, args, &[])?;
    entered(outer);
    at(|context| {
        context.running.pop();
        context.cause = cause;
        Ok(())
    })?;
    Ok(result)
}
