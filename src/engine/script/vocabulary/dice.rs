//! Dice and other fair draws, and rolls of other actions.

#![expect(
    clippy::too_many_arguments,
    reason = "a question of a rule has its options, its text and the values of the text"
)]

use std::sync::Arc;

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::list::UnpackList;
use starlark::values::none::{NoneOr, NoneType};
use starlark::values::tuple::UnpackTuple;
use starlark::values::{Heap, UnpackValue, Value};

use super::super::cell::at;
use super::super::handles::{Player, Roll, Space};
use super::super::message::said;
use super::ask::{pick_name, pick_player, pick_space};
use crate::data::{Dice, NotDice, Value as Data};
use crate::engine::context::{Context, one_of};
use crate::game::{Alteration, Amended, Amendment, Amends, PlayerId, Rolled};
use crate::protocol::{By, Options, Question, What};

/// The changes of the dice that fell just now.
fn changes_of(context: &mut Context, key: &str, count: usize) -> Vec<(Option<usize>, bool, i64)> {
    let each = |(die, change)| match change {
        Alteration::Add(amount) => (die, true, amount),
        Alteration::From(from) => (die, false, from),
    };
    context.amendments(key, count).into_iter().map(each).collect()
}

#[starlark_module]
pub(super) fn dice(builder: &mut GlobalsBuilder) {
    /// Throws dice such as "2d4" and gives the roll: `.dice` as they fell, `.total` their sum (D-1). They are the dice of the
    /// player `by`; without one, of the player whom the running effect is about, else of the player who acts (M-8).
    fn roll(
        key: &str,
        dice: &str,
        #[starlark(default = NoneOr::None)] text: NoneOr<&str>,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = NoneOr::None)] by: NoneOr<Player>,
    ) -> starlark::Result<Roll> {
        at(|context| {
            let Dice { count, faces } = dice.parse().map_err(|error: NotDice| Context::failed(&error.to_string()))?;
            if count == 0 {
                return Ok(Roll { dice: Vec::new(), sum: 0, changes: Vec::new() });
            }
            let text = match text.into_option() {
                Some(text) => said(context, (text, &values.items))?,
                None => format!("{dice} for {key}"),
            };
            let options = Options::Dice { count, faces };
            let thrower = by.into_option().map(Player::id).or_else(|| context.thrower()).map(|id| context.name(id));
            let question = Question::new(key, By::Random, What::Dice, options, text, &context.cause);
            let question = Question { thrower, ..question };
            let shown = context.ask(question)?;
            let dice: Vec<i64> = shown.items().iter().filter_map(Data::as_int).collect();
            let changes = changes_of(context, key, dice.len());
            Ok(Roll { sum: dice.iter().sum(), dice, changes })
        })
    }

    /// A roll whose total a rule fixes, without dice; whose it is as of `roll`.
    fn fixed_roll(
        key: &str,
        total: i64,
        #[starlark(require = named, default = NoneOr::None)] by: NoneOr<Player>,
    ) -> starlark::Result<Roll> {
        at(|context| {
            let thrower = by.into_option().map(Player::id).or_else(|| context.thrower());
            context.throw_nothing(key, thrower);
            let changes = changes_of(context, key, 0);
            Ok(Roll { dice: Vec::new(), sum: total, changes })
        })
    }

    /// Asks the player which roll of another action of this phase is meant: by a number among the dice of the only
    /// pending roll, else of the player's own last roll of the key `own`; by `ENTRY.N`, die N of a log entry; by
    /// `PLAYER.N`, die N of a pending action if it is that player's die. With `only`, none but rolls of the key `own` can be meant, with
    /// `fixed` also those without dice, and the only one there is needs no answer. Gives (whether it is pending still, the action, the key, the die).
    fn choose_roll<'v>(
        player: Player,
        key: &str,
        own: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = false)] only: bool,
        #[starlark(require = named, default = false)] fixed: bool,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        at(|context| {
            let text = said(context, (text, &values.items))?;
            let found = crate::engine::rolls::choose(context, player.id(), key, own, &text, (only, fixed))?;
            let (pending, action) = match &found.of {
                Rolled::Entry(id) => (false, heap.alloc(*id)),
                Rolled::Pending(what) => (true, heap.alloc(what.as_str())),
            };
            let place = found.die.place.map(|place| heap.alloc(i64::try_from(place).unwrap_or(i64::MAX)));
            let die = place.unwrap_or_else(Value::new_none);
            Ok(heap.alloc(vec![Value::new_bool(pending), action, heap.alloc(found.die.key), die]))
        })
    }

    /// Changes a roll of another action (D-4): the die, or with None the total, gains `add`, or becomes `minus_from`
    /// less what it was. The roll of a pending action is changed in place; after a change to one of an action that was performed,
    /// makes what followed be played again.
    fn change_roll<'v>(
        action: Value<'v>,
        key: &str,
        die: NoneOr<i64>,
        #[starlark(default = 0)] add: i64,
        #[starlark(default = NoneOr::None)] minus_from: NoneOr<i64>,
        #[starlark(default = false)] record_only: bool,
    ) -> starlark::Result<NoneType> {
        at(|context| {
            let of = match i64::unpack_value(action) {
                Ok(Some(id)) => Rolled::Entry(id),
                _ => Rolled::Pending(action.unpack_str().unwrap_or_default().to_owned()),
            };
            let die = die.into_option().and_then(|die| usize::try_from(die).ok());
            let change = minus_from.into_option().map_or(Alteration::Add(add), Alteration::From);
            let amendment = Amendment { key: key.to_owned(), die, change };
            let amends = Amends { of, change: Amended::Roll(amendment) };
            crate::engine::rolls::amend(context, amends, record_only)?;
            Ok(NoneType)
        })
    }

    /// The dice that players have thrown in this phase, this action's included: a list of (player, key, dice).
    fn rolls<'v>(heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        at(|context| {
            let found = crate::engine::rolls::past(context);
            let row = |(player, key, dice): (PlayerId, String, Vec<i64>)| heap.alloc((Player::from(player), key, dice));
            Ok(heap.alloc(found.into_iter().map(row).collect::<Vec<_>>()))
        })
    }

    /// Draws one of the spaces, each equally likely.
    fn random_space(
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Space> {
        Ok(pick_space(key, None, &options.items, (text, &values.items), 0, false)?.expect("none was not offered"))
    }

    /// Draws one of the numbers, each equally likely.
    fn random_number(
        key: &str,
        options: UnpackList<i64>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<i64> {
        at(|context| {
            let options = options.items.into_iter().map(Data::Int).collect();
            let question =
                one_of(key, By::Random, What::Number, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.as_int().expect("an answer is one of the numbers offered"))
        })
    }

    /// Draws one of the players, each equally likely.
    fn random_player(
        key: &str,
        options: UnpackList<Player>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Player> {
        pick_player(key, None, &options.items, (text, &values.items))
    }

    /// Draws one of the kinds of item, each equally likely.
    fn random_item(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, None, What::Item, &options.items, (text, &values.items), false)
    }

    /// Draws one of the numbered rows of items as they are now, each equally likely (GB-5, R-38).
    fn random_row(key: &str, text: &str, #[starlark(args)] values: UnpackTuple<Value<'_>>) -> starlark::Result<String> {
        at(|context| {
            let ruleset = Arc::clone(&context.ruleset);
            let rows = ruleset.rows(&context.game).into_iter().map(|(_, name)| Data::from(&*name)).collect();
            let question =
                one_of(key, By::Random, What::Item, rows, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.to_string())
        })
    }

    /// Draws one of the space types, each equally likely unless the list names one more often (C-1).
    fn random_type(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, None, What::Type, &options.items, (text, &values.items), false)
    }
}
