//! The sealed secrets of webhooks.

use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{MAX_PREVIOUS_SECRETS, NewSecret, Rotation};

use super::rows::SecretRow;
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// The secrets of these webhooks that are valid now, the current one first, then the newest. Concurrent rotations may take
/// their times in another order than they are written.
pub(super) fn valid_secrets(
    connection: &mut Connection,
    webhooks: Vec<Uuid>,
    now: Timestamp,
) -> Result<Vec<SecretRow>, Failure> {
    let any = any_id(connection, webhooks.into_iter());
    let select = sql!(
        "SELECT id, webhook_id, key_id, sealed FROM webhook_secrets WHERE webhook_id {} \
         AND (expires_at IS NULL OR expires_at > ?) ORDER BY webhook_id, expires_at IS NOT NULL, created_at DESC, id DESC",
        any
    );
    Ok(connection.rows(select.bind(now))?)
}

pub(super) fn insert_secret(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    secret: &NewSecret,
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "INSERT INTO webhook_secrets (id, company_id, webhook_id, key_id, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(secret.id)
        .bind(company)
        .bind(webhook)
        .bind(secret.sealed.key_id.as_str())
        .bind(secret.sealed.bytes.as_slice())
        .bind(at);
    connection.execute(insert)?;
    Ok(())
}

/// Sets the expiry of the current secret and those before it, keeps few of them, and adds the new one.
pub(super) fn rotate(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    rotation: &Rotation,
    at: Timestamp,
) -> Result<(), Failure> {
    let until = rotation.previous_until.unwrap_or(at);
    let text = "UPDATE webhook_secrets SET expires_at = ? WHERE company_id = ? AND webhook_id = ? \
         AND (expires_at IS NULL OR expires_at > ?)";
    connection.execute(statement(text).bind(until).bind(company).bind(webhook).bind(until))?;
    let text = "DELETE FROM webhook_secrets WHERE company_id = ? AND webhook_id = ? AND id NOT IN \
         (SELECT id FROM webhook_secrets WHERE webhook_id = ? AND expires_at > ? ORDER BY created_at DESC, id DESC LIMIT ?)";
    let kept = i64::try_from(MAX_PREVIOUS_SECRETS).unwrap_or(i64::MAX);
    let delete = statement(text).bind(company).bind(webhook).bind(webhook).bind(at).bind(kept);
    connection.execute(delete)?;
    insert_secret(connection, company, webhook, &rotation.secret, at)
}

/// Expires all but the current one.
pub(super) fn end_previous(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
) -> Result<(), Failure> {
    let text = "DELETE FROM webhook_secrets WHERE company_id = ? AND webhook_id = ? AND expires_at IS NOT NULL";
    connection.execute(statement(text).bind(company).bind(webhook))?;
    Ok(())
}
