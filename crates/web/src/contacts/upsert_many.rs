//! Create or update many contacts.

use contact_hub_domain::access::Bucket;
use contact_hub_domain::contacts;

use super::json::{BulkResultJson, bulk_draft};
use super::shapes::{BULK_INPUT, BULK_RESULT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(POST, "/contacts/bulk", handle)
        .counts_in(Bucket::Bulk)
        .operation("upsertContacts", "Create or update many contacts", Success::One(BULK_RESULT))
        .details(
            "Contacts are matched by email; rows count as if one by one in their order. Valid \
             rows are processed even if others fail. An update leaves an absent `avatar_url` \
             and absent field values as they are.",
        )
        .reads(BULK_INPUT)
}

async fn handle(caller: Caller, body: Body<BULK_BODY>) -> Answer {
    let outcome = caller.work(body.weight(), |caller| async move {
        let draft = bulk_draft(&body.object()?);
        drop(body);
        let result = contacts::upsert_many(&caller.context(), draft).await?;
        envelope::written(&BulkResultJson::from(&result))
    });
    Ok(envelope::ok_written(outcome.await?))
}
