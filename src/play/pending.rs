//! Pending actions: what an earlier step of an action has left, and the dice that it must reuse (RC-2).

use std::sync::Arc;

use super::dice::drawer::repeated;
use super::identity::identity;
use crate::data::Value;
use crate::engine::Run;
use crate::game::{Amendment, Game, LogEntry, Outcome, PendingAction, PlayerId};
use crate::protocol::{Origin, Refusal, Selections, Status};
use crate::ruleset::{Action, Ruleset, find_player};

/// What an earlier step of the same action has left.
#[derive(Default)]
pub(super) struct PendingState {
    /// Its index among the pending actions of the game.
    pub index: Option<usize>,
    pub random: Value,
    pub chosen: Value,
    pub amended: Vec<Amendment>,
    /// What was given for later steps.
    pub given: Value,
    pub posted: Vec<String>,
    pub seed: Option<u64>,
    /// The entry whose dice it reuses.
    pub reused: Option<i64>,
    /// The draws of that entry, and of those whose dice it reused in turn.
    pub before: Value,
    pub sealed: Value,
    /// What its draws were derived from, and what each gave.
    pub dice: Value,
}

impl PendingState {
    /// Returns what the pending action at an index has.
    pub fn of_pending(game: &Game, index: usize) -> Self {
        let pending = &game.pending[index];
        Self {
            index: Some(index),
            random: pending.random.clone(),
            chosen: pending.chosen.clone(),
            amended: pending.amended.clone(),
            given: pending.given.clone(),
            posted: pending.posted.clone(),
            seed: pending.seed,
            reused: pending.reused,
            before: draws_of(&game.log, pending.reused),
            sealed: pending.sealed.clone(),
            dice: pending.dice.clone(),
        }
    }

    /// Returns what an action begins with that must reuse the dice of an entry; `chooses` if choices are given with it.
    ///
    /// # Errors
    /// `round-first` if the entry waits for a round of a beacon.
    pub fn of_reused(game: &Game, reused: Option<&LogEntry>, chooses: bool) -> Result<Self, Refusal> {
        let Some(entry) = reused else { return Ok(Self::default()) };
        Ok(Self {
            posted: entry.action.posted.clone(),
            seed: entry.action.seed,
            reused: Some(entry.id),
            before: draws_of(&game.log, Some(entry.id)),
            sealed: entry.action.sealed.clone(),
            dice: repeated(&entry.action, chooses)?,
            ..Self::default()
        })
    }

    /// Returns the game without the action as pending: it is not while it is carried out.
    pub fn without_it(&self, game: &Game) -> Game {
        let mut start = game.clone();
        if let Some(index) = self.index {
            Arc::make_mut(&mut start.pending).remove(index);
        }
        start
    }

    /// Returns the selections to continue with: what was drawn and chosen, what waits, and what is given now.
    pub fn selections(&self, now: &Selections) -> Selections {
        let random = with_first(Some(&self.random), &self.before);
        let mut now = now.clone();
        if self.index.is_none() {
            now.drop_repeats(&random);
        }
        let mut given = Selections::default();
        for map in [&random, &self.chosen] {
            given.add_recorded(map);
        }
        given.add_waiting(&self.given, &now);
        given.extend(&now);
        given
    }
}

/// Returns the draws of an entry, and after them those of the entries whose dice it reused and that it did not need.
pub(super) fn draws_of(log: &[Arc<LogEntry>], id: Option<i64>) -> Value {
    let mut all = Value::Null;
    let mut next = id;
    while let Some(entry) = next.and_then(|id| log.iter().rev().find(|own| own.id == id)) {
        all = with_first(Some(&all), &entry.action.random);
        // Only an earlier entry can have been reused.
        next = entry.action.reused.filter(|source_id| *source_id < entry.id);
    }
    all
}

/// Finds the dropped or undone entry whose dice this action must reuse (RC-2): the oldest in this phase of the same action
/// that is neither void nor already reused, wherever it is in the log.
pub(super) fn dice_to_reuse<'a>(ruleset: &Ruleset, game: &'a Game, what: &str) -> Option<&'a LogEntry> {
    let gone = |entry: &&Arc<LogEntry>| {
        let undone = entry.undone && matches!(entry.outcome, None | Some(Outcome::Corrected));
        entry.action.phase == game.phase && (undone || entry.outcome == Some(Outcome::Dropped))
    };
    let mut gone = game.log.iter().filter(gone).peekable();
    gone.peek()?;
    let own = identity(ruleset, &game.log, what);
    let free = |entry: &&Arc<LogEntry>| {
        let id = Some(entry.id);
        let mut source_id =
            game.log.iter().map(|later| later.action.reused).chain(game.pending.iter().map(|own| own.reused));
        let void = || game.log.iter().any(|later| later.voids(entry.id));
        let bound = !entry.action.dice.is_empty() || !draws_of(&game.log, id).is_empty();
        bound
            && identity(ruleset, &game.log, &entry.action.what) == own
            && source_id.all(|source_id| source_id != id)
            && !void()
    };
    gone.find(free).map(Arc::as_ref)
}

pub(super) fn name_after(game: &Game, player: Option<PlayerId>) -> String {
    let name = player.map(|player| game.player(player).name.to_string()).unwrap_or_default();
    if name.is_empty() {
        name
    } else {
        format!(" {}", shlex::try_quote(&name).map_or_else(|_| name.clone(), std::borrow::Cow::into_owned))
    }
}

pub(super) fn read_command(ruleset: &Ruleset, game: &Game, what: &str) -> Option<Action> {
    Action::read(ruleset, game, &shlex::split(what)?).ok()
}

