//! The ways of a cheating steward in `docs/dice.md`, each played by the program itself.

use std::path::Path;
use std::sync::OnceLock;

use nomic_referee::play::hash_of;
use tempfile::TempDir;

use crate::errors::{folder, referee};
use crate::support::read;
use crate::verifiers::FASTNET;

const SECRET: &str = "00112233445566778899aabbccddeeff";
/// The time of everything that is posted without a link.
const AT: &str = "--at 2023-08-23T16:00Z";

/// Who throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    Sealed,
    Beacon,
}

/// A game that is played with one kind of dice.
struct Game {
    way: Way,
    folder: TempDir,
}

/// Returns the link of a message that takes a round of quicknet with a delay of 30 s.
pub fn link(round: i64, message: i64) -> String {
    let at_ms = (1_692_803_367 + (round - 1) * 3 - 30) * 1000;
    format!("https://discord.com/channels/1/2/{}", (at_ms - 1_420_070_400_000) << 22 | message)
}

/// Returns the gamestate of a game in its second phase, with these dice.
pub fn gamestate(dice: &str) -> String {
    let loops: String = (0..10).map(|id| format!("  {id}: {{successors: [{}]}}\n", (id + 1) % 10)).collect();
    format!(
        "format: 1\nruleset: cycle-15\nid: cheats\n{dice}\nstarted: 2023-08-18T00:00:00Z\nphase: 2\nplayers:\n  \
         Ann: {{}}\n  Bob: {{}}\n  Cleo: {{location: 20}}\nspaces:\n{loops}  20: {{successors: [21, 22]}}\n  \
         21: {{successors: [0]}}\n  22: {{successors: [0]}}\nlog: []\n"
    )
}

/// Returns the public rounds as a `beacons.jsonl`.
pub fn beacons() -> String {
    let facts: serde_json::Value = serde_json::from_str(&read("tests/data/drand-rounds.json")).expect("it is JSON");
    let all = facts["rounds"].as_array().expect("a list").iter().filter(|round| round["chain"] == "quicknet");
    all.map(|round| format!("{round}\n")).collect()
}

/// Returns `ROUND:SIGNATURE` of a public round.
pub fn round(number: u64) -> String {
    let line = beacons().lines().map(str::to_owned).find(|line| line.contains(&format!("\"round\":{number},")));
    let answer: serde_json::Value = serde_json::from_str(&line.expect("it is there")).expect("it is JSON");
    format!("{number}:{}", answer["signature"].as_str().expect("a text"))
}

impl Game {
    fn new(way: Way) -> Self {
        let dice = match way {
            Way::Plain => "dice: {by: referee}".to_owned(),
            Way::Sealed => {
                format!(
                    "dice: {{by: sealed, hash: {}, words-until: 2023-08-19T00:00:00Z, words: {{Ann: heron}}}}",
                    hash_of(SECRET)
                )
            }
            Way::Beacon => "dice: {by: beacon, since: 2023-08-18T00:00:00Z}".to_owned(),
        };
        let folder = folder(gamestate(&dice));
        std::fs::write(folder.path().join("game.secret"), SECRET).expect("room");
        if way == Way::Beacon {
            std::fs::write(folder.path().join("beacons.jsonl"), beacons()).expect("room");
        }
        Self { way, folder }
    }

