//! What the ruleset declares of the game, of players and of spaces, each with something that it may hold.

use nomic_referee::data::{Key, Value};
use nomic_referee::ruleset::{Field, Kind};
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::{DICE, Maker, NAMES, TEXTS, TIMES, entry};

/// Of how many games, players or spaces one has the field.
fn rarity(field: &str) -> u32 {
    match field {
        "form" => 1,
        "drink" | "moved-in" | "party" | "wheel-rotation" => 2,
        "waiting" | "joined" | "resource" => 3,
        "move-action-in" | "macgyvered-in" | "assents" => 5,
        "watches" | "reputable-since" => 6,
        "barriers" | "aliases" | "trades" | "former" => 8,
        "duties" | "tags" | "insightfulness" | "targeted-in" | "reputable-before" => 10,
        "boulder-path" | "safe-haven" => 30,
        _ => 4,
    }
}

impl Maker<'_> {
    /// Some of the fields that the ruleset declares.
    fn fields(&mut self, fields: &[Field]) -> Vec<(Key, Value)> {
        let mut found = Vec::new();
        for field in fields {
            if self.one_in(rarity(&field.name)) {
                found.extend(self.held(field).map(|value| (Key::from(&*field.name), value)));
            }
        }
        found
    }

    /// Something that a field may hold: by its name where its meaning matters, else by its kind.
    pub(super) fn held(&mut self, field: &Field) -> Option<Value> {
        let value = match &*field.name {
            "party" => Value::from(!self.one_in(4)),
            "parties" => Value::from(self.rng.random_range(0..3)),
            "wheel-rotation" => {
                let turned = if self.one_in(4) { -90..90 } else { 0..40 };
                Value::from(self.rng.random_range(turned))
            }
            "wheel-shared" => Value::List(vec![Value::from([204, self.rng.random_range(0..40)].to_vec())]),
            "insightfulness" => Value::from(56 * self.rng.random_range(1..=2)),
            "barriers" => Value::from(vec![*["duck", "move", "crystal", "é"].choose(self.rng).unwrap()]),
            "tags" => Value::from(vec!["wears a top hat"]),
            "aliases" => Value::from(vec![*NAMES.choose(self.rng).filter(|name| !self.names.contains(name))?]),
            "waiting" => Value::List((0..self.rng.random_range(1..=3)).map(|_| self.waiting()).collect()),
            "watches" => {
                let player = entry("player", *self.names.choose(self.rng).unwrap());
                let watch = vec![player, entry("phase", self.phase), entry("extra", self.one_in(2))];
                Value::List(vec![Value::Map(watch)])
            }
            "duties" => {
                let duty = vec![entry("what", "all actions naked"), entry("phase", self.phase + 1)];
                Value::List(vec![Value::Map(duty)])
            }
            "garbage-removed" => self.removed_rows(),
            "garbage-added" => self.added_rows(),
            "bottle-type" => {
                // Half of the bottles hold a category.
                let categories = self.ruleset.declared.categories.iter().map(|(name, _)| name);
                let name = if self.one_in(2) { categories.choose(self.rng) } else { None };
                Value::from(&**name.unwrap_or_else(|| self.ruleset.type_names().choose(self.rng).expect("types")))
            }
            "train-upgrades" => self.copies(["coal-suffusion", "steamroll"]),
            "crab-upgrades" => self.copies(["brood-mentality", "so-many-legs"]),
            "trades" => self.trades(),
            "candidacies" => self.candidacies(),
            "former" => self.former()?,
            _ => self.of_kind(&field.kind)?,
        };
        Some(value)
    }

    fn of_kind(&mut self, kind: &Kind) -> Option<Value> {
        let value = match kind {
            Kind::YesNo => Value::from(self.one_in(2)),
            Kind::Number => Value::from(self.rng.random_range(-3..=45)),
            Kind::Text => Value::from(*TEXTS.choose(self.rng).unwrap()),
            Kind::Time => Value::from(*TIMES.choose(self.rng).unwrap()),
            Kind::Phase => Value::from(self.rng.random_range(1..=self.phase)),
            Kind::Dice => Value::from(*DICE.choose(self.rng).unwrap()),
            Kind::Space => Value::from(*self.ids.choose(self.rng).unwrap()),
            Kind::Player => Value::from(*self.names.choose(self.rng).unwrap()),
            Kind::PseudoType => Value::from(&*self.ruleset.declared.default_type),
            Kind::OneOf(words) => Value::from(words.choose(self.rng).unwrap().as_str()),
            Kind::List(one) => match **one {
                Kind::Phase => Value::from((1..=self.phase).filter(|_| self.one_in(2)).collect::<Vec<i64>>()),
                // Each once.
                Kind::Player => {
                    let count = self.rng.random_range(1..=2);
                    let names: Vec<&str> = self.names.choose_multiple(self.rng, count).copied().collect();
                    Value::from(names)
                }
                _ => Value::List((0..self.rng.random_range(1..=3)).filter_map(|_| self.of_kind(one)).collect()),
            },
            Kind::Any => return None,
        };
        Some(value)
    }

    /// The fields of a space beyond its type; one of a kind with a boulder has its path.
    pub(super) fn fields_of_a_space(&mut self, kind: Option<&str>) -> Vec<(Key, Value)> {
        let ruleset = self.ruleset;
        let fields = &ruleset.declared.space_fields;
        let mut found = Vec::new();
        for field in fields.iter().filter(|field| ruleset.declared.shown_by.as_ref() != Some(&field.name)) {
            let boulder = kind == Some("Boulder Trap") && rarity(&field.name) == 30 && !self.one_in(4);
            if boulder || self.one_in(rarity(&field.name)) {
                found.extend(self.held(field).map(|value| (Key::from(&*field.name), value)));
            }
        }
        found
    }

    pub(super) fn player(&mut self) -> Value {
        let ruleset = self.ruleset;
        let mut player = Vec::new();
        if !self.one_in(6) {
            // Few places, so that players meet.
            let most = if self.one_in(4) { self.ids.len() } else { self.ids.len().min(4) };
            let place = self.rng.random_range(0..most);
            player.push(entry("location", self.ids[place]));
        }
        if !self.one_in(6) {
            player.push(entry("items", self.items()));
        }
        if self.one_in(2) {
            player.push(entry("marks", Value::Map(self.fields(&ruleset.declared.marks))));
        }
        player.extend(self.fields(&ruleset.declared.player_fields));
        Value::Map(player)
    }

    /// Any kinds of item, debts and quantities that are no numbers among them.
    fn items(&mut self) -> Value {
        let ruleset = self.ruleset;
        let mut items = Vec::new();
        for (item, least, most) in [("Crystal", 0, 20), ("Shard", -3, 60), ("Crustal", -1, 2)] {
            if ruleset.item(item).is_some() && self.one_in(2) {
                items.push(entry(item, self.rng.random_range(least..=most)));
            }
        }
        let many = if self.one_in(12) { 15 } else { 5 };
        for _ in 0..self.rng.random_range(0..many) {
            let item = ruleset.items().choose(self.rng).unwrap();
            let derived = ruleset.declared.derived.choose(self.rng).filter(|_| self.one_in(8));
            let name = derived.map_or_else(|| item.name.to_string(), |word| format!("{word} {}", item.name));
            if (derived.is_some() || item.least.is_none()) && !items.iter().any(|(key, _)| key.is(&name)) {
                let count = Value::Int(self.rng.random_range(-2..=3));
                let symbol = ruleset.declared.symbolic.choose(self.rng).map(|word| Value::from(word.as_str()));
                let (both, only) = (self.one_in(40), self.one_in(40));
                let held = match symbol {
                    Some(symbol) if both => Value::List(vec![count, symbol]),
                    Some(symbol) if only => symbol,
                    _ => count,
                };
                items.push(entry(&name, held));
            }
        }
        Value::Map(items)
    }

    /// Something that waits for a player's next move, or for the one after that.
    fn waiting(&mut self) -> Value {
        let mut what = vec![match self.rng.random_range(0..3) {
            0 => entry("spaces", *[2, 18].choose(self.rng).unwrap()),
            1 => entry("plus", 2),
            _ => entry("jetpack", true),
        }];
        if self.one_in(6) {
            let action = shlex::try_join(["move", self.names.choose(self.rng).unwrap()]).expect("no NUL in a name");
            what.extend([entry("after", action), entry("phase", self.phase)]);
        }
        Value::Map(what)
    }

    /// Numbers of rows, with some that other rules give away.
    fn removed_rows(&mut self) -> Value {
        let ruleset = self.ruleset;
        let number = |item: &str| ruleset.item(item).and_then(|item| item.number);
        let rows = ruleset.items().iter().filter_map(|item| item.number).max().unwrap_or(0);
        let mut removed: Vec<i64> = (0..self.rng.random_range(0..4)).map(|_| self.rng.random_range(1..=rows)).collect();
        let given = ["Time Bean Chili", "Summoning Whistle", "Crustal", "Shurdle", "Party Pizza"];
        removed.extend(given.into_iter().filter_map(number).filter(|_| self.one_in(3)));
        Value::from(removed)
    }

    /// Rows that nobody has written a rule for; one has the name of another row, and two have one name.
    fn added_rows(&mut self) -> Value {
        let rows: Vec<&str> =
            self.ruleset.items().iter().filter(|item| item.number.is_some()).map(|item| &*item.name).collect();
        let first = i64::try_from(rows.len()).expect("a few") + 1;
        let taken = if rows.contains(&"Duck") { "duck" } else { "fish" };
        let mut added = Vec::new();
        for (id, name) in (first..).zip(["Rubber Chicken", taken, "Rubber  Chicken"]) {
            if !self.one_in(3) {
                added.push(Value::Map(vec![entry("id", id), entry("name", name), entry("text", "…")]));
            }
        }
        Value::List(added)
    }

    fn copies(&mut self, texts: [&str; 2]) -> Value {
        let copies = self.rng.random_range(1..=3);
        Value::from((0..copies).map(|_| *texts.choose(self.rng).unwrap()).collect::<Vec<&str>>())
    }

    pub(super) fn game_state(&mut self, proposals: &Value) -> Value {
        let ruleset = self.ruleset;
        // These go together.
        let apart = [
            "ended",
            "winners",
            "taken-effect",
            "requests",
            "judgements",
            "round",
            "order",
            "turn",
            "step",
            "moved",
            "rule-of",
        ];
        let fields: Vec<Field> =
            ruleset.declared.state.iter().filter(|field| !apart.contains(&&*field.name)).cloned().collect();
        let mut state = self.fields(&fields);
        let declares = |name: &str| ruleset.declared.state.iter().any(|field| &*field.name == name);
        if declares("ended") && self.one_in(40) {
            state.push(entry("ended", true));
            state.push(entry("winners", vec![self.names[0]]));
        }
        if declares("turn") && !self.one_in(6) {
            state.extend(self.turn());
        }
        state.extend(self.records(proposals));
        Value::Map(state)
    }

    /// A running turn: mostly of a player, in a phase that there is, with the order of the round or without.
    fn turn(&mut self) -> Vec<(Key, Value)> {
        let whose = if self.one_in(30) { NAMES.choose(self.rng) } else { self.names.choose(self.rng) };
        let step = match self.rng.random_range(0..12) {
            0 => "trade",
            1..=6 => "movement",
            _ => "rule-change",
        };
        let mut turn = vec![entry("round", self.rng.random_range(1..=4)), entry("turn", *whose.unwrap())];
        if !self.one_in(12) {
            turn.push(entry("step", step));
        }
        if self.one_in(3) || step == "rule-change" && !self.one_in(8) {
            turn.push(entry("moved", true));
        }
        if !self.one_in(4) {
            let count = self.rng.random_range(1..=self.names.len());
            let mut order: Vec<&str> = self.names.choose_multiple(self.rng, count).copied().collect();
            if self.one_in(2) {
                order.sort_by_key(|name| name.to_lowercase());
            }
            turn.push(entry("order", order));
        }
        turn
    }

    /// Somebody who was a player and is none.
    fn former(&mut self) -> Option<Value> {
        let name = *NAMES.choose(self.rng).filter(|name| !self.names.contains(name))?;
        let mut note = Vec::new();
        if self.one_in(2) {
            note.extend([entry("joined", TIMES[0]), entry("left", TIMES[1])]);
        }
        if self.one_in(2) {
            note.push(entry("granted", true));
        }
        Some(Value::Map(vec![entry(name, Value::Map(note))]))
    }

    /// A consent to a trade that another player waits for.
    fn trades(&mut self) -> Value {
        let ruleset = self.ruleset;
        let mut side = || {
            let item = ruleset.items().choose(self.rng).expect("items");
            Value::Map(vec![entry(&item.name, self.rng.random_range(1..3))])
        };
        let (gives, takes) = (side(), side());
        let [by, with] = [0, 0].map(|_: i32| *self.names.choose(self.rng).unwrap());
        let mut offer = vec![entry("by", by), entry("with", with), entry("gives", gives), entry("takes", takes)];
        if self.one_in(3) {
            offer.push(entry("at", TIMES[1]));
        }
        Value::List(vec![Value::Map(offer)])
    }
}
