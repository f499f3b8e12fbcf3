//! Sessions on the pages.

use std::fmt;
use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::{AccessError, Caller, CompanyName, TokenHash};
use crate::context::AccessPorts;
use crate::email::Email;
use crate::ids::{SessionId, UserId};
use crate::time::Timestamp;

/// An unused session ends after this many seconds.
pub const SESSION_IDLE_SECONDS: i64 = 12 * 60 * 60;

/// A session ends after this many seconds in any case.
pub const SESSION_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The maximum lag of the recorded last use, in seconds, so that few requests have to write.
const SEEN_EVERY_SECONDS: i64 = 5 * 60;

/// The maximum number of sessions of a user. Another one ends the oldest.
pub const MAX_SESSIONS: u32 = 100;

/// The length of a token's text.
const TOKEN_LENGTH: usize = 43;

/// The secret of a session or a one-time link: 256 random bits. A store keeps only its hash, and its `Debug` output
/// does not contain it.
#[derive(Clone)]
pub struct SessionToken(String);

impl SessionToken {
    /// Creates a token from 32 random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Parses a token; `None` when the text cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let whole = text.len() == TOKEN_LENGTH && BASE64_URL_SAFE_NO_PAD.decode(text).is_ok();
        whole.then(|| Self(text.to_owned()))
    }

    /// The secret, for a cookie or a link.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The stored form.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

/// How a session began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SignInMethod {
    /// With an email and a password.
    Password,
    /// With a one-time link.
    Link,
    /// With a passkey.
    Passkey,
    /// By an identity provider of the user's company.
    CompanyProvider,
    /// By an identity provider of the operator.
    OperatorProvider,
}

/// A session of a user, without its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// The service's id.
    pub id: SessionId,
    /// The signed-in user.
    pub user_id: UserId,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, with an error of a few minutes.
    pub seen_at: Timestamp,
    /// When its user last proved who they are.
    pub confirmed_at: Timestamp,
}

/// A session as its user sees it in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSession {
    /// The session.
    pub session: Session,
    /// The address at which it began.
    pub address: Option<IpAddr>,
    /// The browser in plain words.
    pub browser: Option<String>,
}

impl Session {
    /// When it ends, unless it is used before then.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        let idle = self.seen_at.plus_seconds(SESSION_IDLE_SECONDS);
        idle.min(self.created_at.plus_seconds(SESSION_SECONDS))
    }

    /// Whether it is still valid.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.expires_at()
    }
}

/// The signed-in user, with what the pages show.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct SessionHolder {
    /// The session.
    pub session: Session,
    /// The caller.
    pub caller: Caller,
    /// The user's address.
    pub email: Email,
    /// The name of the user's company.
    pub company_name: CompanyName,
    /// How the session began; `None` for one from before this was recorded.
    pub method: Option<SignInMethod>,
    /// Whether the company lets its users sign in with a password.
    pub password_sign_in: bool,
    /// Whether the user can sign in with a password.
    pub has_password: bool,
    /// Whether the user can sign in without a one-time link: a person, not a service.
    pub is_person: bool,
    /// Whether the user has set up two-step verification.
    pub has_two_step: bool,
    /// Whether the user has a passkey.
    pub has_passkey: bool,
    /// Whether the company requires two-step verification.
    pub requires_two_step: bool,
    /// Whether the user signed in by a provider that asked for several factors.
    pub used_many_factors: bool,
    /// Whether the second step of signing in is missing, so that the session opens no page yet.
    pub awaits_code: bool,
}

impl SessionHolder {
    /// Whether the user has to set up two-step verification, or add a passkey, before anything else.
    #[must_use]
    pub const fn must_set_up(&self) -> bool {
        let has_second_step = self.has_two_step || self.has_passkey || self.used_many_factors;
        self.requires_two_step && !has_second_step
    }
}

/// Who makes a request with a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A person, which prolongs the session.
    Person,
    /// An open page by itself, which does not.
    Script,
}

/// The holder of a token whose session is still valid.
pub async fn authenticate_session(
    ports: &AccessPorts,
    token: &str,
    presence: Presence,
) -> Result<SessionHolder, AccessError> {
    let token = SessionToken::parse(token).ok_or(AccessError::Unauthenticated)?;
    let holder = ports.sessions.session(token.hash()).await?.ok_or(AccessError::Unauthenticated)?;
    let (now, session) = (ports.environment.clock.now(), holder.session);
    if holder.awaits_code || !session.is_open(now) {
        return Err(AccessError::Unauthenticated);
    }
    let is_due = session.seen_at.plus_seconds(SEEN_EVERY_SECONDS) <= now;
    if is_due && presence == Presence::Person {
        ports.sessions.see_session(session.id, now).await?;
    }
    Ok(holder)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{SESSION_IDLE_SECONDS, SESSION_SECONDS, Session, SessionToken};
    use crate::ids::{SessionId, UserId};
    use crate::time::Timestamp;

    #[test]
    fn only_parses_what_it_generated() {
        let token = SessionToken::from_random([251; 32]);
        let text = token.reveal();
        assert_eq!(SessionToken::parse(text).expect("a token").hash(), token.hash());
        assert_eq!(format!("{token:?}"), "SessionToken(…)");
        for other in ["", "x", &format!("{text}0"), &"+".repeat(43), &"é".repeat(22)] {
            assert!(SessionToken::parse(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_session_ends_after_idle_time_and_after_its_maximum_age() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000).expect("in range");
        let session = |seen| Session {
            id: SessionId::new(Uuid::nil()),
            user_id: UserId::new(Uuid::nil()),
            created_at: at(0),
            seen_at: at(seen),
            confirmed_at: at(0),
        };
        assert!(session(0).is_open(at(SESSION_IDLE_SECONDS - 1)));
        assert!(!session(0).is_open(at(SESSION_IDLE_SECONDS)));
        assert!(session(9).is_open(at(SESSION_IDLE_SECONDS)));
        let used = session(SESSION_SECONDS - 5);
        assert!(used.is_open(at(SESSION_SECONDS - 1)));
        assert!(!used.is_open(at(SESSION_SECONDS)));
    }
}
