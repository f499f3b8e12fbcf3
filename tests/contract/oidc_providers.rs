//! The duties of [`CompanyProviderStore`], line by line.

use contact_hub_domain::access::DeleteProviderOutcome::{Deleted, NoWayIn, NotFound};
use contact_hub_domain::access::{
    AccessStore, AllowDomainOutcome, CompanyProvider, CompanyProviderStore, GroupPermissions,
    OidcPerson, OidcSignIn, OidcSignInOutcome, OidcStore, OidcSubject, Permission,
    SaveProviderOutcome, SealedSecret, Session, SessionStore, SignInMethod,
    SwitchPasswordSignInOutcome, TokenHash, User,
};
use contact_hub_domain::author::{Author, Call};
use contact_hub_domain::ids::{CompanyId, OidcProviderId, SessionId, WebhookSecretId};
use contact_hub_domain::webhooks::Sealed;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{MANY, at, session_token, stored_company, stored_key};

fn provider(company: CompanyId, domains: &[&str]) -> CompanyProvider {
    let publish = [Permission::Publish].into_iter().collect();
    CompanyProvider {
        id: OidcProviderId::new(Uuid::now_v7()),
        company,
        name: "Acme".to_owned(),
        issuer: "https://id.example".to_owned(),
        client_id: "hub".to_owned(),
        scopes: vec!["email".to_owned(), "groups".to_owned()],
        trusts_emails: true,
        creates_users: false,
        groups: Some(GroupPermissions {
            claim: "groups".to_owned(),
            groups: vec![("staff".to_owned(), publish)],
        }),
        domains: domains.iter().map(|domain| (*domain).to_owned()).collect(),
        created_at: at(5),
    }
}

