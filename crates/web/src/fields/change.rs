//! Change a field.

use contact_hub_domain::fields;
use contact_hub_domain::ids::FieldId;

use super::json::{FieldJson, field_change};
use super::shapes::{FIELD, FIELD_CHANGE};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    FIELDS
        .on(PATCH, "/fields/{id}", handle)
        .operation("changeField", "Change a field", Success::One(FIELD))
        .details(
            "What is absent stays; the key and the type never change. An archived field takes no new values, but \
             contacts keep those that they have, also when their other values are replaced. It does not count against \
             the number of fields, and its key stays taken.",
        )
        .reads(FIELD_CHANGE)
}

async fn handle(caller: Caller, PathId(id): PathId<FieldId>, body: Body<STANDARD_BODY>) -> Answer {
    let change = field_change(&body.object()?);
    let field = fields::change(&caller.context(), id, &change).await?;
    Ok(envelope::ok(&FieldJson::from(&field)))
}
