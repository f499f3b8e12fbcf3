//! Data of another company is treated as unknown.

use contact_hub_tests::with_hub;
use serde_json::json;

use super::sample::{NOTHING, completed, created, email, integration_with, setting};

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_of_another_company_is_unknown() {
    with_hub(async |hub| {
        let (ours, theirs) =
            (setting(hub.client().await, &[200]).await, setting(hub.client().await, &[200]).await);
        let (client, published) = (ours.client.manage(), ours.client.published());
        for id in [theirs.asset.as_str(), NOTHING] {
            let path = format!("/assets/{id}");
            let body = json!({"integration_id": ours.integration});
            for answer in [
                client.get(&path).await,
                client.patch(&path, &json!({"name": "Ours"})).await,
                client.delete(&path).await,
                client.get(&format!("{path}/syncs")).await,
                client.post(&format!("{path}/syncs"), &body).await,
                published.get(&format!("{path}/content")).await,
                published.patch(&format!("/sync-status/{id}"), &completed("1")).await,
            ] {
                answer.expect_error(404, "ASSET_NOT_FOUND");
            }
        }
        assert_eq!(theirs.asset().await["name"], "Spring");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_integration_and_a_sync_of_another_company_are_unknown() {
    with_hub(async |hub| {
        let (ours, theirs) =
            (setting(hub.client().await, &[200]).await, setting(hub.client().await, &[200]).await);
        let client = ours.client.manage();
        for id in [theirs.integration.as_str(), NOTHING] {
            let path = format!("/integrations/{id}");
            let query = format!("platform=marketo&integration_id={id}");
            let content = format!("/assets/{}/content?{query}", ours.asset);
            for answer in [
                client.get(&path).await,
                client.patch(&path, &json!({"name": "Ours"})).await,
                client.delete(&path).await,
                ours.ask(id).await,
                ours.client.published().get(&content).await,
            ] {
                answer.expect_error(404, "INTEGRATION_NOT_FOUND");
            }
        }
        let mut report = completed("1");
        report["sync_id"] = theirs.requested().await.into();
        ours.report(&report).await.expect_error(409, "SYNC_NOT_REQUESTED");
        assert_eq!(theirs.syncs().await[0]["status"], "sync_requested");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_mappings_and_webhooks_belong_to_one_company() {
    with_hub(async |hub| {
        let ours = hub.client().await;
        let theirs = setting(hub.client().await, &[200]).await;
        let mapped = integration_with("merge_tag_mapping", json!({"first_name": "[theirs]"}));
        created(&theirs.client, "/integrations", &mapped).await;
        for path in ["/assets", "/integrations"] {
            let list = ours.manage().get(path).await.expect(200);
            assert_eq!((list.data(), &list.json["meta"]["total"]), (&json!([]), &json!(0)));
        }
        let asset = created(&ours, "/assets", &email()).await;
        let path = format!("/assets/{asset}/content?platform=marketo");
        let content = ours.published().get(&path).await.expect(200);
        assert_eq!(content.data()["html"], "<p>Hi {{lead.First Name}}</p>");
        let integration = created(&ours, "/integrations", &super::sample::integration()).await;
        let body = json!({"integration_id": integration});
        let refused = ours.manage().post(&format!("/assets/{asset}/syncs"), &body).await;
        refused.expect_error(409, "WEBHOOK_NOT_CONFIGURED");
        assert!(theirs.receiver.requests().is_empty());
    })
    .await;
}
