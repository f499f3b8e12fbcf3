//! The values of a sign-in that are derived from one secret of the browser.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::access::{SessionToken, TokenHash};

/// The values of a sign-in that are derived from the browser's secret. None of them reveals the secret or another one.
pub(super) struct Derived<'a>(pub(super) &'a SessionToken);

impl Derived<'_> {
    /// The state, which comes back with the answer.
    pub(super) fn state(&self) -> String {
        self.derive("state")
    }

    /// The nonce, which the provider puts into its token.
    pub(super) fn nonce(&self) -> String {
        self.derive("nonce")
    }

    /// The code verifier of RFC 7636: 43 characters.
    pub(super) fn verifier(&self) -> String {
        self.derive("verifier")
    }

    /// Whether a returned state is this one, compared in constant time.
    pub(super) fn is_state(&self, given: &str) -> bool {
        TokenHash::of(&self.state()) == TokenHash::of(given)
    }

    fn derive(&self, purpose: &str) -> String {
        let text = format!("sign-in by a provider: {purpose} {}", self.0.reveal());
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Derived;
    use crate::access::SessionToken;

    proptest! {
        #[test]
        fn every_value_is_different_and_bound_to_one_browser(one: [u8; 32], other: [u8; 32]) {
            prop_assume!(one != other);
            let (one, other) = (SessionToken::from_random(one), SessionToken::from_random(other));
            let (one, other) = (Derived(&one), Derived(&other));
            let mut all = vec![one.state(), one.nonce(), one.verifier()];
            all.extend([other.state(), other.nonce(), other.verifier()]);
            prop_assert!(all.iter().all(|value| value.len() == 43));
            prop_assert!(one.is_state(&one.state()) && !one.is_state(&other.state()));
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(all.len(), 6);
        }
    }
}
