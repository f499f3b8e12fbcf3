//! Traces over OTLP: what they contain, who controls them, and that they do not slow down calls.

use std::time::{Duration, Instant};

use contact_hub_tests::{Answer, Collector, Receiver, SpanSeen, TestDatabase, with_hub};
use futures_util::future::join_all;
use serde_json::json;

use crate::process::{Service, bare, expect_refused};
use crate::support::{created, person, until};
use crate::sync::sample;
use crate::webhooks::desk::{Desk, SOON};

/// The sampled span of a caller.
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const PARENT_TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

fn named<'a>(spans: &'a [SpanSeen], name: &str) -> Option<&'a SpanSeen> {
    spans.iter().find(|span| span.name == name)
}

/// A service that exports all traces to this collector, with more flags, and its first key.
fn traced(database: &TestDatabase, collector: &Collector, more: &[&str]) -> (Service, String) {
    let url = collector.url();
    let mut service = Service::serve(database, &[&["--otlp-endpoint", &url], more].concat());
    let key = service.bootstrap_key();
    (service, key)
}

async fn list(service: &Service, key: &str, traceparent: &str) -> Answer {
    let url = format!("{}/api/public/v1/contacts", service.base);
    let request = reqwest::Client::new().get(url).bearer_auth(key);
    Answer::of(request.header("traceparent", traceparent)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_its_statements_and_the_delivery_are_in_one_trace() {
    let (collector, receiver) = (Collector::start().await, Receiver::start(&[200]).await);
    let url = collector.url();
    let flags = ["--otlp-endpoint", &url, "--otlp-sample", "1"];
    let mut desk = Desk::with(&receiver, "1s", &flags).await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 1).await;
    let spans = collector.wait(|spans| named(spans, "webhook attempt").is_some()).await;
    let attempt = named(&spans, "webhook attempt").expect("an attempt");
    let sent = format!("00-{}-{}-01", attempt.trace, attempt.id);
    assert_eq!(receiver.requests()[0].header("traceparent"), sent);
    assert_eq!(attempt.attributes["http.response.status_code"], "200");
    assert_eq!(attempt.attributes["contact_hub.event.kind"], "syncRequested");
    let route = "POST /api/manage/v1/assets/{id}/syncs";
    let spans = collector.wait(|spans| named(spans, route).is_some()).await;
    let request = named(&spans, route).expect("a request");
    assert_eq!((request.trace.as_str(), request.parent.as_str()), (attempt.trace.as_str(), ""));
    assert_eq!(request.attributes["http.response.status_code"], "202");
    let company = &request.attributes["contact_hub.company.id"];
    assert_eq!(company, &attempt.attributes["contact_hub.company.id"]);
    // PostgreSQL inserts the event and its deliveries with one statement.
    let inserts = |it: &&SpanSeen| {
        let text = it.attributes.get("db.query.text");
        it.trace == request.trace && text.is_some_and(|text| text.contains("INSERT INTO events"))
    };
    let statement = spans.iter().find(inserts).expect("a statement");
    assert!(["INSERT events", "WITH"].contains(&statement.name.as_str()), "{statement:?}");
    // Requests share a transaction, whose statements are in the trace of the first.
    assert_eq!((&statement.parent, &attempt.parent), (&request.id, &request.id));
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_attempt_is_marked_and_its_retry_is_in_the_same_trace() {
    let (collector, receiver) = (Collector::start().await, Receiver::start(&[500, 200]).await);
    let url = collector.url();
    let flags = ["--otlp-endpoint", &url, "--otlp-sample", "1"];
    let mut desk = Desk::with(&receiver, "100ms", &flags).await;
    desk.request_sync().await;
    let attempts = |spans: &[SpanSeen]| -> Vec<SpanSeen> {
        spans.iter().filter(|span| span.name == "webhook attempt").cloned().collect()
    };
    let spans = collector.wait(|spans| attempts(spans).len() == 2).await;
    let mut both = attempts(&spans);
    both.sort_by_key(|span| span.attributes["contact_hub.attempt.number"].clone());
    assert_eq!(both[0].trace, both[1].trace);
    assert_eq!(both.iter().map(|span| span.has_failed).collect::<Vec<_>>(), [true, false]);
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_of_another_instance_continues_the_trace_that_enqueued_the_event() {
    let (collector, receiver) = (Collector::start().await, Receiver::start(&[500, 200]).await);
    let url = collector.url();
    let flags = ["--otlp-endpoint", &url, "--otlp-sample", "1"];
    let mut desk = Desk::with(&receiver, "2s", &flags).await;
    desk.request_sync().await;
    let _recorded = desk.delivery("retrying").await;
    desk.crash();
    desk.restart();
    until(SOON, async || receiver.count() == 2).await;
    let traces: Vec<String> = receiver
        .requests()
        .iter()
        .map(|it| it.header("traceparent").split('-').nth(1).expect("a trace").to_owned())
        .collect();
    assert_eq!(traces[0], traces[1]);
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_contain_no_values_no_emails_and_no_ids_of_contacts() {
    let (collector, database) = (Collector::start().await, TestDatabase::empty());
    let (mut service, key) = traced(&database, &collector, &["--otlp-sample", "1"]);
    let body =
        json!({"email": "ann@traced.example", "first_name": "Annabelle", "last_name": "Lee"});
    let made = service.call("POST", "/contacts", &key, Some(&body)).await.expect(201);
    let id = made.data()["id"].as_str().expect("an id").to_owned();
    let path = format!("/contacts/{id}?token=secret");
    let _ = service.call("GET", &path, &key, None).await;
    let _ = service.call("GET", &format!("/contacts/{id}"), &key, None).await.expect(200);
    let filter = "/contacts?filter[email]=ann@traced.example&search=annabelle";
    let _ = service.call("GET", filter, &key, None).await.expect(200);
    service.stop();
    let spans = collector.spans();
    for name in ["GET /api/public/v1/contacts/{id}", "GET /api/public/v1/contacts", "unit"] {
        assert!(named(&spans, name).is_some(), "{name}: {spans:#?}");
    }
    let in_request = |name: &str| {
        let request = named(&spans, name).expect(name);
        let of_trace = spans.iter().filter(|span| span.trace == request.trace);
        of_trace.filter(|span| span.attributes.contains_key("db.query.text")).count()
    };
    for name in ["POST /api/public/v1/contacts", "GET /api/public/v1/contacts/{id}"] {
        assert!(in_request(name) > 0, "a batch is in the trace of a call: {name}");
    }
    let text = format!("{spans:?}").to_lowercase();
    let plain = id.replace('-', "");
    for hidden in ["traced.example", "annabelle", "secret", &id, &plain, &key.to_lowercase()] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_only_controls_the_trace_if_it_is_trusted() {
    let (collector, database) = (Collector::start().await, TestDatabase::empty());
    let (mut service, key) = traced(&database, &collector, &["--otlp-sample", "0"]);
    let _ = list(&service, &key, PARENT).await.expect(200);
    service.stop();
    assert_eq!(collector.spans().len(), 0, "{:#?}", collector.spans());

    let (collector, url) = (Collector::start().await, "--otlp-endpoint");
    let at = collector.url();
    let mut service = Service::serve(&database, &[url, &at, "--otlp-sample", "1"]);
    let _ = list(&service, &key, PARENT).await.expect(200);
    service.stop();
    let spans = collector.spans();
    let request = named(&spans, "GET /api/public/v1/contacts").expect("a request");
    assert!(request.trace != PARENT_TRACE && request.parent.is_empty());
    assert_eq!(request.links, [PARENT_TRACE]);

    let collector = Collector::start().await;
    let at = collector.url();
    let trusting = [url, &at, "--otlp-sample", "0", "--otlp-trust-parent"];
    let mut service = Service::serve(&database, &trusting);
    for header in [PARENT, &PARENT.replace("-01", "-00"), "malformed"] {
        let _ = list(&service, &key, header).await.expect(200);
    }
    service.stop();
    let spans = collector.spans();
    let requests: Vec<_> = spans.iter().filter(|span| span.name.starts_with("GET ")).collect();
    assert_eq!(requests.len(), 1, "{spans:#?}");
    assert_eq!((&*requests[0].trace, &*requests[0].parent), (PARENT_TRACE, "00f067aa0ba902b7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_the_trace_id_and_the_collector_gets_the_headers_of_the_file() {
    let (collector, database) = (Collector::start().await, TestDatabase::empty());
    let file = database.directory().join("headers");
    std::fs::write(&file, "Authorization: Bearer of-collector\nx-tenant: hub\n").expect("written");
    let file = file.display().to_string();
    let more = ["--otlp-sample", "1", "--otlp-headers-file", &file];
    let (mut service, key) = traced(&database, &collector, &more);
    let _ = list(&service, &key, "").await.expect(200);
    service.stop();
    let heads = collector.heads();
    let head = heads.first().expect("a request");
    for line in ["post /v1/traces ", "authorization: bearer of-collector", "x-tenant: hub"] {
        assert!(head.contains(line), "{head}");
    }
    let spans = collector.spans();
    let request = named(&spans, "GET /api/public/v1/contacts").expect("a request");
    let log = service.log();
    assert!(log.contains(&request.trace), "{log}");
    assert!(!log.contains("of-collector"));
}

/// The sum of a metric over its labels.
async fn figure(service: &Service, name: &str) -> u64 {
    let metrics = service.get("/metrics").await.expect(200).text;
    let lines = metrics.lines().filter(|line| line.starts_with(name));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

const DROPPED: &str = "contact_hub_trace_spans_dropped_total{";
const QUEUE_FULL: &str = "contact_hub_trace_spans_dropped_total{reason=\"queue_full\"}";

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_collector_does_not_delay_calls() {
    let (collector, database) = (Collector::hanging().await, TestDatabase::empty());
    let more = ["--otlp-sample", "1", "--rate-limit-standard", "0"];
    let (mut service, key) = traced(&database, &collector, &more);
    let _ = list(&service, &key, "").await.expect(200);
    collector.wait(|spans| !spans.is_empty()).await;
    let http = reqwest::Client::new();
    let url = format!("{}/api/public/v1/contacts", service.base);
    // More spans than fit into the queue, and more at once than are dropped with the waiting batch.
    let began = Instant::now();
    let mut calls = 0;
    while figure(&service, QUEUE_FULL).await == 0 {
        let some = (0..50).map(|_| Answer::of(http.get(&url).bearer_auth(&key)));
        for answer in join_all(some).await {
            let _ = answer.expect(200);
            calls += 1;
        }
        assert!(began.elapsed() < Duration::from_mins(3), "{calls} calls and no span is dropped");
    }
    let stopping = Instant::now();
    service.stop();
    assert!(stopping.elapsed() < Duration::from_secs(15), "{:?}", stopping.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_spans_are_counted_and_logged_once() {
    let database = TestDatabase::empty();
    let more = ["--otlp-endpoint", "http://127.0.0.1:9", "--otlp-sample", "1"];
    let mut service = Service::serve(&database, &more);
    let key = service.bootstrap_key();
    let _ = list(&service, &key, "").await.expect(200);
    until(SOON, async || figure(&service, DROPPED).await > 0).await;
    let dropped = figure(&service, DROPPED).await;
    let _ = list(&service, &key, "").await.expect(200);
    until(SOON, async || figure(&service, DROPPED).await > dropped).await;
    service.stop();
    assert_eq!(service.log().matches("spans were not exported").count(), 1, "{}", service.log());
}

#[test]
fn invalid_settings_are_refused_and_not_repeated_in_the_error() {
    let database = TestDatabase::empty();
    for flags in [
        ["--otlp-endpoint", "u:secret@host"].as_slice(),
        &["--otlp-endpoint", "http://host", "--otlp-headers-file", "secret-nowhere"],
    ] {
        let output = bare(&database, &[&["serve"], flags].concat()).output().expect("it runs");
        expect_refused(&output, &[]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_receivers_get_no_trace() {
    with_hub(async |hub| {
        let setting = sample::setting(hub.client().await, &[200]).await;
        let _contact = created(&setting.client, &person("ann@example.com")).await;
        let _ = setting.ask(&setting.integration).await.expect(202);
        until(SOON, async || setting.receiver.count() == 1).await;
        assert_eq!(setting.receiver.requests()[0].header("traceparent"), "");
    })
    .await;
}
