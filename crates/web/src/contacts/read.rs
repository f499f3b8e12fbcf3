//! `GET /contacts/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::contacts::{self, ContactsError};
use contact_hub_domain::ids::ContactId;

use super::json::ContactDetailJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, Conditions, PathId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    let detail = contacts::read(&caller.context(), id).await?;
    let version = detail.contact.updated_at;
    Ok(envelope::versioned(&ContactDetailJson::from(&detail), version, &conditions))
}
