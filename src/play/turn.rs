//! One command that plays, from the request to the next game with its log entry.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::rewind::with_first;
use super::seal::{self, Seal};
use super::{By, Event, Given, Halt, Options, Question, Ran, Refusal, Selection, What};
use super::{correct, declare, history, resolve};
use crate::game::{Amendment, Change, Commenced, Game, LogEntry, Outcome, PlayerId, as_recorded, changes};
use crate::rulebook::{Action, ActionError, Rulebook};
use crate::value::{Key, Value};

/// What somebody posted.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The command in words, such as `["move", "Nyhilo"]`.
    pub words: Vec<String>,
    /// The selections given with it.
    pub given: Given,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// The posted message.
    pub link: Option<String>,
    /// Whether every optional effect that is not mentioned is declined.
    pub decline: bool,
    /// The secret of a game with sealed dice, from which its draws are derived.
    pub secret: Option<String>,
}

/// Where an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Given with the command.
    Posted,
    /// The only legal one (PA-5).
    Forced,
    /// A fair draw made for it.
    Drawn,
    /// A throw that shows what a draw might look like; it is none of the game's (RC-1).
    Sample,
    /// Picked at the terminal.
    Prompted,
    /// Kept from an earlier step of the same action.
    Recorded,
    /// Declined, because it was not mentioned.
    Declined,
}

/// An answer to a question, dice one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The values.
    pub values: Vec<Value>,
    /// Where it came from.
    pub origin: Origin,
}

/// Whoever answers what was not given: dice, a person, or nobody.
pub trait Answers {
    /// An answer, or `None` to leave the question open.
    fn answer(&mut self, question: &Question) -> Option<Answer>;
}

/// Leaves every question open.
impl Answers for () {
    fn answer(&mut self, _: &Question) -> Option<Answer> {
        None
    }
}

/// A selection and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The selection.
    pub selection: Selection,
    /// Where it came from.
    pub origin: Origin,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Carried out.
    Done,
    /// A selection is open; what was drawn waits in `pending`.
    Asks(Question),
    /// The rules forbid it.
    Refused(Refusal),
    /// The rules leave it open.
    NeedsRuling {
        /// The R-number.
        ruling: String,
        /// The question.
        message: String,
    },
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// How it ended.
    pub status: Status,
    /// The command with names as the game spells them.
    pub action: String,
    /// Selections in the order in which they were made.
    pub selections: Vec<Made>,
    /// What happened, in order; of an action that was not carried out, nothing.
    pub events: Vec<Event>,
    /// What changed in the gamestate, the log aside.
    pub changes: Vec<Change>,
    /// The game to go on with: after the action, or as it was but for what must be kept.
    pub next: Game,
}

impl Turn {
    pub(super) fn refused(game: &Game, action: String, refusal: Refusal) -> Self {
        let status = Status::Refused(refusal);
        Self { status, action, selections: Vec::new(), events: Vec::new(), changes: Vec::new(), next: game.clone() }
    }
}

pub(super) fn refusal(code: &str, message: String, help: Option<String>, rule: &str) -> Refusal {
    Refusal { code: code.to_owned(), message, help, rule: rule.to_owned() }
}

/// Carries out a posted command, or keeps what of it must be kept.
///
/// # Errors
/// A command that is none of this game's, with nothing done.
pub fn take_turn(
    rulebook: &Arc<Rulebook>,
    game: &Game,
    request: &Request,
    answers: &mut dyn Answers,
) -> Result<Turn, ActionError> {
    match request.words.first().map(String::as_str) {
        Some(declare::WORD) => return declare::declare(rulebook, game, request),
        Some(correct::AMEND | correct::VOID) => return correct::correct(rulebook, game, request, answers),
        Some(seal::REVEAL) => return seal::reveal(rulebook, game, request),
        Some(history::UNDO | history::REDO) => return history::turn_back(game, &request.words),
        _ => {}
    }
    let action = Action::read(rulebook, game, &request.words)?;
    let waiting = game.pending.iter().find(|pending| pending.what == action.what);
    if let Some(pending) = waiting {
        let message = format!("`{}` has been commenced and waits to be completed", pending.what);
        let help = format!(
            "`referee resume{0}` goes on with it, `referee drop{0}` gives it up",
            name_after(game, action.player())
        );
        return Ok(Turn::refused(game, action.what, refusal("move-pending", message, Some(help), "PA-2")));
    }
    let met = draws_to_meet(game, &action);
    let random = met.map_or(Value::Null, |entry| entry.action.random.clone());
    let sealed = met.map_or(Value::Null, |entry| entry.action.sealed.clone());
    let known = Known { random, met: met.map(|entry| entry.id), sealed, ..Known::default() };
    Ok(play(rulebook, game, &action, request, &known, answers))
}

