//! A key that is accepted has 1 to 255 visible ASCII characters, and is the text that was sent.

#![no_main]

use contact_hub_domain::idempotency::{IdempotencyKey, MAX_IDEMPOTENCY_KEY};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let is_key = (1..=MAX_IDEMPOTENCY_KEY).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic);
    let key = IdempotencyKey::parse(bytes).ok();
    assert_eq!(key.as_ref().map(|key| key.as_str().as_bytes()), is_key.then_some(bytes));
});
