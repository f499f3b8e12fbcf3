//! `GET /admin/integrations/webhooks/deliveries/{id}`: a delivery with its attempts.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks::{self, Attempt, DeliveryDetail};

use super::delivery_row::DeliveryRow;
use super::names::name;
use super::outcome::{ShownOutcome, took};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::excerpt;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::respond;

/// How many attempts are shown, the last ones.
const SHOWN_ATTEMPTS: usize = 25;

/// How many characters of an answer are shown among others.
const LONG_ANSWER: usize = 1000;

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    row: DeliveryRow,
    event_id: String,
    sync_id: Option<String>,
    payload: Option<String>,
    attempts: Vec<AttemptRow>,
    earlier: usize,
    again: Option<String>,
}

struct AttemptRow {
    number: u32,
    trigger: &'static str,
    started_at: Moment,
    took: String,
    outcome: ShownOutcome,
    retry_after: Option<u64>,
    answer: Option<String>,
    /// Where all of a long answer can be read.
    whole: Option<String>,
}

impl AttemptRow {
    fn new(attempt: &Attempt, path: &str, is_whole: bool) -> Self {
        let result = &attempt.result;
        let answer = result.answer.as_ref().map(webhooks::Answer::as_str);
        let beginning = answer.filter(|_| !is_whole).and_then(|it| excerpt(it, LONG_ANSWER));
        let whole = beginning.is_some().then(|| format!("{path}?attempt={}", attempt.number));
        Self {
            number: attempt.number,
            trigger: attempt.trigger.as_str(),
            started_at: result.started_at.into(),
            took: took(result.duration),
            outcome: result.outcome.into(),
            retry_after: result.retry_after.map(|time| time.as_secs()),
            answer: beginning.or_else(|| answer.map(str::to_owned)),
            whole,
        }
    }
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<DeliveryId>,
    request: HttpRequest,
) -> Answer {
    let detail = webhooks::read_delivery(&caller.context(), id).await?;
    let webhook_name = name(&caller, detail.delivery.webhook_id).await?;
    let address = Address::of(request.query_string());
    respond::page(&page(&caller, detail, webhook_name, &address))
}

fn page(
    caller: &PageCaller,
    detail: DeliveryDetail,
    webhook_name: String,
    address: &Address,
) -> DeliveryPage {
    let delivery = &detail.delivery;
    let path = format!("/admin/integrations/webhooks/deliveries/{}", delivery.id);
    DeliveryPage {
        frame: caller.frame(Section::Webhooks, "Delivery"),
        row: DeliveryRow::new(delivery, webhook_name),
        event_id: delivery.event_id.to_string(),
        sync_id: delivery.sync_id.map(|sync| sync.to_string()),
        attempts: rows(&detail.attempts, &path, address),
        earlier: detail.attempts.len().saturating_sub(SHOWN_ATTEMPTS),
        again: delivery.state.is_open().then_some(path),
        payload: detail.payload,
    }
}

/// The last attempts. The answer to the one that the address names is shown whole, otherwise that to the last one.
fn rows(attempts: &[Attempt], path: &str, address: &Address) -> Vec<AttemptRow> {
    let last = attempts.last().map(|attempt| attempt.number);
    let whole = address.get("attempt").parse().ok().or(last);
    let shown = attempts.iter().skip(attempts.len().saturating_sub(SHOWN_ATTEMPTS));
    shown.map(|it| AttemptRow::new(it, path, whole == Some(it.number))).collect()
}
