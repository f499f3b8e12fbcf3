//! Verifies that a webhook was sent by the service, unchanged and recently.

use actix_web::http::header::HeaderMap;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How many seconds the webhook's time may differ from the current time.
pub const TOLERANCE: i64 = 300;

/// The shortest secret that the service generates or accepts, in bytes.
const MIN_SECRET: usize = 16;

/// Why a webhook is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forged {
    /// The secret is empty or too short to prove anything.
    #[error("the secret is empty or shorter than 16 characters")]
    Secret,
    /// No `Service-Signature` matches the body.
    #[error("no Service-Signature matches the body: the secret or the bytes differ")]
    Service,
    /// No `webhook-signature` matches id, time and body.
    #[error("no webhook-signature matches the id, the time and the body")]
    Standard,
    /// It was signed too long ago, or too far in the future.
    #[error("it was not signed within the last five minutes")]
    Time,
}

/// Verifies both signatures over the bytes as received. `now` is in seconds since the Unix epoch.
///
/// `Service-Signature` covers the body only. The time can be trusted because `webhook-signature` covers it.
pub fn verify(secret: &str, headers: &HeaderMap, body: &[u8], now: i64) -> Result<(), Forged> {
    if secret.len() < MIN_SECRET {
        return Err(Forged::Secret);
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // During a rotation the secret known here may already be the previous one.
    let services = ["service-signature", "service-signature-previous"].map(text);
    let mut services = services.into_iter().flatten().filter_map(|text| hex::decode(text).ok());
    if !services.any(|mac| is_mac(secret.as_bytes(), &[body], &mac)) {
        return Err(Forged::Service);
    }
    let (id, time) = (text("webhook-id").unwrap_or(""), text("webhook-timestamp").unwrap_or(""));
    let parts = [id.as_bytes(), b".", time.as_bytes(), b".", body];
    let key = standard_key(secret);
    let listed = text("webhook-signature").unwrap_or("").split(' ');
    let mut standards =
        listed.filter_map(|one| BASE64_STANDARD.decode(one.strip_prefix("v1,")?).ok());
    if !standards.any(|mac| is_mac(&key, &parts, &mac)) {
        return Err(Forged::Standard);
    }
    let time: i64 = time.parse().map_err(|_no_number| Forged::Time)?;
    if now.abs_diff(time) > TOLERANCE.unsigned_abs() { Err(Forged::Time) } else { Ok(()) }
}

/// Compares in constant time.
fn is_mac(key: &[u8], parts: &[&[u8]], mac: &[u8]) -> bool {
    let Ok(mut expected) = Hmac::<Sha256>::new_from_slice(key) else { return false };
    for part in parts {
        expected.update(part);
    }
    expected.verify_slice(mac).is_ok()
}

/// The key of `webhook-signature`: the decoded bytes of a `whsec_` secret of 24 to 64 bytes, else the secret's own
/// bytes.
fn standard_key(secret: &str) -> Vec<u8> {
    let encoded = secret.strip_prefix("whsec_");
    let decoded = encoded.and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    let fits = decoded.filter(|key| (24..=64).contains(&key.len()));
    fits.unwrap_or_else(|| secret.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{Forged, verify};

    // Computed with `openssl dgst -sha256 -hmac` for this secret and body, and for "msg_1.1700000000." before the body.
    const SECRET: &str = "correct horse battery";
    const BODY: &[u8] = br#"{"event":"test"}"#;
    const HEX: &str = "d0c2d28165130c222d9e647d5894e43314539a0e328d320db3624371c2472125";
    const STANDARD: &str = "v1,8/yGA/kO91NPJKww85vGjG38qs7Yc/+vYXVo/PTi1Nk=";
    const AT: i64 = 1_700_000_000;

    fn headers(service: &str, hex: &str, standard: &str) -> HeaderMap {
        let at = AT.to_string();
        let all = [
            (service, hex),
            ("webhook-id", "msg_1"),
            ("webhook-timestamp", &at),
            ("webhook-signature", standard),
        ];
        let pair = |(name, value): (&str, &str)| {
            (name.to_lowercase().parse().expect("a name"), value.parse().expect("a value"))
        };
        let pairs: Vec<(HeaderName, HeaderValue)> = all.into_iter().map(pair).collect();
        pairs.into_iter().collect()
    }

    #[test]
    fn accepts_either_service_signature_and_any_standard_one() {
        let older = format!("v1,AAAA {STANDARD}");
        for service in ["Service-Signature", "Service-Signature-Previous"] {
            for standard in [STANDARD, &older] {
                assert_eq!(verify(SECRET, &headers(service, HEX, standard), BODY, AT), Ok(()));
            }
        }
    }

    #[test]
    fn rejects_changed_and_old_deliveries() {
        let good = headers("Service-Signature", HEX, STANDARD);
        assert_eq!(verify("another secret that is long", &good, BODY, AT), Err(Forged::Service));
        assert_eq!(verify(SECRET, &good, br#"{"event":"tesT"}"#, AT), Err(Forged::Service));
        assert_eq!(verify(SECRET, &HeaderMap::new(), BODY, AT), Err(Forged::Service));
        for short in ["", "fifteen letters"] {
            assert_eq!(verify(short, &good, BODY, AT), Err(Forged::Secret));
        }
        for hex in ["", "0", "zz", "é"] {
            let headers = headers("Service-Signature", hex, STANDARD);
            assert_eq!(verify(SECRET, &headers, BODY, AT), Err(Forged::Service), "{hex}");
        }
        let mut moved = good.clone();
        moved.insert(HeaderName::from_static("webhook-timestamp"), (AT + 1).into());
        assert_eq!(verify(SECRET, &moved, BODY, AT), Err(Forged::Standard));
        for (now, is_new) in [(-301, false), (-300, true), (300, true), (301, false)] {
            assert_eq!(verify(SECRET, &good, BODY, AT + now).is_ok(), is_new, "{now}");
        }
    }
}
