//! `GET /contacts/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::json::ContactDetailJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, Conditions, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let detail = contacts::read(&caller.context(), id).await?;
    let version = detail.contact.updated_at;
    Ok(envelope::versioned(&ContactDetailJson::from(&detail), version, &conditions))
}
