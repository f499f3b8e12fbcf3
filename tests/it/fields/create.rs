//! `POST /fields`

use contact_hub_tests::{with_hub, with_settings};
use serde_json::{Value, json};
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn returns_the_field_and_its_location() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "  Job Title ", "type": "string", "key": "own", "x": [1]});
        let created = client.post("/fields", &body).await.expect(201);
        let data = created.data().as_object().unwrap();
        let id = data["id"].as_str().unwrap();
        let parsed = Uuid::try_parse(id).unwrap();
        assert_eq!((parsed.get_version_num(), parsed.to_string().as_str()), (7, id));
        assert!(Uuid::try_parse(data["directory_id"].as_str().unwrap()).is_ok());
        assert_eq!(data["key"], "jobTitle");
        assert_eq!(data["name"], "Job Title");
        assert_eq!(data["type"], "string");
        assert_eq!(data["archived"], false);
        assert_eq!(data["filterable"], "no");
        assert_eq!(data.len(), 7);
        assert_eq!(created.json.as_object().unwrap().len(), 1);
        let location = created.header("location");
        assert!(location.starts_with(&client.url("/fields/")), "{location}");
        assert!(location.contains(id), "{location}");
        assert_eq!(created.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_location_begins_with_the_public_url() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.public_url = Some("https://hub.example/base".to_owned());
    };
    with_settings(change, async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "A", "type": "date"});
        let created = client.post("/fields", &body).await.expect(201);
        let location = created.header("location");
        assert!(location.starts_with("https://hub.example/base/api/public/v1/fields/"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_every_type() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for kind in ["string", "number", "date", "datetime", "boolean"] {
            let body = json!({"name": format!("A {kind}"), "type": kind});
            let created = client.post("/fields", &body).await.expect(201);
            assert_eq!(created.data()["type"], kind);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_other_type_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for kind in [
            json!("text"),
            json!("String"),
            json!("STRING"),
            json!("date time"),
            json!("integer"),
            json!("string\u{0}"),
            json!(""),
            json!(null),
            json!(1),
            json!(true),
            json!(["string"]),
            json!({"type": "string"}),
        ] {
            let body = json!({"name": "A", "type": kind});
            client.post("/fields", &body).await.expect_invalid(&["type"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_violations_are_reported_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for body in [
            json!({}),
            json!({"name": null, "type": null}),
            json!({"name": " ", "type": "x"}),
            json!({"name": 5, "type": []}),
        ] {
            client.post("/fields", &body).await.expect_invalid(&["name", "type"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_a_string_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let white = "\u{feff}\u{200b} \t\n\u{a0}\u{2003}";
        let names: [Value; 10] = [
            json!(null),
            json!(""),
            json!(white),
            json!(7),
            json!(false),
            json!(["A"]),
            json!({"name": "A"}),
            json!("a\u{0}b"),
            json!("a\u{7}b"),
            json!("a\u{85}b"),
        ];
        for name in names {
            let body = json!({"name": name, "type": "string"});
            client.post("/fields", &body).await.expect_invalid(&["name"]);
        }
        let surrogate = r#"{"name": "a\ud800", "type": "string"}"#;
        client.post_text("/fields", surrogate).await.expect_invalid(&["name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_trimmed_but_otherwise_unchanged() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "\u{feff}\u{200b}\n Job\tTitle\u{a0}\u{2003}", "type": "string"});
        let created = client.post("/fields", &body).await.expect(201);
        assert_eq!(created.data()["name"], "Job\tTitle");
        assert_eq!(created.data()["key"], "jobTitle");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_has_at_most_255_code_points_after_trimming() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let long = format!("  {}  ", "é".repeat(255));
        let created = client.post("/fields", &json!({"name": long, "type": "string"})).await;
        assert_eq!(created.expect(201).data()["key"], "é".repeat(255));
        let too_long = json!({"name": "x".repeat(256), "type": "string"});
        client.post("/fields", &too_long).await.expect_invalid(&["name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_of_duplicate_members_counts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = r#"{"name": 1, "type": "string", "name": "First", "name": "Second"}"#;
        let created = client.post_text("/fields", body).await.expect(201);
        assert_eq!(created.data()["name"], "Second");
        let body = r#"{"name": "Third", "type": "string", "name": null}"#;
        client.post_text("/fields", body).await.expect_invalid(&["name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_can_have_a_thousand_fields() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..1000 {
            client.field(&format!("Field {n}"), "string").await;
        }
        let one_more = json!({"name": "One more", "type": "string"});
        client.post("/fields", &one_more).await.expect_invalid(&["name"]);
        let taken = json!({"name": "field 7", "type": "string"});
        let taken = client.post("/fields", &taken).await;
        let _ = taken.expect_error(409, "FIELD_ALREADY_EXISTS");
        let listed = client.get("/fields").await.expect(200);
        assert_eq!(listed.data().as_array().unwrap().len(), 1000);
        hub.client().await.field("One more", "string").await;
    })
    .await;
}
