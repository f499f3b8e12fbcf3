//! An email that is blocked between the look-up of a use case and its write, or that an instance does not know to be
//! blocked, is rejected as if the use case had found it.

use contact_hub_domain::access::Caller;
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{
    self, BulkDraft, BulkResult, BulkRun, ChangeDraft, ChangedValues, ContactDraft, ContactsError,
    ErasureDraft, ExpectedVersion, RowDraft,
};
use contact_hub_domain::context::{Context, ErasurePorts, Ports};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::property::Property;
use contact_hub_tests::{CompanyOptions, TestDatabase, caller_of, create_company};

use crate::model::ports_of;

const BLOCKED: &str = "ann@example.com";

/// An instance, and a caller who was authenticated there before any email was blocked.
struct Instance<'a> {
    ports: &'a Ports,
    caller: &'a Caller,
}

fn draft(email: &str) -> ContactDraft {
    ContactDraft {
        email: email.into(),
        first_name: "Ann".into(),
        last_name: "Lee".into(),
        ..ContactDraft::default()
    }
}

impl Instance<'_> {
    async fn create(&self, email: &str) -> Result<ContactId, ContactsError> {
        let cx =
            Context { ports: &self.ports.contacts, caller: self.caller, call: &Call::default() };
        Ok(contacts::create(&cx, &draft(email)).await?.contact().id)
    }

    async fn change(&self, id: ContactId, email: &str) -> Result<(), ContactsError> {
        let cx =
            Context { ports: &self.ports.contacts, caller: self.caller, call: &Call::default() };
        let draft = ChangeDraft { email: email.into(), ..ChangeDraft::default() };
        let any = ExpectedVersion::Any;
        contacts::change(&cx, id, &draft, ChangedValues::OfCall, any).await.map(drop)
    }

    async fn bulk(&self, emails: &[&str], run: BulkRun) -> BulkResult {
        let cx =
            Context { ports: &self.ports.contacts, caller: self.caller, call: &Call::default() };
        let rows = emails.iter().map(|email| RowDraft::from(draft(email)));
        let draft = BulkDraft { contacts: rows.collect() };
        contacts::upsert_many(&cx, draft, run).await.expect("a bulk")
    }

    async fn erase_with_block(&self, id: ContactId) {
        let ports: &ErasurePorts = &self.ports.erasures;
        let cx = Context { ports, caller: self.caller, call: &Call::default() };
        let draft = ErasureDraft { block: Property::Given(Ok(true)) };
        contacts::erase(&cx, id, &draft).await.expect("erased");
    }
}

/// Storages of one database, in the first of which an email was blocked.
async fn with_instances<const N: usize>(test: impl AsyncFnOnce([Instance<'_>; N])) {
    let database = TestDatabase::migrated();
    let ports: [Ports; N] = std::array::from_fn(|_| ports_of(&database.storage()));
    let company = create_company(&ports[0].access, &CompanyOptions::default()).await;
    let caller = caller_of(&ports[0].access, &company).await;
    assert!(!caller.company.has_blocked_emails);
    let instances = ports.each_ref().map(|ports| Instance { ports, caller: &caller });
    let ann = instances[0].create(BLOCKED).await.expect("created");
    instances[0].erase_with_block(ann).await;
    test(instances).await;
}

fn is_erased<T>(outcome: &Result<T, ContactsError>) -> bool {
    matches!(outcome, Err(ContactsError::Erased))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_finds_the_block() {
    with_instances(async |[first, second, third]| {
        for instance in [first, second] {
            for _known in 0..2 {
                let outcome = instance.create(BLOCKED).await;
                assert!(is_erased(&outcome), "{outcome:?}");
            }
        }
        let outcome = third.create("max@example.com").await;
        assert!(outcome.is_ok(), "another email: {outcome:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_create_with_the_blocked_email_is_rejected_in_a_batch() {
    with_instances(async |[_first, second]| {
        let emails =
            (0..20).map(|n| if n == 7 { BLOCKED.into() } else { format!("p{n}@a.example") });
        let emails: Vec<String> = emails.collect();
        let calls = emails.iter().map(|email| second.create(email));
        let outcomes = futures_util::future::join_all(calls).await;
        for (n, outcome) in outcomes.iter().enumerate() {
            assert_eq!((outcome.is_ok(), is_erased(outcome)), (n != 7, n == 7), "{outcome:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_finds_the_block_and_changes_nothing() {
    with_instances(async |[first, second, third]| {
        let max = first.create("max@example.com").await.expect("created");
        for instance in [&first, &second] {
            for _known in 0..2 {
                let outcome = instance.change(max, BLOCKED).await;
                assert!(is_erased(&outcome), "{outcome:?}");
            }
        }
        let outcome = first.create("max@example.com").await;
        assert!(matches!(outcome, Err(ContactsError::AlreadyExists(id)) if id == max));
        third.change(max, "eve@example.com").await.expect("another email");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_rows_of_a_bulk_with_the_blocked_email_fail() {
    with_instances(async |[first, second, third]| {
        let emails = ["max@example.com", "no email", BLOCKED, "eve@example.com", "ANN@example.com"];
        for instance in [&third, &second, &first] {
            for run in [BulkRun::Dry, BulkRun::Written, BulkRun::Dry] {
                let result = instance.bulk(&emails, run).await;
                let failed: Vec<usize> = result.failed.iter().map(|row| row.index).collect();
                assert_eq!((result.created + result.updated, failed), (2, vec![1, 2, 4]));
            }
        }
        let outcome = second.create("eve@example.com").await;
        assert!(matches!(outcome, Err(ContactsError::AlreadyExists(_))), "{outcome:?}");
    })
    .await;
}
