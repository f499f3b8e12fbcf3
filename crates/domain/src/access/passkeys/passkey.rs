//! Passkeys as users see them.

use crate::ids::PasskeyId;
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{required, valid};
use crate::text;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The maximum number of passkeys of a user.
pub const MAX_PASSKEYS: usize = 10;

/// The longest name of a passkey, in code points.
pub const MAX_PASSKEY_NAME: usize = 100;

/// The name that a user gave to a passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// A name from a store.
    #[must_use]
    pub const fn from_stored(name: String) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PasskeyName {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::name(text, MAX_PASSKEY_NAME).map(|name| Self(name.to_owned()))
    }
}

/// A passkey, without its public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// The service's id.
    pub id: PasskeyId,
    /// Its name.
    pub name: PasskeyName,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

/// The input for the name of a passkey.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct PasskeyDraft {
    /// The name.
    #[garde(custom(required))]
    pub name: Property<PasskeyName>,
}

impl PasskeyDraft {
    pub(super) fn validate(&self) -> Result<PasskeyName, Violations> {
        valid(self, (), |()| self.name.value())
    }
}

/// The id under which an authenticator knows a passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialId(Vec<u8>);

impl CredentialId {
    /// Wraps the bytes of an id.
    #[must_use]
    pub const fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
