//! Replace the values of a contact.

use contact_hub_domain::contacts::{self, ReplacementDraft};
use contact_hub_domain::ids::ContactId;

use super::json::field_values_json;
use super::shapes::FIELD_VALUES_INPUT;
use crate::endpoint::prelude::*;
use crate::extract::tag;
use crate::fields::shapes::FIELD_VALUE;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(PUT, "/contacts/{id}/field-values", handle)
        .operation(
            "replaceFieldValues",
            "Replace the values of a contact",
            Success::Replaced(FIELD_VALUE),
        )
        .details("Replaces all: a value whose field is absent from the request is removed.")
        .reads(FIELD_VALUES_INPUT)
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = ReplacementDraft { field_values: body.object()?.members("field_values") };
    let expected = conditions.expected();
    let detail = contacts::replace_values(&caller.context(), id, &draft, expected).await?;
    Ok(envelope::changed(&field_values_json(&detail), tag(&detail)))
}
