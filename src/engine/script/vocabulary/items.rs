//! Kinds of item, and who gets them.

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::none::NoneType;
use starlark::values::{Heap, Value};

use super::super::calls::{run_effect, settle};
use super::super::cell::at;
use super::super::handles::Player;
use super::super::handles::to_script as value_to_script;

#[starlark_module]
pub(super) fn items(builder: &mut GlobalsBuilder) {
    /// Whether there is such a kind of item now.
    fn is_item(name: &str) -> starlark::Result<bool> {
        at(|context| Ok(context.ruleset.is_item(&context.game, name)))
    }

    /// Every kind of item in the game: the rows, then the kinds outside the table.
    fn item_kinds() -> starlark::Result<Vec<String>> {
        at(|context| {
            let names = context.ruleset.item_names(&context.game);
            Ok(names.iter().map(std::string::ToString::to_string).collect())
        })
    }

    /// The numbered rows of items as they are now: a list of (number, name) (GB-1).
    fn rows<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let rows = context.ruleset.rows(&context.game);
            Ok(heap.alloc(rows.iter().map(|(number, name)| heap.alloc((*number, &**name))).collect::<Vec<_>>()))
        })
    }

    /// The kind of which another is made: "Duck" of "jumbo Duck" (GB-7); a plain kind gives itself.
    fn plain_kind(item: &str) -> starlark::Result<String> {
        at(|context| Ok(context.ruleset.plain(item).to_owned()))
    }

    /// What the rule of an item says in a word, such as `usable: false` in its file; None if the rule does not mention it.
    fn item_attribute<'v>(item: &str, word: &str, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let rule = context.ruleset.item(context.ruleset.plain(item));
            Ok(rule.and_then(|rule| rule.says.get(word)).map_or(Value::new_none(), |said| value_to_script(heap, said)))
        })
    }

    /// Runs the effect of an item for the player who uses it, and gives what it returns; None if it has no effect. A kind
    /// made of another does what that one does.
    fn item_effect<'v>(item: &str, you: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<Value<'v>> {
        let ruleset = at(|context| Ok(Arc::clone(&context.ruleset)))?;
        let Some(rule) = ruleset.item(ruleset.plain(item)) else { return Ok(Value::new_none()) };
        let used = eval.heap().alloc(item);
        run_effect(&ruleset, rule.file, rule.rule(), "effect", &[you, used], eval)
    }

    /// Takes a copy of an item in use: it cannot be used, or otherwise spent, meanwhile.
    fn begin_use(player: Player, item: &str) -> starlark::Result<NoneType> {
        at(|context| {
            context.in_use.push((player.id(), item.into()));
            Ok(NoneType)
        })
    }

    /// Lets go of a copy that was in use.
    fn end_use(player: Player, item: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let place = context.in_use.iter().rposition(|(own, name)| *own == player.id() && **name == *item);
            place.map(|place| context.in_use.remove(place));
            Ok(NoneType)
        })
    }

    /// How many copies of an item of the player's are in use now.
    fn count_in_use(player: Player, item: &str) -> starlark::Result<i64> {
        at(|context| {
            let count = context.in_use.iter().filter(|(own, name)| *own == player.id() && **name == *item).count();
            Ok(i64::try_from(count).unwrap_or(i64::MAX))
        })
    }

    /// Gives the player items, made for them (I-3).
    fn grant<'v>(
        player: Player,
        item: &str,
        #[starlark(default = 1)] amount: i64,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|context| context.give(player.mover(), item, amount))?;
        settle(eval)?;
        Ok(NoneType)
    }

    /// Destroys items of the player's (I-4).
    fn revoke<'v>(
        player: Player,
        item: &str,
        #[starlark(default = 1)] amount: i64,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        at(|context| context.give(player.mover(), item, amount.saturating_neg()))?;
        settle(eval)?;
        Ok(NoneType)
    }
}
