//! `GET /fields`

use actix_web::HttpResponse;

use contact_hub_domain::fields;

use super::json::FieldJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller) -> Result<HttpResponse, ApiError> {
    let directory = fields::list(&caller.context()).await?;
    let data: Vec<_> = directory.fields().iter().map(FieldJson::from).collect();
    Ok(envelope::ok(&data))
}
