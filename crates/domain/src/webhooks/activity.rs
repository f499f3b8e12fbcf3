//! How many attempts succeeded and failed, hour by hour.
//!
//! An attempt counts in the hour in which it ended, as a success if the receiver accepted the event. Each attempt of a
//! delivery counts by itself. Tests do not count, as they do not affect a webhook's health either. Counts are kept for
//! [`KEPT_FOR`], also after the webhook is deleted.

use std::time::Duration;

use super::{AttemptOutcome, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;
use crate::time::Timestamp;

/// How long the counts of an hour are kept.
pub const KEPT_FOR: Duration = Duration::from_hours(35 * 24);

/// The attempts of an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourlyOutcomes {
    /// The beginning of the hour.
    pub hour: Timestamp,
    /// How many succeeded.
    pub succeeded: u64,
    /// How many failed.
    pub failed: u64,
}

/// The last attempt at a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// The outcome of it.
    pub outcome: AttemptOutcome,
}

/// The attempts at a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookActivity {
    /// The webhook.
    pub webhook: WebhookId,
    /// The last attempt of all that are counted, however old.
    pub last: LastAttempt,
    /// The hours with attempts, the earliest first.
    pub hours: Vec<HourlyOutcomes>,
}

/// The attempts at all webhooks of the company together, for each hour from `from` until before `to` that has some, the
/// earliest first.
pub async fn outcomes(
    cx: &Context<'_, WebhookPorts>,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<HourlyOutcomes>, WebhooksError> {
    Ok(cx.ports.webhooks.outcomes(cx.caller.company.id, from, to).await?)
}

/// The attempts at a webhook in the last 24 hours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyActivity {
    /// How many succeeded and how many failed in each of the last [`HOURS`] hours, the earliest first and the current one
    /// last.
    pub hours: Vec<(u64, u64)>,
    /// The last attempt of all that are counted, however old.
    pub last: Option<LastAttempt>,
}

/// The hours of a day.
pub const HOURS: u32 = 24;

const HOUR: Duration = Duration::from_hours(1);

/// The attempts at each of these webhooks in the last 24 hours, in the order of the webhooks.
pub async fn last_day(
    cx: &Context<'_, WebhookPorts>,
    webhooks: &[WebhookId],
) -> Result<Vec<DailyActivity>, WebhooksError> {
    let from = cx.ports.environment.clock.now().minus(HOUR * (HOURS - 1)).hour_start();
    let company = cx.caller.company.id;
    let found = cx.ports.webhooks.activity(company, webhooks.to_vec(), from).await?;
    let of_webhook = |id: &WebhookId| found.iter().find(|it| it.webhook == *id);
    Ok(webhooks.iter().map(|id| daily(from, of_webhook(id))).collect())
}

fn daily(from: Timestamp, activity: Option<&WebhookActivity>) -> DailyActivity {
    let hours = activity.map(|it| it.hours.as_slice()).unwrap_or_default();
    let outcomes = |place: u32| {
        let hour = from.plus(HOUR * place);
        let found = hours.iter().find(|it| it.hour == hour);
        found.map_or((0, 0), |it| (it.succeeded, it.failed))
    };
    DailyActivity {
        hours: (0..HOURS).map(outcomes).collect(),
        last: activity.map(|activity| activity.last),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{HOUR, HourlyOutcomes, LastAttempt, WebhookActivity, daily};
    use crate::ids::WebhookId;
    use crate::time::Timestamp;
    use crate::webhooks::AttemptOutcome;

    #[test]
    fn a_day_has_24_hours_with_or_without_attempts() {
        let from = Timestamp::from_micros(0).expect("in range");
        let at = |hours: u32| from.plus(HOUR * hours);
        let last = LastAttempt { at: at(23), outcome: AttemptOutcome::Answered(200) };
        let hour = |hours, succeeded, failed| HourlyOutcomes { hour: at(hours), succeeded, failed };
        let webhook = WebhookId::new(Uuid::from_u128(1));
        let hours = vec![hour(0, 1, 2), hour(23, 3, 4)];
        let day = daily(from, Some(&WebhookActivity { webhook, last, hours }));
        assert_eq!(
            (day.hours.len(), day.hours[0], day.hours[1], day.hours[23]),
            (24, (1, 2), (0, 0), (3, 4))
        );
        assert_eq!(day.last, Some(last));
        assert_eq!(daily(from, None).hours, vec![(0, 0); 24]);
    }
}
