//! `GET /admin/integrations/webhooks/{id}`: a webhook, its test, its secret, and what was delivered lately.

use askama::Template;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::activity;
use contact_hub_domain::webhooks::{self, DeliveriesQuery, DeliverySearch};

use super::activity::ShownActivity;
use super::delivery_row::DeliveryRow;
use super::event_choice::EventChoice;
use super::names::WebhookNames;
use super::standing::{Standing, standing};
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
    activity: Option<ShownActivity>,
    failing: Option<(u32, Moment)>,
    previous_until: Option<Moment>,
    created_at: Moment,
    deliveries: Vec<DeliveryRow>,
    all: String,
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
    let search = DeliverySearch { query, ..DeliverySearch::default() };
    let recent = webhooks::search_deliveries(&cx, search).await?.page.items;
    let names = WebhookNames::of_one(&webhook);
    let day = activity::last_day(&cx, &[id]).await?.pop();
    let health = &webhook.health;
    let page = WebhookPage {
        frame: caller.frame(Section::Webhooks, webhook.name.as_str()),
        form,
        id: id.to_string(),
        name: webhook.name.as_str().to_owned(),
        url: webhook.url.as_str().to_owned(),
        events: webhook.events.iter().map(EventChoice::from).collect(),
        standing: standing(&webhook),
        activity: day.map(ShownActivity::from),
        failing: health.failing_since.map(|since| (health.failed_attempts, since.into())),
        previous_until: webhook.previous_secret_until.map(Moment::from),
        created_at: webhook.created_at.into(),
        deliveries: recent.into_iter().map(|it| DeliveryRow::listed(it, &names)).collect(),
        all: format!("/admin/integrations/webhooks/deliveries?filter[webhook_id]={id}"),
    };
    respond::page_with(page.form.status(), &page)
}
