//! The log explains the game: honest histories give no finding, tampered ones do, and going back keeps every draw.
//!
//! A game is made from its ruleset and its number alone (`made_up.rs`) and starts here without a log, because nobody has
//! played the one it is made with; so are the commands and the answers, and a failure that names game 17 is met again by
//! every run.

use std::collections::BTreeMap;
use std::sync::Arc;

use nomic_referee::data::{Key, Value};
use nomic_referee::game::{Board, Change, Game, LogEntry, Outcome, changes};
use nomic_referee::gamestate::{GamestateFile, valid_game};
use nomic_referee::play::{
    Answer, AnswerSource, Finding, Played, Question, Request, Resolution, Selections, Status, drop_pending, resolve,
    resume, take_turn, verify, verify_edit,
};
use nomic_referee::ruleset::{Action, Ruleset};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::laws::play::{any_answer, origin, refused};
use crate::laws::{on_every_ruleset, share};
use crate::made_up::{checked, command, first_game, made_up, written_by_hand};
use crate::support::{is_long, rules_of, scaled};

/// Commands that a game sees before somebody tampers with it.
const COMMANDS: usize = 6;
/// Steps in the history of a game.
const STEPS: usize = 8;

on_every_ruleset!(
    honest_histories_give_no_finding,
    every_tampering_is_found_on_the_right_entry,
    undoing_redoing_and_amending_keep_every_draw,
);

/// Tried on 1,000 games of cycle-15 and 500 of either other ruleset, of up to six commands.
fn honest_histories_give_no_finding(name: &str) {
    let ruleset = rules_of(name);
    let mut edits = 0;
    for number in 0..share(name, 1_000) {
        let mut history = History::new(&ruleset, number);
        for _ in 0..COMMANDS {
            let Some((words, turn)) = history.command() else { continue };
            let found = verify_edit(&history.game, &turn.next, &[]);
            assert_eq!(found, [], "{}", history.at(&words));
            history.go_on(words, turn);
            edits += 1;
        }
        assert_eq!(findings(&ruleset, &history.game), [], "game {number}: {:#?}", history.told());
    }
    assert!(edits > share(name, 4_000), "{edits} edits");
}

/// Tried on 1,000 tamperings with cycle-15 and 500 with either other ruleset, 9 kinds in turn.
///
/// Each is one that cannot be a legal history: another die or choice makes another outcome when it is resolved, entries
/// that change places have changed the same value, and a value before an entry is one that an earlier entry has left.
fn every_tampering_is_found_on_the_right_entry(name: &str) {
    let ruleset = rules_of(name);
    let mut tried = [0; KINDS.len()];
    let mut count = 0;
    let mut missed = Vec::new();
    for number in 0.. {
        let mut history = History::new(&ruleset, number);
        for _ in 0..COMMANDS {
            let Some((words, turn)) = history.command() else { continue };
            history.go_on(words, turn);
        }
        for _ in 0..4 {
            let kind = count % KINDS.len();
            let Some(tampered) = KINDS[kind].1(&mut history) else { break };
            let found = match &tampered.old {
                Some(old) => verify_edit(old, &tampered.new, &[]),
                None => findings(&ruleset, &tampered.new),
            };
            if !found.iter().any(|finding| tampered.is_named_by(finding)) {
                missed.push(format!("game {number}, {}: {tampered}\n{found:#?}", KINDS[kind].0));
            }
            tried[kind] += 1;
            count += 1;
        }
        if count >= share(name, 1_000) {
            break;
        }
        assert!(number < 5_000, "too few games can be tampered with: {tried:?}");
    }
    assert!(missed.is_empty(), "{} of {count} missed: {}", missed.len(), missed.join("\n"));
    assert!(tried.iter().all(|tried| *tried >= share(name, 50)), "{tried:?}");
}

