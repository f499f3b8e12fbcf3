//! `PATCH /sync-status/{asset_id}`

use std::time::Duration;

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::sample::{NOTHING, completed, created, email, failed, integration, setting};
use crate::support::{is_timestamp, until};

const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_completed_sync_shows_its_entry() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let sync = setting.requested().await;
        let body =
            json!({"status": "completed", "map_id": " 7 ", "map_url": " https://p.example/7?x#y "});
        let answer = setting.report(&body).await.expect(200);
        let data = answer.data();
        assert_eq!((&data["id"], &data["status"]), (&json!(sync), &json!("completed")));
        assert_eq!(
            (&data["map_id"], &data["map_url"]),
            (&json!("7"), &json!("https://p.example/7?x#y"))
        );
        assert_eq!(data["error_message"], Value::Null);
        assert!(is_timestamp(&data["reported_at"]));
        assert_eq!(data.as_object().unwrap().len(), 10);
        assert_eq!(setting.syncs().await, std::slice::from_ref(data));
        let asset = setting.asset().await;
        assert_eq!((&asset["sync_status"], &asset["latest_syncs"][0]), (&json!("completed"), data));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_sync_shows_its_message() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        setting.requested().await;
        let message = "Nö:\n{\"a\": 1}";
        let answer = setting.report(&failed(message)).await.expect(200);
        assert_eq!(answer.data()["error_message"], message);
        assert_eq!(
            (&answer.data()["map_id"], &answer.data()["map_url"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(setting.asset().await["sync_status"], "failed");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_violations_are_reported_at_once() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        setting.requested().await;
        let with = |name: &str, value: Value| {
            let mut body = completed("1");
            body[name] = value;
            body
        };
        for (body, paths) in [
            (json!({}), &["status"][..]),
            (json!({"status": null}), &["status"]),
            (json!({"status": "sync_requested"}), &["status"]),
            (json!({"status": "done", "map_url": "x"}), &["status", "map_url"]),
            (json!({"status": "completed"}), &["map_id", "map_url"]),
            (json!({"status": "failed"}), &["error_message"]),
            (json!({"status": "failed", "error_message": " "}), &["error_message"]),
            (with("map_id", json!(7)), &["map_id"]),
            (with("map_id", json!("")), &["map_id"]),
            (with("map_url", json!("p.example/7")), &["map_url"]),
            (with("map_url", json!("ftp://p.example/7")), &["map_url"]),
            (with("map_url", json!("javascript:alert(1)")), &["map_url"]),
            (with("map_url", json!("https://p.example/a b")), &["map_url"]),
            (
                with("map_url", json!(format!("https://p.example/{}", "x".repeat(2048)))),
                &["map_url"],
            ),
            (with("sync_id", json!(7)), &["sync_id"]),
        ] {
            setting.report(&body).await.expect_invalid(paths);
        }
        let path = format!("/sync-status/{}", setting.asset);
        let client = setting.client.published();
        let request = client.request(reqwest::Method::PATCH, &path);
        let broken = request.header("content-type", "application/json").body("{");
        contact_hub_tests::Answer::of(broken).await.expect_invalid(&["body"]);
        assert_eq!(setting.asset().await["sync_status"], "sync_requested");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeating_a_report_has_no_effect_and_a_different_one_is_refused() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        for report in [completed("1"), failed("no")] {
            let sync = setting.requested().await;
            let first = setting.report(&report).await.expect(200);
            hub.clock.advance(5);
            let mut named = report.clone();
            named["sync_id"] = sync.into();
            for again in [&report, &named] {
                assert_eq!(setting.report(again).await.expect(200).json, first.json);
            }
            for mut other in [completed("2"), failed("other")] {
                let refused = setting.report(&other).await.expect_error(409, "SYNC_NOT_REQUESTED");
                assert_eq!(refused.json["error"]["open_sync_ids"], json!([]));
                other["sync_id"] = named["sync_id"].clone();
                setting.report(&other).await.expect_error(409, "SYNC_NOT_REQUESTED");
            }
            assert_eq!(setting.syncs().await[0], *first.data());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_that_was_never_requested_cannot_be_reported() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        setting.report(&completed("1")).await.expect_error(409, "SYNC_NOT_REQUESTED");
        let client = setting.client.published();
        for id in [NOTHING, "x"] {
            let answer = client.patch(&format!("/sync-status/{id}"), &completed("1")).await;
            answer.expect_error(404, "ASSET_NOT_FOUND");
        }
        let sync = setting.requested().await;
        let other = created(&setting.client, "/assets", &email()).await;
        for id in [NOTHING, "x"] {
            let mut body = completed("1");
            body["sync_id"] = id.into();
            let refused = setting.report(&body).await.expect_error(409, "SYNC_NOT_REQUESTED");
            assert_eq!(refused.json["error"]["open_sync_ids"], json!([sync]));
        }
        let mut body = completed("1");
        body["sync_id"] = "x\u{0}".into();
        setting.report(&body).await.expect_invalid(&["sync_id"]);
        let mut body = completed("1");
        body["sync_id"] = sync.into();
        let foreign = client.patch(&format!("/sync-status/{other}"), &body).await;
        foreign.expect_error(409, "SYNC_NOT_REQUESTED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_must_name_one_of_several_open_syncs() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let one = setting.requested().await;
        let other = created(&setting.client, "/integrations", &integration()).await;
        let two = setting.ask(&other).await.expect(202).data()["id"].clone();
        let refused = setting.report(&completed("1")).await.expect_error(409, "SYNC_AMBIGUOUS");
        assert_eq!(refused.json["error"]["open_sync_ids"], json!([one, two]));
        let mut named = completed("1");
        named["sync_id"] = two.clone();
        assert_eq!(setting.report(&named).await.expect(200).data()["id"], two);
        named["sync_id"] = Value::Null;
        assert_eq!(setting.report(&named).await.expect(200).data()["id"], json!(one));
        setting.report(&failed("x")).await.expect_error(409, "SYNC_NOT_REQUESTED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reported_sync_is_no_longer_delivered() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[500]).await;
        setting.requested().await;
        setting.received(1).await;
        let _reported = setting.report(&completed("1")).await.expect(200);
        until(SOON, async || setting.deliveries().await == ["cancelled"]).await;
        hub.clock.advance(100);
        let again = setting.requested().await;
        let (_, payload) = setting.received(2).await;
        assert_eq!(payload["sync_id"], json!(again));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_obsolete_event_that_is_resent_is_not_retried() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[500]).await;
        let sync = setting.requested().await;
        let manage = setting.client.manage();
        let listed = manage.get(&format!("/deliveries?sync_id={sync}")).await.expect(200);
        let delivery = format!("/deliveries/{}", listed.data()[0]["id"].as_str().expect("an id"));
        let attempted = async |times: usize| {
            until(SOON, async || {
                let detail = manage.get(&delivery).await.expect(200);
                let attempts = detail.data()["attempts"].as_array().map(Vec::len);
                attempts == Some(times) && detail.data()["state"] != "in_progress"
            })
            .await;
            manage.get(&delivery).await.expect(200).data().clone()
        };
        assert_eq!(attempted(1).await["state"], "retrying");
        let _reported = setting.report(&completed("1")).await.expect(200);
        let _resent = manage.trigger(&format!("{delivery}/resend")).await.expect(202);
        let detail = attempted(2).await;
        assert_eq!(detail["state"], "cancelled");
        assert_eq!(detail["reason"], "The sync was reported.");
        assert_eq!(detail["next_attempt_at"], json!(null));
        let _gone = manage.delete(&format!("/assets/{}", setting.asset)).await.expect(204);
        let _resent = manage.trigger(&format!("{delivery}/resend")).await.expect(202);
        let detail = attempted(3).await;
        assert_eq!(
            (&detail["state"], &detail["reason"]),
            (&json!("cancelled"), &json!("The asset was deleted."))
        );
    })
    .await;
}