/// The entry of this phase whose draws the same action meets again, because it was given up or undone (RC-2): the first
/// that nothing has met since and that nobody has declared void.
pub(super) fn draws_to_meet<'a>(game: &'a Game, action: &Action) -> Option<&'a LogEntry> {
    let this_phase = game.log.iter().rev().take_while(|entry| entry.action.phase >= game.phase);
    let own: Vec<&LogEntry> = this_phase.map(Arc::as_ref).filter(|entry| entry.action.what == action.what).collect();
    let free = |entry: &&&LogEntry| {
        let given_up = entry.outcome == Some(Outcome::Dropped) || entry.undone && entry.outcome.is_none();
        let met = own.iter().any(|later| later.action.met == Some(entry.id));
        let void = || game.log.iter().any(|later| later.voids(entry.id));
        given_up && !met && !entry.action.random.is_empty() && !void()
    };
    own.iter().rev().find(free).copied()
}

/// Goes on with a pending action: the only one there is, or the one that the words name: a player, and where they have
/// several, something of its command.
///
/// # Errors
/// A player who is none of this game's.
pub fn resume(
    rulebook: &Arc<Rulebook>,
    game: &Game,
    which: &[String],
    request: &Request,
    answers: &mut dyn Answers,
) -> Result<Turn, ActionError> {
    let (place, action) = match find_pending(rulebook, game, which)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Turn::refused(game, "resume".into(), refusal)),
    };
    let pending = &game.pending[place];
    if pending.phase != game.phase {
        let message =
            format!("`{}` was commenced in phase {}, and this is phase {}", pending.what, pending.phase, game.phase);
        let help = Some(
            "an action is performed in the phase in which it was commenced; `referee tick-phase` lets it lapse"
                .to_owned(),
        );
        return Ok(Turn::refused(game, action.what, refusal("too-late", message, help, "PA-4")));
    }
    // What answers the open question alone leaves the steps after it to be asked for.
    let mut given = request.given.clone();
    given.one_by_one();
    let request = Request {
        given,
        at: pending.at.or(request.at),
        link: pending.link.clone().or_else(|| request.link.clone()),
        ..request.clone()
    };
    let known = Known {
        place: Some(place),
        random: pending.random.clone(),
        chosen: pending.chosen.clone(),
        amended: pending.amended.clone(),
        met: pending.met,
        sealed: pending.sealed.clone(),
    };
    Ok(play(rulebook, game, &action, &request, &known, answers))
}

/// Gives up a pending action. What was drawn for it stays bound to the same action in this phase (RC-2).
///
/// # Errors
/// A player who is none of this game's.
pub fn drop_pending(rulebook: &Arc<Rulebook>, game: &Game, which: &[String]) -> Result<Turn, ActionError> {
    let (place, action) = match find_pending(rulebook, game, which)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Turn::refused(game, "drop".into(), refusal)),
    };
    let mut next = game.clone();
    let given_up = Arc::make_mut(&mut next.pending).remove(place);
    let text = if given_up.random.is_empty() {
        format!("`{}` is given up; nothing had been drawn for it", action.what)
    } else {
        let text = format!(
            "`{}` is given up; its draws {} stay in the log and serve the same action in this phase",
            action.what, given_up.random
        );
        log(
            &mut next,
            LogEntry {
                action: Commenced { chosen: Value::Null, ..given_up },
                outcome: Some(Outcome::Dropped),
                ..LogEntry::default()
            },
        );
        text
    };
    let event = Event { text, rule: "RC-2".into(), rulings: vec![], players: vec![], spaces: vec![], items: vec![] };
    Ok(Turn {
        status: Status::Done,
        action: format!("drop{}", name_after(game, action.player())),
        selections: Vec::new(),
        events: vec![event],
        changes: changes(game, &next),
        next,
    })
}

