//! The background tasks of a running service.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub_domain::access::{
    CHALLENGE_SECONDS, GiveBack, record_failed_sign_ins, record_key_uses,
};
use contact_hub_domain::alerts::Mailer;
use contact_hub_domain::contacts::erase_overdue;
use contact_hub_domain::context::{AccessPorts, ErasurePorts, OverviewPorts, Ports};
use contact_hub_domain::idempotency::KEPT_FOR;
use contact_hub_domain::overview::{self, record_calls, record_contact_days};
use contact_hub_domain::ports::{Clock, StoreError};
use contact_hub_domain::webhooks::activity;
use contact_hub_sender::{
    AlertPorts, Alerting, Announcing, Heartbeat, QueueMetrics, Retention, Settling, Worker,
    WorkerOptions, WorkerPorts, WorkerSignal,
};
use contact_hub_storage::{
    Checkpoints, DatabaseClock, DeferredWrites, Expiry, Statistics, Storage, ValueIndexing,
    WriteAheadLog,
};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::task::JoinHandle;
use tokio::time::{interval, sleep, timeout};

use crate::backup::schedule::Schedule;
use crate::figures::{add_durations, watch_emails, watch_sizes};
use crate::logs::watch_dropped_lines;
use crate::settings::ServeSettings;
use crate::wire::Outbound;

/// How often the uses of keys and failed sign-ins are recorded.
const KEY_USES_EVERY: Duration = Duration::from_secs(1);

/// How often the counts of calls are recorded.
const CALLS_EVERY: Duration = Duration::from_mins(1);

/// How often the database's clock is read. Between readings a local timer is used, so this only corrects its drift.
const CLOCK_EVERY: Duration = Duration::from_secs(5);

/// How often the size of SQLite's write-ahead log is checked. A log is quiet if it was not written to for this long.
const LOG_EVERY: Duration = Duration::from_secs(5);

/// How often the service looks for tables of PostgreSQL that have grown much.
const STATISTICS_EVERY: Duration = Duration::from_secs(5);

/// How long after a failure the service looks for them again, for example after a timeout on a large table on a slow
/// disk.
const STATISTICS_AFTER_FAILURE: Duration = Duration::from_mins(10);

/// How long deferred writes are collected: several bulks in a row then write a count once.
const DEFERRED_FOR: Duration = Duration::from_millis(200);

/// How often deferred writes that this process does not know of are done, such as those of an instance that died.
const DEFERRED_EVERY: Duration = Duration::from_secs(30);

/// How often old entries of the change feed and the audit are deleted, and contacts that were deleted long ago erased.
const HOUSE_EVERY: Duration = Duration::from_hours(1);

/// How often the service looks for values that an instance that died has not indexed.
const INDEX_EVERY: Duration = Duration::from_secs(15);

/// How long housekeeping waits after the start, so that it does not compete with the first requests for connections.
const HOUSE_AFTER: Duration = Duration::from_millis(250);

/// How often the kept answers that have expired are deleted.
const ANSWERS_EVERY: Duration = Duration::from_mins(5);

/// How often unused quota is given back to other instances.
const QUOTA_EVERY: Duration = Duration::from_secs(1);

/// The running tasks.
pub(crate) struct Background {
    /// Follows the database's clock.
    clock: Option<JoinHandle<()>>,
    /// Tasks that may end at any moment.
    upkeep: Vec<JoinHandle<()>>,
    /// Ends a backup that is in progress, so that it deletes what is incomplete.
    stops_backup: Option<Arc<AtomicBool>>,
    worker: Worker,
    alerting: Alerting,
    announcing: Announcing,
    settling: Settling,
    retention: Retention,
    queue_metrics: QueueMetrics,
}

/// The dependencies of the tasks.
pub(crate) struct Given {
    pub(crate) outbound: Outbound,
    pub(crate) heartbeat: Arc<Heartbeat>,
    /// Follows the database's clock.
    pub(crate) clock: Option<JoinHandle<()>>,
    /// The process's metrics.
    pub(crate) metrics: PrometheusHandle,
    /// Measures whether the service is ready.
    pub(crate) readiness: JoinHandle<()>,
    /// Makes backups.
    pub(crate) backups: Option<Schedule>,
}

