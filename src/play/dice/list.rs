//! Lists the draws of a game, as the independent verifiers read them.

use super::check::Secrets;
use super::identity::identity;
use super::record::{DrawRecord, PostRecord};
use crate::data::{Key, Value};
use crate::draws::Thrower;
use crate::game::{Game, PendingAction};
use crate::ruleset::Ruleset;

/// Returns every draw of scheme 2 in the log and among what is pending, each a map of the keys in `docs/dice.md`, "Check it
/// yourself". `log` has each entry's action with the game as it was before it.
pub(in crate::play) fn draws_of(ruleset: &Ruleset, now: &Game, log: &[(PendingAction, Game)]) -> Vec<Value> {
    let secrets = Secrets::of(now);
    let pending = now.pending.iter().map(|action| (action, now));
    let all = log.iter().map(|(action, then)| (action, then)).chain(pending);
    all.flat_map(|(action, then)| of_action(ruleset, then, action, &secrets)).collect()
}

fn of_action(ruleset: &Ruleset, then: &Game, action: &PendingAction, secrets: &Secrets) -> Vec<Value> {
    let (Ok(dice), Some(record)) = (Thrower::read(&then.dice), DrawRecord::read(&action.dice)) else {
        return Vec::new();
    };
    let own = identity(ruleset, then, &action.what);
    let mut list = Vec::new();
    for (key, draws) in &record.drawn {
        for (index, draw) in (0..).zip(draws) {
            let mut map = Value::Map(Vec::new());
            let mut set = |key: &str, value: Value| map.set(Key::from(key), value);
            match &dice {
                Thrower::Sealed(seal) => {
                    set("by", Value::from("sealed"));
                    if let Some(secret) = secrets.get(&seal.hash) {
                        set("secret", Value::from(secret));
                    }
                    let words = seal.words.iter().map(|(player, word)| (Key::from(player), Value::from(word)));
                    set("words", Value::Map(words.collect()));
                }
                Thrower::Beacon(beacon) => {
                    let Some(post) = record.posts.get(draw.post) else { continue };
                    set("by", Value::from("beacon"));
                    set("chain", then.dice.get("chain").cloned().unwrap_or_else(|| Value::from("quicknet")));
                    set("delay", Value::Int(i64::from(beacon.delay)));
                    set("round", number(post.round.unwrap_or_default()));
                    set("signature", Value::from(post.signature.as_deref().unwrap_or_default()));
                    let (key, value) = posted(ruleset, then, action, post, beacon);
                    set(key, value);
                }
                Thrower::Referee | Thrower::Posted => continue,
            }
            set("game", Value::from(&*then.id));
            set("phase", Value::Int(action.phase));
            set("player", Value::from(own.player.as_str()));
            set("kind", Value::from(own.kind.as_str()));
            set("nth", number(record.nth));
            set("key", Value::from(key.as_str()));
            set("index", number(index));
            set("of", number(draw.of));
            set("place", number(draw.place));
            list.push(map);
        }
    }
    list
}

/// Returns the link of a post whose link has its time, or else the time in milliseconds since 1970.
fn posted(
    ruleset: &Ruleset,
    then: &Game,
    action: &PendingAction,
    post: &PostRecord,
    dice: &crate::draws::BeaconDice,
) -> (&'static str, Value) {
    let own = post.at.is_none() && post.link.is_none();
    let link = if own { action.link.as_deref() } else { post.link.as_deref() };
    let key = if own {
        super::drawer::post_key(ruleset, then, dice, &PendingAction { dice: Value::Null, ..action.clone() })
    } else {
        super::order::key_of(dice, link, post.at)
    };
    match (key, link) {
        (Ok(key), Some(link)) if !super::order::is_declared(&key) => ("link", Value::from(link)),
        (Ok(key), _) => ("post", Value::Int(super::order::time_of(&key))),
        (Err(_), link) => ("link", Value::from(link.unwrap_or_default())),
    }
}

fn number(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
