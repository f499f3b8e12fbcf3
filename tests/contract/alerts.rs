//! The duties of [`AlertStore`] and [`AlertQueue`], line by line.

use std::sync::Arc;
use std::time::Duration;

use contact_hub::adapters::TimeOrderedIds;
use contact_hub_domain::access::{
    AccessStore, ApiKey, DeleteUserOutcome, OidcStore, Permission, User,
};
use contact_hub_domain::alerts::{
    AlertChoice, AlertChoices, AlertKind, AlertQueue, AlertStore, AnnounceAlerts, ClaimMails,
    DueMail, MAX_WAITING, NewAlert,
};
use contact_hub_domain::ids::{CompanyId, LeaseId, WebhookId, WebhookSecretId};
use contact_hub_domain::input::FromText;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    EventKind, Health, NewSecret, PayloadUrl, Sealed, Webhook, WebhookName, WebhookStore,
};
use contact_hub_storage::{RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::oidc::sign_in;
use crate::passkeys::added;
use crate::plans::prefer_indexes;
use crate::sample::{MANY, all_permissions, at, author, key, operator, stored_company, user};

const COLLECT: Duration = Duration::from_mins(5);
const HOLD: Duration = Duration::from_mins(2);
const ON: AlertChoice = AlertChoice { by_email: true, by_webhook: false };
const OFF: AlertChoice = AlertChoice { by_email: false, by_webhook: false };

/// This many seconds after the start.
fn second(seconds: i64) -> Timestamp {
    at(seconds * 1_000_000)
}

/// A user who manages webhooks and gets alerts of those that are switched off.
async fn recipient(storage: &Storage, company: CompanyId, email: &str) -> User {
    let permissions = [Permission::ManageIntegrations].into_iter().collect();
    let user = User { permissions, ..user(company, email) };
    storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
    choose(storage, &user, &[(AlertKind::WebhookOff, ON)]).await;
    user
}

async fn choose(storage: &Storage, user: &User, choices: &[(AlertKind, AlertChoice)]) {
    let by = author(user.company_id, user.id);
    let choices: AlertChoices = choices.iter().copied().collect();
    storage.choose(by, user.id, choices, at(3)).await.expect("a choice");
}

fn alert(company: CompanyId, object: u128, at: Timestamp) -> NewAlert {
    NewAlert {
        company,
        kind: AlertKind::WebhookOff,
        object: Uuid::from_u128(object),
        name: "CRM".to_owned(),
        detail: "Its receiver answered 410 Gone.".to_owned(),
        about: None,
        at,
    }
}

async fn claim(storage: &Storage, now: Timestamp) -> Vec<DueMail> {
    let claim = ClaimMails {
        lease: LeaseId::new(Uuid::now_v7()),
        batches: (0..8).map(|_| Uuid::now_v7()).collect(),
        now,
        collect: COLLECT,
        hold: HOLD,
    };
    storage.claim(claim).await.expect("a claim")
}

#[tokio::test(flavor = "multi_thread")]
async fn choices_are_stored_for_each_user() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let (ann, bo) = (
        recipient(&storage, company.id, "ann@acme.example").await,
        recipient(&storage, company.id, "bo@acme.example").await,
    );
    choose(&storage, &ann, &[(AlertKind::WebhookOff, OFF), (AlertKind::KeyExpires, ON)]).await;
    let chosen = storage.choices(company.id, ann.id).await.expect("choices");
    let expected = [(AlertKind::WebhookOff, OFF), (AlertKind::KeyExpires, ON)];
    assert_eq!(chosen, expected.into_iter().collect());
    let chosen = storage.choices(company.id, bo.id).await.expect("choices");
    assert_eq!(chosen, [(AlertKind::WebhookOff, ON)].into_iter().collect());
    let other = stored_company(&storage).await;
    assert_eq!(storage.choices(other.id, ann.id).await.expect("choices"), AlertChoices::new());
    let stranger = author(other.id, ann.id);
    let choices = [(AlertKind::KeyExpires, OFF)].into_iter().collect();
    storage.choose(stranger, ann.id, choices, at(9)).await.expect("ignored");
    let chosen = storage.choices(company.id, ann.id).await.expect("choices");
    assert_eq!(chosen[&AlertKind::KeyExpires], ON);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_with_a_passkey_or_a_provider_gets_emails() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let permissions = [Permission::ManageIntegrations].into_iter().collect();
    let user = async |email: &str| {
        let user = User { permissions, ..user(company.id, email) };
        storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
        user
    };
    let (ann, bo) = (user("ann@acme.example").await, user("bo@acme.example").await);
    let _service = user("service@acme.example").await;
    added(&storage, ann.id).await;
    let sign_in = sign_in("bo", Some("bo@acme.example"));
    storage.sign_in_by_oidc(sign_in).await.expect("the store answers");
    storage.raise(alert(company.id, 1, second(0))).await.expect("stored");
    let mails = claim(&storage, second(300)).await;
    let mut users: Vec<_> = mails.iter().map(|mail| mail.held.user).collect();
    users.sort_unstable();
    let mut people = [ann.id, bo.id];
    people.sort_unstable();
    assert_eq!(users, people);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_emails_are_counted_with_an_index_and_up_to_a_limit() {
    let database = TestDatabase::migrated();
    prefer_indexes(&database);
    let storage = database.storage();
    let company = stored_company(&storage).await;
    for user in ["ann@acme.example", "bo@acme.example", "cy@acme.example"] {
        recipient(&storage, company.id, user).await;
    }
    storage.raise(alert(company.id, 1, second(0))).await.expect("stored");
    record_plans(&database.url());
    let count = async |limit| storage.waiting(second(900), COLLECT, limit).await.expect("a number");
    assert_eq!((count(10).await, count(2).await), (3, 2));
    let plans = take_plans(&database.url());
    let along =
        |it: &RecordedPlan| it.plan.iter().any(|line| line.contains("alert_mails_by_since"));
    assert!(!plans.is_empty() && plans.iter().all(along), "{plans:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_due_after_the_collection_period_and_claimed_by_one_instance() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ann = recipient(&storage, company.id, "ann@acme.example").await;
    for (object, moment) in [(1, 0), (2, 5), (1, 9)] {
        storage.raise(alert(company.id, object, second(moment))).await.expect("stored");
    }
    assert!(!storage.is_due(second(299), COLLECT).await.expect("an answer"));
    assert_eq!(claim(&storage, second(299)).await, []);
    assert!(storage.is_due(second(300), COLLECT).await.expect("an answer"));
    assert_eq!(storage.waiting(second(299), COLLECT, 10).await.expect("a number"), 0);
    assert_eq!(storage.waiting(second(300), COLLECT, 10).await.expect("a number"), 1);
    let mails = claim(&storage, second(300)).await;
    let [mail] = mails.as_slice() else { panic!("one email: {mails:?}") };
    assert_eq!((mail.held.user, &mail.to, mail.attempt), (ann.id, &ann.email, 1));
    let shown: Vec<_> =
        mail.alerts.iter().map(|it| (it.object.unwrap().as_u128(), it.times)).collect();
    assert_eq!(shown, [(1, 2), (2, 1)]);
    assert_eq!((mail.alerts[0].first_at, mail.alerts[0].last_at), (second(0), second(9)));
    assert_eq!(claim(&storage, second(301)).await, [], "it is held");
    storage.raise(alert(company.id, 3, second(302))).await.expect("stored");
    let again = claim(&storage, second(300 + 120)).await;
    assert_eq!((again[0].held.batch, &again[0].alerts), (mail.held.batch, &mail.alerts));
    assert_eq!((again[0].attempt, again[0].first_attempt_at), (2, second(300)));
    storage.finish(mail.held, second(0)).await.expect("ignored");
    assert_eq!(claim(&storage, second(421)).await, [], "the earlier holder ends nothing");
    storage.retry(again[0].held, second(200)).await.expect("a retry");
    assert_eq!(claim(&storage, second(499)).await, []);
    let third = claim(&storage, second(500)).await;
    assert_eq!((third[0].attempt, &third[0].alerts), (3, &mail.alerts));
    storage.finish(third[0].held, second(1000)).await.expect("finished");
    assert_eq!(claim(&storage, second(1299)).await, [], "too soon for another");
    let next = claim(&storage, second(1300)).await;
    assert_eq!(next[0].alerts[0].object, Some(Uuid::from_u128(3)));
    assert_eq!((next[0].attempt, next[0].alerts.len()), (1, 1));
    storage.finish(next[0].held, second(2000)).await.expect("finished");
    assert_eq!(claim(&storage, second(2300)).await, []);
    assert!(!storage.is_due(second(9000), COLLECT).await.expect("an answer"), "nothing is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_share_the_emails() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    for n in 0..12 {
        recipient(&storage, company.id, &format!("u{n}@acme.example")).await;
    }
    storage.raise(alert(company.id, 1, second(0))).await.expect("stored");
    let claims = (0..4).map(|_| {
        let storage = storage.clone();
        tokio::spawn(async move { claim(&storage, second(400)).await })
    });
    let mut users = Vec::new();
    for claimed in claims.collect::<Vec<_>>() {
        users.extend(claimed.await.expect("a claim").iter().map(|mail| mail.held.user));
    }
    users.extend(claim(&storage, second(400)).await.iter().map(|mail| mail.held.user));
    users.sort_unstable();
    let count = users.len();
    users.dedup();
    assert_eq!((count, users.len()), (12, 12));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_waiting_alerts_is_bounded() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    recipient(&storage, company.id, "ann@acme.example").await;
    for object in 1..=MAX_WAITING + 5 {
        storage.raise(alert(company.id, object.into(), second(0))).await.expect("stored");
    }
    let mails = claim(&storage, second(300)).await;
    let alerts = &mails[0].alerts;
    assert_eq!(alerts.len(), usize::try_from(MAX_WAITING + 1).unwrap());
    let rest = alerts.iter().find(|alert| alert.object.is_none()).expect("the rest");
    assert_eq!(rest.times, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_of_deleted_users_are_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ann = recipient(&storage, company.id, "ann@acme.example").await;
    storage.raise(alert(company.id, 1, second(0))).await.expect("stored");
    let admin = User { permissions: all_permissions(), ..user(company.id, "admin@acme.example") };
    storage.create_user(operator(), admin.clone(), MANY).await.expect("a user");
    let deleted = storage.delete_user(author(company.id, admin.id), ann.id, at(9)).await;
    assert_eq!(deleted.expect("an outcome"), DeleteUserOutcome::Deleted);
    assert_eq!(claim(&storage, second(300)).await, []);
    assert!(!storage.is_due(second(9000), COLLECT).await.expect("an answer"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_expires_causes_one_alert() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ann = recipient(&storage, company.id, "ann@acme.example").await;
    choose(&storage, &ann, &[(AlertKind::KeyExpires, ON)]).await;
    let (day, week) = (24 * 60 * 60, Duration::from_hours(7 * 24));
    for (name, from, until) in [("Long", 0, 20), ("Far", 0, 30), ("Short", 14, 20), ("Past", 0, 13)]
    {
        let (key, hash) = key(ann.id);
        let (created_at, expires_at) = (second(from * day), Some(second(until * day)));
        let key = ApiKey { name: name.to_owned(), created_at, expires_at, ..key };
        storage.create_key(None, key, hash, MANY).await.expect("a key");
    }
    let look = async |limit| {
        let now = second(14 * day);
        storage.alert_of_keys(now, week, limit).await.expect("a look")
    };
    assert_eq!((look(1).await, look(9).await, look(9).await), (1, 1, 0));
    let mails = claim(&storage, second(15 * day)).await;
    let named: Vec<&str> = mails[0].alerts.iter().map(|alert| alert.name.as_str()).collect();
    assert_eq!(named, ["Long"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_becomes_one_event_for_all_subscribed_webhooks() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ann = recipient(&storage, company.id, "ann@acme.example").await;
    let to_webhooks = AlertChoice { by_email: false, by_webhook: true };
    choose(&storage, &ann, &[(AlertKind::WebhookOff, to_webhooks)]).await;
    for object in [1, 2, 2] {
        storage.raise(alert(company.id, object, second(0))).await.expect("stored");
    }
    assert!(storage.has_events().await.expect("an answer"));
    let announce = async || {
        let ids = Arc::new(TimeOrderedIds);
        let new = AnnounceAlerts { ids, now: second(1), limit: 9 };
        storage.announce_alerts(new).await.expect("events")
    };
    assert_eq!((announce().await, announce().await), (2, 0));
    assert!(!storage.has_events().await.expect("an answer"));
    assert_eq!(claim(&storage, second(900)).await, [], "nobody wants emails");
}

/// A webhook that subscribes to alerts.
async fn subscribed(storage: &Storage, company: CompanyId) {
    let webhook = Webhook {
        id: WebhookId::new(Uuid::now_v7()),
        company,
        name: WebhookName::from_text("Operations").expect("a name"),
        url: PayloadUrl::from_text("https://receiver.example/hook").expect("an address"),
        events: [EventKind::AlertRaised].into_iter().collect(),
        health: Health::switched(true),
        previous_secret_until: None,
        created_at: second(0),
        updated_at: second(0),
    };
    let sealed = Sealed { key_id: "k1".to_owned(), bytes: vec![1; 40] };
    let secret = NewSecret { id: WebhookSecretId::new(Uuid::now_v7()), sealed };
    let made = WebhookStore::create(storage, operator(), webhook, secret, MANY).await;
    made.expect("a webhook");
}

/// How many statements each step takes for this many users with an expiring key, with alerts by email and event.
async fn costs(users: u32) -> [u64; 3] {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (day, week) = (24 * 60 * 60, Duration::from_hours(7 * 24));
    let both = AlertChoice { by_email: true, by_webhook: true };
    for n in 0..users {
        let company = stored_company(&storage).await;
        let ann = recipient(&storage, company.id, &format!("u{n}@acme.example")).await;
        choose(&storage, &ann, &[(AlertKind::KeyExpires, both)]).await;
        subscribed(&storage, company.id).await;
        let (key, hash) = key(ann.id);
        let key = ApiKey { expires_at: Some(second(20 * day)), ..key };
        storage.create_key(None, key, hash, MANY).await.expect("a key");
    }
    let mut last = storage.statements();
    let mut cost = || {
        let now = storage.statements();
        now - std::mem::replace(&mut last, now)
    };
    let users = usize::try_from(users).expect("a number");
    let looked = storage.alert_of_keys(second(14 * day), week, 50).await.expect("a look");
    assert_eq!(looked, users);
    let raised = cost();
    let new = AnnounceAlerts { ids: Arc::new(TimeOrderedIds), now: second(14 * day), limit: 50 };
    assert_eq!(storage.announce_alerts(new).await.expect("events"), users);
    let announced = cost();
    let mails = claim(&storage, second(15 * day)).await;
    assert!(mails.len() == users && mails.iter().all(|mail| mail.alerts.len() == 1), "{mails:?}");
    [raised, announced, cost()]
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_for_many_users_take_as_many_statements_as_for_one() {
    assert_eq!(costs(1).await, costs(8).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_of_one_transaction_beyond_the_bound_are_counted_together() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let ann = recipient(&storage, company.id, "ann@acme.example").await;
    choose(&storage, &ann, &[(AlertKind::KeyExpires, ON)]).await;
    for object in 1..=MAX_WAITING - 2 {
        storage.raise(alert(company.id, object.into(), second(0))).await.expect("stored");
    }
    let day = 24 * 60 * 60;
    for _ in 0..5 {
        let (key, hash) = key(ann.id);
        let key = ApiKey { expires_at: Some(second(20 * day)), ..key };
        storage.create_key(None, key, hash, MANY).await.expect("a key");
    }
    let week = Duration::from_hours(7 * 24);
    assert_eq!(storage.alert_of_keys(second(14 * day), week, 9).await.expect("a look"), 5);
    let mails = claim(&storage, second(15 * day)).await;
    let of_keys = mails[0].alerts.iter().filter(|alert| alert.kind == AlertKind::KeyExpires);
    let mut times: Vec<_> = of_keys.map(|it| (it.object.is_none(), it.times)).collect();
    times.sort_unstable();
    assert_eq!(times, [(false, 1), (false, 1), (true, 3)]);
}
