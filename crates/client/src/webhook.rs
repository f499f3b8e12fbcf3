//! Whether a webhook is from the service, unchanged and recent.

use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::hub::now;

/// By how much the clocks may differ, and how old an attempt may be.
const TOLERANCE: Duration = Duration::from_mins(5);

/// The shortest secret, in bytes. With an empty one, anybody could sign.
const SHORTEST_SECRET: usize = 16;

/// A webhook as it was received.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedWebhook<'a> {
    /// The header `webhook-id`. It is the same in every attempt.
    pub id: &'a str,
    /// The header `webhook-timestamp`.
    pub timestamp: &'a str,
    /// The header `webhook-signature`.
    pub signature: &'a str,
    /// The body exactly as it was received.
    pub body: &'a [u8],
}

/// Why a webhook must be rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookVerificationError {
    /// A secret is shorter than 16 characters.
    #[error("the secret is too short")]
    Secret,
    /// It was signed more than five minutes ago, or in the future.
    #[error("the webhook is too old, or the clocks differ")]
    Time,
    /// No signature is valid.
    #[error("no signature of the webhook is valid")]
    Signature,
}

/// Verifies the headers of the Standard Webhooks specification, in constant time. During a rotation there are two secrets.
pub fn verify_webhook(
    webhook: &ReceivedWebhook<'_>,
    secrets: &[&str],
) -> Result<(), WebhookVerificationError> {
    let now = now().duration_since(UNIX_EPOCH).unwrap_or_default();
    verify_at(webhook, secrets, now.as_secs())
}

fn verify_at(
    webhook: &ReceivedWebhook<'_>,
    secrets: &[&str],
    now: u64,
) -> Result<(), WebhookVerificationError> {
    let ReceivedWebhook { id, timestamp, signature, body } = *webhook;
    if secrets.iter().any(|secret| secret.len() < SHORTEST_SECRET) {
        return Err(WebhookVerificationError::Secret);
    }
    let is_number = timestamp.bytes().all(|byte| byte.is_ascii_digit());
    let signed_at = timestamp.parse::<u64>().ok().filter(|_| is_number);
    let signed_at = signed_at.ok_or(WebhookVerificationError::Time)?;
    if now.abs_diff(signed_at) > TOLERANCE.as_secs() {
        return Err(WebhookVerificationError::Time);
    }
    let given = signature.split(' ').filter_map(|one| one.strip_prefix("v1,"));
    let given: Vec<Vec<u8>> = given.filter_map(|one| BASE64_STANDARD.decode(one).ok()).collect();
    let parts = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body];
    let is_signed = |secret: &&str| given.iter().any(|it| is_mac(&key(secret), &parts, it));
    if secrets.iter().any(is_signed) { Ok(()) } else { Err(WebhookVerificationError::Signature) }
}

/// Compares in constant time.
fn is_mac(key: &[u8], parts: &[&[u8]], given: &[u8]) -> bool {
    let Ok(mut expected) = Hmac::<Sha256>::new_from_slice(key) else { return false };
    for part in parts {
        expected.update(part);
    }
    expected.verify_slice(given).is_ok()
}

/// A secret of the form `whsec_` encodes 24 to 64 bytes. Any other secret is used as it is.
fn key(secret: &str) -> Vec<u8> {
    let decoded = secret.strip_prefix("whsec_").and_then(|text| BASE64_STANDARD.decode(text).ok());
    let decoded = decoded.filter(|key| (24..=64).contains(&key.len()));
    decoded.unwrap_or_else(|| secret.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::{ReceivedWebhook, WebhookVerificationError, key, verify_at};

    // Computed with `openssl dgst -sha256 -hmac` for this secret, and "msg_1.1700000000." before the body.
    const SECRET: &str = "correct horse battery";
    const GOOD: ReceivedWebhook<'_> = ReceivedWebhook {
        id: "msg_1",
        timestamp: "1700000000",
        signature: "v1,8/yGA/kO91NPJKww85vGjG38qs7Yc/+vYXVo/PTi1Nk=",
        body: br#"{"event":"test"}"#,
    };
    const NOW: u64 = 1_700_000_000;

    #[test]
    fn a_webhook_that_is_signed_with_one_of_the_secrets_is_accepted() {
        assert_eq!(verify_at(&GOOD, &["another secret of 16", SECRET], NOW), Ok(()));
        let several = format!("v2,x v1,? {}", GOOD.signature);
        let webhook = ReceivedWebhook { signature: &several, ..GOOD };
        assert_eq!(verify_at(&webhook, &[SECRET], NOW + 300), Ok(()));
    }

    #[test]
    fn any_other_webhook_is_rejected() {
        let wrong = Err(WebhookVerificationError::Signature);
        for webhook in [
            ReceivedWebhook { body: br#"{"event":"tesT"}"#, ..GOOD },
            ReceivedWebhook { id: "msg_2", ..GOOD },
            ReceivedWebhook { timestamp: "1700000001", ..GOOD },
            ReceivedWebhook { signature: "", ..GOOD },
            ReceivedWebhook { signature: "v1,", ..GOOD },
            ReceivedWebhook { signature: "v1,é", ..GOOD },
        ] {
            assert_eq!(verify_at(&webhook, &[SECRET], NOW), wrong, "{webhook:?}");
        }
        assert_eq!(verify_at(&GOOD, &["another secret of 16"], NOW), wrong);
        assert_eq!(verify_at(&GOOD, &[], NOW), wrong);
        let short = verify_at(&GOOD, &[SECRET, "short"], NOW);
        assert_eq!(short, Err(WebhookVerificationError::Secret));
        for (timestamp, now) in
            [("1700000000", NOW + 301), ("1700000000", NOW - 301), ("²", NOW), ("+1700000000", NOW)]
        {
            let rejected = verify_at(&ReceivedWebhook { timestamp, ..GOOD }, &[SECRET], now);
            assert_eq!(rejected, Err(WebhookVerificationError::Time), "{timestamp} {now}");
        }
    }

    #[test]
    fn a_secret_in_another_spelling_of_base64_is_used_as_it_is() {
        let decoded = key("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==");
        assert_eq!(decoded, (0..25_u8).collect::<Vec<_>>());
        for secret in [
            "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGB==",
            "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA",
        ] {
            assert_eq!(key(secret), secret.as_bytes());
        }
    }
}
