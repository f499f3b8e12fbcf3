//! What signing in asks of a store.

use async_trait::async_trait;

use super::{Link, LinkHolder, PasswordHash, Session, SessionHolder, TokenHash};
use crate::ids::{CompanyId, SessionId, UserId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// A user who may be the one that signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInCandidate {
    /// The user.
    pub user: UserId,
    /// The hash of the user's password.
    pub password: PasswordHash,
}

/// What a link is redeemed for, in one transaction.
#[derive(Clone, Debug)]
pub struct Redemption {
    /// The hash of the link's token.
    pub link: TokenHash,
    /// The password that the user has from now on; `None` leaves it as it is.
    pub password: Option<PasswordHash>,
    /// The session that begins; its user is that of the link, whatever is here.
    pub session: Session,
    /// The hash of the session's token.
    pub token: TokenHash,
    /// The moment.
    pub at: Timestamp,
}

/// Keeps passwords, sessions and one-time links. All of them go with their user.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// The users of any company with this email identity who have a password, the oldest first, at most `limit`.
    async fn candidates(
        &self,
        identity: String,
        limit: u32,
    ) -> Result<Vec<SignInCandidate>, StoreError>;

    /// Stores a session, and deletes those of the user that are over; false when there is no such user.
    async fn create_session(&self, session: Session, token: TokenHash) -> Result<bool, StoreError>;

    /// Who holds the session with this hash, over or not. Nothing is remembered: a session that was ended, a lost
    /// permission and a changed company are seen at once.
    async fn session(&self, token: TokenHash) -> Result<Option<SessionHolder>, StoreError>;

    /// Records that a session was used; an earlier moment than the stored one is ignored.
    async fn see_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// The sessions of a user, the newest first.
    async fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError>;

    /// Deletes a session of the user; false when there is none.
    async fn end_session(&self, user: UserId, id: SessionId) -> Result<bool, StoreError>;

    /// Stores a link for a user of the company (of any, when it is `None`) in place of the one that the user had; false
    /// when there is no such user.
    async fn create_link(
        &self,
        company: Option<CompanyId>,
        link: Link,
        token: TokenHash,
    ) -> Result<bool, StoreError>;

    /// Whose link has this hash, over or not.
    async fn link(&self, token: TokenHash) -> Result<Option<LinkHolder>, StoreError>;

    /// Deletes a link that is not over and begins a session of its user; false when there is none. A new password ends
    /// the user's other sessions. Of concurrent calls with one link one at most returns true.
    async fn redeem(&self, redemption: Redemption) -> Result<bool, StoreError>;

    /// The hash of a user's password.
    async fn password_of(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError>;

    /// Gives a user a password, ends all sessions of the user but this one, and voids the user's link; revokes the user's
    /// valid keys when `end_keys` is true; false when there is no such user.
    async fn set_password(
        &self,
        user: UserId,
        password: PasswordHash,
        keep: SessionId,
        end_keys: bool,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
}