/// Tried on 10,000 steps with cycle-15, and on 300 pairs of undoing and redoing in the file; with either other ruleset on
/// 6,000 steps and 150 pairs.
fn undoing_redoing_and_amending_keep_every_draw(name: &str) {
    let ruleset = rules_of(name);
    let (wanted, pairs) = if name == "cycle-15" { (10_000, 300) } else { (6_000, 150) };
    let (wanted, pairs) = (scaled(wanted), scaled(pairs));
    let (mut steps, mut in_files) = (0, 0);
    let mut done = BTreeMap::new();
    for number in 0.. {
        let mut history = History::new(&ruleset, number);
        for _ in 0..STEPS {
            let Some((words, turn)) = history.step() else { continue };
            let at = history.at(&words);
            let before = drawn(&history.game);
            for (draw, count) in &before {
                let now = drawn(&turn.next).get(draw).copied().unwrap_or_default();
                assert!(
                    now >= *count,
                    "{at}: {draw} was drawn {count} times, and now {now} times\n{:#?}",
                    history.told()
                );
            }
            if words[0] == "undo" && turn.status == Status::Done {
                let redo = ["redo", words.get(1).map_or("1", |count| count)].map(str::to_owned);
                let again = history.run(&turn.next, &redo, Selections::default()).expect("a command");
                assert_eq!(again.status, Status::Done, "{at}\n{:#?}", history.told());
                // The order of keys is the file's, whose bytes are compared below.
                assert!(
                    again.next.equivalent(&history.game) && changes(&history.game, &again.next).is_empty(),
                    "{at}: {:#?}\n{:#?}",
                    changes(&history.game, &again.next),
                    history.told()
                );
                if in_files < pairs {
                    // What a person has written in their own hand comes back in the program's; that comes back as it was.
                    let redone = |text: &str| {
                        let undone = saved(&ruleset, text, &history.game, &turn.next);
                        saved(&ruleset, &undone, &turn.next, &again.next)
                    };
                    let text = redone(&history.text());
                    let redone = redone(&text);
                    // Who comes back as a whole is written anew, with what they have gained since in the order of all.
                    let whole = |change: &Change| change.pointer.steps().len() == 2 && change.after == Value::Null;
                    let anew = changes(&history.game, &turn.next).iter().any(whole);
                    assert!(anew || redone == text, "{at}: other bytes\n{text}=====\n{redone}");
                    let again = checked(&ruleset, &redone).unwrap_or_else(|why| panic!("{at}: {why}\n{redone}"));
                    assert!(again.equivalent(&history.game), "{at}: another game\n{redone}");
                    in_files += usize::from(!anew);
                }
            }
            *done.entry(format!("{} {}", words[0], refused(&turn).is_none())).or_insert(0) += 1;
            history.go_on(words, turn);
            steps += 1;
            if history.played.last().is_some_and(|(_, before)| *before == history.game) {
                continue;
            }
            let same =
                valid_game(&ruleset, &state(&history.game)).unwrap_or_else(|problems| panic!("{at}: {problems:#?}"));
            assert!(same.equivalent(&history.game), "{at}: another game");
            assert_eq!(findings(&ruleset, &history.game), [], "{at}\n{:#?}", history.told());
        }
        if steps >= wanted && in_files >= pairs {
            break;
        }
    }
    // On the map few other ways lead as far.
    let least = if name == "world-map" { 50 } else { share(name, 200) };
    let least = if is_long() { least } else { 0 };
    assert!(
        ["undo", "redo", "amend", "void-attempts"].iter().all(|word| done[&format!("{word} true")] > least),
        "{done:?}"
    );
}

/// What has been played on a game that was made up.
struct History {
    ruleset: Arc<Ruleset>,
    number: u64,
    rng: ChaCha8Rng,
    start: Game,
    game: Game,
    /// The commands with the games before them.
    played: Vec<(Vec<String>, Game)>,
}

/// Answers at random, and leaves one question in 25 open.
struct Chance<'a>(&'a mut ChaCha8Rng, &'a Board);

impl AnswerSource for Chance<'_> {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let values = (!self.0.random_ratio(1, 25)).then(|| any_answer(question, self.1, self.0))?;
        Some(Answer { values, origin: origin(question) })
    }
}

impl History {
    fn new(ruleset: &Arc<Ruleset>, place: u64) -> Self {
        let number = first_game() + place;
        let mut game = made_up(ruleset, number).game;
        game.log = Arc::default();
        game.pending = Arc::default();
        let rng = ChaCha8Rng::seed_from_u64(number ^ 0x1065);
        Self { ruleset: Arc::clone(ruleset), number, rng, start: game.clone(), game, played: Vec::new() }
    }

    fn at(&self, words: &[String]) -> String {
        format!("game {}, command {}: {}", self.number, self.played.len() + 1, words.join(" "))
    }

