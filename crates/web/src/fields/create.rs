//! Create a field.

use contact_hub_domain::fields;

use super::json::{FieldJson, field_draft};
use super::shapes::{FIELD, FIELD_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    FIELDS
        .on(POST, "/fields", handle)
        .operation("createField", "Create a field", Success::Created(FIELD))
        .details("The key is derived from the name; use the one of the answer when setting values.")
        .reads(FIELD_INPUT)
        .fails(&[Code::FieldAlreadyExists])
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let field = fields::create(&caller.context(), &field_draft(&body.object()?)).await?;
    // A single field has no address of its own; its values have.
    let location = caller.contacts_url(&format!("/fields/{}/values", field.id));
    Ok(envelope::created(&FieldJson::from(&field), &location))
}
