//! Erase one contact.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    PEOPLE
        .on(POST, "/contacts/{id}/erase", handle)
        .operation("eraseContact", "Erase one contact", Success::Nothing)
        .details(
            "Removes an active or deleted contact from everything that is stored, in one transaction. Only the \
             entry `contact.erased` of the change feed stays. This cannot be undone.",
        )
}

async fn handle(caller: Caller, PathId(id): PathId<ContactId>) -> Answer {
    contacts::erase(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
