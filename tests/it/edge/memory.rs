//! How much one party may have in progress, and limits for every request.

use std::time::Duration;

use contact_hub::settings::ServeSettings;
use contact_hub_tests::{Browser, Client, TestHub, with_hub, with_settings};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than any of this takes, on a loaded machine too.
const SOON: Duration = Duration::from_mins(1);

/// A body may stall for longer than the test takes.
fn does_not_stall(settings: &mut ServeSettings) {
    settings.edge.stall_ms = 120_000;
}

/// Rows for a bulk of about this many MiB.
fn bulk(mebibytes: usize) -> String {
    let long = "x".repeat(5000);
    let rows = mebibytes * (1 << 20) / (200 * 80);
    let values: Value = (0..3).map(|n| (format!("field{n}"), Value::from(long.as_str()))).collect();
    let row = |n: usize| json!({"email": format!("p{n}@example.com"), "first_name": "A", "last_name": "B", "field_values": values});
    json!({"contacts": (0..rows).map(row).collect::<Vec<_>>()}).to_string()
}

async fn post(browser: &Browser, path: &str, kind: &str, body: impl Into<reqwest::Body>) -> u16 {
    let request = browser.request(Method::POST, path).header("Content-Type", kind);
    browser.send(request.header("X-CSRF-Token", browser.token()).body(body)).await.status
}

const MIB: usize = 1 << 20;

/// A bulk of this many bytes, the last of which is never sent.
async fn stalled_bulk(hub: &TestHub, token: &str, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(hub.hub.address).await.expect("a connection");
    // The service closes the connection when there is no room for this body.
    stream.write_all(bulk_head(hub, token, length).as_bytes()).await.ok();
    stream.write_all(&vec![b' '; length - 1]).await.ok();
    stream
}

