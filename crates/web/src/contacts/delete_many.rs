//! Delete many contacts.

use serde_json::json;

use contact_hub_domain::access::Bucket;
use contact_hub_domain::contacts::{self, DeletionDraft, MAX_BULK_DELETE};

use super::shapes::{BULK_DELETE_INPUT, BULK_DELETE_RESULT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(DELETE, "/contacts/bulk", handle)
        .counts_in(Bucket::Bulk)
        .operation("deleteContacts", "Delete many contacts", Success::One(BULK_DELETE_RESULT))
        .details("Ids that are unknown or deleted already are ignored and not counted.")
        .reads(BULK_DELETE_INPUT)
}

pub(crate) fn endpoint_for_proxies() -> Endpoint {
    CONTACTS
        .on(POST, "/contacts/bulk-delete", handle)
        .counts_in(Bucket::Bulk)
        .operation(
            "deleteContactsByPost",
            "Delete many contacts, for proxies that drop a DELETE's body",
            Success::One(BULK_DELETE_RESULT),
        )
        .details("Ids that are unknown or deleted already are ignored and not counted.")
        .reads(BULK_DELETE_INPUT)
}

async fn handle(caller: Caller, body: Body<BULK_BODY>) -> Answer {
    let deleted = caller.work(body.weight(), |caller| async move {
        let draft = DeletionDraft { ids: body.object()?.scalars("ids", MAX_BULK_DELETE) };
        drop(body);
        Ok(contacts::delete_many(&caller.context(), &draft).await?)
    });
    Ok(envelope::ok(&json!({"deleted": deleted.await?})))
}
