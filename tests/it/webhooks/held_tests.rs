//! Tests of webhooks whose receivers take their time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use contact_hub_domain::webhooks::MAX_TESTS_OF_COMPANY;
use contact_hub_tests::{Answer, Client, Receiver, with_hub};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::outbox::{created, webhook_with};
use crate::support::until;

/// A receiver whose responses a test holds back.
struct Held {
    receiver: Receiver,
    asked: Arc<AtomicUsize>,
    release: watch::Sender<bool>,
}

impl Held {
    async fn start() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let (release, released) = watch::channel(false);
        let counted = Arc::clone(&asked);
        let receiver =
            Receiver::raw(move |stream| answer(stream, Arc::clone(&counted), released.clone()));
        Self { receiver: receiver.await, asked, release }
    }

    async fn until_asked(&self, times: usize) {
        let asked = async || self.asked.load(Ordering::Relaxed) >= times;
        until(Duration::from_secs(10), asked).await;
    }
}

async fn answer(
    mut stream: TcpStream,
    asked: Arc<AtomicUsize>,
    mut released: watch::Receiver<bool>,
) {
    let mut request = vec![0; 64 << 10];
    let read = stream.read(&mut request).await.expect("a request");
    assert!(read > 0);
    asked.fetch_add(1, Ordering::Relaxed);
    released.wait_for(|released| *released).await.expect("it is released");
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    stream.write_all(answer).await.expect("it is sent");
}

fn tested(client: &Client, webhook: &str) -> JoinHandle<Answer> {
    let (client, path) = (client.clone(), format!("{webhook}/test"));
    tokio::spawn(async move { client.trigger(&path).await })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_runs_few_tests_at_once_and_leaves_places_for_others() {
    with_hub(async |hub| {
        let (client, other) = (hub.client().await.manage(), hub.client().await.manage());
        let held = Held::start().await;
        let body = webhook_with("url", held.receiver.url());
        let webhook = created(&client, &body).await;
        let running: Vec<_> =
            (0..MAX_TESTS_OF_COMPANY).map(|_| tested(&client, &webhook)).collect();
        held.until_asked(MAX_TESTS_OF_COMPANY).await;
        let refused = client.trigger(&format!("{webhook}/test")).await;
        let refused = refused.expect_error(503, "SERVICE_UNAVAILABLE");
        assert_eq!(refused.header("retry-after"), "2");
        let of_other = tested(&other, &created(&other, &body).await);
        held.until_asked(MAX_TESTS_OF_COMPANY + 1).await;
        held.release.send(true).expect("it is received");
        for test in running.into_iter().chain([of_other]) {
            let answer = test.await.expect("an answer").expect(200);
            assert_eq!(answer.data()["status_code"], 200);
        }
        let _ = client.trigger(&format!("{webhook}/test")).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_that_is_deleted_during_a_test_has_no_such_webhook() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let held = Held::start().await;
        let webhook = created(&client, &webhook_with("url", held.receiver.url())).await;
        let test = tested(&client, &webhook);
        held.until_asked(1).await;
        let at = hub.hub.ports.environment.clock.now();
        let begun = hub.database.storage().delete_company(client.made.company, at).await;
        let mut deletion = begun.expect("it begins").expect("a company");
        while deletion.next().await.expect("a batch").is_some() {}
        held.release.send(true).expect("it is received");
        test.await.expect("an answer").expect_error(404, "WEBHOOK_NOT_FOUND");
    })
    .await;
}