/// Finds the pending action that the words mean, with its index.
///
/// # Errors
/// Refuses a name that is not a player's of this game, and words that fit none or several.
pub(super) fn find_pending(ruleset: &Ruleset, game: &Game, which: &[String]) -> Result<(usize, Action), Refusal> {
    // The first word names a player, or like the others something of the command: a person who joins is not a player yet.
    let wanted = which.first().map(|player| find_player(game, player));
    let named = wanted.as_ref().is_some_and(Result::is_ok);
    let unknown = wanted.as_ref().and_then(|wanted| wanted.as_ref().err()).cloned();
    let (wanted, words) = (wanted.and_then(Result::ok), &which[usize::from(named)..]);
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let fits = |what: &str| words.iter().all(|word| what.to_lowercase().contains(word));
    let open = game
        .pending
        .iter()
        .enumerate()
        .filter_map(|(place, pending)| Some((place, read_command(ruleset, game, &pending.what)?)));
    let mut found: Vec<(usize, Action)> =
        open.filter(|(_, action)| (wanted.is_none() || action.player() == wanted) && fits(&action.what)).collect();
    if found.len() > 1 {
        let list = found.iter().map(|(_, action)| action.what.as_str()).collect::<Vec<_>>().join(", ");
        let help = "name the player, and a word of the command if they have several";
        return Err(Refusal::new("ambiguous", format!("several actions are pending: {list}")).help(help));
    }
    if let (true, Some(error)) = (found.is_empty(), unknown) {
        return Err(error);
    }
    found.pop().ok_or_else(|| {
        let message = match wanted {
            Some(player) => format!("{} has no pending action", game.player(player).name),
            None => "there is no pending action".to_owned(),
        };
        Refusal::new("nothing-pending", message).help("see `referee show pending`").rule("PA-2")
    })
}

/// Returns the game as it was, with what was drawn, which can never be drawn again (RC-2), and a question left open.
pub(super) fn save_pending(
    ruleset: &Ruleset,
    game: &Game,
    known: &PendingState,
    ran: &Run,
    begun: PendingAction,
) -> Game {
    let asks = matches!(ran.status, Status::Asks(_));
    let stuck = matches!(&ran.status, Status::Refused(refusal) if refusal.code == "dead-end");
    let drawn = ran.selections.iter().any(|selection| selection.origin == Origin::Drawn);
    if !(asks || stuck || drawn) {
        return game.clone();
    }
    // A draw that this way did not need stays a fact of the action.
    let random = with_first(Some(&begun.random), &known.random);
    // What was posted for later steps is kept too: it should not have to be posted again.
    let (chosen, given) = if asks {
        (begun.chosen.clone(), ran.given.waiting(|key| ruleset.declared.is_random(key)))
    } else {
        (known.chosen.clone(), known.given.clone())
    };
    let pending = PendingAction { random, chosen, given, ..begun };
    let mut next = game.clone();
    let list = Arc::make_mut(&mut next.pending);
    match known.index {
        Some(index) => list[index] = pending,
        None => list.push(pending),
    }
    next
}

/// Returns what was pending when the entry at this index of the log was made: what it says itself, or what the next entry
/// that says so found, and what was dropped between them, as far as it had been begun by then in the same phase.
pub(super) fn pending_then(log: &[Arc<LogEntry>], place: usize, now: &[PendingAction]) -> Vec<PendingAction> {
    let entry = &log[place];
    let before = |entry: &LogEntry| {
        let [before, _] = entry.changes.get("/pending").map(Value::items)? else { return None };
        Some(before.items().iter().filter_map(PendingAction::read).collect::<Vec<_>>())
    };
    if let Some(mut own) = before(entry) {
        own.retain(|pending| pending.what != entry.action.what);
        return own;
    }
    // An action waits within its phase only.
    let later = &log[place + 1..];
    let later = &later[..later.iter().position(|own| own.action.phase != entry.action.phase).unwrap_or(later.len())];
    let counts = |later: &LogEntry| later.counts() || entry.undone && later.undone;
    let next = later.iter().position(|later| counts(later) && later.changes.get("/pending").is_some());
    let found = next.and_then(|next| before(&later[next])).unwrap_or_else(|| now.to_vec());
    let dropped = later[..next.unwrap_or(later.len())].iter().filter(|later| later.outcome == Some(Outcome::Dropped));
    let then = |pending: &PendingAction| {
        pending.phase == entry.action.phase && pending.at.zip(entry.action.at).is_none_or(|(own, at)| own <= at)
    };
    found.into_iter().chain(dropped.map(|later| later.action.clone())).filter(then).collect()
}

/// Returns what had been drawn for the action of an entry while it was pending, as the entry says it.
pub(super) fn waited(entry: &LogEntry) -> Value {
    let before = entry.changes.get("/pending").and_then(|pair| pair.items().first()).map_or(&[][..], Value::items);
    let own = before.iter().find(|own| own.get("do").and_then(Value::as_text) == Some(&entry.action.what));
    own.and_then(|own| own.get("random")).cloned().unwrap_or_default()
}

/// Returns the selections of an entry since it was last played again, and after them those of its first time that it did
/// not need then: a draw once made is kept (RC-2).
pub(super) fn with_first(since: Option<&Value>, first: &Value) -> Value {
    let known = since.filter(|since| matches!(since, Value::Map(_)));
    let mut all = known.cloned().unwrap_or_else(|| Value::Map(Vec::new()));
    for (key, values) in first.entries() {
        let now = all.get(&key.to_string()).map_or(&[][..], Value::items);
        let rest = values.items().get(now.len()..).unwrap_or_default();
        let mut both: Vec<Value> = now.iter().chain(rest).cloned().collect();
        all.set(key.clone(), if both.len() == 1 { both.remove(0) } else { Value::List(both) });
    }
    all
}
