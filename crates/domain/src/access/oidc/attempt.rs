//! A sign-in that has begun.

use crate::access::TokenHash;
use crate::ids::SessionId;
use crate::time::Timestamp;

/// How many seconds a person may spend at the provider.
pub const OIDC_SECONDS: i64 = 10 * 60;

/// The maximum number of sign-ins that may be in progress; another one ends the oldest.
pub const OIDC_ATTEMPTS: u32 = 10_000;

/// The longest address to which a sign-in redirects at its end, in bytes.
pub const MAX_OIDC_NEXT: usize = 2000;

/// A sign-in that has begun in a browser, and waits for the provider's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcAttempt {
    /// The hash of the browser's secret.
    pub browser: TokenHash,
    /// The key of the provider.
    pub provider: String,
    /// The page to which the person is redirected at the end.
    pub next: String,
    /// The session whose user confirms who they are; `None` to sign in.
    pub session: Option<SessionId>,
    /// When it began.
    pub started_at: Timestamp,
}

impl OidcAttempt {
    /// Whether an answer is still accepted.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.started_at.plus_seconds(OIDC_SECONDS)
    }
}