    /// The commands and the log, for whoever looks at a failure.
    fn told(&self) -> (Vec<String>, Vec<String>) {
        let words = self.played.iter().map(|(words, _)| words.join(" ")).collect();
        (words, self.game.log.iter().map(|entry| entry.to_value().to_string()).collect())
    }

    fn run(&mut self, game: &Game, words: &[String], given: Selections) -> Option<Played> {
        let minute = i64::try_from(self.played.len()).expect("a few") * 60;
        let at = jiff::Timestamp::from_second(1_704_500_000 + minute).ok();
        let request = Request { words: words.to_vec(), given, at, ..Request::default() };
        let mut chance = Chance(&mut self.rng, game.board());
        match words[0].as_str() {
            "resume" => resume(&self.ruleset, game, &words[1..], &request, &mut chance).into(),
            "drop" => drop_pending(&self.ruleset, game, &words[1..]).into(),
            _ => take_turn(&self.ruleset, game, &request, &mut chance).ok(),
        }
    }

    /// A command that plays, and what came of it.
    fn command(&mut self) -> Option<(Vec<String>, Played)> {
        let words = command(&self.ruleset, &self.game, &mut self.rng);
        let turn = self.run(&self.game.clone(), &words, Selections::default())?;
        Some((words, turn))
    }

    /// A command that plays or goes back, and what came of it.
    fn step(&mut self) -> Option<(Vec<String>, Played)> {
        let game = self.game.clone();
        let mut given = Selections::default();
        let counting = game.log.iter().filter(|entry| entry.counts()).count();
        let undone = game.log.iter().any(|entry| entry.undone);
        let words = match self.rng.random_range(0..12) {
            4 | 5 if counting > 0 => {
                vec!["undo".to_owned(), self.rng.random_range(1..=counting.min(3)).to_string()]
            }
            6 | 7 if undone => vec!["redo".to_owned()],
            8 => {
                // Step dry: nothing of it is kept.
                self.command()?;
                return self.command();
            }
            9 | 10 => {
                let entries: Vec<_> = game.log.iter().filter(|entry| game.took_place(entry)).collect();
                let entry = entries.choose(&mut self.rng)?;
                let random = entry.action.random.entries().iter().map(|selection| (true, selection));
                let chosen = entry.action.chosen.entries().iter().map(|selection| (false, selection));
                let selections: Vec<_> = random.chain(chosen).collect();
                let (random, (key, values)) = selections.choose(&mut self.rng)?;
                let mut values = Some(values.items().to_vec()).filter(|values| !values.is_empty())?;
                let place = self.rng.random_range(0..values.len());
                values[place] = other(&values[place], *random, &mut self.rng);
                given.add(&key.to_string(), values);
                vec!["amend".to_owned(), entry.id.to_string()]
            }
            11 => {
                let id = game.log.choose(&mut self.rng)?.id.to_string();
                ["void-attempts", &id, "--because", "nobody minds"].map(str::to_owned).to_vec()
            }
            _ => return self.command(),
        };
        let turn = self.run(&game, &words, given)?;
        Some((words, turn))
    }

    fn go_on(&mut self, words: Vec<String>, turn: Played) {
        let before = std::mem::replace(&mut self.game, turn.next);
        self.played.push((words, before));
    }

    /// The game's file: the start in somebody's hand, and every command saved.
    fn text(&self) -> String {
        let text = written_by_hand(&state(&self.start), &mut ChaCha8Rng::seed_from_u64(self.number));
        let games = self.played.iter().map(|(_, game)| game).chain([&self.game]).collect::<Vec<_>>();
        games.windows(2).fold(text, |text, games| saved(&self.ruleset, &text, games[0], games[1]))
    }

    /// The game on which an entry was made.
    fn before(&self, id: i64) -> &Game {
        let made = |game: &Game| game.log.last().is_some_and(|last| last.id >= id);
        let place = self.played.iter().position(|(_, game)| made(game)).unwrap_or(self.played.len());
        &self.played[place - 1].1
    }

    /// Entries that were resolved, in no order.
    fn entries(&mut self) -> Vec<LogEntry> {
        let resolved = self.game.log.iter().filter(|entry| entry.counts() && entry.outcome.is_none());
        let mut entries: Vec<LogEntry> = resolved.map(|entry| LogEntry::clone(entry)).collect();
        rand::seq::SliceRandom::shuffle(&mut *entries, &mut self.rng);
        entries
    }