impl Background {
    /// Starts the tasks, except those in `given`, which already run.
    pub(crate) fn start(
        ports: &Ports,
        storage: &Storage,
        settings: &ServeSettings,
        given: Given,
    ) -> Self {
        let Given { outbound, heartbeat, clock, metrics, readiness, backups } = given;
        let work = WorkerPorts {
            queue: Arc::clone(&ports.deliveries),
            sender: Arc::clone(&ports.webhooks.sender),
            clock: Arc::clone(&ports.environment.clock),
            ids: Arc::clone(&ports.environment.ids),
            randomness: Arc::clone(&ports.environment.randomness),
        };
        let signal = outbound.signal;
        let webhooks = &settings.webhooks;
        let options =
            WorkerOptions { concurrency: webhooks.concurrency, schedule: webhooks.schedule() };
        let (queue, now) = (Arc::clone(&ports.deliveries), Arc::clone(&ports.environment.clock));
        let mut upkeep = upkeep(ports, storage, settings, &signal);
        let stops_backup = backups.as_ref().map(|backups| Arc::clone(&backups.cancelled));
        upkeep.extend(backups.map(|backups| spawn(backups.run())));
        upkeep.push(readiness);
        upkeep.push(spawn(add_durations(metrics)));
        Self {
            clock,
            upkeep,
            stops_backup,
            alerting: alerting(ports, outbound.mailer, &signal, settings),
            announcing: Announcing::start(work.clone(), Arc::clone(&signal)),
            settling: Settling::start(Arc::clone(&queue), Arc::clone(&signal)),
            worker: Worker::start(work, options, signal, heartbeat),
            queue_metrics: QueueMetrics::start(Arc::clone(&queue), Arc::clone(&now)),
            retention: Retention::start(queue, now, webhooks.retention()),
        }
    }

    /// Ends the tasks. Deliveries in progress are finished.
    pub(crate) async fn stop(self) {
        for task in self.upkeep {
            task.abort();
        }
        if let Some(stops_backup) = self.stops_backup {
            stops_backup.store(true, Ordering::Relaxed);
        }
        drop((self.announcing, self.settling, self.retention, self.queue_metrics));
        tokio::join!(self.worker.stop(), self.alerting.stop());
        if let Some(clock) = self.clock {
            clock.abort();
        }
    }
}

/// Starts a task. The code that runs tasks does not depend on their types, so it is compiled once, and not once for
/// each task.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    let task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(task);
    tokio::spawn(task)
}

/// Starts the tasks that may end at any moment.
fn upkeep(
    ports: &Ports,
    storage: &Storage,
    settings: &ServeSettings,
    signal: &Arc<WorkerSignal>,
) -> Vec<JoinHandle<()>> {
    let now = Arc::clone(&ports.environment.clock);
    let mut upkeep = vec![
        spawn(record_uses(ports.access.clone())),
        spawn(give_back_quota(ports.access.clone())),
        spawn(record_call_counts(ports.overview.clone())),
        spawn(after_start(keep_figures(storage.expiry(), ports.overview.clone()))),
        spawn(do_deferred(storage.deferred_writes())),
        spawn(after_start(keep_house(
            storage.expiry(),
            Arc::clone(&now),
            settings.changes_retention(),
            settings.audit_retention(),
        ))),
        spawn(after_start(erase_old_contacts(ports.erasures.clone()))),
        spawn(after_start(delete_answers(storage.expiry(), Arc::clone(&now)))),
        spawn(after_start(index_values(storage.value_indexing()))),
        spawn(watch_dropped_lines()),
        spawn(note_writes(storage.clone(), Arc::clone(signal))),
        spawn(after_start(watch_sizes(storage.clone()))),
        spawn(after_start(watch_emails(
            Arc::clone(&ports.mails),
            now,
            settings.mail.alert_collect,
        ))),
    ];
    upkeep.extend(storage.checkpoints().map(|it| spawn(copy_log(it))));
    upkeep.extend(storage.write_ahead_log().map(|log| spawn(keep_small(log))));
    upkeep.extend(storage.statistics().map(|it| spawn(after_start(renew_statistics(it)))));
    upkeep
}

fn alerting(
    ports: &Ports,
    mailer: Option<Arc<dyn Mailer>>,
    signal: &Arc<WorkerSignal>,
    settings: &ServeSettings,
) -> Alerting {
    let environment = &ports.environment;
    let work = AlertPorts {
        queue: Arc::clone(&ports.mails),
        mailer,
        clock: Arc::clone(&environment.clock),
        ids: Arc::clone(&environment.ids),
        signal: signal.clone(),
    };
    Alerting::start(work, settings.mail.options())
}

/// Follows the database's clock.
pub(crate) async fn follow(clock: Arc<DatabaseClock>, storage: Storage) {
    let mut ticks = interval(CLOCK_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = clock.follow(&storage).await {
            tracing::debug!(%error, "the database's clock was not read");
        }
    }
}

async fn after_start(task: impl Future<Output = ()> + Send) {
    sleep(HOUSE_AFTER).await;
    task.await;
}

async fn copy_log(mut checkpoints: Checkpoints) {
    loop {
        if let Err(error) = checkpoints.after_commit().await {
            tracing::debug!(%error, "the write-ahead log was not copied; writers copy it when it is large");
        }
    }
}

