//! Create, change and delete webhooks.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Breaker, NewSecret, Webhook, WebhookChange};

use super::followers;
use super::leases;
use super::rows::{WEBHOOK_COLUMNS, WebhookRow, stored_count};
use super::secrets::{end_previous, insert_secret, rotate};
use super::settling::{SwitchedOff, begin_erasure, close_deleted, close_switched_off};
use crate::audit;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::{count_up_to, lock_own_company};
use crate::statement::{Statement, sql, statement};

pub(super) fn create(
    connection: &mut Connection,
    webhook: &Webhook,
    secret: &NewSecret,
    max: usize,
) -> Result<bool, Failure> {
    lock_own_company(connection, webhook.company)?;
    let held = statement("webhooks WHERE company_id = ?").bind(webhook.company);
    if count_up_to(connection, held, max)? >= max {
        return Ok(false);
    }
    insert(connection, webhook)?;
    insert_secret(connection, webhook.company, webhook.id, secret, webhook.created_at)?;
    followers::begin(connection, webhook)?;
    Ok(true)
}

fn insert(connection: &mut Connection, webhook: &Webhook) -> Result<(), Failure> {
    let insert = sql!(
        "INSERT INTO webhooks (id, company_id, created_at, name, url, events, disabled_reason, failing_since, \
         failed_attempts, warning, updated_at) VALUES (?, ?, ?, {})",
        changeable(webhook),
    );
    let insert = insert.bind(webhook.id).bind(webhook.company).bind(webhook.created_at);
    connection.execute(insert)?;
    Ok(())
}

/// The values of the columns that a change writes.
fn changeable(webhook: &Webhook) -> Statement {
    let health = &webhook.health;
    statement("?, ?, ?, ?, ?, ?, ?, ?")
        .bind(webhook.name.as_str())
        .bind(webhook.url.as_str())
        .bind(webhook.events.bits())
        .bind(health.disabled.map(|reason| reason.as_str().to_owned()))
        .bind(health.failing_since)
        .bind(stored_count(health.failed_attempts))
        .bind(health.warning)
        .bind(webhook.updated_at)
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    id: WebhookId,
    change: &WebhookChange,
    at: Timestamp,
) -> Result<Recorded<Option<Webhook>>, Failure> {
    let company = by.company;
    let Some(before) = lock(connection, company, id, at)? else {
        return Ok(Recorded::unchanged(None));
    };
    let now = change.apply(&before, at);
    if now == before {
        return Ok(Recorded::unchanged(Some(before)));
    }
    if let Some(rotation) = &change.rotation {
        rotate(connection, company, id, rotation, at)?;
    }
    update(connection, &now)?;
    if now.begins_anew(&before) {
        begin_anew(connection, company, id)?;
    }
    // An instance of an earlier version may have deleted the cursors of a webhook that was off.
    let is_switched_on = now.health.is_enabled() && !before.health.is_enabled();
    if now.events != before.events || is_switched_on {
        followers::end_others(connection, &now)?;
        followers::begin(connection, &now)?;
    }
    if let Some(reason) = now.switched_off(&before) {
        close_switched_off(connection, &[SwitchedOff { company, webhook: id, reason }], at)?;
    }
    let entries = audited(by, change, &before, &now, at);
    let entries = audit::append_all(connection, company, &entries)?;
    Ok(Recorded::by(entries, Some(now)))
}

/// One entry for a new secret, and one for changed settings.
fn audited(
    by: &Author,
    change: &WebhookChange,
    before: &Webhook,
    now: &Webhook,
    at: Timestamp,
) -> Vec<NewAuditEntry> {
    let entry = |action| NewAuditEntry::of(by, action, now.id.uuid(), at);
    let rotated = change.rotation.as_ref().map(|_| entry(AuditAction::WebhookSecretRotated));
    let updated = entry(AuditAction::WebhookUpdated).with_changes(before, now);
    let updated = (updated.old != updated.new).then_some(updated);
    rotated.into_iter().chain(updated).collect()
}

/// Reads the webhook and locks it until the transaction ends.
fn lock(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
    now: Timestamp,
) -> Result<Option<Webhook>, Failure> {
    let lock = Lock::ForUpdate.on(connection);
    let select =
        sql!("SELECT {} FROM webhooks WHERE id = ? AND company_id = ?{}", WEBHOOK_COLUMNS, lock);
    let row: Option<WebhookRow> = connection.first(select.bind(now).bind(id).bind(company))?;
    row.map(WebhookRow::into_webhook).transpose()
}

fn update(connection: &mut Connection, webhook: &Webhook) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE webhooks SET (name, url, events, disabled_reason, failing_since, failed_attempts, warning, updated_at) \
         = ({}) WHERE id = ? AND company_id = ?",
        changeable(webhook),
    );
    connection.execute(update.bind(webhook.id).bind(webhook.company))?;
    Ok(())
}

/// Resets the count of failures, because they belong to another receiver or to the time before the webhook was switched
/// on, as do the failures of attempts in progress.
fn begin_anew(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
) -> Result<(), Failure> {
    let breaker = Breaker::default();
    let text = "UPDATE webhooks SET unanswered = ?, slots = ?, paused_until = ? WHERE id = ? AND company_id = ?";
    let update = statement(text)
        .bind(stored_count(breaker.unanswered))
        .bind(stored_count(breaker.slots()))
        .bind(breaker.paused_until)
        .bind(id)
        .bind(company);
    connection.execute(update)?;
    leases::make_former(connection, company, id)
}

pub(super) fn end_previous_secrets(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
) -> Result<bool, Failure> {
    let exists = stays(connection, company, id)?;
    if exists {
        end_previous(connection, company, id)?;
    }
    Ok(exists)
}

/// Whether the company has the webhook, which then cannot be deleted until the transaction ends.
pub(super) fn stays(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
) -> Result<bool, Failure> {
    let lock = Lock::ForKeyShare.on(connection);
    let select = sql!("SELECT id FROM webhooks WHERE id = ? AND company_id = ?{}", lock);
    let row: Option<IdRow> = connection.first(select.bind(id).bind(company))?;
    Ok(row.is_some_and(|row| row.id.0 == id.uuid()))
}

pub(super) fn delete(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
    at: Timestamp,
) -> Result<bool, Failure> {
    let is_deleted = close_deleted(connection, company, id, at)?;
    if is_deleted {
        begin_erasure(connection, company, id)?;
    }
    Ok(is_deleted)
}
