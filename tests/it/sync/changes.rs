//! `PATCH /assets/{id}`: absent properties are kept, null clears them.

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::sample::{created, email, email_with, landing_page};

#[tokio::test(flavor = "multi_thread")]
async fn absent_properties_are_kept_and_changes_move_updated_at() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email_with("preheader", "More")).await;
        let (client, path) = (client.manage(), format!("/assets/{id}"));
        let before = client.get(&path).await.expect(200);
        hub.clock.advance(5);
        for body in [json!({}), email(), json!({"unknown": 1})] {
            let answer = client.patch(&path, &body).await.expect(200);
            assert_eq!(answer.json, before.json, "{body}");
        }
        let answer = client.patch(&path, &json!({"name": " Summer "})).await.expect(200);
        let mut expected = before.data().clone();
        expected["name"] = "Summer".into();
        expected["updated_at"] = answer.data()["updated_at"].clone();
        assert_eq!(*answer.data(), expected);
        assert_ne!(answer.data()["updated_at"], before.data()["updated_at"]);
        assert_eq!(client.get(&path).await.json, answer.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn null_clears_optional_properties_only() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut body = email_with("preheader", "More");
        body["text"] = "own".into();
        let id = created(&client, "/assets", &body).await;
        let (client, path) = (client.manage(), format!("/assets/{id}"));
        let cleared = json!({"preheader": null, "text": null});
        let answer = client.patch(&path, &cleared).await.expect(200);
        assert_eq!(answer.data()["preheader"], Value::Null);
        assert_eq!(answer.data()["text"], "Hi {{first_name}}");
        let nulls = json!({"name": null, "type": null, "html": null, "subject": null});
        // Without the type, the rules for the subject are unknown.
        client.patch(&path, &nulls).await.expect_invalid(&["name", "type", "html"]);
        client.patch(&path, &json!({"subject": null})).await.expect_invalid(&["subject"]);
        let wrong = json!({"name": "", "html": 1, "text": 2, "subject": 3, "preheader": 4});
        let all = ["name", "html", "text", "subject", "preheader"];
        client.patch(&path, &wrong).await.expect_invalid(&all);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_text_follows_the_html_and_a_given_one_is_kept() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let made = created(&client, "/assets", &email()).await;
        let own = created(&client, "/assets", &email_with("text", "own")).await;
        let client = client.manage();
        let html = json!({"html": "<ul><li>New</li></ul>"});
        let change = async |id: &str, body: &Value| {
            let answer = client.patch(&format!("/assets/{id}"), body).await.expect(200);
            let data = answer.data();
            (data["text"].as_str().unwrap().to_owned(), data["text_is_made"].as_bool().unwrap())
        };
        assert_eq!(change(&made, &html).await, ("- New".to_owned(), true));
        assert_eq!(change(&own, &html).await, ("own".to_owned(), false));
        assert_eq!(change(&made, &json!({"text": "mine"})).await, ("mine".to_owned(), false));
        let html = json!({"html": "<b>Newer</b>"});
        assert_eq!(change(&made, &html).await, ("mine".to_owned(), false));
        assert_eq!(change(&made, &json!({"text": null})).await, ("Newer".to_owned(), true));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_type_is_validated() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &landing_page()).await;
        let (client, path) = (client.manage(), format!("/assets/{id}"));
        client.patch(&path, &json!({"subject": "x"})).await.expect_invalid(&["subject"]);
        client.patch(&path, &json!({"type": "email"})).await.expect_invalid(&["subject"]);
        let email = json!({"type": "email", "subject": "x", "preheader": "y"});
        let answer = client.patch(&path, &email).await.expect(200);
        assert_eq!(answer.data()["preheader"], "y");
        let answer = client.patch(&path, &json!({"type": "landing_page"})).await.expect(200);
        assert_eq!(answer.data()["subject"], Value::Null);
    })
    .await;
}
