//! Answers the random questions of one action, as the game says who throws.

use jiff::Timestamp;

use super::identity::{Identity, count, identity, others};
use super::order::{PostKey, key_of, last_key, time_of};
use super::record::{Draw, DrawRecord, PostRecord};
use super::supply::Supply;
use crate::data::Value;
use crate::draws::{Answer, Beacon, BeaconDice, Bound, DrawError, Source, Thrower};
use crate::game::{Game, PendingAction};
use crate::play::sealed::{Seal, hash_of};
use crate::protocol::{By, Options, Question, Refusal, Selections, Status};
use crate::ruleset::Ruleset;

/// How a random question is answered.
pub enum Reply {
    /// With these values, which were derived.
    Drawn(Vec<Value>),
    /// By whoever else answers: nothing derives draws in this game.
    Ask,
    /// Not now: the question stays open.
    Open,
    /// Not at all: the action is refused.
    Refused(Box<Refusal>),
}

/// What a command gives for the dice of its action.
pub struct Given<'a> {
    /// The selections that came with the command.
    pub selections: &'a Selections,
    /// The secret of sealed dice.
    pub secret: Option<&'a str>,
    /// The rest.
    pub supply: &'a Supply,
}

/// Who answers in this action.
enum Way {
    /// The caller draws.
    Ask,
    /// Everything random is posted.
    Open,
    /// The secret, by scheme 1.
    Older(Box<Seal>),
    /// The secret; `None` if it was not given.
    Sealed { source: Option<Source>, not_before: Option<Timestamp> },
    /// A round of a beacon; `None` if it is not available.
    Beacon { dice: Box<BeaconDice>, key: PostKey, round: Option<Box<Beacon>> },
}

/// Answers the random questions of one action, and records what it drew.
pub struct Drawer {
    way: Way,
    identity: Identity,
    game: String,
    phase: i64,
    at: Option<Timestamp>,
    record: DrawRecord,
    older: Value,
}

impl Drawer {
    /// Prepares the draws of an action. `game` does not have the action among those that are pending; `action` has what an
    /// earlier step recorded.
    ///
    /// # Errors
    /// Refuses posted dice if the game derives its own, a post without a time, a post from before the dice were chosen, an
    /// action posted before another of its kind, and rounds that are wrong or of another post.
    pub fn new(ruleset: &Ruleset, game: &Game, action: &PendingAction, given: &Given) -> Result<Self, Refusal> {
        let dice = Thrower::read(&game.dice).map_err(|wrong| refusal(&wrong.error))?;
        let identity = identity(ruleset, game, &action.what);
        let recorded = DrawRecord::read(&action.dice);
        let mut drawer = Self {
            way: Way::Ask,
            game: game.id.to_string(),
            phase: action.phase,
            at: action.at,
            record: recorded.clone().unwrap_or_default(),
            older: action.sealed.clone(),
            identity,
        };
        let derives = match &dice {
            Thrower::Referee | Thrower::Posted => false,
            Thrower::Sealed(seal) => seal.secret.is_none(),
            Thrower::Beacon(_) => true,
        };
        if given.supply.sample || !derives {
            drawer.way = if dice == Thrower::Posted && !given.supply.draw && !given.supply.sample {
                Way::Open
            } else {
                Way::Ask
            };
            return Ok(drawer);
        }
        refuse_posted(ruleset, given.selections)?;
        if recorded.is_none() && action.sealed.is_empty() {
            drawer.record.nth = count(ruleset, game, &drawer.identity, action.phase);
            drawer.refuse_earlier(ruleset, game)?;
        }
        drawer.way = match dice {
            Thrower::Sealed(seal) => {
                if given.secret.is_some_and(|secret| hash_of(secret) != seal.hash) {
                    let message = "this secret does not match the hash in the file";
                    return Err(Refusal::new("wrong-secret", message).rule("RC-1"));
                }
                match given.secret {
                    Some(secret) if !action.sealed.is_empty() => Way::Older(Box::new(Seal::new(secret, game, action))),
                    secret => {
                        let words = seal.words;
                        let source = secret.map(|secret| Source::Sealed { secret: secret.to_owned(), words });
                        Way::Sealed { source, not_before: seal.words_until }
                    }
                }
            }
            Thrower::Beacon(dice) => drawer.beacon(ruleset, game, action, dice, given.supply)?,
            Thrower::Referee | Thrower::Posted => Way::Ask,
        };
        Ok(drawer)
    }

