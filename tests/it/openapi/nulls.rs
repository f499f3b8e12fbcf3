//! A property of a new object may be null if the document says so, and only then.

use contact_hub_tests::with_hub;
use serde_json::Value;

use super::answers::example;
use super::schema::{members, misfits};
use super::served;

#[tokio::test(flavor = "multi_thread")]
async fn a_property_may_be_null_if_the_document_says_so() {
    with_hub(async |hub| {
        let document = served(hub).await;
        let public = hub.client().await;
        let manage = public.manage();
        let body = example(&document, &manage, "post /webhooks");
        let webhook = manage.post("/webhooks", &body).await.expect(201);
        let rotate =
            format!("/webhooks/{}/rotate-secret", webhook.data()["id"].as_str().expect("an id"));
        let keys = format!("/users/{}/api-keys", manage.made.user);
        for (client, name, path) in [
            (&public, "post /contacts", "/contacts"),
            (&public, "post /fields", "/fields"),
            (&manage, "post /assets", "/assets"),
            (&manage, "post /integrations", "/integrations"),
            (&manage, "post /users", "/users"),
            (&manage, "post /users/{id}/api-keys", &keys),
            (&manage, "post /webhooks", "/webhooks"),
            (&manage, "post /webhooks/{id}/rotate-secret", &rotate),
        ] {
            let (method, template) = name.split_once(' ').expect("a method and a path");
            let operation = &document["paths"][format!("{}{template}", client.interface())][method];
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let properties = members(&document, schema);
            assert!(!properties.is_empty(), "{name}");
            // Whether a subject is required depends on the type of the asset.
            for property in properties.into_iter().filter(|property| property != "subject") {
                let mut body = example(&document, client, name);
                body[property.as_str()] = Value::Null;
                let may_be_null = misfits(&document, schema, &body, name).is_empty();
                let answer = client.post(path, &body).await;
                let is_invalid = answer.json["errors"][0]["meta"].get(&property).is_some();
                assert_eq!(!is_invalid, may_be_null, "{name} {property}: {}", answer.text);
            }
        }
    })
    .await;
}
