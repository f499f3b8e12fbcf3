//! The duties of [`PasskeyStore`], line by line.

use contact_hub_domain::access::{
    AccessStore, AddPasskeyOutcome, Bound, CHALLENGE_SECONDS, Challenge, ChallengePurpose,
    ClientNetwork, CredentialId, MAX_CHALLENGES, NewCredential, NewPasskey, Passkey, PasskeyName,
    PasskeyStore, PasskeyUse, Session, SessionStore, TokenHash, TwoStepStore,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{PasskeyId, SessionId, UserId};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{
    MANY, all_permissions, at, author, operator, session_token, stored_company, stored_key, user,
};

const SECOND: i64 = 1_000_000;

const SIGN_IN: Bound = Bound { purpose: ChallengePurpose::SignIn, session: None };

fn new(user: UserId, name: &str) -> NewPasskey {
    let id = PasskeyId::new(Uuid::now_v7());
    let name = PasskeyName::from_stored(name.to_owned());
    let credential_id = CredentialId::new(Uuid::new_v4().as_bytes().to_vec());
    NewPasskey {
        passkey: Passkey { id, name, created_at: at(5), last_used_at: None },
        user,
        credential: NewCredential { id: credential_id, key: "key".to_owned() },
    }
}

pub(crate) async fn added(storage: &Storage, user: UserId) -> NewPasskey {
    let new = new(user, "Laptop");
    let outcome = storage.add_passkey(new.clone(), MANY, Call::default()).await;
    assert_eq!(outcome.expect("the store answers"), AddPasskeyOutcome::Added);
    new
}

fn used(passkey: &NewPasskey, counter: u32) -> PasskeyUse {
    let (id, key) = (passkey.passkey.id, format!("key {counter}"));
    PasskeyUse { id, user: passkey.user, key, counter, at: at(20) }
}

fn fresh(user: UserId) -> (Session, TokenHash) {
    let (id, now) = (SessionId::new(Uuid::now_v7()), at(10));
    let session = Session { id, user_id: user, created_at: now, seen_at: now, confirmed_at: now };
    (session, session_token())
}

async fn signs_in(storage: &Storage, used: PasskeyUse) -> bool {
    let (session, token) = fresh(used.user);
    storage.sign_in_with_passkey(used, session, token, Call::default()).await.expect("an outcome")
}

fn challenge(bound: Bound, network: u8, second: i64) -> Challenge {
    Challenge {
        token: session_token(),
        bound,
        network: ClientNetwork::from(std::net::IpAddr::from([192, 0, 2, network])),
        state: format!("state {second}"),
        created_at: at(second * SECOND),
    }
}

async fn take(storage: &Storage, challenge: &Challenge, bound: Bound) -> Option<String> {
    storage.take_challenge(challenge.token, bound, at(-1)).await.expect("an outcome")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_stored_listed_renamed_and_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let first = added(&storage, ann.id).await;
    let second = added(&storage, ann.id).await;
    let listed = storage.passkeys_of(ann.id).await.unwrap();
    assert_eq!(listed, [first.passkey.clone(), second.passkey.clone()]);
    let ids = storage.credential_ids(ann.id).await.unwrap();
    assert_eq!(ids, [first.credential.id.clone(), second.credential.id.clone()]);
    let stored = storage.passkey(first.credential.id.clone()).await.unwrap().unwrap();
    assert_eq!((stored.id, stored.user, stored.company), (first.passkey.id, ann.id, company.id));
    assert_eq!((stored.email, stored.key.as_str()), (ann.email.clone(), "key"));
    let unknown = CredentialId::new(vec![1]);
    assert_eq!(storage.passkey(unknown).await.unwrap(), None);
    let again = NewPasskey { credential: first.credential.clone(), ..new(ann.id, "Again") };
    let add = async |new, max| storage.add_passkey(new, max, Call::default()).await.unwrap();
    assert_eq!(add(again, MANY).await, AddPasskeyOutcome::Known);
    assert_eq!(add(new(ann.id, "Third"), 2).await, AddPasskeyOutcome::Full);
    let nobody = UserId::new(Uuid::now_v7());
    assert_eq!(add(new(nobody, "None"), MANY).await, AddPasskeyOutcome::UserUnknown);
    let name = PasskeyName::from_stored("Phone".to_owned());
    let id = first.passkey.id;
    for (user, is_own) in [(nobody, false), (ann.id, true)] {
        let renamed = storage.rename_passkey(user, id, name.clone(), Call::default(), at(6)).await;
        assert_eq!(renamed.unwrap(), is_own);
    }
    assert_eq!(storage.passkeys_of(ann.id).await.unwrap()[0].name, name);
    for (user, is_there) in [(nobody, false), (ann.id, true), (ann.id, false)] {
        let deleted = storage.delete_passkey(user, id, Call::default(), at(7)).await;
        assert_eq!(deleted.unwrap(), is_there);
    }
    assert_eq!(storage.passkeys_of(ann.id).await.unwrap(), [second.passkey]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_use_counts_once_and_earlier_counters_are_rejected_after_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, ann, ..) = stored_key(&storage).await;
    let passkey = added(&storage, ann.id).await;
    for (counter, counts) in [(0, true), (0, true), (3, true), (3, false), (2, false), (0, false)] {
        assert_eq!(signs_in(&storage, used(&passkey, counter)).await, counts, "{counter}");
    }
    let calls = (0..8).map(|_| {
        let (storage, used) = (storage.clone(), used(&passkey, 4));
        tokio::spawn(async move { signs_in(&storage, used).await })
    });
    let mut successes = 0;
    for call in calls.collect::<Vec<_>>() {
        successes += u32::from(call.await.unwrap());
    }
    assert_eq!(successes, 1);
    let stored = storage.passkey(passkey.credential.id.clone()).await.unwrap().unwrap();
    assert_eq!(stored.key, "key 4");
    assert_eq!(storage.passkeys_of(ann.id).await.unwrap()[0].last_used_at, Some(at(20)));
    let foreign = PasskeyUse { user: UserId::new(Uuid::now_v7()), ..used(&passkey, 5) };
    assert!(!signs_in(&storage, foreign).await);
    let (session, token) = fresh(ann.id);
    assert!(storage.create_session(session, token, None, Call::default()).await.unwrap());
    for (counter, counts) in [(4, false), (5, true)] {
        let confirmed = storage.confirm_with_passkey(used(&passkey, counter), session.id).await;
        assert_eq!(confirmed.unwrap(), counts);
        let holder = storage.session(token).await.unwrap().unwrap();
        assert_eq!(holder.session.confirmed_at, if counts { at(20) } else { at(10) });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passkey_sessions_need_no_code_and_others_do_where_it_is_required() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, ann, ..) = stored_key(&storage).await;
    let passkey = added(&storage, ann.id).await;
    let begin = async || {
        let (session, token) = fresh(ann.id);
        assert!(storage.create_session(session, token, None, Call::default()).await.unwrap());
        storage.session(token).await.unwrap().unwrap()
    };
    let holder = begin().await;
    assert!(holder.has_passkey && !holder.awaits_code, "the company requires nothing");
    let yes = if database.is_postgres() { "true" } else { "1" };
    database.execute(&format!("UPDATE companies SET requires_two_step = {yes}"));
    let holder = begin().await;
    assert!(holder.awaits_code && !holder.must_set_up());
    let (session, token) = fresh(ann.id);
    let signed_in =
        storage.sign_in_with_passkey(used(&passkey, 1), session, token, Call::default());
    assert!(signed_in.await.unwrap());
    assert!(!storage.session(token).await.unwrap().unwrap().awaits_code);
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_are_deleted_by_a_reset_and_with_the_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    let mut admin = user(company.id, "admin@acme.example");
    admin.permissions = all_permissions();
    storage.create_user(operator(), admin.clone(), MANY).await.unwrap();
    let reset = async |by| storage.reset_two_step(by, ann.id, at(9)).await.unwrap();
    let _ = added(&storage, ann.id).await;
    assert_eq!(reset(Some(other.id.into())).await, None);
    assert_eq!(storage.passkeys_of(ann.id).await.unwrap().len(), 1);
    assert_eq!(reset(Some(author(company.id, admin.id))).await, Some(true));
    assert_eq!(storage.passkeys_of(ann.id).await.unwrap(), []);
    assert_eq!(reset(None).await, Some(false));
    let passkey = added(&storage, ann.id).await;
    storage.delete_user(author(company.id, admin.id), ann.id, at(9)).await.unwrap();
    assert_eq!(storage.passkey(passkey.credential.id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_can_be_used_once_and_only_for_its_purpose() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, ann, ..) = stored_key(&storage).await;
    let (session, token) = fresh(ann.id);
    assert!(storage.create_session(session, token, None, Call::default()).await.unwrap());
    let of_session = |purpose| Bound { purpose, session: Some(session.id) };
    let confirm = of_session(ChallengePurpose::Confirm);
    for (bound, given_as, is_given) in [
        (SIGN_IN, SIGN_IN, true),
        (SIGN_IN, confirm, false),
        (confirm, confirm, true),
        (confirm, of_session(ChallengePurpose::Register), false),
        (confirm, Bound { session: None, ..confirm }, false),
        (confirm, Bound { session: Some(SessionId::new(Uuid::now_v7())), ..confirm }, false),
    ] {
        let saved = challenge(bound, 1, 1);
        storage.save_challenge(saved.clone()).await.unwrap();
        let expected = is_given.then(|| "state 1".to_owned());
        assert_eq!(take(&storage, &saved, given_as).await, expected, "{given_as:?}");
        assert_eq!(take(&storage, &saved, bound).await, None, "it is used up");
    }
    let old = challenge(SIGN_IN, 1, 3);
    storage.save_challenge(old.clone()).await.unwrap();
    assert_eq!(storage.take_challenge(old.token, SIGN_IN, old.created_at).await.unwrap(), None);
    let of_ended = challenge(confirm, 1, 4);
    storage.save_challenge(of_ended.clone()).await.unwrap();
    storage.end_sessions(ann.id, Call::default(), at(30)).await.unwrap();
    assert_eq!(take(&storage, &of_ended, confirm).await, None, "it goes with its session");
    storage.save_challenge(of_ended.clone()).await.unwrap();
    assert_eq!(take(&storage, &of_ended, confirm).await, None, "the session has ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_simultaneous_calls_uses_a_challenge() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let saved = challenge(SIGN_IN, 1, 2);
    storage.save_challenge(saved.clone()).await.unwrap();
    let calls = (0..8).map(|_| {
        let (storage, saved) = (storage.clone(), saved.clone());
        tokio::spawn(async move { take(&storage, &saved, SIGN_IN).await.is_some() })
    });
    let mut successes = 0;
    for call in calls.collect::<Vec<_>>() {
        successes += u32::from(call.await.unwrap());
    }
    assert_eq!(successes, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_expire_and_are_bounded() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let old = challenge(SIGN_IN, 1, 1);
    storage.save_challenge(old.clone()).await.unwrap();
    storage.save_challenge(challenge(SIGN_IN, 2, 1 + CHALLENGE_SECONDS)).await.unwrap();
    assert_eq!(take(&storage, &old, SIGN_IN).await, None, "it has expired");
    let hash = if database.is_postgres() {
        "decode(lpad(to_hex(n), 64, '0'), 'hex')"
    } else {
        "CAST(printf('%032d', n) AS BLOB)"
    };
    let moment = |second: i64| {
        let micros = at(second * SECOND).micros();
        if database.is_postgres() {
            format!("to_timestamp({}.0)", micros / SECOND)
        } else {
            micros.to_string()
        }
    };
    let first = challenge(SIGN_IN, 1, 400);
    storage.save_challenge(first.clone()).await.unwrap();
    database.execute(&format!(
        "INSERT INTO passkey_challenges (token_hash, purpose, network, state, created_at) \
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {}) \
         SELECT {hash}, 'sign_in', 'network ' || n, '', {} FROM numbers",
        MAX_CHALLENGES - 1,
        moment(401)
    ));
    storage.save_challenge(challenge(SIGN_IN, 3, 402)).await.unwrap();
    assert_eq!(take(&storage, &first, SIGN_IN).await, None, "there were too many");
    let expiry = storage.expiry();
    let deleted = expiry.delete_challenges(at(401 * SECOND)).await.unwrap();
    assert!(deleted >= usize::try_from(MAX_CHALLENGES).unwrap() - 500, "{deleted}");
    assert_eq!(expiry.delete_challenges(at(401 * SECOND)).await.unwrap(), 0);
}
