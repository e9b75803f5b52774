//! Names and titles that mislead: new ones are refused, old ones are shown with escapes, and no command prints what steers
//! a terminal.

use std::process::Command;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::said;
use crate::errors::folder;
use crate::support::is_long;

const GAME: &str = "format: 1\nruleset: cycle-15\nstarted: 2024-01-05T00:00:00Z\nphase: 2\nplayers:\n  Ann: {}\n  Bob: {}\n\
                    spaces:\n  0: {successors: [1]}\n  1: {successors: [0]}\nlog: []\n";

/// Runs the program with these words as they are.
fn run(folder: &std::path::Path, words: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    let output = command.current_dir(folder).env("NO_COLOR", "1").args(words).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or_else(|| panic!("{words:?} was ended by a signal")), said)
}

/// Whether a text would steer a terminal or hide something.
fn steers(text: &str) -> Option<char> {
    text.chars().find(|c| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
                | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{ad}' | '\u{e0001}')
    })
}

/// A name made of letters and of what has no place in a name.
fn hostile(random: &mut ChaCha8Rng) -> (String, bool) {
    const PLAIN: [&str; 14] = ["a", "Z", "é", "日", "🔥", "❤️‍🔥", " x", "|", "`", "*", "_", "<b>", "@everyone", "'\""];
    const BAD: [&str; 14] = [
        "\u{1b}[31m",
        "\u{7}",
        "\r",
        "\n",
        "\t",
        "\u{202e}",
        "\u{200b}",
        "\u{2066}",
        "\u{feff}",
        "\u{ad}",
        "\u{9b}2J",
        "\u{85}",
        "\u{2028}",
        "\u{e0001}",
    ];
    let mut name = String::from("N");
    let mut bad = false;
    for _ in 0..random.random_range(1..8) {
        if random.random_bool(0.2) {
            name.push_str(BAD.choose(random).expect("one"));
            bad = true;
        } else {
            name.push_str(PLAIN.choose(random).expect("one"));
        }
    }
    (name, bad)
}

/// 2,000 names and titles: each is refused or kept, and the next commands work as if it had not been there.
#[test]
fn hostile_names_and_titles_change_no_later_command() {
    let mut random = ChaCha8Rng::seed_from_u64(0x7a3e);
    let game = folder(GAME);
    let path = game.path();
    for place in 0..if is_long() { 2_000 } else { 20 } {
        if place % 25 == 0 {
            std::fs::write(path.join("gamestate.yaml"), GAME).expect("a writable file");
        }
        let (name, bad) = hostile(&mut random);
        let posted = ["--no-input", "--decline", "--at", "2024-01-10T10:00Z"];
        let words: Vec<&str> = match place % 3 {
            0 => vec!["join", &name],
            1 => vec!["alias", "Ann", &name],
            _ => vec!["proposal", "submit", "Bob", &name, "--class", "standard"],
        };
        let (code, told) = run(path, &words.into_iter().chain(posted).collect::<Vec<_>>());
        assert_eq!(steers(&told), None, "{name:?}: {told:?}");
        assert!(!bad || code == 3 && told.contains("bad-name"), "{name:?} exit {code}: {told}");
        let because = ["adjudicate", "--set", "/players/Bob/location=1", "--because", "test", "--dry-run"];
        let (code, told) = run(path, &because);
        assert!(code == 0 && steers(&told).is_none(), "after {name:?}: {told}");
        for words in [&["check"][..], &["show", "players"], &["show", "players", "--format", "markdown"]] {
            let (code, told) = run(path, words);
            assert!(code == 0 && steers(&told).is_none(), "after {name:?}: {told}");
        }
    }
}

#[test]
fn a_name_that_a_game_has_is_a_warning_and_shown_with_escapes() {
    let game = GAME.replace("  Bob: {}\n", "  \"B\\e[31mob\": {}\n  \"A\\u200Bnn\": {}\n  \"Вob\": {}\n  Bob: {}\n");
    let folder = folder(game);
    let (code, told) = said(folder.path(), "check");
    assert_eq!(code, 0, "{told}");
    assert_eq!(steers(&told), None, "{told:?}");
    for words in ["`B\\u{1b}[31mob` holds a character that cannot be seen, U+001B", "U+200B", "looks like `Вob`"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = said(folder.path(), "check --format json");
    assert!(code == 0 && steers(&told).is_none(), "{told:?}");
    let object: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert!(object.to_string().contains("odd-name"));
    let (code, told) = said(folder.path(), "move Bob --roll 1,1 --no-input --decline --dry-run --at 2024-01-10T10:00Z");
    assert_eq!((code, steers(&told)), (0, None), "{told:?}");
}

#[test]
fn adjudicate_makes_no_name_that_cannot_be_seen_and_none_like_an_option() {
    for (set, words) in [
        ("'/players/Zoe/aliases=[\"Z\\u202Eoe\"]'", "U+202E"),
        ("/players/--help/location=0", "begins as an option of a command"),
    ] {
        let game = folder(GAME);
        let (code, told) = said(game.path(), &format!("adjudicate --set {set} --because test"));
        assert!(code == 3 && told.contains("bad-name") && told.contains(words), "{told}");
    }
    let game = folder(GAME);
    let (code, told) = said(game.path(), "join -- --help");
    assert!(code == 2 || code == 3, "{code} {told}");
}

#[test]
fn a_title_with_a_control_character_lets_adjudicate_work() {
    let game =
        format!("{GAME}proposals:\n  1: {{author: Ann, title: \"ring\\a the\\r bell\\x85\", class: standard}}\n");
    let folder = folder(game);
    let (code, told) = said(folder.path(), "adjudicate --set /players/Ann/location=1 --because test");
    assert_eq!((code, steers(&told)), (0, None), "{told}");
}

#[test]
fn words_of_players_are_inert_in_markdown() {
    let game = folder(GAME);
    let title = "@everyone <img src=x> **bold** `code` [a](http://x.example) | a_b_c";
    let submit = ["proposal", "submit", "Ann", title, "--class", "standard", "--at", "2024-01-10T10:00Z", "--no-input"];
    let (code, told) = run(game.path(), &submit);
    assert_eq!(code, 0, "{told}");
    let (code, told) = run(game.path(), &["proposal", "list", "--format", "markdown"]);
    assert_eq!(code, 0, "{told}");
    for live in ["@everyone", "<img", "**bold**", "`code`", "[a](", "http://", "a_b"] {
        assert!(!told.contains(live), "{live}: {told}");
    }
    assert!(told.contains("\\*\\*bold\\*\\*") && told.contains("&lt;img"), "{told}");
}