    /// Whether other selections are illegal, or have an outcome of their own.
    fn comes_to_something_else(&self, entry: &LogEntry, changed: &LogEntry, legal: bool) -> bool {
        let mut before = self.before(entry.id).clone();
        Arc::make_mut(&mut before.pending).retain(|pending| pending.what != entry.action.what);
        let words = shlex::split(&entry.action.what).expect("a command");
        let action = Action::read(&self.ruleset, &before, &words).expect("it was a command before");
        let action = Action { at: entry.action.at, amended: entry.action.amended.clone(), ..action };
        let mut given = Selections::default();
        given.add_recorded(&changed.action.random);
        given.add_recorded(&changed.action.chosen);
        let Resolution::Done(ran) = resolve(&self.ruleset, &before, &action, &given) else { return !legal };
        let (mut now, mut then) = (ran.game, self.before(entry.id).clone());
        now.sweep();
        let _ = then.do_again(&entry.changes);
        now.pending = Arc::clone(&then.pending);
        ran.random == changed.action.random && ran.chosen == changed.action.chosen && !changes(&then, &now).is_empty()
    }
}

/// The file of a game with another one in its place.
fn saved(ruleset: &Ruleset, text: &str, before: &Game, after: &Game) -> String {
    let file = GamestateFile::parse("made-up.yaml", text.as_bytes()).expect("it was saved");
    file.updated(ruleset, before, after).unwrap_or_else(|problem| panic!("{}\n{text}", problem.message))
}

/// The game in the shape of its file.
fn state(game: &Game) -> Value {
    let Value::Map(mut sections) = game.to_value() else { unreachable!("a game has sections") };
    sections.insert(0, (Key::from("format"), Value::Int(1)));
    sections.retain(|(key, section)| key.is("players") || !section.is_empty());
    Value::Map(sections)
}

fn findings(ruleset: &Arc<Ruleset>, game: &Game) -> Vec<Finding> {
    verify(&mut |_| Some(Arc::clone(ruleset)), game).findings
}

/// How often each value was drawn for each action. Draws that are met again were drawn once, and what lapsed and waits
/// again has them in one place too many.
pub fn drawn(game: &Game) -> BTreeMap<String, usize> {
    let lapses = |entry: &&Arc<LogEntry>| entry.undone && entry.outcome == Some(Outcome::Lapsed);
    let entries = game.log.iter().filter(|entry| !lapses(entry)).map(|entry| &entry.action);
    let mut drawn = BTreeMap::new();
    for action in entries.chain(game.pending.iter()) {
        for (key, values) in action.random.entries() {
            let met = game.log.iter().find(|entry| action.met == Some(entry.id));
            let met = met.and_then(|entry| entry.action.random.get(&key.to_string())).map_or(&[][..], Value::items);
            let known = values.items().iter().zip(met).take_while(|(own, met)| own == met).count();
            for value in &values.items()[known..] {
                *drawn.entry(format!("{key}={value} for {}", action.what)).or_default() += 1;
            }
        }
    }
    drawn
}

/// Another value of the kind.
fn other(value: &Value, die: bool, rng: &mut ChaCha8Rng) -> Value {
    match value {
        Value::Int(number) if die => Value::Int((number + rng.random_range(0..3)) % 4 + 1),
        Value::Int(number) => Value::Int(number + if rng.random() { 1 } else { -1 }),
        Value::Bool(yes) => Value::Bool(!yes),
        Value::Text(text) if text == "no" || text == "none" => Value::from("yes"),
        Value::Text(text) if text == "yes" => Value::from("no"),
        Value::Text(text) => {
            let mut others = vec!["Blank", "Geyser", "none", "Ann", "Bob", "Duck", "Wood", "Food", "Water"];
            others.retain(|other| other != text);
            Value::from(*others.choose(rng).expect("texts"))
        }
        // The same values in another order are another list.
        Value::List(values) if values.len() > 1 && values.first() != values.last() => {
            Value::List(values.iter().rev().cloned().collect())
        }
        Value::List(values) => Value::List(values.iter().cloned().chain([Value::Int(1)]).collect()),
        Value::Map(entries) => Value::Map(entries.iter().cloned().chain([(Key::from("x"), Value::Int(1))]).collect()),
        Value::Null => Value::Int(1),
    }
}

