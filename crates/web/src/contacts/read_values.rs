//! Read the values of a contact.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::json::field_values_json;
use crate::endpoint::prelude::*;
use crate::extract::tag;
use crate::fields::shapes::FIELD_VALUE;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(GET, "/contacts/{id}/field-values", handle)
        .operation(
            "readFieldValues",
            "Read the values of a contact",
            Success::VersionedList(FIELD_VALUE),
        )
        .details("In the order of the fields' creation, as in the detail of the contact.")
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>, conditions: Conditions) -> Answer {
    let detail = contacts::read(&caller.context(), id).await?;
    Ok(envelope::versioned(&field_values_json(&detail), tag(&detail), &conditions))
}
