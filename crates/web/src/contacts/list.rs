//! List contacts.

use contact_hub_domain::contacts::{self, ListQuery};

use super::json::ContactJson;
use super::shapes::CONTACT;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(GET, "/contacts", handle)
        .operation("listContacts", "List contacts", Success::Page(CONTACT))
        .details("Active contacts without their values; filters and search all have to fit.")
}

async fn handle(caller: Caller, Asked(query): Asked<ListQuery>) -> Answer {
    let page = contacts::list(&caller.context(), query).await?;
    let data: Vec<_> = page.items.iter().map(ContactJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