async fn keep_small(mut log: WriteAheadLog) {
    let mut ticks = interval(LOG_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = log.truncate_when_quiet().await {
            tracing::debug!(%error, "the write-ahead log was not truncated");
        }
    }
}

async fn record_uses(ports: AccessPorts) {
    let mut ticks = interval(KEY_USES_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = record_key_uses(&ports).await {
            tracing::debug!(%error, "the uses of keys were not recorded; the next run retries");
        }
        if let Err(error) = record_failed_sign_ins(&ports).await {
            tracing::debug!(%error, "failed sign-ins were not recorded; the next run retries");
        }
    }
}

async fn record_call_counts(ports: OverviewPorts) {
    let mut ticks = interval(CALLS_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = record_calls(&ports).await {
            tracing::debug!(%error, "the counts of calls were not recorded; the next run retries");
        }
    }
}

async fn renew_statistics(statistics: Statistics) {
    loop {
        match statistics.renew().await {
            Ok(tables) => {
                if !tables.is_empty() {
                    tracing::debug!(?tables, "tables that have grown were analysed");
                }
                sleep(STATISTICS_EVERY).await;
            }
            Err(error) => {
                tracing::debug!(%error, "tables that have grown were not analysed");
                sleep(STATISTICS_AFTER_FAILURE).await;
            }
        }
    }
}

/// Records the numbers of contacts, and deletes old figures.
async fn keep_figures(expiry: Expiry, ports: OverviewPorts) {
    let mut ticks = interval(HOUSE_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = record_contact_days(&ports).await {
            tracing::debug!(%error, "numbers of contacts were not recorded; the next run retries");
        }
        let before = ports.environment.clock.now().minus(overview::KEPT_FOR);
        report("counts of calls", expiry.delete_call_counts(before).await);
        report("numbers of contacts", expiry.delete_contact_days(before).await);
        report("calls with keys", expiry.delete_key_days(before).await);
    }
}

async fn do_deferred(writes: DeferredWrites) {
    loop {
        if let Err(error) = writes.run().await {
            tracing::debug!(%error, "deferred writes were not done; the next run retries");
        }
        let _is_late = timeout(DEFERRED_EVERY, writes.grown()).await;
        sleep(DEFERRED_FOR).await;
    }
}

/// Deletes old entries of the feed and the audit, and old counts of attempts.
async fn keep_house(
    expiry: Expiry,
    clock: Arc<dyn Clock>,
    keep_changes: Duration,
    keep_audit: Duration,
) {
    let mut ticks = interval(HOUSE_EVERY);
    loop {
        ticks.tick().await;
        let now = clock.now();
        report("changes", expiry.delete_changes(now.minus(keep_changes)).await);
        let unanswered = now.plus_seconds(-CHALLENGE_SECONDS);
        report("challenges", expiry.delete_challenges(unanswered).await);
        report("audit", expiry.delete_audit(now.minus(keep_audit)).await);
        report("outcomes", expiry.delete_outcomes(now.minus(activity::KEPT_FOR)).await);
    }
}

async fn erase_old_contacts(erasures: ErasurePorts) {
    let mut ticks = interval(HOUSE_EVERY);
    loop {
        ticks.tick().await;
        match erase_overdue(&erasures).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "contacts that were deleted long ago were erased"),
            Err(error) => {
                tracing::warn!(%error, "deleted contacts were not erased; the next run retries");
            }
        }
    }
}

async fn delete_answers(expiry: Expiry, clock: Arc<dyn Clock>) {
    let mut ticks = interval(ANSWERS_EVERY);
    loop {
        ticks.tick().await;
        report("kept answers", expiry.delete_answers(clock.now().minus(KEPT_FOR)).await);
    }
}

fn report(what: &'static str, deleted: Result<usize, StoreError>) {
    match deleted {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, what, "old rows were deleted"),
        Err(error) => {
            tracing::debug!(%error, what, "old rows were not deleted; the next run retries");
        }
    }
}

/// Signals the writes of this process to the task that creates events from them.
async fn note_writes(storage: Storage, signal: Arc<WorkerSignal>) {
    loop {
        storage.written().await;
        signal.note_write();
    }
}

async fn index_values(indexing: ValueIndexing) {
    loop {
        if let Err(error) = indexing.run().await {
            tracing::warn!(%error, "values were not indexed; the next run continues");
        }
        let _is_late = timeout(INDEX_EVERY, indexing.wanted()).await;
    }
}

async fn give_back_quota(ports: AccessPorts) {
    let mut ticks = interval(QUOTA_EVERY);
    loop {
        ticks.tick().await;
        let now = ports.environment.clock.now();
        ports.rate_limiter.give_back(GiveBack::Expired, now).await;
    }
}
