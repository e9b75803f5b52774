//! The two independent verifiers of dice, in Python and for Node, agree with the program.
//!
//! Each runs if its language is installed; the pairing libraries are looked for where `.ci/long` puts them, in
//! `target/verifiers`, and then wherever the language itself looks. What cannot run is skipped with a note.
#![expect(clippy::print_stderr, reason = "a skipped check says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use nomic_referee::draws::{Answer, Bound, Chain, DrawError, Post, Source, Words};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::root;

pub const FASTNET: &str = "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6\
                       dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e";
const FASTNET_1: &str =
    "9544ddce2fdbe8688d6f5b4f98eed5d63eee3902e7e162050ac0f45905a55657714880adabe3c3096b92767d886567d0";
const TESTNET: &str =
    "8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11";
const TESTNET_223344: &str = "94f6b85df7cce7237e8e7df66d794ddad092de5d8bb6a791b97e905aa89852e506ac36a792eba7021e22eebf34891f89\
                              14bf9a8dd9233ea0a4c5ca00ef8404999f899073dd2eade61fe54077fee8168f83dcb61a758b6883b38904054e64a433";

/// Works out a draw as the verifiers read it: its place, or why it is refused.
pub fn settle(draw: &Value) -> Result<u64, DrawError> {
    let text = |key: &str| draw[key].as_str().unwrap_or_default().to_owned();
    let number = |key: &str| draw[key].as_u64().unwrap_or_default();
    let bound = Bound {
        game: text("game"),
        phase: draw["phase"].as_i64().expect("a phase"),
        player: text("player"),
        kind: text("kind"),
        nth: number("nth"),
        key: text("key"),
        index: number("index"),
    };
    let source = if draw["by"] == "sealed" {
        let mut words = Words::default();
        for (player, word) in draw["words"].as_object().expect("words") {
            words.add(player, word.as_str().expect("a word"))?;
        }
        Source::Sealed { secret: text("secret"), words }
    } else {
        let chain = match &draw["chain"] {
            Value::String(name) => Chain::named(name).expect("it is built in"),
            own => Chain::custom(
                own["public-key"].as_str().expect("a key"),
                own["genesis"].as_i64().expect("a number"),
                u32::try_from(own["period"].as_u64().expect("a number")).expect("small"),
                own["scheme"].as_str().expect("a scheme"),
            )?,
        };
        let answer = Answer::new(number("round"), &text("signature"), None)?;
        let post = match draw["link"].as_str() {
            Some(link) => Post::read(Some(link), None)?.at_ms,
            None => draw["post"].as_i64().expect("a time"),
        };
        let round = chain.round_for(post, u32::try_from(number("delay")).expect("small"))?;
        answer.verify_as(&chain, round)?.source()
    };
    Ok(source.place(&bound, number("of")).expect("there are outcomes"))
}

/// Returns the link of a message that was posted at this time.
fn link(at_ms: i64, rest: u64) -> String {
    let since = u64::try_from(at_ms - 1_420_070_400_000).expect("after the chat began");
    format!("https://discord.com/channels/1/2/{}", since << 22 | rest)
}

/// Adds to a draw what the program says of it.
fn settled(mut draw: Value) -> Value {
    match settle(&draw) {
        Ok(place) => draw["place"] = place.into(),
        Err(error) => draw["refused"] = error.code.into(),
    }
    draw
}

/// Returns the identity of a draw of anything, with texts that try the length prefixes.
fn identity(rng: &mut ChaCha8Rng, by: &str) -> Value {
    let of = [2_u64, 3, 4, 6, 10, 98, 1_000_000_007, (1 << 53) - 111][rng.random_range(0..8)];
    json!({
        "by": by, "game": text(rng), "phase": rng.random_range(1..200), "player": text(rng), "kind": text(rng),
        "nth": rng.random_range(0..5), "key": text(rng), "index": rng.random_range(0..12), "of": of,
    })
}

fn text(rng: &mut ChaCha8Rng) -> String {
    const PARTS: [&str; 12] = ["Ann", "move", "roll", "use-item", "", "0", "1", " ", "é", "猫", "🎲", "\0\0\0\u{4}Ann"];
    (0..rng.random_range(0..4)).map(|_| PARTS[rng.random_range(0..PARTS.len())]).collect()
}

