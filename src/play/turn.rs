//! One command that plays, from the request to the next game with its log entry.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::replay::with_first;
use super::sealed::{self, Seal};
use super::{By, Event, Interrupt, Options, Question, Refusal, Run, Selection, Selections, What};
use super::{adjudicate, correct, names, resolve, undo};
use crate::data::{Key, Value};
use crate::game::{Amendment, Change, Game, LogEntry, Outcome, PendingAction, PlayerId, as_recorded, changes};
use crate::ruleset::{Action, ActionError, Ruleset};

/// What somebody posted.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The command in words, such as `["move", "Nyhilo"]`.
    pub words: Vec<String>,
    /// The selections given with it.
    pub given: Selections,
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
    /// Selections with the command.
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
pub trait AnswerSource {
    /// An answer, or `None` to leave the question open.
    fn answer(&mut self, question: &Question) -> Option<Answer>;
}

/// Leaves every question open.
impl AnswerSource for () {
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
pub struct Played {
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

impl Played {
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
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, ActionError> {
    if let Some(refusal) = names::refused(game, request) {
        return Ok(Played::refused(game, request.words.join(" "), refusal));
    }
    Ok(names::checked(game, carry_out(ruleset, game, request, answers)?))
}

fn carry_out(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, ActionError> {
    match request.words.first().map(String::as_str) {
        Some(adjudicate::WORD) => return adjudicate::declare(ruleset, game, request),
        Some(correct::AMEND | correct::VOID) => return correct::correct(ruleset, game, request, answers),
        Some(sealed::REVEAL) => return sealed::reveal(ruleset, game, request),
        Some(undo::UNDO | undo::REDO) => return undo::turn_back(game, &request.words),
        _ => {}
    }
    let action = Action::read(ruleset, game, &request.words)?;
    let waiting = game.pending.iter().find(|pending| pending.what == action.what);
    if let Some(pending) = waiting {
        let message = format!("`{}` has been commenced and waits to be completed", pending.what);
        let help = format!(
            "`referee resume{0}` goes on with it, `referee drop{0}` gives it up",
            name_after(game, action.player())
        );
        return Ok(Played::refused(game, action.what, refusal("move-pending", message, Some(help), "PA-2")));
    }
    let met = draws_to_meet(game, &action);
    let random = met.map_or(Value::Null, |entry| entry.action.random.clone());
    let sealed = met.map_or(Value::Null, |entry| entry.action.sealed.clone());
    let known = PendingState { random, met: met.map(|entry| entry.id), sealed, ..PendingState::default() };
    Ok(play(ruleset, game, &action, request, &known, answers))
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
    ruleset: &Arc<Ruleset>,
    game: &Game,
    which: &[String],
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, ActionError> {
    if let Some(refusal) = names::refused(game, request) {
        return Ok(Played::refused(game, "resume".into(), refusal));
    }
    let (place, action) = match find_pending(ruleset, game, which)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Played::refused(game, "resume".into(), refusal)),
    };
    let pending = &game.pending[place];
    if pending.phase != game.phase {
        let message =
            format!("`{}` was commenced in phase {}, and this is phase {}", pending.what, pending.phase, game.phase);
        let help = Some(
            "an action is performed in the phase in which it was commenced; `referee tick-phase` lets it lapse"
                .to_owned(),
        );
        return Ok(Played::refused(game, action.what, refusal("too-late", message, help, "PA-4")));
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
    let known = PendingState {
        place: Some(place),
        random: pending.random.clone(),
        chosen: pending.chosen.clone(),
        amended: pending.amended.clone(),
        met: pending.met,
        sealed: pending.sealed.clone(),
    };
    Ok(play(ruleset, game, &action, &request, &known, answers))
}

/// Gives up a pending action. What was drawn for it stays bound to the same action in this phase (RC-2).
///
/// # Errors
/// A player who is none of this game's.
pub fn drop_pending(ruleset: &Arc<Ruleset>, game: &Game, which: &[String]) -> Result<Played, ActionError> {
    let (place, action) = match find_pending(ruleset, game, which)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Played::refused(game, "drop".into(), refusal)),
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
                action: PendingAction { chosen: Value::Null, ..given_up },
                outcome: Some(Outcome::Dropped),
                ..LogEntry::default()
            },
        );
        text
    };
    let event = Event { text, rule: "RC-2".into(), rulings: vec![], players: vec![], spaces: vec![], items: vec![] };
    Ok(Played {
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

fn read(ruleset: &Ruleset, game: &Game, what: &str) -> Option<Action> {
    Action::read(ruleset, game, &shlex::split(what)?).ok()
}

fn find_pending(
    ruleset: &Ruleset,
    game: &Game,
    which: &[String],
) -> Result<Result<(usize, Action), Refusal>, ActionError> {
    // The first word names a player, or like the others something of the command: who joins is no player yet.
    let wanted = which.first().map(|player| crate::ruleset::find_player(game, player));
    let named = wanted.as_ref().is_some_and(Result::is_ok);
    let unknown = wanted.as_ref().and_then(|wanted| wanted.as_ref().err()).cloned();
    let (wanted, words) = (wanted.and_then(Result::ok), &which[usize::from(named)..]);
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let fits = |what: &str| words.iter().all(|word| what.to_lowercase().contains(word));
    let open = game
        .pending
        .iter()
        .enumerate()
        .filter_map(|(place, pending)| Some((place, read(ruleset, game, &pending.what)?)));
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
struct PendingState {
    place: Option<usize>,
    random: Value,
    chosen: Value,
    amended: Vec<Amendment>,
    met: Option<i64>,
    sealed: Value,
}

fn play(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    action: &Action,
    request: &Request,
    known: &PendingState,
    answers: &mut dyn AnswerSource,
) -> Played {
    let action = &Action { at: request.at, amended: known.amended.clone(), ..action.clone() };
    // The action under way is not pending while it is carried out.
    let mut start = game.clone();
    if let Some(place) = known.place {
        Arc::make_mut(&mut start.pending).remove(place);
    }
    let mut given = Selections::default();
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
    let commenced = PendingAction {
        what: action.what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        amended: known.amended.clone(),
        met: known.met,
        sealed: known.sealed.clone(),
        ..PendingAction::default()
    };
    let is_sealed = game.sealed.get("hash").is_some() && game.sealed.get("secret").is_none();
    let mut seal = request.secret.as_ref().filter(|_| is_sealed).map(|secret| Seal::new(secret, game, &commenced));
    let resolve = |given| resolve(ruleset, &start, action, given);
    let (ran, selections, status) = answered(resolve, given, origins, request, seal.as_mut(), answers);
    let sealed = seal.map_or(commenced.sealed.clone(), |seal| seal.to_value());
    let commenced = PendingAction { random: ran.random.clone(), chosen: ran.chosen.clone(), sealed, ..commenced };
    if status == Status::Done && ruleset.declared.action(&action.name).is_some_and(|rule| rule.looks) {
        let (action, next) = (action.what.clone(), game.clone());
        return Played { status, action, selections, events: ran.events, changes: Vec::new(), next };
    }
    if status == Status::Done {
        // What was drawn while it waited is in its entry, though the way that it took in the end needs none of it.
        let waited = known.place.map_or(&Value::Null, |_| &known.random);
        let commenced = PendingAction { random: with_first(Some(&ran.random), waited), ..commenced };
        return done(ruleset, game, ran, commenced, selections, None);
    }
    let next = keep(ruleset, game, &status, known, &ran.given, &selections, commenced);
    Played { status, action: action.what.clone(), selections, events: Vec::new(), changes: changes(game, &next), next }
}

/// Runs until every question has its answer, or one is open.
pub(super) fn answered(
    resolve: impl Fn(Selections) -> Run,
    mut given: Selections,
    mut origins: Origins,
    request: &Request,
    mut seal: Option<&mut Seal>,
    answers: &mut dyn AnswerSource,
) -> (Run, Vec<Made>, Status) {
    let ran = loop {
        let ran = resolve(given.clone());
        let Some(Interrupt::Asks(question)) = &ran.halt else { break ran };
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
        Some(Interrupt::Asks(question)) => Status::Asks((**question).clone()),
        Some(Interrupt::Refused(refusal)) => Status::Refused(refusal.clone()),
        Some(Interrupt::NeedsRuling { ruling, message }) => {
            Status::NeedsRuling { ruling: ruling.clone(), message: message.clone() }
        }
        Some(Interrupt::Failed(error)) => {
            let help = "the rule file is wrong; `referee rules check` looks at all of them".to_owned();
            Status::Refused(refusal("rule-failed", error.to_string(), Some(help), ""))
        }
        Some(Interrupt::Ended | Interrupt::Rewinds(_)) => {
            unreachable!("a run that ended early is done, and one that goes back goes on")
        }
    };
    (ran, selections, status)
}

pub(super) fn done(
    ruleset: &Ruleset,
    game: &Game,
    ran: Run,
    commenced: PendingAction,
    selections: Vec<Made>,
    outcome: Option<Outcome>,
) -> Played {
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
        ruleset: Some(ruleset.pin_of(game)),
        rulings: Value::Map(rulings),
        amends: ran.amends,
        again: ran.again,
        outcome,
        undone: false,
        after: None,
    };
    log(&mut next, entry);
    Played { status: Status::Done, action, selections, events: ran.events, changes: found, next }
}

/// The turn of what no rule computes: an entry that declares how `next` differs from the game.
pub(super) fn by_hand(ruleset: &Ruleset, game: &Game, mut next: Game, what: String, request: &Request) -> Played {
    let found = changes(game, &next);
    let action = PendingAction {
        what: what.clone(),
        at: request.at,
        phase: game.phase,
        link: request.link.clone(),
        ..PendingAction::default()
    };
    let entry = LogEntry {
        action,
        changes: as_recorded(&found),
        ruleset: Some(ruleset.pin_of(game)),
        outcome: Some(Outcome::Declared),
        ..LogEntry::default()
    };
    log(&mut next, entry);
    Played { status: Status::Done, action: what, selections: Vec::new(), events: Vec::new(), changes: found, next }
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
    ruleset: &Ruleset,
    game: &Game,
    status: &Status,
    known: &PendingState,
    left: &Selections,
    selections: &[Made],
    commenced: PendingAction,
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
        left.add_left(&mut pending.random, |key| ruleset.declared.is_random(key));
        left.add_left(&mut pending.chosen, |key| !ruleset.declared.is_random(key));
        pending
    } else {
        // A draw that this way did not need stays a fact of the action.
        let random = with_first(Some(&commenced.random), &known.random);
        PendingAction { random, chosen: known.chosen.clone(), ..commenced }
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
