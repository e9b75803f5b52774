//! The time of a post: from the number in its link, or as the steward declares it.

use super::DrawError;

/// The start of 2015 in milliseconds since 1970: Discord counts from it.
const DISCORD_EPOCH: i64 = 1_420_070_400_000;
const MINUTE: i64 = 60_000;
const DISCORD: [&str; 6] = [
    "discord.com",
    "ptb.discord.com",
    "canary.discord.com",
    "discordapp.com",
    "ptb.discordapp.com",
    "canary.discordapp.com",
];

/// When a post was made, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Where the time comes from.
    pub time_of: TimeOf,
    /// `other-time`, if the declared time is a minute or more from that of the link. The link's counts.
    pub finding: Option<DrawError>,
}

/// Where the time of a post comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeOf {
    /// The number of the message in the link, which the chat gave it. Later messages have higher numbers.
    Message(u64),
    /// The steward's word, rounded up to the full minute.
    Declared,
}

impl Post {
    /// Reads the time of a post from its link, or from the declared time (milliseconds since 1970) if the link has none.
    ///
    /// # Errors
    /// `bad-link` for a Discord link that does not name a message: with a declared time in its place the steward could
    /// choose the round. `no-time` if neither gives a time, or the declared one is beyond the end of time.
    pub fn read(link: Option<&str>, declared_ms: Option<i64>) -> Result<Self, DrawError> {
        if let Some(message) = link.map(message_of).transpose()?.flatten() {
            let at_ms = i64::try_from(message >> 22).unwrap_or_default() + DISCORD_EPOCH;
            let finding = declared_ms.filter(|declared| declared.abs_diff(at_ms) >= MINUTE.unsigned_abs());
            let finding = finding.map(|declared| {
                let seconds = declared.abs_diff(at_ms) / 1000;
                let relation = if declared < at_ms { "before" } else { "after" };
                let message = format!("the declared time is {seconds} s {relation} that of the linked message");
                DrawError::new("other-time", message).help("leave `--at` out, or correct the link")
            });
            return Ok(Self { at_ms, time_of: TimeOf::Message(message), finding });
        }
        let rounded = declared_ms.and_then(|at| at.checked_add(MINUTE - 1)).map(|at| at.div_euclid(MINUTE) * MINUTE);
        let Some(at_ms) = rounded else {
            let error = DrawError::new("no-time", "nothing says when this was posted");
            return Err(error.help("give the link of the message, or `--at`"));
        };
        Ok(Self { at_ms, time_of: TimeOf::Declared, finding: None })
    }
}

/// Returns the number of the message that a link names; `None` if the link is not of a chat whose numbers carry a time.
///
/// # Errors
/// `bad-link` for a Discord link that is not `…/channels/SERVER/CHANNEL/MESSAGE`.
fn message_of(link: &str) -> Result<Option<u64>, DrawError> {
    let link = link.trim();
    let Some((_, rest)) = link.split_once("://") else { return Ok(None) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    if !DISCORD.iter().any(|known| known.eq_ignore_ascii_case(host)) {
        return Ok(None);
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_suffix('/').unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    // A direct message has `@me` for a server.
    let found = match parts[..] {
        ["", "channels", server, channel, message] if server == "@me" || number(server).is_some() => {
            number(channel).and(number(message))
        }
        _ => None,
    };
    let bad = || {
        let error = DrawError::new("bad-link", format!("this link does not name a message: {link}"));
        error.help("use \"Copy Message Link\": https://discord.com/channels/SERVER/CHANNEL/MESSAGE")
    };
    found.map(Some).ok_or_else(bad)
}

/// Reads one of Discord's numbers: decimal digits that do not begin with 0.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| *number > 0 && number.to_string() == text)
}
