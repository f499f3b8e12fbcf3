//! `/assets`: create, read, list and delete.

use contact_hub_tests::with_hub;
use serde_json::{Value, json};
use uuid::Uuid;

use super::sample::{NOTHING, created, email, email_with, landing_page};
use crate::support::is_timestamp;

const MIB: usize = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_returned_with_all_of_its_properties() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let mut body = email_with("preheader", " More ");
        body["name"] = "  Spring ".into();
        body["key"] = json!([1]);
        let answer = client.post("/assets", &body).await.expect(201);
        let data = answer.data().as_object().unwrap();
        let id = data["id"].as_str().unwrap();
        assert_eq!(Uuid::try_parse(id).unwrap().get_version_num(), 7);
        assert_eq!(answer.header("location"), client.url(&format!("/assets/{id}")));
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let texts = ["name", "type", "subject", "preheader", "html", "text"];
        let shown = texts.map(|name| data[name].as_str().unwrap());
        let html = "<p>Hi {{first_name}}</p>";
        assert_eq!(shown, ["Spring", "email", "Hello", "More", html, "Hi {{first_name}}"]);
        assert_eq!((&data["text_is_made"], &data["sync_status"]), (&json!(true), &Value::Null));
        assert_eq!(data["latest_syncs"], json!([]));
        assert!(is_timestamp(&data["created_at"]) && data["created_at"] == data["updated_at"]);
        let read = client.get(&format!("/assets/{id}")).await.expect(200);
        assert_eq!(read.json, answer.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_landing_page_has_no_subject() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let mut body = landing_page();
        body["subject"] = Value::Null;
        let answer = client.post("/assets", &body).await.expect(201);
        assert_eq!(answer.data()["subject"], Value::Null);
        assert_eq!(answer.data()["preheader"], Value::Null);
        body["subject"] = "Hello".into();
        body["preheader"] = "".into();
        client.post("/assets", &body).await.expect_invalid(&["subject", "preheader"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_given_plain_text_is_kept_unchanged() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let text = " Hi {{first_name}},\r\n\u{1f382} ";
        let answer = client.post("/assets", &email_with("text", text)).await.expect(201);
        assert_eq!(answer.data()["text"], text);
        assert_eq!(answer.data()["text_is_made"], false);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_violations_are_reported_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        client.post("/assets", &json!({})).await.expect_invalid(&["name", "type", "html"]);
        let body = json!({"name": " ", "type": "letter", "html": 5, "text": [], "subject": true, "preheader": {}});
        let all = ["name", "type", "html", "text", "subject", "preheader"];
        client.post("/assets", &body).await.expect_invalid(&all);
        for (name, value) in [
            ("name", json!("x".repeat(256))),
            ("name", json!("a\u{7}b")),
            ("type", json!("Email")),
            ("html", Value::Null),
            ("html", json!(" \n")),
            ("html", json!("a\u{0}b")),
            ("text", json!("a\u{0}b")),
            ("subject", Value::Null),
            ("subject", json!("a\nb")),
            ("preheader", json!("x".repeat(1001))),
        ] {
            client.post("/assets", &email_with(name, value)).await.expect_invalid(&[name]);
        }
        let surrogate = r#"{"name": "a", "type": "email", "html": "\ud800", "subject": "x"}"#;
        client.post_text("/assets", surrogate).await.expect_invalid(&["html"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn html_has_at_most_two_mebibytes_and_a_body_four() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let longest = "é".repeat(MIB);
        let answer = client.post("/assets", &email_with("html", longest.as_str())).await;
        let id = answer.expect(201).data()["id"].as_str().unwrap().to_owned();
        let read = client.get(&format!("/assets/{id}")).await.expect(200);
        assert_eq!(read.data()["html"], longest);
        let too_long = email_with("html", format!("{longest}x"));
        client.post("/assets", &too_long).await.expect_invalid(&["html"]);
        let too_long = email_with("text", format!("{longest}x"));
        client.post("/assets", &too_long).await.expect_invalid(&["text"]);
        let largest = email().to_string();
        let largest = format!("{largest}{}", " ".repeat(4 * MIB - largest.len()));
        let _taken = client.post_text("/assets", largest.clone()).await.expect(201);
        let too_large = client.post_text("/assets", largest + " ").await;
        too_large.expect_error(413, "PAYLOAD_TOO_LARGE");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_html_is_accepted() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        for html in ["<".repeat(MIB), "<div>".repeat(100_000), "<a href=x>".repeat(100_000)] {
            let _taken = client.post("/assets", &email_with("html", html)).await.expect(201);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_paginated_in_creation_order_without_the_bodies() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let empty = client.manage().get("/assets").await.expect(200);
        assert_eq!((empty.data(), &empty.json["meta"]["total"]), (&json!([]), &json!(0)));
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(created(&client, "/assets", &email()).await);
        }
        let page = client.manage().get("/assets?page[size]=2&page[number]=2").await.expect(200);
        let rows = page.data().as_array().unwrap();
        assert_eq!((rows.len(), &rows[0]["id"]), (1, &json!(ids[2])));
        let meta = json!({"current_page": 2, "per_page": 2, "total": 3, "last_page": 2, "from": 3, "to": 3});
        assert_eq!(page.json["meta"], meta);
        let names: Vec<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
        let all = [
            "id", "name", "type", "subject", "preheader", "sync_status", "created_at", "updated_at",
        ];
        assert_eq!(names, all);
        let wrong = client.manage().get("/assets?page[size]=101&page[x]=1").await;
        wrong.expect_invalid(&["page.size", "page.x"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_asset_is_unknown() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email()).await;
        let path = format!("/assets/{id}");
        let gone = client.manage().delete(&path).await.expect(204);
        assert_eq!((gone.text.as_str(), gone.header("content-type")), ("", ""));
        for path in [path, format!("/assets/{NOTHING}"), "/assets/x".to_owned()] {
            let client = client.manage();
            client.get(&path).await.expect_error(404, "ASSET_NOT_FOUND");
            client.delete(&path).await.expect_error(404, "ASSET_NOT_FOUND");
            client.patch(&path, &json!({"name": 5})).await.expect_error(404, "ASSET_NOT_FOUND");
            client.get(&format!("{path}/syncs")).await.expect_error(404, "ASSET_NOT_FOUND");
            let body = json!({"integration_id": NOTHING});
            client.post(&format!("{path}/syncs"), &body).await.expect_error(404, "ASSET_NOT_FOUND");
        }
    })
    .await;
}
