//! `POST /fields`

use actix_web::HttpResponse;

use contact_hub_domain::fields;

use super::json::{FieldJson, field_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let field = fields::create(&caller.context(), &field_draft(&body.object()?)).await?;
    // A single field has no address of its own; its values have.
    let location = caller.contacts_url(&format!("/fields/{}/values", field.id));
    Ok(envelope::created(&FieldJson::from(&field), &location))
}
