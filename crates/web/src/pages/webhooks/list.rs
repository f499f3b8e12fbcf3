//! `GET /admin/integrations/webhooks`

use askama::Template;

use contact_hub_domain::webhooks::{self, EventKind, Webhook};

use super::read::{Standing, standing};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/integrations/webhooks";

#[derive(Template)]
#[template(path = "webhooks/list.html")]
struct WebhooksPage {
    frame: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: String,
    name: String,
    url: String,
    events: String,
    standing: Standing,
}

impl From<&Webhook> for Row {
    fn from(webhook: &Webhook) -> Self {
        let events: Vec<&str> = webhook.events.iter().map(EventKind::as_str).collect();
        Self {
            id: webhook.id.to_string(),
            name: webhook.name.as_str().to_owned(),
            url: webhook.url.as_str().to_owned(),
            events: events.join(", "),
            standing: standing(webhook),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    let found = webhooks::list(&caller.context(), list.query).await?;
    respond::page(&WebhooksPage {
        frame: caller.frame(Section::Webhooks, "Webhooks"),
        rows: found.items.iter().map(Row::from).collect(),
        pager: Pager::new(PATH, &list.address, found.meta),
    })
}
