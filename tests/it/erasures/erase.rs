//! `POST /contacts/{id}/erase`

use contact_hub_domain::access::Permission;
use contact_hub_tests::{CompanyOptions, with_hub};
use serde_json::{Value, json};

use super::sample::erase;
use crate::support::{created, person, person_with_values};

#[tokio::test(flavor = "multi_thread")]
async fn an_active_or_deleted_contact_is_erased_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let key = client.field("Size", "number").await;
        let with_value = async |email, size| {
            created(&client, &person_with_values(email, &json!({&*key: size}))).await
        };
        let ann = with_value("ann@example.com", 1).await;
        let max = with_value("max@example.com", 2).await;
        let eve = with_value("eve@example.com", 2).await;
        let _ = client.delete(&format!("/contacts/{ann}")).await.expect(204);
        for id in [&ann, &max] {
            let erased = erase(&client, id, &json!({})).await.expect(204);
            assert_eq!((erased.text.as_str(), erased.header("content-type")), ("", ""));
            erase(&client, id, &json!({})).await.expect_error(404, "CONTACT_NOT_FOUND");
            client.get(&format!("/contacts/{id}")).await.expect_error(404, "CONTACT_NOT_FOUND");
        }
        let left = client.get("/contacts").await.expect(200);
        assert_eq!((&left.json["meta"]["total"], &left.data()[0]["id"]), (&json!(1), &json!(eve)));
        let fields = client.get("/fields").await.expect(200);
        let field = fields.data()[0]["id"].as_str().expect("an id").to_owned();
        let values = client.get(&format!("/fields/{field}/values")).await.expect(200);
        assert_eq!(values.json["meta"]["total"], 1);
        assert_ne!(created(&client, &person("ann@example.com")).await, ann);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_an_erased_contact_are_redacted_and_one_records_the_erasure() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let ann = created(&client, &person("ann@example.com")).await;
        let max = created(&client, &person("max@example.com")).await;
        let _ = erase(&client, &ann, &json!({"block": false})).await.expect(204);
        let answer = client.manage().get("/changes").await.expect(200);
        let entries: Vec<(&Value, &Value, bool)> = answer
            .data()
            .as_array()
            .expect("entries")
            .iter()
            .map(|it| (&it["type"], &it["object_id"], it["changed"] == json!([])))
            .collect();
        let (ann, max) = (json!(ann), json!(max));
        let created = json!("contact.created");
        let expected = [
            (&created, &ann, true),
            (&created, &max, false),
            (&json!("contact.erased"), &ann, true),
        ];
        assert_eq!(entries, expected);
        let erasure = &answer.data()[2];
        assert_eq!(erasure["actor"], client.made.user.to_string());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn erasing_requires_the_contacts_permission_and_a_contact_of_the_company() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        let id = created(&theirs, &person("ann@example.com")).await;
        for unknown in [&*id, "x", "01931e3a-7c00-7000-8000-000000000000"] {
            erase(&ours, unknown, &json!({})).await.expect_error(404, "CONTACT_NOT_FOUND");
        }
        let _ = theirs.get(&format!("/contacts/{id}")).await.expect(200);
        let others = Permission::ALL.into_iter().filter(|it| *it != Permission::ContactsApi);
        let options = CompanyOptions { permissions: others.collect(), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        erase(&client, &id, &json!({})).await.expect_error(403, "ACCESS_DENIED");
    })
    .await;
}
