//! `POST /contacts`

use contact_hub_tests::{with_hub, with_settings};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::support::{created, is_timestamp, person, person_with_values, read};

#[tokio::test(flavor = "multi_thread")]
async fn creates_a_contact_with_values() {
    with_hub(async |hub| {
        let client = hub.client().await;
        assert_eq!(client.field("Job Title", "string").await, "jobTitle");
        let body = json!({"email": " Ann@Example.com ", "first_name": "Ann", "last_name": "Lee", "field_values": {"jobTitle": "Boss"}});
        let created = client.post("/contacts", &body).await.expect(201);
        assert_eq!(created.data()["email"], "Ann@Example.com");
        assert!(created.data().get("field_values").is_none());
        let id = created.data()["id"].as_str().unwrap();
        let read = client.get(&format!("/contacts/{id}")).await.expect(200);
        assert_eq!(read.data()["field_values"][0]["value"], "Boss");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn returns_the_contact_and_its_location() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let avatar = "https://pictures.example/ann.png";
        let body = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee", "avatar_url": avatar});
        let created = client.post("/contacts", &body).await.expect(201);
        let data = created.data().as_object().unwrap();
        let id = data["id"].as_str().unwrap();
        let parsed = Uuid::try_parse(id).unwrap();
        assert_eq!((parsed.get_version_num(), parsed.to_string().as_str()), (7, id));
        assert_eq!(data["avatar_url"], avatar);
        assert_eq!(data["supervisor_id"], Value::Null);
        assert_eq!(data["created_at"], data["updated_at"]);
        let mut members: Vec<&str> = data.keys().map(String::as_str).collect();
        members.sort_unstable();
        let all = ["avatar_url", "created_at", "email", "first_name", "id", "last_name"];
        assert_eq!(members, [&all[..], &["supervisor_id", "updated_at"]].concat());
        assert_eq!(created.json.as_object().unwrap().len(), 1);
        assert_eq!(created.header("location"), client.url(&format!("/contacts/{id}")));
        assert_eq!(created.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_location_begins_with_the_public_url() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.public_url = Some("https://hub.example".to_owned());
    };
    with_settings(change, async |hub| {
        let client = hub.client().await;
        let created = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        let id = created.data()["id"].as_str().unwrap();
        let expected = format!("https://hub.example/api/public/v1/contacts/{id}");
        assert_eq!(created.header("location"), expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn timestamps_are_the_time_of_the_request_in_utc_to_the_second() {
    with_hub(async |hub| {
        hub.clock.advance(86_400);
        let client = hub.client().await;
        let before = hub.hub.ports.environment.clock.now().micros() / 1_000_000;
        let created = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        let after = hub.hub.ports.environment.clock.now().micros() / 1_000_000;
        for name in ["created_at", "updated_at"] {
            let text = &created.data()[name];
            assert!(is_timestamp(text), "{text}");
            let moment = OffsetDateTime::parse(text.as_str().unwrap(), &Rfc3339).unwrap();
            assert!((before..=after).contains(&moment.unix_timestamp()), "{text}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_property_is_invalid_and_all_are_reported_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let required = ["email", "first_name", "last_name"];
        client.post("/contacts", &json!({})).await.expect_invalid(&required);
        let nulls = json!({"email": null, "first_name": null, "last_name": null});
        client.post("/contacts", &nulls).await.expect_invalid(&required);
        let blank = json!({"email": " ", "first_name": "\u{200b}", "last_name": "\u{feff}\t"});
        client.post("/contacts", &blank).await.expect_invalid(&required);
        for missing in required {
            let mut body = person("ann@example.com");
            body.as_object_mut().unwrap().remove(missing);
            let refused = client.post("/contacts", &body).await;
            assert!(is_timestamp(&refused.json["error_at"]), "{}", refused.text);
            refused.expect_invalid(&[missing]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_kinds_of_violations_are_reported_in_one_answer() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Age", "number").await;
        let body = json!({
            "email": "nobody", "first_name": 5, "avatar_url": "ftp://a.example/b",
            "field_values": {"age": "5", "nothing": 1}
        });
        let named = [
            "email",
            "first_name",
            "last_name",
            "avatar_url",
            "field_values.age",
            "field_values.nothing",
        ];
        client.post("/contacts", &body).await.expect_invalid(&named);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn null_for_an_optional_property_is_treated_as_absent() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Age", "number").await;
        let mut body = person("ann@example.com");
        body["avatar_url"] = Value::Null;
        body["field_values"] = Value::Null;
        let id = created(&client, &body).await;
        let shown = read(&client, &id).await;
        assert_eq!(shown.data()["avatar_url"], Value::Null);
        assert_eq!(shown.data()["field_values"], json!([]));
        let body = person_with_values("bob@example.com", &json!({"age": null}));
        let id = created(&client, &body).await;
        assert_eq!(read(&client, &id).await.data()["field_values"], json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_properties_are_ignored_whatever_they_contain() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = r#"{"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee",
            "id": "mine", "created_at": 5, "supervisor_id": "x", "": {"a": [null, 1e999]}, "s": "\ud800\u0000"}"#;
        let created = client.post_text("/contacts", body).await.expect(201);
        assert_eq!(created.data()["supervisor_id"], Value::Null);
        assert_ne!(created.data()["id"], "mine");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_of_duplicate_members_counts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Age", "number").await;
        let body = r#"{"email": 5, "email": "ann@example.com", "first_name": "Ann", "last_name": "Lee",
            "field_values": 7, "field_values": {"age": "x", "age": 1, "\u0061ge": 2}}"#;
        let created = client.post_text("/contacts", body).await.expect(201);
        let id = created.data()["id"].as_str().unwrap();
        assert_eq!(read(&client, id).await.data()["field_values"][0]["value"], 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_sixteen_clients_with_the_same_email_creates_it() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let calls = (0..16).map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                let body = json!({"email": "one@example.com", "first_name": "A", "last_name": "B"});
                client.post("/contacts", &body).await.status
            })
        });
        let mut statuses = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            statuses.push(call.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses[0], 201);
        assert_eq!(statuses[1..], [409; 15]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_creates_of_different_emails_with_the_same_values_all_succeed() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (name, kind) in [("Team", "string"), ("Age", "number"), ("Member", "boolean")] {
            client.field(name, kind).await;
        }
        let calls = (0..48).map(|n| {
            let client = client.clone();
            tokio::spawn(async move {
                let values = json!({"team": "red", "age": 5, "member": n % 2 == 0});
                let body = person_with_values(&format!("p{n}@example.com"), &values);
                client.post("/contacts", &body).await.status
            })
        });
        for call in calls.collect::<Vec<_>>() {
            assert_eq!(call.await.unwrap(), 201);
        }
    })
    .await;
}
