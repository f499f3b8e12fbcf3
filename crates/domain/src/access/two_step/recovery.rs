//! Recovery codes, for those who have lost their app.

use std::fmt;

use totp_rs::Secret as Bytes;
use zeroize::Zeroizing;

use crate::access::TokenHash;
use crate::context::AccessPorts;

/// How many codes a user gets.
pub const RECOVERY_CODES: usize = 10;

/// The length of a code, in bytes: too long to be guessed from its hash.
const BYTES: usize = 10;

/// The length of the written code, without its dashes.
const LENGTH: usize = 16;

/// A code that replaces one of the app, once. A store keeps only its hash, and its `Debug` output does not contain it.
#[derive(Clone)]
pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    fn from_random(random: [u8; 32]) -> Self {
        let random = Zeroizing::new(random);
        let bytes = random.first_chunk::<BYTES>().map(|bytes| bytes.to_vec()).unwrap_or_default();
        Self(Zeroizing::new(Bytes::new(bytes.into()).to_base32()))
    }

    /// Parses a code in any letter case, with or without dashes and blanks; `None` when the text cannot be one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let kept = text.chars().filter(|char| *char != '-' && !char.is_whitespace());
        let code: String = kept.take(LENGTH + 1).collect::<String>().to_ascii_uppercase();
        let is_whole = code.len() == LENGTH && Bytes::try_from_base32(&code).is_ok();
        is_whole.then(|| Self(Zeroizing::new(code)))
    }

    /// The code, to show it once.
    #[must_use]
    pub fn reveal(&self) -> String {
        let groups = self.0.as_bytes().chunks(4).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join("-").to_ascii_lowercase()
    }

    /// The stored form.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

/// New codes, not yet stored.
pub(super) fn fresh_codes(ports: &AccessPorts) -> Vec<RecoveryCode> {
    let random = || ports.environment.randomness.bytes();
    (0..RECOVERY_CODES).map(|_| RecoveryCode::from_random(random())).collect()
}

#[cfg(test)]
mod tests {
    use super::RecoveryCode;

    #[test]
    fn a_code_is_parsed_as_people_type_it() {
        let code = RecoveryCode::from_random([251; 32]);
        let shown = code.reveal();
        assert_eq!((shown.len(), shown.matches('-').count()), (19, 3), "{shown}");
        for typed in [shown.clone(), shown.to_uppercase(), shown.replace('-', " ")] {
            assert_eq!(RecoveryCode::parse(&typed).expect("a code").hash(), code.hash());
        }
        for other in
            ["", "123456", "abcd-efgh-ijkl-mno", &format!("{shown}a"), "0000-0000-0000-0000"]
        {
            assert!(RecoveryCode::parse(other).is_none(), "{other}");
        }
        assert_eq!(format!("{code:?}"), "RecoveryCode(…)");
    }
}
