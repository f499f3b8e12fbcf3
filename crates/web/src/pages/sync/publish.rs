//! `POST /assets/{id}/syncs`: request a sync to a connection.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncDraft};

use super::read_asset::draw;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::listing::Listing;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<AssetId>, form: Form) -> Answer {
    let draft = SyncDraft { integration_id: form.input("integration_id") };
    match sync::request(&caller.context(), id, &draft).await {
        Ok(_sync) => Ok(respond::done(&caller, &format!("/assets/{id}"), Notice::SyncRequested)),
        Err(error) => {
            draw(&caller, id, &Listing::default(), FormView::refused(&form, error)?).await
        }
    }
}
