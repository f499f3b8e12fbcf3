//! Slow clients: each is disconnected in time, with an error envelope if that is still possible, and none blocks others.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use contact_hub::settings::ServeSettings;
use contact_hub_tests::{TestHub, with_settings};
use futures_util::future::join_all;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::get;

/// A client may stall for this long; the service disconnects it soon after.
const STALL: Duration = Duration::from_millis(300);

/// Longer than any of this takes, on a loaded machine too.
const SOON: Duration = Duration::from_secs(30);

fn impatient(settings: &mut ServeSettings) {
    settings.edge.stall_ms = u64::try_from(STALL.as_millis()).expect("short");
}

fn head(hub: &TestHub, token: &str, path: &str, length: usize) -> String {
    let host = hub.hub.address;
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// Everything received on a connection until the service closes it.
async fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    timeout(SOON, stream.read_to_end(&mut answer)).await.expect("it is closed").ok();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn connect(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_body_is_answered_with_408_and_its_connection_closed() {
    with_settings(impatient, async |hub| {
        let client = hub.client().await;
        for path in ["/api/public/v1/contacts", "/api/public/v1/contacts/bulk"] {
            let request = head(hub, &client.made.token, path, 1000) + "{";
            let answer = rest(&mut connect(hub.hub.address, &request).await).await;
            let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
            let head = head.to_ascii_lowercase();
            assert!(head.starts_with("http/1.1 408 "), "{answer}");
            assert!(head.contains("\r\nconnection: close"), "{answer}");
            let body: Value = serde_json::from_str(body).expect("JSON");
            assert_eq!(body["error"]["code"], "REQUEST_TIMEOUT");
        }
    })
    .await;
}

/// The framework checks its deadline for heads again each time it polls the connection, and would answer again.
#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_head_is_answered_with_408_once() {
    with_settings(impatient, async |hub| {
        let answer = rest(&mut connect(hub.hub.address, "GET /api/public/v1/con").await).await;
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 408 "), "{answer}");
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["error"]["code"], "REQUEST_TIMEOUT");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_arrives_too_slowly_is_disconnected() {
    with_settings(impatient, async |hub| {
        let host = hub.hub.address;
        let request = format!(
            "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nContent-Length: 16000\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        );
        let mut stream = connect(host, &request).await;
        let (mut reader, mut writer) = stream.split();
        let drip = async {
            while writer.write_all(b"a").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let mut answer = Vec::new();
        let closed = async {
            reader.read_to_end(&mut answer).await.ok();
        };
        timeout(SOON, async {
            tokio::select! { () = drip => {}, () = closed => {} }
        })
        .await
        .expect("it is let go although it goes on");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_body_does_not_keep_a_connection_open() {
    with_settings(impatient, async |hub| {
        let host = hub.hub.address;
        for framing in ["Content-Length: 100000", "Transfer-Encoding: chunked"] {
            let request = format!(
                "POST /api/public/v1/contacts HTTP/1.1\r\nHost: {host}\r\n{framing}\r\n\r\n1"
            );
            let mut stream = connect(host, &request).await;
            let answer = rest(&mut stream).await;
            assert!(answer.starts_with("HTTP/1.1 401 "), "{framing}: {answer}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_its_answer_is_disconnected_and_its_memory_freed() {
    // The clients that do read their answers may be slow on a busy machine.
    let less_impatient = |settings: &mut ServeSettings| settings.edge.stall_ms = 3000;
    with_settings(less_impatient, async |hub| {
        let client = hub.client().await;
        let html = "x".repeat(2 << 20);
        let asset = serde_json::json!({"name": "A", "type": "landing_page", "html": html});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let path = format!("/assets/{}/content", asset.data()["id"].as_str().expect("an id"));
        let request = format!(
            "GET /api/published/v1{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n",
            client.made.token
        );
        // More of them than fit into a company's share of the budget.
        let mut silent = Vec::new();
        for _ in 0..30 {
            silent.push(connect(hub.hub.address, &request).await);
        }
        let other = hub.client().await;
        let _others_are_served = other.get("/contacts").await.expect(200);
        let deadline = tokio::time::Instant::now() + SOON;
        while client.published().get(&path).await.status != 200 {
            assert!(tokio::time::Instant::now() < deadline, "the memory was never free again");
        }
        let ends = join_all(silent.iter_mut().map(rest)).await;
        let whole = ends.iter().filter(|answer| answer.len() > 4 << 20).count();
        assert!(whole < 30, "all of {} answers were kept for silent clients", ends.len());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_connections_from_one_address_is_limited() {
    let few = |settings: &mut ServeSettings| settings.edge.connections_per_address = 3;
    with_settings(few, async |hub| {
        let mut held = Vec::new();
        for _ in 0..3 {
            let mut stream =
                connect(hub.hub.address, "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n").await;
            let mut first = [0; 12];
            stream.read_exact(&mut first).await.expect("an answer");
            assert_eq!(&first, b"HTTP/1.1 200");
            held.push(stream);
        }
        let mut refused = TcpStream::connect(hub.hub.address).await.expect("a connection");
        refused.write_all(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n").await.ok();
        assert_eq!(rest(&mut refused).await, "", "it is closed without an answer");
        drop(held);
        let deadline = tokio::time::Instant::now() + SOON;
        loop {
            let request = hub.http().get(format!("{}/health/live", hub.base()));
            if request.send().await.is_ok_and(|answer| answer.status() == 200) {
                break;
            }
            assert!(tokio::time::Instant::now() < deadline, "its places were never free again");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_separate_address_for_metrics_has_few_places_for_connections() {
    let free = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("an address");
    let address = free.local_addr().expect("an address");
    drop(free);
    let separate = |settings: &mut ServeSettings| settings.metrics_listen = Some(address);
    with_settings(separate, async |hub| {
        let mut held = Vec::new();
        for _ in 0..64 {
            let mut stream = connect(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
            let mut first = [0; 12];
            stream.read_exact(&mut first).await.expect("an answer");
            held.push(stream);
        }
        let mut refused = TcpStream::connect(address).await.expect("a connection");
        assert_eq!(rest(&mut refused).await, "", "it is closed without an answer");
        assert_eq!(get(hub, "/health/live").await.status, 200);
        drop(held);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_of_a_trusted_proxy_are_not_counted_by_address() {
    let few = |settings: &mut ServeSettings| {
        settings.edge.connections_per_address = 3;
        settings.edge.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    };
    with_settings(few, async |hub| {
        let calls = join_all((0..20).map(|_| get(hub, "/health/live"))).await;
        assert!(calls.iter().all(|answer| answer.status == 200));
    })
    .await;
}