/// A history that somebody has tampered with.
struct Tampered {
    old: Option<Game>,
    new: Game,
    /// The entries of which one must be named, or where there are none the place.
    entries: Vec<i64>,
    pointer: String,
}

impl std::fmt::Display for Tampered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let log: Vec<String> = self.new.log.iter().map(|entry| entry.to_value().to_string()).collect();
        write!(f, "entries {:?}, {} in\n{}", self.entries, self.pointer, log.join("\n"))
    }
}

impl Tampered {
    fn is_named_by(&self, finding: &Finding) -> bool {
        if self.entries.is_empty() {
            finding.pointer.as_ref().is_some_and(|pointer| pointer.to_string() == self.pointer)
        } else {
            finding.entry.is_some_and(|id| self.entries.contains(&id))
        }
    }
}

type Tampering = fn(&mut History) -> Option<Tampered>;

/// What people might do to a file.
const KINDS: [(&str, Tampering); 9] = [
    ("another draw", |history| another_selection(history, true)),
    ("an entry removed", entry_removed),
    ("two entries swapped", entries_swapped),
    ("changes altered", changes_altered),
    ("a touched value edited", |history| value_edited(history, true)),
    ("another choice", |history| another_selection(history, false)),
    ("an untouched value edited", |history| value_edited(history, false)),
    ("the last entry taken back", last_taken_back),
    ("the last entry rolled again", rolled_again),
];

/// The game with another entry in the place of its own.
fn with_entry(game: &Game, entry: LogEntry) -> Tampered {
    let mut new = game.clone();
    let (id, log) = (entry.id, Arc::make_mut(&mut new.log));
    *log.iter_mut().find(|own| own.id == id).expect("an entry of the game") = Arc::new(entry);
    Tampered { old: None, new, entries: vec![id], pointer: String::new() }
}

fn another_selection(history: &mut History, random: bool) -> Option<Tampered> {
    for entry in history.entries() {
        let mut changed = entry.clone();
        let map = if random { &mut changed.action.random } else { &mut changed.action.chosen };
        let Some((key, values)) = map.entries().choose(&mut history.rng).cloned() else { continue };
        let mut values = values.items().to_vec();
        if values.is_empty() {
            continue;
        }
        let place = history.rng.random_range(0..values.len());
        values[place] = other(&values[place], random, &mut history.rng);
        // A single value stands alone, as the rules give it.
        map.set(key, if values.len() == 1 { values.remove(0) } else { Value::List(values) });
        if history.comes_to_something_else(&entry, &changed, random) {
            return Some(with_entry(&history.game, changed));
        }
    }
    None
}

fn entry_removed(history: &mut History) -> Option<Tampered> {
    let mut new = history.game.clone();
    let log = Arc::make_mut(&mut new.log);
    let place = (log.len() > 2).then(|| history.rng.random_range(1..log.len() - 1))?;
    log.remove(place);
    let entries = vec![log[place].id];
    Some(Tampered { old: None, new, entries, pointer: String::new() })
}

/// Two neighbours change places, with their numbers or without.
fn entries_swapped(history: &mut History) -> Option<Tampered> {
    let mut new = history.game.clone();
    let log = Arc::make_mut(&mut new.log);
    let shared = |one: &LogEntry, other: &LogEntry| {
        let pointers = one.changes.entries().iter().map(|(key, _)| key.to_string());
        let mut both = pointers.filter(|key| key != "/pending" && other.changes.get(key).is_some());
        one.counts() && other.counts() && both.next().is_some()
    };
    let pairs: Vec<usize> = (1..log.len()).filter(|place| shared(&log[place - 1], &log[*place])).collect();
    let place = *pairs.choose(&mut history.rng)?;
    let entries = vec![log[place - 1].id, log[place].id];
    log.swap(place - 1, place);
    if history.rng.random() {
        Arc::make_mut(&mut log[place - 1]).id = entries[0];
        Arc::make_mut(&mut log[place]).id = entries[1];
    }
    Some(Tampered { old: None, new, entries, pointer: String::new() })
}

