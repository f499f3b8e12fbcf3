//! The place where instances share windows.

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::shared_window::{Ask, Grant, SharedWindow};
use crate::access::{Bucket, RateLimited};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How often an instance tries to write a window that others write at the same time. At each try one of them succeeds.
const MAX_TRIES: u32 = 20;

/// Names the window of a client in a bucket. It is a hash, so that no email is stored for an attempt to sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowKey([u8; 32]);

impl WindowKey {
    /// The key of a client's window.
    #[must_use]
    pub fn of(client: &RateLimited, bucket: Bucket) -> Self {
        let text = match client {
            RateLimited::User(user) => format!("user {user}"),
            RateLimited::Network(network) => format!("network {network}"),
            RateLimited::SignIn { identity, network } => format!("sign-in {network} {identity}"),
        };
        Self(Sha256::digest(format!("{} {text}", bucket.as_str())).into())
    }

    /// The key as bytes, for stores.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Changes with each write of a window, and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowVersion(pub Uuid);

/// The outcome of writing a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteWindowOutcome {
    /// It is written, and has this version now.
    Written(WindowVersion),
    /// It has changed, and this is what was found; `None` if nothing was.
    Changed(Option<(WindowVersion, SharedWindow)>),
}

/// Stores the windows that instances share. Losing them only means that calls before the loss no longer count.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait QuotaStore: Send + Sync {
    /// Writes a window if the stored one has this version, or if none is stored. No lock is held after the call.
    async fn write_window(
        &self,
        key: WindowKey,
        version: Option<WindowVersion>,
        window: SharedWindow,
        expires_at: Timestamp,
    ) -> Result<WriteWindowOutcome, StoreError>;

    /// Deletes windows that have expired, a bounded number in each call, and returns how many it deleted.
    async fn delete_expired_windows(&self, now: Timestamp) -> Result<u64, StoreError>;
}

/// The answer to a question, with the window as it is stored now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is granted.
    pub grant: Grant,
    /// The window.
    pub window: SharedWindow,
    /// Its version.
    pub version: WindowVersion,
}

/// Why a question was not answered.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Other instances were faster each time.
    #[error("other instances changed the window {MAX_TRIES} times")]
    Overtaken,
}

/// Asks the store for a lease. `known` is the window as it was last seen, which saves reading it if no other instance
/// has changed it.
pub async fn lease(
    store: &dyn QuotaStore,
    key: WindowKey,
    ask: &Ask,
    known: Option<(WindowVersion, SharedWindow)>,
) -> Result<Answer, LeaseError> {
    let mut found = known;
    for tries in 0..MAX_TRIES {
        let (version, mut window) = match found {
            Some((version, window)) => (Some(version), window),
            None => (None, SharedWindow::default()),
        };
        let is_idle = ask.report.is_empty() && !window.is_held_by(ask.holder);
        let grant = window.grant(ask);
        // A rejected call with nothing to report or to give back leaves the window as it was just read.
        let unchanged = version.filter(|_| tries > 0 && is_idle && !grant.is_admitted);
        if let Some(version) = unchanged {
            return Ok(Answer { grant, window, version });
        }
        let expires_at = window.expires_at(ask);
        match store.write_window(key, version, window.clone(), expires_at).await? {
            WriteWindowOutcome::Written(version) => return Ok(Answer { grant, window, version }),
            WriteWindowOutcome::Changed(now) => found = now,
        }
    }
    Err(LeaseError::Overtaken)
}
