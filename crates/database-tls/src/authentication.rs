//! The first answers of a server, up to its request for authentication.
//!
//! With TLS a server offers `SCRAM-SHA-256-PLUS`, which binds the password to the TLS connection. libpq sees no TLS, and
//! rejects a server that offers it. So it is taken out of the offer, and libpq authenticates by `SCRAM-SHA-256`.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// The longest message that is read as a whole; libpq permits no longer errors.
const MAX_MESSAGE: usize = 32 << 10;

/// The code of a request for authentication by SASL, and the mechanism that is taken out.
const SASL: &[u8] = &[0, 0, 0, 10];
const WITH_BINDING: &[u8] = b"SCRAM-SHA-256-PLUS";

/// Forwards the first answers. Returns whether there was one.
pub(crate) async fn carry_first(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
) -> io::Result<bool> {
    let mut kind = [0];
    let mut has_answered = false;
    while from.read(&mut kind).await? > 0 {
        has_answered = true;
        let length = from.read_u32().await?;
        let size = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(4);
        if size > MAX_MESSAGE {
            // An error in the form of very old servers, which has no length.
            to.write_all(&[kind.as_slice(), &length.to_be_bytes()].concat()).await?;
            break;
        }
        let mut body = vec![0; size];
        from.read_exact(&mut body).await?;
        let body = if kind == *b"R" { without_binding(body) } else { body };
        to.write_all(&message(kind, &body)).await?;
        // Notices, and what the server says about the version of the protocol, come before the request.
        if !matches!(&kind, b"N" | b"v") {
            break;
        }
    }
    Ok(has_answered)
}

fn message(kind: [u8; 1], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    [kind.as_slice(), &length.to_be_bytes(), body].concat()
}

/// The body of a request for authentication, whose mechanisms are texts that end with a zero.
fn without_binding(body: Vec<u8>) -> Vec<u8> {
    let Some(mechanisms) = body.strip_prefix(SASL) else { return body };
    let kept = mechanisms.split_inclusive(|byte| *byte == 0);
    let kept = kept.filter(|mechanism| mechanism.strip_suffix(&[0]) != Some(WITH_BINDING));
    [SASL, &kept.flatten().copied().collect::<Vec<u8>>()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn carried(answers: &[u8]) -> (bool, Vec<u8>, Vec<u8>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (mut rest, mut written) = (answers, Vec::new());
        let outcome = runtime.block_on(carry_first(&mut rest, &mut written));
        (outcome.unwrap_or(true), written, rest.to_vec())
    }

    #[test]
    fn the_mechanism_that_needs_tls_is_removed_from_the_offer() {
        let offer = b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0";
        let answers = [message(*b"N", b"notice"), message(*b"R", offer), b"rest".to_vec()].concat();
        let (has_answered, written, rest) = carried(&answers);
        let expected = b"\0\0\0\x0aSCRAM-SHA-256\0\0";
        assert!(has_answered);
        assert_eq!(written, [message(*b"N", b"notice"), message(*b"R", expected)].concat());
        assert_eq!(rest, b"rest");
    }

    #[test]
    fn everything_else_is_forwarded_unchanged() {
        for body in [b"\0\0\0\0".as_slice(), b"\0\0\0\x05salt", b""] {
            let answer = message(*b"R", body);
            assert_eq!(carried(&answer), (true, answer, Vec::new()));
        }
        let old = b"Ecould not fork: no memory\n\0".as_slice();
        let (_, mut written, rest) = carried(old);
        written.extend(rest);
        assert_eq!(written, old);
        assert_eq!(carried(b""), (false, Vec::new(), Vec::new()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _outcome = carried(&bytes);
        }
    }
}
