//! Commands played at random on a game that was made up, and played again.

use std::sync::Arc;

use nomic_referee::data::Value;
use nomic_referee::game::{Board, Game, LogEntry, Outcome, Space, SpaceId};
use nomic_referee::play::{
    Answer, AnswerSource, By, Options, Origin, Played, Question, Refusal, Request, Selections, Status, What,
    drop_pending, resume, spelled, take_turn,
};
use nomic_referee::ruleset::Ruleset;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::made_up::{command, first_game, made_up};

/// Commands a game sees.
const COMMANDS: usize = 6;
/// No action may ask more often than this.
const MOST_QUESTIONS: usize = 1000;

/// Plays random commands on a game that was made up.
pub struct Play {
    ruleset: Arc<Ruleset>,
    number: u64,
    rng: ChaCha8Rng,
    played: usize,
    game: Game,
    /// The file at the start.
    pub text: String,
}

/// One command that was played.
pub struct Step {
    /// Where to find it again.
    pub at: String,
    pub words: Vec<String>,
    pub before: Game,
    /// The questions in order; the last may have been left open.
    pub asked: Vec<(Question, Option<Vec<Value>>)>,
    pub turn: Played,
}

impl Play {
    pub fn new(ruleset: &Arc<Ruleset>, place: u64) -> Self {
        let number = first_game() + place;
        let made = made_up(ruleset, number);
        let rng = ChaCha8Rng::seed_from_u64(number ^ 0x5eed);
        Self { ruleset: Arc::clone(ruleset), number, rng, played: 0, game: made.game, text: made.text }
    }
}

impl Iterator for Play {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        while self.played < COMMANDS {
            self.played += 1;
            let words = command(&self.ruleset, &self.game, &mut self.rng);
            let at = format!("game {}, command {}: {}", self.number, self.played, words.join(" "));
            let mut chance = Chance { rng: &mut self.rng, board: self.game.board(), asked: Vec::new() };
            let Ok(turn) = run(&self.ruleset, &self.game, &words, Selections::default(), &mut chance) else { continue };
            let asked = chance.asked;
            assert!(asked.len() < MOST_QUESTIONS, "{at}: {} questions", asked.len());
            let before = std::mem::replace(&mut self.game, turn.next.clone());
            return Some(Step { at, words, before, asked, turn });
        }
        None
    }
}

pub fn run(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    words: &[String],
    given: Selections,
    answers: &mut dyn AnswerSource,
) -> Result<Played, Refusal> {
    let request = Request { words: words.to_vec(), given, ..Request::default() };
    match words[0].as_str() {
        "resume" => Ok(resume(ruleset, game, &words[1..], &request, answers)),
        "drop" => Ok(drop_pending(ruleset, game, &words[1..])),
        _ => take_turn(ruleset, game, &request, answers),
    }
}

/// Answers at random, and leaves one question in 25 open.
struct Chance<'a> {
    rng: &'a mut ChaCha8Rng,
    board: &'a Board,
    asked: Vec<(Question, Option<Vec<Value>>)>,
}

impl AnswerSource for Chance<'_> {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let open = self.rng.random_ratio(1, 25) || self.asked.len() >= MOST_QUESTIONS;
        let values = (!open).then(|| any_answer(question, self.board, self.rng));
        self.asked.push((question.clone(), values.clone()));
        values.map(|values| Answer { values, origin: origin(question) })
    }
}

fn a_number(space: &Space) -> i64 {
    if let SpaceId::Number(number) = space.id { number } else { 0 }
}

/// Any legal answer: dice one by one, now and then the number of a space that exists, or a name that is taken.
pub fn any_answer(question: &Question, board: &Board, rng: &mut ChaCha8Rng) -> Vec<Value> {
    match &question.options {
        Options::Dice { count, faces } => {
            (0..*count).map(|_| Value::Int(rng.random_range(1..=i64::from(*faces)))).collect()
        }
        Options::OneOf(options) => vec![options.choose(rng).expect("something to select").clone()],
        Options::Whole(least, most) => {
            let (near_least, near_most) = ((*least).max(-60), (*most).min(60));
            let number = match rng.random_range(0..12) {
                0 => board.spaces().choose(rng).map_or(0, a_number).clamp(*least, *most),
                1 => rng.random_range(*least..=*most),
                2 => *[*least, *most].choose(rng).expect("two"),
                _ => rng.random_range(near_least..=near_most),
            };
            vec![Value::Int(number)]
        }
        Options::Text => {
            let texts = ["Rubber Duck", "duck", "move", "ann", "# \"x\": [y", "é☃𝄞", "1", "two\nlines", "a, b", " "];
            vec![Value::from(*texts.choose(rng).expect("texts"))]
        }
    }
}

/// Answers the first questions as written down, and leaves the next one open.
struct Script {
    answers: Vec<Vec<Value>>,
    asked: usize,
}

