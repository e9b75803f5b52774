//! Games that nobody has played: random boards, players and rulings, in a hand such as people have.
//!
//! A game is made from a number alone, so a law that fails names the number and anyone can look at the same game.

mod hand;

use std::sync::Arc;

pub use hand::written_by_hand;
use nomic_referee::game::{Game, Player};
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::rulebook::Rulebook;
use nomic_referee::value::{Key, Value};
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NAMES: [&str; 14] = [
    "Ann",
    "Bob",
    "idle account",
    "4st",
    "7",
    "-3",
    "no",
    "null",
    "Don't",
    "say \"hi\"",
    "é☃𝄞",
    "a: b, #c",
    "trains/crabs~",
    "[x]",
];
const TIMES: [&str; 6] = [
    "2024-01-05T00:00:00Z",
    "2024-01-07T23:59:59Z",
    "2024-01-12T12:00:00Z",
    "2024-01-20T06:30:00Z",
    "1970-01-01T00:00:00Z",
    "9999-12-01T00:00:00Z",
];
const DICE: [&str; 7] = ["2d4", "1d10", "3d2", "1d1", "0d4", "6d6", "1d2"];

/// A game that was made up, as text and as checked.
pub struct MadeUp {
    pub text: String,
    pub game: Game,
}

/// Makes the game of this number.
pub fn made_up(rulebook: &Rulebook, number: u64) -> MadeUp {
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let state = Maker { rng: &mut rng, rulebook }.state();
    let text = written_by_hand(&state, &mut rng);
    let game = checked(rulebook, &text).unwrap_or_else(|problems| panic!("game {number}: {problems}\n{text}"));
    MadeUp { text, game }
}

/// Reads and checks a text as a gamestate.
pub fn checked(rulebook: &Rulebook, text: &str) -> Result<Game, String> {
    let words = |problems: Vec<nomic_referee::problem::Problem>| {
        problems.iter().map(|problem| format!("{problem} ({})", problem.path)).collect::<Vec<_>>().join("\n")
    };
    let checked = GamestateFile::parse("made-up.yaml", text.as_bytes()).map_err(words)?.check(rulebook);
    checked.game.ok_or_else(|| words(checked.problems))
}

/// A random line of a command that plays, as words.
pub fn command(rulebook: &Rulebook, game: &Game, rng: &mut ChaCha8Rng) -> Vec<String> {
    // Who is taken out of the game may have been the last.
    let Some((_, player)) = game.players().choose(rng) else { return vec!["tick-phase".to_owned()] };
    let spaces: Vec<String> = game.board().spaces().map(|space| space.id.to_string()).collect();
    let space = spaces.choose(rng).cloned().unwrap_or_default();
    let name = &*player.name;
    let words: Vec<&str> = match rng.random_range(0..28) {
        0..=9 => vec!["move", name],
        10 | 11 => vec!["combo", name],
        12 | 13 => vec!["resume", name],
        14 => vec![if rng.random() { "resume" } else { "drop" }],
        15 | 16 => vec!["tick-phase"],
        17 => vec!["beam", &space, "--by", name],
        18 => vec!["beam", &space],
        19..=23 => vec!["use-item", name, item(rulebook, player, rng)],
        24 => vec!["macgyver", name, item(rulebook, player, rng), item(rulebook, player, rng)],
        25 => vec!["shatter", name],
        26 => return trade(rulebook, game, player, rng),
        _ => vec!["reroll", &space],
    };
    words.into_iter().map(str::to_owned).collect()
}

/// An item, mostly one that the player holds.
fn item<'a>(rulebook: &'a Rulebook, player: &'a Player, rng: &mut ChaCha8Rng) -> &'a str {
    let held = player.items.iter().filter(|(_, count)| *count > 0).map(|(item, _)| &**item);
    let held = held.filter(|_| !rng.random_ratio(1, 12)).collect::<Vec<_>>();
    held.choose(rng).copied().unwrap_or_else(|| &rulebook.items().choose(rng).expect("items").name)
}

