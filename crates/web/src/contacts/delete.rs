//! Delete one contact.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(DELETE, "/contacts/{id}", handle)
        .operation("deleteContact", "Delete one contact", Success::Nothing)
        .details("Creating a contact with its email restores it.")
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>, conditions: Conditions) -> Answer {
    contacts::delete(&caller.context(), id, conditions.expected()).await?;
    Ok(HttpResponse::NoContent().finish())
}
