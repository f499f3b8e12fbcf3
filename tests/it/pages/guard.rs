//! Access to pages, protection against other sites, and the headers of every page.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Browser, CompanyOptions, with_hub};
use reqwest::Method;
use serde_json::json;

use super::PAGES;

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test(flavor = "multi_thread")]
async fn every_page_has_headers_that_block_foreign_content() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let pages =
            PAGES.iter().copied().chain(["/sign-in", "/sign-in/x", "/nothing", "/assets/x"]);
        for path in pages {
            let page = browser.get(path).await;
            let policy = page.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
            assert!(policy.contains("frame-ancestors 'none'"), "{path}");
            assert!(!policy.contains("unsafe"), "{path}");
            assert_eq!(page.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(page.header("referrer-policy"), "same-origin", "{path}");
            assert_eq!(page.header("cache-control"), "private, no-store", "{path}");
            if page.status != 303 {
                assert!(page.header("content-type").starts_with("text/html"), "{path}");
                assert!(!page.text.contains("<script>") && !page.text.contains("style="), "{path}");
                assert!(!page.text.contains(" onclick"), "{path}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_the_sessions_token_is_refused() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let (stranger, _client) = hub.browser().await;
        let body = |token: &str| format!("name=Team&type=string{token}");
        let theirs = format!("&csrf_token={}", stranger.token());
        for token in ["", "&csrf_token=", "&csrf_token=x", theirs.as_str()] {
            let request = browser.request(Method::POST, "/fields").header("Content-Type", FORM);
            let refused = browser.send(request.body(body(token))).await.expect(403);
            assert!(refused.text.contains("Your session has changed since this page was opened"));
        }
        let own = body(&format!("&csrf_token={}", browser.token()));
        let request = browser.request(Method::POST, "/fields").header("Content-Type", FORM);
        let _ = browser.send(request.body(own)).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_from_another_site_is_refused_even_with_the_token() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let host = hub.hub.address.to_string();
        let own = format!("http://{host}");
        for (number, (headers, status)) in [
            (vec![("Origin", "https://evil.example")], 403),
            (vec![("Origin", "null")], 403),
            (vec![("Sec-Fetch-Site", "cross-site")], 403),
            (vec![("Sec-Fetch-Site", "same-site"), ("Origin", own.as_str())], 403),
            (vec![("Origin", own.as_str())], 303),
            (vec![("Sec-Fetch-Site", "same-origin"), ("Origin", own.as_str())], 303),
        ]
        .into_iter()
        .enumerate()
        {
            let body = format!("name=Field+{number}&type=string&csrf_token={}", browser.token());
            let request = browser.request(Method::POST, "/fields").header("Content-Type", FORM);
            let request =
                headers.iter().fold(request, |it, (name, value)| it.header(*name, *value));
            let answer = browser.send(request.body(body)).await;
            assert_eq!(answer.status, status, "{headers:?}");
        }
        let request = browser.request(Method::POST, "/sign-in").header("Content-Type", FORM);
        let request = request.header("Origin", "https://evil.example").body("email=a&password=b");
        let _ = browser.send(request).await.expect(403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_opened_or_read_by_a_script_and_not_a_part_of_another() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let asset = json!({"name": "A", "type": "landing_page", "html": "<p>"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let preview = format!("/assets/{}/preview", asset.data()["id"].as_str().unwrap());
        let get = async |path: &str, headers: &[(&str, &str)]| {
            let request = browser.request(Method::GET, path);
            let request =
                headers.iter().fold(request, |it, (name, value)| it.header(*name, *value));
            browser.send(request).await
        };
        let layout = "/contacts?columns=email&columns=&density=compact";
        let parts =
            ["image", "style", "font", "iframe", "object", "embed", "audio", "video", "script"];
        for path in ["/contacts/export.csv", layout, "/", "/sign-in"] {
            for part in parts {
                let refused = get(path, &[("Sec-Fetch-Dest", part)]).await.expect(403);
                assert_eq!(refused.header("set-cookie"), "", "{path} {part}");
            }
            let ahead = [("Sec-Fetch-Dest", "empty"), ("Sec-Purpose", "prefetch;prerender")];
            let _ = get(path, &ahead).await.expect(403);
        }
        let exports = "/audit?filter[action]=contacts.exported";
        let audit = client.manage().get(exports).await.expect(200);
        assert_eq!(audit.data().as_array().unwrap().len(), 0, "{}", audit.text);
        for opened in ["document", "empty"] {
            let _ = get("/contacts/export.csv", &[("Sec-Fetch-Dest", opened)]).await.expect(200);
        }
        let audit = client.manage().get(exports).await.expect(200);
        assert_eq!(audit.data().as_array().unwrap().len(), 2, "{}", audit.text);
        let _ = get(&preview, &[("Sec-Fetch-Dest", "iframe")]).await.expect(200);
        let _ = get(&preview, &[("Sec-Fetch-Dest", "image")]).await.expect(403);
        for (file, part) in [("pages.css", "style"), ("pages.js", "script"), ("icon.svg", "image")]
        {
            let _ = get(&format!("/static/{file}"), &[("Sec-Fetch-Dest", part)]).await.expect(200);
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "one journey from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn each_page_needs_its_permission() {
    with_hub(async |hub| {
        let of = |permissions: &[Permission]| CompanyOptions {
            permissions: permissions.to_vec(),
            ..CompanyOptions::default()
        };
        for (permission, allowed) in [
            (Permission::ContactsApi, vec!["/contacts", "/fields"]),
            (Permission::Publish, vec!["/assets"]),
            (Permission::DownloadEmail, vec![]),
            (
                Permission::ManageIntegrations,
                vec![
                    "/assets",
                    "/assets/new",
                    "/admin",
                    "/admin/integrations",
                    "/admin/integrations/webhooks",
                    "/admin/integrations/platforms",
                ],
            ),
        ] {
            let (browser, _client) = hub.browser_of(&of(&[permission])).await;
            for path in [
                "/contacts",
                "/fields",
                "/assets",
                "/assets/new",
                "/admin",
                "/admin/integrations",
                "/admin/integrations/webhooks",
                "/admin/integrations/platforms",
            ] {
                let page = browser.get(path).await;
                let expected = if allowed.contains(&path) { 200 } else { 403 };
                assert_eq!(page.status, expected, "{permission:?} {path}");
                let shown = page.text.contains(&format!("<li><a href=\"{path}\""))
                    || page.text.contains(&format!("<li class=\"group\"><a href=\"{path}\""));
                assert_eq!(shown, allowed.contains(&path) && path != "/assets/new", "{path}");
            }
            let _ = browser.get("/account").await.expect(200);
            let refused = browser.post("/fields", &[("name", "A"), ("type", "string")]).await;
            let expected = if allowed.contains(&"/fields") { 303 } else { 403 };
            assert_eq!(refused.status, expected);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn not_found_is_a_page_for_browsers_and_json_for_others() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let page = browser.get("/nothing").await.expect(404);
        assert!(page.header("content-type").starts_with("text/html"));
        let unknown = browser.get("/contacts/00000000-0000-7000-8000-000000000000").await;
        assert!(unknown.expect(404).text.contains("There is no contact at this address."));
        let json = contact_hub_tests::Answer::of(hub.http().get(format!("{}/nothing", hub.base())));
        let _ = json.await.expect_error(404, "NOT_FOUND");
        let _ = client.get("/contacts/x").await.expect_error(404, "CONTACT_NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn static_files_are_cached_permanently_under_versioned_addresses() {
    with_hub(async |hub| {
        let browser = Browser::new(&hub.base());
        let page = browser.get("/sign-in").await.expect(200);
        let (_, rest) = page.text.split_once("href=\"/static/pages.css?v=").unwrap();
        let version = rest.split('"').next().unwrap();
        for file in [
            "pages.css",
            "pages.js",
            "contacts.js",
            "deliveries.js",
            "live.js",
            "import.js",
            "papaparse.js",
            "codemirror.js",
            "icon.svg",
        ] {
            let file = browser.get(&format!("/static/{file}?v={version}")).await.expect(200);
            assert!(file.header("cache-control").contains("immutable"));
        }
        let editor = browser.get("/static/codemirror.js").await.expect(200);
        assert_eq!(editor.header("content-encoding"), "gzip");
        let _ = browser.get("/static/nothing.js").await.expect(404);
    })
    .await;
}
