//! `POST /contacts/{id}/delete`

use actix_web::HttpResponse;

use contact_hub_domain::contacts::{self, ContactsError, ExpectedVersion};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::time::Timestamp;

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
    let seen = form.text("version").parse().ok().and_then(Timestamp::from_micros);
    let expected = ExpectedVersion::OneOf(seen.into_iter().collect());
    contacts::delete(&caller.context(), id, expected).await?;
    Ok(respond::done(&caller, "/contacts", Notice::ContactDeleted))
}
