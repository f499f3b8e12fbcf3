//! The log: lines on standard error, which a separate thread writes.

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use json_subscriber::JsonLayer;
use tokio::time::interval;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::time::SystemTime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry};

use crate::log_fields;
use crate::log_output::LogOutput;

/// The counter of lines that were dropped.
pub(crate) const DROPPED_LINES: &str = "contact_hub_log_lines_dropped_total";

/// How many lines wait for a reader of standard error that pauses: some megabytes.
const WAITING_LINES: usize = 16_384;

/// How long the end of the process waits until the last lines are written.
const WRITTEN_WITHIN: Duration = Duration::from_secs(1);

/// How often dropped lines are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// These targets log malformed requests, dropped connections and malformed answers of authenticators as errors, although
/// clients cause them. They are silent unless the filter names them.
const CAUSED_BY_CLIENTS: [&str; 2] = ["actix_http", "webauthn_rs"];

/// Counts the lines that this process has dropped.
static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// The running log. Dropping it writes the lines that still wait, unless nobody reads them.
#[must_use]
pub struct Logs(Option<WorkerGuard>);

impl Drop for Logs {
    fn drop(&mut self) {
        let guard = self.0.take();
        let (written, all) = channel();
        // The guard reports a failure on standard output, which may have the same reader, so it could wait forever.
        thread::spawn(move || {
            drop(guard);
            written.send(()).ok();
        });
        all.recv_timeout(WRITTEN_WITHIN).ok();
    }
}

/// Logs to standard error: as text on a terminal, as JSON lines otherwise. Nothing waits for a reader that does not read:
/// lines that do not fit into the queue are dropped and counted.
pub fn start(filter: &str) -> Result<Logs> {
    let silent = CAUSED_BY_CLIENTS.into_iter().filter(|target| !filter.contains(target));
    let mut directives = EnvFilter::try_new(filter).context("the filter of the logs is invalid")?;
    for target in silent {
        directives = directives.add_directive(format!("{target}=off").parse()?);
    }
    let queue = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(WAITING_LINES);
    let (lines, guard) = queue.finish(LogOutput::new(stderr()));
    let dropped = lines.error_counter();
    let started = if stderr().is_terminal() {
        tracing_subscriber::fmt().with_env_filter(directives).with_writer(lines).try_init()
    } else {
        tracing_subscriber::registry()
            .with(objects(lines))
            .with(directives)
            .try_init()
            .map_err(Into::into)
    };
    started.map_err(|error| anyhow::anyhow!("logs cannot be started: {error}"))?;
    DROPPED.get_or_init(|| dropped);
    Ok(Logs(Some(guard)))
}

/// A line for each event: a JSON object with the fields of the event and those of its span.
fn objects(lines: NonBlocking) -> JsonLayer<Registry, NonBlocking> {
    let mut objects = JsonLayer::<Registry>::new(lines);
    objects.with_timer("timestamp", SystemTime).with_level("level").with_target("target");
    objects.with_current_span("span");
    objects.add_multiple_dynamic_fields(|event, _spans, members| log_fields::write(event, members));
    objects
}

/// How many lines were dropped.
pub(crate) fn dropped_lines() -> u64 {
    let lines = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    u64::try_from(lines).unwrap_or(u64::MAX)
}

/// Logs how many lines were dropped, once no more are.
pub(crate) async fn watch_dropped_lines() {
    let mut ticks = interval(LOOK_EVERY);
    let (mut seen, mut logged) = (0, 0);
    loop {
        ticks.tick().await;
        let dropped = dropped_lines();
        if dropped == seen && dropped > logged {
            logged = dropped;
            tracing::warn!(dropped, "lines of the log were dropped: their reader was too slow");
        }
        seen = dropped;
    }
}

/// Reads a filter of the logs. One by which nothing would be logged because of a typing error is rejected: a word that is no
/// level is taken for the name of a target.
pub(crate) fn log_filter(filter: &str) -> Result<String, String> {
    for directive in filter.split(',').map(str::trim) {
        let names_target = directive.contains(['=', '[']);
        if !names_target && (directive.is_empty() || directive.parse::<LevelFilter>().is_err()) {
            return Err(format!(
                "\"{directive}\" is not a level; write off, error, warn, info, debug or trace, or target=level"
            ));
        }
    }
    EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    Ok(filter.to_owned())
}
