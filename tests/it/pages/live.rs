//! Streams that notify pages of changes.

use std::time::Duration;

use contact_hub_domain::live::MOST_PAGES_OF_USER;
use contact_hub_tests::{Browser, Client, Receiver, with_hub, with_idle_hub};
use reqwest::header::ACCEPT;
use reqwest::{Method, Response};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::DEADLINE;
use crate::support::{created, person, second_hub, until};

/// An open stream.
struct Stream {
    answer: Response,
    unread: String,
}

impl Stream {
    /// Requests a stream, with the mark that the page has.
    async fn ask(browser: &Browser, known: &str) -> Response {
        let request = browser.request(Method::GET, &format!("/admin/live?known={known}"));
        request.header(ACCEPT, "text/event-stream").send().await.expect("an answer")
    }

    async fn open(browser: &Browser, known: &str) -> Self {
        let answer = Self::ask(browser, known).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        Self { answer, unread: String::new() }
    }

    /// The mark of the next event; `None` when the stream has ended.
    async fn event(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.unread.find("\n\n") {
                let message: String = self.unread.drain(..end + 2).collect();
                let message = message.trim_end();
                let mark = message.strip_prefix("event: changed\ndata: ").map(str::to_owned);
                assert!(mark.is_some() || message == ":", "{message}");
                if mark.is_some() {
                    return mark;
                }
                continue;
            }
            let chunk = timeout(DEADLINE, self.answer.chunk()).await.expect("something in time");
            let chunk = chunk.expect("the stream does not break off")?;
            self.unread.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// Reads events until nothing more changes.
    async fn settled(&mut self) -> String {
        let mut mark = self.event().await.expect("a first event");
        while let Ok(next) = timeout(Duration::from_millis(2500), self.event()).await {
            mark = next.expect("an event");
        }
        mark
    }
}

async fn webhook(client: &Client) -> Receiver {
    let receiver = Receiver::start(&[200]).await;
    let hook = json!({"name": "Hook", "url": receiver.url(), "events": ["contactsChanged"]});
    let _ = client.manage().post("/webhooks", &hook).await.expect(201);
    receiver
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_sends_an_event_at_every_instance_and_to_no_other_company() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let (stranger, _) = hub.browser().await;
        let other = second_hub(&hub.database);
        let there = browser.at(&format!("http://{}", other.address));
        let receiver = webhook(&client).await;
        let (mut here, mut elsewhere) =
            (Stream::open(&browser, "").await, Stream::open(&there, "").await);
        let mut foreign = Stream::open(&stranger, "").await;
        let marks = (here.settled().await, elsewhere.settled().await);
        assert_eq!(marks.0, marks.1);
        foreign.settled().await;
        let _ = created(&client, &person("ann@example.com")).await;
        until(DEADLINE, async || receiver.count() == 1).await;
        assert_ne!(here.event().await.expect("an event"), marks.0);
        assert_ne!(elsewhere.event().await.expect("an event"), marks.1);
        let silence = timeout(Duration::from_secs(2), foreign.event()).await;
        assert!(silence.is_err(), "{silence:?}");
        drop((here, elsewhere, foreign));
        other.stop().await.expect("it stops");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_has_the_current_mark_only_gets_changes() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let mark = Stream::open(&browser, "").await.settled().await;
        let mut again = Stream::open(&browser, &mark).await;
        let silence = timeout(Duration::from_millis(2500), again.event()).await;
        assert!(silence.is_err(), "{silence:?}");
        let _receiver = webhook(&client).await;
        assert_ne!(again.event().await.expect("an event"), mark);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_has_a_limited_number_of_streams() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let mut open = Vec::new();
        for _ in 0..MOST_PAGES_OF_USER {
            open.push(Stream::open(&browser, "").await);
        }
        assert_eq!(Stream::ask(&browser, "").await.status(), 204);
        drop(open.pop());
        until(DEADLINE, async || Stream::ask(&browser, "").await.status() == 200).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_requires_the_permission_and_ends_with_the_session() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let visitor = Browser::new(&hub.base());
        assert_eq!(Stream::ask(&visitor, "").await.status(), 303);
        let mut stream = Stream::open(&browser, "").await;
        stream.settled().await;
        let _ = browser.post("/sign-out", &[]).await.expect(303);
        let _receiver = webhook(&client).await;
        assert_eq!(stream.event().await, None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_when_the_service_starts_to_stop() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let mut stream = Stream::open(&browser, "").await;
        stream.settled().await;
        hub.hub.announce_stop();
        assert_eq!(stream.event().await, None);
        assert_eq!(Stream::ask(&browser, "").await.status(), 204);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_statements_is_independent_of_the_streams_and_zero_without_any() {
    with_idle_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let mut open = Vec::new();
        for _ in 0..MOST_PAGES_OF_USER {
            let mut stream = Stream::open(&browser, "").await;
            assert!(stream.event().await.is_some());
            open.push(stream);
        }
        let storage = &hub.hub.storage;
        let before = storage.statements();
        sleep(Duration::from_secs(3)).await;
        let asked = storage.statements() - before;
        assert!((1..=16).contains(&asked), "{asked} for {MOST_PAGES_OF_USER} streams");
        drop(open);
        let mut last = u64::MAX;
        until(DEADLINE, async || {
            sleep(Duration::from_millis(2500)).await;
            let now = storage.statements();
            std::mem::replace(&mut last, now) == now
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn automatic_requests_of_a_page_do_not_extend_the_session() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let renew = async || {
            let request = browser.request(Method::GET, "/account").header("x-renewal", "1");
            browser.send(request).await
        };
        for _half in 0..2 {
            assert_eq!(renew().await.status, 200);
            hub.clock.advance(6 * 3600 + 60);
        }
        assert_eq!(renew().await.status, 303);
        assert_eq!(Stream::ask(&browser, "").await.status(), 303);
    })
    .await;
}
