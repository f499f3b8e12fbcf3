//! What is read at once has no more bytes of values than are allowed. The use cases allow many, so the ports are called.

use contact_hub_domain::contacts::{
    Contact, ListOutcome, ListQuery, LookupOutcome, PartRequest, Place, Start, Wanted,
};
use contact_hub_domain::page::PageRequest;

use super::{Cx, contact, field};

/// The length of each value. Adapters count quotes and keys or not, so limits are at some distance.
const LENGTH: usize = 1000;

/// Three contacts, in the default order.
async fn three(cx: &Cx<'_>) -> Vec<Contact> {
    field(cx, "Text", false).await.expect("a field");
    let text = "x".repeat(LENGTH);
    let mut contacts = Vec::new();
    for email in ["a@x.example", "b@x.example", "c@x.example"] {
        contacts.push(contact(cx, email, Some(("text", &text))).await);
    }
    contacts.sort_by_key(|it| (it.created_at, it.id));
    contacts
}

pub(super) async fn look_ups_are_bounded(cx: &Cx<'_>) {
    let contacts = three(cx).await;
    let company = cx.caller.company.id;
    let ids: Vec<_> = contacts.iter().map(|it| it.id).collect();
    let identities = contacts.iter().map(|it| it.email.identity().to_owned()).collect();
    for wanted in [Wanted::Ids(ids.clone()), Wanted::Identities(identities)] {
        for (bytes, fits) in [(u32::MAX, true), (3300, true), (2900, false), (1, false)] {
            let found = cx.ports.contacts.look_up(company, wanted.clone(), bytes).await;
            let found = match found.expect("a look-up") {
                LookupOutcome::Found(found) => Some(found.len()),
                LookupOutcome::TooLarge => None,
            };
            assert_eq!(found, fits.then_some(3), "a look-up of {bytes} bytes");
        }
    }
    let one = Wanted::Ids(ids.into_iter().take(1).collect());
    let found = cx.ports.contacts.look_up(company, one, 1300).await.expect("a look-up");
    assert!(matches!(found, LookupOutcome::Found(_)), "only the wanted contacts count");
}

pub(super) async fn pages_are_bounded(cx: &Cx<'_>) {
    let contacts = three(cx).await;
    // Only the values of the page count, and none that need not be read.
    for (number, size, omits_values, bytes, expected) in [
        (1, 3, false, u32::MAX, Some(&contacts[..])),
        (1, 3, false, 3300, Some(&contacts[..])),
        (1, 3, false, 2900, None),
        (1, 2, false, 2300, Some(&contacts[..2])),
        (1, 2, false, 1900, None),
        (2, 2, false, 1300, Some(&contacts[2..])),
        (3, 2, false, 1, Some(&[])),
        (1, 3, true, 1, Some(&contacts[..])),
    ] {
        let page = PageRequest::new(number, size).expect("a page");
        let query = ListQuery { page, omits_values, ..ListQuery::default() };
        let outcome = cx.ports.contacts.list(cx.caller.company.id, query.clone(), bytes).await;
        let listed = match outcome.expect("a page") {
            ListOutcome::Listed(page) => Some(ids(&page.items)),
            ListOutcome::TooLarge => None,
        };
        assert_eq!(listed, expected.map(ids), "{query:?} of {bytes} bytes");
    }
}

/// A part ends with the contact at which it reaches the size, and says whether others follow.
pub(super) async fn parts_are_bounded(cx: &Cx<'_>) {
    let contacts = three(cx).await;
    let query = ListQuery::default();
    let first = || Start::Behind(Place::of(&contacts[0], &query.sorts));
    for (start, most, bytes, expected) in [
        (Start::Skipping(0), 3, u32::MAX, 0..3),
        (Start::Skipping(0), 3, 1, 0..1),
        (Start::Skipping(0), 3, 500, 0..1),
        (Start::Skipping(0), 3, 1500, 0..2),
        (Start::Skipping(0), 3, 2500, 0..3),
        (Start::Skipping(0), 2, u32::MAX, 0..2),
        (Start::Skipping(2), 3, 1, 2..3),
        (Start::Skipping(3), 3, 500, 3..3),
        (first(), 3, 500, 1..2),
        (first(), 1, u32::MAX, 1..2),
        (first(), 3, 1500, 1..3),
    ] {
        let part = PartRequest { start, contacts: most, bytes };
        let company = cx.caller.company.id;
        let read = cx.ports.contacts.list_part(company, query.clone(), part.clone()).await;
        let read = read.expect("a part");
        let goes_on = expected.end < contacts.len();
        assert_eq!(
            (ids(&read.contacts), read.goes_on),
            (ids(&contacts[expected]), goes_on),
            "{part:?}"
        );
    }
}

fn ids(contacts: &[Contact]) -> Vec<String> {
    contacts.iter().map(|contact| contact.id.to_string()).collect()
}
