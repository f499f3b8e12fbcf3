//! Untrusted text is escaped, and an asset's HTML stays in its frame.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::location;

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{7*7}}";

#[expect(clippy::too_many_lines, reason = "one journey from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn hostile_values_stay_text_on_every_page() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.post("/fields", &json!({"name": HOSTILE, "type": "string"})).await.expect(201);
        let fields = client.get("/fields").await.expect(200);
        let (key, field) = (&fields.data()[0]["key"], &fields.data()[0]["id"]);
        let contact = json!({"email": "a@example.com", "first_name": HOSTILE, "last_name": HOSTILE,
            "field_values": {key.as_str().unwrap(): HOSTILE}});
        let contact = client.post("/contacts", &contact).await.expect(201);
        let contact = contact.data()["id"].as_str().unwrap();
        let asset = json!({"name": HOSTILE, "type": "email", "subject": HOSTILE, "html": HOSTILE, "text": HOSTILE});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let asset = asset.data()["id"].as_str().unwrap();
        let integration = json!({"name": HOSTILE, "asset_types": ["email"], "merge_tag_format": "braze",
            "merge_tag_mapping": {"first_name": HOSTILE}});
        let integration = client.manage().post("/integrations", &integration).await.expect(201);
        let integration = integration.data()["id"].as_str().unwrap();
        let query = "/contacts?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&filter[email][contains]=%22%3E%3Cscript%3E";
        for path in [
            "/contacts",
            query,
            "/contacts/new",
            &format!("/contacts/{contact}"),
            &format!("/contacts/{contact}/edit"),
            "/fields",
            &format!("/fields/{}", field.as_str().unwrap()),
            "/assets",
            &format!("/assets/{asset}"),
            &format!("/assets/{asset}/edit"),
            &format!("/assets/{asset}/preview-as?as=braze"),
            &format!("/assets/{asset}/preview-as?as={integration}"),
            &format!("/assets/{asset}/preview-as?contact={contact}&search=a"),
            "/admin/integrations/platforms",
            "/admin/integrations/platforms/new",
            &format!("/admin/integrations/platforms/{integration}"),
            "/sign-in?next=/%22%3E%3Cscript%3E",
        ] {
            let page = browser.get(path).await;
            assert!(matches!(page.status, 200 | 303), "{path}");
            assert!(!page.text.contains("<script>") && !page.text.contains("<img"), "{path}");
        }
        let fields = [("email", HOSTILE), ("first_name", HOSTILE), ("avatar_url", HOSTILE)];
        let page = browser.post("/contacts/new", &fields).await.expect(422);
        assert!(!page.text.contains("<script>") && page.text.contains("&#60;script&#62;"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_html_of_an_asset_is_isolated_and_runs_no_scripts() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let html = "<script>top.location='https://evil.example'</script><form action=/sign-out method=post>";
        let asset = json!({"name": "A", "type": "landing_page", "html": html});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap();
        let preview = browser.get(&format!("/assets/{id}/preview")).await.expect(200);
        assert_eq!(preview.text, html);
        let policy = preview.header("content-security-policy");
        assert!(policy.starts_with("sandbox allow-same-origin; default-src 'none'"), "{policy}");
        assert!(policy.contains("form-action 'none'") && !policy.contains("script-src"));
        assert!(policy.contains("frame-ancestors 'self'"));
        assert_eq!(preview.header("x-content-type-options"), "nosniff");
        let page = browser.get(&format!("/assets/{id}")).await.expect(200);
        let sandbox = "sandbox=\"allow-same-origin\" src=\"/assets/";
        assert!(page.text.contains(sandbox) && !page.text.contains("allow-scripts"));
        let draft = browser.post("/assets/preview", &[("html", html)]).await.expect(200);
        assert_eq!((draft.text.as_str(), draft.header("content-security-policy")), (html, policy));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receivers_answer_is_shown_as_text() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::raw(|mut stream| async move {
            let _ = stream.read(&mut [0; 4096]).await;
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
            let answer = format!("{head}Content-Length: {}\r\n\r\n{HOSTILE}", HOSTILE.len());
            let _ = stream.write_all(answer.as_bytes()).await;
        })
        .await;
        let url = format!("{}?%22%3E%3Cscript%3E", receiver.url());
        let webhook = json!({"name": HOSTILE, "url": url, "events": ["syncRequested"]});
        let webhook = client.manage().post("/webhooks", &webhook).await.expect(201);
        let id = webhook.data()["id"].as_str().unwrap();
        let path = format!("/admin/integrations/webhooks/{id}");
        let tested = browser.post(&format!("{path}/test"), &[]).await.expect(303);
        for path in
            [location(&tested), &path, &format!("{path}/edit"), "/admin/integrations/webhooks"]
        {
            let page = browser.get(path).await.expect(200);
            assert!(!page.text.contains("<script>") && !page.text.contains("<img"), "{path}");
        }
        let page = browser.get(location(&tested)).await.expect(200);
        assert!(page.text.contains("&#60;script&#62;alert(1)"), "the answer is there as text");
    })
    .await;
}