/// A consent to a trade, mostly the one that another player waits for.
fn trade(rulebook: &Rulebook, game: &Game, player: &Player, rng: &mut ChaCha8Rng) -> Vec<String> {
    let offers = game.state.get("trades").map_or(&[][..], Value::items);
    if let Some(offer) = offers.choose(rng).filter(|_| !rng.random_ratio(1, 4)) {
        let name = |key: &str| offer.get(key).map(Value::to_string).unwrap_or_default();
        let list = |key: &str| {
            let one = |(item, amount): &(Key, Value)| format!("{amount} {item}");
            offer.get(key).map_or(&[][..], Value::entries).iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let (gives, takes) = (list("gives"), list("takes"));
        return ["trade", &name("with"), &name("by"), "--gives", &takes, "--takes", &gives].map(str::to_owned).to_vec();
    }
    let (_, other) = game.players().choose(rng).expect("there is the player");
    let mut words = ["trade", &*player.name, &*other.name].map(str::to_owned).to_vec();
    for (option, from) in [("--gives", player), ("--takes", other)] {
        // BUG 3: at least one item on either side.
        let items: Vec<String> = (0..rng.random_range(1..3))
            .map(|_| format!("{} {}", rng.random_range(1..4), item(rulebook, from, rng)))
            .collect();
        words.extend([option.to_owned(), items.join(", ")]);
    }
    words
}

struct Maker<'a> {
    rng: &'a mut ChaCha8Rng,
    rulebook: &'a Rulebook,
}

fn entry(key: &str, value: impl Into<Value>) -> (Key, Value) {
    (Key::from(key), value.into())
}

