//! Timestamps in UTC: stored with microseconds, shown with seconds.

use std::time::Duration;

use time::format_description::well_known::Rfc3339;
use time::macros::{datetime, format_description};
use time::{OffsetDateTime, UtcOffset};

use crate::violations::Problem;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// The length of `2026-11-20T09:30:00.123456+00:00`.
const LONGEST_TEXT: usize = 32;

/// A moment between the years 0001 and 9999, in microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A timestamp as text, with the number of fraction digits that it was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedTimestamp {
    /// The moment.
    pub at: Timestamp,
    /// 0 to 6.
    pub fraction_digits: u8,
}

impl Timestamp {
    /// The earliest moment, 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(micros_of(datetime!(0001-01-01 00:00:00 UTC)));
    /// The latest moment, the last microsecond of the year 9999.
    pub const MAX: Self = Self(micros_of(datetime!(9999-12-31 23:59:59.999_999 UTC)));

    /// Takes microseconds since the epoch; `None` outside the years 0001 to 9999.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros < Self::MIN.0 || micros > Self::MAX.0 { None } else { Some(Self(micros)) }
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The moment of a clock reading, cut to the microsecond.
    #[must_use]
    pub fn from_clock(reading: OffsetDateTime) -> Self {
        Self(micros_of(reading)).clamp(Self::MIN, Self::MAX)
    }

    /// This moment, or the microsecond after `earlier` if this moment is not later.
    #[must_use]
    pub fn after(self, earlier: Self) -> Self {
        Self(self.0.max(earlier.0.saturating_add(1))).clamp(Self::MIN, Self::MAX)
    }

    /// The moment `seconds` later, or the latest one there is.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(MICROS_PER_SECOND)))
            .clamp(Self::MIN, Self::MAX)
    }

    /// The moment after this much time, or the latest one there is.
    #[must_use]
    pub fn plus(self, time: Duration) -> Self {
        let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros)).clamp(Self::MIN, Self::MAX)
    }

    /// The moment this much time earlier, or the earliest one there is.
    #[must_use]
    pub fn minus(self, time: Duration) -> Self {
        let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(micros)).clamp(Self::MIN, Self::MAX)
    }

    /// The beginning of the hour.
    #[must_use]
    pub const fn hour_start(self) -> Self {
        Self(self.0 - self.0.rem_euclid(3600 * MICROS_PER_SECOND))
    }

    /// Whole minutes since the epoch.
    #[must_use]
    pub const fn minute(self) -> i64 {
        self.0.div_euclid(60 * MICROS_PER_SECOND)
    }

    /// The moment as a date and time in UTC.
    #[must_use]
    pub fn date_time(self) -> OffsetDateTime {
        // In range by the type's own invariant.
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// `2026-11-20T09:30:00+00:00`.
    #[must_use]
    pub fn to_seconds_text(self) -> String {
        self.to_text(0)
    }

    /// The moment with `fraction_digits` digits after the second, 0 to 6.
    #[must_use]
    pub fn to_text(self, fraction_digits: u8) -> String {
        let seconds = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
        let mut text = Vec::with_capacity(LONGEST_TEXT);
        // Only a writer that fails or a component that is missing would be an error.
        self.date_time().format_into(&mut text, seconds).ok();
        let mut text = String::from_utf8(text).unwrap_or_default();
        let digits = usize::from(fraction_digits.min(6));
        if digits > 0 {
            let micros = format!("{:06}", self.0.rem_euclid(MICROS_PER_SECOND));
            text.push('.');
            text.extend(micros.chars().take(digits));
        }
        text.push_str("+00:00");
        text
    }

    /// Reads RFC 3339 with an offset, at most six fraction digits, years 0001 to 9999, no leap second.
    pub fn parse(text: &str) -> Result<ParsedTimestamp, Problem> {
        parse_rfc3339(text)
            .ok_or_else(|| Problem::new("must be an RFC 3339 date and time with an offset"))
    }
}

#[expect(clippy::as_conversions, reason = "`From` cannot be called in a const fn")]
const fn micros_of(moment: OffsetDateTime) -> i64 {
    moment.unix_timestamp() * MICROS_PER_SECOND + moment.microsecond() as i64
}

fn parse_rfc3339(text: &str) -> Option<ParsedTimestamp> {
    let bytes = text.as_bytes();
    let separator = bytes.get(10)?;
    let second = bytes.get(17..19)?;
    // RFC 3339, 5.6: "T" in either case. The library would accept more, and would change a leap second.
    if !matches!(separator, b'T' | b't') || second == b"60" {
        return None;
    }
    let fraction = fraction_digits(bytes.get(19..)?);
    let fraction_digits = u8::try_from(fraction).ok().filter(|digits| *digits <= 6)?;
    let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?.checked_to_offset(UtcOffset::UTC)?;
    let at = Timestamp::from_micros(micros_of(moment))?;
    Some(ParsedTimestamp { at, fraction_digits })
}

fn fraction_digits(after_second: &[u8]) -> usize {
    match after_second {
        [b'.', digits @ ..] => digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn formats_utc_with_the_submitted_fraction_digits() {
        for (sent, kept) in [
            ("2026-11-20T09:30:00Z", "2026-11-20T09:30:00+00:00"),
            ("2026-11-20t09:30:00.120+02:00", "2026-11-20T07:30:00.120+00:00"),
            ("0001-01-01T00:00:00.000001z", "0001-01-01T00:00:00.000001+00:00"),
            ("1969-12-31T23:59:59.5-00:00", "1969-12-31T23:59:59.5+00:00"),
        ] {
            let parsed = Timestamp::parse(sent).expect(sent);
            assert_eq!(parsed.at.to_text(parsed.fraction_digits), kept);
        }
    }

    #[test]
    fn rejects_invalid_times_and_times_without_an_offset() {
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T09:30:00",
            "2026-11-20 09:30:00Z",
            "2026-02-30T00:00:00Z",
            "2026-11-20T23:59:60Z",
            "2026-11-20T09:30:00.1234567Z",
            "0000-12-31T23:59:59Z",
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "2026-11-20T09:30:00.Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T09:30Z",
            "é026-11-20T09:30:00Z",
        ] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_hour_begins_at_or_before_each_moment() {
        for (text, hour) in [
            ("2026-11-20T09:59:59.999999Z", "2026-11-20T09:00:00+00:00"),
            ("2026-11-20T09:00:00Z", "2026-11-20T09:00:00+00:00"),
            ("1969-12-31T23:30:00Z", "1969-12-31T23:00:00+00:00"),
            ("0001-01-01T00:59:00Z", "0001-01-01T00:00:00+00:00"),
        ] {
            let parsed = Timestamp::parse(text).expect(text).at;
            assert_eq!(parsed.hour_start().to_seconds_text(), hour);
        }
    }

    #[test]
    fn moves_past_an_earlier_timestamp() {
        let now = Timestamp::from_micros(5).expect("in range");
        assert_eq!(now.after(now).micros(), 6);
        assert_eq!(now.after(Timestamp::from_micros(2).expect("in range")), now);
    }
}
