//! A webhook with a very large backlog, because its receiver never answers: the latency of operations on all of it,
//! of lists that show it, and of another company's deliveries meanwhile.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::receiver::Receiver;
use super::stage::Stage;
use super::tenant::Tenant;
use super::times::{ReceiverAnswer, Times, hear};
use super::{Place, WebhookOptions};
use crate::bench::table::{Mark, Row};
use crate::{cargo, process, report};

/// How often all deliveries are switched off, on and recovered, while earlier changes are still being rewritten.
const ROUNDS: usize = 5;

/// How often each list is read.
const READS: usize = 20;

/// The limit for operations on all deliveries of a webhook and for lists of them, in milliseconds.
const MAX_MS: f64 = 100.0;

/// The interval between the other company's requests of syncs.
const INTERVAL: Duration = Duration::from_millis(30);

pub(super) fn measure(
    place: &Place<'_>,
    receiver: &Receiver,
    options: &WebhookOptions,
) -> Result<Vec<Row>> {
    let stage = place.stage("backlog")?;
    let other = stage.another()?;
    other.webhook(&receiver.url("/on"), true)?;
    let heard = || hear(&other, receiver, (options.samples, 1), INTERVAL);
    // The first requests fill the caches.
    hear(&other, receiver, (20, 1), Duration::ZERO)?;
    let alone = heard()?;
    let webhook = stage.company.webhook(&receiver.url("/hang"), true)?;
    fill(&stage, &webhook, options.backlog)?;
    let count = options.backlog.to_string();
    let bench = Bench { stage, webhook, count, name: place.name };
    let mut rows = bench.reads("")?;
    rows.extend(bench.heard("waiting", &heard()?, &alone));
    rows.extend(bench.switch_off(&heard, &alone)?);
    rows.extend(bench.rounds()?);
    rows.extend(bench.delete()?);
    Ok(rows)
}

struct Bench {
    stage: Stage,
    webhook: String,
    count: String,
    name: &'static str,
}

impl Bench {
    fn company(&self) -> &Tenant {
        &self.stage.company
    }

    /// Switches the webhook off for the first time, measures the other company while the rows are rewritten, and
    /// waits until all of them are.
    fn switch_off(
        &self,
        heard: &dyn Fn() -> Result<ReceiverAnswer>,
        alone: &ReceiverAnswer,
    ) -> Result<Vec<Row>> {
        let started = Instant::now();
        let off = Times::of(1, || self.switch(false))?;
        let mut rows = vec![self.within("switched off, nothing else changing", off.slowest_ms())];
        rows.extend(self.reads(" while they are rewritten")?);
        rows.extend(self.heard("being rewritten", &heard()?, alone));
        self.settled()?;
        rows.push(self.took("rewritten after being switched off", started.elapsed()));
        Ok(rows)
    }

