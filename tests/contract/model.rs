//! After any sequence of writes, the contacts and fields of the stores match the model of the store tests.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use contact_hub::adapters::Quotas;
use contact_hub::wire::{Environment, Outbound, ports};
use contact_hub_domain::access::Caller;
use contact_hub_domain::context::{ContactPorts, Ports};
use contact_hub_domain::limits::Limits;
use contact_hub_domain::webhooks::UrlPolicy;
use contact_hub_storage::{Inspection, Storage};
use contact_hub_store_tests::{
    Background, Harness, Subject, any_sequence_of_writes_is_as_the_model_says,
};
use contact_hub_tests::{CompanyOptions, TestDatabase, caller_of, create_company};
use tokio::runtime::Runtime;

use crate::memory::in_memory;

/// How many sequences of writes each store gets.
const SEQUENCES: u32 = 40;

struct Stores {
    runtime: Runtime,
    storage: Storage,
    ports: Ports,
    /// Whether contacts and fields are stored in memory, through the adapter for stores of rows.
    in_memory: bool,
}

impl Stores {
    fn on(database: &TestDatabase, in_memory: bool) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (ports, storage) = {
            let _entered = runtime.enter();
            let storage = database.storage();
            (ports_of(&storage), storage)
        };
        Self { runtime, storage, ports, in_memory }
    }
}

impl Harness for Stores {
    fn subject(&self) -> Subject {
        let caller = self.runtime.block_on(caller(&self.ports));
        if self.in_memory {
            let contacts = in_memory(&self.ports.contacts);
            return Subject::new(ContactPorts { blocked_emails: None, ..contacts }, caller);
        }
        let mut subject = Subject::new(self.ports.contacts.clone(), caller);
        subject.erasures = Some(self.ports.erasures.clone());
        subject.background = Some(deferred_writes(&self.storage));
        subject
    }

    fn block_on(&self, work: Pin<Box<dyn Future<Output = ()> + '_>>) {
        self.runtime.block_on(work);
    }
}

fn deferred_writes(storage: &Storage) -> Background {
    let storage = storage.clone();
    Arc::new(move || {
        let storage = storage.clone();
        Box::pin(async move {
            storage.deferred_writes().run().await.expect("done");
        })
    })
}

/// The ports of a service with a key for blocking emails.
pub(crate) fn ports_of(storage: &Storage) -> Ports {
    let environment = Environment::default();
    let keys = [[7; 32].into()];
    let outbound = Outbound::new(&environment, &keys, UrlPolicy::default(), None, Arc::default());
    let (limits, quotas) = (Limits::default(), Quotas::default());
    ports(&environment, limits, storage, quotas, &outbound.expect("ports"), "")
}

/// A caller of a new company, whose blocked emails are checked with every write.
async fn caller(ports: &Ports) -> Caller {
    let company = create_company(&ports.access, &CompanyOptions::default()).await;
    let mut caller = caller_of(&ports.access, &company).await;
    caller.company.has_blocked_emails = true;
    caller
}

#[test]
fn any_sequence_of_writes_to_the_database_matches_the_model() {
    let database = TestDatabase::migrated();
    any_sequence_of_writes_is_as_the_model_says(&Stores::on(&database, false), SEQUENCES);
    let mut inspection = Inspection::open(&database.url()).expect("it connects");
    let recount = inspection.recount(&mut |_so_far| ()).expect("a recount");
    assert!(recount.contacts > 0 && recount.different == 0, "{recount:?}");
    let indexed = inspection.compare_indexed_values(&mut |_so_far| ()).expect("a comparison");
    assert!(indexed.values > 0 && indexed.different == 0, "{indexed:?}");
}

#[test]
fn any_sequence_of_writes_to_rows_in_memory_matches_the_model() {
    let database = TestDatabase::migrated();
    any_sequence_of_writes_is_as_the_model_says(&Stores::on(&database, true), SEQUENCES);
}