    /// Finds the round of the last post, if it is available.
    fn beacon(
        &self,
        ruleset: &Ruleset,
        game: &Game,
        action: &PendingAction,
        dice: Box<BeaconDice>,
        supply: &Supply,
    ) -> Result<Way, Refusal> {
        let key = post_key(ruleset, game, &dice, action).map_err(|error| refusal(&error))?;
        if dice.since.is_some_and(|since| time_of(&key) < since.as_millisecond()) {
            let message = "this was posted before the dice of this game were chosen";
            let help = "a post takes no round that could have been known when the dice were chosen; post it again";
            return Err(Refusal::new("before-dice", message).help(help).rule("RC-1"));
        }
        let kept = self.record.posts.last().and_then(|post| Some((post.round?, post.signature.clone())));
        if let Some((round, _)) = kept.as_ref().filter(|(round, _)| *round != key.round) {
            let message = format!("the file has round {round} for this post, which takes round {}", key.round);
            return Err(Refusal::new("another-round", message).rule("RC-1"));
        }
        let chain = &dice.chain;
        let round = match kept.and_then(|(_, signature)| signature) {
            Some(signature) => {
                let answer = Answer::new(key.round, &signature, None).and_then(|answer| answer.verify(chain));
                Some(answer.map_err(|error| refusal(&error))?)
            }
            None => find(supply, &dice, key.round)?,
        };
        Ok(Way::Beacon { dice, key, round: round.map(Box::new) })
    }

    /// Refuses an action that was posted before another of its kind: which comes first decides what each of them draws.
    fn refuse_earlier(&self, ruleset: &Ruleset, game: &Game) -> Result<(), Refusal> {
        let Some(at) = self.at else { return Ok(()) };
        let mut all = others(ruleset, game, &self.identity, self.phase);
        let Some(later) = all.find(|own| own.at.is_some_and(|own| own > at)) else { return Ok(()) };
        let message = format!("`{}` was posted later and is already in the log or pending", later.what);
        let help = "undo or drop it, and enter the actions in the order of their posts; its dice are kept";
        Err(Refusal::new("out-of-order", message).help(help).rule("RC-1"))
    }

    /// Answers a question if it is random.
    pub fn answer(&mut self, question: &Question) -> Reply {
        if question.by != By::Random {
            return Reply::Ask;
        }
        let source = match &mut self.way {
            Way::Ask => return Reply::Ask,
            Way::Open => return Reply::Open,
            Way::Older(seal) => return seal.answer(question).map_or(Reply::Open, Reply::Drawn),
            Way::Sealed { not_before: Some(from), .. } if self.at.is_some_and(|at| at < *from) => {
                let message = format!("players add words until {from}, and nothing is drawn before that");
                return Reply::Refused(Box::new(Refusal::new("too-early", message).rule("RC-1")));
            }
            Way::Sealed { source: None, .. } => return Reply::Open,
            Way::Sealed { source: Some(source), .. } => source.clone(),
            Way::Beacon { key, round, .. } => {
                if self.record.posts.is_empty() {
                    self.record.posts.push(PostRecord::default());
                }
                let post = self.record.posts.last_mut().expect("one was just added");
                post.round = Some(key.round);
                let Some(round) = round else { return Reply::Open };
                post.signature = Some(round.signature());
                round.source()
            }
        };
        self.draw(&source, question).map_or(Reply::Open, Reply::Drawn)
    }

    fn draw(&mut self, source: &Source, question: &Question) -> Option<Vec<Value>> {
        let key = &question.key;
        match &question.options {
            Options::Dice { count, faces } => {
                (0..*count).map(|_| Some(Value::Int(self.next(source, key, u64::from(*faces))?))).collect()
            }
            Options::OneOf(options) => {
                let place = self.next(source, key, options.len() as u64)?;
                Some(vec![options.get(usize::try_from(place - 1).ok()?)?.clone()])
            }
            Options::Whole(least, most) => {
                let of = u64::try_from(most.checked_sub(*least)?.checked_add(1)?).ok()?;
                Some(vec![Value::Int(least + self.next(source, key, of)? - 1)])
            }
            Options::Text => None,
        }
    }

