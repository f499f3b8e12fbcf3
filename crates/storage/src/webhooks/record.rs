//! Record the outcomes of attempts.

use std::collections::{BTreeMap, HashMap};

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Integer, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    AttemptedDelivery, Breaker, CancelReason, DisabledReason, Ended, EventKind, Health, HealthNews,
    NextStep, Recorded, Settled, WebhookNotice, settle,
};

use super::attempts::{self, NewAttempt};
use super::health_alerts;
use super::leases;
use super::outcomes::{self, CountedAttempt};
use super::rows::{
    HealthColumns, count, delivery_state, event_kind, moment, stored_count, trigger,
};
use super::settling::{SwitchedOff, close_switched_off};
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, any_selected, execute_together};
use crate::failure::Failure;
use crate::statement::{Statement, sql};
use crate::sync;

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(embed)]
    health: HealthColumns,
    #[diesel(sql_type = Integer)]
    unanswered: i32,
    #[diesel(sql_type = Nullable<Moment>)]
    paused_until: Option<MomentValue>,
}

#[derive(QueryableByName)]
struct HeldRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Nullable<Id>)]
    sync_id: Option<IdValue>,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Text)]
    trigger: String,
    #[diesel(sql_type = Integer)]
    retries: i32,
    #[diesel(sql_type = Nullable<Text>)]
    reason: Option<String>,
    #[diesel(sql_type = Nullable<Id>)]
    lease: Option<IdValue>,
    /// Whether the attempt was for a [former](leases::make_former) receiver.
    #[diesel(sql_type = Nullable<Bool>)]
    is_former: Option<bool>,
}

/// The health of a webhook's receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Condition {
    health: Health,
    breaker: Breaker,
}

/// The health before and after.
#[derive(Clone, Copy)]
struct Watched {
    before: Condition,
    now: Condition,
}

impl Watched {
    /// Whether the webhook is switched off now, and was not.
    fn is_switched_off(&self) -> bool {
        self.now.health.disabled != self.before.health.disabled
    }
}

/// An attempt whose lease was still valid, and its consequences.
struct Done<'a> {
    company: CompanyId,
    webhook: WebhookId,
    recorded: &'a Recorded,
    is_test: bool,
    settled: Settled,
}

impl Done<'_> {
    /// The attempt as it counts for the webhook; tests do not.
    fn counted(&self) -> Option<CountedAttempt> {
        let result = &self.recorded.attempt.result;
        (!self.is_test).then(|| CountedAttempt {
            company: self.company,
            webhook: self.webhook,
            ended_at: result.ended_at(),
            outcome: result.outcome,
        })
    }
}

type Watch = BTreeMap<Uuid, Watched>;

pub(super) fn record<'a>(
    connection: &mut Connection,
    attempts: &'a [Recorded],
) -> Result<Vec<WebhookNotice>, Failure> {
    let mut watch = lock_webhooks(connection, attempts)?;
    let held = lock_deliveries(connection, attempts)?;
    let obsolete = obsolete_syncs(connection, attempts, &held)?;
    let mut notices = Vec::new();
    let mut done = Vec::new();
    for recorded in attempts {
        let row = held.get(&recorded.delivery_id.uuid());
        let lease = Some(IdValue(recorded.lease.uuid()));
        if let Some(row) = row.filter(|row| row.lease == lease) {
            let obsolete = row.sync_id.and_then(|sync| obsolete.get(&sync.0)).copied();
            done.push(settled(row, recorded, obsolete, &mut watch, &mut notices)?);
        }
    }
    let new = |done: &Done<'a>| NewAttempt {
        company: done.company,
        delivery: done.recorded.delivery_id,
        attempt: &done.recorded.attempt,
    };
    let new: Vec<_> = done.iter().map(new).collect();
    let inserted = attempts::insertion(connection, &new);
    let dropped = attempts::deletions(connection, &new);
    let counted = outcomes::addition(connection, done.iter().filter_map(Done::counted));
    let held: Vec<_> = done.iter().map(|it| (it.recorded.delivery_id, it.recorded.lease)).collect();
    let released = leases::deletion(connection, &held);
    let updated = update(connection, &done);
    let other = counted.into_iter().chain([released, updated]).chain(dropped);
    execute_together(connection, [inserted].into_iter().chain(other))?;
    if let Some(at) = last_end(&done) {
        update_webhooks(connection, &watch, at)?;
        close_switched_off_now(connection, &done, &notices, at)?;
        health_alerts::raise_all(connection, &notices, at)?;
    }
    Ok(notices)
}

