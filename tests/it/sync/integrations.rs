//! `/integrations`: create, read, list, change and delete.

use contact_hub_domain::sync::Platform;
use contact_hub_tests::with_hub;
use serde_json::{Value, json};
use uuid::Uuid;

use super::sample::{NOTHING, completed, created, integration, integration_with, setting};
use crate::support::is_timestamp;

#[tokio::test(flavor = "multi_thread")]
async fn an_integration_is_returned_with_all_of_its_properties() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let mapping = json!({"first_name": " {{lead.Vorname}} ", "field:jobTitle": "x"});
        let mut body = integration_with("merge_tag_mapping", mapping.clone());
        body["asset_types"] = json!(["landing_page", "email"]);
        let answer = client.post("/integrations", &body).await.expect(201);
        let data = answer.data().as_object().unwrap();
        let id = data["id"].as_str().unwrap();
        assert_eq!(Uuid::try_parse(id).unwrap().get_version_num(), 7);
        assert_eq!(answer.header("location"), client.url(&format!("/integrations/{id}")));
        assert_eq!((&data["name"], &data["merge_tag_format"]), (&json!("Ours"), &json!("marketo")));
        assert_eq!(data["asset_types"], json!(["email", "landing_page"]));
        assert_eq!(data["merge_tag_mapping"], mapping);
        assert!(is_timestamp(&data["created_at"]) && is_timestamp(&data["updated_at"]));
        assert_eq!(data.len(), 7);
        let read = client.get(&format!("/integrations/{id}")).await.expect(200);
        assert_eq!(read.json, answer.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_format_is_accepted() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let words = Platform::ALL.into_iter().map(Platform::as_str);
        for (word, shown) in words.map(|word| (word, word)).chain([("marketing_cloud", "sfmc")]) {
            let body = integration_with("merge_tag_format", word);
            let answer = client.post("/integrations", &body).await.expect(201);
            assert_eq!(answer.data()["merge_tag_format"], shown);
            assert_eq!(answer.data()["merge_tag_mapping"], json!({}));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_violations_are_reported_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let required = ["name", "asset_types", "merge_tag_format"];
        client.post("/integrations", &json!({})).await.expect_invalid(&required);
        for (name, value, paths) in [
            ("name", json!(7), &["name"][..]),
            ("name", json!("x".repeat(256)), &["name"]),
            ("asset_types", Value::Null, &["asset_types"]),
            ("asset_types", json!("email"), &["asset_types"]),
            ("asset_types", json!([]), &["asset_types"]),
            ("asset_types", json!(["email", "landing_page", "email"]), &["asset_types"]),
            ("asset_types", json!(["email", "email"]), &["asset_types.1"]),
            ("asset_types", json!(["letter", 1]), &["asset_types.0", "asset_types.1"]),
            ("merge_tag_format", json!("own"), &["merge_tag_format"]),
            ("merge_tag_format", json!([]), &["merge_tag_format"]),
            ("merge_tag_mapping", json!([]), &["merge_tag_mapping"]),
            ("merge_tag_mapping", json!("x"), &["merge_tag_mapping"]),
            (
                "merge_tag_mapping",
                json!({"first_name": 1, "firstName": "x", "email": "ok"}),
                &["merge_tag_mapping.first_name", "merge_tag_mapping.firstName"],
            ),
        ] {
            let body = integration_with(name, value);
            client.post("/integrations", &body).await.expect_invalid(paths);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_keeps_absent_properties() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = integration_with("merge_tag_mapping", json!({"email": "x"}));
        let id = created(&client, "/integrations", &body).await;
        let (client, path) = (client.manage(), format!("/integrations/{id}"));
        let before = client.get(&path).await.expect(200);
        assert_eq!(client.patch(&path, &json!({})).await.expect(200).json, before.json);
        assert_eq!(client.patch(&path, &body).await.expect(200).json, before.json);
        let answer = client.patch(&path, &json!({"name": "Theirs"})).await.expect(200);
        assert_eq!(answer.data()["name"], "Theirs");
        assert_eq!(answer.data()["merge_tag_mapping"], json!({"email": "x"}));
        let cleared = client.patch(&path, &json!({"merge_tag_mapping": null})).await.expect(200);
        assert_eq!(cleared.data()["merge_tag_mapping"], json!({}));
        let nulls = json!({"name": null, "asset_types": null, "merge_tag_format": null});
        let all = ["name", "asset_types", "merge_tag_format"];
        client.patch(&path, &nulls).await.expect_invalid(&all);
        assert_eq!(client.get(&path).await.json, cleared.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_paginated_in_creation_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(created(&client, "/integrations", &integration()).await);
        }
        let page = client.manage().get("/integrations?page%5Bsize%5D=2").await.expect(200);
        let rows = page.data().as_array().unwrap();
        let listed: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(listed, ids[..2]);
        let meta = json!({"current_page": 1, "per_page": 2, "total": 3, "last_page": 2, "from": 1, "to": 2});
        assert_eq!(page.json["meta"], meta);
        let wrong = client.manage().get("/integrations?page[number]=0").await;
        wrong.expect_invalid(&["page.number"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_integration_is_unknown_and_closes_its_syncs() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[500]).await;
        setting.requested().await;
        let _reported = setting.report(&completed("1")).await.expect(200);
        setting.requested().await;
        let client = setting.client.manage();
        let path = format!("/integrations/{}", setting.integration);
        let _gone = client.delete(&path).await.expect(204);
        for path in [path, format!("/integrations/{NOTHING}"), "/integrations/x".to_owned()] {
            client.get(&path).await.expect_error(404, "INTEGRATION_NOT_FOUND");
            client.delete(&path).await.expect_error(404, "INTEGRATION_NOT_FOUND");
            let answer = client.patch(&path, &json!({"name": 5})).await;
            answer.expect_error(404, "INTEGRATION_NOT_FOUND");
        }
        let syncs = setting.syncs().await;
        assert_eq!(
            (&syncs[0]["status"], &syncs[1]["status"]),
            (&json!("failed"), &json!("completed"))
        );
        assert_eq!(syncs[0]["error_message"], "The integration was deleted.");
        assert_eq!(syncs[0]["reported_at"], Value::Null);
        let refused = setting.report(&completed("2")).await;
        let refused = refused.expect_error(409, "SYNC_NOT_REQUESTED");
        assert_eq!(refused.json["error"]["open_sync_ids"], json!([]));
        assert_eq!(setting.asset().await["latest_syncs"], json!([]));
        let stopped = async || setting.deliveries().await.iter().all(|state| state == "cancelled");
        crate::support::until(std::time::Duration::from_secs(10), stopped).await;
    })
    .await;
}
