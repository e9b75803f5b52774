//! The order of posts: in a game with beacon dice, actions are performed in the order of their rounds, then of their posts.

use jiff::Timestamp;

use super::record::{DrawRecord, PostRecord};
use crate::draws::{BeaconDice, DrawError, Post, TimeOf};
use crate::game::PendingAction;

/// When an action was posted, as far as it decides the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostKey {
    /// The round that the post takes.
    pub round: u64,
    post: TimeOf,
    at_ms: i64,
}

impl PostKey {
    /// Returns whether this post comes before the other. Two posts in one round are compared by the numbers of their
    /// messages; a post without one, by its time.
    pub fn is_before(&self, other: &Self) -> bool {
        let within = match (self.post, other.post) {
            (TimeOf::Message(own), TimeOf::Message(other)) => own < other,
            _ => self.at_ms < other.at_ms,
        };
        self.round < other.round || self.round == other.round && within
    }
}

/// Reads a post and the round that it takes.
///
/// # Errors
/// `bad-link`, `no-time` or `other-time`.
pub fn key_of(dice: &BeaconDice, link: Option<&str>, at: Option<Timestamp>) -> Result<PostKey, DrawError> {
    let post = Post::read(link, at.map(Timestamp::as_millisecond))?;
    if let Some(finding) = post.finding {
        return Err(finding);
    }
    let round = dice.chain.round_for(post.at_ms, dice.delay)?;
    Ok(PostKey { round, post: post.time_of, at_ms: post.at_ms })
}

/// Reads the first post of an action.
///
/// # Errors
/// See [`key_of`].
pub fn first_key(dice: &BeaconDice, action: &PendingAction) -> Result<PostKey, DrawError> {
    key_of(dice, action.link.as_deref(), action.at)
}

/// Reads the last post of an action: the one with which it is performed.
///
/// # Errors
/// See [`key_of`].
pub fn last_key(dice: &BeaconDice, action: &PendingAction) -> Result<PostKey, DrawError> {
    let record = DrawRecord::read(&action.dice).unwrap_or_default();
    let own = |post: &&PostRecord| post.at.is_some() || post.link.is_some();
    match record.posts.last().filter(own) {
        Some(post) => key_of(dice, post.link.as_deref(), post.at),
        None => first_key(dice, action),
    }
}

/// Returns whether the time of a post is the steward's word.
pub fn is_declared(key: &PostKey) -> bool {
    key.post == TimeOf::Declared
}

/// Returns when the post was made, in milliseconds since 1970.
pub fn time_of(key: &PostKey) -> i64 {
    key.at_ms
}
