//! The company is read and changed.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Answer, Client, CompanyOptions, TestHub, with_hub};
use serde_json::json;

use super::users::ID;
use crate::support::{is_timestamp, person};

async fn create_contact(hub: &TestHub, client: &Client, email: &str) -> Answer {
    let url = format!("{}/api/public/v1/contacts", hub.base());
    let request = hub.http().post(url).bearer_auth(&client.made.token);
    Answer::of(request.json(&person(email))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_company_is_read_and_changed() {
    with_hub(async |hub| {
        let allowed_domains = vec!["example.com"];
        let options = CompanyOptions { allowed_domains, ..CompanyOptions::default() };
        let client = hub.client_of(&options).await.manage();
        let other = hub.client().await.manage();
        let before = client.get("/company").await.expect(200);
        let members: Vec<&String> = before.data().as_object().expect("an object").keys().collect();
        assert_eq!(
            members,
            [
                "id",
                "name",
                "product_access",
                "allowed_domains",
                "erase_deleted_after_days",
                "requires_two_step",
                "password_sign_in",
                "created_at"
            ]
        );
        assert_eq!(before.data()["id"], client.made.company.to_string());
        assert_eq!(before.data()["allowed_domains"], json!(["example.com"]));
        assert!(is_timestamp(&before.data()["created_at"]));
        let unchanged = client.patch("/company", &json!({"id": ID})).await.expect(200);
        assert_eq!(unchanged.data(), before.data());
        let named = client.patch("/company", &json!({"name": " New "})).await.expect(200);
        assert_eq!(named.data()["name"], "New");
        assert_eq!(named.data()["allowed_domains"], json!(["example.com"]));
        let body =
            json!({"allowed_domains": ["*.B.example", "exämple.de", "b.EXAMPLE", "b.example"]});
        let changed = client.patch("/company", &body).await.expect(200);
        let all = json!(["*.b.example", "b.example", "xn--exmple-cua.de"]);
        assert_eq!(changed.data()["allowed_domains"], all);
        assert_eq!(client.get("/company").await.expect(200).data(), changed.data());
        assert_eq!(other.get("/company").await.expect(200).data()["name"], "Acme");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_invalid_member_is_named() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let wrong = json!({"name": " ", "product_access": "no", "allowed_domains": ["a.example", "no domain", 7]});
        let all = ["name", "product_access", "allowed_domains.1", "allowed_domains.2"];
        client.patch("/company", &wrong).await.expect_invalid(&all);
        let wrong = json!({"name": null, "product_access": null, "allowed_domains": null});
        let all = ["name", "product_access", "allowed_domains"];
        client.patch("/company", &wrong).await.expect_invalid(&all);
        client.patch("/company", &json!([])).await.expect_invalid(&["body"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn allowed_domains_take_effect_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let _contact = create_contact(hub, &client, "a@example.com").await.expect(201);
        let body = json!({"allowed_domains": ["other.example"]});
        let _changed = client.patch("/company", &body).await.expect(200);
        let refused = create_contact(hub, &client, "b@example.com").await;
        refused.expect_error(400, "EMAIL_DOMAIN_NOT_ALLOWED");
        let _changed = client.patch("/company", &json!({"allowed_domains": []})).await.expect(200);
        let _contact = create_contact(hub, &client, "b@example.com").await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn product_access_can_be_disabled_and_enabled_again() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let off = client.patch("/company", &json!({"product_access": false})).await.expect(200);
        assert_eq!(off.data()["product_access"], false);
        create_contact(hub, &client, "a@example.com").await.expect_error(403, "ACCESS_DENIED");
        client.get("/users").await.expect_error(403, "ACCESS_DENIED");
        assert_eq!(client.get("/company").await.expect(200).data(), off.data());
        let _on = client.patch("/company", &json!({"product_access": true})).await.expect(200);
        let _contact = create_contact(hub, &client, "a@example.com").await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_needs_the_permission_to_manage_access() {
    with_hub(async |hub| {
        let of = |permissions: Vec<Permission>| CompanyOptions {
            permissions,
            ..CompanyOptions::default()
        };
        let others = Permission::ALL.into_iter().filter(|one| *one != Permission::ManageAccess);
        let without = hub.client_of(&of(others.collect())).await.manage();
        let with = hub.client_of(&of(vec![Permission::ManageAccess])).await.manage();
        let mut stranger = with.clone();
        stranger.made.token = "none".to_owned();
        let closed = CompanyOptions { product_access: false, ..CompanyOptions::default() };
        let closed = hub.client_of(&closed).await.manage();
        for (place, answer) in every_call(&with).await.into_iter().enumerate() {
            assert!(![401, 403, 405].contains(&answer.status), "{place}: {}", answer.text);
        }
        for answer in every_call(&without).await {
            answer.expect_error(403, "ACCESS_DENIED");
        }
        for answer in every_call(&stranger).await {
            answer.expect_error(401, "UNAUTHENTICATED");
        }
        let statuses = every_call(&closed).await.into_iter().map(|answer| answer.status);
        let refused = statuses.filter(|status| *status == 403).count();
        assert_eq!(refused, 9, "all but those of the company");
    })
    .await;
}

async fn every_call(client: &Client) -> Vec<Answer> {
    let (user, nothing) = (format!("/users/{ID}"), json!({}));
    let (keys, key) = (format!("{user}/api-keys"), format!("{user}/api-keys/{ID}"));
    vec![
        client.post("/users", &nothing).await,
        client.get("/users").await,
        client.get(&user).await,
        client.patch(&user, &nothing).await,
        client.delete(&user).await,
        client.post(&keys, &nothing).await,
        client.get(&keys).await,
        client.get(&key).await,
        client.delete(&key).await,
        client.get("/company").await,
        client.patch("/company", &nothing).await,
    ]
}
