//! Tables gone through from end to end: every count of a vote, and every hour of three weeks.
//!
//! What is expected is worked out here, from the texts and by hand, with nothing that the program works with.

use std::sync::Arc;

use jiff::Timestamp;
use nomic_referee::data::Value;
use nomic_referee::game::Game;
use nomic_referee::play::{Played, Request, Status, take_turn};
use nomic_referee::ruleset::Ruleset;

use crate::laws::play::refused;
use crate::made_up::checked;
use crate::support::rules_of;

/// The round starts on Friday, 2024-01-05T00:00:00Z, in seconds.
const START: i64 = 19_727 * DAY;
const DAY: i64 = 24 * HOUR;
const HOUR: i64 = 3_600;
/// Three weeks in hours.
const THREE_WEEKS: i64 = 3 * 7 * 24;
const NAMES: [&str; 12] = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea"];
/// Proposals that are voted on side by side in one game.
const SIDE_BY_SIDE: usize = 35;

/// The rules, and the phase of every hour from the start on.
struct Table {
    ruleset: Arc<Ruleset>,
    hours: Vec<(i64, &'static str)>,
}

impl Table {
    fn new() -> Self {
        assert_eq!(written(START), "2024-01-05T00:00:00Z");
        Self { ruleset: rules_of("cycle-15"), hours: walked(8) }
    }

    /// A game at a moment: the first `count` players, each with these fields, and more of the file.
    fn game(&self, at: i64, count: usize, fields: &str, more: &str) -> Game {
        let players: String = NAMES[..count].iter().map(|name| format!("  {name}: {{{fields}}}\n")).collect();
        let text = format!(
            "format: 1\nruleset: cycle-15\nstarted: {}\nphase: {}\nplayers:\n{players}spaces:\n  0: {{}}\n{more}",
            written(START),
            self.phase(at)
        );
        checked(&self.ruleset, &text).unwrap_or_else(|why| panic!("{why}\n{text}"))
    }

    /// The phase that runs at a moment; what lies before the start is met in the first.
    fn phase(&self, at: i64) -> i64 {
        usize::try_from((at - START).div_euclid(HOUR)).map_or(1, |hour| self.hours[hour].0)
    }

    /// When a standard vote ends on what is submitted at a moment: with the phase after the one that runs then (PR-3).
    fn standard_end(&self, at: i64) -> i64 {
        let hours = self.hours.iter().take_while(|(phase, _)| *phase < self.phase(at) + 2).count();
        START + i64::try_from(hours).expect("few") * HOUR
    }

    /// The game in the phase of a moment.
    fn moved_on(&self, game: &Game, at: i64) -> Game {
        let mut game = game.clone();
        game.phase = self.phase(at);
        game
    }

    /// A command posted at a moment, in the phase that the game says.
    fn post(&self, game: &Game, at: i64, words: &str) -> Played {
        let request = Request {
            words: shlex::split(words).expect("words"),
            at: Some(Timestamp::from_second(at).expect("a moment")),
            ..Request::default()
        };
        take_turn(&self.ruleset, game, &request, &mut ()).unwrap_or_else(|error| panic!("{words}: {error:?}"))
    }

    /// The game after a command that must be carried out, in the phase of its moment.
    fn done(&self, game: &Game, at: i64, words: &str) -> Game {
        let turn = self.post(&self.moved_on(game, at), at, words);
        assert_eq!(turn.status, Status::Done, "{words} at {}", written(at));
        turn.next
    }

    /// Demands that a command is refused with this code, in the phase of its moment.
    fn refused(&self, game: &Game, at: i64, words: &str, code: &str) {
        let turn = self.post(&self.moved_on(game, at), at, words);
        assert_eq!(refused(&turn), Some(code), "{words} at {}: {:?}", written(at), turn.status);
    }

