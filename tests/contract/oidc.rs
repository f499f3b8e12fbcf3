//! The duties of [`OidcStore`], line by line.

use contact_hub_domain::access::{
    AccessStore, AllowDomainOutcome, CompanyProviderStore, OIDC_ATTEMPTS, OIDC_SECONDS,
    OidcAttempt, OidcPerson, OidcSignIn, OidcSignInOutcome, OidcStore, OidcSubject, Permission,
    Permissions, Session, SessionStore, TokenHash, User,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{CompanyId, SessionId, UserId};
use contact_hub_domain::time::Timestamp;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{MANY, at, author, operator, session_token, stored_company, stored_key, user};

fn attempt(started_at: Timestamp) -> OidcAttempt {
    OidcAttempt {
        browser: session_token(),
        provider: "acme".to_owned(),
        next: "/fields".to_owned(),
        session: None,
        started_at,
    }
}

fn subject(provider: &str, subject: &str) -> OidcSubject {
    let issuer = "https://id.example".to_owned();
    OidcSubject { provider: provider.to_owned(), issuer, subject: subject.to_owned() }
}

/// A sign-in of the person with this subject and email at the operator's provider.
pub(crate) fn sign_in(name: &str, email: Option<&str>) -> OidcSignIn {
    let (id, now) = (SessionId::new(Uuid::now_v7()), at(50));
    let user_id = UserId::new(Uuid::now_v7());
    let email = email.map(|email| user(CompanyId::new(Uuid::nil()), email).email);
    OidcSignIn {
        person: OidcPerson { subject: subject("acme", name), company: None, email },
        new_user: None,
        max_users: MANY,
        permissions: None,
        used_many_factors: false,
        session: Session { id, user_id, created_at: now, seen_at: now, confirmed_at: now },
        token: session_token(),
        call: Call::default(),
    }
}

async fn outcome(storage: &Storage, sign_in: &OidcSignIn) -> OidcSignInOutcome {
    storage.sign_in_by_oidc(sign_in.clone()).await.expect("the store answers")
}

/// The user for whom a sign-in created a session.
async fn signed_in(storage: &Storage, sign_in: &OidcSignIn) -> Option<UserId> {
    assert_eq!(outcome(storage, sign_in).await, OidcSignInOutcome::Begun);
    user_of(storage, sign_in.token).await
}

async fn user_of(storage: &Storage, token: TokenHash) -> Option<UserId> {
    storage.session(token).await.expect("the store answers").map(|it| it.session.user_id)
}

async fn another_user(storage: &Storage, company: CompanyId, email: &str) -> User {
    let user = user(company, email);
    storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
    user
}

/// Stores many sign-ins that started at the same time.
fn add_attempts(database: &TestDatabase, started_at: Timestamp, count: u32) {
    let micros = started_at.micros();
    let (hash, moment, numbers) = if database.is_postgres() {
        let moment = format!("to_timestamp({micros} / 1000000.0)");
        ("decode(md5(n::text), 'hex')", moment, format!("generate_series(1, {count}) AS n"))
    } else {
        let all = format!("SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}");
        let numbers = format!("(WITH RECURSIVE numbers AS ({all}) SELECT n FROM numbers)");
        ("randomblob(32)", micros.to_string(), numbers)
    };
    database.execute(&format!(
        "INSERT INTO oidc_attempts (browser_hash, provider, next, started_at) \
         SELECT {hash}, 'acme', '/', {moment} FROM {numbers}"
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_can_be_completed_once() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let begun = OidcAttempt { session: Some(SessionId::new(Uuid::now_v7())), ..attempt(at(5)) };
    storage.begin_oidc(begun.clone()).await.unwrap();
    storage.begin_oidc(attempt(at(6))).await.unwrap();
    assert_eq!(storage.take_oidc(session_token()).await.unwrap(), None);
    let calls = (0..8).map(|_| {
        let (storage, browser) = (storage.clone(), begun.browser);
        tokio::spawn(async move { storage.take_oidc(browser).await.unwrap() })
    });
    let mut taken = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        taken.extend(call.await.unwrap());
    }
    assert_eq!(taken, [begun]);
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sign_ins_are_deleted_and_the_others_are_bounded() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let old = attempt(at(5));
    storage.begin_oidc(old.clone()).await.unwrap();
    let later = old.started_at.plus_seconds(OIDC_SECONDS);
    let kept = attempt(later);
    storage.begin_oidc(kept.clone()).await.unwrap();
    assert_eq!(storage.take_oidc(old.browser).await.unwrap(), None);
    add_attempts(&database, later.plus_seconds(1), OIDC_ATTEMPTS - 1);
    let last = attempt(later.plus_seconds(2));
    storage.begin_oidc(last.clone()).await.unwrap();
    assert_eq!(storage.take_oidc(kept.browser).await.unwrap(), None, "the oldest is deleted");
    assert_eq!(storage.take_oidc(last.browser).await.unwrap(), Some(last));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_found_by_subject_and_then_by_email() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let ben = another_user(&storage, company.id, "ben@acme.example").await;
    let nobody = sign_in("1", Some("eve@acme.example"));
    assert_eq!(outcome(&storage, &nobody).await, OidcSignInOutcome::NoUser);
    assert_eq!(outcome(&storage, &sign_in("1", None)).await, OidcSignInOutcome::NoUser);
    let first = sign_in("1", Some("API@acme.example"));
    assert_eq!(signed_in(&storage, &first).await, Some(ann.id));
    let known = storage.user_of_subject(subject("acme", "1")).await.unwrap();
    assert_eq!(known, Some(ann.id));
    for other in [subject("acme", "2"), subject("other", "1")] {
        assert_eq!(storage.user_of_subject(other).await.unwrap(), None);
    }
    assert_eq!(storage.providers_of_user(ann.id).await.unwrap(), ["acme"]);
    assert!(storage.providers_of_user(ben.id).await.unwrap().is_empty());
    // The subject counts, even if the email has changed.
    for email in [None, Some("ben@acme.example")] {
        assert_eq!(signed_in(&storage, &sign_in("1", email)).await, Some(ann.id));
    }
    let taken = sign_in("2", Some("api@acme.example"));
    assert_eq!(outcome(&storage, &taken).await, OidcSignInOutcome::OtherSubject);
    let owner = User { permissions: Permissions::all(), ..user(company.id, "o@acme.example") };
    storage.create_user(operator(), owner.clone(), MANY).await.unwrap();
    storage.delete_user(author(company.id, owner.id), ann.id, at(60)).await.unwrap();
    assert_eq!(storage.user_of_subject(subject("acme", "1")).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_in_a_companys_domain_resolves_to_no_other_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_stranger, earlier, ..) = stored_key(&storage).await;
    let acme = stored_company(&storage).await;
    let allowed =
        storage.allow_oidc_domain(acme.id.into(), "acme.example".to_owned(), MANY, at(5)).await;
    assert_eq!(allowed.unwrap(), AllowDomainOutcome::Allowed);
    let email = "api@acme.example";
    assert_eq!(outcome(&storage, &sign_in("1", Some(email))).await, OidcSignInOutcome::NoUser);
    let own = another_user(&storage, acme.id, email).await;
    assert_eq!(signed_in(&storage, &sign_in("1", Some(email))).await, Some(own.id));
    assert!(storage.forbid_oidc_domain("acme.example".to_owned(), at(60)).await.unwrap());
    let mut oldest = [(earlier.created_at, earlier.id), (own.created_at, own.id)];
    oldest.sort_unstable();
    let mut other = sign_in("1", Some(email));
    "other".clone_into(&mut other.person.subject.provider);
    assert_eq!(signed_in(&storage, &other).await, Some(oldest[0].1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_companys_provider_only_signs_in_its_own_users() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (acme, ann, ..) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    let email = Some("api@acme.example");
    let of = |company, sign_in: OidcSignIn| OidcSignIn {
        person: OidcPerson { company: Some(company), ..sign_in.person },
        ..sign_in
    };
    let foreign = of(other.id, sign_in("1", email));
    assert_eq!(outcome(&storage, &foreign).await, OidcSignInOutcome::NoUser);
    let created = user(other.id, "api@acme.example");
    let creating = OidcSignIn { new_user: Some(created.clone()), ..foreign };
    assert_eq!(signed_in(&storage, &creating).await, Some(created.id));
    assert_eq!(storage.read_user(other.id, created.id).await.unwrap(), Some(created.clone()));
    let own = of(acme.id, sign_in("2", email));
    assert_eq!(signed_in(&storage, &own).await, Some(ann.id));
    let mut by_operator = sign_in("3", email);
    "operator".clone_into(&mut by_operator.person.subject.provider);
    let of_operator = signed_in(&storage, &by_operator).await;
    let oldest =
        if (ann.created_at, ann.id) < (created.created_at, created.id) { ann } else { created };
    assert_eq!(of_operator, Some(oldest.id), "of several users the operator's takes the oldest");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_user_gets_the_permissions_of_the_groups_and_counts_towards_the_limit() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let permissions: Permissions = [Permission::Publish].into_iter().collect();
    let created = User { permissions, ..user(company.id, "new@acme.example") };
    let creating = |max_users| OidcSignIn {
        new_user: Some(created.clone()),
        permissions: Some(permissions),
        max_users,
        ..sign_in("1", Some("new@acme.example"))
    };
    assert_eq!(outcome(&storage, &creating(0)).await, OidcSignInOutcome::Full);
    assert_eq!(signed_in(&storage, &creating(1)).await, Some(created.id));
    let stored = storage.read_user(company.id, created.id).await.unwrap();
    assert_eq!(stored, Some(created.clone()));
    assert_eq!(signed_in(&storage, &creating(0)).await, Some(created.id), "it is known by now");
    let unknown = User { company_id: CompanyId::new(Uuid::now_v7()), ..created };
    let nowhere = OidcSignIn { new_user: Some(unknown), ..sign_in("2", Some("eve@acme.example")) };
    assert_eq!(outcome(&storage, &nowhere).await, OidcSignInOutcome::NoUser);
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_follow_the_groups_but_the_last_access_manager_stays() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let owner = |email| User { permissions: Permissions::all(), ..user(company.id, email) };
    let (ann, ben) = (owner("ann@acme.example"), owner("ben@acme.example"));
    for user in [&ann, &ben] {
        storage.create_user(operator(), user.clone(), MANY).await.unwrap();
    }
    let none = Permissions::default();
    let renewed = async |user: &User, name: &str| {
        let sign_in =
            OidcSignIn { permissions: Some(none), ..sign_in(name, Some(user.email.as_str())) };
        assert_eq!(signed_in(&storage, &sign_in).await, Some(user.id));
        storage.read_user(company.id, user.id).await.unwrap().unwrap().permissions
    };
    assert_eq!(renewed(&ann, "1").await, none);
    let access: Permissions = [Permission::ManageAccess].into_iter().collect();
    assert_eq!(renewed(&ben, "2").await, access);
    let kept = sign_in("2", None);
    assert_eq!(signed_in(&storage, &kept).await, Some(ben.id));
    let after = storage.read_user(company.id, ben.id).await.unwrap().unwrap();
    assert_eq!(after.permissions, access, "without groups nothing changes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_records_whether_several_factors_were_used() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, ann, ..) = stored_key(&storage).await;
    for used_many_factors in [false, true] {
        let sign_in = OidcSignIn { used_many_factors, ..sign_in("1", Some("api@acme.example")) };
        assert_eq!(signed_in(&storage, &sign_in).await, Some(ann.id));
        let holder = storage.session(sign_in.token).await.unwrap().unwrap();
        assert_eq!(holder.used_many_factors, used_many_factors);
    }
}