    /// Plays a game in which Ann and Bob have moved.
    fn played(way: Way) -> Self {
        static PLAYED: [OnceLock<String>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
        let game = Self::new(way);
        let text = PLAYED[way as usize].get_or_init(|| {
            game.done(&format!("move Ann {}", game.posted(1000)));
            game.done(&format!("move Bob {}", game.posted(1001)));
            game.text()
        });
        game.write(text);
        game
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the options of a post; in a beacon game it takes this round.
    fn posted(&self, round: i64) -> String {
        match self.way {
            Way::Plain => format!("--no-input --seed {} {AT}", round + 1),
            Way::Sealed => format!("--no-input --secret game.secret {AT}"),
            Way::Beacon => format!("--no-input --link {}", link(round, 1)),
        }
    }

    fn said(&self, words: &str) -> (i32, String) {
        let output = referee(self.path(), words).output().expect("it runs");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code().expect("no signal"), said)
    }

    fn done(&self, words: &str) -> String {
        let (code, said) = self.said(words);
        assert_eq!(code, 0, "{:?}: {words}\n{said}", self.way);
        said
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path().join("gamestate.yaml")).expect("it is there")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.path().join("gamestate.yaml"), text).expect("room");
    }

    /// Keeps the file as it is under `old.yaml`.
    fn keep(&self) {
        std::fs::write(self.path().join("old.yaml"), self.text()).expect("room");
    }

    /// Replaces the first occurrence of a text that must be there.
    fn edit(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{:?}: no `{from}` in\n{text}", self.way);
        self.write(&text.replacen(from, to, 1));
    }

    /// Returns what stands between two texts, from the first occurrence of the first.
    fn between(&self, start: &str, end: &str) -> String {
        let text = self.text();
        let rest = text.split_once(start).unwrap_or_else(|| panic!("{:?}: no `{start}` in\n{text}", self.way)).1;
        rest.split(end).next().expect("a first part").to_owned()
    }

    fn verify(&self) -> String {
        self.said("verify").1
    }

    fn verify_edit(&self) -> String {
        self.said("verify old.yaml gamestate.yaml").1
    }

    /// Verifies after the secret is revealed.
    fn verify_revealed(&self) -> String {
        if self.way == Way::Sealed {
            self.done("reveal --secret game.secret");
        }
        self.verify()
    }

    /// Plays Cleo's move up to its fork, where it waits with its dice.
    fn at_a_fork(way: Way) -> Self {
        let game = Self::new(way);
        let (code, said) = game.said(&format!("move Cleo {}", game.posted(1002)));
        assert_eq!(code, 4, "{said}");
        game
    }

    /// Plays Ann's move up to its round, which is not there yet.
    fn waiting() -> Self {
        let game = Self::new(Way::Beacon);
        std::fs::remove_file(game.path().join("beacons.jsonl")).expect("it was there");
        let (code, said) = game.said(&format!("move Ann {}", game.posted(1000)));
        assert_eq!(code, 4, "{said}");
        assert!(said.contains("round 1000 of quicknet comes at 2023-08-23T15:59:24Z, https://api.drand.sh/"), "{said}");
        game
    }
}

/// Gives Ann's first roll other dice with the same total, in her entry or in the record of its draw.
fn other_dice(game: &Game, in_record: bool) {
    let start = if in_record { "drawn: {roll: [" } else { "random: {roll: [" };
    let end = if in_record { "]]" } else { "]" };
    let dice = game.between(start, end);
    let faces: Vec<i64> = dice.split(", ").filter_map(|part| part.trim_matches(['[', ']']).parse().ok()).collect();
    let (one, two) = if in_record { (faces[0], faces[2]) } else { (faces[0], faces[1]) };
    let (one, two) = if one == two { (one - 1, two + 1) } else { (two, one) };
    assert!((1..=4).contains(&one) && (1..=4).contains(&two), "a double of 1 or 4 has no other dice of its total");
    let other = if in_record { format!("[{one}, 4], [{two}, 4") } else { format!("{one}, {two}") };
    game.edit(&format!("{start}{dice}{end}"), &format!("{start}{other}{end}"));
}

/// Plays one way of cheating; returns what the program says in the end.
fn cheat(number: usize, way: Way) -> String {
    edited(number, way).or_else(|| commanded(number, way)).unwrap_or_else(|| {
        panic!("way {number} is in the table with a code, and is not played");
    })
}

