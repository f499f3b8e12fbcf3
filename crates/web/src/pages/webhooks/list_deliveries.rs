//! `GET /admin/integrations/webhooks/deliveries`

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::webhooks::{self, DeliveriesQuery, Delivery, DeliveryState};

use super::delivery_row::{DeliveryRow, in_words};
use super::names::WebhookNames;
use crate::error::{Answer, ApiError};
use crate::extract::query::FromQuery as _;
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

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    let state = address.get(STATE);
    let asked = asked(&address, state);
    let query = DeliveriesQuery::from_query(asked.href("").trim_start_matches('?'))?;
    let found = webhooks::list_deliveries(&caller.context(), query).await?;
    respond::page(&DeliveriesPage {
        frame: caller.frame(Section::Webhooks, "Deliveries"),
        rows: rows(&caller, &found.items).await?,
        pager: Pager::new(PATH, &asked, found.meta),
        states: states(state),
        is_narrowed: asked.pairs().iter().any(|(name, _)| name.starts_with("filter")),
        kept: asked.without(|name| name == STATE || name.starts_with("page")).pairs().to_vec(),
    })
}

/// The filters without the form's choice of any state, which is none.
fn asked(address: &Address, state: &str) -> Address {
    address.without(|name| name == STATE && state.is_empty())
}

/// Every state with its words, and whether it is the chosen one.
fn states(chosen: &str) -> Vec<(&'static str, &'static str, bool)> {
    let state = |it: DeliveryState| (it.as_str(), in_words(it).0, it.as_str() == chosen);
    DeliveryState::ALL.map(state).into()
}

async fn rows(caller: &PageCaller, found: &[Delivery]) -> Result<Vec<DeliveryRow>, ApiError> {
    let names = WebhookNames::of(caller).await?;
    Ok(found.iter().map(|it| DeliveryRow::new(it, names.name(it.webhook_id))).collect())
}
