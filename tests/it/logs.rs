//! A reader of the log that stops reading.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};
use futures_util::future::join_all;

use crate::process::{Service, key_file};
use crate::support::until;

/// Longer than any of this takes, on a loaded machine too.
const SOON: Duration = Duration::from_mins(2);

/// Logs dozens of lines for each call.
const ALL: &str = "trace,actix_http=trace";

/// A service that has dropped lines of its log, because nobody reads them.
async fn unread(flags: &[&str]) -> (TestDatabase, Service) {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key, "--log", ALL];
    let command = Binary::on(&database).command(&[&serve, flags].concat());
    let mut service = Service::spawn_unread(command).listening();
    let _key = service.bootstrap_key();
    until(SOON, async || dropped(&service).await > 0).await;
    (database, service)
}

/// How many lines it has dropped after some more calls.
async fn dropped(service: &Service) -> u64 {
    let (client, url) = (reqwest::Client::new(), format!("{}/health/live", service.base));
    let calls = join_all((0..100).map(|_| client.get(&url).send())).await;
    assert!(calls.iter().all(|call| call.as_ref().is_ok_and(|it| it.status() == 200)));
    let metrics = service.get("/metrics").await.expect(200).text;
    let counter = "contact_hub_log_lines_dropped_total ";
    let count = metrics.lines().find_map(|line| line.strip_prefix(counter));
    count.expect(counter).parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_log_is_not_read_answers_and_stops() {
    let (_database, mut service) = unread(&[]).await;
    let before = dropped(&service).await;
    assert!(dropped(&service).await > before);
    service.signal("TERM");
    assert_eq!(service.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_stops_a_service_whose_log_is_not_read() {
    let (_database, mut service) = unread(&["--shutdown-delay-ms", "600000"]).await;
    service.signal("TERM");
    until(SOON, async || service.get("/health/ready").await.status == 503).await;
    service.signal("TERM");
    assert_eq!(service.wait().code(), Some(130));
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_lines_are_reported_when_the_log_is_read_again() {
    let (_database, mut service) = unread(&[]).await;
    let mut lines = BufReader::new(service.take_stderr()).lines().map_while(Result::ok);
    let says_so = |line: String| line.contains("lines of the log were dropped");
    let reported = tokio::task::spawn_blocking(move || lines.any(says_so));
    assert!(tokio::time::timeout(SOON, reported).await.expect("in time").expect("no panic"));
}
