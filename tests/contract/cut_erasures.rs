//! An erasure whose client disconnects leaves nothing in the write-ahead log of SQLite.

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{ContactStore, ErasureStore};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::ContactId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use tokio::task::yield_now;

use crate::sample::{at, new_contact, stored_company};

/// How many erasures are to end after their client disconnected.
const CUT: usize = 3;

/// How many times a client disconnects, each time a little later.
const TRIES: usize = 5000;

async fn create(storage: &Storage, company: &Company, email: &str) -> ContactId {
    let new = new_contact(&Directory::default(), email, &[]);
    let id = new.id;
    storage.create(company.id.into(), new).await.expect("created");
    id
}

/// Erases a contact for a client that disconnects soon. Returns whether the client did not wait for the erasure, but it was
/// made.
async fn erase_cut(storage: &Storage, company: &Company, id: ContactId, soon: usize) -> bool {
    let by = company.id.into();
    let erasing = {
        let storage = storage.clone();
        tokio::spawn(async move { storage.erase(by, id, None, at(2)).await })
    };
    for _ in 0..soon {
        yield_now().await;
    }
    erasing.abort();
    let was_cut = erasing.await.is_err();
    // It is made behind the erasure, if that has begun.
    create(storage, company, &format!("behind{soon}@example.com")).await;
    was_cut && storage.read(company.id, id).await.expect("a read").is_none()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_whose_client_disconnects_leaves_nothing_in_the_log() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let Some(mut log) = storage.write_ahead_log() else { return };
    let path = format!("{}-wal", database.url_text().trim_start_matches("sqlite://"));
    let company = stored_company(&storage).await;
    let mut cut = 0;
    for soon in 0..TRIES {
        let email = format!("erased{soon}@example.com");
        let id = create(&storage, &company, &email).await;
        if !erase_cut(&storage, &company, id, soon).await {
            continue;
        }
        log.truncate_when_quiet().await.expect("truncated");
        let text = std::fs::read(&path).expect("the log");
        assert!(!text.windows(email.len()).any(|part| part == email.as_bytes()), "{email}");
        cut += 1;
        if cut == CUT {
            return;
        }
    }
    panic!("{cut} erasures were made although their clients did not wait");
}
