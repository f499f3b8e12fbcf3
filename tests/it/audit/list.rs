//! Reading the audit.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Answer, CompanyOptions, with_hub};
use serde_json::{Value, json};

use super::sample::audit;
use crate::support::{created, person};

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_read_page_by_page() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..5 {
            let _ = client.field(&format!("Field {n}"), "date").await;
        }
        let whole = audit(&client, "page[size]=100").await;
        let (mut found, mut after) = (Vec::new(), String::new());
        loop {
            let path = format!("/audit?page[size]=2&page[after]={after}");
            let page = client.manage().get(&path).await.expect(200);
            assert_eq!(page.json["meta"]["per_page"], 2);
            found.extend(page.data().as_array().expect("a list").clone());
            match &page.json["meta"]["next"] {
                Value::Null => break,
                next => after = next.as_str().expect("a cursor").to_owned(),
            }
        }
        assert_eq!(found, whole);
        assert!(whole.len() >= 5);
        assert!(audit(&hub.client().await, "filter[action]=field.created").await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_filtered_by_actor_action_object_and_time() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.field("Size", "date").await;
        let id = created(&client, &person("ann@example.com")).await;
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let me = client.made.user;
        let count = async |query: &str| audit(&client, query).await.len();
        assert_eq!(count(&format!("filter[object]={id}")).await, 1);
        assert_eq!(count("filter[action]=contact.deleted").await, 1);
        assert_eq!(count(&format!("filter[actor]={me}")).await, 2);
        assert_eq!(count(&format!("filter[actor]={id}")).await, 0);
        assert_eq!(count(&format!("filter[actor]={me}&filter[action]=field.created")).await, 1);
        assert_eq!(count(&format!("filter[actor]={me}&filter[at][between]=2020-01-01,")).await, 2);
        assert_eq!(count("filter[at][between]=2020-01-01,2020-02-01").await, 0);
        for (query, path) in [
            ("filter[action]=x", "filter.action"),
            ("filter[at]=2020-01-01", "filter.at"),
            ("filter[company]=x", "filter.company"),
            ("page[after]=x", "page.after"),
            ("page[size]=0", "page.size"),
        ] {
            client.manage().get(&format!("/audit?{query}")).await.expect_invalid(&[path]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_requires_the_permission_to_manage_access() {
    with_hub(async |hub| {
        let others = Permission::ALL.into_iter().filter(|it| *it != Permission::ManageAccess);
        let options = CompanyOptions { permissions: others.collect(), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await.manage();
        client.get("/audit").await.expect_error(403, "ACCESS_DENIED");
        let answer = Answer::of(hub.http().get(client.url("/audit"))).await;
        answer.expect_error(401, "UNAUTHENTICATED");
        let answer = client.post("/audit", &json!({})).await;
        answer.expect_error(405, "METHOD_NOT_ALLOWED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_entries_are_deleted() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.field("Size", "date").await;
        let expiry = hub.hub.storage.expiry();
        let now = hub.hub.ports.environment.clock.now();
        assert_eq!(expiry.delete_audit(now.plus_seconds(-3600)).await.expect("it deletes"), 0);
        assert!(expiry.delete_audit(now.plus_seconds(60)).await.expect("it deletes") > 0);
        assert!(audit(&client, "").await.is_empty());
        let _ = client.field("Weight", "date").await;
        assert_eq!(audit(&client, "").await.len(), 1);
    })
    .await;
}
