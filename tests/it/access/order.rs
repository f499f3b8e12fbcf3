//! The order of checks: route, 401, 403, then body and content.

use contact_hub_tests::{Answer, CompanyOptions, with_hub};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;

use crate::support::{get, without_key};

/// Bodies that are rejected with 415, 413 and 422 if the caller has access.
fn bad_bodies() -> [(&'static str, Vec<u8>, u16); 4] {
    [
        ("text/plain", b"{}".to_vec(), 415),
        ("application/json", vec![b' '; (1 << 20) + 1], 413),
        ("application/json", b"{".to_vec(), 422),
        ("application/json", b"{}".to_vec(), 422),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_route_is_reported_before_a_missing_key() {
    with_hub(async |hub| {
        for path in ["/nothing", "/fields/", "/contacts/x/y/z"] {
            let answer = Answer::of(without_key(hub, Method::GET, path)).await;
            let _ = answer.expect_error(404, "NOT_FOUND");
        }
        let _ = get(hub, "/nothing").await.expect_error(404, "NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_is_not_allowed_is_reported_before_a_missing_key() {
    with_hub(async |hub| {
        let answer = Answer::of(without_key(hub, Method::PUT, "/fields")).await;
        let _ = answer.expect_error(405, "METHOD_NOT_ALLOWED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_key_is_reported_before_an_unknown_id() {
    with_hub(async |hub| {
        let answer = Answer::of(without_key(hub, Method::GET, "/contacts/no-id")).await;
        let _ = answer.expect_error(401, "UNAUTHENTICATED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_key_is_reported_before_a_missing_permission_and_a_bad_body() {
    with_hub(async |hub| {
        for (kind, body, _) in bad_bodies() {
            let request = without_key(hub, Method::POST, "/contacts").header(CONTENT_TYPE, kind);
            let _ = Answer::of(request.body(body)).await.expect_error(401, "UNAUTHENTICATED");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_permission_is_reported_before_a_bad_body_and_an_unknown_id() {
    with_hub(async |hub| {
        let options = CompanyOptions { permissions: Vec::new(), ..CompanyOptions::default() };
        let denied = hub.client_of(&options).await;
        let allowed = hub.client().await;
        for path in ["/contacts", "/fields"] {
            for (kind, body, status) in bad_bodies() {
                let with = |client: &contact_hub_tests::Client| {
                    let request = client.request(Method::POST, path).header(CONTENT_TYPE, kind);
                    request.body(body.clone())
                };
                let _ = Answer::of(with(&denied)).await.expect_error(403, "ACCESS_DENIED");
                let _ = Answer::of(with(&allowed)).await.expect(status);
            }
        }
        let _ = denied.get("/contacts/no-id").await.expect_error(403, "ACCESS_DENIED");
    })
    .await;
}
