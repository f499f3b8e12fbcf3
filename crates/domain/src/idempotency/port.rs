//! The store port of calls with keys.

use async_trait::async_trait;

use super::IdempotencyKey;
use crate::context::Ports;
use crate::ids::{CompanyId, UserId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::webhooks::Sealed;

/// A digest of a request: of its method, path, query and body.
pub type Fingerprint = [u8; 32];

/// A call with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedCall {
    /// The company of the caller.
    pub company: CompanyId,
    /// The caller; each user has keys of their own.
    pub user: UserId,
    /// The key.
    pub key: IdempotencyKey,
    /// What was requested.
    pub fingerprint: Fingerprint,
    /// The time of the call.
    pub at: Timestamp,
    /// Answers that were kept at this time or earlier no longer count.
    pub expired: Timestamp,
}

/// An answer as it is stored; the store does not read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptAnswer {
    /// As it was given; empty if it was large, and the company has too many large ones.
    Plain(Vec<u8>),
    /// Sealed under an id, because it contains a secret.
    Sealed(WebhookSecretId, Sealed),
}

/// A call whose answer was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCall {
    /// What was requested.
    pub fingerprint: Fingerprint,
    /// The answer.
    pub answer: KeptAnswer,
}

/// When a kept answer is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookUp {
    /// Before the call is executed.
    First,
    /// By the write of the call. For calls that cost little and have no effect except their write.
    WithWrite,
}

/// What [`CallStore::start`] found.
pub enum Start {
    /// The call is new.
    New(Box<dyn Attempt>),
    /// The answer of an earlier call with this key.
    Kept(KeptCall),
    /// Another call with this key is in progress.
    InUse,
}

/// Stores the answers of calls with keys.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Starts a call, unless one with its key was answered, if that is looked up first, or is in progress.
    async fn start(&self, call: KeyedCall, look_up: LookUp) -> Result<Start, StoreError>;

    /// The kept call of this key, if it has not expired.
    async fn find(&self, call: &KeyedCall) -> Result<Option<KeptCall>, StoreError>;
}

/// A call in progress. When it is dropped before its answer is kept, its writes are rolled back.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Attempt: Send + Sync {
    /// These ports with stores whose first write is committed only together with the answer. The call may not write
    /// twice, nor read after its write: that fails. Actions that must follow the commit, such as waking the worker that
    /// delivers, run after it.
    fn bind(&self, ports: &Ports) -> Ports;

    /// Whether the write was rejected because another call with this key was answered, or is writing at another instance.
    fn is_overtaken(&self) -> bool;

    /// Stores the answer and commits. Returns false, and rolls back, when another call with this key was answered in
    /// the meantime.
    async fn keep(&self, answer: KeptAnswer) -> Result<bool, StoreError>;
}
