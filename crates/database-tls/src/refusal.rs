//! Tells libpq why a connection was not made, in a message as a server sends it.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::time::timeout;

/// How long libpq has for its first message.
const FIRST_MESSAGE: Duration = Duration::from_secs(1);

/// `cannot_connect_now`: libpq continues with the next server of the address.
const UNREACHABLE: &str = "57P03";

/// `connection_failure`: libpq gives up.
const REJECTED: &str = "08006";

/// Why a connection was not made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The server cannot be reached.
    Unreachable(String),
    /// There is no TLS that the address permits.
    Rejected(String),
}

impl Refusal {
    /// Sends it and closes the connection.
    pub(crate) async fn send(self, mut stream: UnixStream) {
        // libpq expects an answer only after its first message.
        let mut first = [0; 512];
        if let Ok(Ok(1..)) = timeout(FIRST_MESSAGE, stream.read(&mut first)).await {
            // Fails when libpq has given up.
            stream.write_all(&self.message()).await.ok();
        }
    }

    /// An `ErrorResponse` of PostgreSQL's protocol.
    pub(crate) fn message(&self) -> Vec<u8> {
        let (code, text) = match self {
            Self::Unreachable(text) => (UNREACHABLE, text),
            Self::Rejected(text) => (REJECTED, text),
        };
        let text = text.replace('\0', " ");
        let fields = format!("SFATAL\0VFATAL\0C{code}\0M{text}\0\0");
        let length = u32::try_from(fields.len() + 4).unwrap_or(u32::MAX);
        [b"E", length.to_be_bytes().as_slice(), fields.as_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_error_of_the_protocol() {
        let message = Refusal::Unreachable("why".to_owned()).message();
        assert_eq!(message, b"E\0\0\0\x1fSFATAL\0VFATAL\0C57P03\0Mwhy\0\0");
    }
}