fn name_after(game: &Game, player: Option<PlayerId>) -> String {
    let name = player.map(|player| game.player(player).name.to_string()).unwrap_or_default();
    if name.is_empty() {
        name
    } else {
        format!(" {}", shlex::try_quote(&name).map_or_else(|_| name.clone(), std::borrow::Cow::into_owned))
    }
}

fn read(rulebook: &Rulebook, game: &Game, what: &str) -> Option<Action> {
    Action::read(rulebook, game, &shlex::split(what)?).ok()
}

fn find_pending(
    rulebook: &Rulebook,
    game: &Game,
    which: &[String],
) -> Result<Result<(usize, Action), Refusal>, ActionError> {
    // The first word names a player, or like the others something of the command: who joins is no player yet.
    let wanted = which.first().map(|player| crate::rulebook::find_player(game, player));
    let named = wanted.as_ref().is_some_and(Result::is_ok);
    let unknown = wanted.as_ref().and_then(|wanted| wanted.as_ref().err()).cloned();
    let (wanted, words) = (wanted.and_then(Result::ok), &which[usize::from(named)..]);
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let fits = |what: &str| words.iter().all(|word| what.to_lowercase().contains(word));
    let open = game
        .pending
        .iter()
        .enumerate()
        .filter_map(|(place, pending)| Some((place, read(rulebook, game, &pending.what)?)));
    let mut found: Vec<(usize, Action)> =
        open.filter(|(_, action)| (wanted.is_none() || action.player() == wanted) && fits(&action.what)).collect();
    if found.len() > 1 {
        let list = found.iter().map(|(_, action)| action.what.as_str()).collect::<Vec<_>>().join(", ");
        return Ok(Err(refusal(
            "ambiguous",
            format!("several actions are pending: {list}"),
            Some("name the player, and a word of the command if they have several".into()),
            "",
        )));
    }
    if let (true, Some(error)) = (found.is_empty(), unknown) {
        return Err(error);
    }
    Ok(found.pop().ok_or_else(|| {
        let whose = wanted.map_or_else(String::new, |player| format!(" of {}", game.player(player).name));
        let help = Some("`referee show pending` lists what is".to_owned());
        refusal("nothing-pending", format!("no action{whose} is pending"), help, "PA-2")
    }))
}

/// What an earlier step of the same action has left.
#[derive(Default)]
struct Known {
    place: Option<usize>,
    random: Value,
    chosen: Value,
    amended: Vec<Amendment>,
    met: Option<i64>,
    sealed: Value,
}

fn play(
    rulebook: &Arc<Rulebook>,
    game: &Game,
    action: &Action,
    request: &Request,
    known: &Known,
    answers: &mut dyn Answers,
) -> Turn {
    let action = &Action { at: request.at, amended: known.amended.clone(), ..action.clone() };
    // The action under way is not pending while it is carried out.
    let mut start = game.clone();
    if let Some(place) = known.place {
        Arc::make_mut(&mut start.pending).remove(place);
    }
    let mut given = Given::default();
    let mut origins = Origins::default();
    for map in [&known.random, &known.chosen] {
        given.add_recorded(map);
        for (key, value) in map.entries() {
            origins.add(&key.to_string(), Origin::Recorded, value.items().len());
        }
    }
    given.extend(&request.given);
    for (key, values) in request.given.all() {
        origins.add(key, Origin::Posted, values.len());
    }
    let commenced = Commenced {
        what: action.what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        amended: known.amended.clone(),
        met: known.met,
        sealed: known.sealed.clone(),
        ..Commenced::default()
    };
    let is_sealed = game.sealed.get("hash").is_some() && game.sealed.get("secret").is_none();
    let mut seal = request.secret.as_ref().filter(|_| is_sealed).map(|secret| Seal::new(secret, game, &commenced));
    let resolve = |given| resolve(rulebook, &start, action, given);
    let (ran, selections, status) = answered(resolve, given, origins, request, seal.as_mut(), answers);
    let sealed = seal.map_or(commenced.sealed.clone(), |seal| seal.to_value());
    let commenced = Commenced { random: ran.random.clone(), chosen: ran.chosen.clone(), sealed, ..commenced };
    if status == Status::Done && rulebook.ruleset.action(&action.name).is_some_and(|rule| rule.looks) {
        let (action, next) = (action.what.clone(), game.clone());
        return Turn { status, action, selections, events: ran.events, changes: Vec::new(), next };
    }
    if status == Status::Done {
        // What was drawn while it waited is in its entry, though the way that it took in the end needs none of it.
        let waited = known.place.map_or(&Value::Null, |_| &known.random);
        let commenced = Commenced { random: with_first(Some(&ran.random), waited), ..commenced };
        return done(rulebook, game, ran, commenced, selections, None);
    }
    let next = keep(rulebook, game, &status, known, &ran.given, &selections, commenced);
    Turn { status, action: action.what.clone(), selections, events: Vec::new(), changes: changes(game, &next), next }
}

