//! Which answers are kept, for how long, and in what form.

use contact_hub_domain::idempotency::KEPT_FOR;
use contact_hub_tests::{Answer, Client, TestHub, with_hub, with_idle_hub, with_settings};
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use reqwest::Method;
use serde_json::json;

use super::{REPLAYED, assert_replayed, keyed, post};
use crate::support::{execute, person, until};

const DAY: i64 = 24 * 60 * 60;

/// Nothing here takes this long unless it hangs.
const SOON: std::time::Duration = std::time::Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_kept_for_a_day() {
    // A background task deletes expired answers too.
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let body = person("ann@example.com");
        let first = post(&client, "/contacts", "k", &body).await.expect(201);
        hub.clock.advance(DAY - 60);
        assert_replayed(&first, &post(&client, "/contacts", "k", &body).await);
        hub.clock.advance(60);
        let anew = post(&client, "/contacts", "k", &body).await;
        let anew = anew.expect_error(409, "CONTACT_ALREADY_EXISTS");
        assert_replayed(&anew, &post(&client, "/contacts", "k", &body).await);
        hub.clock.advance(DAY);
        let answers = hub.hub.storage.expiry();
        let _ = post(&client, "/contacts", "other", &body).await.expect(409);
        let until = hub.hub.ports.environment.clock.now().minus(KEPT_FOR);
        assert_eq!(answers.delete_answers(until).await.expect("it is deleted"), 1);
        assert_eq!(answers.delete_answers(until).await.expect("nothing is left"), 0);
        assert_eq!(stored(hub, "CONTACT_ALREADY_EXISTS"), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_due_to_permissions_or_limits_are_not_kept() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.rate_limit_bulk = 1;
    };
    with_settings(change, async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let me = format!("/users/{}", client.made.user);
        let permissions = |all: bool| {
            let names: &[&str] =
                if all { &["contacts_api", "manage_access"] } else { &["manage_access"] };
            json!({"permissions": names})
        };
        let body = person("ann@example.com");
        let _ = manage.patch(&me, &permissions(false)).await.expect(200);
        let refused = post(&client, "/contacts", "k", &body).await;
        refused.expect_error(403, "ACCESS_DENIED");
        let _ = manage.patch(&me, &permissions(true)).await.expect(200);
        let done = post(&client, "/contacts", "k", &body).await.expect(201);
        assert_eq!(done.header(REPLAYED), "");
        let without = hub.http().post(client.url("/contacts")).header("Idempotency-Key", "k2");
        let _ = Answer::of(without.json(&body)).await.expect(401);
        let rows = json!({"contacts": [body]});
        let first = post(&client, "/contacts/bulk", "b", &rows).await.expect(200);
        let _ = post(&client, "/contacts/bulk", "b", &rows).await.expect(429);
        hub.clock.advance(120);
        let again = post(&client, "/contacts/bulk", "b", &rows).await;
        assert_replayed(&first, &again);
        assert!(!again.header("x-ratelimit-remaining").is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_not_kept() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "Size", "type": "number"});
        let (broken, whole) =
            ("ALTER TABLE fields RENAME TO gone", "ALTER TABLE gone RENAME TO fields");
        execute(&hub.database, broken);
        let _ = post(&client, "/fields", "k", &body).await.expect(500);
        execute(&hub.database, whole);
        let done = post(&client, "/fields", "k", &body).await.expect(201);
        assert_eq!(done.header(REPLAYED), "");
        // The answer cannot be kept, so nothing is done.
        execute(&hub.database, "ALTER TABLE kept_answers RENAME COLUMN answer TO gone");
        let body = person("ann@example.com");
        let _ = post(&client, "/contacts", "k2", &body).await.expect(500);
        execute(&hub.database, "ALTER TABLE kept_answers RENAME COLUMN gone TO answer");
        let _ = post(&client, "/contacts", "k2", &body).await.expect(201);
    })
    .await;
}

