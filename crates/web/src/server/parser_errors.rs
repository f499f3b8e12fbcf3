//! The errors of the HTTP parser. It rejects what is not a request of HTTP/1.1 before a route sees it, and its answer has
//! neither a body nor a request id. Here they are added, as every other error has them.
//!
//! Only the first bytes of a connection are certainly the beginning of an answer. Later ones may belong to a body with any
//! content, even with a text that looks like an answer, and changing them would let an author forge answers. So the answer to a
//! later request that cannot be parsed stays without a body.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use contact_hub_domain::ports::Ids;

use crate::error::Code;

/// A connection on which an answer of the parser to the first request gets the envelope.
pub(super) struct ParserErrors<T> {
    io: T,
    ids: Arc<dyn Ids>,
    is_begun: bool,
    answer: Option<Replacement>,
}

/// An answer that is written in place of the parser's.
struct Replacement {
    bytes: Vec<u8>,
    written: usize,
    /// The length of the parser's answer.
    replaces: usize,
}

impl<T> ParserErrors<T> {
    pub(super) fn new(io: T, ids: Arc<dyn Ids>) -> Self {
        Self { io, ids, is_begun: false, answer: None }
    }
}

/// The code and the `Date` of an answer of the parser. Every other answer of the service has more headers.
fn parsed(bytes: &[u8]) -> Option<(Code, &str)> {
    let mut lines = str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?.split("\r\n");
    let code = match lines.next()?.strip_prefix("HTTP/1.1 ")? {
        "400 Bad Request" => Code::BadRequest,
        "408 Request Timeout" => Code::RequestTimeout,
        "431 Request Header Fields Too Large" => Code::RequestHeaderFieldsTooLarge,
        _ => return None,
    };
    let mut date = None;
    for line in lines {
        match line.split_once(": ")? {
            ("content-length", "0") | ("connection", "close") => {}
            ("date", value) => date = Some(value),
            _ => return None,
        }
    }
    Some((code, date?))
}

fn answer(code: Code, date: &str, id: &str) -> Vec<u8> {
    let body = json!({"error": {"code": code.as_str(), "message": code.message()}}).to_string();
    let (status, length) = (code.status(), body.len());
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\ncontent-type: application/json\r\n\
         cache-control: private, no-store\r\nx-request-id: {id}\r\nconnection: close\r\ndate: {date}\r\n\r\n{body}"
    )
    .into_bytes()
}

impl<T: AsyncWrite + Unpin> ParserErrors<T> {
    /// Writes the replacement; done once all of it is written.
    fn poll_replacement(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let Some(answer) = &mut self.answer else { return Poll::Ready(Ok(0)) };
        while let Some(rest) = answer.bytes.get(answer.written..).filter(|rest| !rest.is_empty()) {
            match ready!(Pin::new(&mut self.io).poll_write(cx, rest))? {
                0 => return Poll::Ready(Ok(0)),
                written => answer.written += written,
            }
        }
        let replaced = answer.replaces;
        self.answer = None;
        Poll::Ready(Ok(replaced))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for ParserErrors<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for ParserErrors<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.answer.is_some() {
            return self.poll_replacement(cx);
        }
        let rejected = parsed(bytes).filter(|_| !self.is_begun);
        self.is_begun = true;
        let Some((code, date)) = rejected else {
            return Pin::new(&mut self.io).poll_write(cx, bytes);
        };
        let bytes_of_answer = answer(code, date, &self.ids.next().to_string());
        self.answer =
            Some(Replacement { bytes: bytes_of_answer, written: 0, replaces: bytes.len() });
        self.poll_replacement(cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use uuid::Uuid;

    use super::*;

    struct OneId;

    impl Ids for OneId {
        fn next(&self) -> Uuid {
            Uuid::nil()
        }
    }

    const BEFORE: &str =
        "HTTP/1.1 204 No Content\r\nx-request-id: 1\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n";
    const REJECTED: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\
         date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n";

    /// What a client receives of these writes if only a few bytes fit into the connection at once.
    async fn received(sent: &[&str]) -> String {
        let (near, mut far) = tokio::io::duplex(7);
        let mut connection = ParserErrors::new(near, Arc::new(OneId));
        let write = async {
            for part in sent {
                connection.write_all(part.as_bytes()).await.unwrap();
            }
            connection.shutdown().await.unwrap();
        };
        let mut received = String::new();
        let ((), read) = tokio::join!(write, far.read_to_string(&mut received));
        read.unwrap();
        received
    }

    #[tokio::test]
    async fn the_first_answer_of_a_connection_gets_the_envelope_if_it_is_of_the_parser() {
        let answer = received(&[REJECTED]).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
        assert!(head.contains("x-request-id: 00000000-0000-0000-0000-000000000000\r\n"), "{head}");
        assert!(head.ends_with("date: Thu, 01 Jan 1970 00:00:00 GMT"), "{head}");
        assert!(body.starts_with("{\"error\":{\"code\":\"BAD_REQUEST\","), "{body}");
    }

    #[tokio::test]
    async fn other_answers_are_passed_on_unchanged() {
        let own = REJECTED.replace("date:", "x-request-id: 1\r\ndate:");
        let other = REJECTED.replace("400 Bad Request", "404 Not Found");
        let text = format!("{REJECTED}and more");
        for answer in [BEFORE, &own, &other, &text, "\r\n\r\n", ""] {
            assert_eq!(received(&[answer]).await, answer);
        }
    }

    /// A body may contain the text of an answer.
    #[tokio::test]
    async fn later_writes_are_passed_on_unchanged() {
        let whole = format!("{BEFORE}{REJECTED}");
        assert_eq!(received(&[BEFORE, REJECTED]).await, whole);
        assert_eq!(received(&[&whole, REJECTED]).await, format!("{whole}{REJECTED}"));
    }
}