    fn next(&mut self, source: &Source, key: &str, of: u64) -> Option<i64> {
        let post = self.record.posts.len().saturating_sub(1);
        let (game, phase) = (self.game.clone(), self.phase);
        let Identity { kind, player } = self.identity.clone();
        let drawn = self.record.of_key(key);
        let (index, key) = (drawn.len() as u64, key.to_owned());
        let nth = self.record.nth;
        let place = source.place(&Bound { game, phase, player, kind, nth, key: key.clone(), index }, of)?;
        self.record.of_key(&key).push(Draw { place, of, post });
        i64::try_from(place).ok()
    }

    /// Refuses to perform an action before one that was posted earlier.
    ///
    /// # Errors
    /// `out-of-order` in a game with beacon dice: which action comes first would be a choice.
    pub fn refuse_order(&self, ruleset: &Ruleset, game: &Game) -> Result<(), Refusal> {
        let Way::Beacon { dice, key, .. } = &self.way else { return Ok(()) };
        if self.identity.player.is_empty() {
            return Ok(());
        }
        let help = |help: &str| Some(help.to_owned());
        for pending in &*game.pending {
            let waits = DrawRecord::read(&pending.dice).is_some_and(|record| record.waits_for().is_some());
            if waits && last_key(dice, pending).is_ok_and(|own| own.is_before(key)) {
                let message = format!("`{}` was posted earlier and waits for its round", pending.what);
                let help = help("resume it first: actions are performed in the order of their rounds and posts");
                return Err(Refusal { help, ..Refusal::new("out-of-order", message).rule("RC-1") });
            }
        }
        let performed = game.log.iter().rev().take_while(|entry| entry.action.phase >= self.phase);
        for entry in performed.filter(|entry| entry.counts() && entry.outcome.is_none()) {
            let later = last_key(dice, &entry.action).is_ok_and(|own| key.is_before(&own));
            if later && !super::identity::identity(ruleset, game, &entry.action.what).player.is_empty() {
                let message = format!("entry {}, `{}`, was posted later", entry.id, entry.action.what);
                let help = help("undo back to it, and enter the actions in the order of their posts; dice are kept");
                return Err(Refusal { help, ..Refusal::new("out-of-order", message).rule("RC-1") });
            }
        }
        Ok(())
    }

    /// Returns what the file keeps: under scheme 1, and under scheme 2. An action that waits keeps its identity in any case.
    pub fn into_values(self, waits: bool) -> (Value, Value) {
        match self.way {
            Way::Older(seal) => (seal.to_value(), Value::Null),
            Way::Sealed { .. } | Way::Beacon { .. } if waits || self.record.counts() => {
                (self.older, self.record.to_value())
            }
            _ => (self.older, if self.record.counts() { self.record.to_value() } else { Value::Null }),
        }
    }

    /// Adds to an open question which round it waits for, if it waits for one.
    pub fn name_round(&self, status: &mut Status) {
        let (Way::Beacon { dice, key, round: None }, Status::Asks(question)) = (&self.way, status) else { return };
        if question.by == By::Random {
            question.text = format!("{}; {}", question.text, waiting(dice, key.round));
        }
    }
}

/// Returns whether a game derives its draws, so that a draw changed by hand must have a reason.
pub fn derives(game: &Game) -> bool {
    matches!(Thrower::read(&game.dice), Ok(Thrower::Sealed(_) | Thrower::Beacon(_)))
}

/// Says which round is waited for, when it comes and its published address.
pub fn waiting(dice: &BeaconDice, round: u64) -> String {
    let chain = dice.chain.name().unwrap_or("the chain");
    let time = dice.chain.time_of(round).and_then(|at| Timestamp::from_millisecond(at).ok());
    let time = time.map_or_else(String::new, |at| format!(" comes at {at}"));
    let address = dice.chain.address(round).map_or_else(String::new, |at| format!(", {at}"));
    format!("round {round} of {chain}{time}{address}")
}

/// Reads the last post of an action. What is not a player's is posted when the phase ends, so its time is not a choice.
///
/// # Errors
/// `bad-link`, `no-time` or `other-time`.
pub fn post_key(
    ruleset: &Ruleset,
    game: &Game,
    dice: &BeaconDice,
    action: &PendingAction,
) -> Result<PostKey, DrawError> {
    let words = shlex::split(&action.what).unwrap_or_default();
    let of_rules = ruleset.declared.action_of(&words).is_some();
    if action.link.is_none()
        && of_rules
        && identity(ruleset, game, &action.what).player.is_empty()
        && let Some(end) = ruleset.phase_start(game, action.phase + 1)
    {
        return key_of(dice, None, Some(end));
    }
    last_key(dice, action)
}

