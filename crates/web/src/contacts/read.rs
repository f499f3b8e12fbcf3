//! `GET /contacts/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::contacts::{self, ContactsError};
use contact_hub_domain::ids::ContactId;

use super::json::ContactDetailJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    let detail = contacts::read(&caller.context(), id).await?;
    Ok(envelope::ok(&ContactDetailJson::from(&detail)))
}
