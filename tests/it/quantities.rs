//! Limits on the number of webhooks, keys, fields, users and integrations.

use contact_hub::limit_settings::LimitSettings;
use contact_hub::settings::ServeSettings;
use contact_hub_tests::{Answer, Client, with_settings};
use futures_util::future::join_all;
use serde_json::{Value, json};

/// The body of a create, with a number that makes it unique.
type Body = fn(usize) -> Value;

/// At most this many of everything.
const fn at_most(max: u16) -> impl FnOnce(&mut ServeSettings) {
    move |settings| {
        settings.limits = LimitSettings {
            max_filterable_fields: max,
            max_webhooks: max,
            max_api_keys: max,
            max_fields: max,
            max_users: max,
            max_integrations: max,
        };
    }
}

fn webhook(number: usize) -> Value {
    let name = format!("Webhook {number}");
    json!({"name": name, "url": "https://platform.example/hook", "events": ["syncRequested"]})
}

fn integration(number: usize) -> Value {
    let name = format!("Integration {number}");
    json!({"name": name, "asset_types": ["email"], "merge_tag_format": "marketo"})
}

fn user(number: usize) -> Value {
    json!({"email": format!("user{number}@example.com")})
}

fn key(number: usize) -> Value {
    json!({"name": format!("Key {number}")})
}

fn id(answer: &Answer) -> String {
    answer.data()["id"].as_str().expect("an id").to_owned()
}

/// The path of the keys of a new user.
async fn keys_of_new_user(client: &Client) -> String {
    let made = client.post("/users", &json!({"email": "ann@example.com"})).await.expect(201);
    format!("/users/{}/api-keys", id(&made))
}

fn refuses(answer: Answer, member: &str, sentence: &str) {
    assert!(answer.text.contains(sentence), "{}", answer.text);
    let _named = answer.expect_invalid(&[member]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_at_its_limit_gets_room_by_deleting_one() {
    with_settings(at_most(3), async |hub| {
        let (client, other) = (hub.client().await.manage(), hub.client().await.manage());
        let kinds: [(&str, &str, usize, Body); 3] = [
            ("webhooks", "name", 0, webhook),
            ("integrations", "name", 0, integration),
            // The company has its first user from the start.
            ("users", "email", 1, user),
        ];
        for (noun, member, held, body) in kinds {
            let (path, mut last) = (format!("/{noun}"), String::new());
            let sentence = format!("a company has at most 3 {noun}");
            for number in held..3 {
                last = id(&client.post(&path, &body(number)).await.expect(201));
            }
            refuses(client.post(&path, &body(3)).await, member, &sentence);
            let _another_company = other.post(&path, &body(3)).await.expect(201);
            let _deleted = client.delete(&format!("{path}/{last}")).await.expect(204);
            let _room = client.post(&path, &body(3)).await.expect(201);
            refuses(client.post(&path, &body(4)).await, member, &sentence);
        }
        let taken = client.post("/users", &user(3)).await;
        let _before_the_limit = taken.expect_error(409, "USER_ALREADY_EXISTS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_and_expired_keys_are_not_counted() {
    with_settings(at_most(3), async |hub| {
        let client = hub.client().await.manage();
        let keys = keys_of_new_user(&client).await;
        let sentence = "a user has at most 3 valid API keys";
        let soon = hub.hub.ports.environment.clock.now().plus_seconds(600);
        let expiring = json!({"expires_at": soon.to_text(0)});
        let _expiring = client.post(&keys, &expiring).await.expect(201);
        let _second = client.post(&keys, &key(2)).await.expect(201);
        let third = id(&client.post(&keys, &key(3)).await.expect(201));
        refuses(client.post(&keys, &key(4)).await, "name", sentence);
        let own = format!("/users/{}/api-keys", client.made.user);
        let _another_user = client.post(&own, &key(4)).await.expect(201);
        let _revoked = client.delete(&format!("{keys}/{third}")).await.expect(204);
        let _room = client.post(&keys, &key(4)).await.expect(201);
        refuses(client.post(&keys, &key(5)).await, "name", sentence);
        hub.clock.advance(601);
        let _expired = client.post(&keys, &key(5)).await.expect(201);
        refuses(client.post(&keys, &key(6)).await, "name", sentence);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_has_no_more_fields_than_allowed() {
    with_settings(at_most(3), async |hub| {
        let client = hub.client().await;
        for number in 0..3 {
            client.field(&format!("Field {number}"), "string").await;
        }
        let body = |name: &str| json!({"name": name, "type": "string"});
        let sentence = "a company has at most 3 fields";
        refuses(client.post("/fields", &body("Field 3")).await, "name", sentence);
        let taken = client.post("/fields", &body("Field 2")).await;
        let _before_the_limit = taken.expect_error(409, "FIELD_ALREADY_EXISTS");
        hub.client().await.field("Field 3", "string").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_calls_do_not_exceed_a_limit() {
    with_settings(at_most(5), async |hub| {
        let client = hub.client().await.manage();
        let keys = keys_of_new_user(&client).await;
        let kinds: [(&str, usize, Body); 4] = [
            ("/webhooks", 0, webhook),
            ("/integrations", 0, integration),
            ("/users", 2, user),
            (keys.as_str(), 0, key),
        ];
        for (path, held, body) in kinds {
            let calls = (0..16).map(|number| {
                let (client, body) = (client.clone(), body(number));
                async move { client.post(path, &body).await.status }
            });
            let mut statuses = join_all(calls).await;
            statuses.sort_unstable();
            let created = 5 - held;
            let expected: Vec<u16> =
                (0..16).map(|place| if place < created { 201 } else { 422 }).collect();
            assert_eq!(statuses, expected, "{path}");
            let list = client.get(path).await.expect(200);
            assert_eq!(list.json["meta"]["total"], 5, "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_the_message_at_its_field() {
    with_settings(at_most(1), async |hub| {
        let (browser, client) = hub.browser().await;
        let _only = client.manage().post("/webhooks", &webhook(0)).await.expect(201);
        let path = "/admin/integrations/webhooks/new";
        let fields = [
            ("name", "Second"),
            ("url", "https://platform.example/hook"),
            ("events", "syncRequested"),
        ];
        let page = browser.post(path, &fields).await.expect(422);
        assert!(page.text.contains("a company has at most 1 webhook"), "{}", page.text);
    })
    .await;
}
