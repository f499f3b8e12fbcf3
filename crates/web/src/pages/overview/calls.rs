//! The calls with the company's keys, and how near they came to the rate limit.

use contact_hub_domain::overview::{HourlyCalls, Period};
use contact_hub_domain::time::Timestamp;

use super::period::{sums, times};
use crate::pages::charts::{BarChart, Series, Tone};

/// The chart, and the use of the rate limit.
pub(super) struct CallsPart {
    /// The chart.
    pub(super) chart: BarChart,
    /// The highest share of the limit that a user had used at once, in percent; `None` without a limit or a call.
    pub(super) peak: Option<u32>,
}

impl CallsPart {
    /// The calls of a period.
    pub(super) fn new(period: Period, now: Timestamp, calls: &[HourlyCalls]) -> Self {
        let starts = period.starts(now);
        let sums = |figure| sums(period, &starts, calls, |it: &HourlyCalls| it.hour, figure);
        let series = [
            Series { label: "Within the limit", tone: Tone::Good, values: sums(|it| it.admitted) },
            Series { label: "Over the limit", tone: Tone::Bad, values: sums(|it| it.refused) },
        ];
        let chart = BarChart::new("calls", "API calls", times(period, &starts), &series);
        let peak = calls.iter().map(|hour| hour.peak).max().filter(|peak| *peak > 0);
        Self { chart, peak }
    }
}
