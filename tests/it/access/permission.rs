//! What the account and the user must have.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{CompanyOptions, with_hub};
use reqwest::Method;

use crate::support::person;
use crate::surface::CALLS;

fn with(product_access: bool, permissions: &[Permission]) -> CompanyOptions {
    CompanyOptions {
        product_access,
        permissions: permissions.to_vec(),
        ..CompanyOptions::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contacts_api_permission_is_sufficient() {
    with_hub(async |hub| {
        let client = hub.client_of(&with(true, &[Permission::ContactsApi])).await;
        let _ = client.get("/fields").await.expect(200);
        let _ = client.post("/contacts", &person("ann@example.com")).await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_needs_the_contacts_api_permission() {
    with_hub(async |hub| {
        let others: Vec<Permission> = Permission::ALL
            .into_iter()
            .filter(|permission| *permission != Permission::ContactsApi)
            .collect();
        for options in [with(true, &others), with(true, &[])] {
            let client = hub.client_of(&options).await;
            for (method, path) in CALLS {
                let method = Method::from_bytes(method.as_bytes()).unwrap();
                let answer = contact_hub_tests::Answer::of(client.request(method, path)).await;
                let _ = answer.expect_error(403, "ACCESS_DENIED");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_needs_the_product_access_of_the_account() {
    with_hub(async |hub| {
        let client = hub.client_of(&with(false, &Permission::ALL)).await;
        for (method, path) in CALLS {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let answer = contact_hub_tests::Answer::of(client.request(method, path)).await;
            let _ = answer.expect_error(403, "ACCESS_DENIED");
        }
    })
    .await;
}
