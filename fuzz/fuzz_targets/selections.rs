//! Any commands with any selections on a small board of each ruleset that holds every kind of space: nothing panics, the
//! game after is sound and can be saved, and a refused command with everything posted leaves the game as it was.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use nomic_referee::game::Game;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{Selections, Request, Status, drop_pending, resume, take_turn};
use nomic_referee::ruleset::{Files, Ruleset};
use nomic_referee::data::Value;

const PLAYERS: [&str; 3] = ["Ann", "Bob", "idle account"];
const WORDS: [&str; 14] =
    ["yes", "no", "none", "Duck", "Crystal", "Bob", "Geyser", "", "(0, 1)", "(1, 0)", "(0, -1)", "Wood", "for", "101"];
const KEYS: [&str; 26] = [
    "roll",
    "path",
    "glide",
    "slide",
    "back",
    "swap",
    "pseudo-type",
    "garbage",
    "geode",
    "shards",
    "casino",
    "take",
    "forge",
    "gamble",
    "start-party",
    "disco",
    "ping",
    "combo",
    "beam",
    "number",
    "random-space",
    "d4",
    "item",
    "resource",
    "prevails",
    "player",
];

struct Start {
    ruleset: Arc<Ruleset>,
    text: String,
    game: Game,
}

static STARTS: LazyLock<[Start; 3]> =
    LazyLock::new(|| ["cycle-15", "cycle-15-early", "world-map"].map(|ruleset| start(ruleset)));

fn start(ruleset: &str) -> Start {
    let files = Files::built_in(ruleset).expect("the ruleset comes with the program");
    let ruleset = Arc::new(Ruleset::load(&files).expect("it loads"));
    let text = if ruleset.declared.initial_space.place().is_some() {
        on_a_map(ruleset)
    } else {
        on_a_loop(ruleset, &ruleset)
    };
    let game = check(&ruleset, &text).expect("a sound game");
    Start { ruleset, text, game }
}

/// A turn under way on a few places, one of which is known, with a proposal of the round before.
fn on_a_map(ruleset: &str) -> String {
    let mut text = format!("format: 1\nruleset: {ruleset}\nphase: 2\nstate: {{round: 1, turn: Ann, step: movement}}\n");
    text.push_str(
        "proposals: {201: {author: Bob, title: x, status: adopted, phase: 1, votes: {Bob: for}}}\nplayers:\n",
    );
    for player in PLAYERS {
        text.push_str(&format!("  {player}: {{items: {{Wood: 2}}}}\n"));
    }
    text.push_str("spaces: {\"(0, 0)\": {}, \"(0, 1)\": {resource: Food}, \"(2, -1)\": {}}\n");
    text
}

/// A loop of every type, with a fork at each third space and the ends of a wheel; the first of a category's members is
/// shown.
fn on_a_loop(ruleset: &str, ruleset: &Ruleset) -> String {
    let state = if ruleset.has_type("Disco Ball") { "party: true" } else { "wheel-rotation: 3" };
    let mut text = format!("format: 1\nruleset: {ruleset}\nphase: 2\nstate: {{{state}}}\nplayers:\n");
    let held = ["Crystal: 9", "Shard: 45", "Fish: 1", "Mauve: 2", "Steering Wheel: 1"];
    let known = held.into_iter().filter(|held| ruleset.item(held.split(':').next().unwrap_or_default()).is_some());
    let held = known.collect::<Vec<_>>().join(", ");
    for player in PLAYERS {
        text.push_str(&format!("  {player}: {{items: {{{held}}}}}\n"));
    }
    text.push_str("spaces:\n");
    let types: Vec<String> = ruleset.type_names().map(ToString::to_string).collect();
    for (id, kind) in types.iter().enumerate() {
        let (next, fork) = ((id + 1) % types.len(), (id + 7) % types.len());
        let successors = if id % 3 == 0 { format!("{next}, {fork}") } else { next.to_string() };
        let shown = ruleset.category(kind).and_then(|members| members.first());
        let shown = shown.map_or_else(String::new, |shown| format!(", pseudo-type: {shown}"));
        text.push_str(&format!("  {id}: {{type: {kind}, successors: [{successors}]{shown}}}\n"));
    }
    text.push_str("  204: {successors: [3]}\n  -204: {}\n  219: {}\n");
    text
}

fn check(ruleset: &Ruleset, text: &str) -> Option<Game> {
    GamestateFile::parse("fuzz.yaml", text.as_bytes()).ok()?.check(ruleset).game
}

