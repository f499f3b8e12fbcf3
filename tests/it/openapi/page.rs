//! The interactive page.

use contact_hub_tests::{Answer, TestHub, with_hub};
use reqwest::Method;

const GUIDE: &str = include_str!("../../../docs/integrating.md");

async fn call(hub: &TestHub, method: Method, path: &str) -> Answer {
    Answer::of(hub.http().request(method, format!("{}{path}", hub.base()))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_and_its_files_are_served_without_a_key() {
    with_hub(async |hub| {
        let page = call(hub, Method::GET, "/docs").await.expect(200);
        assert!(page.header("content-type").starts_with("text/html"));
        let files = page.text.split('"').filter(|part| part.starts_with("/docs/"));
        let files: Vec<&str> = files.collect();
        assert!(files.len() >= 3, "{}", page.text);
        for file in files {
            let answer = call(hub, Method::GET, file).await.expect(200);
            assert!(!answer.text.is_empty(), "{file}");
            let is_compressed = answer.header("content-encoding") == "gzip";
            assert_eq!(is_compressed, file.contains("swagger-ui"), "{file}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_is_served_and_has_every_section() {
    with_hub(async |hub| {
        let page = call(hub, Method::GET, "/docs/guide").await.expect(200);
        assert!(page.text.contains("<h1>Integrating a custom platform</h1>"));
        let sections = GUIDE.lines().filter_map(|line| line.strip_prefix("## "));
        for section in sections {
            assert!(page.text.contains(&format!(">{section}</h2>")), "{section}");
        }
        assert!(!page.text.contains("href=\"../"), "a link to a file that is not served");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self';"), "{policy}");
        assert!(page.text.len() < 150_000, "{}", page.text.len());
        let (browser, _client) = hub.browser().await;
        for path in ["/docs", "/docs/guide"] {
            let page = browser.get(path).await.expect(200);
            assert!(page.text.contains("aria-label=\"Sections\""), "{path} has no navigation");
            // It has the person's email and the token of the session.
            assert_eq!(page.header("cache-control"), "private, no-store", "{path}");
            assert_eq!(page.header("referrer-policy"), "same-origin", "{path}");
            assert_eq!(page.header("cross-origin-opener-policy"), "same-origin", "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_nothing_from_other_hosts() {
    with_hub(async |hub| {
        let page = call(hub, Method::GET, "/docs").await.expect(200);
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!page.text.contains("<script>") && !page.text.contains("http"), "{}", page.text);
        let start = call(hub, Method::GET, "/docs/reference.js").await.expect(200);
        assert!(start.text.contains("url: \"/openapi.json\""), "{}", start.text);
        assert!(start.text.contains("validatorUrl: \"none\""), "{}", start.text);
        assert!(!start.text.contains("http"), "{}", start.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_has_an_etag_and_is_not_sent_again_if_it_matches() {
    with_hub(async |hub| {
        let first = call(hub, Method::GET, "/openapi.json").await.expect(200);
        let again = call(hub, Method::GET, "/openapi.json").await.expect(200);
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.len() > 2, "{tag}");
        assert_eq!((again.header("etag"), &again.text), (tag.as_str(), &first.text));
        assert_eq!(first.header("content-type"), "application/json");
        assert_eq!(first.header("cache-control"), "no-cache");
        let ask = async |known: &str| {
            let request = hub.http().get(format!("{}/openapi.json", hub.base()));
            Answer::of(request.header("If-None-Match", known)).await
        };
        for known in [tag.as_str(), "*", &format!("\"x\", W/{tag}")] {
            let unseen = ask(known).await.expect(304);
            assert_eq!((unseen.text.as_str(), unseen.header("etag")), ("", tag.as_str()));
        }
        assert_eq!(ask("\"other\"").await.expect(200).text, first.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_and_the_document_can_only_be_read() {
    with_hub(async |hub| {
        for path in ["/docs", "/docs/guide", "/docs/swagger-ui.css", "/openapi.json"] {
            let head = call(hub, Method::HEAD, path).await.expect(200);
            assert!(head.text.is_empty(), "{path}");
            let answer = call(hub, Method::POST, path).await;
            let answer = answer.expect_error(405, "METHOD_NOT_ALLOWED");
            assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS", "{path}");
        }
        for path in [
            "/docs/",
            "/docs/nothing.js",
            "/docs/index.html",
            "/docs/..%2fx",
            "/openapi.json/",
            "/openapi",
        ] {
            call(hub, Method::GET, path).await.expect_error(404, "NOT_FOUND");
        }
    })
    .await;
}
