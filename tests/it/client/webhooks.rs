//! The verification of webhooks, with real ones that a hub sends.

use contact_hub_client::{ReceivedWebhook, WebhookVerificationError, verify_webhook};
use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_of_a_hub_is_verified_even_during_a_rotation() {
    with_hub(async |hub| {
        let manage = hub.client().await.manage();
        let receiver = Receiver::start(&[200]).await;
        let body = json!({"name": "W", "url": receiver.url(), "events": ["syncRequested"]});
        let mut shown = manage.post("/webhooks", &body).await.expect(201);
        let path = format!("/webhooks/{}", shown.data()["id"].as_str().expect("an id"));
        let mut secrets = Vec::new();
        for place in 0..2 {
            secrets.push(shown.data()["secret"].as_str().expect("a secret").to_owned());
            let _sent = manage.trigger(&format!("{path}/test")).await.expect(200);
            let request = receiver.requests()[place].clone();
            let webhook = ReceivedWebhook {
                id: request.header("webhook-id"),
                timestamp: request.header("webhook-timestamp"),
                signature: request.header("webhook-signature"),
                body: request.body.as_bytes(),
            };
            for secret in &secrets {
                assert_eq!(verify_webhook(&webhook, &[secret]), Ok(()));
            }
            let rejected = Err(WebhookVerificationError::Signature);
            let changed = request.body.replacen("\"test\"", "\"tesT\"", 1);
            let changed = ReceivedWebhook { body: changed.as_bytes(), ..webhook };
            assert_eq!(verify_webhook(&changed, &[&secrets[0]]), rejected);
            assert_eq!(verify_webhook(&webhook, &["another secret, quite long"]), rejected);
            let later = ReceivedWebhook { timestamp: "1700000000", ..webhook };
            assert_eq!(verify_webhook(&later, &[&secrets[0]]), Err(WebhookVerificationError::Time));
            shown = manage.trigger(&format!("{path}/rotate-secret")).await.expect(200);
        }
    })
    .await;
}