impl Maker<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_ratio(1, n)
    }

    fn state(&mut self) -> Value {
        let phase = self.rng.random_range(1..=5);
        let ids = self.ids();
        let mut names = NAMES.to_vec();
        names.shuffle(self.rng);
        names.truncate(self.rng.random_range(1..=6));
        let spaces = self.spaces(&ids, phase);
        let players = names.iter().map(|name| entry(name, self.player(&ids, phase, &names))).collect();
        let mut sections = vec![
            entry("format", 1),
            entry("ruleset", "cycle-15"),
            entry("phase", phase),
            entry("players", Value::Map(players)),
            entry("spaces", Value::Map(spaces)),
            entry("state", self.game_state(&names)),
            entry("rulings", self.rulings(&names)),
        ];
        if self.one_in(2) {
            sections.push(entry("started", TIMES[0]));
        }
        if self.one_in(3) {
            sections.push(entry("settings", Value::Map(vec![entry("move-dice", *DICE.choose(self.rng).unwrap())])));
        }
        if self.one_in(6) {
            sections.push(entry("amendments", self.amendments()));
        }
        if self.one_in(2) {
            sections.push(entry("log", self.log(&names, phase)));
        }
        for empty in ["pending", "proposals", "log"] {
            if self.one_in(4) && !sections.iter().any(|(key, _)| key.is(empty)) {
                sections.push(entry(empty, Value::Null));
            }
        }
        if self.one_in(3) {
            sections.shuffle(self.rng);
        }
        Value::Map(sections)
    }

    /// 1 to 40 identifiers; 0 is nearly always among them (B-5).
    fn ids(&mut self) -> Vec<i64> {
        let count = *[1, 2, 3, 5, 8, 13, 20, 40].choose(self.rng).unwrap();
        let mut ids: Vec<i64> = if self.one_in(3) {
            (0..count).map(|_| self.rng.random_range(-300..300)).collect()
        } else {
            let first = self.rng.random_range(-count..=0);
            (first..first + count).collect()
        };
        if !self.one_in(20) {
            ids.push(0);
        }
        ids.sort_unstable();
        ids.dedup();
        if self.one_in(3) {
            ids.shuffle(self.rng);
        }
        ids
    }

    /// Lines, loops, forks, dead ends and links of spaces to themselves, with every space type and category.
    fn spaces(&mut self, ids: &[i64], phase: i64) -> Vec<(Key, Value)> {
        let shape = self.rng.random_range(0..4);
        let kinds: Vec<Arc<str>> = self.rulebook.type_names().map(Arc::clone).collect();
        let blank = *[0.0, 0.3, 0.7].choose(self.rng).unwrap();
        let mut spaces = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            let next = ids.get(place + 1).or(if shape == 0 { None } else { ids.first() });
            let mut successors: Vec<i64> =
                next.filter(|_| shape != 3 && !self.one_in(12)).into_iter().copied().collect();
            let more = if shape == 3 || self.one_in(5) { self.rng.random_range(0..=3) } else { 0 };
            successors.extend((0..more).map(|_| *ids.choose(self.rng).unwrap()));
            if self.one_in(25) {
                successors.push(*id);
            }
            let mut seen = Vec::new();
            successors.retain(|to| {
                !seen.contains(to) && {
                    seen.push(*to);
                    true
                }
            });
            let mut space = vec![entry("successors", successors)];
            if !self.rng.random_bool(blank) {
                let kind = Arc::clone(kinds.choose(self.rng).unwrap());
                space.insert(0, entry("type", &*kind));
                if let Some(members) = self.rulebook.category(&kind).filter(|_| !self.rng.random_ratio(1, 12)) {
                    let shown = members.choose(self.rng).filter(|_| !self.one_in(6)).map_or("Blank", |name| name);
                    space.push(entry("pseudo-type", shown));
                }
                if &*kind == "Boulder Trap" || self.one_in(30) {
                    let path: Vec<i64> = ids.choose_multiple(self.rng, 3).copied().collect();
                    space.push(entry("boulder-path", path));
                    if !self.one_in(3) {
                        space.push(entry("safe-haven", *ids.choose(self.rng).unwrap()));
                    }
                }
            }
            if self.one_in(10) {
                space.push(entry("targeted-in", self.phases(phase)));
            }
            spaces.push((Key::Int(*id), Value::Map(space)));
        }
        spaces
    }

    /// Some phases up to this one.
    fn phases(&mut self, phase: i64) -> Vec<i64> {
        (1..=phase).filter(|_| self.one_in(2)).collect()
    }

    fn player(&mut self, ids: &[i64], phase: i64, names: &[&str]) -> Value {
        let mut player = Vec::new();
        if !self.one_in(6) {
            // Few places, so that players meet.
            let place = self.rng.random_range(0..ids.len().min(4));
            player.push(entry("location", ids[place]));
        }
        if !self.one_in(6) {
            player.push(entry("items", self.items()));
        }
        if self.one_in(2) {
            player.push(entry("marks", self.marks(ids, phase, names)));
        }
        if self.one_in(3) {
            player.push(entry("joined", *TIMES.choose(self.rng).unwrap()));
        }
        if self.one_in(2) {
            player.push(entry("moved-in", self.phases(phase)));
        }
        if self.one_in(5) {
            player.push(entry("move-action-in", self.rng.random_range(1..=phase)));
        }
        Value::Map(player)
    }

    /// Any kinds of item, debts and quantities that are no numbers among them.
    fn items(&mut self) -> Value {
        let mut items = Vec::new();
        for (item, least, most) in [("Crystal", 0, 20), ("Shard", -3, 60), ("Crustal", -1, 2)] {
            if self.one_in(2) {
                items.push(entry(item, self.rng.random_range(least..=most)));
            }
        }
        let many = if self.one_in(12) { 15 } else { 5 };
        for _ in 0..self.rng.random_range(0..many) {
            let item = self.rulebook.items().choose(self.rng).unwrap();
            let jumbo = self.one_in(8);
            let name = if jumbo { format!("jumbo {}", item.name) } else { item.name.to_string() };
            if (jumbo || item.least.is_none()) && !items.iter().any(|(key, _)| key.is(&name)) {
                let count = Value::Int(self.rng.random_range(-2..=3));
                let blue = Value::from("Navy Blue");
                let (both, only) = (self.one_in(40), self.one_in(40));
                let held = if both {
                    Value::List(vec![count, blue])
                } else if only {
                    blue
                } else {
                    count
                };
                items.push(entry(&name, held));
            }
        }
        Value::Map(items)
    }

    /// What items leave on a player.
    fn marks(&mut self, ids: &[i64], phase: i64, names: &[&str]) -> Value {
        let mut marks = Vec::new();
        if self.one_in(2) {
            marks.push(entry("drink", *["sober", "tipsy", "drunk"].choose(self.rng).unwrap()));
        }
        if !self.one_in(3) {
            let forms = ["none", "train", "crab", "traincrab", "crabtrain"];
            marks.push(entry("form", *forms.choose(self.rng).unwrap()));
        }
        if self.one_in(3) {
            let waiting = (0..self.rng.random_range(1..=3)).map(|_| self.waiting(phase, names)).collect();
            marks.push(entry("waiting", Value::List(waiting)));
        }
        if self.one_in(4) {
            let count = self.rng.random_range(1..=2);
            let wagons: Vec<&str> = names.choose_multiple(self.rng, count).copied().collect();
            marks.push(entry("wagons", wagons));
        }
        if self.one_in(4) {
            let images: Vec<i64> = (0..self.rng.random_range(1..=2)).map(|_| *ids.choose(self.rng).unwrap()).collect();
            marks.push(entry("images", images));
        }
        if self.one_in(6) {
            let player = entry("player", *names.choose(self.rng).unwrap());
            let watch = vec![player, entry("phase", phase), entry("extra", self.one_in(2))];
            marks.push(entry("watches", Value::List(vec![Value::Map(watch)])));
        }
        if self.one_in(8) {
            marks.push(entry("barriers", vec![*["duck", "move", "crystal", "é"].choose(self.rng).unwrap()]));
        }
        if self.one_in(10) {
            let duty = vec![entry("what", "all actions naked"), entry("phase", phase + 1)];
            marks.push(entry("duties", Value::List(vec![Value::Map(duty)])));
            marks.push(entry("tags", vec!["wears a top hat"]));
            marks.push(entry("insightfulness", 56 * self.rng.random_range(1..=2)));
        }
        Value::Map(marks)
    }

    /// Something that waits for a player's next move, or for the one after that.
    fn waiting(&mut self, phase: i64, names: &[&str]) -> Value {
        let mut what = vec![match self.rng.random_range(0..3) {
            0 => entry("spaces", *[2, 18].choose(self.rng).unwrap()),
            1 => entry("plus", 2),
            _ => entry("jetpack", true),
        }];
        if self.one_in(6) {
            let action = shlex::try_join(["move", names.choose(self.rng).unwrap()]).expect("no NUL in a name");
            what.extend([entry("after", action), entry("phase", phase)]);
        }
        Value::Map(what)
    }

    fn game_state(&mut self, names: &[&str]) -> Value {
        let mut state = Vec::new();
        if self.one_in(2) {
            state.push(entry("party", !self.one_in(4)));
        }
        if self.one_in(4) {
            state.push(entry("parties", self.rng.random_range(0..3)));
        }
        if self.one_in(4) {
            state.push(entry("judge", *names.choose(self.rng).unwrap()));
        }
        if self.one_in(40) {
            state.push(entry("ended", true));
            state.push(entry("winners", vec![names[0]]));
        }
        Value::Map(state)
    }

    /// Rows of garbage taken away, others that nobody has written a rule for, and what items change in the rules.
    fn amendments(&mut self) -> Value {
        let mut amendments = Vec::new();
        if self.one_in(2) {
            let mut removed: Vec<i64> =
                (0..self.rng.random_range(0..4)).map(|_| self.rng.random_range(1..99)).collect();
            // Rows that other rules give away.
            removed.extend([4, 57, 58, 87].into_iter().filter(|_| self.one_in(3)));
            amendments.push(entry("garbage-removed", removed));
        }
        if self.one_in(2) {
            let mut rows = Vec::new();
            for (id, name) in [(99, "Rubber Chicken"), (100, "duck"), (101, "Rubber  Chicken")] {
                if !self.one_in(3) {
                    rows.push(Value::Map(vec![entry("id", id), entry("name", name), entry("text", "…")]));
                }
            }
            amendments.push(entry("garbage-added", rows));
        }
        if self.one_in(2) {
            let kind = Arc::clone(self.rulebook.type_names().choose(self.rng).unwrap());
            amendments.push(entry("bottle-type", &*kind));
        }
        if self.one_in(3) {
            amendments.push(entry("blank-rule", "grants-blank-card"));
        }
        for (rule, texts) in [
            ("train-upgrades", ["coal-suffusion", "steamroll"]),
            ("crab-upgrades", ["brood-mentality", "so-many-legs"]),
        ] {
            if self.one_in(2) {
                let copies = self.rng.random_range(1..=3);
                let copies: Vec<&str> = (0..copies).map(|_| *texts.choose(self.rng).unwrap()).collect();
                amendments.push(entry(rule, copies));
            }
        }
        Value::Map(amendments)
    }

    /// Any switch of the list with any of its values.
    fn rulings(&mut self, names: &[&str]) -> Value {
        let mut rulings: Vec<(Key, Value)> = Vec::new();
        for _ in 0..*[0, 0, 1, 3, 9, 25].choose(self.rng).unwrap() {
            let switch = self.rulebook.switches.choose(self.rng).unwrap();
            if rulings.iter().any(|(key, _)| key.is(&switch.key)) {
                continue;
            }
            let value = switch.values.choose(self.rng).unwrap();
            let value = value.strip_suffix('N').map_or_else(|| value.clone(), |prefix| format!("{prefix}3"));
            let value = if self.one_in(4) {
                Value::Map(vec![entry("value", value), entry("by", names[0]), entry("at", TIMES[1])])
            } else {
                Value::from(value)
            };
            rulings.push(entry(&switch.key, value));
        }
        Value::Map(rulings)
    }

    /// Moves of this phase, whose dice can be matched (M-8).
    fn log(&mut self, names: &[&str], phase: i64) -> Value {
        let entries = (1..=self.rng.random_range(0..4)).map(|id| {
            let what = shlex::try_join(["move", names.choose(self.rng).unwrap()]).expect("no NUL in a name");
            let dice: Vec<i64> = (0..2).map(|_| self.rng.random_range(1..=4)).collect();
            Value::Map(vec![
                entry("id", id * 3),
                entry("phase", phase),
                entry("do", what),
                entry("random", Value::Map(vec![entry("roll", dice)])),
            ])
        });
        Value::List(entries.collect())
    }
}