    /// The game once all is done that is due up to a moment, its own phase being an earlier one.
    fn ticked(&self, game: &Game, to: i64) -> Game {
        let turn = self.post(game, to, &format!("tick-phase --to {}", written(to)));
        assert_eq!(turn.status, Status::Done, "ticked to {}", written(to));
        assert_eq!(turn.next.phase, self.phase(to), "ticked to {}", written(to));
        turn.next
    }
}

/// The phase and its name in every hour of some weeks from a Friday on: three days are a II, the other four a I (T-1).
fn walked(weeks: usize) -> Vec<(i64, &'static str)> {
    let (mut phase, mut last, mut hours) = (0, "", Vec::new());
    for name in ["II", "II", "II", "I", "I", "I", "I"].into_iter().cycle().take(7 * weeks) {
        phase += i64::from(name != last);
        last = name;
        hours.extend([(phase, name); 24]);
    }
    hours
}

/// A moment as files and commands have it.
fn written(at: i64) -> String {
    Timestamp::from_second(at).expect("a moment").to_string()
}

/// What one finds under some keys, as text; nothing where there is nothing.
fn found<const COUNT: usize>(map: &Value, keys: [&str; COUNT]) -> [String; COUNT] {
    keys.map(|key| map.get(key).map(Value::to_string).unwrap_or_default())
}

/// Counts of votes for, against, for a rewrite and of another kind, 12 together at most: 1,820.
fn counts() -> Vec<[usize; 4]> {
    let all = (0..13_usize.pow(4)).map(|number| [1, 13, 169, 2_197].map(|place| number / place % 13));
    all.filter(|counts| counts.iter().sum::<usize>() <= 12).collect()
}

/// What a vote comes to, unclear votes being among those against (PR-2, PR-3, PR-5).
fn outcome(class: &str, pro: usize, con: usize, again: usize) -> &'static str {
    let total = pro + con + again;
    let (popular, unripe) = match class {
        "urgent" => (con + again < 3, false),
        "second-reading" => (pro > con + again, false),
        _ => (pro + again > con, again * 100 >= total * 30),
    };
    [["failed", "failed"], ["adopted", "tune-up"]][usize::from(popular)][usize::from(unripe)]
}

/// The votes on the proposal at a place: so many for, against and for a rewrite, and so many who react like `fourth`, in
/// turn. Mia is no player, so hers does not count.
fn votes(place: usize, counts: [usize; 4], fourth: &[&str]) -> String {
    let clear = ["for", "against", "rewrite"];
    let cast = clear.into_iter().zip(counts).flat_map(|(vote, count)| std::iter::repeat_n(vote, count));
    let cast = cast.chain(fourth.iter().copied().cycle().skip(place % fourth.len()).take(counts[3]));
    let votes: String = NAMES.iter().zip(cast).map(|(name, vote)| format!("{name}: {vote}, ")).collect();
    format!("{{{votes}Mia: {}}}", clear[place % 3])
}

