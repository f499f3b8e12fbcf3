//! The permission that each call requires.

use contact_hub_domain::access::Permission::{self, DownloadEmail, ManageIntegrations, Publish};
use contact_hub_tests::{Answer, CompanyOptions, TestHub, with_hub};
use reqwest::Method;

const ID: &str = "01931e3a-7c00-7000-8000-000000000000";

/// Every call about assets, integrations and syncs, with the permission that it requires.
pub(crate) fn calls() -> Vec<(&'static str, String, Permission)> {
    let manage = |method, path: &str| {
        (method, format!("/api/manage/v1{path}").replace("{id}", ID), ManageIntegrations)
    };
    let (_, syncs, _) = manage("POST", "/assets/{id}/syncs");
    let published = format!("/api/published/v1/assets/{ID}/content");
    let status = format!("/api/published/v1/sync-status/{ID}");
    vec![
        manage("POST", "/assets"),
        manage("GET", "/assets"),
        manage("GET", "/assets/{id}"),
        manage("PATCH", "/assets/{id}"),
        manage("DELETE", "/assets/{id}"),
        manage("GET", "/assets/{id}/syncs"),
        ("POST", syncs, Publish),
        manage("POST", "/integrations"),
        manage("GET", "/integrations"),
        manage("GET", "/integrations/{id}"),
        manage("PATCH", "/integrations/{id}"),
        manage("DELETE", "/integrations/{id}"),
        ("GET", published, DownloadEmail),
        ("PATCH", status, DownloadEmail),
    ]
}

async fn call(hub: &TestHub, token: &str, method: &str, path: &str) -> Answer {
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    let request = hub.http().request(method, format!("{}{path}", hub.base()));
    Answer::of(request.bearer_auth(token)).await
}

async fn token(hub: &TestHub, permissions: Vec<Permission>, product_access: bool) -> String {
    let options = CompanyOptions { permissions, product_access, ..CompanyOptions::default() };
    hub.client_of(&options).await.made.token
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_needs_exactly_its_permission() {
    with_hub(async |hub| {
        for needed in [ManageIntegrations, Publish, DownloadEmail] {
            let others = Permission::ALL.into_iter().filter(|other| *other != needed).collect();
            let (with, without) =
                (token(hub, vec![needed], true).await, token(hub, others, true).await);
            for (method, path, _) in calls().iter().filter(|(_, _, other)| *other == needed) {
                let allowed = call(hub, &with, method, path).await;
                assert!(![401, 403, 405].contains(&allowed.status), "{method} {path}");
                let denied = call(hub, &without, method, path).await;
                denied.expect_error(403, "ACCESS_DENIED");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_needs_a_key_and_the_product_access() {
    with_hub(async |hub| {
        let closed = token(hub, Permission::ALL.to_vec(), false).await;
        for (method, path, _) in calls() {
            let denied = call(hub, &closed, method, &path).await;
            denied.expect_error(403, "ACCESS_DENIED");
            let unknown =
                call(hub, "none", method, &path).await.expect_error(401, "UNAUTHENTICATED");
            assert_eq!(unknown.header("www-authenticate"), "Bearer");
        }
    })
    .await;
}
