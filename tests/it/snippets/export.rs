//! "Exporting contacts"

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

use super::front::Front;
use super::{PROGRAMS, printed, program, run};

#[path = "../../../docs/integrating/export.rs"]
mod snippet;

/// Only this much of the first answer arrives: some whole lines and a part of one.
const BYTES: u64 = 30_000;

const COUNT: usize = 400;

async fn fill(client: &Client) {
    let row =
        |n| json!({"email": format!("p{n}@example.com"), "first_name": "Ö", "last_name": "L"});
    let rows: Vec<_> = (0..COUNT).map(row).collect();
    let _ = client.post("/contacts/bulk", &json!({ "contacts": rows })).await.expect(200);
}

/// Each contact is in the output once, and no cursor.
#[track_caller]
fn assert_all(contacts: &[Value], language: &str) {
    let mut emails: Vec<_> = contacts.iter().filter_map(|it| it["email"].as_str()).collect();
    emails.sort_unstable();
    emails.dedup();
    assert_eq!((contacts.len(), emails.len()), (COUNT, COUNT), "{language}");
    let is_plain = |it: &Value| it["field_values"] == json!([]) && it.get("_cursor").is_none();
    assert!(contacts.iter().all(is_plain), "{language}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_export_continues() {
    with_hub(async |hub| {
        let client = hub.client().await;
        fill(&client).await;
        let key = &client.made.token;
        for language in PROGRAMS {
            let Some(words) = program(&format!("export.{language}")) else { continue };
            let front = Front::before(&hub.base(), BYTES).await;
            let export = || run(&words, &[], &front.base(), key, "");
            let text = printed(&tokio::task::block_in_place(export), 0);
            let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line"));
            assert_all(&lines.collect::<Vec<_>>(), language);
            assert!(front.connections() > 1, "{language}: the first answer broke off");
            let refused = || run(&words, &[], &hub.base(), "no key", "");
            assert!(!tokio::task::block_in_place(refused).status.success(), "{language}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_snippet_does_the_same() {
    with_hub(async |hub| {
        let client = hub.client().await;
        fill(&client).await;
        let front = Front::before(&hub.base(), BYTES).await;
        let mut contacts = Vec::new();
        let exported =
            snippet::export(&front.base(), &client.made.token, |it| contacts.push(it)).await;
        exported.expect("an export");
        assert_all(&contacts, "rs");
        assert!(front.connections() > 1);
        let refused = snippet::export(&hub.base(), "no key", |_| {}).await;
        assert!(refused.is_err());
    })
    .await;
}
