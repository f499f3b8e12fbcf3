//! Very many webhooks of one company whose receiver accepts requests and never answers, and the latencies of another
//! company.

use std::time::Duration;

use anyhow::Result;

use super::receiver::Receiver;
use super::times::hear;
use super::{Place, WebhookOptions};
use crate::bench::load;
use crate::bench::table::{Mark, Row};

/// Deliveries of each webhook, so that more wait than may be in progress.
const EACH: usize = 20;

/// The interval between the healthy company's requests of syncs. The measurement so covers attempts that time out
/// after 15 seconds, and those that follow them.
const INTERVAL: Duration = Duration::from_millis(150);

pub(super) fn measure(
    place: &Place<'_>,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let stage = place.stage("hanging")?;
    let healthy = stage.another()?;
    healthy.webhook(&receiver.url("/on"), true)?;
    hear(&healthy, receiver, (20, 1), Duration::ZERO)?;
    let heard = || hear(&healthy, receiver, (options.samples, 1), INTERVAL);
    let alone = heard()?.receipts;
    for _ in 0..options.hanging {
        stage.company.webhook(&receiver.url("/hang"), true)?;
    }
    for request in stage.company.requests(EACH)? {
        load::ask(stage.base(), &request)?;
    }
    let beside = heard()?.receipts;
    let row = |what: &str, measured, beside, mark| Row {
        what: format!(
            "delivery beside {} webhooks that hang and without them, {what}, {}",
            options.hanging, place.name
        ),
        measured,
        beside,
        unit: "ms",
        mark,
    };
    let twice = Some(Mark::AtMost(2.0));
    Ok(vec![
        row("median", beside.median_ms(), alone.median_ms(), twice),
        row("95 of 100", beside.p95_ms(), alone.p95_ms(), None),
    ])
}