/// Holds a vote for each of the counts in the three classes; gives how many were adopted, failed and became a Tune Up.
/// Who reacts like `fourth` counts among those against, or with `joins` 2 among those for a rewrite.
fn hold_votes(more: &str, fourth: &[&str], joins: usize) -> [[usize; 3]; 3] {
    let (table, all) = (Table::new(), counts());
    // Submitted on Tuesday of phase 2, two days before the urgent vote ends; phase 3 ends on Monday, the 15th.
    let submitted = START + 4 * DAY + 6 * HOUR;
    let (short, long) = (submitted + 2 * DAY, START + 10 * DAY);
    [("urgent", short, 2), ("standard", long, 4), ("second-reading", long, 4)].map(|(class, end, into)| {
        let mut comes = [0; 3];
        for side_by_side in all.chunks(SIDE_BY_SIDE) {
            let mut file = format!("{more}proposals:\n");
            for (place, counts) in (1..).zip(side_by_side) {
                let (at, votes) = (written(submitted), votes(place, *counts, fourth));
                let fields = format!("author: Ann, title: A, class: {class}, status: open, submitted: {at}");
                file += &format!("  {place}: {{{fields}, votes: {votes}}}\n");
            }
            let game = table.game(end - 1, 12, "", &file);
            assert_eq!(table.ticked(&game, end - 1).proposals, game.proposals, "{class}: counted too early");
            let tick =
                if class == "urgent" { format!("tick-phase --to {}", written(end)) } else { "tick-phase".into() };
            let after = table.post(&game, end, &tick).next;
            let mut adopted = Vec::new();
            for (place, counts) in (1..).zip(side_by_side) {
                let mut counted = [counts[0], counts[1], counts[2]];
                counted[joins] += counts[3];
                let [pro, con, again] = counted;
                let comes_to = outcome(class, pro, con, again);
                let result = format!("{{for: {pro}, against: {con}, rewrite: {again}}}");
                let expected = match comes_to {
                    "tune-up" => ["tune-up", "open", &result, "", "", &into.to_string()].map(str::to_owned),
                    _ => [class, comes_to, &result, &written(end), &into.to_string(), ""].map(str::to_owned),
                };
                let proposal = after.proposals.get(&place.to_string()).expect("it is there");
                let keys = ["class", "status", "result", "closed", "closed-in", "tune-up-since"];
                assert_eq!(found(proposal, keys), expected, "{class}, {counts:?} with {more:?}");
                let column = ["adopted", "failed", "tune-up"].iter().position(|known| *known == comes_to);
                comes[column.expect("one of three")] += 1;
                adopted.extend((comes_to == "adopted").then_some(place));
            }
            let effects = after.state.get("taken-effect").map_or(&[][..], Value::items);
            assert!(
                effects.iter().map(Value::to_string).eq(adopted.iter().map(usize::to_string)),
                "{class}: {effects:?}"
            );
        }
        comes
    })
}

/// Tried on 5,460 votes: 1,820 counts in three classes, unclear votes of every kind among them.
#[test]
fn every_count_of_a_vote_comes_to_what_its_class_says() {
    let unclear = ["[for, against]", "[for, rewrite]", "[against, rewrite]", "[for, against, rewrite]"];
    let comes = hold_votes("", &unclear, 1);
    assert_eq!(comes, [[115, 1_705, 0], [353, 980, 487], [252, 1_568, 0]]);
}

/// Tried on 10,920 votes: the same counts with up to 12 who react with both, and with as many otherwise unclear.
#[test]
fn by_a_ruling_every_vote_for_and_for_a_rewrite_is_for_a_rewrite() {
    let ruling = "rulings: {up-plus-think: rewrite}\n";
    let comes = hold_votes(ruling, &["[for, rewrite]"], 2);
    assert_eq!(comes, [[115, 1_705, 0], [256, 336, 1_228], [252, 1_568, 0]]);
    let comes = hold_votes(ruling, &["[for, against]", "[against, rewrite]", "[for, against, rewrite]"], 1);
    assert_eq!(comes, [[115, 1_705, 0], [353, 980, 487], [252, 1_568, 0]]);
}

/// Tried on 504 hours, the last second of each included.
#[test]
fn every_hour_lies_in_the_phase_of_its_day() {
    let table = Table::new();
    let game = table.game(START, 1, "", "");
    for (hour, (phase, name)) in (0..THREE_WEEKS).zip(&table.hours) {
        for at in [START + hour * HOUR, START + hour * HOUR + HOUR - 1] {
            let moment = Timestamp::from_second(at).expect("a moment");
            assert_eq!(table.ruleset.phase_at(&game, moment), Some(*phase), "{moment}");
        }
        assert_eq!(table.ruleset.phase_name(&game, *phase), *name, "phase {phase}");
    }
}

