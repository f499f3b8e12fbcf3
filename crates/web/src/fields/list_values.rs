//! List the distinct values in use for a field.

use contact_hub_domain::fields::{self, ValuesQuery};
use contact_hub_domain::ids::FieldId;

use super::json::Shown;
use super::shapes::SCALAR;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    FIELDS
        .on(GET, "/fields/{id}/values", handle)
        .operation(
            "listFieldValues",
            "List the distinct values in use for a field",
            Success::Page(SCALAR),
        )
        .details("Values of active contacts, ascending in the order of the field's type.")
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<FieldId>,
    Asked(query): Asked<ValuesQuery>,
) -> Answer {
    let page = fields::list_values(&caller.context(), id, query).await?;
    let data: Vec<_> = page.items.iter().map(Shown).collect();
    Ok(envelope::page(&data, page.meta))
}
