//! Any bytes as a gamestate file of any ruleset: reading and checking never panics, and a game that is sound is saved
//! unchanged.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::ruleset::{Files, Ruleset};

static RULEBOOKS: LazyLock<[Ruleset; 3]> = LazyLock::new(|| {
    ["cycle-15", "cycle-15-early", "world-map"].map(|name| {
        let files = Files::built_in(name).expect("the ruleset comes with the program");
        Ruleset::load(&files).expect("it loads")
    })
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = GamestateFile::parse("fuzz.yaml", bytes) else { return };
    let _ = file.ruleset();
    // The same file is looked at by every ruleset, whichever it names: most of what it says is the same to all.
    for ruleset in &*RULEBOOKS {
        let checked = file.check(ruleset);
        assert!(checked.game.is_some() || !checked.problems.is_empty(), "no game, and nothing wrong");
        for problem in &checked.problems {
            let _ = problem.to_string();
        }
        if let Some(game) = checked.game {
            assert_eq!(file.updated(ruleset, &game, &game).as_deref(), Ok(file.text()));
        }
    }
});
