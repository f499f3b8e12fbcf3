//! `POST /contacts/{id}/delete`

use actix_web::HttpResponse;

use contact_hub_domain::contacts::{self, ContactsError};
use contact_hub_domain::ids::ContactId;

use super::version::{expected, told};
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    id: PathId,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    contacts::delete(&caller.context(), id, expected(&form)).await.map_err(told)?;
    Ok(respond::done(&caller, "/contacts", Notice::ContactDeleted))
}
