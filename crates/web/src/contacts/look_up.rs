//! Look up many contacts.

use serde_json::json;

use contact_hub_domain::contacts::{self, LookupDraft, MAX_LOOKUP};

use super::json::ContactDetailJson;
use super::shapes::{CONTACT_DETAIL, LOOKUP_INPUT};
use crate::endpoint::prelude::*;

/// The memory that a thousand contacts with typical values need, in bytes.
const WEIGHT: usize = 8 << 20;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(POST, "/contacts/lookup", handle)
        .operation(
            "lookUpContacts",
            "Look up many contacts by id or by email",
            Success::LookedUp(CONTACT_DETAIL),
        )
        .details(
            "The contacts with their values, each once, in the order of the entries. `meta.missing` \
             has the entries that no active contact has. Contacts with more than 16 MiB of values together are rejected with \
             422: ask for fewer.",
        )
        .reads(LOOKUP_INPUT)
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let outcome = caller.work(WEIGHT, |caller| async move {
        let object = body.object()?;
        let draft = LookupDraft {
            ids: object.scalars("ids", MAX_LOOKUP),
            emails: object.scalars("emails", MAX_LOOKUP),
        };
        drop(object);
        drop(body);
        let found = contacts::look_up(&caller.context(), &draft).await?;
        let data: Vec<_> = found.contacts.iter().map(ContactDetailJson::from).collect();
        envelope::written_with_meta(&data, &json!({"missing": found.missing}))
    });
    Ok(envelope::ok_written(outcome.await?))
}
