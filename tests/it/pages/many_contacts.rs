//! The list of contacts counts the matches of a search or of filters up to ten thousand.

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use crate::support::person;

const CONTACTS: usize = 10_030;

#[tokio::test(flavor = "multi_thread")]
async fn more_than_ten_thousand_matches_are_not_counted() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let rows: Vec<Value> =
            (0..CONTACTS).map(|n| person(&format!("p{n:05}@example.com"))).collect();
        for rows in rows.chunks(1000) {
            let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        }
        for (address, shown) in [
            ("/contacts", "1–25 of 10,030"),
            ("/contacts?search=p0", "1–25 of 10,000"),
            ("/contacts?search=example", "1–25 of 10,030"),
            ("/contacts?search=example+p", "1–25 of more than 10,000"),
            ("/contacts?search=example+p&page[number]=400", "9,976–10,000 of more than 10,000"),
            ("/contacts?search=example+p&page[number]=401", "10,001–10,025 of 10,030"),
            ("/contacts?search=example+p0", "1–25 of 10,000"),
            ("/contacts?search=p&filter[email][gt]=p09999@example.com", "1–25 of 30"),
        ] {
            let page = browser.get(address).await.expect(200);
            assert!(page.text.contains(shown), "{address}: {}", page.text);
        }
        let first = browser.get("/contacts?search=example+p").await.expect(200);
        let found = first.text.contains("data-found=\"more than 10,000 contacts\"");
        let position = first.text.contains("<li aria-current=\"page\">Page 1</li>");
        let next = first.text.contains("page[number]=2\" rel=\"next\"");
        assert!(found && position && next && !first.text.contains(">Last<"), "{}", first.text);
    })
    .await;
}
