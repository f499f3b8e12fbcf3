//! The times of a chart.

use crate::time::Timestamp;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// How far back a chart goes, in equal parts. The last part is the current one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Period {
    /// 24 hours.
    #[default]
    Day,
    /// 30 days, in UTC.
    Month,
}

impl Period {
    /// The beginnings of its parts at this moment, the oldest first.
    #[must_use]
    pub fn starts(self, now: Timestamp) -> Vec<Timestamp> {
        let last = beginning(now, self.seconds());
        (0..self.parts()).rev().map(|back| last.plus_seconds(-back * self.seconds())).collect()
    }

    /// The part that a moment is in; `None` if it is in none of these parts.
    #[must_use]
    pub fn place(self, starts: &[Timestamp], at: Timestamp) -> Option<usize> {
        starts.binary_search(&beginning(at, self.seconds())).ok()
    }

    const fn seconds(self) -> i64 {
        match self {
            Self::Day => HOUR,
            Self::Month => DAY,
        }
    }

    const fn parts(self) -> i64 {
        match self {
            Self::Day => 24,
            Self::Month => 30,
        }
    }
}

/// The beginning of the day of a moment, in UTC.
pub(super) fn day(at: Timestamp) -> Timestamp {
    beginning(at, DAY)
}

fn beginning(at: Timestamp, seconds: i64) -> Timestamp {
    let micros = seconds * 1_000_000;
    // The earliest moment is the beginning of a day.
    Timestamp::from_micros(at.micros() - at.micros().rem_euclid(micros)).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::Period;
    use crate::time::Timestamp;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect(text).at
    }

    #[test]
    fn a_period_ends_with_the_current_part() {
        let now = at("2026-11-20T09:30:00Z");
        let hours = Period::Day.starts(now);
        assert_eq!((hours.len(), hours[0]), (24, at("2026-11-19T10:00:00Z")));
        assert_eq!(hours[23], at("2026-11-20T09:00:00Z"));
        let days = Period::Month.starts(now);
        assert_eq!((days.len(), days[0]), (30, at("2026-10-22T00:00:00Z")));
        assert_eq!(days[29], at("2026-11-20T00:00:00Z"));
        assert_eq!(Period::Day.starts(Timestamp::MIN)[23], Timestamp::MIN);
    }

    #[test]
    fn a_timestamp_is_in_at_most_one_part() {
        let now = at("2026-11-20T09:30:00Z");
        let days = Period::Month.starts(now);
        assert_eq!(Period::Month.place(&days, now), Some(29));
        assert_eq!(Period::Month.place(&days, at("2026-11-19T23:59:59Z")), Some(28));
        assert_eq!(Period::Month.place(&days, at("2026-10-21T23:59:59Z")), None);
        assert_eq!(Period::Month.place(&days, at("2026-11-21T00:00:00Z")), None);
    }
}