/// Plays a way of cheating by editing the file.
fn edited(number: usize, way: Way) -> Option<String> {
    Some(match number {
        1 => {
            let game = Game::played(way);
            let first = game.between("random: {roll: [", ",");
            let other = if first == "4" { "1" } else { "4" };
            game.edit(&format!("random: {{roll: [{first},"), &format!("random: {{roll: [{other},"));
            game.verify()
        }
        2 => {
            let game = Game::played(way);
            game.keep();
            other_dice(&game, false);
            if way == Way::Plain { game.verify_edit() } else { game.verify() }
        }
        3 => {
            let game = Game::played(way);
            other_dice(&game, false);
            other_dice(&game, true);
            game.verify_revealed()
        }
        4 => {
            let game = Game::played(way);
            let record = game.between("\n    dice: ", "\n");
            game.edit(&format!("\n    dice: {record}"), "");
            game.verify()
        }
        6 => {
            let game = Game::played(way);
            game.edit("nth: 0", "nth: 1");
            game.verify()
        }
        7 => {
            let game = Game::played(way);
            game.edit("id: cheats", "id: cheated");
            game.verify_revealed()
        }
        8 | 15 => {
            let game = Game::played(way);
            game.keep();
            if number == 8 {
                game.edit("Ann: heron", "Ann: egret");
            } else {
                game.edit(&hash_of(SECRET), &hash_of("another"));
            }
            game.verify_edit()
        }
        16 => {
            let game = Game::played(way);
            game.edit("round: 1000", "round: 1001");
            game.verify()
        }
        17 => {
            let game = Game::played(way);
            let (_, real) = round(1000).split_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("both");
            let (_, other) = round(1001).split_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("both");
            game.edit(&real, &other);
            game.verify()
        }
        20 => {
            let game = Game::played(way);
            game.edit(&link(1000, 1), &link(999, 1));
            game.verify()
        }
        24 => {
            let game = Game::played(way);
            game.edit("{by: beacon,", "{by: beacon, delay: 33,");
            game.verify()
        }
        26 => {
            let game = Game::played(way);
            game.keep();
            let dice = game.between("\ndice: ", "\n");
            game.edit(&dice, if way == Way::Plain { "{by: posted}" } else { "{by: referee}" });
            if way == Way::Plain { game.verify_edit() } else { game.verify() }
        }
        31 => {
            let game = Game::played(way);
            let entry = game.between("\n  - id: 1\n", "\n  - id: 2");
            game.edit(&format!("\n  - id: 1\n{entry}"), "");
            // The first entry of a log may follow an archive, so one in the middle is missing.
            game.edit("  - id: 2", "  - id: 1\n    phase: 1\n    do: tick-phase\n    outcome: lapsed\n  - id: 3");
            game.verify()
        }
        32 => {
            let game = Game::at_a_fork(way);
            game.keep();
            let pending = game.between("\npending:", "\nlog:");
            game.edit(&format!("\npending:{pending}"), "\npending: []");
            game.verify_edit()
        }
        33 => {
            let game = Game::waiting();
            game.keep();
            let pending = game.between("\npending:", "\nlog:");
            game.edit(&format!("\npending:{pending}"), "\npending: []");
            game.verify_edit()
        }
        _ => return None,
    })
}

/// Plays a way of cheating with commands.
fn commanded(number: usize, way: Way) -> Option<String> {
    let beacon = way == Way::Beacon;
    Some(match number {
        5 => {
            let game = Game::new(way);
            game.said(&format!("move Ann --roll 4,4 {}", game.posted(1000))).1
        }
        9 => {
            let game = Game::played(way);
            game.said(&format!("adjudicate --set /dice/words/Bob=late --because late {AT}")).1
        }
        10 => {
            let game = Game::new(way);
            game.edit("words-until: 2023-08-19", "words-until: 2023-08-24");
            game.said(&format!("move Ann {}", game.posted(1000))).1
        }
        14 => {
            let game = Game::new(way);
            std::fs::write(game.path().join("game.secret"), "guess").expect("room");
            game.said(&format!("move Ann {}", game.posted(1000))).1
        }
        18 | 19 => {
            let game = Game::waiting();
            let given = if number == 18 { round(1001) } else { format!("1000{}", &round(1001)[4..]) };
            game.said(&format!("resume Ann --beacon {given} --no-input")).1
        }
        21 => {
            let game = Game::new(way);
            game.said(&format!("move Ann {} {AT}", game.posted(1000))).1
        }
        22 => {
            let game = Game::new(way);
            // 16:00:00 rounded up is the same; the round 30 s later is not among the public ones, so it waits.
            game.said("move Ann --no-input --at 2023-08-23T16:00Z");
            game.verify()
        }
        23 => {
            let game = Game::new(way);
            game.edit("since: 2023-08-18T00:00:00Z", "since: 2023-08-23T16:00:00Z");
            game.said(&format!("move Ann {}", game.posted(1000))).1
        }
        25 => {
            let game = Game::played(way);
            let facts =
                format!("{{public-key: {FASTNET}, genesis: 1677685200, period: 3, scheme: bls-unchained-on-g1}}");
            game.done(&format!("adjudicate --set '/dice/chain={facts}' --because 'a better one' {AT}"));
            game.verify()
        }
        27 => {
            let game = Game::played(way);
            game.done(&format!("adjudicate --set '/dice={{by: posted}}' --because 'as agreed' {AT}"));
            game.verify()
        }
        30 => {
            let game = Game::played(way);
            game.done("undo");
            game.verify()
        }
        34 => {
            let game = Game::waiting();
            std::fs::write(game.path().join("beacons.jsonl"), beacons()).expect("room");
            game.said("tick-phase --to 2023-08-25 --no-input");
            game.verify()
        }
        35 => {
            let game = Game::played(way);
            if beacon {
                // The way is one step long if she rolls the least, so the path is found out first.
                game.said(&format!("move Cleo --no-input --link {}", link(1000, 0)));
                game.said(&format!("resume Cleo -s path=21 --no-input --link {}", link(1000, 2))).1
            } else {
                game.said("move Ann --no-input --secret game.secret --at 2023-08-23T15:00Z").1
            }
        }
        36 => {
            let game = Game::waiting();
            game.said(&format!("resume Ann --path 1,2 --beacon {} --link {} --no-input", round(1000), link(1010, 1))).1
        }
        37 | 38 => {
            let game = Game::played(way);
            let because = if number == 37 { "" } else { "--because 'ruling 7'" };
            let (dice, path) = ("1,1", "1,2");
            let (_, said) = game.said(&format!("amend 1 --roll {dice} --path {path} {because} {AT}"));
            if number == 37 { said } else { game.verify() }
        }
        _ => return None,
    })
}

