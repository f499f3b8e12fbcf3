//! How the service stops: it first reports that it is not ready, answers further requests, and then exits.

use std::time::Duration;

use contact_hub_tests::TestDatabase;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::process::Service;
use crate::support::until;

const SOON: Duration = Duration::from_secs(30);

async fn status(service: &Service, path: &str) -> u16 {
    service.get(path).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_service_reports_not_ready_and_keeps_answering() {
    let database = TestDatabase::empty();
    // Longer than the test takes: a second signal ends it.
    let mut service = Service::serve(&database, &["--shutdown-delay-ms", "600000"]);
    let key = service.bootstrap_key();
    until(SOON, async || status(&service, "/health/ready").await == 200).await;
    service.signal("TERM");
    until(SOON, async || status(&service, "/health/ready").await == 503).await;
    for _ in 0..20 {
        let answer = service.call("GET", "/contacts", &key, None).await.expect(200);
        assert_eq!(answer.header("connection"), "close");
        assert_eq!(status(&service, "/health/live").await, 200);
    }
    service.signal("TERM");
    assert_eq!(service.wait().code(), Some(130), "a second signal stops it at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_service_ends_after_the_delay() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--shutdown-delay-ms", "1"]);
    let _key = service.bootstrap_key();
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_of_clients_are_not_logged_as_errors() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--log", "info"]);
    let key = service.bootstrap_key();
    let address = service.base.trim_start_matches("http://").to_owned();
    for request in [
        "GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n".to_owned(),
        "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n".to_owned(),
        "GET /health/live HTTP/1.1\r\nContent-Length: x\r\n\r\n".to_owned(),
        format!(
            "POST /api/public/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Length: 9000\r\n\r\n{{"
        ),
        format!(
            "POST /api/public/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
        ),
        format!(
            "GET /api/public/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Length: 3\r\n\r\n"
        ),
    ] {
        let mut stream = TcpStream::connect(&address).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("it is sent");
        stream.shutdown().await.ok();
        let mut answer = Vec::new();
        tokio::time::timeout(SOON, stream.read_to_end(&mut answer))
            .await
            .expect("it is closed")
            .ok();
    }
    service.stop();
    let log = service.log();
    assert!(!log.contains("ERROR"), "{log}");
}
