//! Lists, exports and the change feed, read to their end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use contact_hub_client::{ChangeType, ContactHub, ContactQuery, NewContact, Retries};
use contact_hub_tests::{Receiver, with_hub};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{ann, client, code, quick};
use crate::support::person;

/// Forwards connections to a hub, but closes the first one after this many bytes of the answer. Counts connections.
pub(super) async fn front(base: &str, bytes: u64) -> (Receiver, Arc<AtomicUsize>) {
    let server = base.trim_start_matches("http://").to_owned();
    let connections = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&connections);
    let front = Receiver::raw(move |client| {
        let (is_first, server) = (count.fetch_add(1, Ordering::Relaxed) == 0, server.clone());
        async move {
            let server = TcpStream::connect(&server).await.expect("the hub");
            forward(client, server, if is_first { bytes } else { u64::MAX }).await;
        }
    });
    (front.await, connections)
}

async fn forward(mut client: TcpStream, mut server: TcpStream, bytes: u64) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let request = async {
        tokio::io::copy(&mut from_client, &mut to_server).await.ok();
        std::future::pending::<()>().await;
    };
    let answer = async {
        // When the hub answers, it has finished its work.
        from_server.peek(&mut [0]).await.ok();
        tokio::io::copy(&mut (&mut from_server).take(bytes), &mut to_client).await.ok();
        to_client.shutdown().await.ok();
    };
    tokio::select! { () = request => {}, () = answer => {} }
}

async fn filled(client: &ContactHub, count: usize) {
    let rows: Vec<NewContact> = (0..count).map(|n| ann(n * 10)).collect();
    let made = client.upsert_contacts(&rows).await.expect("a result").data;
    assert_eq!(usize::try_from(made.created), Ok(count));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_returns_each_contact_once_during_concurrent_writes() {
    with_hub(async |hub| {
        let (client, _) = client(hub).await;
        filled(&client, 23).await;
        let mut contacts = client.contacts(&ContactQuery::new().sort("email").page_size(5));
        let mut met = Vec::new();
        while let Some(contact) = contacts.next().await.expect("a page") {
            // One contact is inserted before the current position, and one that was already read is deleted.
            let number = met.len() * 10 + 1;
            let before = ann(number.saturating_sub(30));
            client.upsert_contacts(&[before]).await.expect("a result");
            if met.len() % 4 == 1 {
                client.delete_contact(&contact.id).await.expect("it is deleted");
            }
            met.push(contact.email);
        }
        let original: Vec<_> = (0..23).map(|n| ann(n * 10).email).collect();
        let of_original: Vec<_> = met.iter().filter(|it| original.contains(it)).cloned().collect();
        assert_eq!(of_original, original);
        assert_eq!(met.iter().collect::<BTreeSet<_>>().len(), met.len(), "none is met twice");
        assert!(contacts.next().await.expect("the end").is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_searched_filtered_and_shown_with_values() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        filled(&client, 12).await;
        let emails = async |query: ContactQuery| {
            let (mut contacts, mut emails) = (client.contacts(&query), Vec::new());
            while let Some(contact) = contacts.next().await.expect("a page") {
                emails.push(contact.email);
            }
            emails
        };
        assert_eq!(emails(ContactQuery::new().search("lee03")).await, [ann(30).email]);
        assert_eq!(
            emails(ContactQuery::new().filter("email", ann(50).email)).await,
            [ann(50).email]
        );
        let two = ContactQuery::new().filter_by("last_name", "startsWith", "lee1").sort("-email");
        assert_eq!(emails(two).await, [ann(110).email, ann(100).email]);

        let query = ContactQuery::new().with_field_values().page_size(2);
        let page = client.list_contacts(&query, "").await.expect("a page");
        assert_eq!((page.data.len(), page.meta.per_page), (2, 2));
        let path = "/contacts?page[after]=&page[size]=2&include=field_values";
        let same = plain.get(path).await;
        assert_eq!(&serde_json::to_value(&page.data).expect("JSON"), same.data());
        let unknown = client.contacts(&ContactQuery::new().sort("age")).next().await;
        assert_eq!(code(&unknown.expect_err("it cannot be sorted by")).0, 422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_export_is_continued() {
    with_hub(async |hub| {
        let (direct, plain) = client(hub).await;
        filled(&direct, 300).await;
        let (front, connections) = front(&hub.base(), 20_001).await;
        let base = format!("http://{}", front.address());
        let client = ContactHub::new(&base, &plain.made.token).expect("a client");
        let client = client.with_retries(quick());
        let mut export = client.export(&ContactQuery::new().sort("email").search("example"));
        let mut exported = Vec::new();
        while let Some(line) = export.next().await.expect("a line") {
            exported.push(serde_json::to_value(line.contact).expect("JSON"));
        }
        assert_eq!(connections.load(Ordering::Relaxed), 2);
        let mut listed: Vec<Value> = Vec::new();
        for number in 1..=3 {
            let path = "/contacts?sort[]=email&include=field_values&page[size]=100";
            let page = plain.get(&format!("{path}&page[number]={number}")).await;
            listed.extend(page.data().as_array().expect("contacts").clone());
        }
        assert_eq!(exported, listed);

        let mut empty = client.export(&ContactQuery::new().search("nobody"));
        assert!(empty.next().await.expect("the end").is_none());
        let query = ContactQuery::new().sort("age");
        let unknown = client.export(&query).next().await.expect_err("it cannot be sorted by");
        assert_eq!(code(&unknown).0, 422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_change_feed_is_followed() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        client.create_contact(&ann(1)).await.expect("a contact");
        let latest = client.list_changes(Some("latest")).await.expect("the end of the feed");
        assert!(latest.data.is_empty());
        let timeout = Duration::from_secs(1);
        let hurried = client.clone().with_retries(Retries::never()).with_timeout(timeout);
        let mut changes = hurried.changes(Some(&latest.meta.next));
        // The call is held until there is a change, in addition to the time for an answer.
        let write = async {
            tokio::time::sleep(timeout * 2).await;
            let made = plain.post("/contacts", &person("eve@example.com")).await.expect(201);
            made.data()["id"].as_str().expect("an id").to_owned()
        };
        let (page, id) = tokio::join!(changes.next(), write);
        let page = page.expect("a page");
        assert_eq!((&page[0].r#type, &page[0].object_id), (&ChangeType::ContactCreated, &id));
        let path = format!("/changes?after={}", latest.meta.next);
        let same = plain.manage().get(&path).await;
        assert_eq!(&serde_json::to_value(&page).expect("JSON"), same.data());
        assert_eq!(changes.cursor(), same.json["meta"]["next"].as_str());
    })
    .await;
}
