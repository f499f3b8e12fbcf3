//! Log entries about syncs.

use contact_hub_tests::{Answer, TestDatabase};
use serde_json::{Value, json};

use crate::process::Service;

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_a_failed_sync_once_without_addresses() {
    let database = TestDatabase::empty();
    let flags = ["--webhook-allow-http", "--webhook-allow-network", "127.0.0.0/8"];
    let mut service = Service::serve(&database, &flags);
    let key = service.bootstrap_key();
    let http = reqwest::Client::new();
    let manage = format!("{}/api/manage/v1", service.base);
    let create = async |path: &str, body: &Value| {
        let made =
            Answer::of(http.post(format!("{manage}{path}")).bearer_auth(&key).json(body)).await;
        made.data()["id"].as_str().expect("an id").to_owned()
    };
    let webhook = json!({"name": "W", "url": "http://127.0.0.1:9/", "events": ["syncRequested"]});
    let _webhook = create("/webhooks", &webhook).await;
    let asset = json!({"name": "A", "type": "landing_page", "html": "<p>"});
    let asset = create("/assets", &asset).await;
    let integration =
        json!({"name": "I", "asset_types": ["landing_page"], "merge_tag_format": "liquid"});
    let integration = create("/integrations", &integration).await;
    let sync = json!({"integration_id": integration});
    let sync = create(&format!("/assets/{asset}/syncs"), &sync).await;
    let status = format!("{}/api/published/v1/sync-status/{asset}", service.base);
    let failed =
        json!({"status": "failed", "error_message": "No list of ann@example.com is open."});
    for _report in 0..2 {
        let reported = Answer::of(http.patch(&status).bearer_auth(&key).json(&failed)).await;
        let _reported = reported.expect(200);
    }
    service.stop();
    let log = service.log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("a sync failed")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    for part in [&*sync, &*asset, "No list of […] is open."] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    assert!(!log.contains("ann@example.com"));
}
