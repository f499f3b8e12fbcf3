//! List contacts.

use serde::Serialize;

use contact_hub_domain::contacts::{self, Contact};
use contact_hub_domain::context::{ContactPorts, Context};

use super::json::{ContactDetailJson, ContactJson};
use super::request::{ContactsRequest, Paging};
use super::shapes::LISTED_CONTACT;
use crate::endpoint::prelude::*;
use crate::envelope::{CursorMeta, Meta, UncountedMeta};

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(GET, "/contacts", handle)
        .operation("listContacts", "List contacts", Success::AnyPage(LISTED_CONTACT))
        .details(
            "Active contacts; filters and search all have to fit. With `page[after]` a list is read \
             from one place to the next, at the same cost from its beginning to its end: each contact \
             that matches unchanged meanwhile is met exactly once, and `meta` has only `per_page` and \
             `next`. Such a page may have fewer contacts when they have very many values: the list ends when `next` is \
             null. Strings are sorted by about their first thousand bytes. With `page[total]=false` nothing is counted. \
             A numbered page of several contacts with more than 16 MiB of values is rejected with 422.",
        )
}

async fn handle(caller: Caller, Asked(request): Asked<ContactsRequest>) -> Answer {
    let cx = caller.context();
    let (query, paging, with_values) = request.read(&cx).await?;
    let page = query.page;
    match paging {
        Paging::Counted => {
            let found = contacts::list(&cx, query).await?;
            answer(&cx, found.items, with_values, &Meta::from(found.meta)).await
        }
        Paging::Uncounted => {
            let found = contacts::list_uncounted(&cx, query).await?;
            let meta = UncountedMeta::new(page, found.len());
            answer(&cx, found, with_values, &meta).await
        }
        Paging::After(place) => {
            let found = contacts::list_after(&cx, query, place).await?;
            let meta = CursorMeta { per_page: page.size(), next: found.next };
            answer(&cx, found.contacts, with_values, &meta).await
        }
    }
}

async fn answer(
    cx: &Context<'_, ContactPorts>,
    contacts: Vec<Contact>,
    with_values: bool,
    meta: &impl Serialize,
) -> Answer {
    if !with_values {
        let data: Vec<_> = contacts.iter().map(ContactJson::from).collect();
        return Ok(envelope::with_meta(&data, meta));
    }
    let details = contacts::details(cx, contacts).await?;
    let data: Vec<_> = details.iter().map(ContactDetailJson::from).collect();
    Ok(envelope::with_meta(&data, meta))
}
