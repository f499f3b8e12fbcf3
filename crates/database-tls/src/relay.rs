//! Forwards bytes in both directions between libpq and a server, until either side ends.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, split};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::authentication::carry_first;
use crate::host::Host;
use crate::reason::reason;
use crate::refusal::Refusal;

/// The buffer of each direction: the largest record of TLS.
const BUFFER: usize = 16 << 10;

/// How long ending the connection to the server may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// Forwards the bytes of one connection.
pub(crate) async fn relay<S>(mut inner: UnixStream, outer: S, host: &Host)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut answers, mut to_server) = split(outer);
    let (requests, mut to_client) = inner.split();
    let upwards = async {
        let result = pump(requests, &mut to_server).await;
        if result.is_ok() {
            timeout(FAREWELL, to_server.shutdown()).await.ok();
        }
        result
    };
    let failed = {
        let downwards = async {
            match carry_first(&mut answers, &mut to_client).await {
                Ok(true) => {
                    pump(answers, &mut to_client).await.ok();
                    None
                }
                Ok(false) => None,
                Err(error) => Some(error),
            }
        };
        tokio::pin!(downwards);
        tokio::select! {
            failed = &mut downwards => failed,
            result = upwards => match result {
                Ok(()) => None,
                // The server may have said why before it closed the connection.
                Err(_broken) => timeout(FAREWELL, downwards).await.ok().flatten(),
            }
        }
    };
    // With TLS 1.3 the server rejects the certificate of a client after the handshake.
    if let Some(error) = failed {
        let refusal = Refusal::Rejected(format!("no TLS with {host}: {}", reason(&error)));
        to_client.write_all(&refusal.message()).await.ok();
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    to: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let length = from.read(&mut buffer).await?;
        let Some(bytes @ [_, ..]) = buffer.get(..length) else { return Ok(()) };
        to.write_all(bytes).await?;
        to.flush().await?;
    }
}
