//! The attempts to deliver events, by their outcome.

use contact_hub_domain::context::WebhookPorts;
use contact_hub_domain::overview::Period;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::activity::{HourlyOutcomes, outcomes};

use super::period::{sums, times};
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::charts::{BarChart, Series, Tone};

/// The chart of a period.
pub(super) async fn chart(
    caller: &PageCaller,
    period: Period,
    now: Timestamp,
) -> Result<BarChart, ApiError> {
    let starts = period.starts(now);
    let first = starts.first().copied().unwrap_or(now);
    // The current hour is included.
    let end = now.plus_seconds(3600);
    let found = outcomes(&caller.context::<WebhookPorts>(), first, end).await?;
    let sums = |figure| sums(period, &starts, &found, |it: &HourlyOutcomes| it.hour, figure);
    let series = [
        Series { label: "Succeeded", tone: Tone::Good, values: sums(|it| it.succeeded) },
        Series { label: "Failed", tone: Tone::Bad, values: sums(|it| it.failed) },
    ];
    Ok(BarChart::new("deliveries", "Delivery attempts", times(period, &starts), &series))
}
