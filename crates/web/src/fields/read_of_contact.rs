//! `GET /contacts/{id}/field-values`

use actix_web::HttpResponse;

use contact_hub_domain::fields;
use contact_hub_domain::ids::ContactId;

use super::json::field_values_json;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, Conditions, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let detail = fields::read_of_contact(&caller.context(), id).await?;
    let version = detail.contact.updated_at;
    Ok(envelope::versioned(&field_values_json(&detail), version, &conditions))
}
