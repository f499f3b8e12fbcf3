//! Begins TLS with a server.
//!
//! PostgreSQL's protocol: the client sends `SSLRequest`, and the server answers with one byte, `S` or `N`. Nothing else is
//! read before TLS has begun, so nothing that was injected into the plain part is mistaken for an answer.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::dial::dial;
use crate::host::Host;
use crate::mode::Mode;
use crate::reason::reason;
use crate::refusal::Refusal;
use crate::settings::{Negotiation, Settings};

/// The length of the message, and the number by which it is known.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// A connection to a server.
pub(crate) enum Outer {
    Tls(Box<TlsStream<TcpStream>>),
    /// The server has no TLS, and the mode permits that.
    Plain(TcpStream),
}

/// Connects to a server and begins TLS.
pub(crate) async fn open(host: &Host, settings: &Arc<Settings>) -> Result<Outer, Refusal> {
    let within = settings.bounds.open;
    match timeout(within, open_at_leisure(host, settings)).await {
        Ok(outcome) => outcome,
        Err(_elapsed) => {
            let text = format!("{host} did not answer within {} ms", within.as_millis());
            Err(Refusal::Unreachable(text))
        }
    }
}

async fn open_at_leisure(host: &Host, settings: &Arc<Settings>) -> Result<Outer, Refusal> {
    let unreachable = |error| Refusal::Unreachable(format!("{host} cannot be reached: {error}"));
    let mut stream = dial(host, &settings.bounds).await.map_err(unreachable)?;
    let rejected = |text: &str| Refusal::Rejected(format!("{host} {text}"));
    if settings.negotiation == Negotiation::Asked {
        match ask(&mut stream).await.map_err(unreachable)? {
            b'S' => {}
            b'N' if settings.mode < Mode::Require => return Ok(Outer::Plain(stream)),
            b'N' => return Err(rejected("does not offer TLS")),
            _ => return Err(rejected("answered the request for TLS with an error")),
        }
    }
    begin(stream, host, settings).await.map(|stream| Outer::Tls(Box::new(stream)))
}

async fn ask(stream: &mut TcpStream) -> io::Result<u8> {
    stream.write_all(&SSL_REQUEST).await?;
    stream.read_u8().await
}

async fn begin(
    stream: TcpStream,
    host: &Host,
    settings: &Arc<Settings>,
) -> Result<TlsStream<TcpStream>, Refusal> {
    let rejected = |reason: String| Refusal::Rejected(format!("no TLS with {host}: {reason}"));
    let files = Arc::clone(settings);
    let config = spawn_blocking(move || files.config()).await;
    let config = config.map_err(|error| rejected(error.to_string()))?;
    let config = config.map_err(|error| rejected(error.to_string()))?;
    let name =
        server_name(&stream, host, settings.mode).map_err(|error| rejected(reason(&error)))?;
    let begun = TlsConnector::from(config).connect(name, stream).await;
    begun.map_err(|error| rejected(reason(&error)))
}

/// The name that the certificate must have. A name that no certificate can have is an error only if it is compared.
fn server_name(stream: &TcpStream, host: &Host, mode: Mode) -> io::Result<ServerName<'static>> {
    match ServerName::try_from(host.identity().to_owned()) {
        Ok(name) => Ok(name),
        Err(_invalid) if mode < Mode::VerifyFull => Ok(stream.peer_addr()?.ip().into()),
        Err(invalid) => Err(io::Error::new(io::ErrorKind::InvalidInput, invalid)),
    }
}
