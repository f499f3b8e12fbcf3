//! The duties of the access port for managing users, keys and the company.

use crate::sample::{author, operator};
use contact_hub_domain::access::{
    AccessStore, ChangeUserOutcome, Company, CompanyChange, CreateKeyOutcome, CreateUserOutcome,
    DeleteUserOutcome, OfUser, Permission, SessionStore, User, UserDraft,
};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::input::Input;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::property::Property;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{MANY, all_permissions, at, key, link, stored_company, stored_key, user};

async fn stored(storage: &Storage, company: CompanyId, email: &str) -> User {
    let mut stored = user(company, email);
    stored.permissions = all_permissions();
    let outcome =
        storage.create_user(operator(), stored.clone(), MANY).await.expect("the store answers");
    assert_eq!(outcome, CreateUserOutcome::Created);
    stored
}

/// A company with two users who manage access.
async fn company_of_two(storage: &Storage) -> (Company, User, User) {
    let company = stored_company(storage).await;
    let ann = stored(storage, company.id, "ann@acme.example").await;
    let bob = stored(storage, company.id, "bob@acme.example").await;
    (company, ann, bob)
}

fn email(text: &str) -> UserDraft {
    UserDraft { email: text.into(), ..UserDraft::default() }
}

fn permissions(words: &[&str]) -> UserDraft {
    let permissions = words.iter().map(|word| Property::from(*word)).collect();
    UserDraft { permissions, ..UserDraft::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_listed_page_by_page_within_their_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, bob) = company_of_two(&storage).await;
    let (other, ..) = company_of_two(&storage).await;
    let page = async |number| {
        let request = PageRequest::new(number, 1).unwrap();
        storage.list_users(company.id, request).await.unwrap()
    };
    let mut both = [ann.clone(), bob];
    both.sort_by_key(|user| user.id);
    for (number, user) in (1..).zip(both) {
        let page = page(number).await;
        assert_eq!((page.meta.total, page.items), (2, vec![user]));
    }
    assert!(page(3).await.items.is_empty());
    assert_eq!(storage.read_user(company.id, ann.id).await.unwrap().as_ref(), Some(&ann));
    assert_eq!(storage.read_user(other.id, ann.id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_can_be_changed_by_a_user_who_manages_access() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, bob) = company_of_two(&storage).await;
    let (other, stranger, _) = company_of_two(&storage).await;
    let change = async |caller: &User, id, draft| {
        storage.change_user(author(company.id, caller.id), id, draft, at(9)).await.unwrap()
    };
    let ChangeUserOutcome::Changed(changed) = change(&ann, bob.id, email("Bo@acme.example")).await
    else {
        panic!("it is a valid change");
    };
    assert_eq!(changed.email.as_str(), "Bo@acme.example");
    assert_eq!(storage.read_user(company.id, bob.id).await.unwrap(), Some(changed));
    let taken = change(&ann, bob.id, email("ANN@acme.example")).await;
    assert_eq!(taken, ChangeUserOutcome::EmailTaken);
    let own = change(&ann, ann.id, email("ANN@acme.example")).await;
    assert!(matches!(own, ChangeUserOutcome::Changed(_)));
    let refused = change(&ann, bob.id, email("x")).await;
    assert!(matches!(refused, ChangeUserOutcome::Refused(_)));
    let unknown = change(&ann, UserId::new(Uuid::now_v7()), email("x")).await;
    assert_eq!(unknown, ChangeUserOutcome::NotFound);
    assert_eq!(change(&ann, stranger.id, email("x")).await, ChangeUserOutcome::NotFound);
    assert_eq!(change(&stranger, bob.id, email("x")).await, ChangeUserOutcome::Denied);
    assert_eq!(storage.list_users(other.id, PageRequest::default()).await.unwrap().meta.total, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn users_cannot_remove_their_own_access() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, bob) = company_of_two(&storage).await;
    let change = async |caller: &User, user: &User, words: &[&str]| {
        storage
            .change_user(author(company.id, caller.id), user.id, permissions(words), at(9))
            .await
            .unwrap()
    };
    assert_eq!(change(&ann, &ann, &["publish"]).await, ChangeUserOutcome::OwnAccess);
    let less = change(&ann, &ann, &["manage_access"]).await;
    assert!(matches!(less, ChangeUserOutcome::Changed(_)));
    let demoted = change(&ann, &bob, &[]).await;
    assert!(matches!(demoted, ChangeUserOutcome::Changed(_)));
    assert_eq!(change(&bob, &ann, &[]).await, ChangeUserOutcome::Denied);
    let deleted = storage.delete_user(author(company.id, bob.id), ann.id, at(9)).await.unwrap();
    assert_eq!(deleted, DeleteUserOutcome::Denied);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_users_who_remove_each_others_access_succeeds() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    for _ in 0..10 {
        let (company, ann, bob) = company_of_two(&storage).await;
        let none = || permissions(&[]);
        let (one, other) = tokio::join!(
            storage.change_user(author(company.id, ann.id), bob.id, none(), at(9)),
            storage.change_user(author(company.id, bob.id), ann.id, none(), at(9)),
        );
        let done = |outcome: &ChangeUserOutcome| matches!(outcome, ChangeUserOutcome::Changed(_));
        assert!(done(&one.unwrap()) != done(&other.unwrap()));
        let users = storage.list_users(company.id, PageRequest::default()).await.unwrap().items;
        let managers = users.iter().filter(|user| user.permissions.has(Permission::ManageAccess));
        assert_eq!(managers.count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_taken_in_the_meantime_is_reported_as_taken() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    for _ in 0..10 {
        let (company, ann, bob) = company_of_two(&storage).await;
        let new = || email("new@acme.example");
        let (one, other) = tokio::join!(
            storage.change_user(author(company.id, ann.id), ann.id, new(), at(9)),
            storage.change_user(author(company.id, bob.id), bob.id, new(), at(9)),
        );
        let outcomes = [one.unwrap(), other.unwrap()];
        assert!(outcomes.contains(&ChangeUserOutcome::EmailTaken), "{outcomes:?}");
        assert!(outcomes.iter().any(|one| matches!(one, ChangeUserOutcome::Changed(_))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_deleted_with_their_keys_and_links() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, bob) = company_of_two(&storage).await;
    let ((stored, hash), (link, token)) = (key(bob.id), link(bob.id));
    let outcome = storage.create_key(None, stored, hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    assert!(storage.create_link(None, link, token).await.unwrap());
    assert!(storage.holder(hash).await.unwrap().is_some());
    for outcome in [DeleteUserOutcome::Deleted, DeleteUserOutcome::NotFound] {
        assert_eq!(
            storage.delete_user(author(company.id, ann.id), bob.id, at(9)).await.unwrap(),
            outcome
        );
        assert_eq!(storage.holder(hash).await.unwrap(), None);
        assert_eq!(storage.link(token).await.unwrap(), None);
        assert_eq!(storage.read_user(company.id, bob.id).await.unwrap(), None);
    }
    let (_, stranger, _) = company_of_two(&storage).await;
    let outcome =
        storage.delete_user(author(company.id, ann.id), stranger.id, at(9)).await.unwrap();
    assert_eq!(outcome, DeleteUserOutcome::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_belong_to_a_user_of_the_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, first, hash) = stored_key(&storage).await;
    let (other, stranger, ..) = stored_key(&storage).await;
    let (mut second, second_hash) = key(user.id);
    second.created_at = at(4);
    let outcome = storage.create_key(None, second.clone(), second_hash, MANY).await.unwrap();
    assert_eq!(outcome, CreateKeyOutcome::Created);
    let request = PageRequest::new(2, 1).unwrap();
    let page = storage.list_keys(company.id, user.id, request).await.unwrap().unwrap();
    assert_eq!((page.meta.total, page.items), (2, vec![second]));
    for (company, user, id) in [
        (other.id, user.id, OfUser::UserNotFound),
        (company.id, stranger.id, OfUser::UserNotFound),
        (other.id, stranger.id, OfUser::KeyNotFound),
        (company.id, user.id, OfUser::Found(())),
    ] {
        let read = storage.read_key(company, user, first.id).await.unwrap();
        let read = match read {
            OfUser::Found(key) => {
                assert_eq!(key, first);
                OfUser::Found(())
            }
            OfUser::KeyNotFound => OfUser::KeyNotFound,
            OfUser::UserNotFound => OfUser::UserNotFound,
        };
        assert_eq!(read, id);
        let listed = storage.list_keys(company, user, PageRequest::default()).await.unwrap();
        assert_eq!(listed.is_none(), id == OfUser::UserNotFound);
        assert_eq!(storage.revoke_key_of(company.into(), user, first.id, at(5)).await.unwrap(), id);
        assert_eq!(storage.holder(hash).await.unwrap().is_none(), id == OfUser::Found(()));
    }
    let again = storage.revoke_key_of(company.id.into(), user.id, first.id, at(9)).await.unwrap();
    assert_eq!(again, OfUser::Found(()));
    assert_eq!(storage.keys_of(user.id).await.unwrap()[0].revoked_at, Some(at(5)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_company_applies_to_its_callers_at_once() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, .., hash) = stored_key(&storage).await;
    assert_eq!(storage.read_company(company.id).await.unwrap().as_ref(), Some(&company));
    let change = CompanyChange {
        name: "New".into(),
        product_access: Input::Bool(false).into(),
        allowed_domains: ["new.example".into()].into_iter().collect(),
        ..CompanyChange::default()
    };
    assert!(storage.holder(hash).await.unwrap().unwrap().caller.company.product_access);
    let changed = storage.change_company(company.id.into(), change.clone(), at(9)).await.unwrap();
    let changed = changed.expect("a company").expect("a valid change");
    assert_eq!((changed.name.as_str(), changed.product_access), ("New", false));
    let caller = storage.holder(hash).await.unwrap().unwrap().caller.clone();
    assert!(!caller.company.product_access);
    assert_eq!(*caller.company.allowed_domains, changed.allowed_domains);
    assert_eq!(storage.read_company(company.id).await.unwrap(), Some(changed.clone()));
    let wrong = CompanyChange { name: Property::Null, ..change.clone() };
    assert!(
        storage.change_company(company.id.into(), wrong, at(9)).await.unwrap().unwrap().is_err()
    );
    assert_eq!(storage.read_company(company.id).await.unwrap(), Some(changed));
    let unknown = CompanyId::new(Uuid::now_v7());
    assert_eq!(storage.change_company(unknown.into(), change, at(9)).await.unwrap(), None);
    assert_eq!(storage.read_company(unknown).await.unwrap(), None);
}
