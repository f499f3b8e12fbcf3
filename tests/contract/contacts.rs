//! The duties of [`ContactStore`] for one contact, line by line.

use std::sync::Arc;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{
    Contact, ContactStore, CreateContactOutcome, DeleteContactOutcome, ExpectedVersion, ListQuery,
    Part, PartRequest, Place, Start,
};
use contact_hub_domain::fields::{Directory, FieldStore, FieldValue};
use contact_hub_domain::ids::ContactId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use uuid::Uuid;

use crate::sample::{at, new_contact, stored_company, stored_field};

/// A company with three fields.
async fn prepared(storage: &Storage) -> (Company, Arc<Directory>) {
    let company = stored_company(storage).await;
    for name in ["One", "Two", "Three"] {
        stored_field(storage, &company, name).await;
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    (company, directory)
}

async fn delete(storage: &Storage, company: &Company, id: ContactId) {
    let outcome = storage.delete(company.id.into(), id, ExpectedVersion::Any, at(9)).await;
    assert_eq!(outcome.expect("an outcome"), DeleteContactOutcome::Deleted);
}

async fn read(storage: &Storage, company: &Company, id: ContactId) -> Option<Contact> {
    ContactStore::read(storage, company.id, id).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_contact_is_stored_as_submitted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let new = new_contact(&directory, "Ann@Exämple.de", &[("one", "1.50"), ("two", "-1e400")]);
    let outcome = ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
    assert_eq!(outcome, CreateContactOutcome::Created(new.created()));
    assert_eq!(read(&storage, &company, new.id).await, Some(new.created()));
    let spelled = read(&database.storage(), &company, new.id).await.unwrap();
    let shown: Vec<_> = spelled.field_values.values().map(FieldValue::to_json).collect();
    assert_eq!(shown, ["1.50", "-1e400"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_email_of_an_active_contact_is_taken_and_nothing_is_written() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let first = new_contact(&directory, "ann@exämple.de", &[("one", "1")]);
    ContactStore::create(&storage, company.id.into(), first.clone()).await.unwrap();
    let second = new_contact(&directory, "ANN@xn--exmple-cua.DE", &[("one", "2"), ("two", "2")]);
    let outcome = ContactStore::create(&storage, company.id.into(), second.clone()).await.unwrap();
    assert_eq!(outcome, CreateContactOutcome::EmailTaken(first.id));
    assert_eq!(read(&storage, &company, first.id).await, Some(first.created()));
    assert_eq!(read(&storage, &company, second.id).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_contact_is_stored_as_restored() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let old = new_contact(&directory, "ann@example.com", &[("one", "1"), ("two", "2")]);
    ContactStore::create(&storage, company.id.into(), old.clone()).await.unwrap();
    delete(&storage, &company, old.id).await;
    let mut new = new_contact(&directory, "ANN@example.com", &[("two", "22"), ("three", "3")]);
    new.at = at(1_000_000);
    let outcome = ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
    let CreateContactOutcome::Restored(restored) = outcome else { panic!("{outcome:?}") };
    let expected = new.restored(&old.created());
    assert_eq!((restored.id, restored.created_at), (old.id, old.at));
    assert_eq!(restored, expected);
    assert_eq!(read(&storage, &company, old.id).await, Some(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_create_once_and_restore_once() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    let mut holder = None;
    for _ in 0..2 {
        let calls = (0..16).map(|n| {
            let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
            let new = new_contact(&directory, "ann@example.com", &[("one", "1"), ("two", "2")]);
            let company = company.id;
            tokio::spawn(async move { ContactStore::create(&storage, company.into(), new).await })
        });
        let (mut made, mut taken) = (Vec::new(), Vec::new());
        for call in calls.collect::<Vec<_>>() {
            match call.await.unwrap().unwrap() {
                CreateContactOutcome::Created(contact)
                | CreateContactOutcome::Restored(contact) => {
                    made.push(contact.id);
                }
                CreateContactOutcome::EmailTaken(id) => taken.push(id),
                CreateContactOutcome::EmailBlocked => unreachable!("nobody was erased"),
            }
        }
        assert_eq!(made.len(), 1);
        assert_eq!(taken, vec![made[0]; 15]);
        assert_eq!(*holder.get_or_insert(made[0]), made[0]);
        delete(&one, &company, made[0]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_with_common_values_in_opposite_order_do_not_deadlock() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    let calls = (0..40).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let values = [("one", "1"), ("two", "2"), ("three", if n % 3 == 0 { "1" } else { "2" })];
        let new = new_contact(&directory, &format!("p{n}@example.com"), &values);
        let company = company.id;
        tokio::spawn(async move { ContactStore::create(&storage, company.into(), new).await })
    });
    for call in calls.collect::<Vec<_>>() {
        let outcome = call.await.unwrap().unwrap();
        assert!(matches!(outcome, CreateContactOutcome::Created(_)), "{outcome:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_method_only_sees_its_own_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (ours, our_fields) = prepared(&storage).await;
    let (theirs, their_fields) = prepared(&storage).await;
    let our_contact = new_contact(&our_fields, "ann@example.com", &[("one", "1")]);
    let their_contact = new_contact(&their_fields, "ann@example.com", &[("one", "2")]);
    for (company, new) in [(&ours, &our_contact), (&theirs, &their_contact)] {
        let outcome = ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
        assert_eq!(outcome, CreateContactOutcome::Created(new.created()));
    }
    assert_eq!(read(&storage, &theirs, our_contact.id).await, None);
    assert_eq!(read(&storage, &ours, their_contact.id).await, None);
    let outcome =
        storage.delete(theirs.id.into(), our_contact.id, ExpectedVersion::Any, at(9)).await;
    assert_eq!(outcome.unwrap(), DeleteContactOutcome::NotFound);
    assert_eq!(read(&storage, &ours, our_contact.id).await, Some(our_contact.created()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_and_a_deleted_contact_are_not_found() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    assert_eq!(read(&storage, &company, ContactId::new(Uuid::now_v7())).await, None);
    let new = new_contact(&directory, "ann@example.com", &[]);
    ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
    delete(&storage, &company, new.id).await;
    assert_eq!(read(&storage, &company, new.id).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn timestamps_are_stored_to_the_microsecond() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for (n, micros) in [-1, 0, 1, 999_999, 1_000_001].into_iter().enumerate() {
        let mut new = new_contact(&directory, &format!("p{n}@example.com"), &[]);
        new.at = at(micros);
        ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
        let stored = read(&storage, &company, new.id).await.unwrap();
        assert_eq!((stored.created_at, stored.updated_at), (new.at, new.at));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_every_matching_active_contact_once_in_creation_order() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let other = stored_company(&storage).await;
    let mut expected = Vec::new();
    for (place, moment) in [5, 5, 7, 6, 5, 8].into_iter().enumerate() {
        let mut new = new_contact(&directory, &format!("ann{place}@example.com"), &[("one", "1")]);
        new.at = at(moment);
        ContactStore::create(&storage, company.id.into(), new.clone()).await.unwrap();
        expected.push(new.created());
    }
    let unfit = new_contact(&directory, "bob@example.com", &[]);
    ContactStore::create(&storage, company.id.into(), unfit).await.unwrap();
    ContactStore::create(
        &storage,
        other.id.into(),
        new_contact(&directory, "ann@example.com", &[]),
    )
    .await
    .unwrap();
    delete(&storage, &company, expected.remove(2).id).await;
    expected.sort_by_key(|contact| (contact.created_at, contact.id));

    let query = ListQuery::from_query("search=ann&filter[email][startsWith]=ann").expect("a query");
    let parts = parts(&storage, &company, &query, 2, 1000).await;
    assert!(parts.iter().all(|part| part.contacts.len() == 2 || !part.goes_on));
    let found: Vec<Contact> = parts.into_iter().flat_map(|part| part.contacts).collect();
    assert_eq!(found, expected);
}

/// All parts of a list, each from the end of the previous one.
async fn parts(
    storage: &Storage,
    company: &Company,
    query: &ListQuery,
    contacts: u32,
    bytes: u32,
) -> Vec<Part> {
    let (mut parts, mut start) = (Vec::new(), Start::Skipping(0));
    loop {
        let part = PartRequest { start, contacts, bytes };
        let part = storage.list_part(company.id, query.clone(), part).await.expect("a part");
        let last = part.contacts.last().map(|last| Place::of(last, &query.sorts));
        let goes_on = part.goes_on;
        parts.push(part);
        match last.filter(|_| goes_on) {
            Some(place) => start = Start::Behind(place),
            None => return parts,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_an_export_ends_with_the_contact_that_reaches_the_byte_limit() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for (place, length) in [300, 300, 300, 900, 10].into_iter().enumerate() {
        let digits = "9".repeat(length);
        let mut new =
            new_contact(&directory, &format!("p{place}@example.com"), &[("one", digits.as_str())]);
        new.at = at(i64::try_from(place).unwrap());
        ContactStore::create(&storage, company.id.into(), new).await.unwrap();
    }
    let query = ListQuery::from_query("").expect("a query");
    let parts = parts(&storage, &company, &query, 100, 500).await;
    let lengths: Vec<usize> = parts.iter().map(|part| part.contacts.len()).collect();
    assert_eq!(lengths, [2, 2, 1]);
}
