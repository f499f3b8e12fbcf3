//! `POST /contacts`

use actix_web::HttpResponse;

use contact_hub_domain::contacts;

use super::json::{ContactJson, contact_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let created = contacts::create(&caller.context(), &contact_draft(&body.object()?)).await?;
    let contact = created.contact();
    let location = caller.contacts_url(&format!("/contacts/{}", contact.id));
    let data = ContactJson::from(contact);
    Ok(envelope::created_versioned(&data, &location, contact.updated_at))
}