fn sealed(rng: &mut ChaCha8Rng) -> Value {
    let mut draw = identity(rng, "sealed");
    let around = ["", " ", "\n", "\r\n"][rng.random_range(0..4)];
    draw["secret"] = format!("{around}{:032x}{around}", rng.random::<u128>()).into();
    let names = ["Ann", "Bob", "é", "猫", "🎲", "\u{fffd}", "10", "9", ""];
    let mut words = serde_json::Map::new();
    for _ in 0..rng.random_range(0..5) {
        let word = format!("{:x}-{}", rng.random::<u32>(), rng.random_range(0..9));
        words.insert(names[rng.random_range(0..names.len())].to_owned(), word.into());
    }
    draw["words"] = Value::Object(words);
    settled(draw)
}

/// A public round of quicknet.
struct Round {
    number: u64,
    signature: String,
}

fn rounds() -> Vec<Round> {
    let text = std::fs::read_to_string(root("tests/data/drand-rounds.json")).expect("it is there");
    let facts: Value = serde_json::from_str(&text).expect("it is JSON");
    let all = facts["rounds"].as_array().expect("a list");
    let quicknet = all.iter().filter(|round| round["chain"] == "quicknet");
    let round = |round: &Value| Round {
        number: round["round"].as_u64().expect("a number"),
        signature: round["signature"].as_str().expect("a text").to_owned(),
    };
    quicknet.map(round).collect()
}

/// Returns a draw of a round, of a post that takes it by a moment or by nearly a period.
fn beacon(rng: &mut ChaCha8Rng, chain: &Value, facts: &Chain, round: &Round) -> Value {
    let mut draw = identity(rng, "beacon");
    let delay = rng.random_range(6..100);
    let period = i64::from(facts.period()) * 1000;
    let early = [0, period - 1, rng.random_range(0..period)][rng.random_range(0..3)];
    let post = facts.time_of(round.number).expect("a time") - delay * 1000 - early;
    if rng.random() {
        draw["link"] = link(post, rng.random_range(0..1 << 22)).into();
    } else {
        draw["post"] = post.into();
    }
    draw["delay"] = delay.into();
    draw["chain"] = chain.clone();
    draw["round"] = round.number.into();
    draw["signature"] = round.signature.as_str().into();
    settled(draw)
}

/// Returns draws of `count` different rounds, again and again until there are `draws` of them.
fn beacons(rng: &mut ChaCha8Rng, draws: usize, count: usize) -> Vec<Value> {
    let quicknet = (Value::from("quicknet"), Chain::quicknet());
    let custom = |key: &str, scheme: &str| {
        let own = json!({"public-key": key, "genesis": 1_677_685_200, "period": 3, "scheme": scheme});
        (own, Chain::custom(key, 1_677_685_200, 3, scheme).expect("its facts are good"))
    };
    let mut all: Vec<_> = rounds().into_iter().rev().map(|round| (quicknet.clone(), round)).collect();
    let other = Round { number: 1, signature: FASTNET_1.into() };
    all.insert(1, (custom(FASTNET, "bls-unchained-on-g1"), other));
    let other = Round { number: 223_344, signature: TESTNET_223344.into() };
    all.insert(2, (custom(TESTNET, "pedersen-bls-unchained"), other));
    assert!(count <= all.len());
    let one = |((chain, facts), round): &((Value, Chain), Round)| beacon(rng, chain, facts, round);
    all.iter().take(count).cycle().take(draws).map(one).collect()
}