/// Runs until every question has its answer, or one is open.
pub(super) fn answered(
    resolve: impl Fn(Given) -> Ran,
    mut given: Given,
    mut origins: Origins,
    request: &Request,
    mut seal: Option<&mut Seal>,
    answers: &mut dyn Answers,
) -> (Ran, Vec<Made>, Status) {
    let ran = loop {
        let ran = resolve(given.clone());
        let Some(Halt::Asks(question)) = &ran.halt else { break ran };
        let declined = || {
            decline(question)
                .filter(|_| request.decline)
                .map(|value| Answer { values: vec![value], origin: Origin::Declined })
        };
        let sealed = seal.as_mut().and_then(|seal| seal.answer(question));
        let sealed = sealed.map(|values| Answer { values, origin: Origin::Drawn });
        let Some(answer) = sealed.or_else(declined).or_else(|| answers.answer(question)) else { break ran };
        let count = answer.values.len();
        let filled = given.answer(question, &ran.selections, answer.values);
        origins.add(&question.key, Origin::Forced, filled);
        origins.add(&question.key, answer.origin, count);
    };
    let selections = origins.name(&ran.selections);
    let status = match &ran.halt {
        None => Status::Done,
        Some(Halt::Asks(question)) => Status::Asks((**question).clone()),
        Some(Halt::Refused(refusal)) => Status::Refused(refusal.clone()),
        Some(Halt::NeedsRuling { ruling, message }) => {
            Status::NeedsRuling { ruling: ruling.clone(), message: message.clone() }
        }
        Some(Halt::Failed(error)) => {
            let help = "the rule file is wrong; `referee rules check` looks at all of them".to_owned();
            Status::Refused(refusal("rule-failed", error.to_string(), Some(help), ""))
        }
        Some(Halt::Ended | Halt::Rewinds(_)) => {
            unreachable!("a run that ended early is done, and one that goes back goes on")
        }
    };
    (ran, selections, status)
}

pub(super) fn done(
    rulebook: &Rulebook,
    game: &Game,
    ran: Ran,
    commenced: Commenced,
    selections: Vec<Made>,
    outcome: Option<Outcome>,
) -> Turn {
    let mut next = ran.game;
    next.sweep();
    let found = changes(game, &next);
    let recorded = as_recorded(&found);
    if !ran.amends.is_empty() {
        // Played again, things come in another order than the file has them in.
        let mut changed = game.clone();
        if changed.do_again(&recorded).is_ok() {
            changed.pending = Arc::clone(&next.pending);
            next = changed;
        }
    }
    for lapsed in ran.lapsed {
        log(&mut next, LogEntry { action: lapsed, outcome: Some(Outcome::Lapsed), ..LogEntry::default() });
    }
    let rulings =
        ran.rulings.iter().map(|(key, value)| (Key::from(key.as_str()), Value::from(value.as_str()))).collect();
    let action = commenced.what.clone();
    let entry = LogEntry {
        id: 0,
        action: commenced,
        changes: recorded,
        ruleset: Some(rulebook.pin_of(game)),
        rulings: Value::Map(rulings),
        amends: ran.amends,
        again: ran.again,
        outcome,
        undone: false,
        after: None,
    };
    log(&mut next, entry);
    Turn { status: Status::Done, action, selections, events: ran.events, changes: found, next }
}

