//! Create an API key.

use super::{AccessError, ApiKey, CreateKeyOutcome, Token};
use crate::context::AccessPorts;
use crate::ids::{ApiKeyId, CompanyId, UserId};
use crate::input::{FromText, Input, optional};
use crate::limits::exceeded;
use crate::text;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The longest label of a key, in code points.
pub const MAX_KEY_NAME: usize = 255;

/// The label of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName(String);

impl FromText for KeyName {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::name(text, MAX_KEY_NAME).map(|name| Self(name.to_owned()))
    }
}

impl FromText for Timestamp {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Self::parse(text::trimmed(text)).map(|parsed| parsed.at)
    }
}

/// The input for a new key.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct KeyDraft {
    /// A label; "API key" when absent.
    #[garde(custom(optional::<KeyName>))]
    pub name: Input,
    /// When it expires, in RFC 3339; never when absent.
    #[garde(custom(optional::<Timestamp>))]
    pub expires_at: Input,
}

/// A new key with its token, which is shown only once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// Its secret.
    pub token: Token,
}

impl KeyDraft {
    fn validate(&self, now: Timestamp) -> Result<(String, Option<Timestamp>), Violations> {
        let mut violations = Violations::default();
        if let Err(report) = garde::Validate::validate(self) {
            violations.add_report(&report);
            return Err(violations);
        }
        let name = self.name.optional::<KeyName>().map_err(|r| Violations::one("name", r))?;
        let expiry = self.expires_at.optional().map_err(|r| Violations::one("expires_at", r))?;
        if expiry.is_some_and(|expiry| expiry <= now) {
            return Err(Violations::one("expires_at", Problem::new("must be in the future")));
        }
        Ok((name.map_or_else(|| "API key".to_owned(), |name| name.0), expiry))
    }
}

/// A new key of the user, not yet stored.
pub(super) fn fresh_key(
    ports: &AccessPorts,
    user: UserId,
    draft: &KeyDraft,
) -> Result<CreatedKey, Violations> {
    let now = ports.environment.clock.now();
    let (name, expires_at) = draft.validate(now)?;
    let token = Token::from_random(ports.environment.randomness.bytes());
    let key = ApiKey {
        id: ApiKeyId::new(ports.environment.ids.next()),
        user_id: user,
        name,
        start: token.start().to_owned(),
        expires_at,
        revoked_at: None,
        last_used_at: None,
        created_at: now,
    };
    Ok(CreatedKey { key, token })
}

/// Creates a key of a user of the company; an operator may name a user of any company.
///
/// Rejected when the user has as many valid keys as [`Limits`](crate::limits::Limits) allow.
pub async fn create_key(
    ports: &AccessPorts,
    company: Option<CompanyId>,
    user: UserId,
    draft: &KeyDraft,
) -> Result<CreatedKey, AccessError> {
    let created = fresh_key(ports, user, draft)?;
    let (key, hash, max) =
        (created.key.clone(), created.token.hash(), ports.environment.limits.api_keys);
    match ports.access.create_key(company, key, hash, max).await? {
        CreateKeyOutcome::Created => Ok(created),
        CreateKeyOutcome::UserUnknown => Err(AccessError::UserNotFound),
        CreateKeyOutcome::Full => {
            Err(AccessError::Invalid(exceeded("name", "a user", max, "valid API key")))
        }
    }
}
