//! The store port of two-step verification.

use async_trait::async_trait;

use crate::access::TokenHash;
use crate::author::{Author, Call};
use crate::ids::{SessionId, UserId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::webhooks::Sealed;

/// Proves that somebody has the app or the recovery codes of a user.
#[derive(Clone, Copy, Debug)]
pub enum Proof {
    /// The code of this step.
    Step(i64),
    /// A recovery code.
    Recovery(TokenHash),
}

/// Two-step verification that a user turns on.
#[derive(Clone, Debug)]
pub struct NewTwoStep {
    /// The user.
    pub user: UserId,
    /// The id under which the secret is sealed.
    pub secret_id: WebhookSecretId,
    /// The sealed secret.
    pub sealed: Sealed,
    /// The step whose code the user entered; it is used up.
    pub step: i64,
    /// The hashes of the recovery codes.
    pub codes: Vec<TokenHash>,
}

/// The second step of signing in.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The session that awaits it.
    pub session: SessionId,
    /// Its user.
    pub user: UserId,
    /// The code that was entered.
    pub proof: Proof,
    /// The hash of the session's new token.
    pub token: TokenHash,
    /// The call.
    pub call: Call,
    /// The time of the call.
    pub at: Timestamp,
}

/// The two-step verification of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoStepState {
    /// When it was turned on.
    pub since: Timestamp,
    /// How many recovery codes are left.
    pub codes: usize,
}

/// Stores the secrets of apps and the hashes of recovery codes. They are deleted with their user.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait TwoStepStore: Send + Sync {
    /// The sealed secret of a user's app.
    async fn code_secret(
        &self,
        user: UserId,
    ) -> Result<Option<(WebhookSecretId, Sealed)>, StoreError>;

    /// The user's two-step verification; `None` when it is off.
    async fn two_step_state(&self, user: UserId) -> Result<Option<TwoStepState>, StoreError>;

    /// Turns it on; false when the user does not exist or has it on already.
    async fn turn_on_two_step(
        &self,
        new: NewTwoStep,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Replaces the recovery codes; false when it is off.
    async fn renew_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<TokenHash>,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Uses up a step; false when it, or a later one, was used before. At most one of several concurrent calls with the
    /// same step returns true.
    async fn use_step(&self, user: UserId, step: i64) -> Result<bool, StoreError>;

    /// Uses up the proof and opens the session under its new token; false when the proof was used before or is unknown,
    /// or the session does not await one. At most one of several concurrent calls with the same proof returns true.
    async fn complete(&self, completion: Completion) -> Result<bool, StoreError>;

    /// Turns it off and deletes the passkeys for a user of the author's company, or of any company for an operator
    /// (`None`). Returns whether the user had either, and `None` when the user does not exist.
    async fn reset_two_step(
        &self,
        by: Option<Author>,
        user: UserId,
        at: Timestamp,
    ) -> Result<Option<bool>, StoreError>;

    /// Turns it off, and returns whether it was on.
    async fn turn_off_two_step(
        &self,
        user: UserId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
}
