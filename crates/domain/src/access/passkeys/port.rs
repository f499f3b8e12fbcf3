//! The store port of passkeys.

use async_trait::async_trait;

use super::challenge::{Bound, Challenge};
use super::{CredentialId, NewCredential, Passkey, PasskeyName};
use crate::access::{Session, TokenHash};
use crate::author::Call;
use crate::email::Email;
use crate::ids::{CompanyId, PasskeyId, SessionId, UserId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// A passkey to store.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    /// The passkey.
    pub passkey: Passkey,
    /// Its user.
    pub user: UserId,
    /// What its authenticator created.
    pub credential: NewCredential,
}

/// The outcome of adding a passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddPasskeyOutcome {
    /// It is stored.
    Added,
    /// The user has the maximum number of passkeys.
    Full,
    /// A user has this passkey already.
    Known,
    /// There is no such user.
    UserUnknown,
}

/// A stored passkey with what a proof needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    /// The passkey.
    pub id: PasskeyId,
    /// Its user.
    pub user: UserId,
    /// The user's company.
    pub company: CompanyId,
    /// The user's email.
    pub email: Email,
    /// The public key, in the verifier's form.
    pub key: String,
}

/// A proof by a passkey.
#[derive(Clone, Debug)]
pub struct PasskeyUse {
    /// The passkey.
    pub id: PasskeyId,
    /// Its user.
    pub user: UserId,
    /// The public key with its new state.
    pub key: String,
    /// The counter of the proof.
    pub counter: u32,
    /// When it was used.
    pub at: Timestamp,
}

/// Stores passkeys and the challenges of ceremonies. Passkeys are deleted with their user, and challenges with their
/// session.
///
/// A proof counts once: the store records a use only when its counter is greater than the stored one, or both are 0. At
/// most one of several concurrent uses with the same counter is recorded.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait PasskeyStore: Send + Sync {
    /// Stores a challenge. Deletes challenges that have expired, and the oldest past
    /// [`MAX_CHALLENGES_OF_NETWORK`](super::MAX_CHALLENGES_OF_NETWORK) of its network and
    /// [`MAX_CHALLENGES`](super::MAX_CHALLENGES) in all.
    async fn save_challenge(&self, challenge: Challenge) -> Result<(), StoreError>;

    /// Deletes the challenge with this token and returns its state; `None` when there is none, it was made before this
    /// moment, or is bound to something else. At most one of several concurrent calls gets it.
    async fn take_challenge(
        &self,
        token: TokenHash,
        bound: Bound,
        after: Timestamp,
    ) -> Result<Option<String>, StoreError>;

    /// The passkeys of a user, the oldest first.
    async fn passkeys_of(&self, user: UserId) -> Result<Vec<Passkey>, StoreError>;

    /// The ids under which authenticators know the passkeys of a user.
    async fn credential_ids(&self, user: UserId) -> Result<Vec<CredentialId>, StoreError>;

    /// The passkey with this id, unless its company is being deleted.
    async fn passkey(&self, id: CredentialId) -> Result<Option<StoredPasskey>, StoreError>;

    /// Stores a passkey, unless its user already has `max`.
    async fn add_passkey(
        &self,
        new: NewPasskey,
        max: usize,
        call: Call,
    ) -> Result<AddPasskeyOutcome, StoreError>;

    /// Renames a passkey of the user; false when there is none.
    async fn rename_passkey(
        &self,
        user: UserId,
        id: PasskeyId,
        name: PasskeyName,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes a passkey of the user; false when there is none.
    async fn delete_passkey(
        &self,
        user: UserId,
        id: PasskeyId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Records a use and begins a session, which awaits no code. False when the use does not count, or the user does not
    /// exist.
    async fn sign_in_with_passkey(
        &self,
        used: PasskeyUse,
        session: Session,
        token: TokenHash,
        call: Call,
    ) -> Result<bool, StoreError>;

    /// Records a use, and that the user of the session proved who they are. False when the use does not count.
    async fn confirm_with_passkey(
        &self,
        used: PasskeyUse,
        session: SessionId,
    ) -> Result<bool, StoreError>;
}
