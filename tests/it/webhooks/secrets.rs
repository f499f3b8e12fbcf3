//! A secret is shown once, and the previous one stays valid for some time.

use contact_hub_domain::time::Timestamp;
use contact_hub_tests::{Answer, with_hub};
use serde_json::{Value, json};

use super::outbox::{created, text, webhook, webhook_with};

const TYPED: &str = "correct horse battery staple";

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_secret_has_the_format_of_the_library() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let one = client.post("/webhooks", &webhook()).await.expect(201);
        let other = client.post("/webhooks", &webhook()).await.expect(201);
        let secret = text(&one, "secret");
        assert!(secret.starts_with("whsec_") && secret.len() == 50);
        assert_eq!(text(&one, "whsec_secret"), secret);
        assert_ne!(text(&other, "secret"), secret);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_custom_secret_is_shown_once_with_its_equivalent() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let made = client.post("/webhooks", &webhook_with("secret", TYPED)).await.expect(201);
        assert_eq!(text(&made, "secret"), TYPED);
        let equivalent = "whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ==";
        assert_eq!(text(&made, "whsec_secret"), equivalent);
        let path = format!("/webhooks/{}", text(&made, "id"));
        for answer in [
            client.get(&path).await.expect(200),
            client.get("/webhooks").await.expect(200),
            client.patch(&path, &json!({"name": "Other"})).await.expect(200),
        ] {
            assert!(!answer.text.contains(TYPED) && !answer.text.contains("whsec_"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_stored_in_plain_text() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let _made = client.post("/webhooks", &webhook_with("secret", TYPED)).await.expect(201);
        if hub.database.is_postgres() {
            return;
        }
        let folder = std::fs::read_dir(hub.database.directory()).expect("a folder");
        for file in folder {
            let bytes = std::fs::read(file.expect("a file").path()).expect("it is read");
            let has = bytes.windows(TYPED.len()).any(|window| window == TYPED.as_bytes());
            assert!(!has, "the secret is in a file");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_keeps_the_old_secret_for_a_day_unless_another_time_is_given() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = created(&client, &webhook()).await;
        let rotate = format!("{path}/rotate-secret");
        let until = async || {
            client.get(&path).await.expect(200).data()["previous_secret_valid_until"].clone()
        };
        assert_eq!(until().await, Value::Null);
        let rotated = client.trigger(&rotate).await.expect(200);
        assert!(text(&rotated, "secret").starts_with("whsec_"));
        assert_eq!(grace(&rotated), 86_400);
        assert_eq!(until().await, rotated.data()["previous_secret_valid_until"]);
        hub.clock.advance(86_400);
        assert_eq!(until().await, Value::Null);
        let typed = json!({"secret": TYPED, "grace_seconds": 3600});
        let rotated = client.post(&rotate, &typed).await.expect(200);
        assert_eq!((text(&rotated, "secret").as_str(), grace(&rotated)), (TYPED, 3600));
        let _ended = client.delete(&format!("{path}/previous-secrets")).await.expect(204);
        assert_eq!(until().await, Value::Null);
        let longest = client.post(&rotate, &json!({"grace_seconds": 604_800})).await.expect(200);
        assert_eq!(grace(&longest), 604_800);
        let at_once = client.post(&rotate, &json!({"grace_seconds": 0})).await.expect(200);
        assert_eq!(at_once.data()["previous_secret_valid_until"], Value::Null);
        assert_eq!(until().await, Value::Null);
    })
    .await;
}

/// For how many seconds after a rotation the previous secret is valid.
fn grace(rotated: &Answer) -> i64 {
    let seconds = |name| {
        let moment = Timestamp::parse(&text(rotated, name)).expect("a timestamp").at;
        moment.micros() / 1_000_000
    };
    seconds("previous_secret_valid_until") - seconds("updated_at")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_is_validated() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let rotate = format!("{}/rotate-secret", created(&client, &webhook()).await);
        for (name, value) in [
            ("grace_seconds", json!(604_801)),
            ("grace_seconds", json!(-1)),
            ("grace_seconds", json!(1.5)),
            ("grace_seconds", json!("60")),
            ("secret", json!("short")),
            ("secret", json!(["correct horse battery"])),
        ] {
            client.post(&rotate, &json!({name: value})).await.expect_invalid(&[name]);
        }
        client.post_text(&rotate, "{").await.expect_invalid(&["body"]);
        let nulls = json!({"secret": null, "grace_seconds": null});
        let _generated = client.post(&rotate, &nulls).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_in_a_change_is_a_rotation() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = created(&client, &webhook()).await;
        let changed = client.patch(&path, &json!({"secret": TYPED})).await.expect(200);
        assert_eq!(text(&changed, "secret"), TYPED);
        assert_eq!(grace(&changed), 86_400);
    })
    .await;
}
