//! The form encoding of the URL standard: `+` is a space, `%` with two hexadecimal digits a byte, any other `%` is
//! kept.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use contact_hub_domain::text;
use contact_hub_domain::violations::Problem;

/// Decodes a value.
pub(super) fn value(encoded: &str) -> Result<String, Problem> {
    let spaced = spaced(encoded);
    let decoded = percent_decode_str(&spaced).decode_utf8();
    let decoded = decoded.map_err(|_not_utf8| Problem::new("must be UTF-8 text"))?;
    text::without_nul(&decoded)?;
    Ok(decoded.into_owned())
}

/// The text of a key; invalid UTF-8 becomes U+FFFD, which no known key contains.
pub(super) fn key(encoded: &str) -> Cow<'_, str> {
    match spaced(encoded) {
        Cow::Borrowed(text) => percent_decode_str(text).decode_utf8_lossy(),
        Cow::Owned(text) => percent_decode_str(&text).decode_utf8_lossy().into_owned().into(),
    }
}

/// The text with its `+` as spaces; the same text when it has none, since most keys have none.
fn spaced(encoded: &str) -> Cow<'_, str> {
    if encoded.contains('+') { encoded.replace('+', " ").into() } else { encoded.into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::form_urlencoded::byte_serialize;

    use super::{key, value};

    #[test]
    fn decodes_encoded_characters_and_keeps_the_rest() {
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
    fn rejects_what_is_not_text() {
        for encoded in ["%ff", "%c3", "a%00b", "\0"] {
            assert!(value(encoded).is_err(), "{encoded:?}");
        }
        assert_eq!(key("a%ff"), "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_text_survives_a_round_trip(text in "[^\0]*") {
            let encoded: String = byte_serialize(text.as_bytes()).collect();
            prop_assert_eq!(value(&encoded).expect("text"), text);
        }
    }
}
