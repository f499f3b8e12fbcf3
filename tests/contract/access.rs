//! The duties of [`AccessStore`], line by line.

use crate::sample::operator;
use std::time::{Duration, Instant};

use contact_hub_domain::access::{
    AccessStore, ApiKey, CreateKeyOutcome, CreateUserOutcome, SessionStore,
};
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::sample::{
    MANY, all_permissions, at, company, key, link, stored_company, stored_key, user,
};

/// "About a second", with room for a busy machine.
const SOON: Duration = Duration::from_secs(10);

pub(crate) fn execute(database: &TestDatabase, text: &str) {
    let url = database.url_text();
    if database.is_postgres() {
        PgConnection::establish(url).expect("PostgreSQL").batch_execute(text).expect(text);
    } else {
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite");
        connection.batch_execute("PRAGMA busy_timeout = 10000").expect("a timeout");
        connection.batch_execute(text).expect(text);
    }
}

async fn until(mut ask: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    loop {
        // On a busy machine the answer to a question that was asked in time may come late, and be outdated.
        let asked = started.elapsed();
        if ask().await {
            return;
        }
        assert!(asked < SOON, "it did not happen within {SOON:?}");
        tokio::task::yield_now().await;
    }
}

async fn keys(storage: &Storage, user: UserId) -> Vec<ApiKey> {
    storage.keys_of(user).await.expect("keys")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_resolves_to_its_user_and_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, key, hash) = stored_key(&storage).await;
    let holder = storage.holder(hash).await.unwrap().unwrap();
    assert_eq!(holder.expires_at, key.expires_at);
    let caller = &holder.caller;
    assert_eq!((holder.key_id, caller.user_id), (key.id, user.id));
    assert_eq!(caller.permissions, user.permissions);
    assert_eq!(caller.company.id, company.id);
    assert_eq!(caller.company.directory_id, company.directory_id);
    assert_eq!(caller.company.product_access, company.product_access);
    assert_eq!(*caller.company.allowed_domains, company.allowed_domains);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_hash_and_a_revoked_key_resolve_to_no_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, stored, hash) = stored_key(&storage).await;
    assert_eq!(storage.holder(key(user.id).1).await.unwrap(), None);
    assert!(storage.holder(hash).await.unwrap().is_some());
    assert!(storage.revoke_key(None, stored.id, at(5)).await.unwrap());
    until(async || storage.holder(hash).await.unwrap().is_none()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_is_found_within_about_a_second_after_a_failed_lookup() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (late, hash) = key(user.id);
    assert_eq!(storage.holder(hash).await.unwrap(), None);
    let outcome = storage.create_key(None, late, hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    until(async || storage.holder(hash).await.unwrap().is_some()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cached_answer_takes_no_statement() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (.., hash) = stored_key(&storage).await;
    let mut least = u64::MAX;
    for _ in 0..5 {
        storage.holder(hash).await.unwrap();
        let before = storage.statements();
        storage.holder(hash).await.unwrap();
        least = least.min(storage.statements() - before);
    }
    assert_eq!(least, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_is_seen_by_every_instance() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (_, _, key, hash) = stored_key(&one).await;
    assert!(one.holder(hash).await.unwrap().is_some());
    assert!(other.holder(hash).await.unwrap().is_some());
    assert!(one.revoke_key(None, key.id, at(5)).await.unwrap());
    until(async || one.holder(hash).await.unwrap().is_none()).await;
    until(async || other.holder(hash).await.unwrap().is_none()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_permission_and_a_changed_company_are_seen() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (.., hash) = stored_key(&storage).await;
    let holder = async || storage.holder(hash).await.unwrap().unwrap();
    assert!(holder().await.caller.company.product_access);
    execute(&database, "UPDATE users SET permissions = 0");
    until(async || holder().await.caller.permissions.iter().next().is_none()).await;
    execute(&database, "UPDATE companies SET product_access = NOT product_access");
    until(async || !holder().await.caller.company.product_access).await;
    execute(&database, "UPDATE companies SET allowed_domains = '[]'");
    until(async || holder().await.caller.company.allowed_domains.patterns().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_only_stored_in_an_existing_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let of_company = user(company.id, "a@acme.example");
    assert_eq!(
        storage.create_user(operator(), of_company, MANY).await.unwrap(),
        CreateUserOutcome::Created
    );
    let of_none = user(CompanyId::new(Uuid::now_v7()), "b@acme.example");
    let outcome = storage.create_user(operator(), of_none.clone(), MANY).await.unwrap();
    assert_eq!(outcome, CreateUserOutcome::CompanyUnknown);
    let (stored, hash) = key(of_none.id);
    let outcome = storage.create_key(None, stored, hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::UserUnknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_identity_is_unique_in_a_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (one, other) = (stored_company(&storage).await, stored_company(&storage).await);
    for (company, email, outcome) in [
        (one.id, "ann@exämple.de", CreateUserOutcome::Created),
        (one.id, "ANN@xn--exmple-cua.de", CreateUserOutcome::EmailTaken),
        (other.id, "ann@exämple.de", CreateUserOutcome::Created),
    ] {
        assert_eq!(
            storage.create_user(operator(), user(company, email), MANY).await.unwrap(),
            outcome,
            "{email}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_only_stored_for_an_existing_user_of_the_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, ..) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    let unknown = UserId::new(Uuid::now_v7());
    for (of, user, stored) in [
        (Some(company.id), user.id, true),
        (None, user.id, true),
        (Some(other.id), user.id, false),
        (None, unknown, false),
        (Some(company.id), unknown, false),
    ] {
        let (key, hash) = key(user);
        let outcome = storage.create_key(of.map(Into::into), key, hash, MANY).await.unwrap();
        assert_eq!(outcome == CreateKeyOutcome::Created, stored);
        assert_eq!(outcome == CreateKeyOutcome::UserUnknown, !stored);
        assert_eq!(storage.holder(hash).await.unwrap().is_some(), stored);
    }
    assert_eq!(keys(&storage, user.id).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_revoked_by_its_company_or_by_an_operator() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, key, hash) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    assert!(!storage.revoke_key(Some(other.id.into()), key.id, at(5)).await.unwrap());
    let unknown = ApiKeyId::new(Uuid::now_v7());
    assert!(!storage.revoke_key(None, unknown, at(5)).await.unwrap());
    assert!(!storage.revoke_key(Some(company.id.into()), unknown, at(5)).await.unwrap());
    assert!(storage.holder(hash).await.unwrap().is_some());
    assert!(storage.revoke_key(Some(company.id.into()), key.id, at(5)).await.unwrap());
    assert_eq!(keys(&storage, user.id).await[0].revoked_at, Some(at(5)));
}

#[tokio::test(flavor = "multi_thread")]
async fn revoking_twice_keeps_the_first_timestamp() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, key, _) = stored_key(&storage).await;
    for moment in [at(5), at(9), at(1)] {
        assert!(storage.revoke_key(None, key.id, moment).await.unwrap());
        assert_eq!(keys(&storage, user.id).await[0].revoked_at, Some(at(5)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_store_is_bootstrapped_once() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    for expected in [true, false] {
        let company = company();
        let mut owner = user(company.id, "owner@acme.example");
        owner.permissions = all_permissions();
        let ((first, hash), link) = (key(owner.id), link(owner.id));
        let made =
            storage.bootstrap(company, owner.clone(), (first.clone(), hash), link).await.unwrap();
        assert_eq!(made, expected);
        assert_eq!(storage.holder(hash).await.unwrap().is_some(), expected);
        let stored_link = storage.link(link.1).await.unwrap().map(|holder| holder.link);
        assert_eq!(stored_link, expected.then_some(link.0));
        let stored = if expected { vec![first] } else { Vec::new() };
        assert_eq!(keys(&storage, owner.id).await, stored);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_with_a_company_is_not_bootstrapped() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    stored_company(&storage).await;
    let company = company();
    let owner = user(company.id, "owner@acme.example");
    let (first, link) = (key(owner.id), link(owner.id));
    assert!(!storage.bootstrap(company.clone(), owner, first, link).await.unwrap());
    let outcome =
        storage.create_user(operator(), user(company.id, "b@acme.example"), MANY).await.unwrap();
    assert_eq!(outcome, CreateUserOutcome::CompanyUnknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_bootstraps_succeeds() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let calls = (0..12).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        tokio::spawn(async move {
            let company = company();
            let owner = user(company.id, "owner@acme.example");
            let (first, link) = (key(owner.id), link(owner.id));
            storage.bootstrap(company, owner, first, link).await.expect("an answer")
        })
    });
    let mut made = 0;
    for call in calls.collect::<Vec<_>>() {
        made += u32::from(call.await.unwrap());
    }
    assert_eq!(made, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_use_is_recorded_and_an_earlier_one_is_ignored() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, stored, _) = stored_key(&storage).await;
    let (second, hash) = key(user.id);
    let outcome = storage.create_key(None, second.clone(), hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    let unknown = ApiKeyId::new(Uuid::now_v7());
    for (moment, expected) in [(at(60), at(60)), (at(50), at(60)), (at(70), at(70))] {
        storage.record_use(vec![(unknown, moment), (stored.id, moment)]).await.unwrap();
        let recorded: Vec<_> = keys(&storage, user.id)
            .await
            .into_iter()
            .map(|key| (key.id, key.last_used_at))
            .collect();
        assert_eq!(recorded, [(stored.id, Some(expected)), (second.id, None)]);
    }
    storage.record_use(Vec::new()).await.unwrap();
    let others = (0..1200).map(|_| ApiKeyId::new(Uuid::now_v7()));
    let mut many: Vec<_> = others.map(|id| (id, at(80))).collect();
    many.insert(600, (stored.id, at(80)));
    many.push((second.id, at(90)));
    storage.record_use(many).await.unwrap();
    let recorded = keys(&storage, user.id).await.into_iter().map(|key| key.last_used_at);
    assert!(recorded.eq([Some(at(80)), Some(at(90))]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_a_user_are_listed_completely_and_oldest_first() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, first, _) = stored_key(&storage).await;
    let (mut oldest, oldest_hash) = key(user.id);
    oldest.created_at = at(1);
    oldest.expires_at = None;
    let (mut newest, newest_hash) = key(user.id);
    newest.created_at = at(8);
    newest.name = "Ünï 🎂".to_owned();
    let outcome = storage.create_key(None, newest.clone(), newest_hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    let outcome = storage.create_key(None, oldest.clone(), oldest_hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    assert_eq!(keys(&storage, user.id).await, [oldest, first, newest]);
    let without = crate::sample::user(company.id, "b@acme.example");
    assert_eq!(
        storage.create_user(operator(), without.clone(), MANY).await.unwrap(),
        CreateUserOutcome::Created
    );
    assert!(keys(&storage, without.id).await.is_empty());
    assert!(keys(&storage, UserId::new(Uuid::now_v7())).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn companies_are_listed_in_the_order_of_their_ids_up_to_a_limit() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(stored_company(&storage).await);
    }
    made.sort_by_key(|company| company.id);
    let list = async |after, limit| storage.list_companies(after, limit).await.expect("companies");
    assert_eq!(list(None, 2).await, made[..2]);
    assert_eq!(list(Some(made[1].id), 2).await, made[2..]);
    let deleting = "UPDATE companies SET deleting_since = created_at";
    execute(&database, deleting);
    assert_eq!(list(None, 2).await, []);
}
