//! The headers by which a receiver verifies that a delivery is authentic and unchanged.
//!
//! Both kinds sign the exact bytes that are sent. `Service-Signature` is the HMAC-SHA256 of the body alone. The headers
//! of the Standard Webhooks specification (<https://github.com/standard-webhooks/standard-webhooks>) sign id, timestamp
//! and body, so that a replay can be detected.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Secret;
use crate::ids::EventId;
use crate::time::Timestamp;

/// Signs a body for an attempt at this moment, with the secrets that are valid then, newest first. Further secrets are
/// earlier ones that are still valid.
#[must_use]
pub fn signature_headers(
    event: EventId,
    at: Timestamp,
    secrets: &[Secret],
    body: &[u8],
) -> Vec<(&'static str, String)> {
    let id = event.to_string();
    let seconds = at.micros().div_euclid(1_000_000).to_string();
    let standard: Vec<String> =
        secrets.iter().map(|secret| standard_signature(secret, &id, &seconds, body)).collect();
    let service = ["Service-Signature", "Service-Signature-Previous"];
    let service = service.into_iter().zip(secrets);
    let service = service.map(|(name, secret)| (name, service_signature(secret, body)));
    let mut headers: Vec<_> = service.collect();
    headers.push(("webhook-id", id));
    headers.push(("webhook-timestamp", seconds));
    headers.push(("webhook-signature", standard.join(" ")));
    headers
}

fn service_signature(secret: &Secret, body: &[u8]) -> String {
    hex::encode(hmac_sha256(secret.service_key(), &[body]))
}

fn standard_signature(secret: &Secret, id: &str, seconds: &str, body: &[u8]) -> String {
    let parts = [id.as_bytes(), b".", seconds.as_bytes(), b".", body];
    format!("v1,{}", BASE64_STANDARD.encode(hmac_sha256(&secret.library_key(), &parts)))
}

pub(crate) fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "RFC 2104, section 2: the key can be of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use standardwebhooks::Webhook;
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::{hmac_sha256, signature_headers};
    use crate::ids::EventId;
    use crate::input::FromText;
    use crate::time::Timestamp;
    use crate::webhooks::Secret;

    const BODY: &str = r#"{"asset_name":"Grüße 🎂 \u00e9\"","n":1}"#;

    type Headers = Vec<(&'static str, String)>;

    #[expect(clippy::disallowed_methods, reason = "the library compares with the machine's clock")]
    fn now() -> Timestamp {
        Timestamp::from_clock(OffsetDateTime::now_utc())
    }

    fn signed(secrets: &[Secret], at: Timestamp) -> Headers {
        signature_headers(EventId::new(Uuid::from_u128(9)), at, secrets, BODY.as_bytes())
    }

    fn verifies(secret: &Secret, body: &str, headers: &Headers) -> bool {
        let library = Webhook::new(&secret.library_form()).expect("the library takes the secret");
        let headers = headers.iter().map(|(name, value)| {
            (name.parse().expect("a header's name"), value.parse().expect("a header's value"))
        });
        library.verify(body.as_bytes(), &headers.collect()).is_ok()
    }

    fn value<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
        headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn matches_the_published_test_vectors() {
        // RFC 4231, test cases 2 and 6.
        let digest = hmac_sha256(b"Jefe", &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(digest[..4], [0x5b, 0xdc, 0xc1, 0x46]);
        let long = b"Test Using Larger Than Block-Size Key - Hash Key First";
        assert_eq!(hmac_sha256(&[0xaa; 131], &[long])[..4], [0x60, 0xe4, 0x31, 0x59]);
    }

    #[test]
    fn the_library_of_the_specification_verifies_every_form_of_secret() {
        let form = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        for secret in [Secret::from_random([3; 32]), typed("correct horse bättery"), typed(form)] {
            let headers = signed(std::slice::from_ref(&secret), now());
            assert!(verifies(&secret, BODY, &headers));
            assert!(!verifies(&secret, &BODY.replace('1', "2"), &headers), "a changed byte");
            let old = signed(std::slice::from_ref(&secret), now().plus_seconds(-360));
            assert!(!verifies(&secret, BODY, &old), "a replay after six minutes");
            assert!(!verifies(&Secret::from_random([4; 32]), BODY, &headers), "another secret");
        }
    }

    #[test]
    fn during_a_rotation_both_secrets_verify() {
        let (new, old) = (Secret::from_random([1; 32]), typed("an old secret, typed"));
        let headers = signed(&[new.clone(), old.clone()], now());
        assert!(verifies(&new, BODY, &headers) && verifies(&old, BODY, &headers));
        let both = value(&headers, "webhook-signature").expect("a signature");
        let newest = signed(std::slice::from_ref(&new), now());
        assert!(both.starts_with(value(&newest, "webhook-signature").expect("a signature")));
        assert_eq!(value(&headers, "Service-Signature"), value(&newest, "Service-Signature"));
        let oldest = signed(std::slice::from_ref(&old), now());
        let previous = value(&headers, "Service-Signature-Previous");
        assert_eq!(previous, value(&oldest, "Service-Signature"));
        assert_eq!(value(&newest, "Service-Signature-Previous"), None);
    }

    fn typed(text: &str) -> Secret {
        Secret::from_text(text).expect(text)
    }

    proptest! {
        #[test]
        fn the_service_signature_is_lower_case_hex_of_all_32_bytes(secret in "\\PC{16,80}") {
            if let Ok(secret) = Secret::from_text(&secret) {
                let headers = signed(&[secret], Timestamp::MIN);
                let hex = value(&headers, "Service-Signature").expect("a signature");
                prop_assert_eq!(hex.len(), 64);
                prop_assert!(hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
                prop_assert!(value(&headers, "webhook-timestamp").expect("a time").starts_with('-'));
            }
        }
    }
}
