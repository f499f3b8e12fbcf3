//! Read webhooks.

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{TestTarget, Webhook, WebhookName};

use super::rows::{NameRow, SecretRow, WEBHOOK_COLUMNS, WebhookRow};
use super::secrets::valid_secrets;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::paged;
use crate::statement::{sql, statement};

pub(super) fn read(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
    now: Timestamp,
) -> Result<Option<Webhook>, Failure> {
    let select = sql!("SELECT {} FROM webhooks WHERE id = ? AND company_id = ?", WEBHOOK_COLUMNS);
    let row: Option<WebhookRow> = connection.first(select.bind(now).bind(id).bind(company))?;
    row.map(WebhookRow::into_webhook).transpose()
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    page: PageRequest,
    now: Timestamp,
) -> Result<Page<Webhook>, Failure> {
    let (columns, webhooks) =
        (statement(WEBHOOK_COLUMNS), statement("webhooks WHERE company_id = ?"));
    let (columns, webhooks) = (columns.bind(now), webhooks.bind(company));
    paged(connection, page, columns, &webhooks, "id", WebhookRow::into_webhook)
}

pub(super) fn names(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<(WebhookId, WebhookName)>, Failure> {
    let text = "SELECT id, name FROM webhooks WHERE company_id = ? ORDER BY id";
    let rows: Vec<NameRow> = connection.rows(statement(text).bind(company))?;
    Ok(rows.into_iter().map(NameRow::into_name).collect())
}

pub(super) fn test_target(
    connection: &mut Connection,
    company: CompanyId,
    id: WebhookId,
    now: Timestamp,
) -> Result<Option<TestTarget>, Failure> {
    let Some(webhook) = read(connection, company, id, now)? else {
        return Ok(None);
    };
    let secrets = valid_secrets(connection, vec![id.uuid()], now)?;
    let secrets = secrets.into_iter().map(SecretRow::into_secret).collect();
    Ok(Some(TestTarget { url: webhook.url, secrets }))
}
