//! How the number of contacts grew. Its days are those for which the number was recorded, and today.

use contact_hub_domain::overview::{CompanyOverview, ContactDay, Period};
use contact_hub_domain::time::Timestamp;

use super::period::day;
use crate::pages::charts::{LineChart, Series, Times, Tone, grouped};

/// The number of contacts, and its days.
pub(super) struct ContactsPart {
    /// How many there are.
    pub(super) total: String,
    /// How many more or fewer than on the first day of the chart.
    pub(super) change: Option<String>,
    /// The chart; `None` on the first day.
    pub(super) chart: Option<LineChart>,
}

impl ContactsPart {
    /// The contacts of the last 30 days.
    pub(super) fn new(now: Timestamp, found: &CompanyOverview) -> Self {
        let today = Period::Month.starts(now).last().copied().unwrap_or(now);
        let past = found.contact_days.iter().filter(|it| it.day < today).copied();
        let days: Vec<_> =
            past.chain([ContactDay { day: today, active: found.contacts }]).collect();
        let first = days.first().filter(|first| first.day < today);
        let times = Times { head: "Day", labels: days.iter().map(|it| day(it.day)).collect() };
        let series = Series {
            label: "contacts",
            tone: Tone::Calm,
            values: days.iter().map(|it| it.active).collect(),
        };
        Self {
            total: grouped(found.contacts),
            change: first.map(|first| change(first, found.contacts)),
            chart: first.map(|_| LineChart::new("Contacts", times, &series)),
        }
    }
}

fn change(first: &ContactDay, now: u64) -> String {
    let since = day(first.day);
    match (now.checked_sub(first.active), first.active.checked_sub(now)) {
        (Some(0), _) => format!("As many as on {since}"),
        (Some(more), _) => format!("{} more than on {since}", grouped(more)),
        (_, fewer) => format!("{} fewer than on {since}", grouped(fewer.unwrap_or_default())),
    }
}
