//! How often a client may call.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{CompanyOptions, with_settings};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_quota_may_be_spent_at_once_and_comes_back_after_the_window() {
    let limits = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.rate_limit_standard = 5;
        settings.rate_limit_bulk = 2;
    };
    with_settings(limits, async |hub| {
        let client = hub.client().await;
        for left in (0..5).rev() {
            let answer = client.get("/fields").await.expect(200);
            assert_eq!(answer.header("x-ratelimit-limit"), "5");
            assert_eq!(answer.header("x-ratelimit-remaining"), left.to_string());
            assert_eq!(answer.header("ratelimit-policy"), "\"standard\";q=5;w=60");
        }
        let refused = client.get("/fields").await.expect(429);
        assert_eq!(refused.json["type"], "rate_limit_exceeded");
        assert!(refused.json["message"].is_string() && refused.json.get("error").is_none());
        let wait: i64 = refused.header("retry-after").parse().expect("whole seconds");
        assert!((1..=60).contains(&wait));
        let bulk = client.post("/contacts/bulk", &json!({})).await.expect(422);
        assert_eq!(bulk.header("x-ratelimit-remaining"), "1");
        let _another_client = hub.client().await.get("/fields").await.expect(200);
        hub.clock.advance(wait);
        let _waited = client.get("/fields").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_key_are_limited_by_address_and_a_refusal_comes_before_403() {
    let limits =
        |settings: &mut contact_hub::settings::ServeSettings| settings.rate_limit_standard = 2;
    with_settings(limits, async |hub| {
        let options =
            CompanyOptions { permissions: vec![Permission::Publish], ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        for status in [403, 403, 429] {
            let _answer = client.get("/fields").await.expect(status);
        }
        for status in [401, 401, 429] {
            let request = hub.http().get(client.url("/fields"));
            assert_eq!(request.send().await.expect("an answer").status().as_u16(), status);
        }
    })
    .await;
}
