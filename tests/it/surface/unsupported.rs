//! Lists that support no filters or no sorting reject such parameters, since a complete answer would be mistaken for a
//! filtered one.

use contact_hub_tests::with_hub;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_or_sort_that_a_list_does_not_support_is_rejected() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let field = json!({"name": "Team", "type": "string"});
        let field = client.post("/fields", &field).await.expect(201);
        let values = format!("/fields/{}/values", field.data()["id"].as_str().unwrap());
        let asset = json!({"name": "Page", "type": "landing_page", "html": "<p>"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let syncs = format!("/assets/{}/syncs", asset.data()["id"].as_str().unwrap());
        let keys = format!("/users/{}/api-keys", client.made.user);
        let manage = ["/assets", &syncs, "/integrations", "/webhooks", "/users", &keys, "/changes"];
        let manage = manage.map(|path| (client.manage(), path));
        for (client, path) in manage.into_iter().chain([(client.clone(), "/fields")]) {
            for (query, key) in [
                ("filter[name]=x", "filter.name"),
                ("filter%5Bname%5D%5Bcontains%5D=x", "filter.name.contains"),
                ("filter=x", "filter"),
                ("sort[]=name", "sort.0"),
                ("sort=-name", "sort.0"),
            ] {
                let refused = client.get(&format!("{path}?{query}")).await;
                let _refused = refused.expect_invalid(&[key]);
            }
            let _ignored = client.get(&format!("{path}?search=x&name=y")).await.expect(200);
        }
        let refused = client.get(&format!("{values}?filter[value]=x")).await;
        let _refused = refused.expect_invalid(&["filter.value"]);
        for path in ["/deliveries", "/audit"] {
            let refused = client.manage().get(&format!("{path}?sort[]=at")).await;
            let _refused = refused.expect_invalid(&["sort.0"]);
        }
    })
    .await;
}
