//! `GET /admin/integrations/webhooks/deliveries/{id}`: a delivery with its attempts.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks::{self, Attempt, DeliveryDetail, Webhook};

use super::attempt_row::AttemptRow;
use super::curl::curl;
use super::delivery_row::DeliveryRow;
use super::json_text::indented;
use super::names::webhook;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

/// How many attempts are shown, the last ones.
const SHOWN_ATTEMPTS: usize = 25;

/// The longest payload that is also shown as a command, in bytes.
const MAX_COMMAND: usize = 16 << 10;

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    row: DeliveryRow,
    is_webhook_deleted: bool,
    event_id: String,
    sync_id: Option<String>,
    payload: Option<String>,
    attempts: Vec<AttemptRow>,
    earlier: usize,
    again: Option<String>,
    curl: Option<String>,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<DeliveryId>,
    request: HttpRequest,
) -> Answer {
    let detail = webhooks::read_delivery(&caller.context(), id).await?;
    let webhook = webhook(&caller, detail.delivery.webhook_id).await?;
    let address = Address::of(request.query_string());
    respond::page(&page(&caller, &detail, webhook.as_ref(), &address))
}

fn page(
    caller: &PageCaller,
    detail: &DeliveryDetail,
    webhook: Option<&Webhook>,
    address: &Address,
) -> DeliveryPage {
    let delivery = &detail.delivery;
    let path = format!("/admin/integrations/webhooks/deliveries/{}", delivery.id);
    let name = webhook.map(|webhook| webhook.name.as_str().to_owned());
    let name = name.unwrap_or_else(|| delivery.webhook_id.to_string());
    let payload = detail.payload.as_deref();
    let last = detail.attempts.last().map(|attempt| attempt.result.outcome);
    DeliveryPage {
        frame: caller.frame(Section::Webhooks, "Delivery"),
        row: DeliveryRow::new(delivery, name, last),
        is_webhook_deleted: webhook.is_none(),
        event_id: delivery.event_id.to_string(),
        sync_id: delivery.sync_id.map(|sync| sync.to_string()),
        attempts: rows(&detail.attempts, &path, address),
        earlier: earlier(&detail.attempts),
        again: delivery.state.is_open().then_some(path),
        curl: webhook.zip(payload).and_then(|(it, payload)| command(it, &detail.attempts, payload)),
        payload: payload.map(|it| indented(it).into_owned()),
    }
}

/// How many attempts were made before those that are shown. They are numbered from 1.
fn earlier(attempts: &[Attempt]) -> usize {
    let made = attempts.last().map_or(0, |last| last.number);
    usize::try_from(made).unwrap_or(usize::MAX).saturating_sub(SHOWN_ATTEMPTS)
}

/// The last request as a command, with the headers that were sent.
fn command(webhook: &Webhook, attempts: &[Attempt], payload: &str) -> Option<String> {
    let sent = attempts.iter().rev().map(|it| &it.result.request_headers);
    let headers = sent.into_iter().find(|headers| !headers.is_empty())?;
    (payload.len() <= MAX_COMMAND).then(|| curl(webhook.url.as_str(), headers.iter(), payload))
}

/// The last attempts. The one that the address names is shown with everything, otherwise the last one.
fn rows(attempts: &[Attempt], path: &str, address: &Address) -> Vec<AttemptRow> {
    let last = attempts.last().map(|attempt| attempt.number);
    let whole = address.get("attempt").parse().ok().or(last);
    let shown = attempts.iter().skip(attempts.len().saturating_sub(SHOWN_ATTEMPTS));
    shown.map(|it| AttemptRow::new(it, path, whole == Some(it.number))).collect()
}
