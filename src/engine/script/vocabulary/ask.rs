//! Questions to a player or to the steward.

#![expect(
    clippy::too_many_arguments,
    reason = "a question of a rule has its options, its text and the values of the text"
)]

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::list::UnpackList;
use starlark::values::none::NoneOr;
use starlark::values::tuple::UnpackTuple;

use super::super::cell::at;
use super::super::handles::{Player, Space};
use super::super::message::said;
use crate::data::Value as Data;
use crate::engine::context::{Context, one_of};
use crate::game::SpaceId;
use crate::protocol::{By, Options, Question, What};

fn chosen_by(context: &Context, player: Player, optional: bool) -> By {
    By::Player(context.name(context.decider(player.id(), optional)))
}

/// Asks for one of several spaces.
pub(super) fn pick_space(
    key: &str,
    by: Option<Player>,
    options: &[Space],
    text: (&str, &[Value<'_>]),
    step: u32,
    none: bool,
) -> starlark::Result<Option<Space>> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, none));
        let mut values: Vec<Data> = options.iter().map(|space| space.id().into()).collect();
        if none {
            values.push(Data::from("none"));
        }
        let question = Question { step, ..one_of(key, by, What::Space, values, said(context, text)?, &context.cause) };
        let answer = context.ask(question)?;
        Ok(SpaceId::of(&answer).map(Space::from))
    })
}

pub(super) fn pick_player(
    key: &str,
    by: Option<Player>,
    options: &[Player],
    text: (&str, &[Value<'_>]),
) -> starlark::Result<Player> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, false));
        let names = options.iter().map(|player| Data::from(&*context.name(player.id()))).collect();
        let question = one_of(key, by, What::Player, names, said(context, text)?, &context.cause);
        let answer = context.ask(question)?;
        let found = answer.as_text().and_then(|name| context.game.player_named(name));
        Ok(found.expect("an answer is one of the players offered").into())
    })
}