fn bulk_head(hub: &TestHub, token: &str, length: usize) -> String {
    let host = hub.hub.address;
    format!(
        "POST /api/public/v1/contacts/bulk HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// Stalls bodies of a company until it has no room left for the smallest one.
async fn fill(hub: &TestHub, client: &Client) -> Vec<TcpStream> {
    let mut stalled = Vec::new();
    loop {
        assert!(stalled.len() < 100, "more than a company's share is held");
        let length = if stalled.len() < 3 { 15 * MIB } else { MIB };
        stalled.push(stalled_bulk(hub, &client.made.token, length).await);
        let probe = client.post("/contacts", &json!({})).await;
        if probe.status == 503 {
            return stalled;
        }
        probe.expect_invalid(&["email", "first_name", "last_name"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_bodies_that_fill_a_companys_share_do_not_affect_others() {
    with_settings(does_not_stall, async |hub| {
        let mut stalled = Vec::new();
        for _ in 0..2 {
            stalled.push(fill(hub, &hub.client().await).await);
        }
        let large = hub.client().await;
        let _room_for_a_large_body = large.post_text("/contacts/bulk", bulk(12)).await.expect(200);
        stalled.push(fill(hub, &large).await);
        let small = hub.client().await;
        for n in 0..20 {
            let person =
                json!({"email": format!("o{n}@example.com"), "first_name": "A", "last_name": "B"});
            let made = small.post("/contacts", &person).await.expect(201);
            let path = format!("/contacts/{}", made.data()["id"].as_str().expect("an id"));
            let _read = small.get(&path).await.expect(200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_waits_for_room_and_is_then_read() {
    let settings = |settings: &mut ServeSettings| {
        does_not_stall(settings);
        settings.workers = Some(1);
    };
    with_settings(settings, async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        let stalled = fill(hub, &client).await;
        let body =
            json!({"contacts": [{"email": "a@example.com", "first_name": "A", "last_name": "B"}]})
                .to_string();
        let mut waiting = TcpStream::connect(hub.hub.address).await.expect("a connection");
        let request = bulk_head(hub, &client.made.token, body.len()) + body.as_str();
        waiting.write_all(request.as_bytes()).await.expect("it is sent");
        // The single thread that reads requests has read the other one when it answers this one.
        let _later = other.get("/fields").await.expect(200);
        drop(stalled);
        let mut status = [0; 12];
        let read = waiting.read_exact(&mut status);
        timeout(SOON, read).await.expect("an answer in time").expect("an answer");
        assert_eq!(String::from_utf8_lossy(&status), "HTTP/1.1 200");
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_that_sends_too_much_at_once_gets_503_without_affecting_others() {
    with_settings(does_not_stall, async |hub| {
        let (greedy, other) = (hub.client().await, hub.client().await);
        for n in 0..3 {
            greedy.field(&format!("Field{n}"), "string").await;
        }
        let body = bulk(10);
        let stalled = fill(hub, &greedy).await;
        let refused = greedy.post_text("/contacts/bulk", body.clone()).await;
        let refused = refused.expect_error(503, "SERVICE_UNAVAILABLE");
        assert!(!refused.header("retry-after").is_empty());
        for n in 0..20 {
            let person =
                json!({"email": format!("o{n}@example.com"), "first_name": "A", "last_name": "B"});
            let _another_company = other.post("/contacts", &person).await.expect(201);
            let _another_company = other.get("/contacts").await.expect(200);
        }
        drop(stalled);
        let room =
            async { while greedy.post_text("/contacts/bulk", body.clone()).await.status != 200 {} };
        timeout(SOON, room).await.expect("room in time");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_size_and_number_of_fields_of_forms_are_limited() {
    with_hub(async |hub| {
        let (browser, _) = hub.browser().await;
        let form = "application/x-www-form-urlencoded";
        let token = format!("csrf_token={}&", browser.token());
        let send = async |path: &str, body: String| {
            let request = browser.request(Method::POST, path).header("Content-Type", form);
            browser.send(request.body(body)).await.status
        };
        assert_eq!(send("/fields", [token.as_str(), &"a".repeat(70_000)].concat()).await, 413);
        assert_eq!(send("/fields", [token.as_str(), &"a&".repeat(20_000)].concat()).await, 422);
        assert_eq!(
            send("/contacts/new", [token.as_str(), &"a&".repeat(500_000)].concat()).await,
            422
        );
        assert_eq!(
            send("/contacts/new", [token.as_str(), &"a".repeat(5 << 20)].concat()).await,
            413
        );
        let html = "%3C".repeat(2 << 20);
        let asset = format!("{token}name=A&type=landing_page&html={html}");
        assert_eq!(send("/assets/new", asset).await, 303, "the largest HTML fits");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_very_many_columns_is_refused() {
    with_hub(async |hub| {
        let (browser, _) = hub.browser().await;
        let preview = "/contacts/import/preview";
        assert_eq!(post(&browser, preview, "text/csv", ",".repeat(2 << 20)).await, 413);
        assert_eq!(post(&browser, preview, "text/csv", ",".repeat(1 << 19)).await, 422);
        let rows = "/contacts/import/rows?column=email&delimiter=,";
        assert_eq!(post(&browser, rows, "text/csv", ",".repeat(15 << 20)).await, 422);
        let narrow = "a@example.com,\"x,y\"\n".repeat(5);
        assert_eq!(post(&browser, preview, "text/csv", narrow).await, 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_with_very_many_merge_tags_has_a_small_page() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let tags = (0..130_000).map(|n| format!("{{{{field:f{n}}}}}"));
        let html = tags.collect::<Vec<_>>().concat();
        let html = html.get(..(2 << 20) - 100).expect("longer").to_owned();
        let asset = json!({"name": "A", "type": "landing_page", "html": html});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let page = format!("/assets/{}", asset.data()["id"].as_str().expect("an id"));
        let page = browser.get(&page).await.expect(200);
        assert!(page.text.len() < 150_000, "the page has {} bytes", page.text.len());
        assert!(
            page.text.contains("{{field:f99}}") && !page.text.contains("{{field:f100}}</code>")
        );
        assert!(page.text.contains(" more</dd>"));
        let id = asset.data()["id"].as_str().expect("an id");
        let page = browser.get(&format!("/assets/{id}/preview-as?as=braze")).await.expect(200);
        assert!(page.text.len() < 150_000, "the preview has {} bytes", page.text.len());
        assert!(
            page.text.contains(" more merge tags.")
                && page.text.contains("Only the beginning is shown.")
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn content_that_a_mapping_makes_too_long_is_refused_when_it_is_read() {
    let settings = |settings: &mut ServeSettings| settings.workers = Some(1);
    with_settings(settings, async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let mapping = json!({"email": "y".repeat(1000)});
        let integration = json!({"name": "I", "asset_types": ["landing_page"], "merge_tag_format": "marketo", "merge_tag_mapping": mapping});
        let _integration = manage.post("/integrations", &integration).await.expect(201);
        let asset = json!({"name": "A", "type": "landing_page", "html": "{{email}}".repeat(100_000)});
        let asset = manage.post("/assets", &asset).await.expect(201);
        let path = format!("/assets/{}/content", asset.data()["id"].as_str().expect("an id"));
        let _plain = client.published().get(&path).await.expect(200);
        client.published().get(&format!("{path}?platform=marketo")).await.expect_invalid(&["platform"]);
        let _other = client.published().get(&format!("{path}?platform=hubspot")).await.expect(200);
    })
    .await;
}
