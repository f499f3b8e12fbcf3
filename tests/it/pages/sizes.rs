//! No page grows with the data of a company: each stays small with the maximum number and length of everything.

use contact_hub_domain::access::{KeyDraft, create_key};
use contact_hub_domain::input::Input;
use contact_hub_domain::overview::{KeyDay, OverviewStore as _, Period};
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{Browser, Client, Receiver, TestHub, with_hub};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{DEADLINE, location};
use crate::support::until;

/// The maximum number of bytes of a page.
const MAX_PAGE: usize = 150_000;

const FIELDS: usize = 1000;

/// A text of exactly this many characters that begins with a number.
fn long(n: usize, length: usize) -> String {
    let text = format!("{n:04} {}", "lorem ipsum <dolor> ".repeat(length / 20 + 1));
    text.chars().take(length - 1).chain(['x']).collect()
}

/// Creates as many fields as a company may have, with the longest names; returns their keys.
async fn fields(client: &Client) -> Vec<String> {
    let mut keys = Vec::with_capacity(FIELDS);
    for n in 0..FIELDS {
        keys.push(client.field(&long(n, 255), "string").await);
    }
    keys
}

async fn bulk(client: &Client, rows: &[Value]) {
    let answer = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
    assert_eq!(answer.data()["failed"], 0, "{}", answer.text);
}

/// A full page of contacts with the longest names, each with a long value of the first field, and one with a long value
/// of every field, whose id is returned.
async fn contacts(client: &Client, keys: &[String]) -> String {
    let domain = format!("{}.{}.example.com", "d".repeat(63), "e".repeat(63));
    let row = |n: usize| {
        let email = format!("p{n:03}{}@{domain}", "x".repeat(254 - 4 - 1 - domain.len()));
        json!({"email": email, "first_name": long(n, 255), "last_name": long(n, 255),
            "field_values": {&keys[0]: long(n, 5000)}})
    };
    bulk(client, &(0..100).map(row).collect::<Vec<_>>()).await;
    let values: Value = keys.iter().map(|key| (key.clone(), long(1, 5000))).collect();
    let full = json!({"email": "full@example.com", "first_name": "Ann", "last_name": "Lee", "field_values": values});
    bulk(client, &[full]).await;
    let found = client.get("/contacts?filter[email]=full@example.com").await.expect(200);
    found.data()[0]["id"].as_str().unwrap().to_owned()
}

/// A full page of assets with the longest names and plain texts; the id of one.
async fn assets(client: &Client) -> String {
    let html = format!("<p>{}</p>", "lorem ipsum &amp; ".repeat(110_000));
    let mut id = String::new();
    for n in 0..25 {
        let html = if n == 0 { html.as_str() } else { "x" };
        let asset = json!({"name": long(n, 255), "type": "landing_page", "html": html});
        let made = client.manage().post("/assets", &asset).await.expect(201);
        if n == 0 {
            made.data()["id"].as_str().unwrap().clone_into(&mut id);
        }
    }
    id
}

/// A delivery that was sent often to a receiver that answers at length; its page.
async fn delivery(browser: &Browser, client: &Client) -> String {
    let answer = "<p class=\"x\">lorem ipsum</p> ".repeat(1000);
    let receiver = Receiver::raw(move |mut stream| {
        let answer = answer.clone();
        async move {
            let _ = stream.read(&mut [0; 4096]).await;
            let head = format!("HTTP/1.1 500 No\r\nContent-Length: {}\r\n\r\n", answer.len());
            let _ = stream.write_all(format!("{head}{answer}").as_bytes()).await;
        }
    })
    .await;
    let webhook = json!({"name": "Hook", "url": receiver.url(), "events": ["syncRequested"]});
    let webhook = client.manage().post("/webhooks", &webhook).await.expect(201);
    let test =
        format!("/admin/integrations/webhooks/{}/test", webhook.data()["id"].as_str().unwrap());
    let page = location(&browser.post(&test, &[]).await.expect(303)).to_owned();
    for number in 2..=30 {
        let _ = browser.post(&format!("{page}/resend"), &[]).await.expect(303);
        let heading = format!(">Attempt {number} ");
        until(DEADLINE, async || browser.get(&page).await.expect(200).text.contains(&heading))
            .await;
    }
    page
}

