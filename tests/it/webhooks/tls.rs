//! Receivers on https: one without a valid certificate receives nothing.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_tests::{Answer, Binary, Receiver, TestDatabase};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::outbox::{text, webhook_with};
use crate::process::{Service, key_file};

/// A receiver with a certificate for these names, and the certificate.
async fn receiver(names: &[&str]) -> (Receiver, String) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let receiver = Receiver::raw(move |stream| answer(acceptor.clone(), stream)).await;
    (receiver, cert.pem())
}

async fn answer(acceptor: TlsAcceptor, stream: TcpStream) {
    let Ok(mut stream) = acceptor.accept(stream).await else { return };
    let mut request = [0; 4096];
    if stream.read(&mut request).await.is_ok() {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.ok();
        // The client closes the connection after it has been idle for a while.
        tokio::time::sleep(Duration::from_secs(30)).await;
    }
}

/// The result of testing a webhook to each address, for a service that trusts these certificates.
async fn tried(trusted: &str, urls: &[String]) -> Vec<Value> {
    let database = TestDatabase::empty();
    let file = database.directory().join("trusted.pem");
    std::fs::write(&file, trusted).unwrap();
    let key = key_file(&database);
    let mut command = Binary::on(&database).command(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--secret-key-file",
        &key,
        "--webhook-allow-network",
        "127.0.0.0/8",
    ]);
    command.env("SSL_CERT_FILE", &file);
    let mut service = Service::start(&database, command);
    let key = service.bootstrap_key();
    let mut results = Vec::new();
    for url in urls {
        let post = async |path: &str, body: &Value| {
            let url = format!("{}/api/manage/v1{path}", service.base);
            Answer::of(reqwest::Client::new().post(url).bearer_auth(&key).json(body)).await
        };
        let webhook = post("/webhooks", &webhook_with("url", url.as_str())).await.expect(201);
        let path = format!("/webhooks/{}/test", text(&webhook, "id"));
        let answer = post(&path, &json!({})).await.expect(200);
        let data = answer.data();
        results.push(json!([data["status_code"], data["error_class"]]));
    }
    service.stop();
    results
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_and_name_are_verified() {
    let (good, trusted) = receiver(&["localhost", "127.0.0.1"]).await;
    let (stranger, _) = receiver(&["localhost"]).await;
    let url = |receiver: &Receiver, host: &str| {
        format!("https://{host}:{}/hook", receiver.address().port())
    };
    let urls = [url(&good, "127.0.0.1"), url(&good, "127.0.0.2"), url(&stranger, "localhost")];
    let refused = json!([null, "tls"]);
    let results = tried(&trusted, &urls).await;
    assert_eq!(results[0], json!([200, null]));
    // The certificate is for another name. Whether the second address answers at all depends on the machine.
    assert_ne!(results[1], json!([200, null]));
    assert_eq!(results[2], refused);
}
