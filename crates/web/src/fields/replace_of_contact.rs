//! `PUT /contacts/{id}/field-values`

use actix_web::HttpResponse;

use contact_hub_domain::fields::{self, ReplacementDraft};
use contact_hub_domain::ids::ContactId;

use super::json::field_values_json;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, Conditions, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = ReplacementDraft { field_values: body.object()?.members("field_values") };
    let expected = conditions.expected();
    let detail = fields::replace_of_contact(&caller.context(), id, &draft, expected).await?;
    let data = field_values_json(&detail);
    Ok(envelope::changed(&data, detail.contact.updated_at))
}
