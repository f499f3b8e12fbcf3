//! The store port of two-step verification.

use async_trait::async_trait;

use crate::access::TokenHash;
use crate::author::{Author, Call};
use crate::ids::{SessionId, UserId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::webhooks::Sealed;

/// What proves that somebody has the app or the recovery codes of a user.
#[derive(Clone, Copy, Debug)]
pub enum Proof {
    /// The code of this step.
    Step(i64),
    /// A recovery code.
    Recovery(TokenHash),
}

/// What a user sets up.
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
    /// What was entered.
    pub proof: Proof,
    /// The hash of the session's new token.
    pub token: TokenHash,
    /// The call.
    pub call: Call,
    /// The moment.
    pub at: Timestamp,
}

/// What a user has set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoStepState {
    /// Since when.
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

    /// What a user has set up.
    async fn two_step_state(&self, user: UserId) -> Result<Option<TwoStepState>, StoreError>;

    /// Stores what a user sets up; false when there is no such user or it is set up already.
    async fn turn_on_two_step(
        &self,
        new: NewTwoStep,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Replaces the recovery codes; false when the user has not set it up.
    async fn renew_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<TokenHash>,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Uses up a step; false when it, or a later one, was used before. Of concurrent calls with one step at most one
    /// returns true.
    async fn use_step(&self, user: UserId, step: i64) -> Result<bool, StoreError>;

    /// Uses up the proof and opens the session under its new token; false when the proof was used before or is unknown,
    /// or the session does not await one. Of concurrent calls with one proof at most one returns true.
    async fn complete(&self, completion: Completion) -> Result<bool, StoreError>;

    /// Deletes what a user of the author's company (of any for an operator, who is `None`) has set up; `None` when there
    /// is no such user, false when nothing was set up.
    async fn reset_two_step(
        &self,
        by: Option<Author>,
        user: UserId,
        at: Timestamp,
    ) -> Result<Option<bool>, StoreError>;

    /// Deletes what the user has set up; false when nothing was.
    async fn turn_off_two_step(
        &self,
        user: UserId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
}
