//! Boards: lines, loops and forks of numbered spaces, the wheel within its loop, and places on a map.

use std::sync::Arc;

use nomic_referee::data::{Key, Value};
use nomic_referee::game::SpaceId;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::{Maker, entry};

impl Maker<'_> {
    /// Whether the spaces of the ruleset are places on a map.
    fn on_a_map(&self) -> bool {
        self.ruleset.declared.initial_space.place().is_some()
    }

    fn declares(&self, state: &str) -> bool {
        self.ruleset.declared.state.iter().any(|field| &*field.name == state)
    }

    /// 1 to 40 identifiers, or the loop with its wheel; the initial space is nearly always among them (B-5).
    pub(super) fn ids(&mut self) -> Vec<SpaceId> {
        let count = *[1, 2, 3, 5, 8, 13, 20, 40].choose(self.rng).unwrap();
        let wheel = match (self.declares("wheel-shared"), self.declares("wheel-rotation")) {
            (true, _) => self.one_in(2),
            (_, true) => self.one_in(12),
            _ => false,
        };
        let mut ids: Vec<SpaceId> = if self.on_a_map() {
            self.places(count)
        } else if wheel {
            let (loops, kept) = ([0..40, 200..220], *[1.0, 1.0, 0.6, 0.2].choose(self.rng).unwrap());
            let mut ids: Vec<i64> = loops.into_iter().flatten().flat_map(|id| [id, -id]).collect();
            ids.retain(|_| self.rng.random_bool(kept));
            ids.push(0);
            ids.into_iter().map(SpaceId::Number).collect()
        } else if self.one_in(3) {
            (0..count).map(|_| SpaceId::Number(self.rng.random_range(-300..300))).collect()
        } else {
            let first = self.rng.random_range(-count..=0);
            (first..first + count).map(SpaceId::Number).collect()
        };
        if !self.one_in(20) {
            ids.push(self.ruleset.declared.initial_space);
        }
        ids.sort_unstable();
        ids.dedup();
        if self.one_in(3) {
            ids.shuffle(self.rng);
        }
        ids
    }

    /// Places near the origin, some at the edge of what can be counted, and now and then a space that lies nowhere.
    fn places(&mut self, count: i64) -> Vec<SpaceId> {
        let reach = 1 << 28;
        let mut places = Vec::new();
        for _ in 0..count {
            places.extend(match self.rng.random_range(0..40) {
                0 => SpaceId::at(reach - 1, self.rng.random_range(-2..2)),
                1 => SpaceId::at(self.rng.random_range(-2..2), -reach),
                2 => Some(SpaceId::Number(self.rng.random_range(-5..5))),
                _ => SpaceId::at(self.rng.random_range(-6..=6), self.rng.random_range(-6..=6)),
            });
        }
        places
    }

    /// Lines, loops, forks, dead ends and links of spaces to themselves, with every space type and category.
    pub(super) fn spaces(&mut self, state: &Value) -> Vec<(Key, Value)> {
        let ids = self.ids.clone();
        let shape = self.rng.random_range(0..4);
        // On a map nothing follows anything, whatever a file says.
        let linked = !self.on_a_map() || self.one_in(10);
        let wheel = self.wheel(state);
        let blank = *[0.0, 0.3, 0.7].choose(self.rng).unwrap();
        let mut spaces = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            let mut successors: Vec<SpaceId> = Vec::new();
            if linked {
                let next = ids.get(place + 1).or(if shape == 0 { None } else { ids.first() });
                successors.extend(next.filter(|_| shape != 3 && !self.one_in(12)));
                let more = if shape == 3 || self.one_in(5) { self.rng.random_range(0..=3) } else { 0 };
                successors.extend((0..more).map(|_| *ids.choose(self.rng).unwrap()));
                if self.one_in(25) {
                    successors.push(*id);
                }
                successors.extend(wheel.iter().filter(|(from, _)| from == id).map(|(_, to)| *to));
            }
            let mut seen = Vec::new();
            successors.retain(|to| {
                !seen.contains(to) && {
                    seen.push(*to);
                    true
                }
            });
            let mut space = Vec::new();
            if linked || self.one_in(4) {
                space.push(entry("successors", successors));
            }
            let kind = (!self.rng.random_bool(blank)).then(|| self.kind(&mut space));
            space.extend(self.fields_of_a_space(kind.as_deref()));
            spaces.push((Key::from(*id), Value::Map(space)));
        }
        spaces
    }

    /// Any type or category, which shows something as a rule.
    fn kind(&mut self, space: &mut Vec<(Key, Value)>) -> Arc<str> {
        let ruleset = self.ruleset;
        let kinds: Vec<&Arc<str>> = ruleset.type_names().collect();
        let kind = Arc::clone(kinds.choose(self.rng).unwrap());
        space.insert(0, entry("type", &*kind));
        if let (Some(shown_by), Some(members)) = (&ruleset.declared.shown_by, ruleset.category(&kind))
            && !self.one_in(12)
        {
            let shown = members.choose(self.rng).filter(|_| !self.one_in(6));
            space.push(entry(shown_by, &**shown.unwrap_or(&ruleset.declared.default_type)));
        }
        kind
    }

    /// The links between the wheel and its loop, as they stand for the rotation of the file, or nearly (WR-2).
    fn wheel(&mut self, state: &Value) -> Vec<(SpaceId, SpaceId)> {
        if !self.ids.contains(&SpaceId::Number(204)) || self.one_in(8) {
            return Vec::new();
        }
        let turned = state.get("wheel-rotation").and_then(Value::as_int).unwrap_or(0).rem_euclid(40);
        let (up, low) = (|by: i64| (turned + by) % 40, |by: i64| (by - turned).rem_euclid(40));
        let mut links = vec![
            (204, turned),
            (up(10), 205),
            (up(20), 210),
            (219, up(30)),
            (-turned, -204),
            (-205, low(10)),
            (-210, low(20)),
            (low(30), -219),
        ];
        links.retain(|(from, to)| {
            !self.rng.random_ratio(1, 20) && [from, to].iter().all(|id| self.ids.contains(&SpaceId::Number(**id)))
        });
        links.into_iter().map(|(from, to)| (SpaceId::Number(from), SpaceId::Number(to))).collect()
    }
}
