//! Games that nobody has played: random boards, players, proposals and rulings, in a hand such as people have.
//!
//! A game is made from its ruleset and a number alone, so a law that fails names both and anyone can look at the same
//! game. What there is to set is what the ruleset declares; a ruleset that declares more gets more.

mod board;
mod commands;
mod fields;
mod hand;
mod records;

pub use commands::command;
pub use hand::written_by_hand;
use nomic_referee::data::{Key, Value};
use nomic_referee::game::{Game, SpaceId};
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::ruleset::Ruleset;
use rand::seq::{IndexedRandom, SliceRandom};
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
const TEXTS: [&str; 7] =
    ["Rubber Duck", "Is that far enough?", "conflict of 101 and 203", "# \"x\": [y", "é☃𝄞", "1", "two\nlines"];
const DICE: [&str; 7] = ["2d4", "1d10", "3d2", "1d1", "0d4", "6d6", "1d2"];

/// A game that was made up, as text and as checked.
pub struct MadeUp {
    pub text: String,
    pub game: Game,
}

/// The number of the game that a law takes for its first; another than 0 tries it on other games (`REFEREE_FIRST_GAME`).
pub fn first_game() -> u64 {
    std::env::var("REFEREE_FIRST_GAME").map_or(0, |first| first.parse().expect("a number"))
}

/// Makes the game of this number.
pub fn made_up(ruleset: &Ruleset, number: u64) -> MadeUp {
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let state = Maker::new(ruleset, &mut rng).state();
    let text = written_by_hand(&state, &mut rng);
    let game = checked(ruleset, &text).unwrap_or_else(|problems| panic!("game {number}: {problems}\n{text}"));
    MadeUp { text, game }
}

/// Reads and checks a text as a gamestate.
pub fn checked(ruleset: &Ruleset, text: &str) -> Result<Game, String> {
    let words = |problems: nomic_referee::diagnostic::Problems| {
        problems.iter().map(|problem| format!("{problem} ({})", problem.path)).collect::<Vec<_>>().join("\n")
    };
    let checked = GamestateFile::parse("made-up.yaml", text.as_bytes()).map_err(words)?.check(ruleset);
    checked.game.ok_or_else(|| words(checked.problems.into()))
}

/// Makes one game; what its parts are about stands here.
struct Maker<'a> {
    rng: &'a mut ChaCha8Rng,
    ruleset: &'a Ruleset,
    phase: i64,
    ids: Vec<SpaceId>,
    names: Vec<&'static str>,
}

fn entry(key: &str, value: impl Into<Value>) -> (Key, Value) {
    (Key::from(key), value.into())
}

impl<'a> Maker<'a> {
    fn new(ruleset: &'a Ruleset, rng: &'a mut ChaCha8Rng) -> Self {
        let phase = rng.random_range(1..=5);
        let mut maker = Self { rng, ruleset, phase, ids: Vec::new(), names: NAMES.to_vec() };
        maker.ids = maker.ids();
        maker.names.shuffle(maker.rng);
        maker.names.truncate(maker.rng.random_range(1..=6));
        maker
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_ratio(1, n)
    }

    fn state(mut self) -> Value {
        let players = self.names.clone().into_iter().map(|name| entry(name, self.player())).collect();
        let proposals = self.proposals();
        let state = self.game_state(&proposals);
        let spaces = self.spaces(&state);
        let mut sections = vec![
            entry("format", 1),
            entry("ruleset", self.ruleset.name.as_str()),
            entry("phase", self.phase),
            entry("players", Value::Map(players)),
            entry("spaces", Value::Map(spaces)),
            entry("state", state),
            entry("rulings", self.rulings()),
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
        if !proposals.is_empty() {
            sections.push(entry("proposals", proposals));
        }
        if self.one_in(2) {
            sections.push(entry("log", self.log()));
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

    /// Rows of garbage taken away, others that nobody has written a rule for, and what items change in the rules.
    fn amendments(&mut self) -> Value {
        let ruleset = self.ruleset;
        let mut amendments = Vec::new();
        for field in &ruleset.declared.amendments {
            let rare = if field.name.starts_with("garbage") { 2 } else { 3 };
            if self.one_in(rare) {
                amendments.extend(self.held(field).map(|value| (Key::from(&*field.name), value)));
            }
        }
        Value::Map(amendments)
    }

    /// Any switch of the list with any of its values.
    fn rulings(&mut self) -> Value {
        let mut rulings: Vec<(Key, Value)> = Vec::new();
        for _ in 0..*[0, 0, 1, 3, 9, 25].choose(self.rng).unwrap() {
            let (key, value) = setting(self.ruleset, self.rng);
            if rulings.iter().any(|(own, _)| own.is(&key)) {
                continue;
            }
            let value = if self.one_in(4) {
                Value::Map(vec![entry("value", value), entry("by", self.names[0]), entry("at", TIMES[1])])
            } else {
                Value::from(value)
            };
            rulings.push(entry(&key, value));
        }
        Value::Map(rulings)
    }

    /// Moves of this phase, whose dice can be matched (M-8).
    fn log(&mut self) -> Value {
        let ruleset = self.ruleset;
        let move_dice = ruleset.declared.settings.iter().find(|field| &*field.name == "move-dice");
        let written = move_dice.map_or_else(String::new, |field| field.default.to_string());
        let (count, faces) = written.split_once('d').expect("a ruleset moves by dice");
        let (count, faces): (i64, i64) = (count.parse().expect("a count"), faces.parse().expect("faces"));
        let entries = (1..=self.rng.random_range(0..4)).map(|id| {
            let what = shlex::try_join(["move", self.names.choose(self.rng).unwrap()]).expect("no NUL in a name");
            let dice: Vec<i64> = (0..count).map(|_| self.rng.random_range(1..=faces)).collect();
            Value::Map(vec![
                entry("id", id * 3),
                entry("phase", self.phase),
                entry("do", what),
                entry("random", Value::Map(vec![entry("roll", dice)])),
            ])
        });
        Value::List(entries.collect())
    }
}

/// Any switch of the list with any of its values.
fn setting(ruleset: &Ruleset, rng: &mut ChaCha8Rng) -> (String, String) {
    let switch = ruleset.switches.choose(rng).expect("a ruleset has switches");
    let value = switch.values.choose(rng).expect("values");
    let value = value.strip_suffix('N').map_or_else(|| value.clone(), |prefix| format!("{prefix}3"));
    (switch.key.clone(), value)
}
