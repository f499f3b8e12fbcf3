//! `GET /admin/integrations/webhooks/{id}`: a webhook, its test, its secret, and what was delivered lately.

use askama::Template;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::{self, DeliveriesQuery, DisabledReason, Webhook};

use super::delivery_row::DeliveryRow;
use super::event_choice::EventChoice;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::respond;

/// How many deliveries the page shows.
const RECENT: u32 = 10;

#[derive(Template)]
#[template(path = "webhooks/read.html")]
struct WebhookPage {
    frame: Frame,
    form: FormView,
    id: String,
    name: String,
    url: String,
    events: Vec<EventChoice>,
    standing: Standing,
    failing: Option<(u32, Moment)>,
    previous_until: Option<Moment>,
    created_at: Moment,
    deliveries: Vec<DeliveryRow>,
    all: String,
}

/// Whether a webhook is on, in words.
pub(super) struct Standing {
    /// A word.
    pub(super) word: &'static str,
    /// The kind of badge.
    pub(super) tone: &'static str,
    /// A sentence, where there is more to say.
    pub(super) sentence: &'static str,
}

/// The standing of a webhook.
pub(super) fn standing(webhook: &Webhook) -> Standing {
    let (word, tone, sentence) = match webhook.health.disabled {
        Some(reason) => ("Off", "bad", DisabledReason::sentence(reason)),
        None if webhook.health.warning => {
            ("Failing", "warn", "Nothing has succeeded for days; it will soon be switched off.")
        }
        None => ("On", "good", ""),
    };
    Standing { word, tone, sentence }
}

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<WebhookId>) -> Answer {
    draw(&caller, id, FormView::default()).await
}

/// Draws the page; the form is that of a rotation or a recovery.
pub(super) async fn draw(caller: &PageCaller, id: WebhookId, form: FormView) -> Answer {
    let cx = caller.context();
    let webhook = webhooks::read(&cx, id).await?;
    let page = PageRequest::new(1, RECENT).unwrap_or_default();
    let query = DeliveriesQuery { page, webhook_id: Some(id), ..DeliveriesQuery::default() };
    let recent = webhooks::list_deliveries(&cx, query).await?;
    let health = &webhook.health;
    let name = webhook.name.as_str().to_owned();
    let page = WebhookPage {
        frame: caller.frame(Section::Webhooks, webhook.name.as_str()),
        form,
        id: id.to_string(),
        name: name.clone(),
        url: webhook.url.as_str().to_owned(),
        events: webhook.events.iter().map(EventChoice::from).collect(),
        standing: standing(&webhook),
        failing: health.failing_since.map(|since| (health.failed_attempts, since.into())),
        previous_until: webhook.previous_secret_until.map(Moment::from),
        created_at: webhook.created_at.into(),
        deliveries: recent.items.iter().map(|it| DeliveryRow::new(it, name.clone())).collect(),
        all: format!("/admin/integrations/webhooks/deliveries?filter[webhook_id]={id}"),
    };
    respond::page_with(page.form.status(), &page)
}
