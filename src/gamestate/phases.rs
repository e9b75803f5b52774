//! Phases that a file cannot know of yet.

use super::fields::{Path, Reader};
use crate::data::Value;
use crate::ruleset::{Declarations, Field, Kind};
use crate::yaml::Node;

/// Reports fields of players that only keep count of phases and name one to come.
pub(super) fn future_phases(reader: &mut Reader, rules: &Declarations, players: Option<&Node>, now: i64) {
    let is_phase = |kind: &Kind| *kind == Kind::Phase || matches!(kind, Kind::List(one) if **one == Kind::Phase);
    let counts = |field: &&Field| field.bookkeeping && is_phase(&field.kind);
    for player in players.map_or(&[][..], Node::entries) {
        for field in rules.player_fields.iter().filter(counts) {
            let Some(node) = player.value.get(&field.name) else { continue };
            let phases = node.to_value();
            for phase in phases.items().iter().filter_map(Value::as_int).filter(|phase| *phase > now) {
                let message = format!("`{}` names phase {phase}, and this is phase {now}", field.name);
                let (section, key) = (Path::section(&"players"), player.key.clone());
                let own = section.at(&key);
                let path = own.at(&field.name);
                reader.problem("future-phase", node, &path, message).help =
                    Some("it lists past phases; correct it, or `phase`".into());
            }
        }
    }
}
