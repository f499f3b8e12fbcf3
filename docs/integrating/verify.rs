//! Whether a webhook is from Contact Hub and unchanged; with the crates `hmac` 0.13 and `sha2` 0.11.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// `body` is the raw body, `signatures` the values of Service-Signature and Service-Signature-Previous.
pub(crate) fn verify(secret: &str, body: &[u8], signatures: &[&str]) -> bool {
    // Without a secret, anybody could sign.
    if secret.len() < 16 {
        return false;
    }
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
    let mac = mac.chain_update(body);
    let received = signatures.iter().filter_map(|signature| from_hex(signature));
    // The comparison takes the same time wherever the two differ.
    received.into_iter().any(|received| mac.clone().verify_slice(&received).is_ok())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    digits?
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(high << 4 | low),
            _ => None,
        })
        .collect()
}
