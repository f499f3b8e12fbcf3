//! The form encoding of the URL standard: `+` is a space, `%` with two hexadecimal digits a byte, any other `%` itself.

use std::borrow::Cow;

use crate::text;
use crate::violations::Problem;

/// The text of a value, or why there is none.
pub(super) fn value(encoded: &str) -> Result<Cow<'_, str>, Problem> {
    let decoded = match bytes(encoded) {
        None => Cow::Borrowed(encoded),
        Some(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Cow::Owned(text),
            Err(_) => return Err(Problem::new("must be UTF-8 text")),
        },
    };
    text::without_nul(&decoded)?;
    Ok(decoded)
}

/// The text of a key; what is no UTF-8 in it becomes U+FFFD, which is in no key that is known.
pub(super) fn key(encoded: &str) -> Cow<'_, str> {
    match bytes(encoded) {
        None => Cow::Borrowed(encoded),
        Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The decoded bytes; `None` when there is nothing to decode.
fn bytes(encoded: &str) -> Option<Vec<u8>> {
    if !encoded.contains(['%', '+']) {
        return None;
    }
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, after) = match first {
            b'+' => (b' ', tail),
            b'%' => escaped(tail).unwrap_or((b'%', tail)),
            other => (*other, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    Some(bytes)
}

fn escaped(rest: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, after @ ..] = rest else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = digit(*high)? * 16 + digit(*low)?;
    Some((u8::try_from(byte).ok()?, after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::form_urlencoded::byte_serialize;

    use super::{key, value};

    #[test]
    fn decodes_what_is_encoded_and_keeps_the_rest() {
        for (encoded, decoded) in [
            ("", ""),
            ("a+b%20c", "a b c"),
            ("%c3%A4 ä", "ä ä"),
            ("50%", "50%"),
            ("%zz%4", "%zz%4"),
            ("%%41", "%A"),
            ("%+1", "% 1"),
            ("a%2Bb", "a+b"),
        ] {
            assert_eq!(value(encoded).as_deref(), Ok(decoded), "{encoded}");
            assert_eq!(key(encoded), decoded);
        }
    }

    #[test]
    fn refuses_what_is_no_text() {
        for encoded in ["%ff", "%c3", "a%00b", "\0"] {
            assert!(value(encoded).is_err(), "{encoded:?}");
        }
        assert_eq!(key("a%ff"), "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[^\0]*") {
            let encoded: String = byte_serialize(text.as_bytes()).collect();
            prop_assert_eq!(value(&encoded).expect("text"), text);
        }
    }
}