fn lock_webhooks(connection: &mut Connection, attempts: &[Recorded]) -> Result<Watch, Failure> {
    let any = any_id(connection, attempts.iter().map(|it| it.delivery_id.uuid()));
    // A failure may switch its webhook off, and no transaction may enqueue for it at that moment.
    let all_succeeded = attempts.iter().all(|it| it.next == NextStep::Succeeded);
    let lock = if all_succeeded { Lock::ForNoKeyUpdate } else { Lock::ForUpdate };
    let lock = lock.on(connection);
    let select = sql!(
        "SELECT id, disabled_reason, failing_since, failed_attempts, warning, unanswered, paused_until \
         FROM webhooks WHERE id {} ORDER BY id{}",
        any_selected(connection, sql!("SELECT webhook_id FROM deliveries WHERE id {}", any)),
        lock
    );
    let rows: Vec<HealthRow> = connection.rows(select)?;
    let watched = rows.into_iter().map(|row| {
        let health = row.health.into_health(row.id.0)?;
        let breaker =
            Breaker { unanswered: count(row.unanswered), paused_until: moment(row.paused_until) };
        let condition = Condition { health, breaker };
        Ok((row.id.0, Watched { before: condition, now: condition }))
    });
    watched.collect()
}

fn lock_deliveries(
    connection: &mut Connection,
    attempts: &[Recorded],
) -> Result<HashMap<Uuid, HeldRow>, Failure> {
    let any = any_id(connection, attempts.iter().map(|it| it.delivery_id.uuid()));
    let lock = Lock::ForUpdate.on(connection);
    let select = sql!(
        "SELECT id, company_id, webhook_id, sync_id, kind, state, trigger, retries, reason, \
         (SELECT lease FROM delivery_leases WHERE delivery_id = deliveries.id) AS lease, \
         (SELECT is_former FROM delivery_leases WHERE delivery_id = deliveries.id) AS is_former \
         FROM deliveries WHERE id {} ORDER BY id{}",
        any,
        lock
    );
    let rows: Vec<HeldRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| (row.id.0, row)).collect())
}

/// The closed syncs that failed attempts were about.
fn obsolete_syncs(
    connection: &mut Connection,
    attempts: &[Recorded],
    held: &HashMap<Uuid, HeldRow>,
) -> Result<HashMap<Uuid, CancelReason>, Failure> {
    let failed = attempts.iter().filter(|it| it.next != NextStep::Succeeded);
    let failed = failed.filter_map(|it| held.get(&it.delivery_id.uuid())?.sync_id);
    let syncs: Vec<Uuid> = failed.map(|sync| sync.0).collect();
    sync::obsolete(connection, &syncs)
}

/// Applies an attempt to its webhook's health and settles its delivery. Tests do not affect the health.
fn settled<'a>(
    row: &HeldRow,
    recorded: &'a Recorded,
    obsolete: Option<CancelReason>,
    watch: &mut Watch,
    notices: &mut Vec<WebhookNotice>,
) -> Result<Done<'a>, Failure> {
    let id = row.id.0;
    let attempt = &recorded.attempt;
    let is_test = event_kind(&row.kind, id)? == EventKind::Test;
    // A test is attempted once, whatever its receiver.
    let is_former = row.is_former == Some(true) && !is_test;
    let watched = watch.get_mut(&row.webhook_id.0);
    let news = watched.filter(|_| !is_test && !is_former).and_then(|watched| {
        watched.now.breaker.observe(attempt.result.outcome, attempt.result.ended_at());
        watched.now.health.observe(recorded.next, attempt.result.started_at)
    });
    let webhook_id = WebhookId::new(row.webhook_id.0);
    notices.extend(news.map(|news| WebhookNotice { webhook_id, news }));
    let delivery = AttemptedDelivery {
        state: delivery_state(&row.state, id)?,
        retries: count(row.retries),
        trigger: trigger(&row.trigger, id)?,
        reason: row.reason.clone(),
        obsolete,
        is_former,
    };
    let ended =
        Ended { trigger: attempt.trigger, step: recorded.next, at: attempt.result.ended_at() };
    let disabled = watch.get(&row.webhook_id.0).and_then(|watched| watched.now.health.disabled);
    let settled = settle(delivery, ended, disabled);
    let company = CompanyId::new(row.company_id.0);
    Ok(Done { company, webhook: webhook_id, recorded, is_test, settled })
}

