//! The duties of [`TwoStepStore`], line by line.

use contact_hub_domain::access::{
    AccessStore, Completion, NewTwoStep, Proof, Session, SessionStore, TokenHash, TwoStepState,
    TwoStepStore,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{SessionId, UserId, WebhookSecretId};
use contact_hub_domain::webhooks::Sealed;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{
    MANY, all_permissions, at, author, operator, session_token, stored_company, stored_key, user,
};

fn new(user: UserId, codes: &[TokenHash]) -> NewTwoStep {
    let secret_id = WebhookSecretId::new(Uuid::now_v7());
    let sealed = Sealed { key_id: "key".to_owned(), bytes: vec![1, 2, 3] };
    NewTwoStep { user, secret_id, sealed, step: 100, codes: codes.to_vec() }
}

async fn turned_on(storage: &Storage, user: UserId, codes: &[TokenHash]) -> NewTwoStep {
    let new = new(user, codes);
    let is_on = storage.turn_on_two_step(new.clone(), Call::default(), at(5)).await;
    assert!(is_on.expect("the store answers"));
    new
}

async fn session(storage: &Storage, user: UserId, seen: i64) -> (Session, TokenHash) {
    let (id, token, seen) = (SessionId::new(Uuid::now_v7()), session_token(), at(seen));
    let session =
        Session { id, user_id: user, created_at: seen, seen_at: seen, confirmed_at: seen };
    assert!(
        storage.create_session(session, token, None, Call::default()).await.expect("a session")
    );
    (session, token)
}

fn completion(session: Session, proof: Proof) -> Completion {
    let (user, token) = (session.user_id, session_token());
    Completion { session: session.id, user, proof, token, call: Call::default(), at: at(30) }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_step_verification_is_enabled_once_and_disabled() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let codes = [session_token(), session_token()];
    let stored = turned_on(&storage, user.id, &codes).await;
    let secret = storage.code_secret(user.id).await.unwrap();
    assert_eq!(secret, Some((stored.secret_id, stored.sealed)));
    let state = TwoStepState { since: at(5), codes: 2 };
    assert_eq!(storage.two_step_state(user.id).await.unwrap(), Some(state));
    let again = storage.turn_on_two_step(new(user.id, &[]), Call::default(), at(6)).await;
    assert!(!again.unwrap());
    assert_eq!(storage.two_step_state(user.id).await.unwrap(), Some(state));
    let renew = async || {
        let codes = vec![session_token()];
        storage.renew_recovery_codes(user.id, codes, Call::default(), at(7)).await.unwrap()
    };
    assert!(renew().await);
    assert_eq!(storage.two_step_state(user.id).await.unwrap().unwrap().codes, 1);
    for was_on in [true, false] {
        let off = storage.turn_off_two_step(user.id, Call::default(), at(8)).await.unwrap();
        assert_eq!(off, was_on);
        assert_eq!(storage.code_secret(user.id).await.unwrap(), None);
    }
    assert!(!renew().await);
    let unknown = new(UserId::new(Uuid::now_v7()), &[]);
    assert!(!storage.turn_on_two_step(unknown, Call::default(), at(6)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_step_is_accepted_once_and_earlier_ones_are_rejected_after_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    assert!(!storage.use_step(user.id, 101).await.unwrap(), "it is off");
    turned_on(&storage, user.id, &[]).await;
    for (step, is_new) in [(100, false), (99, false), (102, true), (101, false), (102, false)] {
        assert_eq!(storage.use_step(user.id, step).await.unwrap(), is_new, "{step}");
    }
    let calls = (0..8).map(|_| {
        let storage = storage.clone();
        tokio::spawn(async move { storage.use_step(user.id, 103).await.unwrap() })
    });
    let mut successes = 0;
    for call in calls.collect::<Vec<_>>() {
        successes += u32::from(call.await.unwrap());
    }
    assert_eq!(successes, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_awaits_a_code_and_is_unlocked_once() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (before, open) = session(&storage, user.id, 10).await;
    let code = session_token();
    turned_on(&storage, user.id, &[code]).await;
    let holder = async |token| storage.session(token).await.unwrap();
    let open = holder(open).await.unwrap();
    assert!(!open.awaits_code && open.has_two_step);
    for proof in [Proof::Step(101), Proof::Recovery(code)] {
        let (awaiting, token) = session(&storage, user.id, 20).await;
        assert!(holder(token).await.unwrap().awaits_code);
        let listed = storage.sessions_of(user.id).await.unwrap();
        assert!(listed.iter().all(|it| it.session.id != awaiting.id), "nobody is signed in");
        let calls = (0..4).map(|_| {
            let (storage, completion) = (storage.clone(), completion(awaiting, proof));
            let token = completion.token;
            tokio::spawn(async move { (storage.complete(completion).await.unwrap(), token) })
        });
        let mut opened = 0;
        for call in calls.collect::<Vec<_>>() {
            let (is_open, token) = call.await.unwrap();
            opened += u32::from(is_open);
            let found = holder(token).await.map(|it| (it.awaits_code, it.session.confirmed_at));
            assert_eq!(found, is_open.then_some((false, at(30))));
        }
        assert_eq!(opened, 1);
        assert_eq!(holder(token).await, None, "the token is replaced");
    }
    let none = completion(before, Proof::Step(200));
    assert!(!storage.complete(none).await.unwrap(), "it awaits none");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_step_verification_is_reset_within_the_company_and_deleted_with_the_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    let mut admin = user(company.id, "admin@acme.example");
    admin.permissions = all_permissions();
    storage.create_user(operator(), admin.clone(), MANY).await.unwrap();
    turned_on(&storage, ann.id, &[session_token()]).await;
    let reset = async |by| storage.reset_two_step(by, ann.id, at(9)).await.unwrap();
    assert_eq!(reset(Some(other.id.into())).await, None);
    assert!(storage.code_secret(ann.id).await.unwrap().is_some());
    assert_eq!(reset(Some(author(company.id, admin.id))).await, Some(true));
    assert_eq!(reset(None).await, Some(false));
    turned_on(&storage, ann.id, &[session_token()]).await;
    assert_eq!(reset(None).await, Some(true), "an operator may");
    turned_on(&storage, ann.id, &[session_token()]).await;
    storage.delete_user(author(company.id, admin.id), ann.id, at(9)).await.unwrap();
    assert_eq!(storage.two_step_state(ann.id).await.unwrap(), None);
}
