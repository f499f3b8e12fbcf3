//! Webhooks under normal load: how many syncs can be requested, how fast a backlog is delivered, how soon a receiver
//! gets a request, and whether a hanging receiver affects the others.

use std::time::{Duration, Instant};

use anyhow::{Error, Result, ensure};

use super::backlog::{fill, helper};
use super::receiver::Receiver;
use super::stage::Stage;
use super::times::times_to_receipt;
use super::{PATIENCE, Place, WebhookOptions};
use crate::bench::load::{self, Until};
use crate::bench::table::{Mark, Row};

/// How many syncs clients request at once.
const SYNCS: usize = 2000;

/// The number of webhooks with a backlog: the first is drained alone, then the others together.
const WEBHOOKS: usize = 10;

/// How many requests of syncs should be accepted a second, and how many deliveries a second should go to one webhook and to
/// nine.
const ACCEPTED: f64 = 3000.0;
const DELIVERED_TO_ONE: f64 = 5000.0;
const DELIVERED_TO_NINE: f64 = 8000.0;

/// How long an answer may be held: shorter than an attempt may last.
const HELD_FOR: Duration = Duration::from_secs(13);

/// The number of receivers besides one that hangs.
const HEALTHY: usize = 9;

/// The delivery of a backlog. Its webhooks were off when syncs were requested, so that the deliveries were skipped.
/// Then they are switched on and recovered, while the receiver holds its answers, and are delivered when it gives them.
pub(super) fn waiting(
    place: &Place<'_>,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let name = place.name;
    let stage = place.stage("waiting")?;
    wait_beside(&stage, receiver, options.beside)?;
    let company = &stage.company;
    company.webhook(&receiver.url("/on"), true)?;
    let off = (0..WEBHOOKS).map(|_| company.webhook(&receiver.url("/off"), false));
    let off = off.collect::<Result<Vec<_>>>()?;
    let syncs = options.waiting.div_ceil(WEBHOOKS);
    let requests = company.requests(syncs)?;
    receiver.forget();
    load::drive(stage.base(), options.clients, Until::Calls(syncs), requests)?;
    receiver.wait_for(syncs, PATIENCE)?;
    let [first, others @ ..] = off.as_slice() else { return Ok(Vec::new()) };
    let single = drain(&stage, receiver, std::slice::from_ref(first), syncs)?;
    let many = drain(&stage, receiver, others, syncs)?;
    let row = |what: &str, measured, unit| Row::alone(format!("{what}, {name}"), measured, unit);
    let many = (many, format!("{} webhooks", others.len()), DELIVERED_TO_NINE);
    Ok([(single, "1 webhook".to_owned(), DELIVERED_TO_ONE), many]
        .into_iter()
        .flat_map(|(drained, of, least)| {
            let (recovered, delivered) = (drained.recovered, drained.delivered);
            [
                row(&format!("deliveries recovered, {of}"), recovered, "deliveries/s"),
                Row::at_least(
                    &format!("deliveries that waited, {of}, {name}"),
                    delivered,
                    least,
                    "deliveries/s",
                ),
                row(
                    &format!("statements for each of them, {of}"),
                    drained.statements,
                    "statements",
                ),
            ]
        })
        .collect())
}

/// Fills the database with deliveries of another company that wait for a receiver that never answers.
fn wait_beside(stage: &Stage, receiver: &Receiver, count: u32) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let webhook = stage.another()?.webhook(&receiver.url("/hang"), true)?;
    fill(stage, &webhook, count)
}

struct Drained {
    recovered: f64,
    delivered: f64,
    statements: f64,
}

/// Recovers the skipped deliveries, and waits until all have arrived.
fn drain(stage: &Stage, receiver: &Receiver, webhooks: &[String], each: usize) -> Result<Drained> {
    for webhook in webhooks {
        stage.company.call("PATCH", &format!("/webhooks/{webhook}"), r#"{"enabled": true}"#)?;
    }
    let (count, company) = (webhooks.len() * each, &stage.company);
    let succeeded = company.count("succeeded")?;
    let (started, number) = (Instant::now(), u64::try_from(count)?);
    receiver.hold(true);
    for webhook in webhooks {
        let body = format!(r#"{{"webhook_id": "{webhook}", "since": "2000-01-01T00:00:00Z"}}"#);
        company.call("POST", "/deliveries/recover", &body)?;
    }
    helper(stage, &["settled"])?;
    ensure!(
        started.elapsed() < HELD_FOR,
        "{count} deliveries were not recovered before the first attempts end: measure fewer"
    );
    let per_second = |count: usize, took: Duration| {
        Ok::<_, Error>(f64::from(u32::try_from(count)?) / took.as_secs_f64())
    };
    let recovered = per_second(count, started.elapsed())?;
    receiver.forget();
    let (before, released) = (stage.statements()?, Instant::now());
    receiver.hold(false);
    let arrivals = receiver.wait_for(count, PATIENCE)?;
    let took = arrivals.last().map_or(PATIENCE, |last| last.duration_since(released));
    let statements = (stage.statements()? - before) / f64::from(u32::try_from(count)?);
    // The last attempts are recorded shortly after they end.
    let end = Instant::now() + PATIENCE;
    while company.count("succeeded")? < succeeded + number {
        ensure!(Instant::now() < end, "the deliveries were not recorded in time");
    }
    Ok(Drained { recovered, delivered: per_second(count, took)?, statements })
}

/// Requests of syncs while their webhook delivers, and the time from one to its receipt without other load.
pub(super) fn soon(
    place: &Place<'_>,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let name = place.name;
    let stage = place.stage("soon")?;
    wait_beside(&stage, receiver, options.beside)?;
    let company = &stage.company;
    company.webhook(&receiver.url("/on"), true)?;
    let requests = company.requests(SYNCS)?;
    receiver.forget();
    let measured = load::drive(stage.base(), options.clients, Until::Calls(SYNCS), requests)?;
    receiver.wait_for(SYNCS, PATIENCE)?;
    let accepted = format!("requests of syncs accepted, {} clients, {name}", options.clients);
    let accepted = Row::at_least(&accepted, measured.per_second(), ACCEPTED, "calls/s");
    let median = times_to_receipt(company, receiver, options.samples, 1)?.median_ms();
    let what = format!("from a request to its receipt, median, beside 50, {name}");
    let mark = Some(Mark::AtMost(1.0));
    let soon = Row { what, measured: median, beside: 50.0, unit: "ms", mark };
    Ok(vec![accepted, soon])
}

/// The same for nine receivers, with and without a tenth that hangs.
pub(super) fn apart(
    place: &Place<'_>,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let name = place.name;
    let stage = place.stage("apart")?;
    let company = &stage.company;
    for _ in 0..HEALTHY {
        company.webhook(&receiver.url("/on"), true)?;
    }
    let without = times_to_receipt(company, receiver, options.samples, HEALTHY)?.median_ms();
    company.webhook(&receiver.url("/hang"), true)?;
    let with = times_to_receipt(company, receiver, options.samples, HEALTHY)?.median_ms();
    let what = format!("{HEALTHY} receivers beside one that hangs and without it, median, {name}");
    let mark = Some(Mark::AtMost(2.0));
    Ok(vec![Row { what, measured: with, beside: without, unit: "ms", mark }])
}
