//! "Exporting contacts"

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contact_hub_tests::{Client, Receiver, with_hub};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

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
    let _ = client.field("Size", "number").await;
    for size in ["1e400", "0.12345678901234567890123", "12.50"] {
        let person = format!(
            r#"{{"email": "s{size}@example.com", "first_name": "S", "last_name": "L", "field_values": {{"size": {size}}}}}"#
        );
        let _ = client.post_text("/contacts", person).await.expect(201);
    }
}

/// The export as the hub writes it.
async fn whole(client: &Client) -> String {
    let answer = client.request(Method::GET, "/contacts/export").send().await.expect("an answer");
    let text = answer.text().await.expect("it is whole");
    assert_eq!(text.lines().collect::<BTreeSet<_>>().len(), COUNT + 3);
    assert!(text.contains(r#""value":1e400}"#));
    text
}

/// Answers like a proxy that hides that the hub's answer broke off: the connection ends as if it were the answer's end.
/// Counts connections.
async fn hiding(text: &str) -> (Receiver, Arc<AtomicUsize>) {
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let connections = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&connections);
    let proxy = Receiver::raw(move |mut client| {
        let body = match count.fetch_add(1, Ordering::Relaxed) {
            0 => lines[0].clone() + lines[1].get(..20).expect("a part"),
            _ => lines[1..].concat(),
        };
        async move {
            assert_ne!(client.read(&mut [0; 4096]).await.expect("a request"), 0);
            let answer = format!("HTTP/1.0 200 OK\r\n\r\n{body}");
            client.write_all(answer.as_bytes()).await.ok();
        }
    });
    (proxy.await, connections)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_export_continues() {
    with_hub(async |hub| {
        let client = hub.client().await;
        fill(&client).await;
        let (key, expected) = (&client.made.token, whole(&client).await);
        for language in PROGRAMS {
            let Some(words) = program(&format!("export.{language}")) else { continue };
            let front = Front::before(&hub.base(), BYTES).await;
            let export = || run(&words, &[], &front.base(), key, "");
            let text = printed(&tokio::task::block_in_place(export), 0);
            assert_eq!(text, expected, "{language}");
            assert!(front.connections() > 1, "{language}: the first answer broke off");
            let refused = || run(&words, &[], &hub.base(), "no key", "");
            assert!(!tokio::task::block_in_place(refused).status.success(), "{language}");

            let (proxy, connections) = hiding(&expected).await;
            let base = format!("http://{}", proxy.address());
            let export = || run(&words, &[], &base, key, "");
            let text = printed(&tokio::task::block_in_place(export), 0);
            assert_eq!(text, expected, "{language}");
            assert_eq!(connections.load(Ordering::Relaxed), 2, "{language}");
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
        let (key, expected) = (&client.made.token, whole(&client).await);
        let mut text = Vec::new();
        let base = front.base();
        let exported = snippet::export(&base, key, |line| text.extend_from_slice(line));
        exported.await.expect("an export");
        assert_eq!(String::from_utf8(text).as_ref(), Ok(&expected));
        assert!(front.connections() > 1);
        let refused = snippet::export(&hub.base(), "no key", |_| {}).await;
        assert!(refused.is_err());

        let (proxy, connections) = hiding(&expected).await;
        let (base, mut text) = (format!("http://{}", proxy.address()), Vec::new());
        let exported = snippet::export(&base, key, |line| text.extend_from_slice(line));
        exported.await.expect("an export");
        assert_eq!(String::from_utf8(text), Ok(expected));
        assert_eq!(connections.load(Ordering::Relaxed), 2);
    })
    .await;
}
