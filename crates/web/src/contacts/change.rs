//! Change one contact.

use contact_hub_domain::contacts::{self, ChangedValues};
use contact_hub_domain::ids::ContactId;

use super::json::{ContactDetailJson, change_draft};
use super::shapes::{CONTACT_CHANGE_INPUT, CONTACT_DETAIL};
use crate::endpoint::prelude::*;
use crate::extract::tag;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(PATCH, "/contacts/{id}", handle)
        .operation("changeContact", "Change one contact", Success::Changed(CONTACT_DETAIL))
        .details(
            "Changes what the body has, which is at least one property. Field values are merged: a \
             value is set, null removes it, and the others stay. A change after which nothing \
             differs keeps the version.",
        )
        .reads(CONTACT_CHANGE_INPUT)
        .fails(&[Code::EmailDomainNotAllowed, Code::ContactAlreadyExists, Code::ContactErased])
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<ContactId>,
    conditions: Conditions,
    body: Body<STANDARD_BODY>,
) -> Answer {
    let draft = change_draft(&body.object()?);
    let (values, expected) = (ChangedValues::OfCall, conditions.expected());
    let detail = contacts::change(&caller.context(), id, &draft, values, expected).await?;
    Ok(envelope::changed(&ContactDetailJson::from(&detail), tag(&detail)))
}
