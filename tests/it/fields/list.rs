//! `GET /fields`

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_company_without_fields_has_an_empty_list() {
    with_hub(async |hub| {
        let listed = hub.client().await.get("/fields").await.expect(200);
        assert_eq!(listed.json, json!({"data": []}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_all_fields_in_the_order_of_their_creation_without_meta() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut created = Vec::new();
        for n in (0..120).rev() {
            let body = json!({"name": format!("Field {n}"), "type": "number"});
            created.push(client.post("/fields", &body).await.expect(201).data().clone());
        }
        let listed = client.get("/fields").await.expect(200);
        assert_eq!(listed.json, json!({"data": created}));
        assert_eq!(listed.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_query_parameters_are_ignored() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("One", "string").await;
        client.field("Two", "string").await;
        let plain = client.get("/fields").await.expect(200);
        let asked = client.get("/fields?page[size]=1&filters[x]=y&%zz=1&&=").await.expect(200);
        assert_eq!(asked.json, plain.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_one_company_share_a_directory() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("One", "string").await;
        client.field("Two", "string").await;
        let listed = client.get("/fields").await.expect(200);
        let directories: Vec<&Value> =
            listed.data().as_array().unwrap().iter().map(|field| &field["directory_id"]).collect();
        assert_eq!(directories[0], directories[1]);
    })
    .await;
}
