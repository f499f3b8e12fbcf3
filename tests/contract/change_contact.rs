//! The duties of [`ContactStore::change`], line by line.

use std::sync::Arc;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{
    ChangeContactOutcome, Contact, ContactChange, ContactInput, ContactStore, CreateContactOutcome,
    ExpectedVersion, ListQuery, NewContact,
};
use contact_hub_domain::fields::{Directory, FieldStore, ValuesQuery};
use contact_hub_domain::ids::ContactId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use uuid::Uuid;

use crate::sample::{at, new_contact, page_of, stored_company, stored_field};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// A company with two fields.
async fn prepared(storage: &Storage) -> (Company, Arc<Directory>) {
    let company = stored_company(storage).await;
    for name in ["One", "Two"] {
        stored_field(storage, &company, name).await;
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    (company, directory)
}

async fn stored(storage: &Storage, company: &Company, new: &NewContact) -> Contact {
    let outcome = ContactStore::create(storage, company.id.into(), new.clone()).await;
    assert_eq!(outcome.expect("an outcome"), CreateContactOutcome::Created(new.created()));
    new.created()
}

async fn read(storage: &Storage, company: &Company, id: ContactId) -> Option<Contact> {
    ContactStore::read(storage, company.id, id).await.expect("an answer")
}

/// A change of every attribute, as a form submits it.
fn all(input: ContactInput) -> ContactChange {
    ContactChange {
        email: Some(input.email),
        first_name: Some(input.first_name),
        last_name: Some(input.last_name),
        avatar_url: input.avatar_url,
        values: input.values,
    }
}

async fn change(
    storage: &Storage,
    company: &Company,
    id: ContactId,
    change: ContactChange,
    expected: ExpectedVersion,
) -> ChangeContactOutcome {
    storage.change(company.id.into(), id, change, expected, at(50)).await.expect("an outcome")
}

/// The contact as it is after a change; `None` if it was not changed.
fn changed(outcome: ChangeContactOutcome) -> Option<Contact> {
    match outcome {
        ChangeContactOutcome::Changed(detail) => Some(detail.contact),
        _ => None,
    }
}

async fn found(storage: &Storage, company: &Company, query: &str) -> Vec<ContactId> {
    let query = ListQuery::from_query(query).expect("a query");
    let page = page_of(storage, company.id, query).await;
    page.items.iter().map(|contact| contact.id).collect()
}

/// The values in use of both fields.
async fn in_use(storage: &Storage, company: &Company, directory: &Directory) -> Vec<String> {
    let mut values = Vec::new();
    for field in directory.fields() {
        let query = ValuesQuery::from_query("").expect("a query");
        let page = storage.list_values(company.id, field.id, query).await.expect("an answer");
        let page = page.expect("a field");
        values.extend(page.items.iter().map(|value| format!("{} {}", field.key, value.to_json())));
    }
    values
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_updates_all_attributes_and_derived_data() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let new = new_contact(&directory, "ann@exmaple.com", &[("one", "1"), ("two", "2")]);
    let before = stored(&storage, &company, &new).await;
    let values = [("one", "11"), ("two", "null")];
    let input = all(new_contact(&directory, "Ann@Example.com", &values).input);
    let seen = ExpectedVersion::OneOf(vec![before.updated_at]);
    let outcome = change(&storage, &company, before.id, input.clone(), seen).await;
    let expected = before.changed(&input, at(50));
    assert_eq!(changed(outcome), Some(expected.clone()));
    assert_eq!(
        (expected.email.as_str(), expected.created_at, expected.updated_at),
        ("Ann@Example.com", before.created_at, at(50))
    );
    assert_eq!(read(&storage, &company, before.id).await, Some(expected));
    assert_eq!(in_use(&storage, &company, &directory).await, ["one 11"]);
    for (query, fits) in [
        ("search=exmaple", false),
        ("search=ann@example", true),
        ("filter[email]=ann@example.com", true),
        ("filter[email][startsWith]=ann@exm", false),
    ] {
        assert_eq!(found(&storage, &company, query).await.is_empty(), !fits, "{query}");
    }
    let again = new_contact(&directory, "ann@exmaple.com", &[]);
    let other = stored(&storage, &company, &again).await;
    assert_ne!(other.id, before.id, "the wrong email is free again");
    let twin = new_contact(&directory, "ANN@example.COM", &[]);
    let taken = ContactStore::create(&storage, company.id.into(), twin).await.unwrap();
    assert_eq!(taken, CreateContactOutcome::EmailTaken(before.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_without_effect_keeps_the_version() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let new = new_contact(&directory, "ann@example.com", &[("one", "1")]);
    let before = stored(&storage, &company, &new).await;
    let outcome = change(&storage, &company, before.id, all(new.input.clone()), ANY).await;
    assert_eq!(changed(outcome), Some(before.clone()));
    let respelled = all(new_contact(&directory, "ANN@example.com", &[]).input);
    let outcome = change(&storage, &company, before.id, respelled.clone(), ANY).await;
    assert_eq!(changed(outcome), Some(before.changed(&respelled, at(50))));
    let after = read(&storage, &company, before.id).await.unwrap();
    assert_eq!((after.email.as_str(), after.updated_at), ("ANN@example.com", at(50)));
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_that_a_change_omits_are_kept() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let new = new_contact(&directory, "ann@example.com", &[("one", "1"), ("two", "2")]);
    let mut now = stored(&storage, &company, &new).await;
    let input = new_contact(&directory, "eve@example.com", &[("one", "null"), ("two", "3")]).input;
    let none = ContactChange::default;
    for part in [
        none(),
        ContactChange { email: Some(input.email), ..none() },
        ContactChange { first_name: Some(input.last_name.clone()), ..none() },
        ContactChange { last_name: Some(input.first_name), ..none() },
        ContactChange { avatar_url: Some(None), ..none() },
        ContactChange { values: input.values, ..none() },
    ] {
        let expected = now.changed(&part, at(50));
        let outcome = change(&storage, &company, now.id, part, ANY).await;
        assert_eq!(changed(outcome), Some(expected.clone()));
        assert_eq!(read(&storage, &company, now.id).await.as_ref(), Some(&expected));
        now = expected;
    }
    assert_eq!(
        (now.email.as_str(), now.first_name.as_str(), now.last_name.as_str()),
        ("eve@example.com", "Lee", "Ann")
    );
    assert_eq!(
        (now.avatar_url, in_use(&storage, &company, &directory).await),
        (None, vec!["two 3".to_owned()])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_change_writes_nothing() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let other = stored_company(&storage).await;
    let new = |email: &str| new_contact(&directory, email, &[("one", "1")]);
    let ann = stored(&storage, &company, &new("ann@example.com")).await;
    let bob = stored(&storage, &company, &new("bob@exämple.de")).await;
    let gone = stored(&storage, &company, &new("gone@example.com")).await;
    storage.delete(company.id.into(), gone.id, ANY, at(9)).await.unwrap();
    let input = |email: &str| all(new_contact(&directory, email, &[("two", "2")]).input);
    let stale = ExpectedVersion::OneOf(vec![at(3)]);
    let unknown = ContactId::new(Uuid::now_v7());
    for (of, id, email, expected, outcome) in [
        (&company, ann.id, "new@example.com", stale.clone(), ChangeContactOutcome::Stale),
        (&company, ann.id, "bob@exämple.de", stale, ChangeContactOutcome::Stale),
        (&company, ann.id, "BOB@xn--exmple-cua.de", ANY, ChangeContactOutcome::EmailTaken(bob.id)),
        (&company, ann.id, "Gone@example.com", ANY, ChangeContactOutcome::EmailOfDeleted),
        (&company, gone.id, "gone@example.com", ANY, ChangeContactOutcome::NotFound),
        (&company, gone.id, "bob@exämple.de", ANY, ChangeContactOutcome::NotFound),
        (&company, unknown, "new@example.com", ANY, ChangeContactOutcome::NotFound),
        (&other, ann.id, "new@example.com", ANY, ChangeContactOutcome::NotFound),
    ] {
        assert_eq!(change(&storage, of, id, input(email), expected).await, outcome, "{email}");
    }
    assert_eq!(read(&storage, &company, ann.id).await, Some(ann));
    assert_eq!(read(&storage, &company, bob.id).await, Some(bob));
    assert_eq!(in_use(&storage, &company, &directory).await, ["one 1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_changes_of_the_same_version_wins() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    let before = stored(&one, &company, &new_contact(&directory, "ann@example.com", &[])).await;
    let calls = (0..12).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let wanted = new_contact(&directory, &format!("ann{n}@example.com"), &[("one", "1")]);
        let input = all(wanted.input);
        let (company, seen) = (company.id, ExpectedVersion::OneOf(vec![before.updated_at]));
        tokio::spawn(
            async move { storage.change(company.into(), before.id, input, seen, at(50)).await },
        )
    });
    let mut won = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap().unwrap() {
            ChangeContactOutcome::Changed(detail) => won.push(detail.contact),
            outcome => assert_eq!(outcome, ChangeContactOutcome::Stale),
        }
    }
    assert_eq!(won.len(), 1);
    assert_eq!(read(&one, &company, before.id).await, won.pop());
    assert_eq!(in_use(&one, &company, &directory).await, ["one 1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writes_of_one_email_leave_it_with_one_contact() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    for round in 0..6 {
        let wanted = format!("wanted{round}@example.com");
        let mut calls = Vec::new();
        for n in 0..8 {
            let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
            let own = new_contact(&directory, &format!("p{round}-{n}@example.com"), &[]);
            let wanting = new_contact(&directory, &wanted, &[]);
            let (company, own) = (company.id, stored(&one, &company, &own).await);
            calls.push(tokio::spawn(async move {
                if n % 4 == 3 {
                    let outcome = ContactStore::create(&storage, company.into(), wanting).await;
                    matches!(outcome.unwrap(), CreateContactOutcome::Created(_))
                } else {
                    let input = all(wanting.input);
                    let outcome = storage.change(company.into(), own.id, input, ANY, at(50)).await;
                    matches!(outcome.unwrap(), ChangeContactOutcome::Changed(_))
                }
            }));
        }
        let mut won = 0;
        for call in calls {
            won += usize::from(call.await.unwrap());
        }
        let query = format!("filter[email]={wanted}");
        assert_eq!((won, found(&one, &company, &query).await.len()), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_in_opposite_order_do_not_deadlock() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    let email = |n: usize| format!("p{n}@example.com");
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(stored(&one, &company, &new_contact(&directory, &email(n), &[])).await.id);
    }
    let calls = (0..48).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let value = if n % 3 == 0 { "1" } else { "2" };
        let rows = [n % 4, (n + 1) % 4, (n + 3) % 7];
        let rows = rows.map(|n| new_contact(&directory, &email(n), &[("one", value)]));
        let (company, id) = (company.id, ids[n % 4]);
        tokio::spawn(async move {
            if n % 5 == 0 {
                storage.upsert_many(company.into(), rows.into(), 0, at(0)).await.map(drop)
            } else {
                let [_, _, wanted] = rows;
                storage.change(company.into(), id, all(wanted.input), ANY, at(50)).await.map(drop)
            }
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
}
