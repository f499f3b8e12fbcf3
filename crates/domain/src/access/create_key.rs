//! Create an API key.

use super::{AccessError, ApiKey, CreateKeyOutcome, Token};
use crate::author::Author;
use crate::context::AccessPorts;
use crate::ids::{ApiKeyId, UserId};
use crate::input::FromText;
use crate::limits::exceeded;
use crate::property::Property;
use crate::rules::{broken, optional, valid};
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
#[garde(context(Timestamp as now))]
pub struct KeyDraft {
    /// A label; "API key" when absent.
    #[garde(custom(optional))]
    pub name: Property<KeyName>,
    /// When it expires, in RFC 3339; never when absent.
    #[garde(custom(optional), custom(after(*now)))]
    pub expires_at: Property<Timestamp>,
}

fn after<C>(now: Timestamp) -> impl Fn(&Property<Timestamp>, &C) -> garde::Result {
    move |expiry, _context| match expiry.value() {
        Some(expiry) if expiry <= now => broken("must be in the future"),
        _ => Ok(()),
    }
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
        valid(self, now, |_now| {
            let name = self.name.value().map_or_else(|| "API key".to_owned(), |name| name.0);
            Some((name, self.expires_at.value()))
        })
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

/// Creates a key of a user of the author's company; an operator (`None`) may name a user of any company.
///
/// Rejected when the user has as many valid keys as [`Limits`](crate::limits::Limits) allow.
pub async fn create_key(
    ports: &AccessPorts,
    by: Option<Author>,
    user: UserId,
    draft: &KeyDraft,
) -> Result<CreatedKey, AccessError> {
    let created = fresh_key(ports, user, draft)?;
    let (key, hash, max) =
        (created.key.clone(), created.token.hash(), ports.environment.limits.api_keys);
    match ports.access.create_key(by, key, hash, max).await? {
        CreateKeyOutcome::Created => Ok(created),
        CreateKeyOutcome::UserUnknown => Err(AccessError::UserNotFound),
        CreateKeyOutcome::Full => {
            Err(AccessError::Invalid(exceeded("name", "a user", max, "valid API key")))
        }
    }
}
