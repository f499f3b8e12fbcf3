//! Concurrent creates of a company share transactions, and each has the outcome that it would have alone.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{
    ContactStore, CreateContactOutcome, ExpectedVersion, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::{Directory, FieldStore, ValuesQuery};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::ports::StoreError;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::sample::{at, new_contact, page_of, stored_company, stored_field};

/// Nothing here takes this long unless it waits for something that never happens.
const PATIENCE: Duration = Duration::from_secs(8);

async fn prepared(storage: &Storage) -> (Company, Arc<Directory>) {
    let company = stored_company(storage).await;
    stored_field(storage, &company, "One").await;
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    (company, directory)
}

fn person(directory: &Directory, n: usize) -> NewContact {
    let mut new = new_contact(directory, &format!("p{n}@example.com"), &[("one", "1")]);
    new.at = at(100);
    new
}

type Call = JoinHandle<Result<CreateContactOutcome, StoreError>>;

fn create(storage: &Storage, company: &Company, new: NewContact) -> Call {
    let (storage, company) = (storage.clone(), company.id);
    tokio::spawn(async move { ContactStore::create(&storage, company.into(), new).await })
}

async fn created(storage: &Storage, company: &Company, new: NewContact) {
    let outcome = create(storage, company, new).await.expect("it ends").expect("an outcome");
    assert!(matches!(outcome, CreateContactOutcome::Created(_)), "{outcome:?}");
}

async fn deleted(storage: &Storage, company: &Company, new: NewContact) {
    let id = new.id;
    created(storage, company, new).await;
    storage.delete(company.id.into(), id, ExpectedVersion::Any, at(101)).await.expect("an outcome");
}

/// The number of contacts.
async fn total(storage: &Storage, company: &Company) -> u64 {
    page_of(storage, company.id, ListQuery::default()).await.meta.total
}

