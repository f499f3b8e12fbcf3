//! `GET /assets/{id}`: an asset, its Publish menu, and the history of its syncs.

use std::collections::HashSet;

use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::fields;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, Asset, tags};

use super::asset_warnings::AssetWarnings;
use super::platform_names::asset_type;
use super::publish_menu::PublishMenu;
use super::state::{StatePart, state_part};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::excerpt;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::moment::Moment;
use crate::pages::respond;

/// How many merge tags are shown; an email rarely has more.
const SHOWN_TAGS: usize = 100;

/// The memory that looking for merge tags needs, in bytes; few assets need as much.
const WEIGHT: usize = 8 << 20;

/// How much of the plain text is shown, in characters; an email rarely has more.
const LONG_TEXT: usize = 20_000;

#[derive(Template)]
#[template(path = "sync/asset.html")]
#[expect(clippy::struct_excessive_bools, reason = "each tells whether a part of the page is there")]
struct AssetPage {
    frame: Frame,
    form: FormView,
    id: String,
    name: String,
    kind: &'static str,
    subject: Option<String>,
    preheader: Option<String>,
    text: String,
    is_text_begun: bool,
    is_made: bool,
    tags: Vec<String>,
    more_tags: usize,
    warnings: AssetWarnings,
    created_at: Moment,
    updated_at: Moment,
    menu: PublishMenu,
    has_connections: bool,
    state: StatePart,
    may_change: bool,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<AssetId>,
    history: Listing,
) -> Answer {
    draw(&caller, id, &history, FormView::default()).await
}

/// Draws the page; the form is that of the Publish menu.
pub(super) async fn draw(
    caller: &PageCaller,
    id: AssetId,
    history: &Listing,
    form: FormView,
) -> Answer {
    let read = caller.work(WEIGHT, |caller| async move {
        let mut detail = sync::read_asset(&caller.context(), id).await?;
        let tags = tags_of(&detail.asset);
        let fields = fields::list(&caller.context()).await?;
        let warnings = AssetWarnings::of(&detail.asset, &fields);
        let beginning = excerpt(&detail.asset.text.text, LONG_TEXT);
        let is_text_begun = beginning.is_some();
        if let Some(beginning) = beginning {
            detail.asset.text.text = beginning;
        }
        Ok((detail, tags, warnings, is_text_begun))
    });
    let (detail, (tags, more_tags), warnings, is_text_begun) = read.await?;
    let connections = sync::integration_choices(&caller.context()).await?;
    let menu = PublishMenu::of(caller, &detail, &connections).await?;
    let asset = detail.asset;
    let page = AssetPage {
        frame: caller.frame(Section::Assets, asset.name.as_str()),
        form,
        id: id.to_string(),
        name: asset.name.as_str().to_owned(),
        kind: asset_type(asset.form.kind()),
        subject: asset.form.subject().map(str::to_owned),
        preheader: asset.form.preheader().map(str::to_owned),
        tags,
        more_tags,
        warnings,
        is_made: asset.text.is_made,
        is_text_begun,
        text: asset.text.text,
        created_at: asset.created_at.into(),
        updated_at: asset.updated_at.into(),
        has_connections: !connections.is_empty(),
        menu,
        state: state_part(caller, id, history, &connections).await?,
        may_change: caller.may(Permission::ManageIntegrations),
    };
    respond::page_with(page.form.status(), &page)
}

/// The first merge tags of an asset, each once, and how many more there are.
fn tags_of(asset: &Asset) -> (Vec<String>, usize) {
    let parts = [
        asset.form.subject(),
        asset.form.preheader(),
        Some(asset.html.as_str()),
        Some(asset.text.text.as_str()),
    ];
    let mut seen = HashSet::new();
    let all = parts.into_iter().flatten().flat_map(tags);
    let shown = all.filter(|name| seen.insert(name.clone())).enumerate();
    let shown: Vec<String> =
        shown.filter(|(place, _)| *place < SHOWN_TAGS).map(|(_, name)| name.to_string()).collect();
    let more = seen.len() - shown.len();
    (shown, more)
}
