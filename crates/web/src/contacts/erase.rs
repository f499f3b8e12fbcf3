//! Erase one contact.

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::json::erasure_draft;
use super::shapes::ERASURE_INPUT;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    PEOPLE
        .on(POST, "/contacts/{id}/erase", handle)
        .operation("eraseContact", "Erase one contact", Success::Nothing)
        .details(
            "Removes an active or deleted contact from everything that is stored, in one transaction. Only entries \
             of the change feed and of the audit stay, without its data, the last of them `contact.erased`. This \
             cannot be undone. With `block` a keyed hash of the email stays too, and no contact can have the email \
             until it is unblocked. The body may be left out.",
        )
        .reads(ERASURE_INPUT)
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    body: OptionalBody<STANDARD_BODY>,
) -> Answer {
    let draft = erasure_draft(&body.object()?);
    contacts::erase(&caller.context(), id, &draft).await?;
    Ok(HttpResponse::NoContent().finish())
}