fn secret() -> SealedSecret {
    let sealed = Sealed { key_id: "key".to_owned(), bytes: vec![1, 2, 3] };
    (WebhookSecretId::new(Uuid::now_v7()), sealed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_created_changed_and_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let (first, sealed) = (provider(company.id, &[]), secret());
    let create = async |provider: &CompanyProvider, max| {
        let (by, provider) = (provider.company.into(), provider.clone());
        storage.create_company_provider(by, provider, sealed.clone(), max).await.unwrap()
    };
    assert_eq!(create(&first, 1).await, SaveProviderOutcome::Saved);
    let second = provider(company.id, &[]);
    assert_eq!(create(&second, 1).await, SaveProviderOutcome::Full);
    let nowhere = provider(CompanyId::new(Uuid::now_v7()), &[]);
    assert_eq!(create(&nowhere, 1).await, SaveProviderOutcome::NotFound);
    let listed = storage.company_providers(company.id).await.unwrap();
    assert_eq!(listed, std::slice::from_ref(&first));
    assert!(storage.company_providers(other.id).await.unwrap().is_empty());
    let found = storage.company_provider(first.id).await.unwrap();
    assert_eq!(found, Some((first.clone(), sealed.clone())));

    let change = async |by: CompanyId, provider: &CompanyProvider, secret| {
        let (by, provider) = (by.into(), provider.clone());
        storage.change_company_provider(by, provider, secret, at(6)).await.unwrap()
    };
    let renamed = CompanyProvider { name: "Other".to_owned(), groups: None, ..first.clone() };
    assert_eq!(change(other.id, &renamed, None).await, SaveProviderOutcome::NotFound);
    assert_eq!(change(company.id, &renamed, None).await, SaveProviderOutcome::Saved);
    let found = storage.company_provider(first.id).await.unwrap();
    assert_eq!(found, Some((renamed.clone(), sealed.clone())));
    let moved = CompanyProvider { issuer: "https://b.example".to_owned(), ..renamed };
    assert_eq!(change(company.id, &moved, None).await, SaveProviderOutcome::NotFound);
    let another = secret();
    let saved = change(company.id, &moved, Some(another.clone())).await;
    assert_eq!(saved, SaveProviderOutcome::Saved);
    let found = storage.company_provider(first.id).await.unwrap();
    assert_eq!(found, Some((moved, another)));

    let delete = async |by: CompanyId| {
        storage.delete_company_provider(by.into(), first.id, at(7)).await.unwrap()
    };
    let outcomes = [delete(other.id).await, delete(company.id).await, delete(company.id).await];
    assert_eq!(outcomes, [NotFound, Deleted, NotFound]);
    assert_eq!(storage.company_provider(first.id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_belongs_to_one_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let allow = async |company: CompanyId, domain: &str| {
        storage.allow_oidc_domain(company.into(), domain.to_owned(), 1, at(5)).await.unwrap()
    };
    assert_eq!(allow(company.id, "a.example").await, AllowDomainOutcome::Allowed);
    assert_eq!(allow(company.id, "a.example").await, AllowDomainOutcome::Allowed);
    assert_eq!(allow(company.id, "b.example").await, AllowDomainOutcome::Full);
    assert_eq!(allow(other.id, "a.example").await, AllowDomainOutcome::Taken);
    let nowhere = CompanyId::new(Uuid::now_v7());
    assert_eq!(allow(nowhere, "c.example").await, AllowDomainOutcome::CompanyUnknown);
    assert_eq!(storage.oidc_domains(company.id).await.unwrap(), ["a.example"]);
    let forbid = async || storage.forbid_oidc_domain("a.example".to_owned(), at(6)).await.unwrap();
    assert!(forbid().await && !forbid().await);
    assert_eq!(allow(other.id, "a.example").await, AllowDomainOutcome::Allowed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_of_the_company_belongs_to_at_most_one_of_its_providers() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let allowed =
        storage.allow_oidc_domain(company.id.into(), "a.example".to_owned(), 1, at(5)).await;
    assert_eq!(allowed.unwrap(), AllowDomainOutcome::Allowed);
    let create = async |provider: &CompanyProvider| {
        let (by, provider) = (provider.company.into(), provider.clone());
        storage.create_company_provider(by, provider, secret(), MANY).await.unwrap()
    };
    let refused = |domain: &str| SaveProviderOutcome::DomainRefused(domain.to_owned());
    let foreign = create(&provider(other.id, &["a.example"])).await;
    assert_eq!(foreign, refused("a.example"));
    let unknown = create(&provider(company.id, &["a.example", "b.example"])).await;
    assert_eq!(unknown, refused("b.example"));
    assert!(!storage.has_company_providers().await.unwrap());
    let own = provider(company.id, &["a.example"]);
    assert_eq!(create(&own).await, SaveProviderOutcome::Saved);
    assert_eq!(create(&provider(company.id, &["a.example"])).await, refused("a.example"));
    assert!(storage.has_company_providers().await.unwrap());
    let found = async || storage.provider_of_domain("a.example".to_owned()).await.unwrap();
    assert_eq!(found().await, Some(own.id));
    let left = storage.company_providers(company.id).await.unwrap();
    assert_eq!(left, std::slice::from_ref(&own));

    let without = CompanyProvider { domains: Vec::new(), ..own.clone() };
    let change = async |provider: &CompanyProvider| {
        let (by, provider) = (provider.company.into(), provider.clone());
        storage.change_company_provider(by, provider, None, at(6)).await.unwrap()
    };
    assert_eq!(change(&without).await, SaveProviderOutcome::Saved);
    assert_eq!(found().await, None);
    assert_eq!(change(&own).await, SaveProviderOutcome::Saved);
    assert_eq!(found().await, Some(own.id));
    storage.delete_company_provider(company.id.into(), own.id, at(7)).await.unwrap();
    assert_eq!(found().await, None);
}

/// Signs a user in with a provider. Returns the provider's subject of the user, and the token of the session.
async fn signed_in(
    storage: &Storage,
    provider: &CompanyProvider,
    user: &User,
) -> (OidcSubject, TokenHash) {
    let (issuer, name) = (provider.issuer.clone(), "1".to_owned());
    let subject = OidcSubject { provider: provider.id.to_string(), issuer, subject: name };
    let (id, token, now) = (SessionId::new(Uuid::now_v7()), session_token(), at(50));
    let sign_in = OidcSignIn {
        person: OidcPerson {
            subject: subject.clone(),
            company: Some(provider.company),
            email: Some(user.email.clone()),
        },
        new_user: None,
        max_users: MANY,
        permissions: None,
        used_many_factors: false,
        session: Session { id, user_id: user.id, created_at: now, seen_at: now, confirmed_at: now },
        token,
        call: Call::default(),
    };
    assert_eq!(
        storage.sign_in_by_oidc(sign_in).await.expect("a sign-in"),
        OidcSignInOutcome::Begun
    );
    (subject, token)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_without_domains_no_longer_creates_users_or_vouches_for_emails() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    for domain in ["a.example", "b.example"] {
        let allowed =
            storage.allow_oidc_domain(company.id.into(), domain.to_owned(), MANY, at(5)).await;
        assert_eq!(allowed.unwrap(), AllowDomainOutcome::Allowed);
    }
    let (creates_users, trusts_emails) = (true, true);
    let own = provider(company.id, &["a.example", "b.example"]);
    let own = CompanyProvider { creates_users, trusts_emails, ..own };
    let created = storage.create_company_provider(company.id.into(), own.clone(), secret(), MANY);
    assert_eq!(created.await.unwrap(), SaveProviderOutcome::Saved);
    let without = async |domain: &str| {
        assert!(storage.forbid_oidc_domain(domain.to_owned(), at(6)).await.unwrap());
        storage.company_providers(company.id).await.unwrap().remove(0)
    };
    let left = vec!["b.example".to_owned()];
    assert_eq!(without("a.example").await, CompanyProvider { domains: left, ..own.clone() });
    let (creates_users, trusts_emails) = (false, false);
    let least = CompanyProvider { creates_users, trusts_emails, domains: Vec::new(), ..own };
    assert_eq!(without("b.example").await, least);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_subjects_of_a_provider_are_deleted_with_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let own = provider(company.id, &[]);
    let by = company.id.into();
    storage.create_company_provider(by, own.clone(), secret(), MANY).await.unwrap();
    let (subject, _token) = signed_in(&storage, &own, &ann).await;
    assert_eq!(storage.user_of_subject(subject.clone()).await.unwrap(), Some(ann.id));
    let deleted = storage.delete_company_provider(company.id.into(), own.id, at(7)).await;
    assert_eq!(deleted.unwrap(), Deleted);
    assert_eq!(storage.user_of_subject(subject).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_can_be_disabled_once_a_provider_has_signed_in_a_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let by = || Author::from(company.id);
    let switch = async |is_on| storage.switch_password_sign_in(by(), is_on, at(60)).await.unwrap();
    let nowhere = CompanyId::new(Uuid::now_v7());
    let unknown = storage.switch_password_sign_in(nowhere.into(), false, at(60)).await.unwrap();
    assert_eq!(unknown, SwitchPasswordSignInOutcome::CompanyUnknown);
    assert_eq!(switch(true).await, SwitchPasswordSignInOutcome::Switched, "it is on anyway");
    assert_eq!(switch(false).await, SwitchPasswordSignInOutcome::NoWayIn);
    let own = provider(company.id, &[]);
    storage.create_company_provider(by(), own.clone(), secret(), MANY).await.unwrap();
    assert_eq!(switch(false).await, SwitchPasswordSignInOutcome::NoWayIn, "nobody has used it");
    let (_subject, token) = signed_in(&storage, &own, &ann).await;
    assert_eq!(switch(false).await, SwitchPasswordSignInOutcome::Switched);
    assert!(!storage.read_company(company.id).await.unwrap().unwrap().password_sign_in);
    let holder = storage.session(token).await.unwrap().unwrap();
    assert_eq!(holder.method, Some(SignInMethod::CompanyProvider));
    assert!(!holder.password_sign_in && !holder.has_password && holder.is_person);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_passwords_a_provider_that_is_found_by_email_must_remain() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let by = || Author::from(company.id);
    let allowed =
        storage.allow_oidc_domain(company.id.into(), "a.example".to_owned(), 1, at(5)).await;
    assert_eq!(allowed.unwrap(), AllowDomainOutcome::Allowed);
    let (first, second) = (provider(company.id, &["a.example"]), provider(company.id, &[]));
    for one in [&first, &second] {
        let created = storage.create_company_provider(by(), one.clone(), secret(), MANY).await;
        assert_eq!(created.unwrap(), SaveProviderOutcome::Saved);
    }
    let _ = signed_in(&storage, &first, &ann).await;
    storage.switch_password_sign_in(by(), false, at(60)).await.unwrap();
    let change = async |provider: CompanyProvider| {
        let secret = Some(secret());
        storage.change_company_provider(by(), provider, secret, at(61)).await.unwrap()
    };
    let delete =
        async |id| storage.delete_company_provider(by(), id, at(62)).await.expect("an outcome");
    let renamed = CompanyProvider { name: "Other".to_owned(), ..first.clone() };
    assert_eq!(change(renamed).await, SaveProviderOutcome::Saved);
    let moved = CompanyProvider { issuer: "https://b.example".to_owned(), ..first.clone() };
    assert_eq!(change(moved.clone()).await, SaveProviderOutcome::NoWayIn);
    let without = CompanyProvider { domains: Vec::new(), ..first.clone() };
    assert_eq!(change(without.clone()).await, SaveProviderOutcome::NoWayIn);
    assert_eq!(delete(first.id).await, NoWayIn);
    // Another provider works, but it cannot be found by email.
    let _ = signed_in(&storage, &second, &ann).await;
    assert_eq!(delete(first.id).await, NoWayIn);
    assert_eq!(delete(second.id).await, Deleted);
    storage.switch_password_sign_in(by(), true, at(63)).await.unwrap();
    assert_eq!(change(without).await, SaveProviderOutcome::Saved);
    assert_eq!(change(moved).await, SaveProviderOutcome::Saved);
    assert_eq!(delete(first.id).await, Deleted);
}
