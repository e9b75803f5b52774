//! The time of a post.

use super::super::{Post, TimeOf};

/// Message 175928847299117063, the one that Discord's own documentation works out: 2016-04-30T11:18:25.796Z.
const MESSAGE: u64 = 175_928_847_299_117_063;
const AT: i64 = 1_462_015_105_796;

fn link(rest: &str) -> String {
    format!("https://discord.com/channels/{rest}")
}

#[test]
fn a_discord_link_carries_its_time() {
    let good = [
        format!("https://discord.com/channels/1/2/{MESSAGE}"),
        format!("https://ptb.discord.com/channels/1/2/{MESSAGE}"),
        format!("https://canary.discord.com/channels/1/2/{MESSAGE}"),
        format!("https://discordapp.com/channels/1/2/{MESSAGE}"),
        format!("https://ptb.discordapp.com/channels/1/2/{MESSAGE}"),
        format!("https://canary.discordapp.com/channels/1/2/{MESSAGE}"),
        format!("http://Discord.com/channels/1/2/{MESSAGE}"),
        format!("https://discord.com/channels/@me/2/{MESSAGE}"),
        format!("https://discord.com/channels/1/2/{MESSAGE}/"),
        format!("https://discord.com/channels/1/2/{MESSAGE}?a=5#b"),
        format!(" https://discord.com/channels/1/2/{MESSAGE}\n"),
    ];
    for link in good {
        let post = Post::read(Some(&link), None).expect("it names a message");
        assert_eq!(post, Post { at_ms: AT, time_of: TimeOf::Message(MESSAGE), finding: None }, "{link}");
    }
}

#[test]
fn the_time_is_the_upper_bits_of_the_number() {
    for (message, at) in [
        (1, 1_420_070_400_000),
        ((1 << 22) - 1, 1_420_070_400_000),
        (1 << 22, 1_420_070_400_001),
        (u64::MAX, 1_420_070_400_000 + (1 << 42) - 1),
    ] {
        let post = Post::read(Some(&link(&format!("1/2/{message}"))), None).expect("it names a message");
        assert_eq!((post.at_ms, post.time_of), (at, TimeOf::Message(message)));
    }
}

#[test]
fn a_discord_link_without_a_message_is_refused() {
    for rest in [
        "",
        "1/2",
        "1/2/",
        "1/2/0",
        "1/2/03",
        "1/2/+3",
        "1/2/3x",
        "1/2/3/4",
        "1/2/18446744073709551616",
        "x/2/3",
        "1/x/3",
        "1/2/\u{663}",
        "1/2 /3",
        "1//3",
    ] {
        let refused = Post::read(Some(&link(rest)), Some(AT)).expect_err("it names no message");
        assert_eq!(refused.code, "bad-link", "{rest}");
    }
    for link in ["https://discord.com", "https://discord.com/invite/abc", "https://discord.com?/channels/1/2/3"] {
        assert_eq!(Post::read(Some(link), Some(AT)).expect_err("it names no message").code, "bad-link", "{link}");
    }
}

#[test]
fn any_other_post_has_its_declared_time_rounded_up() {
    let others = [
        None,
        Some("https://example.org/channels/1/2/175928847299117063"),
        Some("https://discord.com.example.org/channels/1/2/3"),
        Some("https://example.org/https://discord.com/channels/1/2/3"),
        Some("message 5"),
        Some(""),
    ];
    for link in others {
        for (declared, at) in [
            (0, 0),
            (1, 60_000),
            (59_999, 60_000),
            (60_000, 60_000),
            (60_001, 120_000),
            (-1, 0),
            (-60_000, -60_000),
            (-60_001, -60_000),
        ] {
            let post = Post::read(link, Some(declared)).expect("it has a time");
            assert_eq!(post, Post { at_ms: at, time_of: TimeOf::Declared, finding: None }, "{link:?} {declared}");
        }
        assert_eq!(Post::read(link, None).expect_err("it has no time").code, "no-time");
        assert_eq!(Post::read(link, Some(i64::MAX)).expect_err("it has no time").code, "no-time");
        assert!(Post::read(link, Some(i64::MIN)).is_ok());
    }
}

#[test]
fn a_declared_time_that_disagrees_is_a_finding_and_does_not_count() {
    let link = link(&format!("1/2/{MESSAGE}"));
    for (declared, agrees) in [
        (AT, true),
        (AT - 59_999, true),
        (AT + 59_999, true),
        (AT / 60_000 * 60_000, true),
        (AT / 60_000 * 60_000 + 60_000, true),
        (AT - 60_000, false),
        (AT + 60_000, false),
        (0, false),
        (i64::MIN, false),
        (i64::MAX, false),
    ] {
        let post = Post::read(Some(&link), Some(declared)).expect("it names a message");
        assert_eq!((post.at_ms, post.time_of), (AT, TimeOf::Message(MESSAGE)));
        assert_eq!(post.finding.as_ref().map(|finding| finding.code), (!agrees).then_some("other-time"), "{declared}");
    }
}