/// Returns draws that have to be refused, each with why; without `pairings` none that takes a pairing to find.
fn refused(rng: &mut ChaCha8Rng, pairings: bool) -> Vec<Value> {
    let rounds = rounds();
    let (round, other) = (&rounds[4], &rounds[5]);
    let good = beacon(rng, &"quicknet".into(), &Chain::quicknet(), round);
    let post = Chain::quicknet().time_of(round.number).expect("a time") - 30_000;
    let signature = round.signature.as_str();
    let flipped = format!("{}{}", &signature[..95], if signature.ends_with('0') { '1' } else { '0' });
    let infinity = format!("c0{}", "0".repeat(94));
    let fact = |genesis: i64, scheme: &str| {
        let key = Chain::quicknet().public_key().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        json!({"public-key": key, "genesis": genesis, "period": 3, "scheme": scheme})
    };
    let mut cases = vec![
        ("round-zero", json!({"round": 0})),
        ("bad-beacon", json!({"signature": signature.to_uppercase()})),
        ("bad-beacon", json!({"signature": signature[1..]})),
        ("bad-beacon", json!({"signature": signature[2..]})),
        ("bad-beacon", json!({"signature": ""})),
        ("short-delay", json!({"post": post, "delay": 5})),
        ("another-round", json!({"post": post + 1, "delay": 30})),
        ("another-round", json!({"post": post - 3_000, "delay": 30})),
        ("another-round", json!({"round": round.number + 1})),
        ("bad-link", json!({"link": "https://discord.com/channels/1/2/0"})),
        ("bad-link", json!({"link": "https://ptb.discord.com/channels/1/2"})),
        ("borrowed-key", json!({"chain": fact(1_692_803_364, "bls-unchained-g1-rfc9380")})),
        ("wrong-signature", json!({"signature": TESTNET_223344})),
        ("wrong-signature", json!({"signature": flipped})),
        ("wrong-signature", json!({"signature": infinity})),
    ];
    if pairings {
        cases.push(("wrong-signature", json!({"signature": other.signature})));
        cases.push(("wrong-signature", json!({"round": other.number, "post": post + 3_000 * 877, "delay": 30})));
        cases.push(("wrong-signature", json!({"signature": FASTNET_1})));
    }
    let make = |(code, change): (&str, Value)| {
        let mut draw = good.clone();
        draw.as_object_mut().expect("a map").remove("place");
        for (key, value) in change.as_object().expect("a map") {
            if key == "post" {
                draw.as_object_mut().expect("a map").remove("link");
            }
            draw[key] = value.clone();
        }
        let draw = settled(draw);
        assert_eq!(draw["refused"], code, "{draw}");
        draw
    };
    cases.into_iter().map(make).collect()
}

/// A verifier: how it is called, where, and how its pairing library is looked for.
struct Verifier {
    program: PathBuf,
    script: &'static str,
    folder: PathBuf,
    /// Arguments that succeed if the pairing library can be loaded.
    library: [&'static str; 3],
}

fn verifiers() -> [Verifier; 2] {
    let installed = root("target/verifiers");
    let own = installed.join("venv/bin/python");
    let folder = if installed.exists() { installed } else { root("") };
    let noble = "import { createRequire } from 'node:module'; \
                 createRequire(process.cwd() + '/package.json').resolve('@noble/curves/bls12-381.js')";
    [
        Verifier {
            program: if own.exists() { own } else { "python3".into() },
            script: "docs/verify_dice.py",
            folder: folder.clone(),
            library: ["-B", "-c", "import py_ecc"],
        },
        Verifier {
            program: "node".into(),
            script: "docs/verify_dice.mjs",
            folder,
            library: ["--input-type=module", "-e", noble],
        },
    ]
}

impl Verifier {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// Returns whether the language is installed, with a note if it is not.
    fn is_installed(&self) -> bool {
        let found = self.command().arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            eprintln!("skipped: {} is not installed, {} is not run", self.program.display(), self.script);
        }
        found
    }

    /// Returns whether the pairing library is installed, with a note if it is not.
    fn has_library(&self) -> bool {
        let found = self.command().args(self.library).output();
        let found = found.is_ok_and(|output| output.status.success());
        if !found {
            eprintln!("skipped: {} verifies no signatures here; `.ci/long` installs what it needs", self.script);
        }
        found
    }

    /// Runs it on draws; returns its exit code and what it prints.
    fn run(&self, draws: &[Value], options: &[&str]) -> (Option<i32>, String) {
        let folder = tempfile::tempdir().expect("room");
        let file = folder.path().join("vectors.json");
        std::fs::write(&file, json!({"scheme": 2, "draws": draws}).to_string()).expect("room");
        let output =
            self.command().arg(root(self.script)).args(options).arg("--vectors").arg(Path::new(&file)).output();
        let output = output.expect("it runs");
        let printed = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
    }

    fn agrees(&self, draws: &[Value], options: &[&str]) {
        let (code, printed) = self.run(draws, options);
        let start: String = printed.chars().take(2_000).collect();
        assert_eq!(code, Some(0), "{}: {start}", self.script);
        assert!(printed.contains(&format!("{} draws checked, 0 wrong", draws.len())), "{}: {start}", self.script);
    }
}

