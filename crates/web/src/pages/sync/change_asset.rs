//! `GET` and `POST /assets/{id}/edit`

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncError};

use super::asset_form::{change, draw, filled};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

/// Why an asset was not changed.
enum Refusal {
    /// Somebody else has changed it since the form was opened.
    Conflict(FormView),
    Error(SyncError),
}

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<AssetId>) -> Answer {
    let detail = sync::read_asset(&caller.context(), id).await?;
    let named = Named::new(&id, detail.asset.name.as_str());
    draw(&caller, filled(&detail.asset), Some(named)).await
}

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<AssetId>, form: Form) -> Answer {
    let input = form.clone();
    let changed = caller.work(form.weight(), |caller| async move {
        let cx = caller.context();
        let before = sync::read_asset(&cx, id).await?.asset;
        let name = before.name.clone();
        let changed = match FormView::conflicting(&input, filled(&before)) {
            Some(conflict) => Err(Refusal::Conflict(conflict)),
            None => {
                sync::change_asset(&cx, id, change(&input, &before)).await.map_err(Refusal::Error)
            }
        };
        Ok((name, changed))
    });
    let (name, changed) = changed.await?;
    match changed {
        Err(Refusal::Conflict(conflict)) => {
            draw(&caller, conflict, Some(Named::new(&id, name.as_str()))).await
        }
        Ok(_detail) => Ok(respond::done(&caller, &format!("/assets/{id}"), Notice::AssetChanged)),
        Err(Refusal::Error(error)) => {
            let named = Named::new(&id, name.as_str());
            draw(&caller, FormView::refused(&form, error)?, Some(named)).await
        }
    }
}
