//! The period of the charts, which the address has.

use contact_hub_domain::overview::Period;
use contact_hub_domain::time::Timestamp;

use crate::pages::address::Address;
use crate::pages::charts::Times;

/// A link to the charts of a period.
pub(super) struct Choice {
    /// Its text.
    pub(super) label: &'static str,
    /// Where it leads.
    pub(super) href: &'static str,
    /// Whether it is shown.
    pub(super) is_current: bool,
}

/// The period that the query asks for.
pub(super) fn asked(query: &str) -> Period {
    if Address::of(query).get("period") == "month" { Period::Month } else { Period::Day }
}

/// The links to both periods.
pub(super) fn choices(current: Period) -> [Choice; 2] {
    let choice = |period, label, href| Choice { label, href, is_current: period == current };
    [
        choice(Period::Day, "Last 24 hours", "/"),
        choice(Period::Month, "Last 30 days", "/?period=month"),
    ]
}

/// The parts of a period as a chart names them.
pub(super) fn times(period: Period, starts: &[Timestamp]) -> Times {
    match period {
        Period::Day => Times { head: "Hour", labels: starts.iter().copied().map(hour).collect() },
        Period::Month => Times { head: "Day", labels: starts.iter().copied().map(day).collect() },
    }
}

/// The sums of a figure of hours in the parts of a period.
pub(super) fn sums<T>(
    period: Period,
    starts: &[Timestamp],
    hours: &[T],
    start: fn(&T) -> Timestamp,
    figure: fn(&T) -> u64,
) -> Vec<u64> {
    let mut sums = vec![0_u64; starts.len()];
    for hour in hours {
        let place = period.place(starts, start(hour));
        if let Some(sum) = place.and_then(|place| sums.get_mut(place)) {
            *sum = sum.saturating_add(figure(hour));
        }
    }
    sums
}

/// `2026-11-20 (UTC)`.
pub(super) fn day(start: Timestamp) -> String {
    in_utc(start.to_seconds_text().get(..10))
}

/// `09:00 (UTC)`.
fn hour(start: Timestamp) -> String {
    in_utc(start.to_seconds_text().get(11..16))
}

/// Other times on the page are in the visitor's zone.
fn in_utc(text: Option<&str>) -> String {
    format!("{} (UTC)", text.unwrap_or_default())
}