#[derive(Arbitrary, Debug)]
enum Command {
    Move(u8),
    Combo(u8),
    Beam(u8, Option<u8>),
    Reroll(u8),
    TickPhase,
    UseItem(u8, u8),
    MacGyver(u8, u8, u8),
    Submit(u8),
    Vote(u8, u8, u8),
    Request(u8),
    Rule(u8, u8),
    Leave(u8),
    Resume(Option<u8>),
    Drop(Option<u8>),
    Words(Vec<String>),
}

#[derive(Arbitrary, Debug)]
enum Answer {
    Number(i8),
    Word(u8),
    Large(i64),
    Text(String),
}

#[derive(Arbitrary, Debug)]
struct Posted {
    command: Command,
    selections: Vec<(u8, Answer)>,
    written: Option<String>,
    decline: bool,
}

impl Posted {
    fn words(&self) -> Vec<String> {
        let player = |at: u8| PLAYERS[usize::from(at) % PLAYERS.len()].to_owned();
        match &self.command {
            Command::Move(at) => vec!["move".into(), player(*at)],
            Command::Combo(at) => vec!["combo".into(), player(*at)],
            Command::Beam(space, by) => {
                let by = by.map(|at| ["--by".to_owned(), player(at)]);
                ["beam".to_owned(), space.to_string()].into_iter().chain(by.into_iter().flatten()).collect()
            }
            Command::Reroll(space) => vec!["reroll".into(), space.to_string()],
            Command::TickPhase => vec!["tick-phase".into()],
            Command::UseItem(at, item) => vec!["use-item".into(), player(*at), item.to_string()],
            Command::MacGyver(at, one, other) => {
                vec!["macgyver".into(), player(*at), one.to_string(), other.to_string()]
            }
            Command::Submit(at) => vec!["proposal".into(), "submit".into(), player(*at), "a title".into()],
            Command::Vote(number, at, vote) => {
                let vote = ["for", "against", "none"][usize::from(*vote) % 3].to_owned();
                // From 1 on, and from 201 on.
                vec!["proposal".into(), "vote".into(), number.to_string(), player(*at), vote]
            }
            Command::Request(at) => vec!["judge".into(), "request".into(), player(*at), "101 and 201 conflict".into()],
            Command::Rule(at, number) => {
                vec!["judge".into(), "rule".into(), player(*at), "--request".into(), number.to_string()]
            }
            Command::Leave(at) => vec!["leave".into(), player(*at)],
            Command::Resume(at) => ["resume".to_owned()].into_iter().chain(at.map(player)).collect(),
            Command::Drop(at) => ["drop".to_owned()].into_iter().chain(at.map(player)).collect(),
            Command::Words(words) => words.clone(),
        }
    }

    fn request(&self) -> Request {
        let mut given = Selections::default();
        for (key, answer) in &self.selections {
            let value = match answer {
                Answer::Number(number) => Value::Int(i64::from(*number)),
                Answer::Word(at) => Value::from(WORDS[usize::from(*at) % WORDS.len()]),
                Answer::Large(number) => Value::Int(*number),
                Answer::Text(text) => Value::from(text.as_str()),
            };
            given.add(KEYS[usize::from(*key) % KEYS.len()], [value]);
        }
        if let Some(written) = &self.written {
            let _ = given.add_written(written);
        }
        Request { words: self.words(), given, decline: self.decline, ..Request::default() }
    }
}

fuzz_target!(|input: (u8, Vec<Posted>)| {
    let (ruleset, posted) = input;
    let Start { ruleset, text, game } = &STARTS[usize::from(ruleset) % STARTS.len()];
    let (mut text, mut game) = (text.clone(), game.clone());
    for posted in posted.iter().take(8) {
        let request = posted.request();
        let turn = match request.words.first().map(String::as_str) {
            Some("resume") => Ok(resume(ruleset, &game, &request.words[1..], &request, &mut ())),
            Some("drop") => Ok(drop_pending(ruleset, &game, &request.words[1..])),
            _ => take_turn(ruleset, &game, &request, &mut ()),
        };
        let Ok(turn) = turn else { continue };
        if let Status::Refused(refusal) = &turn.status {
            assert_ne!(refusal.code, "rule-failed", "{}", refusal.message);
            assert!(refusal.code == "dead-end" || turn.next == game, "{refusal:?}");
        }
        let file = GamestateFile::parse("fuzz.yaml", text.as_bytes()).expect("it was saved");
        let updated = file.updated(ruleset, &game, &turn.next).expect("it can be saved");
        let again = check(ruleset, &updated).expect("a sound game");
        assert!(again.equivalent(&turn.next), "{updated}");
        (text, game) = (updated, turn.next);
    }
});
