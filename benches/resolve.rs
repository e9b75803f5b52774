//! Resolves per second on the sample game, one thread, side by side: the whole move with every answer given, the same
//! asked one question after the other, and the parts around it.

use std::path::Path;
use std::sync::Arc;

use divan::{Bencher, black_box};
use nomic_referee::data::Value;
use nomic_referee::game::Game;
use nomic_referee::gamestate::GamestateFile;
use nomic_referee::play::{
    Answer, AnswerSource, Options, Origin, Question, Request, Resolution, Selections, Status, resolve, take_turn,
    verify,
};
use nomic_referee::ruleset::{Action, Files, Ruleset};

fn main() {
    divan::main();
}

fn sample() -> (Arc<Ruleset>, Game, Vec<u8>) {
    let files = Files::built_in("cycle-15").expect("it is built in");
    let ruleset = Arc::new(Ruleset::load(&files).expect("it loads"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gamestate.yaml");
    #[expect(clippy::disallowed_methods, reason = "the bench reads the sample game")]
    let bytes = std::fs::read(path).expect("the sample game");
    let file = GamestateFile::parse("gamestate.yaml", &bytes).expect("YAML");
    let game = file.check(&ruleset).game.expect("a sound game");
    (ruleset, game, bytes)
}

fn action(ruleset: &Ruleset, game: &Game, player: &str) -> Action {
    Action::read(ruleset, game, &["move".to_owned(), player.to_owned()]).expect("a player of the sample game")
}

/// Throws 3 and 1, and takes the last legal answer of every other question.
fn answered(ruleset: &Arc<Ruleset>, game: &Game, action: &Action) -> Selections {
    let mut given = Selections::default();
    loop {
        let Resolution::Asks(question) = resolve(ruleset, game, action, &given) else { return given };
        let values = match &question.options {
            Options::Dice { count, .. } => (0..*count).map(|die| Value::Int(if die == 0 { 3 } else { 1 })).collect(),
            Options::Whole(..) => vec![Value::Int(1_000_000)],
            Options::Text => vec![Value::from("Rubber Chicken")],
            Options::OneOf(options) => vec![options.last().expect("an answer").clone()],
        };
        given.answer(&question, Answer { values, origin: Origin::Posted });
    }
}

/// Nyhilo moves four spaces along the antiwheel; every answer is given, so it is one resolve.
#[divan::bench]
fn move_with_every_answer_given(bencher: Bencher) {
    let (ruleset, game, _) = sample();
    let action = action(&ruleset, &game, "Nyhilo");
    let given = answered(&ruleset, &game, &action);
    bencher
        .counter(divan::counter::ItemsCount::new(1_usize))
        .bench_local(|| resolve(&ruleset, &game, &action, black_box(&given)));
}

/// The same from player to player: twenty moves from twenty places.
#[divan::bench]
fn moves_of_all_players(bencher: Bencher) {
    let (ruleset, game, _) = sample();
    let moves: Vec<(Action, Selections)> = game
        .players()
        .map(|(_, player)| {
            let action = action(&ruleset, &game, &player.name);
            let given = answered(&ruleset, &game, &action);
            (action, given)
        })
        .collect();
    bencher.counter(divan::counter::ItemsCount::new(moves.len())).bench_local(|| {
        for (action, given) in &moves {
            black_box(resolve(&ruleset, &game, action, given));
        }
    });
}

/// The same move asked one question after the other, as a person or dice answer it.
#[divan::bench]
fn move_asked_one_at_a_time(bencher: Bencher) {
    let (ruleset, game, _) = sample();
    let action = action(&ruleset, &game, "Nyhilo");
    bencher.counter(divan::counter::ItemsCount::new(1_usize)).bench_local(|| answered(&ruleset, &game, &action));
}

/// The sample game after a move of Lime's, with one of every item in Lime's hands and what most of them need.
fn well_equipped() -> (Arc<Ruleset>, Game) {
    let (ruleset, mut game, _) = sample();
    let words = ["move".to_owned(), "Lime".to_owned()];
    let given = answered(&ruleset, &game, &action(&ruleset, &game, "Lime"));
    let request = Request { words: words.to_vec(), given, ..Request::default() };
    let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command of the game");
    assert_eq!(turn.status, Status::Done);
    game = turn.next;
    let lime = game.player_named("Lime").expect("a player of the sample game");
    for item in ruleset.items() {
        game.player_mut(lime).add(&item.name, 2).expect("few");
    }
    game.player_mut(lime).add("Banana", 3).expect("few");
    game.player_mut(lime).add("Shard", 30).expect("few");
    (ruleset, game)
}

/// Every item that can be used, used once with every answer given; the slowest stand in docs/performance.md.
#[divan::bench(args = 1..=98_i64)]
fn use_item(bencher: Bencher, number: i64) {
    let (ruleset, game) = well_equipped();
    let words = ["use-item", "Lime", &number.to_string()].map(str::to_owned);
    let action = Action::read(&ruleset, &game, &words).expect("an item");
    let given = answered(&ruleset, &game, &action);
    bencher
        .counter(divan::counter::ItemsCount::new(1_usize))
        .bench_local(|| resolve(&ruleset, &game, &action, black_box(&given)));
}

/// Reading and checking the sample game.
#[divan::bench]
fn read_and_check_the_sample_game(bencher: Bencher) {
    let (ruleset, _, bytes) = sample();
    bencher.counter(divan::counter::BytesCount::new(bytes.len())).bench_local(|| {
        let file = GamestateFile::parse("gamestate.yaml", black_box(&bytes)).expect("YAML");
        file.check(&ruleset).game.expect("a sound game")
    });
}

/// Reading the built-in ruleset, before any rule text is compiled.
#[divan::bench]
fn load_the_ruleset() -> Ruleset {
    let files = Files::built_in("cycle-15").expect("it is built in");
    Ruleset::load(&files).expect("it loads")
}

/// A log of 10,000 entries: everybody moves, phase after phase; reversed and resolved again on one core.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn verify_a_log_of_10_000_entries(bencher: Bencher) {
    struct Last(u32);
    impl AnswerSource for Last {
        fn answer(&mut self, question: &Question) -> Option<Answer> {
            self.0 += 1;
            let values = match &question.options {
                Options::Dice { count, faces } => (0..*count)
                    .map(|die| Value::Int(((i64::from(self.0) + i64::from(die)) % i64::from(*faces)) + 1))
                    .collect(),
                _ => vec![question.option_values()[self.0 as usize % question.option_values().len()].clone()],
            };
            Some(Answer { values, origin: Origin::Drawn })
        }
    }
    let (ruleset, _, _) = sample();
    // Twenty players on a ring of blank spaces: nobody ever wins.
    let players: String = (0..20).map(|number| format!("  P{number}: {{location: {}}}\n", number * 2)).collect();
    let spaces: String = (0..40).map(|id| format!("  {id}: {{successors: [{}]}}\n", (id + 1) % 40)).collect();
    let text = format!("format: 1\nruleset: cycle-15\nplayers:\n{players}spaces:\n{spaces}");
    let file = GamestateFile::parse("ring.yaml", text.as_bytes()).expect("YAML");
    let mut game = file.check(&ruleset).game.expect("a sound game");
    let names: Vec<String> = game.players().map(|(_, player)| player.name.to_string()).collect();
    let mut answers = Last(0);
    while game.log.len() < 10_000 {
        for name in &names {
            let request = Request { words: vec!["move".into(), name.clone()], decline: true, ..Request::default() };
            game = take_turn(&ruleset, &game, &request, &mut answers).expect("a command").next;
        }
        let request = Request { words: vec!["tick-phase".into()], ..Request::default() };
        game = take_turn(&ruleset, &game, &request, &mut answers).expect("a command").next;
    }
    let entries = game.log.len();
    bencher.counter(divan::counter::ItemsCount::new(entries)).bench_local(|| {
        let verified = verify(&mut |_| Some(Arc::clone(&ruleset)), &game);
        assert_eq!((verified.replayed, verified.findings.len()), (entries, 0));
        verified
    });
}