/// When the large answers of a company reach a GiB, a further one is kept without its body; others are kept as usual.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_large_answers_are_not_kept_but_their_calls_are_still_executed_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        // The answer to rejected rows is large.
        let rejected = |email: &str| {
            let rows = (0..999).map(|_| json!({"email": 7, "first_name": 7, "last_name": 7}));
            let rows: Vec<_> = [person(email)].into_iter().chain(rows).collect();
            json!({"contacts": rows})
        };
        let bulk = rejected("ann@example.com");
        let kept = post(&client, "/contacts/bulk", "k", &bulk).await.expect(200);
        assert!(kept.text.len() > 100_000, "{}", kept.text.len());
        assert_replayed(&kept, &post(&client, "/contacts/bulk", "k", &bulk).await);
        let fill = "UPDATE kept_answers SET large_size = 1073741000 WHERE large_size > 100000";
        execute(&hub.database, fill);
        let bulk = rejected("bob@example.com");
        let first = post(&client, "/contacts/bulk", "k2", &bulk).await.expect(200);
        assert_eq!((&first.data()["created"], first.text.len()), (&json!(1), kept.text.len()));
        let again = post(&client, "/contacts/bulk", "k2", &bulk).await;
        again.expect_error(410, "IDEMPOTENT_ANSWER_GONE");
        let body = person("eve@example.com");
        let small = post(&client, "/contacts", "k3", &body).await.expect(201);
        assert_replayed(&small, &post(&client, "/contacts", "k3", &body).await);
        let other = hub.client().await;
        let large = post(&other, "/contacts/bulk", "k", &bulk).await.expect(200);
        assert_replayed(&large, &post(&other, "/contacts/bulk", "k", &bulk).await);
        hub.clock.advance(DAY);
        let bulk = rejected("kim@example.com");
        let until = hub.hub.ports.environment.clock.now().minus(KEPT_FOR);
        hub.hub.storage.expiry().delete_answers(until).await.expect("they are deleted");
        let anew = post(&client, "/contacts/bulk", "k4", &bulk).await.expect(200);
        assert_replayed(&anew, &post(&client, "/contacts/bulk", "k4", &bulk).await);
    })
    .await;
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many answers in the database contain this text.
fn stored(hub: &TestHub, text: &str) -> i64 {
    let url = hub.database.url_text();
    let numbers: Vec<Number> = if hub.database.is_postgres() {
        let query = "SELECT count(*) AS number FROM kept_answers WHERE position(convert_to($1, 'UTF8') in answer) > 0";
        let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
        sql_query(query).bind::<Text, _>(text).load(&mut connection).expect(query)
    } else {
        let query =
            "SELECT count(*) AS number FROM kept_answers WHERE instr(answer, CAST(? AS BLOB)) > 0";
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite opens");
        sql_query(query).bind::<Text, _>(text).load(&mut connection).expect(query)
    };
    numbers[0].number
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_with_a_secret_are_sealed() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let keys = format!("/users/{}/api-keys", client.made.user);
        let first = post(&manage, &keys, "key", &json!({"name": "CI"})).await.expect(201);
        assert_replayed(&first, &post(&manage, &keys, "key", &json!({"name": "CI"})).await);
        let token = first.data()["token"].as_str().expect("a token").to_owned();
        let hook =
            json!({"name": "Hook", "url": "https://a.example/", "events": ["syncRequested"]});
        let made = post(&manage, "/webhooks", "hook", &hook).await.expect(201);
        let secret = made.data()["secret"].as_str().expect("a secret").to_owned();
        let path = format!("/webhooks/{}", made.data()["id"].as_str().expect("an id"));
        let typed = json!({"secret": "correct horse battery"});
        let changed = keyed(&manage, Method::PATCH, &path, "typed", &typed).await.expect(200);
        assert_replayed(&changed, &keyed(&manage, Method::PATCH, &path, "typed", &typed).await);
        let path = format!("{path}/rotate-secret");
        let rotated = post(&manage, &path, "rotate", &json!({})).await.expect(200);
        assert_replayed(&rotated, &post(&manage, &path, "rotate", &json!({})).await);
        let newest = rotated.data()["secret"].as_str().expect("a secret").to_owned();
        for text in [&token, &secret, "correct horse battery", &newest] {
            assert_eq!(stored(hub, text), 0, "{text}");
        }
        let _ = post(&client, "/contacts", "plain", &person("ann@example.com")).await.expect(201);
        assert_eq!(stored(hub, "ann@example.com"), 1, "the search finds what is not sealed");
    })
    .await;
}

/// The id of a user whose call with an idempotency key created a contact.
async fn user_with_an_answer(hub: &TestHub, manage: &Client) -> String {
    let user = json!({"email": "sync@acme.example", "permissions": ["contacts_api"]});
    let user = manage.post("/users", &user).await.expect(201).data()["id"].clone();
    let user = user.as_str().expect("an id");
    let keys = format!("/users/{user}/api-keys");
    let token = manage.post(&keys, &json!({})).await.expect(201).data()["token"].clone();
    let contacts = format!("{}/api/public/v1/contacts", hub.base());
    let call = hub.http().post(contacts).header("Idempotency-Key", "k");
    let call = call.bearer_auth(token.as_str().expect("a token"));
    let _ = Answer::of(call.json(&person("ann@example.com"))).await.expect(201);
    user.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_user_leaves_no_answers() {
    with_hub(async |hub| {
        let manage = hub.client().await.manage();
        let user = user_with_an_answer(hub, &manage).await;
        assert_eq!(stored(hub, "ann@example.com"), 1);
        let _ = manage.delete(&format!("/users/{user}")).await.expect(204);
        assert_eq!(stored(hub, "ann@example.com"), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_answers_of_a_deleted_user_are_deleted_in_the_background() {
    with_hub(async |hub| {
        let manage = hub.client().await.manage();
        let user = user_with_an_answer(hub, &manage).await;
        for doubled in 0..11 {
            hub.database.execute(&format!(
                "INSERT INTO kept_answers (company_id, user_id, key, fingerprint, kept_at, answer) \
                 SELECT company_id, user_id, key || '-{doubled}', fingerprint, kept_at, answer FROM kept_answers"
            ));
        }
        assert_eq!(stored(hub, "ann@example.com"), 2048);
        let _ = manage.delete(&format!("/users/{user}")).await.expect(204);
        until(SOON, async || stored(hub, "ann@example.com") == 0).await;
    })
    .await;
}
