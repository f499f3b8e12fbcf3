//! `GET /admin/integrations/webhooks`

use askama::Template;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::activity::{self, DailyActivity};
use contact_hub_domain::webhooks::{self, EventKind, Webhook};

use super::activity::ShownActivity;
use super::standing::{Standing, standing};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/integrations/webhooks";

/// How many characters of an address a row shows.
const LONG_URL: usize = 80;

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
    activity: ShownActivity,
}

impl Row {
    fn new(webhook: &Webhook, day: DailyActivity) -> Self {
        let events: Vec<&str> = webhook.events.iter().map(EventKind::as_str).collect();
        Self {
            id: webhook.id.to_string(),
            name: webhook.name.as_str().to_owned(),
            url: shortened(webhook.url.as_str(), LONG_URL),
            events: events.join(", "),
            standing: standing(webhook),
            activity: day.into(),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    let cx = caller.context();
    let found = webhooks::list(&cx, list.query).await?;
    let ids: Vec<WebhookId> = found.items.iter().map(|webhook| webhook.id).collect();
    let days = activity::last_day(&cx, &ids).await?;
    respond::page(&WebhooksPage {
        frame: caller.frame(Section::Webhooks, "Webhooks"),
        rows: found.items.iter().zip(days).map(|(webhook, day)| Row::new(webhook, day)).collect(),
        pager: Pager::new(PATH, &list.address, found.meta),
    })
}
