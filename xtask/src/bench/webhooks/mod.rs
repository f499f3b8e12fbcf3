//! Webhooks: how many syncs can be requested, how fast what waits is delivered, how soon a receiver hears of a request,
//! and whether one that hangs matters to the others. Everything goes through the service's own interface.

mod receiver;
mod stage;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use self::receiver::Receiver;
use self::stage::Stage;
use super::load::{self, Until};
use super::table::{Mark, Row};
use crate::database::ThrowawayPostgres;
use crate::report;

/// How many syncs clients request at once.
const SYNCS: usize = 2000;

/// How many webhooks what waits is spread over, and how many receivers are healthy beside one that hangs.
const WEBHOOKS: usize = 10;
const HEALTHY: usize = 9;

/// Longer than any measurement takes.
const PATIENCE: Duration = Duration::from_mins(5);

/// How to measure webhooks.
#[derive(clap::Args)]
pub(crate) struct WebhookOptions {
    /// How many deliveries wait before they are sent
    #[arg(long, default_value_t = 20_000)]
    waiting: usize,
    /// How many syncs are requested to measure the time to their receipt
    #[arg(long, default_value_t = 200)]
    samples: usize,
    /// How many clients request syncs at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// Leave SQLite out
    #[arg(long)]
    postgres_only: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

/// Measures everything on both databases.
pub(crate) fn measure(postgres: &ThrowawayPostgres, options: &WebhookOptions) -> Result<Vec<Row>> {
    let receiver = Receiver::start()?;
    let mut rows = Vec::new();
    for part in [soon, waiting, apart] {
        for name in ["PostgreSQL", "SQLite"].into_iter().take(databases(options)) {
            rows.extend(part(postgres, name, &receiver, options)?);
        }
    }
    Ok(rows)
}

const fn databases(options: &WebhookOptions) -> usize {
    if options.postgres_only { 1 } else { 2 }
}

fn stage(postgres: &ThrowawayPostgres, name: &str, part: &str) -> Result<Stage> {
    report::line(&format!("{part} on {name}"));
    if name == "SQLite" {
        return Stage::set(None);
    }
    postgres.sql("postgres", &format!("CREATE DATABASE {part}"))?;
    Stage::set(Some(&postgres.url_of(part)))
}

/// The delivery of what waits. Its webhooks were off when syncs were requested, so that it was skipped; they are switched
/// on for it to be recovered.
fn waiting(
    postgres: &ThrowawayPostgres,
    name: &str,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let stage = stage(postgres, name, "waiting")?;
    stage.webhook(&receiver.url("/on"), true)?;
    let off = (0..WEBHOOKS).map(|_| stage.webhook(&receiver.url("/off"), false));
    let off = off.collect::<Result<Vec<_>>>()?;
    let syncs = options.waiting.div_ceil(WEBHOOKS);
    let requests = stage.requests(syncs)?;
    receiver.forget();
    load::drive(stage.base(), options.clients, Until::Calls(syncs), requests)?;
    receiver.wait_for(syncs, PATIENCE)?;
    let [first, others @ ..] = off.as_slice() else { return Ok(Vec::new()) };
    let single = drain(&stage, receiver, std::slice::from_ref(first), syncs)?;
    let many = drain(&stage, receiver, others, syncs)?;
    let row = |what: &str, measured, unit| Row::alone(format!("{what}, {name}"), measured, unit);
    Ok(vec![
        row("deliveries that waited, 1 webhook", single.per_second, "deliveries/s"),
        row("statements for each of them", single.statements, "statements"),
        row(
            &format!("deliveries that waited, {} webhooks", others.len()),
            many.per_second,
            "deliveries/s",
        ),
        row("statements for each of these", many.statements, "statements"),
    ])
}

struct Drained {
    per_second: f64,
    statements: f64,
}

/// Sets going what was skipped, and waits until all of it is there.
fn drain(stage: &Stage, receiver: &Receiver, webhooks: &[String], each: usize) -> Result<Drained> {
    for webhook in webhooks {
        stage.call("PATCH", &format!("/webhooks/{webhook}"), r#"{"enabled": true}"#)?;
    }
    let (count, succeeded) = (webhooks.len() * each, stage.count("succeeded")?);
    receiver.forget();
    let (before, started) = (stage.statements()?, Instant::now());
    for webhook in webhooks {
        let body = format!(r#"{{"webhook_id": "{webhook}", "since": "2000-01-01T00:00:00Z"}}"#);
        stage.call("POST", "/deliveries/recover", &body)?;
    }
    let arrivals = receiver.wait_for(count, PATIENCE)?;
    let took = arrivals.last().map_or(PATIENCE, |last| last.duration_since(started));
    let count_float = f64::from(u32::try_from(count)?);
    let statements = (stage.statements()? - before) / count_float;
    // The last attempts are recorded a moment after they were made.
    let end = Instant::now() + PATIENCE;
    let all = succeeded + u64::try_from(count)?;
    while stage.count("succeeded")? < all {
        ensure!(Instant::now() < end, "what was delivered is not recorded");
    }
    Ok(Drained { per_second: count_float / took.as_secs_f64(), statements })
}

/// Requests of syncs while their webhook delivers, and the time from one to its receipt when nothing else happens.
fn soon(
    postgres: &ThrowawayPostgres,
    name: &str,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let stage = stage(postgres, name, "soon")?;
    stage.webhook(&receiver.url("/on"), true)?;
    let requests = stage.requests(SYNCS)?;
    receiver.forget();
    let measured = load::drive(stage.base(), options.clients, Until::Calls(SYNCS), requests)?;
    receiver.wait_for(SYNCS, PATIENCE)?;
    let accepted = format!("requests of syncs accepted, {} clients, {name}", options.clients);
    let median = median_ms(&stage, receiver, options.samples, 1)?;
    let what = format!("from a request to its receipt, median, beside 50, {name}");
    let mark = Some(Mark::AtMost(1.0));
    let soon = Row { what, measured: median, beside: 50.0, unit: "ms", mark };
    Ok(vec![Row::alone(accepted, measured.per_second(), "calls/s"), soon])
}

/// The same for nine receivers, with and without a tenth that hangs.
fn apart(
    postgres: &ThrowawayPostgres,
    name: &str,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let stage = stage(postgres, name, "apart")?;
    for _ in 0..HEALTHY {
        stage.webhook(&receiver.url("/on"), true)?;
    }
    let without = median_ms(&stage, receiver, options.samples, HEALTHY)?;
    stage.webhook(&receiver.url("/hang"), true)?;
    let with = median_ms(&stage, receiver, options.samples, HEALTHY)?;
    let what = format!("{HEALTHY} receivers beside one that hangs and without it, median, {name}");
    let mark = Some(Mark::AtMost(2.0));
    Ok(vec![Row { what, measured: with, beside: without, unit: "ms", mark }])
}

/// Requests syncs, each once the one before it was received by all receivers that answer.
fn median_ms(stage: &Stage, receiver: &Receiver, samples: usize, receivers: usize) -> Result<f64> {
    let mut latencies = Vec::with_capacity(samples * receivers);
    for request in stage.requests(samples)? {
        receiver.forget();
        let started = Instant::now();
        load::ask(stage.base(), &request)?;
        let arrivals = receiver.wait_for(receivers, PATIENCE)?;
        latencies.extend(arrivals.iter().map(|arrival| arrival.duration_since(started)));
    }
    latencies.sort_unstable();
    Ok(latencies.get(latencies.len() / 2).map_or(f64::NAN, |median| median.as_secs_f64() * 1e3))
}
