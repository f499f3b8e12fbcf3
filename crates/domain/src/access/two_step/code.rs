//! The codes of an app.

use std::fmt;

use totp_rs::{Builder, Secret as Shared, Totp};
use zeroize::Zeroizing;

use crate::email::Email;
use crate::time::Timestamp;
use crate::webhooks::Secret;

/// The length of a secret, in bytes, as RFC 4226 recommends.
const BYTES: usize = 20;

/// How many steps the clocks of app and service may differ.
const SKEW: u16 = 1;

/// What the app shows above the code.
const ISSUER: &str = "Contact Hub";

/// The secret from which an app computes codes. Its `Debug` output does not contain it.
#[derive(Clone)]
pub struct CodeSecret(Zeroizing<String>);

impl CodeSecret {
    /// Creates a secret from random bytes.
    #[must_use]
    pub fn from_random(random: [u8; 32]) -> Self {
        let random = Zeroizing::new(random);
        let bytes = random.first_chunk::<BYTES>().copied().unwrap_or_default();
        Self(Zeroizing::new(Shared::new_stack(bytes).to_base32()))
    }

    /// Parses a secret in base 32; `None` when the text cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let shared = Shared::try_from_base32(text).ok()?;
        (shared.as_bytes().len() == BYTES).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The secret in base 32, to type it into an app.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The URL that an app reads from a QR code.
    #[must_use]
    pub fn url(&self, email: &Email) -> Option<Zeroizing<String>> {
        self.totp(email.as_str())?.to_url().ok().map(Zeroizing::new)
    }

    /// The secret in the form that a vault seals.
    pub(super) fn to_secret(&self) -> Secret {
        Secret::from_stored(self.0.clone())
    }

    /// The step whose code this is; `None` when it is neither the current code nor that of a neighbouring step.
    pub(super) fn step_of(&self, code: &str, now: Timestamp) -> Option<i64> {
        let seconds = u64::try_from(now.micros().div_euclid(1_000_000)).ok()?;
        let step = self.totp("")?.check(code, seconds)?;
        i64::try_from(step).ok()
    }

    fn totp(&self, account: &str) -> Option<Totp> {
        let shared = Shared::try_from_base32(self.0.as_str()).ok()?;
        let builder = Builder::new().with_secret(shared).with_skew(SKEW).with_issuer(Some(ISSUER));
        builder.with_account_name(account).build().ok()
    }
}

impl fmt::Debug for CodeSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::CodeSecret;
    use crate::email::Email;
    use crate::time::Timestamp;

    /// The secret of RFC 6238, appendix B: the digits from 1 to 0, twice.
    const RFC: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000).expect("in range")
    }

    #[test]
    fn computes_the_codes_of_rfc_6238() {
        let secret = CodeSecret::parse(RFC).expect("a secret");
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")]
        {
            assert_eq!(secret.step_of(code, at(second)), Some(second / 30), "{second}");
            assert_eq!(secret.step_of(code, at(second + 30)), Some(second / 30), "{second}");
            assert_eq!(secret.step_of(code, at(second + 90)), None, "{second}");
        }
        for wrong in ["", "000000", "28708", "2870820", "28708x", "２８７０８２"] {
            assert_eq!(secret.step_of(wrong, at(59)), None, "{wrong}");
        }
    }

    #[test]
    fn only_parses_what_it_generated() {
        let made = CodeSecret::from_random([7; 32]);
        let read = CodeSecret::parse(made.reveal()).expect("a secret");
        assert_eq!((read.reveal(), made.reveal().len()), (made.reveal(), 32));
        assert_eq!(format!("{made:?}"), "CodeSecret(…)");
        for other in ["", "x", "GEZDGNBV", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1"] {
            assert!(CodeSecret::parse(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_url_for_apps_has_issuer_and_account() {
        let secret = CodeSecret::parse(RFC).expect("a secret");
        let email = Email::from_stored("ann@acme.example".to_owned());
        let url = secret.url(&email).expect("an address");
        assert!(url.starts_with("otpauth://totp/Contact%20Hub:ann"), "{}", *url);
        assert!(url.contains(RFC) && url.contains("issuer=Contact%20Hub"), "{}", *url);
    }
}
