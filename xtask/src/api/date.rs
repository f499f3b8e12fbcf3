//! A day of the calendar.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Error, Result};

/// A year, a month and a day, which compare like the days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    /// Today, in UTC.
    #[expect(clippy::disallowed_methods, reason = "a task has no Clock port")]
    pub(super) fn today() -> Result<Self> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        Ok(Self::since_epoch(u32::try_from(seconds / 86_400)?))
    }

    /// The day this many days after the first of January 1970.
    fn since_epoch(mut days: u32) -> Self {
        let mut year = 1970;
        while days >= days_of_year(year) {
            days -= days_of_year(year);
            year += 1;
        }
        let mut month = 1;
        while days >= days_of_month(year, month) {
            days -= days_of_month(year, month);
            month += 1;
        }
        Self { year, month, day: days + 1 }
    }

    /// The same day some months later, which a shorter month may not have; it still compares as it should.
    pub(super) const fn months_later(self, months: u32) -> Self {
        let months = self.month - 1 + months;
        Self { year: self.year + months / 12, month: months % 12 + 1, day: self.day }
    }
}

const fn days_of_year(year: u32) -> u32 {
    365 + if is_leap(year) { 1 } else { 0 }
}

const fn days_of_month(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

impl FromStr for Date {
    type Err = Error;

    /// Reads `2027-01-31`.
    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.splitn(3, '-').map(str::parse);
        let mut next = || parts.next()?.ok();
        let parts = next().zip(next()).zip(next());
        let ((year, month), day) = parts.with_context(|| format!("{text:?} is not a day"))?;
        Ok(Self { year, month, day })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_are_counted_like_the_calendar() {
        let cases = [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_818, "2026-12-31"),
            (21_244, "2028-03-01"),
        ];
        for (days, text) in cases {
            assert_eq!(Date::since_epoch(days), text.parse().unwrap(), "{days}");
            assert_eq!(Date::since_epoch(days).to_string(), text);
        }
    }

    #[test]
    fn months_pass_the_end_of_the_year() {
        let day: Date = "2027-11-30".parse().unwrap();
        assert_eq!(day.months_later(6).to_string(), "2028-05-30");
        assert_eq!(day.months_later(12).to_string(), "2028-11-30");
        assert_eq!(day.months_later(1).to_string(), "2027-12-30");
        assert!(
            "2028-02-29".parse::<Date>().unwrap()
                < "2027-11-30".parse::<Date>().unwrap().months_later(3)
        );
    }

    #[test]
    fn other_texts_are_no_day() {
        for text in ["", "2027", "2027-01", "2027-01-xx", "soon"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