    /// Switches it on, recovers everything and switches it off, repeatedly; only the first round starts without
    /// unfinished rewriting.
    fn rounds(&self) -> Result<Vec<Row>> {
        let (mut ons, mut recoveries, mut offs) = (Vec::new(), Vec::new(), Vec::new());
        let body =
            format!(r#"{{"webhook_id": "{}", "since": "2000-01-01T00:00:00Z"}}"#, self.webhook);
        let recover = || self.company().call("POST", "/deliveries/recover", &body).map(drop);
        let timed = |call: &dyn Fn() -> Result<()>| {
            let started = Instant::now();
            call().map(|()| started.elapsed())
        };
        for _ in 0..ROUNDS {
            ons.push(timed(&|| self.switch(true))?);
            recoveries.push(timed(&recover)?);
            offs.push(timed(&|| self.switch(false))?);
        }
        let slowest = |what: &str, times| {
            let what = format!("{what}, slowest of {ROUNDS} in a row");
            self.within(&what, Times::sorted(times).slowest_ms())
        };
        Ok(vec![
            slowest("switched on", ons),
            slowest("recovered", recoveries),
            slowest("switched off", offs),
        ])
    }

    /// Deletes the webhook, and waits until its deliveries are rewritten and their payloads erased.
    fn delete(&self) -> Result<Vec<Row>> {
        let started = Instant::now();
        let path = format!("/webhooks/{}", self.webhook);
        let deleted = Times::of(1, || self.company().call("DELETE", &path, "").map(drop))?;
        self.settled()?;
        Ok(vec![
            self.within("webhook deleted while they are rewritten", deleted.slowest_ms()),
            self.took("rewritten after that, payloads erased", started.elapsed()),
        ])
    }

    fn switch(&self, on: bool) -> Result<()> {
        let path = format!("/webhooks/{}", self.webhook);
        self.company().call("PATCH", &path, &format!(r#"{{"enabled": {on}}}"#)).map(drop)
    }

    fn settled(&self) -> Result<()> {
        helper(&self.stage, &["settled"])
    }

    /// The lists of the company and of its webhook, and the service's metrics.
    fn reads(&self, when: &str) -> Result<Vec<Row>> {
        let webhook = &self.webhook;
        let lists = [
            ("first page", "/deliveries".to_owned()),
            ("those pending", "/deliveries?state=pending".to_owned()),
            ("those skipped", "/deliveries?state=skipped".to_owned()),
            ("those of the webhook", format!("/deliveries?webhook_id={webhook}&state=pending")),
            ("the webhook", format!("/webhooks/{webhook}")),
        ];
        let mut rows = Vec::new();
        for (what, path) in lists {
            let times = Times::of(READS, || self.company().call("GET", &path, "").map(drop))?;
            rows.push(
                self.within(&format!("{what}, slowest of {READS}{when}"), times.slowest_ms()),
            );
        }
        let times = Times::of(READS, || self.company().metrics().map(drop))?;
        rows.push(self.within(&format!("/metrics, slowest of {READS}{when}"), times.slowest_ms()));
        Ok(rows)
    }

    /// The latencies of the other company.
    fn heard(&self, when: &str, beside: &ReceiverAnswer, alone: &ReceiverAnswer) -> Vec<Row> {
        let Self { name, count, .. } = self;
        let row = |what: &str, measured, beside, mark| Row {
            what: format!("another company's {what} beside {count} deliveries {when}, {name}"),
            measured,
            beside,
            unit: "ms",
            mark,
        };
        let twice = Some(Mark::AtMost(2.0));
        let (receipts, answers) = (&beside.receipts, &beside.answers);
        vec![
            row("delivery, median", receipts.median_ms(), alone.receipts.median_ms(), twice),
            row("delivery, 95 of 100", receipts.p95_ms(), alone.receipts.p95_ms(), None),
            row("request of a sync, median", answers.median_ms(), alone.answers.median_ms(), None),
            row("request of a sync, 95 of 100", answers.p95_ms(), alone.answers.p95_ms(), None),
        ]
    }

    fn within(&self, what: &str, measured: f64) -> Row {
        let what = format!("{} deliveries: {what}, beside {MAX_MS}, {}", self.count, self.name);
        Row { what, measured, beside: MAX_MS, unit: "ms", mark: Some(Mark::AtMost(1.0)) }
    }

    fn took(&self, what: &str, time: Duration) -> Row {
        let what = format!("{} deliveries: {what}, {}", self.count, self.name);
        Row::alone(what, time.as_secs_f64(), "s")
    }
}

/// Writes deliveries that wait for a webhook.
pub(super) fn fill(stage: &Stage, webhook: &str, count: u32) -> Result<()> {
    report::line(&format!("writing {count} deliveries"));
    helper(stage, &["fill", "--webhook", webhook, "--count", &count.to_string()])
}

/// A program that writes deliveries directly into the database, and waits until all of them are rewritten.
pub(super) fn helper(stage: &Stage, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(cargo::workspace_root().join("target/release/backlog"));
    process::run(command.args(arguments).args(["--database-url", &stage.database]))
}
