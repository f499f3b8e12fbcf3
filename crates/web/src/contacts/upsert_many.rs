//! `POST /contacts/bulk`

use actix_web::HttpResponse;

use contact_hub_domain::contacts;

use super::json::{BulkResultJson, bulk_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{BULK_BODY, Body, Caller};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<BULK_BODY>,
) -> Result<HttpResponse, ApiError> {
    let outcome = caller.work(body.weight(), |caller| async move {
        let draft = bulk_draft(&body.object()?);
        drop(body);
        let result = contacts::upsert_many(&caller.context(), &draft).await?;
        envelope::written(&BulkResultJson::from(&result))
    });
    Ok(envelope::ok_written(outcome.await?))
}