impl AnswerSource for Script {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        self.asked += 1;
        let values = self.answers.get(self.asked - 1)?.clone();
        Some(Answer { values, origin: origin(question) })
    }
}

pub fn origin(question: &Question) -> Origin {
    if question.by == By::Random { Origin::Drawn } else { Origin::Prompted }
}

impl Step {
    /// Plays it again on the game before, with the answers that were given to the first `count` questions and `then`.
    pub fn again(&self, ruleset: &Arc<Ruleset>, count: usize, then: Option<Vec<Value>>) -> Played {
        let answered = self.asked[..count].iter().filter_map(|(_, values)| values.clone());
        let mut script = Script { answers: answered.chain(then).collect(), asked: 0 };
        run(ruleset, &self.before, &self.words, Selections::default(), &mut script).expect("it was a command before")
    }

    /// The entry of the log, and all its selections as somebody would post them.
    ///
    /// `None` for what was not carried out, and where draws of a dropped action are bound to this one, which are not
    /// to be posted again (RC-2).
    pub fn posted(&self) -> Option<(&LogEntry, Selections)> {
        // What only tells something leaves no entry.
        let entered = self.turn.next.log.len() > self.before.log.len();
        let entry = self.turn.next.log.last().filter(|entry| entered && entry.outcome.is_none())?;
        let done = self.turn.status == Status::Done && self.words[0] != "drop";
        let bound = self.before.log.iter().any(|own| {
            own.outcome == Some(Outcome::Dropped)
                && own.action.what == entry.action.what
                && own.action.phase == self.before.phase
        });
        let mut given = Selections::default();
        for (key, value) in entry.action.random.entries() {
            // What it had drawn before and did not need in the end is in the entry, and nothing asks for it.
            let made = self.turn.selections.iter().filter(|made| key.is(&made.key));
            let asked = made.map(|made| made.value.items().len()).sum();
            given.add(&key.to_string(), value.items().iter().take(asked).cloned());
        }
        for (key, value) in entry.action.chosen.entries() {
            given.add(&key.to_string(), value.items().iter().cloned());
        }
        (done && !bound).then_some((entry, given))
    }

    /// The game before, without the pending action that was resumed: as it would be if all had been posted at once.
    pub fn fresh(&self) -> Game {
        let mut fresh = self.before.clone();
        if self.words[0] == "resume" {
            Arc::make_mut(&mut fresh.pending).retain(|pending| pending.what != self.turn.action);
        }
        fresh
    }
}

pub fn refused(turn: &Played) -> Option<&str> {
    match &turn.status {
        Status::Refused(refusal) => Some(&refusal.code),
        _ => None,
    }
}

/// Legal answers: all that can be listed, and for several dice all with one number and one throw more.
pub fn legal_answers(question: &Question) -> Vec<Vec<Value>> {
    let (count, faces) = match &question.options {
        Options::Dice { count, faces } => (*count, *faces),
        // Numbers that no space has.
        Options::Whole(least, most) => return [*least, *most, 777_777].map(|number| vec![Value::Int(number)]).to_vec(),
        Options::Text => return ["a new word", "#", "-1"].map(|text| vec![Value::from(text)]).to_vec(),
        Options::OneOf(options) => return options.iter().map(|value| vec![value.clone()]).collect(),
    };
    let mixed = (0..count).map(|place| Value::Int(i64::from(place % faces + 1))).collect();
    let same = question.option_values().into_iter().map(|value| vec![value; count as usize]);
    same.chain([mixed]).collect()
}

/// Answers that are not legal, although some look it.
pub fn wrong_answers(question: &Question) -> Vec<Vec<Value>> {
    match &question.options {
        Options::Dice { count, faces } => {
            let wrong = [Value::Int(0), Value::Int(i64::from(*faces) + 1), Value::Int(-1), Value::from("zzz")];
            let last = |wrong: Value| {
                let mut dice = vec![Value::Int(1); *count as usize];
                *dice.last_mut().expect("dice") = wrong;
                dice
            };
            let too_many = vec![Value::Int(1); *count as usize + 1];
            let too_few = vec![Value::Int(1); *count as usize - 1];
            wrong.into_iter().map(last).chain([too_many]).chain(Some(too_few).filter(|few| !few.is_empty())).collect()
        }
        Options::OneOf(options) => {
            // A number may name an item, so only one that no row has is wrong there.
            let near = if question.what == What::Item { vec![] } else { (-3..60).map(Value::Int).collect() };
            let others =
                [Value::Int(999_999), Value::Int(i64::MIN), Value::from("zzz"), Value::Bool(true), Value::Null];
            let is_wrong = |value: &Value| !options.iter().any(|option| spelled(option) == spelled(value));
            near.into_iter().filter(is_wrong).take(2).chain(others).filter(is_wrong).map(|value| vec![value]).collect()
        }
        Options::Whole(..) => ["zzz", "1.5", ""].map(|wrong| vec![Value::from(wrong)]).to_vec(),
        Options::Text => vec![vec![Value::from("")]],
    }
}
