//! Requests that the HTTP parser rejects, which no route sees.

use std::net::SocketAddr;

use contact_hub_tests::with_hub;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The last answer on a connection that sends these bytes: its head in lower case, and its body.
async fn last_answer(address: SocketAddr, sent: &[u8]) -> (String, Value) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(sent).await.expect("it is sent");
    let mut answers = String::new();
    stream.read_to_string(&mut answers).await.expect("answers until it is closed");
    let last =
        answers.rfind("HTTP/1.1 ").and_then(|start| answers.get(start..)).expect("an answer");
    let (head, body) = last.split_once("\r\n\r\n").expect("a head");
    (head.to_ascii_lowercase(), serde_json::from_str(body).expect("JSON"))
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_unparsed_requests_have_the_envelope_and_a_request_id() {
    with_hub(async |hub| {
        let head = |target: &str, headers: &str| {
            format!("GET {target} HTTP/1.1\r\nHost: hub\r\n{headers}\r\n")
        };
        let contacts = "/api/public/v1/contacts";
        let many = "X-Many: 1\r\n".repeat(200);
        for (request, status, code) in [
            (head(&format!("{contacts}?search=M\u{fc}ller"), ""), "400", "BAD_REQUEST"),
            (head(&format!("{contacts}?search=a b"), ""), "400", "BAD_REQUEST"),
            (head(contacts, "A b: c\r\n"), "400", "BAD_REQUEST"),
            (head(contacts, "Idempotency-Key: a\u{1}b\r\n"), "400", "BAD_REQUEST"),
            (head("/<>", ""), "400", "BAD_REQUEST"),
            (head(contacts, &many), "431", "REQUEST_HEADER_FIELDS_TOO_LARGE"),
        ] {
            let (head, body) = last_answer(hub.hub.address, request.as_bytes()).await;
            assert!(head.starts_with(&format!("http/1.1 {status} ")), "{request} {head}");
            for header in ["x-request-id: ", "connection: close", "content-type: application/json"]
            {
                assert!(head.contains(&format!("\r\n{header}")), "{request} {head}");
            }
            assert_eq!(body["error"]["code"], code, "{request}");
        }
    })
    .await;
}

/// The HTML of an asset is the author's. It is sent as it is, and so is a text in it that looks like an answer of the parser.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_with_the_text_of_an_answer_is_sent_unchanged() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let answer = "HTTP/1.1 400 Bad Request\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n";
        for filling in ["", &"x".repeat((32 << 10) - answer.len())] {
            let html = format!("{filling}{answer}");
            let asset = json!({"name": "A", "type": "landing_page", "html": html});
            let asset = client.manage().post("/assets", &asset).await.expect(201);
            let id = asset.data()["id"].as_str().expect("an id").to_owned();
            let page = browser.get(&format!("/assets/{id}/preview")).await.expect(200);
            assert_eq!(page.text, html);
        }
    })
    .await;
}
