//! `PATCH /contacts/{id}`: only what the body contains changes.

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::{created, person, person_with_values, read};

const AVATAR: &str = "https://pictures.example/1";

async fn contact(client: &Client) -> String {
    for (name, kind) in [("Team", "string"), ("Age", "number"), ("Seen", "datetime")] {
        client.field(name, kind).await;
    }
    let mut body = person_with_values("ann@example.com", &json!({"team": "red", "age": 5}));
    body["avatar_url"] = json!(AVATAR);
    created(client, &body).await
}

/// The attributes and values of a contact as one object.
fn flat(answer: &Answer) -> Value {
    let data = answer.data();
    let mut flat = json!({});
    for name in ["email", "first_name", "last_name", "avatar_url"] {
        flat[name] = data[name].clone();
    }
    for entry in data["field_values"].as_array().expect("values") {
        flat[entry["key"].as_str().expect("a key")] = entry["value"].clone();
    }
    flat
}

#[tokio::test(flavor = "multi_thread")]
async fn each_property_can_change_alone_and_the_contact_is_returned() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = format!("/contacts/{}", contact(&client).await);
        let mut now = flat(&client.get(&path).await.expect(200));
        for (change, changed) in [
            (json!({"email": " Ann@Example.org "}), json!({"email": "Ann@Example.org"})),
            (json!({"first_name": "Anna"}), json!({"first_name": "Anna"})),
            (json!({"last_name": "Li", "unknown": 1}), json!({"last_name": "Li"})),
            (json!({"avatar_url": null}), json!({"avatar_url": null})),
            (json!({"avatar_url": AVATAR}), json!({"avatar_url": AVATAR})),
            (json!({"field_values": {"team": "blue"}}), json!({"team": "blue"})),
            (
                json!({"field_values": {"seen": "2026-01-01T01:00:00+01:00"}}),
                json!({"seen": "2026-01-01T00:00:00+00:00"}),
            ),
            (
                json!({"field_values": {"seen": "2026-01-01T00:00:00.00Z"}}),
                json!({"seen": "2026-01-01T00:00:00.00+00:00"}),
            ),
            (
                json!({"first_name": "Ann", "field_values": {"age": 6}}),
                json!({"first_name": "Ann", "age": 6}),
            ),
        ] {
            let before = client.get(&path).await.expect(200).header("etag").to_owned();
            let answer = client.patch(&path, &change).await.expect(200);
            now.as_object_mut().unwrap().extend(changed.as_object().unwrap().clone());
            assert_eq!(flat(&answer), now, "{change}");
            let detail = client.get(&path).await.expect(200);
            assert_eq!(detail.json, answer.json);
            assert_eq!(detail.header("etag"), answer.header("etag"));
            assert_ne!(answer.header("etag"), before, "{change}");
        }
        let removed = client.patch(&path, &json!({"field_values": {"team": null}})).await;
        now.as_object_mut().unwrap().remove("team");
        assert_eq!(flat(&removed.expect(200)), now);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_without_effect_keeps_updated_at() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = contact(&client).await;
        let path = format!("/contacts/{id}");
        let before = read(&client, &id).await;
        hub.clock.advance(5);
        for same in [
            json!({"email": "ann@example.com"}),
            json!({"first_name": " Ann "}),
            json!({"last_name": "Lee", "avatar_url": AVATAR}),
            json!({"field_values": {"team": "red", "age": 5.0, "seen": null}}),
        ] {
            let answer = client.patch(&path, &same).await.expect(200);
            assert_eq!(answer.header("etag"), before.header("etag"), "{same}");
            assert_eq!(answer.json, before.json, "{same}");
        }
        let _moved = client.patch(&path, &json!({"email": "Ann@example.com"})).await.expect(200);
        let after = read(&client, &id).await;
        assert_ne!(after.header("etag"), before.header("etag"), "another spelling is a change");
        assert_ne!(after.data()["updated_at"], before.data()["updated_at"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_change_names_every_invalid_property() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = contact(&client).await;
        let path = format!("/contacts/{id}");
        let many: Map<String, Value> = (0..21).map(|n| (format!("k{n}"), json!(1))).collect();
        for (body, paths) in [
            (json!({}), &["body"][..]),
            (json!({"unknown": 1}), &["body"]),
            (
                json!({"email": null, "first_name": null, "last_name": null}),
                &["email", "first_name", "last_name"],
            ),
            (
                json!({"email": "x", "first_name": " ", "last_name": 5}),
                &["email", "first_name", "last_name"],
            ),
            (json!({"avatar_url": "ftp://x"}), &["avatar_url"]),
            (json!({"field_values": null}), &["field_values"]),
            (json!({"field_values": {}}), &["field_values"]),
            (json!({"field_values": []}), &["field_values"]),
            (json!({"field_values": many, "email": "x"}), &["email", "field_values"]),
            (
                json!({"field_values": {"team": 5, "x": null}}),
                &["field_values.team", "field_values.x"],
            ),
        ] {
            client.patch(&path, &body).await.expect_invalid(paths);
        }
        let kept = read(&client, &id).await;
        assert_eq!(
            (&kept.data()["email"], &kept.data()["avatar_url"]),
            (&json!("ann@example.com"), &json!(AVATAR))
        );
        for unknown in ["/contacts/x", "/contacts/01931e3a-7c00-7000-8000-0000000000ab"] {
            let change = json!({"first_name": "A"});
            client.patch(unknown, &change).await.expect_error(404, "CONTACT_NOT_FOUND");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_of_another_contact_is_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = format!("/contacts/{}", contact(&client).await);
        let bob = created(&client, &person("bob@example.com")).await;
        let gone = created(&client, &person("gone@example.com")).await;
        let _deleted = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let taken = client.patch(&path, &json!({"email": "BOB@example.com"})).await;
        assert!(taken.text.contains(&bob), "{}", taken.text);
        taken.expect_error(409, "CONTACT_ALREADY_EXISTS");
        let deleted = client.patch(&path, &json!({"email": "gone@example.com"})).await;
        assert!(deleted.text.contains("restores"), "{}", deleted.text);
        deleted.expect_error(409, "CONTACT_ALREADY_EXISTS");
        let _deleted = client.delete(&path).await.expect(204);
        client
            .patch(&path, &json!({"first_name": "A"}))
            .await
            .expect_error(404, "CONTACT_NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_changes_with_the_same_etag_succeeds() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = format!("/contacts/{}", contact(&client).await);
        let tag = client.get(&path).await.expect(200).header("etag").to_owned();
        let calls = (0..8).map(|n| {
            let request = client.request(Method::PATCH, &path).header("If-Match", &tag);
            Answer::of(request.json(&json!({"first_name": format!("Name {n}")})))
        });
        let answers = futures_util::future::join_all(calls).await;
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 7, "{statuses:?}");
    })
    .await;
}