/// Returns the rows of the table: number, way, and what finds it for each kind of dice.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let all = page.lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    all.filter(|cells| cells.len() == 5 && cells[0].parse::<usize>().is_ok()).collect()
}

/// Plays every way with this kind of dice of which the page names a code; returns how many these were.
fn found(way: Way) -> usize {
    let page = read("docs/dice.md");
    let mut played = 0;
    let mut wrong = Vec::new();
    for (index, cells) in rows(&page).iter().enumerate() {
        let cell = cells[2 + way as usize];
        let codes: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        if codes.is_empty() {
            assert!(cell.starts_with("no") || cell == "–" || cell.starts_with("impossible"), "{cell}");
            continue;
        }
        let said = cheat(index + 1, way);
        played += 1;
        for code in codes.iter().filter(|code| !said.contains(**code)) {
            wrong.push(format!("{} {way:?}: no `{code}` in\n{said}", index + 1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    played
}

#[test]
fn the_page_has_42_ways() {
    let page = read("docs/dice.md");
    let numbers: Vec<usize> = rows(&page).iter().map(|cells| cells[0].parse().expect("a number")).collect();
    assert_eq!(numbers, (1..=42).collect::<Vec<_>>());
}

#[test]
fn cheating_with_plain_dice_is_found_as_the_page_says() {
    assert_eq!(found(Way::Plain), 6);
}

#[test]
fn cheating_with_sealed_dice_is_found_as_the_page_says() {
    assert_eq!(found(Way::Sealed), 20);
}

#[test]
fn cheating_with_beacon_dice_is_found_as_the_page_says() {
    assert_eq!(found(Way::Beacon), 28);
}

#[test]
fn an_honest_game_has_no_findings_whoever_throws() {
    for way in [Way::Plain, Way::Sealed, Way::Beacon] {
        let game = Game::played(way);
        let (code, said) = game.said(&format!("move Cleo {}", game.posted(1002)));
        assert_eq!(code, 4, "{said}");
        let choice = game.posted(1010);
        game.done(&format!("resume Cleo -s path=21 {choice}"));
        let said = game.verify_revealed();
        assert!(said.contains(", 0 findings"), "{way:?}: {said}");
    }
}

/// Whatever is undone or dropped and repeated draws the same, with another time, link or wording.
#[test]
fn a_repeated_action_draws_the_same() {
    for way in [Way::Sealed, Way::Beacon] {
        let game = Game::played(way);
        let dice = |game: &Game| game.text().rsplit("random: {roll: ").next().map(|rest| rest[..6].to_owned());
        let before = dice(&game);
        for round in [1005, 1010] {
            game.done("undo");
            let again = game.posted(round).replace("16:00Z", "16:07Z").replace("game.secret", "./game.secret");
            game.done(&format!("move bob --decline {again}"));
            assert_eq!(dice(&game), before);
        }
        assert!(game.verify_revealed().contains(", 0 findings"), "{way:?}: {}", game.verify());
        let game = Game::at_a_fork(way);
        let before = dice(&game);
        game.done("drop Cleo");
        let (_, said) = game.said(&format!("move Cleo {}", game.posted(1010)));
        assert_eq!(dice(&game), before, "{said}");
    }
}
