//! The players and their locations.

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::none::{NoneOr, NoneType};

use super::super::cell::at;
use super::super::handles::{Player, Space};
use crate::data::{Value as Data, shown, unseen};
use crate::engine::context::Context;
use crate::engine::world::called;
use crate::game::Player as GamePlayer;

#[starlark_module]
pub(super) fn players(builder: &mut GlobalsBuilder) {
    /// All players, in the order of the file.
    fn players() -> starlark::Result<Vec<Player>> {
        at(|context| Ok(context.game.players().map(|(id, _)| Player::from(id)).collect()))
    }

    /// The players who hold at least so many of an item, kinds that are made of it counted in.
    fn holders(item: &str, #[starlark(default = 1)] least: i64) -> starlark::Result<Vec<Player>> {
        at(|context| {
            let made: Vec<String> =
                context.ruleset.declared.derived.iter().map(|word| format!("{word} {item}")).collect();
            let held = |player: &GamePlayer| {
                made.iter().map(|kind| player.count(kind)).fold(player.count(item), i64::saturating_add)
            };
            let rich = context.game.players().filter(|(_, player)| held(player) >= least);
            Ok(rich.map(|(id, _)| Player::from(id)).collect())
        })
    }

    /// The player of this name, compared as people write names; None if no player has it.
    fn player_named(name: &str) -> starlark::Result<NoneOr<Player>> {
        at(|context| Ok(NoneOr::from_option(crate::ruleset::called(&context.game, name).map(Player::from))))
    }

    /// Adds a player, on the initial space and without items, and gives the player (P-1, B-3).
    fn add_player(name: &str) -> starlark::Result<Player> {
        at(|context| {
            if name.trim().is_empty() {
                return Err(Context::failed("a player needs a name"));
            }
            if let Some(c) = unseen(name) {
                let message =
                    format!("`{}` holds a character that cannot be seen, U+{:04X}", shown(name), u32::from(c));
                return Err(Context::failed(&message));
            }
            let (marks, fields) = (Data::Map(Vec::new()), Data::Map(Vec::new()));
            let location = context.ruleset.declared.initial_space;
            let (items, symbolic) = (Vec::new(), Vec::new());
            let player = GamePlayer { name: name.into(), location, items, symbolic, marks, fields, gone: false };
            context.game.add_player(player, None);
            let added = context.game.players().last().map(|(id, _)| id);
            let id = added.ok_or_else(|| Context::failed("a player who was added is not there"))?;
            context.tell(format!("{name} joins on {}", called(location)), &[id], &[location], &[]);
            Ok(Player::from(id))
        })
    }

    /// The images of a player, in the order in which they were made. Rules that act on players act on images as well:
    /// its owner receives what an image gains, as another kind of item, and it has nothing to lose.
    fn images(player: Player) -> starlark::Result<Vec<Player>> {
        at(|context| {
            let count = context.images(player.id()).len();
            Ok((0..count).filter_map(|place| Player::image_of(player.id(), place)).collect())
        })
    }

    /// Takes a player out of the game, with everything they hold.
    fn remove_player(player: Player) -> starlark::Result<NoneType> {
        at(|context| {
            let name = context.name(player.id());
            context.game.player_mut(player.id()).gone = true;
            context.tell(format!("{name} is out of the game"), &[player.id()], &[], &[]);
            Ok(NoneType)
        })
    }

    /// The player who acts: the first one that the command names; None if it names none.
    fn acting_player() -> starlark::Result<NoneOr<Player>> {
        at(|context| Ok(NoneOr::from_option(context.action.player().map(Player::from))))
    }

    /// Sets the player's location, and nothing else; `how` says it in words, such as "moves to".
    fn relocate(player: Player, to: Space, #[starlark(default = "is now on")] how: &str) -> starlark::Result<NoneType> {
        at(|context| {
            let to = context.space(to.id())?.id;
            context.put_on(player.mover(), to);
            let name = context.called(player.mover());
            context.tell(format!("{name} {how} {}", called(to)), &[player.id()], &[to], &[]);
            Ok(NoneType)
        })
    }

    /// A name as it is compared without regard to case (TA-7, R-181).
    fn lower_case(name: &str) -> starlark::Result<String> {
        at(|_| Ok(crate::data::folded(name)))
    }
}
