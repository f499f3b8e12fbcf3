//! `GET /assets`

use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::sync::{self, AssetSummary, SyncStatus};

use super::platform_names::asset_type;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/assets";

#[derive(Template)]
#[template(path = "sync/assets.html")]
struct AssetsPage {
    frame: Frame,
    rows: Vec<Row>,
    pager: Pager,
    may_change: bool,
}

struct Row {
    id: String,
    name: String,
    kind: &'static str,
    status: &'static str,
    tone: &'static str,
    updated_at: Moment,
}

impl From<&AssetSummary> for Row {
    fn from(asset: &AssetSummary) -> Self {
        let (status, tone) = match asset.sync_status {
            None => ("Not published", ""),
            Some(SyncStatus::SyncRequested) => ("Sync requested", "warn"),
            Some(SyncStatus::Completed) => ("Completed", "good"),
            Some(SyncStatus::Failed) => ("Failed", "bad"),
        };
        Self {
            id: asset.id.to_string(),
            name: asset.name.as_str().to_owned(),
            kind: asset_type(asset.form.kind()),
            status,
            tone,
            updated_at: asset.updated_at.into(),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    let found = sync::list_assets(&caller.context(), list.query).await?;
    respond::page(&AssetsPage {
        frame: caller.frame(Section::Assets, "Assets"),
        rows: found.items.iter().map(Row::from).collect(),
        pager: Pager::new(PATH, &list.address, found.meta),
        may_change: caller.may(Permission::ManageIntegrations),
    })
}