/// The turn of what no rule computes: an entry that declares how `next` differs from the game.
pub(super) fn by_hand(rulebook: &Rulebook, game: &Game, mut next: Game, what: String, request: &Request) -> Turn {
    let found = changes(game, &next);
    let action = Commenced {
        what: what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        ..Commenced::default()
    };
    let entry = LogEntry {
        action,
        changes: as_recorded(&found),
        ruleset: Some(rulebook.pin_of(game)),
        outcome: Some(Outcome::Declared),
        ..LogEntry::default()
    };
    log(&mut next, entry);
    Turn { status: Status::Done, action: what, selections: Vec::new(), events: Vec::new(), changes: found, next }
}

/// Adds an entry to the log under the next id.
pub(super) fn log(game: &mut Game, entry: LogEntry) {
    let id = game.log.last().map_or(1, |last| last.id + 1);
    // What is undone by now can no longer be redone.
    let last = game.log.iter().rposition(|entry| entry.counts());
    let undone = game.log[last.map_or(0, |last| last + 1)..].iter().any(|entry| entry.undone);
    let after = undone.then(|| last.map_or(0, |last| game.log[last].id));
    Arc::make_mut(&mut game.log).push(Arc::new(LogEntry { id, after, ..entry }));
}

/// The game as it was, but for what was drawn, which can never be drawn again (RC-2), and a question left open.
fn keep(
    rulebook: &Rulebook,
    game: &Game,
    status: &Status,
    known: &Known,
    left: &Given,
    selections: &[Made],
    commenced: Commenced,
) -> Game {
    let asks = matches!(status, Status::Asks(_));
    let stuck = matches!(status, Status::Refused(refusal) if refusal.code == "dead-end");
    let drawn = selections.iter().any(|made| made.origin == Origin::Drawn);
    if !(asks || stuck || drawn) {
        return game.clone();
    }
    // What was posted for later steps is kept too: nobody should have to post it again.
    let pending = if asks {
        let mut pending = commenced;
        left.add_left(&mut pending.random, |key| rulebook.ruleset.is_random(key));
        left.add_left(&mut pending.chosen, |key| !rulebook.ruleset.is_random(key));
        pending
    } else {
        // A draw that this way did not need stays a fact of the action.
        let random = with_first(Some(&commenced.random), &known.random);
        Commenced { random, chosen: known.chosen.clone(), ..commenced }
    };
    let mut next = game.clone();
    let list = Arc::make_mut(&mut next.pending);
    match known.place {
        Some(place) => list[place] = pending,
        None => list.push(pending),
    }
    next
}

/// How an optional effect is declined, where the question is about one.
fn decline(question: &Question) -> Option<Value> {
    if question.by == By::Random {
        return None;
    }
    let Options::OneOf(options) = &question.options else { return None };
    let no = match question.what {
        What::YesNo => Value::from("no"),
        What::Number => Value::Int(0),
        _ => Value::from("none"),
    };
    options.contains(&no).then_some(no)
}

/// Where the answers of each key came from, in order.
#[derive(Default)]
pub(super) struct Origins(BTreeMap<String, Vec<Origin>>);

impl Origins {
    pub(super) fn add(&mut self, key: &str, origin: Origin, count: usize) {
        self.0.entry(key.to_owned()).or_default().extend(std::iter::repeat_n(origin, count));
    }

    fn name(mut self, selections: &[Selection]) -> Vec<Made> {
        self.0.values_mut().for_each(|origins| origins.reverse());
        let mut made = Vec::new();
        for selection in selections {
            let mut origin = Origin::Forced;
            if !selection.forced || selection.recorded {
                for _ in 0..selection.value.items().len() {
                    origin = self.0.get_mut(&selection.key).and_then(Vec::pop).unwrap_or(Origin::Forced);
                }
            }
            made.push(Made { selection: selection.clone(), origin });
        }
        made
    }
}
