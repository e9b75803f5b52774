//! Weeks, days and phases in UTC (T-1 to T-3).

use jiff::{Timestamp, ToSpan, tz::TimeZone};

/// Seconds from the start of 1970 to its first Monday, 5 January.
const FIRST_MONDAY: i64 = 4 * DAY;
const DAY: i64 = 24 * 60 * 60;

/// How many phases have begun since the first Monday of 1970; an instant on a boundary belongs to the later.
fn index(calendar: &[(String, i64)], at: Timestamp) -> Option<i64> {
    let week: i64 = calendar.iter().map(|(_, days)| days).sum();
    if week < 1 {
        return None;
    }
    let day = (at.as_second() - FIRST_MONDAY).div_euclid(DAY);
    let mut rest = day.rem_euclid(week);
    let mut within = 0;
    for (_, days) in calendar {
        if rest < *days {
            break;
        }
        rest -= days;
        within += 1;
    }
    Some(day.div_euclid(week) * i64::try_from(calendar.len()).ok()? + within)
}

/// See [`super::Ruleset::phase_at`].
pub(super) fn phase_at(calendar: &[(String, i64)], started: Timestamp, at: Timestamp) -> Option<i64> {
    Some(index(calendar, at)? - index(calendar, started)? + 1)
}

/// See [`super::Ruleset::phase_start`].
pub(super) fn phase_start(calendar: &[(String, i64)], started: Timestamp, phase: i64) -> Option<Timestamp> {
    let count = i64::try_from(calendar.len()).ok().filter(|count| *count > 0)?;
    let wanted = index(calendar, started)?.checked_add(phase)?.checked_sub(1)?;
    let week: i64 = calendar.iter().map(|(_, days)| days).sum();
    let within: i64 = calendar.iter().take(usize::try_from(wanted.rem_euclid(count)).ok()?).map(|(_, days)| days).sum();
    let days = wanted.div_euclid(count).checked_mul(week)?.checked_add(within)?;
    let first = Timestamp::from_second(FIRST_MONDAY).ok()?.to_zoned(TimeZone::UTC);
    let span = days.try_into().ok().filter(|days: &i32| days.abs() < 3_000_000)?;
    Some(first.checked_add(i64::from(span).days()).ok()?.timestamp())
}

/// See [`super::Ruleset::phase_of_week`].
pub(super) fn phase_of_week(calendar: &[(String, i64)], started: Option<Timestamp>, phase: i64) -> Option<usize> {
    let count = i64::try_from(calendar.len()).ok().filter(|count| *count > 0)?;
    let first = started.map_or(Some(count - 1), |started| index(calendar, started))?;
    usize::try_from(first.checked_add(phase)?.checked_sub(1)?.rem_euclid(count)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn phases_are_counted_from_the_one_that_holds_the_start() {
        let calendar = [("I".to_owned(), 4), ("II".to_owned(), 3)];
        let started = time("2024-01-05T00:00:00Z");
        let phase = |at: &str| phase_at(&calendar, started, time(at));
        assert_eq!(phase("2024-01-07T23:59:59Z"), Some(1));
        assert_eq!(phase("2024-01-08T00:00:00Z"), Some(2));
        assert_eq!(phase("2024-01-29T00:00:00Z"), Some(8));
        assert_eq!(phase("2024-02-02T00:00:00Z"), Some(9));
        for number in 1..40 {
            let start = phase_start(&calendar, started, number).unwrap();
            assert_eq!(phase_at(&calendar, started, start), Some(number));
            assert_eq!(phase_at(&calendar, started, start - 1.second()), Some(number - 1));
        }
    }
}