/// The statement that writes the states of the deliveries.
fn update(connection: &Connection, done: &[Done<'_>]) -> Statement {
    let source = Source::of(done)
        .ids("id", |done| done.recorded.delivery_id.uuid())
        .texts("state", |done| done.settled.state.as_str().to_owned())
        .texts("trigger", |done| done.settled.trigger.as_str().to_owned())
        .optional_texts("reason", |done| done.settled.reason.clone())
        .ints("attempts", |done| stored_count(done.recorded.attempt.number))
        .ints("retries", |done| stored_count(done.settled.retries))
        .moments("due_at", |done| done.settled.next_attempt_at)
        .moments("ended_at", |done| done.recorded.attempt.result.ended_at());
    sql!(
        "UPDATE deliveries SET state = source.state, trigger = source.trigger, reason = source.reason, \
         attempts = source.attempts, retries = source.retries, due_at = source.due_at, updated_at = source.ended_at \
         FROM {} WHERE deliveries.id = source.id",
        source.table(connection)
    )
}

/// Most attempts succeed on healthy webhooks, and change nothing here.
fn update_webhooks(
    connection: &mut Connection,
    watch: &Watch,
    at: Timestamp,
) -> Result<(), Failure> {
    let changed: Vec<(Uuid, Watched)> = watch
        .iter()
        .filter(|(_, watched)| watched.before != watched.now)
        .map(|(id, watched)| (*id, *watched))
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let reason =
        |it: &Watched| it.now.health.disabled.map(DisabledReason::as_str).map(str::to_owned);
    let source = Source::of(&changed)
        .ids("id", |(id, _)| *id)
        .optional_texts("reason", |(_, it)| reason(it))
        .moments("since", |(_, it)| it.now.health.failing_since)
        .ints("failed", |(_, it)| stored_count(it.now.health.failed_attempts))
        .ints("warning", |(_, it)| i64::from(it.now.health.warning))
        .ints("unanswered", |(_, it)| stored_count(it.now.breaker.unanswered))
        .ints("slots", |(_, it)| stored_count(it.now.breaker.slots()))
        .moments("paused_until", |(_, it)| it.now.breaker.paused_until)
        .moments("switched_off_at", |(_, it)| it.is_switched_off().then_some(at));
    let update = sql!(
        "UPDATE webhooks SET disabled_reason = source.reason, failing_since = source.since, \
         failed_attempts = source.failed, warning = source.warning = 1, unanswered = source.unanswered, \
         slots = source.slots, paused_until = source.paused_until, \
         updated_at = coalesce(source.switched_off_at, webhooks.updated_at) FROM {} WHERE webhooks.id = source.id",
        source.table(connection)
    );
    connection.execute(update)?;
    Ok(())
}

/// When the last of the attempts ended.
fn last_end(done: &[Done<'_>]) -> Option<Timestamp> {
    done.iter().map(|it| it.recorded.attempt.result.ended_at()).max()
}

/// Closes the open deliveries of webhooks that are switched off. This is rare, but a receiver that is gone may have many
/// webhooks.
fn close_switched_off_now(
    connection: &mut Connection,
    done: &[Done<'_>],
    notices: &[WebhookNotice],
    at: Timestamp,
) -> Result<(), Failure> {
    let off = notices.iter().filter_map(|notice| {
        let HealthNews::SwitchedOff(reason) = notice.news else { return None };
        let webhook = notice.webhook_id;
        let company = done.iter().find(|it| it.webhook == webhook)?.company;
        Some(SwitchedOff { company, webhook, reason })
    });
    close_switched_off(connection, &off.collect::<Vec<_>>(), at)
}
