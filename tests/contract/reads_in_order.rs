//! The feed, the audit, the contacts that are due for erasure and kept answers are read in index order. The plans are
//! checked when the database is dropped, as if its tables were large and had no statistics.

use std::time::Duration;

use contact_hub_domain::audit::{AuditAction, AuditCursor, AuditQuery, AuditStore};
use contact_hub_domain::changes::{
    After, ChangeStore, ChangeType, ChangesOutcome, ChangesQuery, Position,
};
use contact_hub_domain::contacts::{ContactStore, ErasureStore, ExpectedVersion, WantedDeleted};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::UserId;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{at, new_contact, stored_company};

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_is_read_with_and_without_types() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let new = new_contact(&Directory::default(), "a@x.example", &[]);
    ContactStore::create(&storage, company.into(), new).await.expect("a contact");
    for types in [Vec::new(), vec![ChangeType::ContactCreated, ChangeType::FieldUpdated]] {
        let query = ChangesQuery { types, size: 1000, wait: Duration::ZERO, after: After::Nothing };
        let first = storage.list_changes(company, query.clone()).await.expect("a page");
        assert!(matches!(&first, ChangesOutcome::Found(page) if page.entries.len() == 1));
        for (after, entries) in [(After::Entry(Position::default()), 1), (After::Latest, 0)] {
            let query = ChangesQuery { after, ..query.clone() };
            let page = storage.list_changes(company, query).await.expect("a page");
            assert!(matches!(&page, ChangesOutcome::Found(page) if page.entries.len() == entries));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_read_with_every_pair_of_filters() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let position = Position::default();
    for bits in 0..16_u8 {
        let has = |bit: u8| bits & bit != 0;
        let query = AuditQuery {
            actor: has(1).then(|| UserId::new(Uuid::nil())),
            action: has(2).then_some(AuditAction::ContactErased),
            object: has(4).then(Uuid::nil),
            from: has(8).then(|| at(0)),
            after: has(8).then(|| AuditCursor { at: at(7), position }),
            ..AuditQuery::default()
        };
        let page = storage.list_entries(company, query).await.expect("a page");
        assert!(page.next.is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_contacts_are_listed_in_order() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let mut ids = Vec::new();
    for n in 0..3 {
        let new = new_contact(&Directory::default(), &format!("a{n}@x.example"), &[]);
        ids.push(new.id);
        ContactStore::create(&storage, company.into(), new).await.expect("a contact");
    }
    for (n, id) in (0..).zip(&ids) {
        let gone =
            ContactStore::delete(&storage, company.into(), *id, ExpectedVersion::Any, at(n)).await;
        gone.expect("it is deleted");
    }
    let of = async |wanted| {
        let found = storage.deleted(company, wanted).await.expect("contacts");
        found.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(of(WantedDeleted::After(None, 2)).await, [ids[2], ids[1]]);
    assert_eq!(of(WantedDeleted::After(Some(ids[1]), 2)).await, [ids[0]]);
    assert_eq!(of(WantedDeleted::Ids(Vec::new())).await, []);
    assert_eq!(storage.restore(company.into(), Vec::new(), at(9)).await.expect("a number"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_that_are_due_are_found() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let due = storage.overdue(company, at(0), 100).await.expect("a list");
    assert!(due.is_empty());
    assert_eq!(storage.next_erasing(None).await.expect("none"), None);
}
