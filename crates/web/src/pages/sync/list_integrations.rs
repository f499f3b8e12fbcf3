//! `GET /admin/integrations/platforms`: My Platform Connections.

use askama::Template;

use contact_hub_domain::sync::{self, Integration};

use super::platform_names::{asset_type, platform};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/integrations/platforms";

#[derive(Template)]
#[template(path = "sync/connections.html")]
struct ConnectionsPage {
    frame: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: String,
    name: String,
    types: String,
    format: &'static str,
    updated_at: Moment,
}

impl From<&Integration> for Row {
    fn from(integration: &Integration) -> Self {
        let types: Vec<&str> = integration.asset_types.iter().map(asset_type).collect();
        Self {
            id: integration.id.to_string(),
            name: integration.name.as_str().to_owned(),
            types: types.join(", "),
            format: platform(integration.format),
            updated_at: integration.updated_at.into(),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    let found = sync::list_integrations(&caller.context(), list.query).await?;
    respond::page(&ConnectionsPage {
        frame: caller.frame(Section::Platforms, "My Platform Connections"),
        rows: found.items.iter().map(Row::from).collect(),
        pager: Pager::new(PATH, &list.address, found.meta),
    })
}
