//! A large backlog of counts that earlier processes left.

use std::pin::pin;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{ContactStore, ErasureStore};
use contact_hub_domain::fields::{Directory, FieldStore};
use contact_hub_domain::ids::ContactId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use tokio::task::yield_now;

use crate::deferred::{number, waiting};
use crate::sample::{at, new_contact, stored_company, stored_field};

/// The sizes below are in bytes of documents.
const MB: i64 = 1 << 20;

/// A company whose contacts were counted by a process that ended before it applied the counts.
struct Left {
    database: TestDatabase,
    company: Company,
    contact: ContactId,
}

impl Left {
    /// At least this size of changes.
    async fn of(size: i64) -> Self {
        let database = TestDatabase::migrated();
        let storage = database.storage();
        let company = stored_company(&storage).await;
        stored_field(&storage, &company, "One").await;
        let directory = FieldStore::list(&storage, company.id).await.expect("fields");
        let row = |n: usize| {
            new_contact(&directory, &format!("p{n}@example.com"), &[("one", &n.to_string())])
        };
        let rows: Vec<_> = (0..1000).map(row).collect();
        let contact = rows[0].id;
        storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
        let left = Self { database, company, contact };
        while left.waiting() < size {
            left.database.execute(
                "INSERT INTO count_changes (company_id, contacts, size, text_counts, value_uses) \
                 SELECT company_id, 0, size, text_counts, value_uses FROM count_changes",
            );
        }
        left
    }

    fn waiting(&self) -> i64 {
        waiting(&self.database)
    }

    async fn create(&self, storage: &Storage) {
        let new = new_contact(&Directory::default(), "new@example.com", &[]);
        ContactStore::create(storage, self.company.id.into(), new).await.expect("created");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_applies_most_of_a_large_backlog_before_its_transaction() {
    let left = Left::of(16 * MB).await;
    if left.database.cluster().is_some() {
        return; // Citus rejects triggers.
    }
    left.database.execute("CREATE TABLE seen (size bigint)");
    let note = "INSERT INTO seen SELECT coalesce(sum(size), 0) FROM count_changes;";
    let trigger = "CREATE TRIGGER notes BEFORE DELETE ON contacts FOR EACH ROW";
    left.database.execute(&if left.database.is_postgres() {
        format!(
            "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {note} RETURN OLD; END $$; \
             {trigger} EXECUTE FUNCTION note()"
        )
    } else {
        format!("{trigger} BEGIN {note} END")
    });
    let storage = left.database.storage();
    let erased = storage.erase(left.company.id.into(), left.contact, None, at(1)).await;
    assert!(erased.expect("an answer"));
    let in_transaction = number(&left.database, "SELECT size AS number FROM seen");
    assert!(in_transaction <= MB, "{in_transaction} bytes");
    assert_eq!(left.waiting(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_finds_a_large_backlog_lets_no_writer_add_to_it() {
    let left = Left::of(24 * MB).await;
    let storage = left.database.storage();
    let writes = storage.deferred_writes();
    let mut applying = pin!(writes.run());
    // It continues only while it is polled. What the first batch found is noted before the second one.
    for _batch in 0..2 {
        let before = left.waiting();
        while left.waiting() == before {
            tokio::select! {
                biased;
                done = &mut applying => done.expect("applied"),
                () = yield_now() => {}
            }
        }
    }
    assert!(left.waiting() > 12 * MB);
    left.create(&storage).await;
    let waiting = left.waiting();
    assert!(waiting < 12 * MB, "{waiting} bytes");
}
