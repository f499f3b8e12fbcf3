//! `DELETE /contacts/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use crate::error::ApiError;
use crate::extract::{Caller, Conditions, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    contacts::delete(&caller.context(), id, conditions.expected()).await?;
    Ok(HttpResponse::NoContent().finish())
}
