//! The duties of [`SessionStore`], line by line.

use crate::sample::{author, operator};
use contact_hub_domain::access::{
    AccessStore, DeleteUserOutcome, ListedSession, MAX_SESSIONS, PasswordChange, PasswordHash,
    Redemption, SESSION_IDLE_SECONDS, SESSION_SECONDS, Session, SessionStore, TokenHash, User,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{SessionId, UserId};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{
    MANY, all_permissions, at, link, session_token, stored_company, stored_key, user,
};

fn session(user: UserId, seen: i64) -> (Session, TokenHash) {
    let id = SessionId::new(Uuid::now_v7());
    let seen = at(seen);
    let session =
        Session { id, user_id: user, created_at: seen, seen_at: seen, confirmed_at: seen };
    (session, session_token())
}

async fn stored_session(storage: &Storage, user: UserId, seen: i64) -> (Session, TokenHash) {
    let (session, token) = session(user, seen);
    assert!(
        storage
            .create_session(session, token, None, Call::default())
            .await
            .expect("the store answers")
    );
    (session, token)
}

async fn sessions_of(storage: &Storage, user: UserId) -> Vec<Session> {
    let listed = storage.sessions_of(user).await.expect("the store answers");
    listed.into_iter().map(|listed| listed.session).collect()
}

fn hash(text: &str) -> PasswordHash {
    PasswordHash::new(text.to_owned())
}

async fn sets_password(
    storage: &Storage,
    user: UserId,
    current: Option<&str>,
    new: &str,
    keep: SessionId,
) -> bool {
    let change = PasswordChange {
        user,
        current: current.map(hash),
        new: hash(new),
        keep,
        end_keys: false,
        call: Call::default(),
        at: at(30),
    };
    storage.set_password(change).await.expect("the store answers")
}

fn redemption(user: &User, link: TokenHash, password: Option<&str>, now: i64) -> Redemption {
    let (session, token) = session(user.id, now);
    Redemption {
        link,
        password: password.map(hash),
        session,
        token,
        call: Call::default(),
        at: at(now),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_resolves_to_its_user_and_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, ..) = stored_key(&storage).await;
    let (session, token) = stored_session(&storage, user.id, 10).await;
    let holder = storage.session(token).await.unwrap().unwrap();
    assert_eq!(holder.session, session);
    assert_eq!((&holder.email, &holder.company_name), (&user.email, &company.name));
    assert_eq!(holder.caller.user_id, user.id);
    assert_eq!(holder.caller.permissions, user.permissions);
    assert_eq!(holder.caller.company.id, company.id);
    assert_eq!(*holder.caller.company.allowed_domains, company.allowed_domains);
    assert!(!holder.has_password);
    assert!(sets_password(&storage, user.id, None, "x", session.id).await);
    assert!(storage.session(token).await.unwrap().unwrap().has_password);
    assert_eq!(storage.session(session_token()).await.unwrap(), None);
    let (other, token) = self::session(UserId::new(Uuid::now_v7()), 10);
    assert!(!storage.create_session(other, token, None, Call::default()).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_used_listed_and_ended() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (_, stranger, ..) = stored_key(&storage).await;
    let (first, first_token) = stored_session(&storage, user.id, 10).await;
    let (second, _) = stored_session(&storage, user.id, 20).await;
    for (seen, expected) in [(30, 30), (25, 30)] {
        storage.see_session(first.id, at(seen)).await.unwrap();
        let seen = Session { seen_at: at(expected), ..first };
        assert_eq!(sessions_of(&storage, user.id).await, [second, seen]);
    }
    assert!(!storage.end_session(stranger.id, first.id, Call::default(), at(9)).await.unwrap());
    for ended in [true, false] {
        assert_eq!(
            storage.end_session(user.id, first.id, Call::default(), at(9)).await.unwrap(),
            ended
        );
        assert_eq!(storage.session(first_token).await.unwrap(), None);
    }
    assert_eq!(sessions_of(&storage, user.id).await, [second]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_sessions_of_a_user_is_bounded() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (first, first_token) = stored_session(&storage, user.id, 1).await;
    let (second, _) = stored_session(&storage, user.id, 2).await;
    for n in 2..MAX_SESSIONS {
        stored_session(&storage, user.id, i64::from(n) + 1).await;
    }
    assert_eq!(sessions_of(&storage, user.id).await.last(), Some(&first));
    let (newest, _) = stored_session(&storage, user.id, 1000).await;
    let kept = sessions_of(&storage, user.id).await;
    assert_eq!(kept.len(), usize::try_from(MAX_SESSIONS).unwrap());
    assert_eq!((kept.first(), kept.last()), (Some(&newest), Some(&second)));
    assert_eq!(storage.session(first_token).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_listed_with_its_origin_confirmed_and_ended_with_all_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (_, stranger, ..) = stored_key(&storage).await;
    let (_, theirs) = stored_session(&storage, stranger.id, 10).await;
    let (plain, _) = stored_session(&storage, user.id, 10).await;
    let (session, token) = session(user.id, 20);
    let address = "192.0.2.7".parse().unwrap();
    let call = Call {
        address: Some(address),
        browser: Some("Firefox on Linux".into()),
        ..Call::default()
    };
    assert!(storage.create_session(session, token, None, call).await.unwrap());
    storage.confirm_session(session.id, at(30)).await.unwrap();
    let session = Session { confirmed_at: at(30), ..session };
    assert_eq!(storage.session(token).await.unwrap().unwrap().session, session);
    let browser = Some("Firefox on Linux".to_owned());
    let listed = [
        ListedSession { session, address: Some(address), browser },
        ListedSession { session: plain, address: None, browser: None },
    ];
    assert_eq!(storage.sessions_of(user.id).await.unwrap(), listed);
    storage.end_sessions(user.id, Call::default(), at(40)).await.unwrap();
    assert_eq!(storage.sessions_of(user.id).await.unwrap(), []);
    assert!(storage.session(theirs).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_session_deletes_expired_ones() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let micros = |seconds: i64| seconds * 1_000_000;
    let (seen, _) = stored_session(&storage, user.id, 0).await;
    let (_idle, _) = stored_session(&storage, user.id, 1).await;
    storage.see_session(seen.id, at(micros(SESSION_IDLE_SECONDS))).await.unwrap();
    let (late, _) = stored_session(&storage, user.id, micros(SESSION_IDLE_SECONDS) + 1).await;
    let open: Vec<_> = sessions_of(&storage, user.id).await;
    assert_eq!(open.iter().map(|session| session.id).collect::<Vec<_>>(), [late.id, seen.id]);
    for session in [seen, late] {
        storage.see_session(session.id, at(micros(SESSION_SECONDS))).await.unwrap();
    }
    let (last, _) = stored_session(&storage, user.id, micros(SESSION_SECONDS)).await;
    let open: Vec<_> = sessions_of(&storage, user.id).await;
    assert_eq!(open.iter().map(|session| session.id).collect::<Vec<_>>(), [last.id, late.id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn candidates_have_the_email_and_those_with_a_password_are_first() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, without, ..) = stored_key(&storage).await;
    assert_eq!(storage.password_of(without.id).await.unwrap(), None);
    let mut expected = Vec::new();
    for password in ["a", "b"] {
        let (_, user, ..) = stored_key(&storage).await;
        let nobody = SessionId::new(Uuid::nil());
        assert!(sets_password(&storage, user.id, None, password, nobody).await);
        assert_eq!(storage.password_of(user.id).await.unwrap(), Some(hash(password)));
        expected.push((user.id, Some(hash(password))));
    }
    expected.push((without.id, None));
    let found = async |email: &str, limit| {
        let found = storage.candidates(email.to_owned(), limit).await.unwrap();
        found.into_iter().map(|one| (one.user, one.password)).collect::<Vec<_>>()
    };
    assert_eq!(found("api@acme.example", 9).await, expected);
    assert_eq!(found("api@acme.example", 1).await, expected[..1]);
    assert_eq!(found("ann@acme.example", 9).await, []);
    let unknown = UserId::new(Uuid::now_v7());
    let nobody = SessionId::new(Uuid::nil());
    assert!(!sets_password(&storage, unknown, None, "x", nobody).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_other_sessions_and_invalidates_the_link() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (_, other_user, ..) = stored_key(&storage).await;
    let (_, untouched) = stored_session(&storage, other_user.id, 10).await;
    let (_, gone) = stored_session(&storage, user.id, 10).await;
    let (mine, kept) = stored_session(&storage, user.id, 20).await;
    let (link, token) = link(user.id);
    assert!(storage.create_link(None, link, token).await.unwrap());
    for (current, password) in [(None, "one"), (Some("one"), "two")] {
        assert!(sets_password(&storage, user.id, current, password, mine.id).await);
        assert_eq!(storage.password_of(user.id).await.unwrap(), Some(hash(password)));
        assert_eq!(storage.session(gone).await.unwrap(), None);
        assert_eq!(storage.link(token).await.unwrap(), None);
        assert!(storage.session(kept).await.unwrap().is_some());
        assert!(storage.session(untouched).await.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_belongs_to_a_user_of_the_company_and_replaces_an_earlier_one() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, ..) = stored_key(&storage).await;
    let other = stored_company(&storage).await;
    let (foreign, token) = link(user.id);
    assert!(!storage.create_link(Some(other.id.into()), foreign, token).await.unwrap());
    let (unknown, token) = link(UserId::new(Uuid::now_v7()));
    assert!(!storage.create_link(None, unknown, token).await.unwrap());
    let ((first, first_token), (second, second_token)) = (link(user.id), link(user.id));
    assert!(storage.create_link(Some(company.id.into()), first, first_token).await.unwrap());
    let holder = storage.link(first_token).await.unwrap().unwrap();
    assert_eq!((holder.link, holder.email), (first, user.email));
    assert!(storage.create_link(None, second, second_token).await.unwrap());
    assert_eq!(storage.link(first_token).await.unwrap(), None);
    assert!(storage.link(second_token).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_can_be_redeemed_once_before_it_expires() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (_, old) = stored_session(&storage, user.id, 10).await;
    let (late, late_token) = link(user.id);
    assert!(storage.create_link(None, late, late_token).await.unwrap());
    assert!(!storage.redeem(redemption(&user, late_token, None, 500)).await.unwrap());
    assert!(storage.redeem(redemption(&user, late_token, None, 499)).await.unwrap());
    assert!(storage.session(old).await.unwrap().is_some(), "no new password");
    let (link, token) = link(user.id);
    assert!(storage.create_link(None, link, token).await.unwrap());
    let calls = (0..8).map(|_| {
        let (storage, redemption) = (storage.clone(), redemption(&user, token, Some("new"), 100));
        let session = redemption.token;
        tokio::spawn(async move { (storage.redeem(redemption).await.unwrap(), session) })
    });
    let mut redeemed = 0;
    for call in calls.collect::<Vec<_>>() {
        let (done, session) = call.await.unwrap();
        redeemed += u32::from(done);
        assert_eq!(storage.session(session).await.unwrap().is_some(), done);
    }
    assert_eq!(redeemed, 1);
    assert_eq!(storage.password_of(user.id).await.unwrap(), Some(hash("new")));
    assert_eq!(storage.session(old).await.unwrap(), None);
    assert_eq!(sessions_of(&storage, user.id).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_was_compared_before_it_changed_is_refused() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (_, user, ..) = stored_key(&storage).await;
    let (mine, _) = stored_session(&storage, user.id, 10).await;
    assert!(sets_password(&storage, user.id, None, "old", mine.id).await);
    let signs_in = async |password: &str| {
        let (session, token) = session(user.id, 20);
        let password = Some(hash(password));
        storage.create_session(session, token, password, Call::default()).await.unwrap()
    };
    assert!(signs_in("old").await);
    assert!(sets_password(&storage, user.id, Some("old"), "new", mine.id).await);
    for old in [None, Some("old")] {
        assert!(!sets_password(&storage, user.id, old, "mallory", mine.id).await);
    }
    assert!(!signs_in("old").await);
    assert_eq!(sessions_of(&storage, user.id).await, [mine]);
    assert!(signs_in("new").await);
    database.execute("UPDATE companies SET password_sign_in = false");
    assert!(!signs_in("new").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_links_and_passwords_are_deleted_with_the_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, ann, ..) = stored_key(&storage).await;
    let mut admin = user(company.id, "admin@acme.example");
    admin.permissions = all_permissions();
    storage.create_user(operator(), admin.clone(), MANY).await.unwrap();
    let (mine, token) = stored_session(&storage, ann.id, 10).await;
    assert!(sets_password(&storage, ann.id, None, "x", mine.id).await);
    let (link, link_token) = link(ann.id);
    assert!(storage.create_link(None, link, link_token).await.unwrap());
    let deleted = storage.delete_user(author(company.id, admin.id), ann.id, at(9)).await.unwrap();
    assert_eq!(deleted, DeleteUserOutcome::Deleted);
    assert_eq!(storage.session(token).await.unwrap(), None);
    assert_eq!(storage.link(link_token).await.unwrap(), None);
    assert_eq!(storage.password_of(ann.id).await.unwrap(), None);
    let candidates = storage.candidates("api@acme.example".to_owned(), 9).await.unwrap();
    assert!(candidates.is_empty());
}
