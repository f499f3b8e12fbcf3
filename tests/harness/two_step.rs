//! An authenticator app for tests.

use contact_hub_domain::time::Timestamp;
use totp_rs::{Builder, Secret};

/// The code that an app with this secret shows at a given time.
#[must_use]
pub fn code_at(secret: &str, at: Timestamp) -> String {
    let secret = Secret::try_from_base32(secret).expect("a secret");
    let app = Builder::new().with_secret(secret).build().expect("an app");
    app.generate(u64::try_from(at.micros() / 1_000_000).expect("after 1970")).to_string()
}
