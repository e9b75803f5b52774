//! What a log entry or a pending action keeps of draws under scheme 2.

use jiff::Timestamp;

use crate::data::{Key, Value};

/// The key of an entry under which this is written is `dice`:
///
/// ```yaml
/// dice:
///   nth: 0                                    # the actions of this kind that the player began earlier in the phase
///   posts:
///     - {round: 1000, signature: b446…}       # the entry's own post
///     - {at: …, link: …, round: 1010}         # a post that made a choice; its round is not yet available
///   drawn: {roll: [[3, 4], [1, 4]], garbage: [[7, 98, 2]]}   # place, number of options, and which post if not the first
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawRecord {
    /// How many actions of its kind the player began earlier in the phase.
    pub nth: u64,
    /// The posts whose rounds it takes, the first one first; empty if the dice are sealed.
    pub posts: Vec<PostRecord>,
    /// The draws by their keys, in their order.
    pub drawn: Vec<(String, Vec<Draw>)>,
}

/// A post, and the round that its draws take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostRecord {
    /// When it was posted, UTC; `None` for the entry's own post.
    pub at: Option<Timestamp>,
    /// The posted message; `None` for the entry's own post.
    pub link: Option<String>,
    /// The round, from 1; `None` as long as nothing is drawn for this post.
    pub round: Option<u64>,
    /// The round's signature in hexadecimal, once it is available.
    pub signature: Option<String>,
}

/// One draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The place that was drawn, from 1.
    pub place: u64,
    /// The number of options.
    pub of: u64,
    /// The index of the post whose round it takes, from 0.
    pub post: usize,
}

impl DrawRecord {
    /// Reads what [`Self::to_value`] writes; `None` for anything else, nothing at all included.
    pub fn read(value: &Value) -> Option<Self> {
        let nth = u64::try_from(value.get("nth")?.as_int()?).ok()?;
        let posts = value.get("posts").map_or(&[][..], Value::items).iter().map(PostRecord::read);
        let mut drawn = Vec::new();
        for (key, draws) in value.get("drawn").map_or(&[][..], Value::entries) {
            drawn.push((key.to_string(), draws.items().iter().map(Draw::read).collect::<Option<Vec<_>>>()?));
        }
        Some(Self { nth, posts: posts.collect::<Option<Vec<_>>>()?, drawn })
    }

    /// Returns the record as plain data.
    pub fn to_value(&self) -> Value {
        let mut map = Value::Map(vec![(Key::from("nth"), number(self.nth))]);
        if !self.posts.is_empty() {
            map.set(Key::from("posts"), Value::List(self.posts.iter().map(PostRecord::to_value).collect()));
        }
        if !self.drawn.is_empty() {
            let one = |(key, draws): &(String, Vec<Draw>)| {
                (Key::from(key.as_str()), Value::List(draws.iter().map(|draw| draw.to_value()).collect()))
            };
            map.set(Key::from("drawn"), Value::Map(self.drawn.iter().map(one).collect()));
        }
        map
    }

    /// Returns the draws of a key in their order, to which one can be added.
    pub fn of_key(&mut self, key: &str) -> &mut Vec<Draw> {
        let index = self.drawn.iter().position(|(own, _)| own == key).unwrap_or_else(|| {
            self.drawn.push((key.to_owned(), Vec::new()));
            self.drawn.len() - 1
        });
        &mut self.drawn[index].1
    }

    /// Returns whether anything was drawn, or a round is waited for.
    pub fn counts(&self) -> bool {
        !self.posts.is_empty() || !self.drawn.is_empty()
    }

    /// Returns the round that is waited for.
    pub fn waits_for(&self) -> Option<u64> {
        let last = self.posts.last()?;
        last.round.filter(|_| last.signature.is_none())
    }
}

impl PostRecord {
    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_text).map(str::to_owned);
        let round = match value.get("round") {
            Some(round) => Some(u64::try_from(round.as_int()?).ok()?),
            None => None,
        };
        let at = match text("at") {
            Some(at) => Some(at.parse().ok()?),
            None => None,
        };
        // A signature of digits alone is a number to YAML; it is quoted when it is written.
        Some(Self { at, link: text("link"), round, signature: text("signature") })
    }

    fn to_value(&self) -> Value {
        let mut map = Vec::new();
        if let Some(at) = self.at {
            map.push((Key::from("at"), Value::Text(at.to_string())));
        }
        if let Some(link) = &self.link {
            map.push((Key::from("link"), Value::from(link.as_str())));
        }
        if let Some(round) = self.round {
            map.push((Key::from("round"), number(round)));
        }
        if let Some(signature) = &self.signature {
            map.push((Key::from("signature"), Value::from(signature.as_str())));
        }
        Value::Map(map)
    }
}

impl Draw {
    fn read(value: &Value) -> Option<Self> {
        let number = |place: usize| u64::try_from(value.items().get(place)?.as_int()?).ok();
        let post = match value.items().len() {
            2 => 0,
            3 => usize::try_from(number(2)?.checked_sub(1)?).ok()?,
            _ => return None,
        };
        Some(Self { place: number(0)?, of: number(1)?, post })
    }

    fn to_value(self) -> Value {
        let mut list = vec![number(self.place), number(self.of)];
        if self.post > 0 {
            list.push(number(self.post as u64 + 1));
        }
        Value::List(list)
    }
}

fn number(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
