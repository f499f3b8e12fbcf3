//! The contract of the port for calls with keys: a call's write and its answer are stored together or not at all.

use contact_hub::wire::command_ports;
use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{
    ContactChange, ContactStore, ExpectedVersion, ListQuery, NewContact,
};
use contact_hub_domain::context::Ports;
use contact_hub_domain::fields::Directory;
use contact_hub_domain::idempotency::{
    Attempt, CallStore, IdempotencyKey, KeptAnswer, KeptCall, KeyedCall, LookUp, Start,
};
use contact_hub_domain::ids::{CompanyId, UserId, WebhookSecretId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::{Resealed, Sealed, SecretStore};
use contact_hub_storage::{Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use futures_util::future::{join, join_all};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::plans::with_own_plans;
use crate::sample::{at, new_contact, page_of, stored_company};

fn call(company: &Company, key: &str, fingerprint: u8) -> KeyedCall {
    KeyedCall {
        company: company.id,
        user: UserId::new(Uuid::nil()),
        key: IdempotencyKey::parse(key.as_bytes()).expect("a key"),
        fingerprint: [fingerprint; 32],
        at: at(1000),
        expired: at(0),
    }
}

fn plain(text: &str) -> KeptAnswer {
    KeptAnswer::Plain(text.as_bytes().to_vec())
}

fn kept(fingerprint: u8, answer: KeptAnswer) -> KeptCall {
    KeptCall { fingerprint: [fingerprint; 32], answer }
}

async fn started(storage: &Storage, call: &KeyedCall) -> Box<dyn Attempt> {
    match storage.start(call.clone(), LookUp::First).await {
        Ok(Start::New(attempt)) => Some(attempt),
        _ => None,
    }
    .expect("a new call")
}

/// Creates a contact as the use case of the call does.
async fn create(storage: &Storage, attempt: &dyn Attempt, company: &Company, email: &str) -> bool {
    create_with(&command_ports(storage).expect("ports"), attempt, company, email).await
}

async fn create_with(ports: &Ports, attempt: &dyn Attempt, company: &Company, email: &str) -> bool {
    let ports = attempt.bind(ports);
    let new: NewContact = new_contact(&Directory::default(), email, &[]);
    ports.contacts.contacts.create(company.id.into(), new).await.is_ok()
}

async fn total(storage: &Storage, company: &Company) -> u64 {
    page_of(storage, company.id, ListQuery::default()).await.meta.total
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_committed_with_its_answer_and_not_before() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ours = call(&company, "k", 1);
    let attempt = started(&storage, &ours).await;
    assert!(create(&storage, attempt.as_ref(), &company, "ann@example.com").await);
    assert_eq!(total(&storage, &company).await, 0);
    assert!(matches!(storage.start(ours.clone(), LookUp::First).await, Ok(Start::InUse)));
    assert!(attempt.keep(plain("done")).await.expect("it is kept"));
    drop(attempt);
    assert_eq!(total(&storage, &company).await, 1);
    assert_eq!(storage.find(&ours).await.expect("found"), Some(kept(1, plain("done"))));
    assert!(matches!(storage.start(ours, LookUp::First).await, Ok(Start::Kept(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_call_leaves_nothing() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ours = call(&company, "k", 1);
    let attempt = started(&storage, &ours).await;
    assert!(create(&storage, attempt.as_ref(), &company, "ann@example.com").await);
    drop(attempt);
    // The slot is free once the transaction is rolled back.
    let attempt = loop {
        match storage.start(ours.clone(), LookUp::First).await.expect("the store answers") {
            Start::New(attempt) => break attempt,
            Start::InUse => tokio::task::yield_now().await,
            Start::Kept(_) => unreachable!("nothing was kept"),
        }
    };
    assert_eq!(total(&storage, &company).await, 0);
    assert!(create(&storage, attempt.as_ref(), &company, "ann@example.com").await);
    assert!(attempt.keep(plain("done")).await.expect("it is kept"));
    assert_eq!(total(&storage, &company).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_writes_once_and_reads_nothing_after_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let unbound = command_ports(&storage).expect("ports");
    let attempt = started(&storage, &call(&company, "k", 1)).await;
    let ports = attempt.bind(&unbound);
    // From here on the transaction waits for the answer, which has to come in time.
    assert!(create_with(&unbound, attempt.as_ref(), &company, "ann@example.com").await);
    assert!(!create_with(&unbound, attempt.as_ref(), &company, "bob@example.com").await);
    let list = ports.contacts.contacts.list(company.id, ListQuery::default(), u32::MAX).await;
    assert!(list.is_err());
    assert!(attempt.keep(plain("done")).await.expect("it is kept"));
    assert_eq!(total(&storage, &company).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_instances_executes_the_call() {
    let database = TestDatabase::migrated();
    let (storage, other) = (database.storage(), database.storage());
    let company = stored_company(&storage).await;
    let ours = call(&company, "k", 1);
    let ports = command_ports(&storage).expect("ports");
    let others = command_ports(&other).expect("ports");
    let (first, second) = (started(&storage, &ours).await, started(&other, &ours).await);
    // From here on the transaction waits for the answer, which has to come in time.
    assert!(create_with(&ports, first.as_ref(), &company, "ann@example.com").await);
    let rejected = async || {
        assert!(!create_with(&others, second.as_ref(), &company, "bob@example.com").await);
        assert!(second.is_overtaken() && !first.is_overtaken());
    };
    if database.is_postgres() {
        rejected().await;
        assert!(first.keep(plain("first")).await.expect("it is kept"));
    } else {
        // The second write waits for the first.
        assert!(first.keep(plain("first")).await.expect("it is kept"));
        rejected().await;
    }
    assert_eq!(total(&storage, &company).await, 1);
    assert_eq!(other.find(&ours).await.expect("found"), Some(kept(1, plain("first"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_a_write_is_stored_once_and_replaced_after_it_expires() {
    let database = TestDatabase::migrated();
    let (storage, other) = (database.storage(), database.storage());
    let company = stored_company(&storage).await;
    let ours = call(&company, "k", 1);
    let (first, second) = (started(&storage, &ours).await, started(&other, &ours).await);
    assert!(first.keep(plain("first")).await.expect("it is kept"));
    assert!(!second.keep(plain("second")).await.expect("the store answers"));
    drop((first, second));
    let later = KeyedCall { at: at(2000), expired: at(1000), ..call(&company, "k", 2) };
    assert_eq!(storage.find(&later).await.expect("an answer"), None);
    let attempt = started(&storage, &later).await;
    assert!(attempt.keep(plain("later")).await.expect("it is kept"));
    assert_eq!(storage.find(&later).await.expect("found"), Some(kept(2, plain("later"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_that_share_a_commit_replace_expired_answers() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let keys: Vec<String> = (0..24).map(|n| format!("k{n}")).collect();
    for key in &keys {
        let attempt = started(&storage, &call(&company, key, 1)).await;
        assert!(attempt.keep(plain("earlier")).await.expect("it is kept"));
    }
    let later = |key| KeyedCall { at: at(2000), expired: at(1000), ..call(&company, key, 2) };
    // They have to answer in time.
    let ports = command_ports(&storage).expect("ports");
    let calls = keys.iter().map(async |key| {
        let Ok(Start::New(attempt)) = storage.start(later(key), LookUp::WithWrite).await else {
            return false;
        };
        let email = format!("{key}@example.com");
        create_with(&ports, attempt.as_ref(), &company, &email).await
            && attempt.keep(plain(key)).await.is_ok_and(|is_kept| is_kept)
    });
    assert!(join_all(calls).await.into_iter().all(|done| done));
    assert_eq!(total(&storage, &company).await, 24);
    for key in &keys {
        assert_eq!(storage.find(&later(key)).await.expect("found"), Some(kept(2, plain(key))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_share_a_commit_only_read_the_answers_to_their_own_keys() {
    let Some(database) = with_own_plans() else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let numbers = if database.is_postgres() {
        "generate_series(1, 1000) AS numbers (value)"
    } else {
        "(WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 1000) \
         SELECT value FROM numbers) AS numbers"
    };
    let ports = command_ports(&storage).expect("ports");
    if database.is_postgres() {
        database.execute("VACUUM ANALYZE kept_answers");
    }
    // This plan is kept.
    record_plans(&database.url());
    let earlier = storage.start(call(&company, "earlier", 1), LookUp::WithWrite).await;
    let Ok(Start::New(earlier)) = earlier else { panic!("no new call") };
    assert!(create_with(&ports, earlier.as_ref(), &company, "earlier@example.com").await);
    assert!(earlier.keep(plain("earlier")).await.expect("it is kept"));
    assert_eq!(looked_up_by_key(&database), 1);
    database.execute(&format!(
        "INSERT INTO kept_answers (company_id, user_id, key, fingerprint, kept_at, answer) \
         SELECT company_id, user_id, 'n' || value, fingerprint, kept_at, answer FROM kept_answers, {numbers}"
    ));
    let first = started(&storage, &call(&company, "first", 1)).await;
    assert!(create_with(&ports, first.as_ref(), &company, "first@example.com").await);
    // While the first waits for its answer, the others gather for the next transaction.
    record_plans(&database.url());
    let others = (0..24).map(async |n| {
        let key = format!("k{n}");
        let start = storage.start(call(&company, &key, 1), LookUp::WithWrite).await;
        let Ok(Start::New(attempt)) = start else { return false };
        let email = format!("{key}@example.com");
        create_with(&ports, attempt.as_ref(), &company, &email).await
            && attempt.keep(plain(&key)).await.is_ok_and(|is_kept| is_kept)
    });
    let (others, first) = join(join_all(others), first.keep(plain("first"))).await;
    assert!(first.is_ok_and(|is_kept| is_kept) && others.into_iter().all(|done| done));
    let again = storage.find(&call(&company, "k1", 1)).await;
    assert_eq!(again.expect("found"), Some(kept(1, plain("k1"))));
    assert_eq!(looked_up_by_key(&database), 2);
}

/// No call with their keys was answered, so they must not fail as if there were one.
#[tokio::test(flavor = "multi_thread")]
async fn calls_that_share_a_transaction_with_a_late_answer_are_unavailable() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ports = command_ports(&storage).expect("ports");
    let first = started(&storage, &call(&company, "first", 1)).await;
    assert!(create(&storage, first.as_ref(), &company, "first@example.com").await);
    let others_answered = Semaphore::new(0);
    let calls = (0..8).map(async |n: u32| {
        let key = format!("k{n}");
        let Ok(Start::New(attempt)) =
            storage.start(call(&company, &key, 1), LookUp::WithWrite).await
        else {
            return None;
        };
        let email = format!("{key}@example.com");
        if !create_with(&ports, attempt.as_ref(), &company, &email).await {
            return None;
        }
        if n == 0 {
            let _answered = others_answered.acquire_many(7).await;
        }
        let answered = attempt.keep(plain(&key)).await;
        others_answered.add_permits(1);
        Some(answered)
    });
    let (answered, first) = join(join_all(calls), first.keep(plain("first"))).await;
    assert!(first.is_ok_and(|is_kept| is_kept));
    let mut late = 0;
    for answer in answered {
        match answer.expect("it was sent its outcome") {
            Ok(is_kept) => assert!(is_kept),
            Err(error) => {
                assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
                late += 1;
            }
        }
    }
    assert!(late > 1, "{late}");
    assert_eq!(total(&storage, &company).await, 9 - late);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_is_stored_for_a_deleted_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = Company { id: CompanyId::new(Uuid::now_v7()), ..stored_company(&storage).await };
    let attempt = started(&storage, &call(&company, "a", 1)).await;
    assert!(attempt.keep(plain("one")).await.is_err());
    let attempt = started(&storage, &call(&company, "b", 1)).await;
    assert!(!create(&storage, attempt.as_ref(), &company, "ann@example.com").await);
    for key in ["a", "b"] {
        assert_eq!(storage.find(&call(&company, key, 1)).await.expect("an answer"), None);
    }
}

/// On SQLite no other transaction can write at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn a_company_is_not_deleted_while_an_answer_is_being_stored() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let new = new_contact(&Directory::default(), "ann@example.com", &[]);
    ContactStore::create(&storage, company.id.into(), new.clone()).await.expect("created");
    let delete = || {
        let mut other = PgConnection::establish(database.url_text()).expect("PostgreSQL");
        other.batch_execute("BEGIN; SELECT id FROM companies FOR UPDATE NOWAIT; ROLLBACK")
    };
    let attempt = started(&storage, &call(&company, "a", 1)).await;
    let ports = attempt.bind(&command_ports(&storage).expect("ports"));
    // Updating a contact does not check its foreign key to the company again.
    let last_name = Some(new.input.first_name.clone());
    let change = ContactChange { last_name, ..ContactChange::default() };
    let version = ExpectedVersion::Any;
    let changed = ports.contacts.contacts.change(company.id.into(), new.id, change, version, at(5));
    changed.await.expect("changed");
    assert!(delete().is_err());
    assert!(attempt.keep(plain("one")).await.expect("it is kept"));
    delete().expect("no lock is left");
}

/// How many of the recorded statements look for answers, none of which may read answers to other keys.
fn looked_up_by_key(database: &TestDatabase) -> usize {
    let plans = take_plans(&database.url());
    let look_ups = plans.iter().filter(|it| it.statement.contains("FROM kept_answers"));
    let look_ups: Vec<String> = look_ups.map(|it| it.plan.join("\n")).collect();
    for plan in &look_ups {
        for reads_others in ["kept_answers_by_age", "Seq Scan on kept_answers", "SCAN kept_answers"]
        {
            assert!(!plan.contains(reads_others), "{plan}");
        }
    }
    look_ups.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_answers_of_all_companies_are_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    for _ in 0..2 {
        let company = stored_company(&storage).await;
        for (key, micros) in [("a", 1), ("b", 2), ("c", 3)] {
            let call = KeyedCall { at: at(micros), ..call(&company, key, 1) };
            let attempt = started(&storage, &call).await;
            assert!(attempt.keep(plain("done")).await.expect("it is kept"));
        }
    }
    let answers = storage.expiry();
    assert_eq!(answers.delete_answers(at(2)).await.expect("deleted"), 4);
    assert_eq!(answers.delete_answers(at(2)).await.expect("deleted"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_answers_are_deleted_a_few_at_a_time() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let mut costs = Vec::new();
    for bytes in [3, 3 << 20] {
        for key in ["a", "b", "c", "d", "e"] {
            let attempt = started(&storage, &call(&company, key, 1)).await;
            let answer = KeptAnswer::Plain(vec![b'x'; bytes]);
            assert!(attempt.keep(answer).await.expect("it is kept"));
        }
        let before = storage.statements();
        assert_eq!(storage.expiry().delete_answers(at(1000)).await.expect("deleted"), 5);
        costs.push(storage.statements() - before);
    }
    // All small ones at once; two, two and one of the large ones. A batch takes three statements.
    assert_eq!(costs[1] - costs[0], 2 * 3, "{costs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sealed_answer_is_resealed_with_a_new_master_key() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let (ours, id) = (call(&company, "k", 1), WebhookSecretId::new(Uuid::now_v7()));
    let sealed = |key: &str| Sealed { key_id: key.to_owned(), bytes: key.as_bytes().to_vec() };
    let attempt = started(&storage, &ours).await;
    assert!(attempt.keep(KeptAnswer::Sealed(id, sealed("old"))).await.expect("it is kept"));
    let found = storage.sealed_under_others("new".to_owned(), None, 10).await.expect("found");
    assert_eq!(found, [(id, sealed("old"))]);
    let resealed = vec![Resealed { id, before: sealed("old"), after: sealed("new") }];
    assert_eq!(storage.reseal(resealed).await.expect("resealed"), 1);
    let found = storage.find(&ours).await.expect("found");
    assert_eq!(found, Some(kept(1, KeptAnswer::Sealed(id, sealed("new")))));
    let none = storage.sealed_under_others("new".to_owned(), None, 10).await.expect("none");
    assert_eq!(none, []);
}
