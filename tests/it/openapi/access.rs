//! Answers about users, keys and the company match the document.

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::answers::{call, example};
use super::served;

#[tokio::test(flavor = "multi_thread")]
async fn answers_about_users_and_keys_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let body = example(&document, &client, "post /users");
        let made = call(&document, &client, "post /users", "/users", &body).await.expect(201);
        let _taken = call(&document, &client, "post /users", "/users", &body).await.expect(409);
        let user = format!("/users/{}", made.data()["id"].as_str().expect("an id"));
        let keys = format!("{user}/api-keys");
        let name = "post /users/{id}/api-keys";
        let body = example(&document, &client, name);
        let made = call(&document, &client, name, &keys, &body).await.expect(201);
        let key = format!("{keys}/{}", made.data()["id"].as_str().expect("an id"));
        for (name, path, status) in [
            ("get /users", "/users", 200),
            ("get /users/{id}", user.as_str(), 200),
            ("get /users/{id}/api-keys", keys.as_str(), 200),
            ("get /users/{id}/api-keys/{key_id}", key.as_str(), 200),
            ("delete /users/{id}/api-keys/{key_id}", key.as_str(), 204),
            ("patch /users/{id}", user.as_str(), 200),
            ("delete /users/{id}", user.as_str(), 204),
            ("delete /users/{id}", user.as_str(), 404),
            ("get /users/{id}/api-keys/{key_id}", key.as_str(), 404),
        ] {
            let has_body = name.starts_with("patch");
            let body = if has_body { example(&document, &client, name) } else { Value::Null };
            let _taken = call(&document, &client, name, path, &body).await.expect(status);
        }
        let own = format!("/users/{}", client.made.user);
        let name = "delete /users/{id}";
        let _refused = call(&document, &client, name, &own, &Value::Null).await.expect(409);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_about_the_company_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let body = example(&document, &client, "patch /company");
        for (name, body, status) in [
            ("get /company", &Value::Null, 200),
            ("patch /company", &body, 200),
            ("patch /company", &json!({"name": 7}), 422),
        ] {
            let _taken = call(&document, &client, name, "/company", body).await.expect(status);
        }
    })
    .await;
}
