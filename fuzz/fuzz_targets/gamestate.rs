//! Any bytes as a gamestate file: reading and checking never panics, and a game that is sound is saved unchanged.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::rulebook::{Files, Rulebook};

static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| {
    let files = Files::built_in("cycle-15").expect("the ruleset comes with the program");
    Rulebook::load(&files).expect("it loads")
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = GamestateFile::parse("fuzz.yaml", bytes) else { return };
    let _ = file.ruleset();
    let checked = file.check(&RULEBOOK);
    assert!(checked.game.is_some() || !checked.problems.is_empty(), "no game, and nothing wrong");
    for problem in &checked.problems {
        let _ = problem.to_string();
    }
    if let Some(game) = checked.game {
        assert_eq!(file.updated(&RULEBOOK, &game, &game).as_deref(), Ok(file.text()));
    }
});
