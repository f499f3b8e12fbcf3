//! A server that begins TLS as PostgreSQL does, and then only says that it is there.

use std::net::Ipv4Addr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto::aws_lc_rs};

use crate::authority::Pair;

/// Its request for authentication, and what libpq gets of it.
const OFFERED: &[u8] = b"R\0\0\0\x2a\0\0\0\nSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0";
pub(crate) const CARRIED: &str = "R\0\0\0\x17\0\0\0\nSCRAM-SHA-256\0\0";

/// What it answers to a request for TLS.
#[derive(Clone)]
pub(crate) enum Answer {
    Tls,
    /// Also only clients with a certificate of this authority.
    ToClientOf(Vec<u8>),
    NoTls,
    Nothing,
}

/// Runs until it is dropped.
pub(crate) struct Server {
    port: u16,
    _runtime: Runtime,
}

impl Server {
    pub(crate) fn start(pair: Pair, answer: Answer) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listener.expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let acceptor = TlsAcceptor::from(Arc::new(config(pair, &answer)));
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, acceptor.clone(), answer.clone()));
            }
        });
        Self { port, _runtime: runtime }
    }

    /// Its address under the name of a host.
    pub(crate) fn url(&self, host: &str, parameters: &str) -> String {
        let port = self.port;
        format!("postgres://a:b@{host}:{port}/c?hostaddr=127.0.0.1&{parameters}")
    }
}

fn config((certificate, key): Pair, answer: &Answer) -> ServerConfig {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("versions");
    let builder = match answer {
        Answer::ToClientOf(root) => {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from(root.clone())).expect("a certificate");
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider);
            builder.with_client_cert_verifier(verifier.build().expect("a verifier"))
        }
        _ => builder.with_no_client_auth(),
    };
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    builder.with_single_cert(vec![certificate.der().clone()], key).expect("a certificate")
}

async fn serve(mut stream: TcpStream, acceptor: TlsAcceptor, answer: Answer) {
    let mut request = [0; 8];
    if stream.read_exact(&mut request).await.is_err() {
        return;
    }
    assert_eq!(request, [0, 0, 0, 8, 4, 210, 22, 47], "a request for TLS");
    match answer {
        Answer::Nothing => std::future::pending().await,
        Answer::NoTls => {
            stream.write_all(b"N").await.ok();
            greet(stream).await;
        }
        Answer::Tls | Answer::ToClientOf(_) => {
            stream.write_all(b"S").await.ok();
            if let Ok(stream) = acceptor.accept(stream).await {
                greet(stream).await;
            }
        }
    }
}

async fn greet(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let mut first = [0; 8];
    if stream.read_exact(&mut first).await.is_ok() {
        stream.write_all(OFFERED).await.ok();
        stream.shutdown().await.ok();
    }
}
