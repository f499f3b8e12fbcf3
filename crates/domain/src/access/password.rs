//! Passwords: their validation, and the port that hashes them.

use std::fmt;
use std::net::IpAddr;

use async_trait::async_trait;
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

use crate::input::FromText;
use crate::ports::StoreError;
use crate::text;
use crate::violations::Problem;

/// The shortest password that a person may choose, in code points.
pub const MIN_PASSWORD: usize = 12;

/// The longest password, in code points.
pub const MAX_PASSWORD: usize = 256;

/// A password in NFC, so that all keyboards give the same text. It is erased from memory when dropped, and its `Debug`
/// output does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes a password that was entered to sign in; `None` when it cannot be anyone's password. The minimum length is
    /// not checked here, only when a password is chosen.
    #[must_use]
    pub fn attempt(text: &str) -> Option<Self> {
        let possible = !text.is_empty() && text::bounded(text, MAX_PASSWORD).is_ok();
        possible.then(|| Self(Zeroizing::new(text.nfc().collect())))
    }

    /// The password, to hash it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromText for Password {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::without_nul(text::bounded(text, MAX_PASSWORD)?)?;
        let password = Self(Zeroizing::new(text.nfc().collect()));
        if password.0.chars().count() < MIN_PASSWORD {
            let sentence = format!("must be at least {MIN_PASSWORD} characters long");
            return Err(Problem::new(sentence));
        }
        Ok(password)
    }
}

/// The current password of a signed-in user, entered again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentPassword(pub(super) Password);

impl PresentPassword {
    pub(super) fn wrong() -> Problem {
        Problem::new("is not your present password")
    }
}

impl FromText for PresentPassword {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Password::attempt(text).map(Self).ok_or_else(Self::wrong)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The stored form of a password: a slow hash that names its algorithm, parameters and salt. Its `Debug` output does
/// not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps a hash from a hasher or a store.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The hash as text, for stores and hashers.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Hashes passwords slowly, on a separate thread. Only a few are hashed at once. The queue and the time in it are
/// limited, and each client address may use only a share of the queue; beyond that the result is
/// [`StoreError::Unavailable`].
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Hashes a password with a new salt.
    async fn hash(&self, password: Password, client: IpAddr) -> Result<PasswordHash, StoreError>;

    /// Whether the password matches the hash. Without a hash the result is false after the same time, so that the
    /// duration does not reveal which users have a password.
    async fn verify(
        &self,
        password: Password,
        hash: Option<PasswordHash>,
        client: IpAddr,
    ) -> Result<bool, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::{MAX_PASSWORD, Password};
    use crate::input::FromText;
    use crate::property::Property;

    #[test]
    fn a_chosen_password_has_a_minimum_length_and_is_not_changed() {
        let chosen = |text: &str| Property::<Password>::from(text).required().cloned();
        assert_eq!(chosen(" twelve chars").expect("valid").reveal(), " twelve chars");
        assert_eq!(chosen(&"é".repeat(MAX_PASSWORD)).expect("valid").reveal().len(), 512);
        for refused in [
            "",
            " ",
            "eleven char",
            &" ".repeat(20),
            &"x".repeat(MAX_PASSWORD + 1),
            "nul\0 in the middle",
        ] {
            assert!(chosen(refused).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn two_spellings_are_one_password() {
        let (composed, decomposed) =
            ("caf\u{e9} caf\u{e9} caf\u{e9}", "cafe\u{301} cafe\u{301} cafe\u{301}");
        assert_eq!(Password::from_text(decomposed), Password::from_text(composed));
        assert_eq!(Password::attempt(decomposed), Password::attempt(composed));
    }

    #[test]
    fn an_attempt_may_be_short_but_has_a_maximum_length() {
        assert!(Password::attempt("x").is_some());
        assert!(Password::attempt("").is_none());
        assert!(Password::attempt(&"x".repeat(MAX_PASSWORD + 1)).is_none());
        assert_eq!(format!("{:?}", Password::attempt("secret")), "Some(Password(…))");
    }
}
