//! Several instances on one database act as one: changes by one are visible to the others within the promised second,
//! any of them can answer the next part of an upload, and killing one does not affect the clients of the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub::hub::Hub;
use contact_hub_domain::access::revoke_key;
use contact_hub_tests::{Answer, Browser, Client, TestDatabase, TestHub, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use crate::process::Service;
use crate::support::{created, person, person_with_values, second_hub, until};

/// "Within a second", with room for a busy machine.
const SOON: Duration = Duration::from_secs(10);

/// A client of one company at two instances.
async fn with_two(test: impl AsyncFnOnce(&TestHub, &Client, &Client)) {
    with_hub(async |hub| {
        let first = hub.client().await;
        let other = second_hub(&hub.database);
        let second = first.at(&base(&other));
        test(hub, &first, &second).await;
        other.stop().await.expect("it stops");
    })
    .await;
}

fn base(hub: &Hub) -> String {
    format!("http://{}", hub.address)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_created_at_one_instance_can_be_used_at_another_at_once() {
    with_two(async |_hub, first, second| {
        // Both have cached the fields before.
        for client in [first, second] {
            let _ = client.get("/fields").await.expect(200);
            let body = person_with_values("x@example.com", &json!({"size": 1}));
            let _ = client.post("/contacts", &body).await.expect(422);
        }
        let _key = first.field("Size", "number").await;
        let body = person_with_values("ann@example.com", &json!({"size": 1.5}));
        let id = created(second, &body).await;
        let rows =
            json!({"contacts": [person_with_values("max@example.com", &json!({"size": 2}))]});
        let bulk = second.post("/contacts/bulk", &rows).await.expect(200);
        assert_eq!(bulk.data()["created"], 1, "{}", bulk.text);
        let fields = second.get("/fields").await.expect(200);
        let field = fields.data()[0]["id"].as_str().expect("an id");
        for client in [first, second] {
            let contact = client.get(&format!("/contacts/{id}")).await.expect(200);
            assert!(contact.text.contains("\"value\":1.5"), "{}", contact.text);
            let values = client.get(&format!("/fields/{field}/values")).await.expect(200);
            assert_eq!(values.json["meta"]["total"], 2);
            let listed = client.get("/contacts").await.expect(200);
            assert_eq!(listed.json["meta"]["total"], 2);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_users_and_keys_reach_another_instance_within_a_second() {
    with_two(async |hub, first, second| {
        let users = json!({"email": "sync@acme.example", "permissions": ["contacts_api"]});
        let user = first.manage().post("/users", &users).await.expect(201);
        let user = user.data()["id"].as_str().expect("an id").to_owned();
        let keys = format!("/users/{user}/api-keys");
        let key = second.manage().post(&keys, &json!({"name": "Sync"})).await.expect(201);
        let token = key.data()["token"].as_str().expect("a token").to_owned();
        let status = async |client: &Client| {
            Answer::of(hub.http().get(client.url("/fields")).bearer_auth(&token)).await.status
        };
        assert_eq!((status(first).await, status(second).await), (200, 200), "a new key is valid");
        let none = json!({"permissions": ["publish"]});
        let _ = first.manage().patch(&format!("/users/{user}"), &none).await.expect(200);
        until(SOON, async || status(second).await == 403).await;
        let again = json!({"permissions": ["contacts_api"]});
        let _ = second.manage().patch(&format!("/users/{user}"), &again).await.expect(200);
        until(SOON, async || status(first).await == 200).await;
        let _ = first.manage().delete(&format!("/users/{user}")).await.expect(204);
        until(SOON, async || status(second).await == 401).await;
        revoke_key(&hub.hub.ports.access, None, first.made.key).await.expect("revoked");
        until(SOON, async || second.get("/fields").await.status == 401).await;
    })
    .await;
}

/// Writes of an email: a create, a change of this contact, and a bulk.
fn writes_of(email: &str, contact: &str) -> [(Method, String, Value); 3] {
    let rows = json!({"contacts": [person(email), person("eve@example.com")]});
    [
        (Method::POST, "/contacts".to_owned(), person(email)),
        (Method::PATCH, format!("/contacts/{contact}"), json!({"email": email})),
        (Method::POST, "/contacts/bulk".to_owned(), rows),
    ]
}

/// The second instance has authenticated the client before the company had a blocked email, and does not know the key of
/// their hashes.
async fn rejects_a_blocked_email(place: usize, key: Option<&str>) {
    with_two(async |_hub, first, second| {
        let ann = created(first, &person("ann@example.com")).await;
        let max = created(second, &person("max@example.com")).await;
        let erase = format!("/contacts/{ann}/erase");
        let _ = first.manage().post(&erase, &json!({"block": true})).await.expect(204);
        let (method, path, body) = writes_of("ann@example.com", &max)[place].clone();
        let send = async || {
            let request = second.request(method.clone(), &path).json(&body);
            Answer::of(key.iter().fold(request, |it, key| it.header("Idempotency-Key", *key))).await
        };
        let answer = send().await;
        if path == "/contacts/bulk" {
            let answer = answer.expect(200);
            let data = answer.data();
            assert_eq!((&data["created"], &data["failed"]), (&json!(1), &json!(1)));
            assert_eq!(data["errors"][0]["email"], "ann@example.com");
        } else {
            answer.expect_error(409, "CONTACT_ERASED");
        }
        if key.is_some() {
            assert_eq!(send().await.header("idempotent-replayed"), "true");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_is_blocked_at_one_instance_is_rejected_at_another_at_once() {
    for place in 0..3 {
        rejects_a_blocked_email(place, None).await;
        rejects_a_blocked_email(place, Some("once")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_and_an_upload_continue_at_any_instance() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let other = second_hub(&hub.database);
        let there = browser.at(&base(&other));
        let path =
            "/contacts/import/rows?delimiter=%2C&column=email&column=first_name&column=last_name";
        for (part, browser) in [&browser, &there, &browser, &there].into_iter().enumerate() {
            let rows: Vec<_> =
                (0..100).map(|n| format!("p{part}.{n}@example.com,Ann,Lee")).collect();
            let answer = send(browser, path, rows.join("\n")).await.expect(200);
            assert_eq!(answer.json["created"], 100);
        }
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 400);
        let _ = there.post("/sign-out", &[]).await.expect(303);
        // Without a session, a page redirects to the sign-in.
        let _ = browser.get("/contacts").await.expect(303);
        other.stop().await.expect("it stops");
    })
    .await;
}

async fn send(browser: &Browser, path: &str, csv: String) -> Answer {
    let request = browser.request(Method::POST, path).header("Content-Type", "text/csv");
    browser.send(request.header("X-CSRF-Token", browser.token()).body(csv)).await
}

/// Creates contacts one after the other until `stopped` is true or a call fails; returns the emails that were
/// acknowledged, and whether a call failed.
async fn create_until(
    base: String,
    key: String,
    name: &'static str,
    stopped: Arc<AtomicBool>,
) -> (Vec<String>, bool) {
    let (http, mut acknowledged) = (reqwest::Client::new(), Vec::new());
    for n in 0_u32.. {
        if stopped.load(Ordering::Relaxed) {
            break;
        }
        let email = format!("{name}.{n}@example.com");
        let call = http.post(format!("{base}/api/public/v1/contacts")).bearer_auth(&key);
        match call.json(&person(&email)).send().await {
            Ok(answer) if answer.status() == 201 => acknowledged.push(email),
            _ => return (acknowledged, true),
        }
    }
    (acknowledged, false)
}

async fn total(service: &Service, key: &str) -> u64 {
    let list = service.call("GET", "/contacts", key, None).await.expect(200);
    list.json["meta"]["total"].as_u64().expect("a total")
}

async fn all_are_there(service: &Service, key: &str, emails: &[String]) {
    for email in emails {
        let path = format!("/contacts?filter[email]={email}");
        let found = service.call("GET", &path, key, None).await.expect(200);
        assert_eq!(found.json["meta"]["total"], 1, "{email} was acknowledged");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_instance_does_not_affect_the_clients_of_the_others() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let flags = ["--rate-limit-standard", "0"];
    let mut first = Service::serve(&database, &flags);
    let key = first.bootstrap_key();
    let mut others = [Service::serve(&database, &flags), Service::serve(&database, &flags)];
    let stopped = Arc::<AtomicBool>::default();
    let clients = |base: &str, names: [&'static str; 2]| {
        names.map(|name| {
            tokio::spawn(create_until(base.to_owned(), key.clone(), name, Arc::clone(&stopped)))
        })
    };
    let killed = clients(&first.base, ["a", "b"]);
    let alive = [clients(&others[0].base, ["c", "d"]), clients(&others[1].base, ["e", "f"])];
    until(Duration::from_secs(30), async || total(&others[0], &key).await > 200).await;
    first.signal("KILL");
    first.wait();
    let at_kill = total(&others[0], &key).await;
    until(Duration::from_secs(30), async || total(&others[1], &key).await > at_kill + 200).await;
    stopped.store(true, Ordering::Relaxed);

    let mut acknowledged = Vec::new();
    for client in killed {
        let (emails, has_failed) = client.await.expect("no panic");
        assert!(has_failed, "its connection was open");
        acknowledged.extend(emails);
    }
    for client in alive.into_iter().flatten() {
        let (emails, has_failed) = client.await.expect("no panic");
        assert!(!has_failed, "after {} calls", emails.len());
        acknowledged.extend(emails);
    }
    all_are_there(&others[1], &key, &acknowledged).await;
    // The last call of each client of the killed instance may be stored but not acknowledged.
    let stored = total(&others[1], &key).await;
    let known = u64::try_from(acknowledged.len()).expect("few");
    assert!((known..=known + 2).contains(&stored), "{stored} of {known}");
    others.iter_mut().for_each(Service::stop);
}
