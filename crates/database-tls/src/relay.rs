//! Carries bytes both ways between libpq and a server, until either side ends.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, split};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::host::Host;
use crate::reason::reason;
use crate::refusal::Refusal;

/// The buffer of each direction: the largest record of TLS.
const BUFFER: usize = 16 << 10;

/// How long the farewell to the server may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// Carries the bytes of one connection.
pub(crate) async fn relay<S>(mut inner: UnixStream, outer: S, host: &Host)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (answers, mut to_server) = split(outer);
    let (requests, mut to_client) = inner.split();
    let upwards = async {
        let end = pump(requests, &mut to_server).await;
        if end.result.is_ok() {
            timeout(FAREWELL, to_server.shutdown()).await.ok();
        }
        end.result
    };
    let end = {
        let downwards = pump(answers, &mut to_client);
        tokio::pin!(downwards);
        tokio::select! {
            end = &mut downwards => Some(end),
            result = upwards => match result {
                Ok(()) => None,
                // The server may have said why before it closed the connection.
                Err(_broken) => timeout(FAREWELL, downwards).await.ok(),
            }
        }
    };
    // With TLS 1.3 the server rejects the certificate of a client after the handshake.
    if let Some(End { carried: 0, result: Err(error) }) = end {
        let refusal = Refusal::Rejected(format!("no TLS with {host}: {}", reason(&error)));
        to_client.write_all(&refusal.message()).await.ok();
    }
}

/// The end of one direction.
struct End {
    /// How many pieces were carried.
    carried: u64,
    result: io::Result<()>,
}

async fn pump(mut from: impl AsyncRead + Unpin, to: &mut (impl AsyncWrite + Unpin)) -> End {
    let mut buffer = vec![0; BUFFER];
    let mut carried = 0;
    let result = loop {
        let length = match from.read(&mut buffer).await {
            Ok(length) => length,
            Err(error) => break Err(error),
        };
        let Some(bytes @ [_, ..]) = buffer.get(..length) else { break Ok(()) };
        if let Err(error) = pass(bytes, to).await {
            break Err(error);
        }
        carried += 1;
    };
    End { carried, result }
}

async fn pass(bytes: &[u8], to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}