/// Finds a round among those that a command brings.
fn find(supply: &Supply, dice: &BeaconDice, round: u64) -> Result<Option<Beacon>, Refusal> {
    let mut found = None;
    for answer in &supply.rounds {
        let verified = answer.verify(&dice.chain).map_err(|error| refusal(&error))?;
        found = found.or(Some(verified).filter(|own| own.round() == round));
    }
    if let (None, Some(other)) = (&found, supply.rounds.first()) {
        return other.verify_as(&dice.chain, round).map(Some).map_err(|error| refusal(&error));
    }
    if found.is_some() {
        return Ok(found);
    }
    let kept = match supply.kept.find(&dice.chain, round) {
        // The round could be on a line that cannot be read.
        Ok(None) if !supply.kept.problems().is_empty() => Err(supply.kept.problems().to_vec()),
        kept => kept,
    };
    kept.map_err(|problems| {
        let line = problems.first().map_or(0, |problem| problem.line);
        let error = problems.into_iter().next().map(|problem| problem.error);
        let mut refused = error.as_ref().map_or_else(|| Refusal::new("wrong-signature", ""), refusal);
        refused.message = format!("line {line} of the beacon's answers: {}", refused.message);
        refused
    })
}

/// Refuses random values that came with a command, because this game derives them.
///
/// # Errors
/// `posted-die`.
pub fn refuse_posted(ruleset: &Ruleset, given: &Selections) -> Result<(), Refusal> {
    let posted = given.all().find(|(key, values)| !values.is_empty() && ruleset.declared.is_random(key));
    let Some((key, _)) = posted else { return Ok(()) };
    let message = format!("`{key}` is random, and in this game draws are derived, not posted");
    Err(Refusal::new("posted-die", message).help(format!("leave out `{key}`")).rule("RC-1"))
}

/// Returns the record of an action that is continued with choices posted now, under plain data.
///
/// # Errors
/// `round-first` if the action waits for a round: what was chosen since could depend on it.
pub fn resumed(
    game: &Game,
    pending: &PendingAction,
    chooses: bool,
    at: Option<Timestamp>,
    link: Option<&str>,
) -> Result<Value, Refusal> {
    let Ok(Thrower::Beacon(_)) = Thrower::read(&game.dice) else { return Ok(pending.dice.clone()) };
    let mut record = DrawRecord::read(&pending.dice).unwrap_or_default();
    refuse_choice(&record, &pending.what, chooses)?;
    if chooses {
        if record.posts.is_empty() {
            record.posts.push(PostRecord::default());
        }
        record.posts.push(PostRecord { at, link: link.map(str::to_owned), ..PostRecord::default() });
    }
    Ok(record.to_value())
}

/// Returns the record of an action that repeats one that was dropped or undone: its draws and its posts are kept, and new
/// draws take the round of the new post.
///
/// # Errors
/// `round-first` if the earlier one waits for a round.
pub fn repeated(earlier: &PendingAction, chooses: bool) -> Result<Value, Refusal> {
    let Some(mut record) = DrawRecord::read(&earlier.dice) else { return Ok(earlier.dice.clone()) };
    if record.posts.is_empty() {
        return Ok(earlier.dice.clone());
    }
    refuse_choice(&record, &earlier.what, chooses)?;
    for own in record.posts.iter_mut().filter(|own| own.at.is_none() && own.link.is_none()) {
        (own.at, own.link) = (earlier.at, earlier.link.clone());
    }
    if record.waits_for().is_none() {
        record.posts.push(PostRecord::default());
    }
    Ok(record.to_value())
}

fn refuse_choice(record: &DrawRecord, what: &str, chooses: bool) -> Result<(), Refusal> {
    let Some(round) = record.waits_for().filter(|_| chooses) else { return Ok(()) };
    let message = format!("`{what}` waits for round {round}, and a choice made now could depend on it");
    let help = "give the round alone first; a choice after it takes a later round for what is drawn then";
    Err(Refusal::new("round-first", message).help(help).rule("RC-1"))
}

/// Turns what is wrong with a draw into a refusal.
pub fn refusal(error: &DrawError) -> Refusal {
    let refused = Refusal::new(error.code, error.message.clone()).rule("RC-1");
    Refusal { help: error.help.clone(), ..refused }
}
