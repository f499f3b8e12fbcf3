//! The store port of signing in.

use async_trait::async_trait;

use super::{Link, LinkHolder, ListedSession, PasswordHash, Session, SessionHolder, TokenHash};
use crate::author::{Author, Call};
use crate::ids::{CompanyId, SessionId, UserId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// A user with the email of an attempt to sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInCandidate {
    /// The user.
    pub user: UserId,
    /// The user's company.
    pub company: CompanyId,
    /// Whether the company lets its users sign in with a password.
    pub password_sign_in: bool,
    /// The hash of the user's password, if the user has one.
    pub password: Option<PasswordHash>,
}

/// A change of a user's password, in one transaction.
#[derive(Clone, Debug)]
pub struct PasswordChange {
    /// The user.
    pub user: UserId,
    /// The hash that was compared with the current password; `None` if the user had none.
    pub current: Option<PasswordHash>,
    /// The hash of the new password.
    pub new: PasswordHash,
    /// The session that is kept; all others of the user end.
    pub keep: SessionId,
    /// Whether the user's valid keys are revoked too.
    pub end_keys: bool,
    /// The call.
    pub call: Call,
    /// When it happens.
    pub at: Timestamp,
}

/// The redemption of a link, in one transaction.
#[derive(Clone, Debug)]
pub struct Redemption {
    /// The hash of the link's token.
    pub link: TokenHash,
    /// The new password; `None` keeps the current one.
    pub password: Option<PasswordHash>,
    /// The session that begins. Its user is replaced by the user of the link.
    pub session: Session,
    /// The hash of the session's token.
    pub token: TokenHash,
    /// The call.
    pub call: Call,
    /// When it is redeemed.
    pub at: Timestamp,
}

/// Stores passwords, sessions and one-time links. They are deleted with their user.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// The users of any company with this email identity, at most `limit`: those who have a password, the oldest first,
    /// and then the others.
    async fn candidates(
        &self,
        identity: String,
        limit: u32,
    ) -> Result<Vec<SignInCandidate>, StoreError>;

    /// Stores a session of a user who has proved to know the password with this hash (`None` if the user has none), with the
    /// address and browser of the call. False when the user does not exist, has another password by now, or the company no
    /// longer lets its users sign in with a password. The session awaits a second step if the user has two-step
    /// verification, or has a passkey while the company requires it. Deletes the user's sessions that have ended, and the
    /// oldest of the same kind past [`MAX_SESSIONS`](super::MAX_SESSIONS).
    async fn create_session(
        &self,
        session: Session,
        token: TokenHash,
        password: Option<PasswordHash>,
        call: Call,
    ) -> Result<bool, StoreError>;

    /// The holder of the session with this hash, even if it has ended. Nothing is cached: the end of a session, a lost
    /// permission and a changed company are seen at once.
    async fn session(&self, token: TokenHash) -> Result<Option<SessionHolder>, StoreError>;

    /// Records that a session was used; an earlier moment than the stored one is ignored.
    async fn see_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// Records that the user of a session proved who they are.
    async fn confirm_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// The sessions of a user that await no code, the newest first.
    async fn sessions_of(&self, user: UserId) -> Result<Vec<ListedSession>, StoreError>;

    /// Deletes a session of the user; false when there is none.
    async fn end_session(
        &self,
        user: UserId,
        id: SessionId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes all sessions of the user.
    async fn end_sessions(&self, user: UserId, call: Call, at: Timestamp)
    -> Result<(), StoreError>;

    /// Stores a link for a user of the author's company, or of any company for an operator (`None`). It replaces the
    /// user's earlier one. False when the user does not exist.
    async fn create_link(
        &self,
        by: Option<Author>,
        link: Link,
        token: TokenHash,
    ) -> Result<bool, StoreError>;

    /// The user of the link with this hash, even if it has expired.
    async fn link(&self, token: TokenHash) -> Result<Option<LinkHolder>, StoreError>;

    /// Deletes a valid link and begins a session of its user, as [`Self::create_session`] does; false when the link is not
    /// valid. A new password ends the user's other sessions. At most one of several concurrent calls with the same link
    /// returns true.
    async fn redeem(&self, redemption: Redemption) -> Result<bool, StoreError>;

    /// The hash of a user's password.
    async fn password_of(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError>;

    /// Changes a user's password, ends all other sessions of the user, and deletes the user's link. False when the user does
    /// not exist, or has another current password by now.
    async fn set_password(&self, change: PasswordChange) -> Result<bool, StoreError>;
}