pub(super) fn pick_name(
    key: &str,
    by: Option<Player>,
    what: What,
    options: &[String],
    text: (&str, &[Value<'_>]),
    optional: bool,
) -> starlark::Result<String> {
    at(|context| {
        let by = by.map_or(By::Random, |player| chosen_by(context, player, optional));
        let options = options.iter().map(|name| Data::from(name.as_str())).collect();
        let question = one_of(key, by, what, options, said(context, text)?, &context.cause);
        Ok(context.ask(question)?.to_string())
    })
}

#[starlark_module]
pub(super) fn ask(builder: &mut GlobalsBuilder) {
    /// Asks the player yes or no.
    fn choose_yes_no(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<bool> {
        at(|context| {
            let by = chosen_by(context, player, true);
            let options = vec![Data::from("yes"), Data::from("no")];
            let question = one_of(key, by, What::YesNo, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)? == Data::from("yes"))
        })
    }

    /// Asks the player for one of the spaces. With a `step`, from 1 on, it is a step of a selection that is given whole: the
    /// steps with only one legal answer included.
    fn choose_space(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = 0)] step: u32,
    ) -> starlark::Result<Space> {
        let space = pick_space(key, Some(player), &options.items, (text, &values.items), step, false)?;
        Ok(space.expect("none was not offered"))
    }

    /// Asks the player for one of the spaces, or for none; gives None for none.
    fn choose_space_or_none(
        player: Player,
        key: &str,
        options: UnpackList<Space>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneOr<Space>> {
        Ok(NoneOr::from_option(pick_space(key, Some(player), &options.items, (text, &values.items), 0, true)?))
    }

    /// Asks the player for one of the places (x, y) on a map, whether or not there is a space (L-1). `words` name them in other
    /// words, one each. With a `step` it is a step of a selection that is given whole; with `implied` a step with one legal
    /// answer can be left out of it.
    fn choose_place(
        player: Player,
        key: &str,
        places: UnpackList<(i64, i64)>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = 0)] step: u32,
        #[starlark(require = named, default = UnpackList::default())] words: UnpackList<String>,
        #[starlark(require = named, default = false)] implied: bool,
    ) -> starlark::Result<(i64, i64)> {
        at(|context| {
            let by = chosen_by(context, player, false);
            let ids = places.items.iter().map(|(x, y)| SpaceId::at(*x, *y));
            let ids = ids.collect::<Option<Vec<_>>>().ok_or_else(|| Context::failed("a place is beyond the map"))?;
            let options: Vec<Data> = ids.into_iter().map(Data::from).collect();
            let words = words.items.into_iter().zip(options.iter().cloned()).collect();
            let question = one_of(key, by, What::Space, options, said(context, (text, &values.items))?, &context.cause);
            let answer = context.ask(Question { step, implied, words, ..question })?;
            Ok(SpaceId::of(&answer).and_then(SpaceId::place).expect("an answer is one of the places offered"))
        })
    }

    /// Asks the player for one of the players.
    fn choose_player(
        player: Player,
        key: &str,
        options: UnpackList<Player>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<Player> {
        pick_player(key, Some(player), &options.items, (text, &values.items))
    }

    /// Asks the player for one of the numbers. With `optional` it is a choice that they may, but need not, make.
    fn choose_number(
        player: Player,
        key: &str,
        options: UnpackList<i64>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = false)] optional: bool,
    ) -> starlark::Result<i64> {
        at(|context| {
            let by = chosen_by(context, player, optional);
            let options = options.items.into_iter().map(Data::Int).collect();
            let question =
                one_of(key, by, What::Number, options, said(context, (text, &values.items))?, &context.cause);
            Ok(context.ask(question)?.as_int().expect("an answer is one of the numbers offered"))
        })
    }

    /// Asks the player for any whole number from `least` to `most`; without them, for any that an identifier can be.
    fn choose_whole(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
        #[starlark(require = named, default = NoneOr::None)] least: NoneOr<i64>,
        #[starlark(require = named, default = NoneOr::None)] most: NoneOr<i64>,
    ) -> starlark::Result<i64> {
        at(|context| {
            let bounds = (least.into_option().unwrap_or(-SpaceId::MOST), most.into_option().unwrap_or(SpaceId::MOST));
            let options = Options::Whole(bounds.0, bounds.1);
            let by = chosen_by(context, player, false);
            let question = Question {
                options,
                ..one_of(key, by, What::Number, vec![], said(context, (text, &values.items))?, &context.cause)
            };
            Ok(context.ask(question)?.as_int().expect("an answer is a number"))
        })
    }

    /// Asks the player for a text.
    fn choose_text(
        player: Player,
        key: &str,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        at(|context| {
            let by = chosen_by(context, player, false);
            let options = Options::Text;
            let question = Question {
                options,
                ..one_of(key, by, What::Text, vec![], said(context, (text, &values.items))?, &context.cause)
            };
            Ok(context.ask(question)?.to_string())
        })
    }

    /// Asks the player for one of the kinds of item.
    fn choose_item(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Item, &options.items, (text, &values.items), false)
    }

    /// Asks the player for one of the kinds of item, or for none; gives None for none.
    fn choose_item_or_none(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<NoneOr<String>> {
        let options: Vec<String> = options.items.into_iter().chain(["none".to_owned()]).collect();
        let picked = pick_name(key, Some(player), What::Item, &options, (text, &values.items), true)?;
        Ok(if picked == "none" { NoneOr::None } else { NoneOr::Other(picked) })
    }

    /// Asks the player for one of the space types.
    fn choose_type(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Type, &options.items, (text, &values.items), false)
    }

    /// Asks the player for one of several words.
    fn choose_word(
        player: Player,
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        pick_name(key, Some(player), What::Text, &options.items, (text, &values.items), false)
    }

    /// Asks the steward for one of several words.
    fn ask_steward(
        key: &str,
        options: UnpackList<String>,
        text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'_>>,
    ) -> starlark::Result<String> {
        at(|context| {
            let options = options.items.iter().map(|word| Data::from(word.as_str())).collect();
            let question = one_of(
                key,
                By::Player("the steward".into()),
                What::Text,
                options,
                said(context, (text, &values.items))?,
                &context.cause,
            );
            Ok(context.ask(question)?.to_string())
        })
    }
}
