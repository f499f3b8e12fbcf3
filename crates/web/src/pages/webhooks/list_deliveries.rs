//! `GET /admin/integrations/webhooks/deliveries`

use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use contact_hub_domain::webhooks::{self, DeliveriesQuery, DeliveryState};

use super::delivery_row::{DeliveryRow, in_words};
use super::names::WebhookNames;
use crate::error::ApiError;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/integrations/webhooks/deliveries";
const STATE: &str = "filter[state]";

#[derive(Template)]
#[template(path = "webhooks/deliveries.html")]
struct DeliveriesPage {
    frame: Frame,
    rows: Vec<DeliveryRow>,
    pager: Pager,
    states: Vec<(&'static str, &'static str, bool)>,
    kept: Vec<(String, String)>,
    is_narrowed: bool,
}

pub(crate) async fn handle(
    caller: PageCaller,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let address = Address::of(request.query_string());
    let state = address.get(STATE);
    // The form's choice of any state is no filter.
    let asked = address.without(|name| name == STATE && state.is_empty());
    let query = DeliveriesQuery::parse(asked.href("").trim_start_matches('?'))?;
    let found = webhooks::list_deliveries(&caller.context(), query).await?;
    let names = WebhookNames::of(&caller).await?;
    let rows = found.items.iter().map(|it| DeliveryRow::new(it, names.name(it.webhook_id)));
    let states = DeliveryState::ALL.map(|it| (it.as_str(), in_words(it).0, it.as_str() == state));
    let kept = asked.without(|name| name == STATE || name.starts_with("page"));
    respond::page(&DeliveriesPage {
        frame: caller.frame(Section::Webhooks, "Deliveries"),
        rows: rows.collect(),
        pager: Pager::new(PATH, &asked, found.meta),
        states: states.into(),
        is_narrowed: asked.pairs().iter().any(|(name, _)| name.starts_with("filter")),
        kept: kept.pairs().to_vec(),
    })
}