/// As many keys as a user may have, with the longest names, each used often on each of the last 30 days.
async fn keys_of_user(hub: &TestHub, client: &Client) {
    let days = Period::Month.starts(hub.clock.now());
    for n in 0..99 {
        let draft = KeyDraft { name: Input::Text(long(n, 255)).into(), ..KeyDraft::default() };
        let made =
            create_key(&hub.hub.ports.access, None, client.made.user, &draft).await.expect("a key");
        let of_day = |(day, calls)| (client.made.company, KeyDay { key: made.key.id, day, calls });
        let used = days.iter().copied().zip(1_000_000..).map(of_day);
        hub.hub.storage.record_key_days(used.collect()).await.expect("recorded");
    }
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn no_page_grows_with_the_data_of_a_company() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let keys = fields(&client).await;
        let contact = contacts(&client, &keys).await;
        let asset = assets(&client).await;
        let delivery = delivery(&browser, &client).await;
        keys_of_user(hub, &client).await;
        let user = client.made.user;
        let field = first_field(&client).await;
        for (path, shows) in [
            ("/", "Set up: 3 of 5 steps done"),
            ("/contacts?page[size]=100", "1–100 of 101"),
            ("/contacts?page[size]=100&layout=first_name.last_name.created_at.updated_at.field:0.field:1.field:2.field:3", "1–100 of 101"),
            ("/contacts/new", "950 more fields"),
            (&format!("/contacts/{contact}"), "1–50 of 1,000"),
            (&format!("/contacts/{contact}?page[number]=20"), "951–1,000 of 1,000"),
            (&format!("/contacts/{contact}?events=all"), "1–50 of 1,000"),
            (&format!("/contacts/{contact}/edit"), "1–50 of 1,000"),
            (&format!("/contacts/{contact}/edit?page[number]=20"), "951–1,000 of 1,000"),
            (&format!("/contacts/{contact}/edit?field={}", keys[7]), "</textarea>"),
            ("/contacts/import", "value=\"field:999\""),
            ("/fields", "1–50 of 1,000"),
            ("/fields?page[number]=20", "951–1,000 of 1,000"),
            (&format!("/fields/{field}?page[size]=100"), "1–100 of 100"),
            ("/account/api-access?page[size]=100", "30,000,435 calls"),
            ("/admin/company/keys?page[size]=100", "30,000,435 calls"),
            (&format!("/admin/company/users/{user}?page[size]=100"), "30,000,435 calls"),
            ("/assets", "1–25 of 25"),
            ("/assets/new", "Unsubscribe address"),
            (&format!("/assets/{asset}"), "Only the beginning is shown."),
            (&format!("/assets/{asset}/preview-as?as=braze"), "Differences"),
            (&delivery, "5 earlier attempts are not shown."),
            (&format!("{delivery}?attempt=7"), "Show all of attempt 30"),
            ("/admin/integrations/webhooks/deliveries", "Exhausted"),
            ("/admin/integrations/platforms/new", "Connect"),
        ] {
            let page = browser.get(path).await.expect(200);
            assert!(page.text.contains(shows), "{path} does not show {shows}");
            assert!(page.text.len() <= MAX_PAGE, "{path} has {} bytes", page.text.len());
        }
        preview_is_small(&browser, &keys).await;
    })
    .await;
}

async fn first_field(client: &Client) -> String {
    client.get("/fields").await.expect(200).data()[0]["id"].as_str().unwrap().to_owned()
}

/// The preview of a file that was exported, with a column for every field.
async fn preview_is_small(browser: &Browser, keys: &[String]) {
    let cells = vec![long(1, 100); keys.len()].join(",");
    let rows = format!("a@example.com,Ann,Lee,,{cells}\n").repeat(5);
    let csv = format!("email,first_name,last_name,avatar_url,{}\n{rows}", keys.join(","));
    let request = browser.request(Method::POST, "/contacts/import/preview");
    let request =
        request.header("Content-Type", "text/csv").header("X-CSRF-Token", browser.token());
    let preview = browser.send(request.body(csv)).await.expect(200);
    assert!(preview.text.contains("data-guess=\"field:999\""));
    assert!(preview.text.len() <= MAX_PAGE, "the preview has {} bytes", preview.text.len());
}
