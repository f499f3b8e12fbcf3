//! Unblock the email of an erased person.

use contact_hub_domain::contacts;

use super::json::unblock_draft;
use super::shapes::UNBLOCK_INPUT;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    PEOPLE
        .on(POST, "/erasures/unblock", handle)
        .operation("unblockEmail", "Unblock the email of an erased person", Success::Nothing)
        .details(
            "Contacts can have the email again. It succeeds also when the email was not blocked.",
        )
        .reads(UNBLOCK_INPUT)
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    contacts::unblock(&caller.context(), &unblock_draft(&body.object()?)).await?;
    Ok(HttpResponse::NoContent().finish())
}