/// Tried on 672 hours of joining, the week before the start among them, under two readings.
#[test]
fn whoever_joins_is_reputable_from_one_second_on() {
    let table = Table::new();
    for reading in ["both-sides", "after-only"] {
        let more = format!("rulings: {{near-start-window: {reading}}}\n");
        for hour in -7 * 24..THREE_WEEKS {
            let joined = START + hour * HOUR;
            let near = hour <= 72 && (hour >= 0 || reading == "both-sides");
            let since = if near { joined.max(START) } else { joined + 7 * DAY };
            let game = table.game(joined, 1, &format!("joined: {}", written(joined)), &more);
            table.refused(&game, since - 1, "judge candidacy Ann", "not-reputable");
            table.done(&game, since, "judge candidacy Ann");
            // The grants are made by what sees to that moment, and ask for the random garbage (P-6).
            if since > joined.max(START) {
                table.ticked(&game, since - 1);
                let turn = table.post(&game, since, &format!("tick-phase --to {}", written(since)));
                assert!(matches!(&turn.status, Status::Asks(question) if question.key == "garbage"), "{turn:?}");
            }
        }
    }
}

/// Tried on 504 hours of submission in two classes.
#[test]
fn a_vote_is_open_to_the_last_second_before_its_end() {
    let table = Table::new();
    for hour in 0..THREE_WEEKS {
        let at = START + hour * HOUR;
        for (class, end) in [("urgent", at + 48 * HOUR), ("standard", table.standard_end(at))] {
            let game = table.game(at, 2, "", "");
            let open = table.done(&game, at, &format!("proposal submit Ann A --class {class}"));
            assert_eq!(table.ticked(&open, end - 1).proposals, open.proposals, "{class} at {}", written(at));
            table.refused(&open, end, "proposal vote 1 Bob for", "too-late");
            let voted = table.done(&open, end - 1, "proposal vote 1 Bob for");
            let after = table.ticked(&voted, end);
            let closed = found(after.proposals.get("1").expect("it is there"), ["status", "closed"]);
            assert_eq!(closed, ["adopted".to_owned(), written(end)], "{class} at {}", written(at));
        }
    }
}

/// Tried on 504 hours of leaving.
#[test]
fn whoever_leaves_can_come_back_after_seven_days() {
    let table = Table::new();
    let game = table.game(START, 2, "", "");
    for hour in 0..THREE_WEEKS {
        let left = START + hour * HOUR;
        let gone = table.done(&game, left, "leave Ann");
        table.refused(&gone, left + 7 * DAY - 1, "join Ann", "rejoin-too-soon");
        let back = table.done(&gone, left + 7 * DAY, "join Ann");
        assert!(back.player_named("Ann").is_some(), "left at {}", written(left));
    }
}

/// Tried on 504 hours of ruling.
#[test]
fn a_ruling_is_open_to_doubt_for_four_days_and_each_vote_on_it_for_two() {
    let table = Table::new();
    let game = table.game(START, 3, "", "state: {judge: Ann}\n");
    for hour in 0..THREE_WEEKS {
        let at = START + hour * HOUR;
        let asked = table.done(&game, at, "judge request Bob 'Is it so?'");
        let ruled = table.done(&asked, at, "judge rule Ann --request 1 --text 'It is.'");
        table.refused(&ruled, at + 4 * DAY + 1, "judge poll 1 Cid", "too-late");
        let poll = table.done(&ruled, at + 4 * DAY, "judge poll 1 Cid");
        let end = at + 6 * DAY;
        table.refused(&poll, end, "judge vote poll-1 Cid overturn", "too-late");
        assert_eq!(table.ticked(&poll, end - 1).state, poll.state, "ruled at {}", written(at));
        let voted = table.done(&poll, end - 1, "judge vote poll-1 Cid overturn");
        let after = table.ticked(&voted, end);
        let request = after.state.get("requests").and_then(|requests| requests.get("1")).expect("it is there");
        let ended = request.get("polls").map_or(&[][..], Value::items).iter().map(|poll| poll.get("ended"));
        assert!(ended.eq([Some(&Value::from("overturned"))]), "ruled at {}: {request}", written(at));
        // J-5: its maker has a week.
        table.refused(&ruled, at + 7 * DAY + 1, "judge overturn Ann 1", "too-late");
        table.done(&ruled, at + 7 * DAY, "judge overturn Ann 1");
    }
}
