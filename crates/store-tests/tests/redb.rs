//! The adapter of the example keeps contacts and fields as the domain defines.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "../examples/redb/adapter.rs"]
mod adapter;
#[path = "../examples/redb/documents.rs"]
mod documents;
#[path = "../examples/redb/ports.rs"]
mod ports;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use contact_hub_domain::contacts::{Contact, Existing};
use contact_hub_domain::fields::{Field, FieldKey, FieldType, Filterable};
use contact_hub_domain::ids::{CompanyId, ContactId, DirectoryId, FieldId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::row_store::{CompanyRows, RowStore, Stored};
use contact_hub_store_tests::{Harness, Subject, any_sequence_of_writes_is_as_the_model_says};
use redb::Database;
use redb::backends::InMemoryBackend;
use uuid::Uuid;

use crate::adapter::Redb;

fn in_memory() -> Redb {
    let database = Database::builder().create_with_backend(InMemoryBackend::new());
    Redb::of(database.expect("a database"))
}

/// Gives each sequence of writes a company of its own in one store.
struct InCompanies<S> {
    runtime: tokio::runtime::Runtime,
    store: Arc<S>,
    last: AtomicU64,
}

impl<S: RowStore + 'static> InCompanies<S> {
    fn of(store: S) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Self { runtime, store: Arc::new(store), last: AtomicU64::new(0) }
    }
}

impl<S: RowStore + 'static> Harness for InCompanies<S> {
    fn subject(&self) -> Subject {
        let company = self.last.fetch_add(1, Ordering::Relaxed);
        Subject::new(ports::ports(Shared(self.store.clone())), ports::caller(company.into()))
    }

    fn block_on(&self, work: Pin<Box<dyn Future<Output = ()> + '_>>) {
        self.runtime.block_on(work);
    }
}

/// A store that several ports have.
struct Shared<S>(Arc<S>);

impl<S: RowStore> RowStore for Shared<S> {
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T> {
        self.0.transaction(company, work)
    }
}

/// What a wrong store stores in place of a row, after the row that it has.
type Mistake = fn(Option<&Existing>, Existing) -> Existing;

/// A store with a mistake.
struct Wrong(Redb, Mistake);

struct WrongRows<'a>(&'a mut dyn CompanyRows, Mistake);

impl RowStore for Wrong {
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T> {
        self.0.transaction(company, |rows| work(&mut WrongRows(rows, self.1)))
    }
}

impl CompanyRows for WrongRows<'_> {
    fn contact(&self, id: ContactId) -> Stored<Option<Existing>> {
        self.0.contact(id)
    }

    fn contact_by_identity(&self, identity: &str) -> Stored<Option<Existing>> {
        self.0.contact_by_identity(identity)
    }

    fn contacts(&self) -> Stored<Vec<Existing>> {
        self.0.contacts()
    }

    fn put_contact(&mut self, row: Existing) -> Stored<()> {
        let before = self.0.contact(row.contact.id)?;
        self.0.put_contact(self.1(before.as_ref(), row))
    }

    fn fields(&self) -> Stored<Vec<Field>> {
        self.0.fields()
    }

    fn put_field(&mut self, field: Field) -> Stored<()> {
        self.0.put_field(field)
    }
}

#[test]
fn the_adapter_keeps_contacts_and_fields_as_the_model_says() {
    let store = in_memory();
    any_sequence_of_writes_is_as_the_model_says(&InCompanies::of(store), 40);
}

/// Stores a contact, but keeps a part of the stored one.
fn keeping(
    before: Option<&Existing>,
    mut row: Existing,
    keep: fn(&Contact, &mut Contact),
) -> Existing {
    if let Some(before) = before {
        keep(&before.contact, &mut row.contact);
    }
    row
}

#[test]
fn an_adapter_with_a_mistake_is_found() {
    let mistakes: [(&str, Mistake); 4] = [
        ("deletes nothing", |_, row| Existing { is_deleted: false, ..row }),
        ("keeps the last name", |before, row| {
            keeping(before, row, |before, after| after.last_name.clone_from(&before.last_name))
        }),
        ("keeps the version", |before, row| {
            keeping(before, row, |before, after| after.updated_at = before.updated_at)
        }),
        ("changes the time of creation", |_, mut row| {
            row.contact.created_at = row.contact.updated_at;
            row
        }),
    ];
    for (name, mistake) in mistakes {
        let stores = InCompanies::of(Wrong(in_memory(), mistake));
        let test = || any_sequence_of_writes_is_as_the_model_says(&stores, 40);
        assert!(catch_unwind(AssertUnwindSafe(test)).is_err(), "it {name}: the tests find nothing");
    }
}

#[test]
fn a_file_has_what_was_stored_before_it_was_closed() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("contacts.redb");
    let company = ports::caller(1).company.id;
    let stored = |work: fn(&mut dyn CompanyRows) -> Stored<usize>| {
        Redb::of(Database::create(&file).expect("a file")).transaction(company, work)
    };
    let failing = stored(|rows| {
        rows.put_field(field())?;
        Err(StoreError::Corrupt("on purpose".to_owned()))
    });
    assert!(failing.is_err());
    assert_eq!(
        stored(|rows| Ok(rows.fields()?.len())).ok(),
        Some(0),
        "a failed one leaves nothing"
    );
    stored(|rows| rows.put_field(field()).map(|()| 0)).expect("it is stored");
    assert_eq!(stored(|rows| Ok(rows.fields()?.len())).ok(), Some(1));
}

fn field() -> Field {
    Field {
        id: FieldId::new(Uuid::from_u128(7)),
        key: FieldKey::from_stored("team".to_owned()),
        name: "Team".to_owned(),
        kind: FieldType::String,
        directory_id: DirectoryId::new(Uuid::from_u128(1)),
        archived: false,
        filterable: Filterable::No,
    }
}
