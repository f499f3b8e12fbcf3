//! The span of time that a filter's value covers. A date covers its day in UTC. A value without a fraction covers its
//! second, so that a time copied from an answer finds its row. A value with a fraction is one moment.

use time::Time;

use crate::fields::parse_date;
use crate::time::Timestamp;
use crate::violations::Problem;

const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;

/// The first and last microsecond of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
}

impl Span {
    /// Parses a date, or RFC 3339 with an offset. A space counts as `+`, because an unencoded `+` is decoded to a
    /// space.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        if let Ok(day) = parse_date(text) {
            let midnight = day.with_time(Time::MIDNIGHT).assume_utc();
            return Ok(Self::lasting(Timestamp::from_clock(midnight), DAY));
        }
        let moment = Timestamp::parse(&text.replace(' ', "+")).map_err(|_not_a_moment| {
            Problem::new("must be a date or an RFC 3339 date and time with an offset")
        })?;
        let length = if moment.fraction_digits == 0 { SECOND } else { 1 };
        Ok(Self::lasting(moment.at, length))
    }

    fn lasting(first: Timestamp, micros: i64) -> Self {
        let last = first.micros().saturating_add(micros - 1);
        Self { first, last: Timestamp::from_micros(last).unwrap_or(Timestamp::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::Span;
    use crate::time::Timestamp;

    fn shown(text: &str) -> (String, String) {
        let span = Span::parse(text).expect(text);
        (span.first.to_text(6), span.last.to_text(6))
    }

    #[test]
    fn a_value_covers_the_precision_that_it_omits() {
        for (text, first, last) in [
            ("2024-02-29", "2024-02-29T00:00:00.000000", "2024-02-29T23:59:59.999999"),
            ("9999-12-31", "9999-12-31T00:00:00.000000", "9999-12-31T23:59:59.999999"),
            (
                "2026-11-20T09:30:00+00:00",
                "2026-11-20T09:30:00.000000",
                "2026-11-20T09:30:00.999999",
            ),
            (
                "2026-11-20T09:30:00 02:00",
                "2026-11-20T07:30:00.000000",
                "2026-11-20T07:30:00.999999",
            ),
            ("2026-11-20t09:30:00.25z", "2026-11-20T09:30:00.250000", "2026-11-20T09:30:00.250000"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000000", "1969-12-31T23:59:59.999999"),
        ] {
            let expected = (format!("{first}+00:00"), format!("{last}+00:00"));
            assert_eq!(shown(text), expected, "{text}");
        }
        let last_day = Span::parse("9999-12-31").expect("valid");
        assert_eq!(last_day.last, Timestamp::MAX);
    }

    #[test]
    fn rejects_everything_else() {
        for text in [
            "",
            " ",
            "2026",
            "2026-02-30",
            "2026-11-20 ",
            "2026-11-20 09:30:00Z",
            "2026-11-20T09:30:00",
            "2026-11-20T09:30:00  02:00",
            "1763631000",
            "yesterday",
        ] {
            assert!(Span::parse(text).is_err(), "{text}");
        }
    }
}
