//! Lists of contacts with one value of a field, which are created nearly in the order of their ids.

use contact_hub_domain::contacts::{
    ContactStore, ListDraft, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_storage::{Storage, record_plans, take_plans};
use contact_hub_web::FromQuery as _;
use uuid::Builder;

use crate::indexed_values::{built, fields, score, set};
use crate::plans::with_own_plans;
use crate::sample::{at, new_contact, page_of, stored_company};

/// Contacts; a tenth of them have the value.
const CONTACTS: i64 = 2000;

/// How many pages are compared from each end.
const PAGES: usize = 6;

/// The times of the ids.
#[derive(Clone, Copy, Debug, PartialEq)]
enum IdTimes {
    /// That of the test: no id has the time of its contact.
    Now,
    /// Up to 0.9 s from the creation.
    NearCreation,
    /// The same, but for the last contact with the value: its id is the first one.
    OneIsFirst,
    /// The same, but for the first contact with the value: its id is the last one.
    OneIsLast,
}

/// The contact of this number. Of those with the value, some are created before others with lower ids, and some together.
fn contact(n: i64, times: IdTimes, directory: &Directory) -> NewContact {
    let score = if n % 10 == 0 { "5" } else { "6" };
    let new = new_contact(directory, &format!("p{n}@example.com"), &[("score", score)]);
    let place = n / 10;
    let at = at(60_000 * (place - place * 3 % 4));
    let milliseconds = match times {
        IdTimes::Now => return NewContact { at, ..new },
        IdTimes::OneIsFirst if n == CONTACTS - 10 => 1,
        IdTimes::OneIsLast if n == 0 => (1 << 48) - 1,
        _ => at.micros() / 1000 + n * 7919 % 1801 - 900,
    };
    let milliseconds = u64::try_from(milliseconds).expect("after 1970");
    let random = new.id.uuid().into_bytes();
    let random = random.last_chunk().expect("it has 16 bytes");
    let id = Builder::from_unix_timestamp_millis(milliseconds, random).into_uuid();
    NewContact { id: ContactId::new(id), at, ..new }
}

fn query(text: &str, directory: &Directory) -> ListQuery {
    ListDraft::from_query(text).expect("a draft").validate(directory).expect("a valid query")
}

/// Compares pages, with and without the total, with the ids of all matches.
async fn compare(
    storage: &Storage,
    company: CompanyId,
    directory: &Directory,
    sort: &str,
    ids: &[ContactId],
) {
    let pages: Vec<_> = ids.chunks(5).enumerate().collect();
    let ends = pages.iter().take(PAGES).chain(pages.iter().rev().take(PAGES));
    for (place, expected) in ends {
        let number = place + 1;
        let list =
            format!("filter[field:score]=5&sort[]={sort}&page[size]=5&page[number]={number}");
        let page = page_of(storage, company, query(&list, directory)).await;
        let found: Vec<_> = page.items.iter().map(|contact| contact.id).collect();
        assert_eq!(found, *expected, "{list}");
        let start = Start::Skipping(u64::try_from(5 * place).expect("few"));
        let part = PartRequest { start, contacts: 5, bytes: 1 << 20 };
        let part = storage.list_part(company, query(&list, directory), part).await;
        let found: Vec<_> = part.expect("a part").contacts.iter().map(|it| it.id).collect();
        assert_eq!(found, *expected, "{list}, without a total");
    }
}

/// Compares pages from both ends in both orders.
async fn compare_all(times: IdTimes) {
    let Some(database) = with_own_plans() else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let field = score(&storage, &company).await;
    set(&storage, &company, &field, true).await;
    built(&storage, &company).await;
    let directory = fields(&storage, &company).await;
    let contacts: Vec<NewContact> = (0..CONTACTS).map(|n| contact(n, times, &directory)).collect();
    let mut created: Vec<_> = contacts.iter().step_by(10).map(|new| (new.at, new.id)).collect();
    for contacts in contacts.chunks(1000) {
        let bulk = storage.upsert_many(company.id.into(), contacts.to_vec(), 0, at(0));
        bulk.await.expect("a bulk");
    }
    record_plans(&database.url());
    created.sort_unstable();
    let mut ids: Vec<ContactId> = created.iter().map(|(_, id)| *id).collect();
    compare(&storage, company.id, &directory, "created_at", &ids).await;
    ids.reverse();
    compare(&storage, company.id, &directory, "-created_at", &ids).await;
    let plans = take_plans(&database.url());
    for bound in ["<= (SELECT max", ">= (SELECT min"] {
        let is_used = plans.iter().any(|plan| plan.statement.contains(bound));
        assert_eq!(is_used, !database.is_postgres(), "{bound}: {plans:#?}");
    }
    for range in ["sort_key=? AND contact_id<?)", "sort_key=? AND contact_id>?)"] {
        let is_used = plans.iter().any(|plan| plan.plan.iter().any(|line| line.contains(range)));
        assert_eq!(is_used, !database.is_postgres(), "{range}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_contacts_with_one_value_are_in_the_order_of_their_creation() {
    compare_all(IdTimes::NearCreation).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_one_value_are_in_order_if_no_id_has_the_time_of_its_contact() {
    compare_all(IdTimes::Now).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_one_value_are_in_order_if_the_last_contact_has_the_first_id() {
    compare_all(IdTimes::OneIsFirst).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_one_value_are_in_order_if_the_first_contact_has_the_last_id() {
    compare_all(IdTimes::OneIsLast).await;
}
