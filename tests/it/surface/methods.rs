//! Which methods a path accepts, and unknown paths.

use contact_hub_tests::{Answer, TestHub, with_hub};
use reqwest::Method;
use serde_json::json;

use super::{BASE, CALLS, addresses};
use crate::support::{created, exchange, get, person, without_key};

async fn call(hub: &TestHub, method: &str, path: &str) -> Answer {
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    Answer::of(hub.http().request(method, format!("{}{path}", hub.base()))).await
}

fn allowed(answer: &Answer) -> Vec<&str> {
    let mut methods: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
    methods.sort_unstable();
    methods
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_needs_a_key() {
    with_hub(async |hub| {
        for (method, path) in CALLS {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let answer = Answer::of(without_key(hub, method, path)).await;
            let answer = answer.expect_error(401, "UNAUTHENTICATED");
            assert_eq!(answer.header("www-authenticate"), "Bearer", "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_returns_the_allowed_methods_before_authentication() {
    with_hub(async |hub| {
        for (path, methods) in addresses() {
            let answer = call(hub, "OPTIONS", &path).await.expect(204);
            assert_eq!(allowed(&answer), methods, "{path}");
            assert_eq!(answer.text, "");
            assert!(answer.headers.get("content-type").is_none(), "{path}");
            assert!(!answer.header("x-request-id").is_empty(), "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_other_method_is_405_with_the_allowed_methods() {
    with_hub(async |hub| {
        for (path, methods) in addresses() {
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
                if !methods.contains(&method) {
                    let answer = call(hub, method, &path).await;
                    let answer = answer.expect_error(405, "METHOD_NOT_ALLOWED");
                    assert_eq!(allowed(&answer), methods, "{method} {path}");
                }
            }
        }
    })
    .await;
}

/// The header lines of an answer except its date, and the bytes after them.
async fn raw(hub: &TestHub, method: &str, path: &str, token: &str) -> (Vec<String>, String) {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\
         X-Request-Id: same\r\nConnection: close\r\n\r\n"
    );
    let answer = exchange(hub.hub.address, head.as_bytes()).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let lines = head.lines().filter(|line| !line.to_lowercase().starts_with("date:"));
    let mut lines: Vec<String> = lines.map(str::to_lowercase).collect();
    lines[1..].sort();
    (lines, body.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_get_without_the_body() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let body = json!({"name": "Team", "type": "string"});
        let field = client.post("/fields", &body).await.expect(201);
        let field = field.data()["id"].as_str().unwrap().to_owned();
        let open = ["/health/live", "/openapi.json", "/openapi-3.0.json", "/docs"];
        let mut paths = open.map(str::to_owned).to_vec();
        let of_contacts = [
            "/fields".to_owned(),
            format!("/fields/{field}/values"),
            "/fields/no-id/values".to_owned(),
            "/contacts".to_owned(),
            "/contacts?page[size]=0".to_owned(),
            "/contacts?filter=x".to_owned(),
            format!("/contacts/{id}"),
            "/contacts/no-id".to_owned(),
            format!("/contacts/{id}/field-values"),
        ];
        paths.extend(of_contacts.map(|path| format!("{BASE}{path}")));
        for path in paths {
            let (get_head, get_body) = raw(hub, "GET", &path, &client.made.token).await;
            let (head, body) = raw(hub, "HEAD", &path, &client.made.token).await;
            assert_eq!(head, get_head, "{path}");
            assert_eq!(body, "");
            assert_ne!(get_body, "");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_405_where_get_is() {
    with_hub(async |hub| {
        for path in ["/contacts/bulk", "/contacts/bulk-delete"] {
            let answer = call(hub, "HEAD", &format!("{BASE}{path}")).await.expect(405);
            assert!(!answer.header("allow").contains("HEAD"));
            assert_eq!(answer.text, "");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn head_needs_a_key_as_get_does() {
    with_hub(async |hub| {
        let answer = Answer::of(without_key(hub, Method::HEAD, "/fields")).await.expect(401);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let _ = call(hub, "HEAD", "/health/live").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_path_is_404_in_the_envelope() {
    with_hub(async |hub| {
        for path in [
            "/nothing",
            "/api",
            "/api/public",
            "/api/public/v1",
            "/api/public/v2/fields",
            "/api/public/v1/field",
            "/api/public/v1/Fields",
            "/API/public/v1/fields",
            "/api/public/v1/contacts/x/y",
            "/api/public/v1/fields/x/y",
            "/health",
            "/%00",
            "/..%2f..%2fetc/passwd",
            "/api/public/v1/contacts/x%2Fy/z",
        ] {
            for method in ["GET", "POST", "OPTIONS"] {
                let answer = call(hub, method, path).await;
                assert_eq!(answer.status, 404, "{method} {path}");
                let answer = answer.expect_error(404, "NOT_FOUND");
                assert!(!answer.header("x-request-id").is_empty());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trailing_or_doubled_slash_is_404() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (path, _) in addresses() {
            for other in [format!("{path}/"), format!("/{path}"), path.replacen("/v1/", "/v1//", 1)]
            {
                if other != path {
                    let request = hub.http().get(format!("{}{other}", hub.base()));
                    let answer = Answer::of(request.bearer_auth(&client.made.token)).await;
                    assert_eq!(answer.status, 404, "{other}");
                    let _ = answer.expect_error(404, "NOT_FOUND");
                }
            }
        }
        let answer = get(hub, "//health/live").await;
        let _ = answer.expect_error(404, "NOT_FOUND");
        let _ = client.get("/contacts/").await.expect_error(404, "NOT_FOUND");
        let _ = client.get("/contacts//field-values").await.expect_error(404, "NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_opens_the_address_of_a_form_gets_a_page() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        for path in ["/account/password", "/contacts/views", "/sign-out"] {
            let page = browser.get(path).await.expect(405);
            assert!(page.text.contains("This address only receives a form"), "{}", page.text);
            assert_eq!(allowed(&page), ["OPTIONS", "POST"]);
            let _ = call(hub, "GET", path).await.expect_error(405, "METHOD_NOT_ALLOWED");
        }
    })
    .await;
}