/// The vectors of `docs/dice.md` as the log of a game that was sealed under scheme 1.
#[test]
fn both_verifiers_read_a_log_of_scheme_1() {
    let page = std::fs::read_to_string(root("docs/dice.md")).expect("it is there");
    let mut log: Vec<Value> = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| `move ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [action, link, key, index, of, place] = cells[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let draw = json!([number(place), number(of)]);
        match log.last_mut().filter(|_| index != "0") {
            Some(entry) => entry["sealed"]["drawn"][key].as_array_mut().expect("draws").push(draw),
            None => log.push(json!({"id": log.len() + 1, "do": action, "link": link,
                                    "sealed": {"state": "state", "drawn": {key: [draw]}}})),
        }
    }
    let folder = tempfile::tempdir().expect("room");
    let file = folder.path().join("log.json");
    for verifier in verifiers().iter().filter(|verifier| verifier.is_installed()) {
        let check = |log: &[Value]| {
            std::fs::write(&file, json!({"log": log}).to_string()).expect("room");
            let input = std::fs::File::open(&file).expect("just written");
            let secret = "00112233445566778899aabbccddeeff";
            let output = verifier.command().arg(root(verifier.script)).arg(secret).stdin(input).output();
            let output = output.expect("it runs");
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (code, printed) = check(&log);
        assert!(code == Some(0) && printed.contains("7 draws checked, 0 wrong"), "{printed}");
        let mut other = log.clone();
        let last = other.last_mut().expect("there are some");
        last["link"] = "https://example.org/2".into();
        let (code, printed) = check(&other);
        assert!(code == Some(1) && printed.contains("7 draws checked, 1 wrong"), "{printed}");
    }
}

#[test]
fn both_verifiers_agree_on_10_000_sealed_draws_and_100_of_a_beacon() {
    let mut rng = ChaCha8Rng::seed_from_u64(10_100);
    let mut draws: Vec<Value> = (0..10_000).map(|_| sealed(&mut rng)).collect();
    draws.extend(beacons(&mut rng, 100, 64));
    assert!(draws.iter().all(|draw| draw["place"].is_u64()));
    let checkable: Vec<Value> =
        refused(&mut rng, false).into_iter().filter(|draw| draw["refused"] != "wrong-signature").collect();
    assert!(checkable.len() >= 10);
    draws.extend(checkable);
    for verifier in verifiers() {
        if verifier.is_installed() {
            verifier.agrees(&draws, &["--no-signatures"]);
        }
    }
}

/// The pairings of all 64 rounds take Python a minute, so the default run has a few; `.ci/long` has them all.
#[test]
fn both_verifiers_agree_on_signatures() {
    let long = std::env::var_os("REFEREE_LONG").is_some();
    for verifier in verifiers() {
        if !verifier.is_installed() || !verifier.has_library() {
            assert!(!long, "{} has to run here", verifier.script);
            continue;
        }
        let all = long || verifier.script.ends_with("mjs");
        let mut rng = ChaCha8Rng::seed_from_u64(100);
        let mut draws = beacons(&mut rng, 100, if all { 64 } else { 3 });
        draws.extend(refused(&mut rng, all));
        verifier.agrees(&draws, &[]);
    }
}

#[test]
fn a_wrong_die_or_a_wrong_signature_is_found_by_both_verifiers() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut draws: Vec<Value> = (0..20).map(|_| sealed(&mut rng)).collect();
    draws.extend(beacons(&mut rng, 5, 5));
    let fields = ["place", "game", "phase", "player", "kind", "nth", "key", "index"];
    let changes = fields.map(|field| {
        let mut changed = draws.clone();
        for draw in &mut changed {
            // A wrong identity gives the same place by chance if there are few of them.
            draw["of"] = 1_000_000_007_u64.into();
            *draw = settled(draw.clone());
        }
        for at in [3, 22] {
            changed[at][field] = match &changed[at][field] {
                Value::String(text) => format!("{text}x").into(),
                number => (number.as_u64().expect("a number") + 1).into(),
            };
        }
        (field, changed)
    });
    for verifier in verifiers().iter().filter(|verifier| verifier.is_installed()) {
        for (field, changed) in &changes {
            let (code, printed) = verifier.run(changed, &["--no-signatures"]);
            assert_eq!(code, Some(1), "{} {field}: {printed}", verifier.script);
            assert!(printed.contains("25 draws checked, 2 wrong"), "{} {field}: {printed}", verifier.script);
        }
    }
}
