//! Webhooks are only for users with the permission, and only those of their own company.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Answer, Client, CompanyOptions, with_hub};
use serde_json::json;

use super::outbox::{created, webhook};

const ID: &str = "01931e3a-7c00-7000-8000-000000000000";

async fn every_call(client: &Client) -> Vec<Answer> {
    let (one, delivery) = (format!("/webhooks/{ID}"), format!("/deliveries/{ID}"));
    vec![
        client.post("/webhooks", &webhook()).await,
        client.get("/webhooks").await,
        client.get(&one).await,
        client.patch(&one, &json!({})).await,
        client.delete(&one).await,
        client.trigger(&format!("{one}/rotate-secret")).await,
        client.delete(&format!("{one}/previous-secrets")).await,
        client.trigger(&format!("{one}/test")).await,
        client.get("/deliveries").await,
        client.get(&delivery).await,
        client.trigger(&format!("{delivery}/resend")).await,
        client.post("/deliveries/recover", &json!({})).await,
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_permission_nothing_is_shown() {
    with_hub(async |hub| {
        let others = Permission::ALL.into_iter().filter(|it| *it != Permission::ManageIntegrations);
        let options = CompanyOptions { permissions: others.collect(), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await.manage();
        for answer in every_call(&client).await {
            answer.expect_error(403, "ACCESS_DENIED");
        }
        let mut stranger = client;
        stranger.made.token = "none".to_owned();
        for answer in every_call(&stranger).await {
            answer.expect_error(401, "UNAUTHENTICATED");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_one_permission_is_sufficient() {
    with_hub(async |hub| {
        let permissions = vec![Permission::ManageIntegrations];
        let options = CompanyOptions { permissions, ..CompanyOptions::default() };
        let client = hub.client_of(&options).await.manage();
        for answer in every_call(&client).await {
            assert!(![401, 403].contains(&answer.status), "{}", answer.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_of_another_company_is_unknown() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await.manage(), hub.client().await.manage());
        let path = created(&theirs, &webhook()).await;
        let before = theirs.get(&path).await.expect(200);
        ours.get(&path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        let change = json!({"enabled": false});
        ours.patch(&path, &change).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        ours.delete(&path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        for action in ["rotate-secret", "test"] {
            let path = format!("{path}/{action}");
            ours.trigger(&path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        }
        let secrets = format!("{path}/previous-secrets");
        ours.delete(&secrets).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        let id = path.trim_start_matches("/webhooks/");
        let body = json!({"webhook_id": id, "since": "2026-01-01T00:00:00Z"});
        ours.post("/deliveries/recover", &body).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        assert_eq!(ours.get("/webhooks").await.expect(200).json["meta"]["total"], 0);
        assert_eq!(theirs.get(&path).await.expect(200).json, before.json);
    })
    .await;
}
