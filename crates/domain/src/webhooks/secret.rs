//! The shared secret of a webhook, and the two signing keys derived from it.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use zeroize::Zeroizing;

use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// The shortest secret that a person may choose, in code points.
pub const MIN_SECRET: usize = 16;
/// The longest secret, in code points.
pub const MAX_SECRET: usize = 256;

/// The prefix of a secret in the form of the Standard Webhooks specification.
const PREFIX: &str = "whsec_";

/// A webhook's secret, erased from memory when dropped. Its `Debug` output does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Creates a secret from 32 random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        let bytes = Zeroizing::new(bytes);
        Self(encoded(bytes.as_slice()))
    }

    /// Wraps a secret that a vault opened.
    #[must_use]
    pub fn from_stored(secret: Zeroizing<String>) -> Self {
        Self(secret)
    }

    /// The secret, to show it once or seal it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The form for the libraries of the Standard Webhooks specification.
    #[must_use]
    pub fn library_form(&self) -> Zeroizing<String> {
        match decoded(&self.0) {
            Some(_) => self.0.clone(),
            None => encoded(self.0.as_bytes()),
        }
    }

    /// The key of `Service-Signature`: the text as it was entered.
    pub(super) fn service_key(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The key of `webhook-signature`: the bytes that a `whsec_` secret encodes, otherwise the text as it was entered.
    pub(super) fn library_key(&self) -> Zeroizing<Vec<u8>> {
        decoded(&self.0).unwrap_or_else(|| Zeroizing::new(self.0.as_bytes().to_vec()))
    }
}

impl FromText for Secret {
    /// A secret is kept as it was entered, because the receiver uses the same text. White space around it does not
    /// count towards its length.
    fn from_text(text: &str) -> Result<Self, Problem> {
        let secret = text::bounded(text::without_controls(text)?, MAX_SECRET)?;
        if text::trimmed(secret).chars().count() < MIN_SECRET {
            let sentence = format!("must be at least {MIN_SECRET} characters long");
            return Err(Problem::new(sentence));
        }
        Ok(Self(Zeroizing::new(secret.to_owned())))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

fn encoded(key: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(PREFIX.len() + key.len().div_ceil(3) * 4));
    text.push_str(PREFIX);
    BASE64_STANDARD.encode_string(key, &mut text);
    text
}

/// The key of a secret in the specification's form, which has 24 to 64 bytes.
fn decoded(secret: &str) -> Option<Zeroizing<Vec<u8>>> {
    let key = Zeroizing::new(BASE64_STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?);
    (24..=64).contains(&key.len()).then_some(key)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    use super::Secret;
    use crate::input::FromText;

    fn typed(text: &str) -> Secret {
        Secret::from_text(text).expect(text)
    }

    #[test]
    fn a_generated_secret_has_the_format_of_the_library() {
        let secret = Secret::from_random([7; 32]);
        assert_eq!(secret.reveal(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(*secret.library_form(), secret.reveal());
        assert_eq!(*secret.library_key(), [7; 32]);
        assert_eq!(secret.service_key(), secret.reveal().as_bytes());
    }

    #[test]
    fn a_custom_secret_is_kept_as_entered() {
        let secret = typed(" correct horse bättery ");
        assert_eq!(secret.reveal(), " correct horse bättery ");
        assert_eq!(*secret.library_key(), secret.service_key());
    }

    #[test]
    fn only_24_to_64_encoded_bytes_are_in_the_format_of_the_library() {
        for (length, is_form) in [(23, false), (24, true), (64, true), (65, false)] {
            let text = format!("whsec_{}", BASE64_STANDARD.encode(vec![1; length]));
            let secret = typed(&text);
            let key = if is_form { vec![1; length] } else { text.clone().into_bytes() };
            assert_eq!(*secret.library_key(), key, "{length}");
        }
        let broken = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA!";
        assert_eq!(*typed(broken).library_key(), broken.as_bytes());
    }

    #[test]
    fn rejects_secrets_that_are_too_short_too_long_or_not_text() {
        let spaced = format!("{}{}", " ".repeat(20), "short");
        for text in ["fifteen letters", spaced.as_str(), &"x".repeat(257), "sixteen\u{0}characters"]
        {
            assert!(Secret::from_text(text).is_err(), "{text}");
        }
        assert!(Secret::from_text("sixteen letters!").is_ok());
    }

    #[test]
    fn debug_shows_nothing() {
        assert_eq!(format!("{:?}", typed("correct horse battery")), "Secret(…)");
    }

    proptest! {
        #[test]
        fn the_format_of_the_library_is_decoded_to_its_key(text in "\\PC{16,48}") {
            if let Ok(secret) = Secret::from_text(&text) {
                let form = secret.library_form();
                let encoded = form.strip_prefix("whsec_").expect("the library's form");
                let decoded = BASE64_STANDARD.decode(encoded).expect("base64");
                prop_assert_eq!(decoded, secret.library_key().to_vec());
            }
        }
    }
}
