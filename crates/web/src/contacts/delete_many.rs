//! `DELETE /contacts/bulk`, and `POST /contacts/bulk-delete` for proxies that drop a DELETE's body.

use actix_web::HttpResponse;
use serde_json::json;

use contact_hub_domain::contacts::{self, DeletionDraft, MAX_BULK_DELETE};

use crate::envelope;
use crate::error::ApiError;
use crate::extract::{BULK_BODY, Body, Caller};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<BULK_BODY>,
) -> Result<HttpResponse, ApiError> {
    let deleted = caller.work(body.weight(), |caller| async move {
        let draft = DeletionDraft { ids: body.object()?.scalars("ids", MAX_BULK_DELETE) };
        drop(body);
        Ok(contacts::delete_many(&caller.context(), &draft).await?)
    });
    Ok(envelope::ok(&json!({"deleted": deleted.await?})))
}
