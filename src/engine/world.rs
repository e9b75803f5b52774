//! The game as a running rule reads and changes it: who is where, who holds what, what is told.

use std::sync::Arc;

use super::context::{Context, refusal};
use super::interrupt::Interrupt;
use super::mover::Mover;
use crate::data::Value;
use crate::game::{Name, PlayerId, SpaceId};
use crate::protocol::Event;

impl Context {
    /// Returns who makes a choice of the player: the player, or the one who decides for them.
    pub fn decider(&self, player: PlayerId, optional: bool) -> PlayerId {
        let whoever = |(own, _, everything): &&(PlayerId, PlayerId, bool)| *own == player && (!optional || *everything);
        self.deciders.iter().rev().find(whoever).map_or(player, |(_, decider, _)| *decider)
    }

    /// Tells what happened, with the running rule as its cause.
    pub fn tell(&mut self, text: String, players: &[PlayerId], spaces: &[SpaceId], items: &[&str]) {
        let event = Event {
            rulings: std::mem::take(&mut self.depended),
            players: players.iter().map(|id| self.name(*id)).collect(),
            spaces: spaces.to_vec(),
            items: items.iter().map(|item| Name::from(*item)).collect(),
            ..Event::new(text, &self.cause)
        };
        // What is told costs nothing here: the next step of the rule finds what has been spent.
        self.spent = self.spent.saturating_add(event.text.len() + 256);
        self.events.push(event);
    }

    pub fn name(&self, player: PlayerId) -> Name {
        Arc::clone(&self.game.player(player).name)
    }

    /// Names a player, or an image of one, as texts do.
    pub fn called(&self, player: Mover) -> String {
        let name = self.name(player.player);
        if player.image.is_some() { format!("the image of {name}") } else { name.to_string() }
    }

    /// Returns where a player, or an image of one, is.
    pub fn where_is(&self, player: Mover) -> Result<SpaceId, Interrupt> {
        let owner = self.game.player(player.player);
        let Some(place) = player.image else { return Ok(owner.location) };
        self.images(player.player)
            .get(place)
            .and_then(SpaceId::of)
            .ok_or_else(|| Self::failed(&format!("{} has no image number {}", owner.name, place + 1)))
    }

    /// Returns where the images of a player are.
    pub fn images(&self, owner: PlayerId) -> &[Value] {
        let mark = self.ruleset.declared.images.as_ref().map(|(mark, _)| mark);
        mark.and_then(|mark| self.game.player(owner).marks.get(mark)).map_or(&[], Value::items)
    }

    /// Puts a player, or an image of one, on a space.
    pub fn put_on(&mut self, player: Mover, to: SpaceId) {
        let Some(place) = player.image else {
            self.game.player_mut(player.player).location = to;
            return;
        };
        let mut images = self.images(player.player).to_vec();
        if let (Some(image), Some((mark, _))) = (images.get_mut(place), &self.ruleset.declared.images) {
            *image = to.into();
            self.game.player_mut(player.player).set_mark(mark, Value::List(images));
        }
    }

    /// Gives items to a player, or takes them. What an image gains goes to its owner as another kind; it has nothing to lose
    ///
    pub fn give(&mut self, player: Mover, item: &str, amount: i64) -> Result<(), Interrupt> {
        match (player.image, &self.ruleset.declared.images) {
            (None, _) => self.change_items(player.player, item, amount),
            (Some(_), Some((_, word))) if amount > 0 => {
                let made = format!("{word} {item}");
                self.change_items(player.player, &made, amount)
            }
            _ => Ok(()),
        }
    }

    /// Adds items to those of a player, down to a floor if there is one, and notes the watches on them.
    pub fn change_items(&mut self, player: PlayerId, item: &str, amount: i64) -> Result<(), Interrupt> {
        let held = self.game.player(player).count(item);
        if !self.ruleset.is_item(&self.game, item) && (amount > 0 || held <= 0) {
            let known = self.ruleset.item(self.ruleset.plain(item)).is_some() || amount < 0;
            if !known {
                return Err(Self::failed(&format!("unknown item `{item}`")));
            }
            // Its row was removed in play: there is nothing to grant or to lose.
            self.tell(format!("{item} no longer exists"), &[player], &[], &[item]);
            return Ok(());
        }
        let least = self.ruleset.item(item).and_then(|rule| rule.least);
        let amount = least.map_or(amount, |least| amount.max(least - held));
        if amount == 0 {
            return Ok(());
        }
        let name = self.name(player);
        self.game.player_mut(player).add(item, amount).map_err(|held| {
            let message = format!("{name} holds {held} {item}, and {amount} more cannot be counted");
            refusal("too-many", message, None, "")
        })?;
        let verb = if amount > 0 { "gains" } else { "loses" };
        self.tell(format!("{name} {verb} {} {item}", amount.unsigned_abs()), &[player], &[], &[item]);
        let ruleset = Arc::clone(&self.ruleset);
        for (item, watch) in ruleset.declared.watches.iter().filter(|(watched, _)| &**watched == item) {
            let due = (watch.clone(), player, Arc::clone(item), amount);
            if !self.due.contains(&due) {
                self.due.push(due);
            }
        }
        Ok(())
    }

    /// Returns a space that a rule names.
    pub fn space(&self, id: SpaceId) -> Result<&crate::game::Space, Interrupt> {
        self.game.space(id).ok_or_else(|| Self::failed(&format!("unknown space {id}")))
    }

    /// What a declared field of `fields` holds: the value, or the default.
    pub fn declared(fields: &[crate::ruleset::Field], held: &Value, name: &str) -> Option<Value> {
        let field = fields.iter().find(|field| &*field.name == name)?;
        Some(held.get(name).unwrap_or(&field.default).clone())
    }
}

/// Names a space as messages do: "space 3", or on a map by its coordinates, "(1, 2)".
pub(in crate::engine) fn called(space: SpaceId) -> String {
    if space.place().is_some() { space.to_string() } else { format!("space {space}") }
}