/// The value before or after a change is another one; of what was pending, the draws are.
fn changes_altered(history: &mut History) -> Option<Tampered> {
    for mut entry in history.entries() {
        let all = entry.changes.entries();
        let pending = all.iter().find(|(pointer, _)| pointer.is("/pending"));
        let Some((pointer, pair)) = pending.or(all.choose(&mut history.rng)).cloned() else { continue };
        let name = pointer.to_string();
        let earlier = history.game.log.iter().take_while(|earlier| earlier.id < entry.id);
        let known = earlier.filter(|earlier| earlier.counts()).any(|earlier| earlier.changes.get(&name).is_some());
        let mut pair = pair.items().to_vec();
        if pending.is_some() {
            let mut waited = pair[0].items().to_vec();
            let Some(mut random) = waited.first().and_then(|own| own.get("random")).cloned() else { continue };
            let Some((key, values)) = random.entries().first().cloned() else { continue };
            let values = values.items().iter().map(|value| other(value, true, &mut history.rng)).collect();
            random.set(key, Value::List(values));
            waited[0].set(Key::from("random"), random);
            pair[0] = Value::List(waited);
        } else {
            let side = usize::from(!known || history.rng.random());
            pair[side] = other(&pair[side], false, &mut history.rng);
        }
        entry.changes.set(pointer, Value::List(pair));
        return Some(with_entry(&history.game, entry));
    }
    None
}

/// A value of the game is another one, and the game is sound all the same.
fn value_edited(history: &mut History, touched: bool) -> Option<Tampered> {
    let entries = history.game.log.iter().filter(|entry| entry.counts());
    let of_entries: Vec<String> =
        entries.flat_map(|entry| entry.changes.entries()).map(|(pointer, _)| pointer.to_string()).collect();
    let state = state(&history.game);
    let mut all = Vec::new();
    for section in ["phase", "settings", "state", "rulings", "players", "spaces"] {
        leaves(state.get(section).unwrap_or(&Value::Null), &format!("/{section}"), &mut all);
    }
    let near = |pointer: &str| of_entries.iter().any(|own| own.starts_with(pointer) || pointer.starts_with(own));
    all.retain(|(pointer, _)| if touched { of_entries.contains(pointer) } else { !near(pointer) });
    for _ in 0..10 {
        let (pointer, value) = all.choose(&mut history.rng)?.clone();
        let mut edited = state.clone();
        put(&mut edited, &steps(&pointer), other(&value, false, &mut history.rng));
        let Ok(new) = valid_game(&history.ruleset, &edited) else { continue };
        if new.equivalent(&history.game) {
            continue;
        }
        let old = (!touched).then(|| history.played[history.played.len() / 2].1.clone());
        return Some(Tampered { old, new, entries: Vec::new(), pointer });
    }
    None
}

fn leaves(value: &Value, pointer: &str, all: &mut Vec<(String, Value)>) {
    if value.entries().is_empty() {
        all.push((pointer.to_owned(), value.clone()));
    }
    for (key, inner) in value.entries() {
        let step = key.to_string().replace('~', "~0").replace('/', "~1");
        leaves(inner, &format!("{pointer}/{step}"), all);
    }
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

fn put(tree: &mut Value, steps: &[String], value: Value) {
    let Some((step, rest)) = steps.split_first() else { return *tree = value };
    let Value::Map(entries) = tree else { return };
    if let Some((_, inner)) = entries.iter_mut().find(|(key, _)| key.is(step)) {
        put(inner, rest, value);
    }
}

fn last_taken_back(history: &mut History) -> Option<Tampered> {
    let mut new = history.game.clone();
    let last = Arc::make_mut(&mut new.log).pop().filter(|last| last.counts())?;
    new.revert(&last.changes).expect("nothing has happened since");
    Some(Tampered { old: Some(history.game.clone()), new, entries: vec![last.id], pointer: String::new() })
}

fn rolled_again(history: &mut History) -> Option<Tampered> {
    let last = Arc::clone(history.game.log.last()?);
    let place = history.played.iter().rposition(|(_, game)| game.log.len() < history.game.log.len())?;
    let (words, before) = history.played[place].clone();
    // Nothing was kept since.
    let after = history.played.get(place + 1).map_or(&history.game, |(_, game)| game).clone();
    let new = history.run(&before, &words, Selections::default())?.next;
    let again = new.log.last().filter(|again| again.id == last.id && again.counts())?;
    let others = again.action.random != last.action.random && again.outcome.is_none();
    others.then(|| Tampered { old: Some(after), new: new.clone(), entries: vec![last.id], pointer: String::new() })
}
