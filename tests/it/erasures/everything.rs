//! `GET /contacts/{id}/everything`

use contact_hub_tests::{Answer, Client, with_hub};
use serde_json::json;

use super::sample::erase;
use crate::support::{created, person_with_values, read};

async fn everything(client: &Client, id: &str) -> Answer {
    client.manage().get(&format!("/contacts/{id}/everything")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_has_the_contact_even_if_deleted_and_its_entries() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let key = client.field("Size", "number").await;
        let body = |email| person_with_values(email, &json!({&*key: 7}));
        let id = created(&client, &body("ann@example.com")).await;
        let _other = created(&client, &body("max@example.com")).await;
        let detail = read(&client, &id).await.data().clone();
        let known = everything(&client, &id).await.expect(200);
        assert_eq!(known.header("cache-control"), "private, no-store");
        assert_eq!(known.data()["contact"], detail);
        assert_eq!(known.data()["deliveries"], json!([]));
        let audit = known.data()["audit"].as_array().expect("a list");
        let shown: Vec<_> = audit.iter().map(|it| (&it["action"], &it["object"])).collect();
        assert_eq!(shown, [(&json!("contact.exported"), &json!(id))]);
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let known = everything(&client, &id).await.expect(200);
        assert_eq!(known.data()["contact"], detail);
        let feed = client.manage().get("/changes").await.expect(200);
        let entries = feed.data().as_array().expect("entries").iter();
        let own: Vec<_> = entries.filter(|it| it["object_id"] == *id).cloned().collect();
        assert_eq!((own.len(), &known.data()["changes"]), (2, &json!(own)));
        let stranger = hub.client().await;
        everything(&stranger, &id).await.expect_error(404, "CONTACT_NOT_FOUND");
        let _ = erase(&client, &id, &json!({})).await.expect(204);
        everything(&client, &id).await.expect_error(404, "CONTACT_NOT_FOUND");
    })
    .await;
}
