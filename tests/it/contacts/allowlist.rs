//! `POST /contacts` for a company with allowed domains, and the order of errors.

use contact_hub_tests::{CompanyOptions, with_hub};
use serde_json::json;

use crate::support::person;

fn limited(domains: &[&'static str]) -> CompanyOptions {
    CompanyOptions { allowed_domains: domains.to_vec(), ..CompanyOptions::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_without_an_allowlist_accepts_every_domain() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for email in ["a@example.com", "a@b.c.d.example", "a@exämple.de"] {
            let _ = client.post("/contacts", &person(email)).await.expect(201);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exact_domains_and_wildcard_subdomains_are_allowed() {
    with_hub(async |hub| {
        let options = limited(&["Example.com", "*.Sub.example", "exämple.de"]);
        let client = hub.client_of(&options).await;
        for email in [
            "a@example.com",
            "b@EXAMPLE.COM",
            "a@x.sub.example",
            "a@x.y.SUB.example",
            "a@exämple.de",
            "b@xn--exmple-cua.de",
            "c@EXÄMPLE.de",
        ] {
            let _ = client.post("/contacts", &person(email)).await.expect(201);
        }
        for email in [
            "a@sub.example",
            "a@xsub.example",
            "a@evil-sub.example",
            "a@mail.example.com",
            "a@example.com.evil.example",
            "a@notexample.com",
            "a@example.org",
            "example.com@evil.example",
        ] {
            let answer = client.post("/contacts", &person(email)).await;
            let _ = answer.expect_error(400, "EMAIL_DOMAIN_NOT_ALLOWED");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_allowlist_is_checked_wherever_an_email_is_accepted() {
    with_hub(async |hub| {
        let client = hub.client_of(&limited(&["example.com"])).await;
        let kept = crate::support::created(&client, &person("ann@example.com")).await;
        let gone = crate::support::created(&client, &person("bob@example.com")).await;
        let _ = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let set = "UPDATE companies SET allowed_domains = '[\"other.example\"]'";
        crate::support::execute(&hub.database, set);
        crate::support::until(std::time::Duration::from_secs(5), async || {
            client.post("/contacts", &person("bob@example.com")).await.status == 400
        })
        .await;
        let rows: Vec<_> =
            ["ann@example.com", "bob@example.com", "new@example.com", "x@other.example"]
                .map(person)
                .into();
        let bulk = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        assert_eq!((&bulk.data()["created"], &bulk.data()["failed"]), (&json!(1), &json!(3)));
        for error in bulk.data()["errors"].as_array().unwrap() {
            assert_eq!(error["details"].as_object().unwrap().keys().collect::<Vec<_>>(), ["email"]);
        }
        let _still_read = client.get(&format!("/contacts/{kept}")).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_to_a_domain_that_is_not_allowed_is_refused() {
    with_hub(async |hub| {
        let client = hub.client_of(&limited(&["example.com"])).await;
        let id = crate::support::created(&client, &person("ann@example.com")).await;
        let path = format!("/contacts/{id}");
        for email in ["ann@other.example", "ann@sub.example.com"] {
            let refused = client.patch(&path, &json!({"email": email})).await;
            refused.expect_error(400, "EMAIL_DOMAIN_NOT_ALLOWED");
        }
        let _taken = client.patch(&path, &json!({"email": "a@EXAMPLE.com"})).await.expect(200);
        let unknown = json!({"email": "ann@other.example", "first_name": ""});
        client.patch(&path, &unknown).await.expect_invalid(&["first_name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_request_is_reported_before_a_domain_that_is_not_allowed() {
    with_hub(async |hub| {
        let client = hub.client_of(&limited(&["example.com"])).await;
        let mut body = person("a@other.example");
        body["first_name"] = json!("");
        client.post("/contacts", &body).await.expect_invalid(&["first_name"]);
        body = person("a@other.example");
        body["field_values"] = json!({"x": 1});
        client.post("/contacts", &body).await.expect_invalid(&["field_values.x"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_request_is_reported_before_a_taken_email() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        let mut body = person("ann@example.com");
        body["avatar_url"] = json!("x");
        client.post("/contacts", &body).await.expect_invalid(&["avatar_url"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_that_is_not_allowed_is_reported_before_a_taken_email() {
    with_hub(async |hub| {
        let client = hub.client_of(&limited(&["example.com"])).await;
        let _ = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        crate::support::execute(
            &hub.database,
            "UPDATE companies SET allowed_domains = '[\"other.example\"]'",
        );
        let shown = crate::support::until(std::time::Duration::from_secs(5), async || {
            client.post("/contacts", &person("ann@example.com")).await.status == 400
        });
        shown.await;
    })
    .await;
}
