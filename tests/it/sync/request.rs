//! `POST /assets/{id}/syncs`, and what receivers get.

use contact_hub_tests::{Answer, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::{
    NOTHING, completed, created, failed, integration, integration_with, landing_page, setting,
    webhook,
};
use crate::support::{is_timestamp, until};

const SOON: std::time::Duration = std::time::Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn returns_the_sync_and_lists_it() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        assert_eq!(setting.asset().await["sync_status"], Value::Null);
        let answer = setting.ask(&setting.integration).await.expect(202);
        let data = answer.data();
        let expected = json!({
            "id": data["id"],
            "asset_id": setting.asset,
            "integration_id": setting.integration,
            "status": "sync_requested",
            "map_id": null,
            "map_url": null,
            "error_message": null,
            "requested_by": "api@acme.example",
            "requested_at": data["requested_at"],
            "reported_at": null,
        });
        assert_eq!(answer.json, json!({"data": expected}));
        assert!(is_timestamp(&data["requested_at"]));
        assert_eq!(setting.syncs().await, std::slice::from_ref(data));
        let asset = setting.asset().await;
        assert_eq!(asset["sync_status"], "sync_requested");
        assert_eq!(asset["latest_syncs"], json!([data]));
        let list = setting.client.manage().get("/assets").await.expect(200);
        assert_eq!(list.data()[0]["sync_status"], "sync_requested");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_event_is_complete_and_its_links_can_be_called() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let sync = setting.requested().await;
        let (request, payload) = setting.received(1).await;
        assert_eq!(request.header("content-type"), "application/json");
        assert_eq!(payload["id"], request.header("webhook-id"));
        let base = format!("{}/api/published/v1", hub.base());
        let asset = &setting.asset;
        let expected = json!({
            "id": payload["id"],
            "event": "syncRequested",
            "created_at": payload["created_at"],
            "content_link": format!("{base}/assets/{asset}/content?platform=marketo"),
            "sync_status_link": format!("{base}/sync-status/{asset}"),
            "sync_id": sync,
            "sync_type": "sync",
            "asset_id": asset,
            "asset_name": "Spring",
            "asset_type": "email",
            "integration_id": setting.integration,
            "integration_name": "Ours",
            "platform": "marketo",
            "map_id": null,
            "map_url": null,
            "requested_by": "api@acme.example",
        });
        assert_eq!(payload, expected);
        assert!(is_timestamp(&payload["created_at"]));
        let call = |method, link: &str| {
            let request = hub.http().request(method, payload[link].as_str().unwrap());
            request.bearer_auth(&setting.client.made.token)
        };
        let content = Answer::of(call(Method::GET, "content_link")).await.expect(200);
        assert_eq!(content.data()["html"], "<p>Hi {{lead.First Name}}</p>");
        let report = call(Method::PATCH, "sync_status_link").json(&completed("7"));
        assert_eq!(Answer::of(report).await.expect(200).data()["status"], "completed");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_names_the_integration_when_others_have_its_format() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let mapped = integration_with("merge_tag_mapping", json!({"first_name": "[theirs]"}));
        let second = created(&setting.client, "/integrations", &mapped).await;
        for (count, (integration, html)) in [
            (setting.integration.as_str(), "<p>Hi {{lead.First Name}}</p>"),
            (second.as_str(), "<p>Hi [theirs]</p>"),
        ]
        .into_iter()
        .enumerate()
        {
            let _asked = setting.ask(integration).await.expect(202);
            let (_, payload) = setting.received(count + 1).await;
            let link = payload["content_link"].as_str().unwrap();
            assert!(link.contains("content?platform=marketo&"), "{link}");
            assert!(link.contains(integration), "{link}");
            let request = hub.http().get(link).bearer_auth(&setting.client.made.token);
            assert_eq!(Answer::of(request).await.expect(200).data()["html"], html);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_reported_in_this_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let asset = created(&client, "/assets", &landing_page()).await;
        let integration = created(&client, "/integrations", &integration()).await;
        let path = format!("/assets/{asset}/syncs");
        for body in [json!({}), json!({"integration_id": null}), json!({"integration_id": 5})] {
            manage.post(&path, &body).await.expect_invalid(&["integration_id"]);
        }
        let nul = json!({"integration_id": "x\u{0}"});
        manage.post(&path, &nul).await.expect_invalid(&["integration_id"]);
        for unknown in [NOTHING, "x"] {
            let answer = manage.post(&path, &json!({"integration_id": unknown})).await;
            answer.expect_error(404, "INTEGRATION_NOT_FOUND");
        }
        let body = json!({"integration_id": integration});
        manage.post(&path, &body).await.expect_error(409, "ASSET_TYPE_NOT_SUPPORTED");
        let change = json!({"asset_types": ["landing_page"]});
        let _changed =
            manage.patch(&format!("/integrations/{integration}"), &change).await.expect(200);
        manage.post(&path, &body).await.expect_error(409, "WEBHOOK_NOT_CONFIGURED");
        assert_eq!(*manage.get(&path).await.expect(200).data(), json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_webhook_gets_no_request_and_keeps_the_delivery() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let off = webhook(&setting.client, &setting.receiver.url()).await;
        let change = json!({"enabled": false});
        let path = format!("/webhooks/{off}");
        let _off = setting.client.manage().patch(&path, &change).await.expect(200);
        setting.requested().await;
        let shown = async || {
            let mut states = setting.deliveries().await;
            states.sort();
            states == ["skipped", "succeeded"]
        };
        until(SOON, shown).await;
        assert_eq!(setting.receiver.requests().len(), 1);
        let client = setting.client.manage();
        for row in client.get("/webhooks").await.expect(200).data().as_array().unwrap() {
            let path = format!("/webhooks/{}", row["id"].as_str().unwrap());
            let _off = client.patch(&path, &change).await.expect(200);
        }
        let refused = setting.ask(&setting.integration).await;
        refused.expect_error(409, "WEBHOOK_NOT_CONFIGURED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_request_supersedes_the_open_one_of_its_integration() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[500]).await;
        let first = setting.requested().await;
        let other = created(&setting.client, "/integrations", &integration()).await;
        let kept = setting.ask(&other).await.expect(202).data()["id"].clone();
        let second = setting.requested().await;
        let syncs = setting.syncs().await;
        let shown: Vec<_> = syncs.iter().map(|sync| (&sync["id"], &sync["status"])).collect();
        let open = json!("sync_requested");
        assert_eq!(
            shown,
            [(&json!(second), &open), (&kept, &open), (&json!(first), &json!("failed"))]
        );
        assert_eq!(syncs[2]["error_message"], "Superseded by a newer sync request.");
        assert_eq!(syncs[2]["reported_at"], Value::Null);
        let mut report = completed("1");
        report["sync_id"] = first.into();
        let refused = setting.report(&report).await.expect_error(409, "SYNC_NOT_REQUESTED");
        let mut ids = refused.json["error"]["open_sync_ids"].as_array().unwrap().clone();
        ids.sort_by_key(ToString::to_string);
        let mut expected = vec![json!(second), kept];
        expected.sort_by_key(ToString::to_string);
        assert_eq!(ids, expected);
        until(SOON, async || setting.deliveries().await[2] == "cancelled").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_completed_sync_it_is_a_resync() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let shown = async |count| {
            setting.requested().await;
            let (_, payload) = setting.received(count).await;
            let map = payload["map_id"].as_str().unwrap_or_default().to_owned();
            (payload["sync_type"].as_str().unwrap().to_owned(), map)
        };
        let sync = ("sync".to_owned(), String::new());
        assert_eq!(shown(1).await, sync);
        let _failed = setting.report(&failed("no")).await.expect(200);
        assert_eq!(shown(2).await, sync);
        let _completed = setting.report(&completed("7")).await.expect(200);
        let resync = ("resync".to_owned(), "7".to_owned());
        assert_eq!(shown(3).await, resync);
        let _failed = setting.report(&failed("no")).await.expect(200);
        assert_eq!(shown(4).await, resync);
        let _completed = setting.report(&completed("8")).await.expect(200);
        assert_eq!(shown(5).await, ("resync".to_owned(), "8".to_owned()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_paginated_newest_first() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(setting.requested().await);
        }
        let path = format!("/assets/{}/syncs?page[size]=1&page[number]=2", setting.asset);
        let page = setting.client.manage().get(&path).await.expect(200);
        assert_eq!(page.data()[0]["id"], json!(ids[1]));
        let meta = json!({"current_page": 2, "per_page": 1, "total": 3, "last_page": 3, "from": 2, "to": 2});
        assert_eq!(page.json["meta"], meta);
        let path = format!("/assets/{}/syncs?page[size]=x", setting.asset);
        setting.client.manage().get(&path).await.expect_invalid(&["page.size"]);
    })
    .await;
}