/// Whether the value is counted once for each contact: it is in use until the last one is deleted.
async fn is_counted_exactly(storage: &Storage, company: &Company, directory: &Directory) -> bool {
    let field = directory.find("one").expect("a field").id;
    let in_use = async || {
        let values = storage.list_values(company.id, field, ValuesQuery::default()).await;
        values.expect("values").expect("a field").meta.total
    };
    let part = PartRequest { start: Start::Skipping(0), contacts: 1000, bytes: 1 << 20 };
    let part = storage.list_part(company.id, ListQuery::default(), part).await;
    let mut ids: Vec<ContactId> = part.expect("a part").contacts.iter().map(|it| it.id).collect();
    let last = ids.pop().expect("a contact");
    storage.delete_many(company.id.into(), ids, at(200)).await.expect("a number");
    let before = in_use().await;
    storage.delete_many(company.id.into(), vec![last], at(200)).await.expect("a number");
    (before, in_use().await) == (1, 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_creates_of_an_email_creates_and_the_others_find_it() {
    let database = TestDatabase::migrated();
    let (storage, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&storage).await;
    for n in 0..10 {
        deleted(&storage, &company, person(&directory, n)).await;
    }
    let calls: Vec<(usize, Call)> = (0..120)
        .map(|call| {
            let storage = if call % 3 == 0 { &other } else { &storage };
            (call % 30, create(storage, &company, person(&directory, call % 30)))
        })
        .collect();
    let mut holders = vec![Vec::new(); 30];
    let mut found = vec![Vec::new(); 30];
    for (n, call) in calls {
        match call.await.expect("it ends").expect("an outcome") {
            CreateContactOutcome::Created(contact) if n >= 10 => holders[n].push(contact.id),
            CreateContactOutcome::Restored(contact) if n < 10 => holders[n].push(contact.id),
            CreateContactOutcome::EmailTaken(id) => found[n].push(id),
            outcome => panic!("{n}: {outcome:?}"),
        }
    }
    for (holders, found) in holders.iter().zip(&found) {
        assert_eq!((holders.len(), found.len()), (1, 3));
        assert!(found.iter().all(|id| *id == holders[0]));
    }
    assert_eq!(total(&storage, &company).await, 30);
    assert!(is_counted_exactly(&storage, &company, &directory).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_creates_share_statements() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    created(&storage, &company, person(&directory, 200)).await;
    let before = storage.statements();
    let calls: Vec<Call> =
        (0..200).map(|n| create(&storage, &company, person(&directory, n))).collect();
    for call in calls {
        let outcome = call.await.expect("it ends").expect("an outcome");
        assert!(matches!(outcome, CreateContactOutcome::Created(_)));
    }
    // Separately, each takes four.
    let taken = storage.statements() - before;
    assert!(taken <= 200, "{taken} statements for 200 creates");
    assert_eq!(total(&storage, &company).await, 201);
    assert!(is_counted_exactly(&storage, &company, &directory).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_create_does_not_fail_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for n in 0..4 {
        deleted(&storage, &company, person(&directory, n)).await;
    }
    database.execute("UPDATE contacts SET field_values = '[]' WHERE email IN ('p1@example.com')");
    let calls: Vec<Call> =
        (0..40).map(|n| create(&storage, &company, person(&directory, n))).collect();
    for (n, call) in calls.into_iter().enumerate() {
        match call.await.expect("it ends") {
            Err(StoreError::Corrupt(_)) if n == 1 => {}
            Ok(CreateContactOutcome::Restored(_)) if n < 4 => {}
            Ok(CreateContactOutcome::Created(_)) if n >= 4 => {}
            outcome => panic!("{n}: {outcome:?}"),
        }
    }
    assert_eq!(total(&storage, &company).await, 39);
    assert!(is_counted_exactly(&storage, &company, &directory).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_that_waits_for_another_transaction_does_not_delay_others() {
    let database = TestDatabase::migrated();
    // On a cluster the short lock timeout is not passed on to the node.
    if !database.is_postgres() || database.cluster().is_some() {
        return;
    }
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    created(&storage, &company, person(&directory, 0)).await;
    let mut other = PgConnection::establish(database.url_text()).expect("PostgreSQL answers");
    let copy = "BEGIN; INSERT INTO contacts (id, company_id, email, email_identity, email_folded, first_name, \
         first_name_folded, last_name, last_name_folded, field_values, created_at, updated_at) \
         SELECT gen_random_uuid(), company_id, 'p1@example.com', 'p1@example.com', 'p1@example.com', first_name, \
         first_name_folded, last_name, last_name_folded, field_values, created_at, updated_at FROM contacts";
    other.batch_execute(copy).expect("an email that is not yet committed");
    let mut calls: Vec<Call> =
        (1..60).map(|n| create(&storage, &company, person(&directory, n))).collect();
    let waits = calls.remove(0);
    for call in calls {
        let outcome = timeout(PATIENCE, call).await.expect("it does not wait").expect("it ends");
        assert!(matches!(outcome, Ok(CreateContactOutcome::Created(_))), "{outcome:?}");
    }
    assert!(!waits.is_finished());
    other.batch_execute("COMMIT").expect("the email is taken");
    let outcome = waits.await.expect("it ends");
    assert!(matches!(outcome, Ok(CreateContactOutcome::EmailTaken(_))), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_whose_client_disconnects_does_not_block_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for round in 0..20 {
        let calls: Vec<Call> = (0..10)
            .map(|n| create(&storage, &company, person(&directory, round * 10 + n)))
            .collect();
        for (n, call) in calls.into_iter().enumerate() {
            if n % 3 == 0 {
                call.abort();
                continue;
            }
            let outcome = timeout(PATIENCE, call).await.expect("an answer").expect("it ends");
            assert!(matches!(outcome, Ok(CreateContactOutcome::Created(_))), "{outcome:?}");
        }
    }
    let total = total(&storage, &company).await;
    assert!((120..=200).contains(&total), "{total}");
    assert!(is_counted_exactly(&storage, &company, &directory).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_create_contacts_in_sequence_are_all_answered() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let clients = (0..16).map(|client| {
        let (storage, company) = (storage.clone(), company.clone());
        let people: Vec<_> = (0..40).map(|n| person(&directory, client * 40 + n)).collect();
        tokio::spawn(async move {
            for new in people {
                created(&storage, &company, new).await;
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.expect("all are created");
    }
    assert_eq!(total(&storage, &company).await, 640);
}
