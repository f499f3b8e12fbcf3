//! Create or restore a contact.

use contact_hub_domain::contacts::{self, ContactDetail};

use super::json::{ContactJson, contact_draft};
use super::shapes::{CONTACT, CONTACT_INPUT};
use crate::endpoint::prelude::*;
use crate::extract::tag;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(POST, "/contacts", handle)
        .operation("createContact", "Create or restore a contact", Success::CreatedVersion(CONTACT))
        .details(
            "Creates only: an active contact with the email is a conflict. A deleted one is \
             restored under its old id.",
        )
        .reads(CONTACT_INPUT)
        .recognized_by_write()
        .fails(&[Code::EmailDomainNotAllowed, Code::ContactAlreadyExists, Code::ContactErased])
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let draft = contact_draft(&body.object()?);
    let (created, fields) = contacts::create_with_fields(&caller.context(), &draft).await?;
    let detail = ContactDetail::of(created.contact().clone(), fields);
    let location = caller.contacts_url(&format!("/contacts/{}", detail.contact.id));
    let data = ContactJson::from(&detail.contact);
    Ok(envelope::created_versioned(&data, &location, tag(&detail)))
}
