//! Caches the holders of keys for less than a second. So every instance sees a revocation within about a second, and a
//! busy key needs one look-up in that time.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;

use contact_hub_domain::access::{KeyHolder, TokenHash};
use contact_hub_domain::ports::StoreError;

const REMEMBERED_FOR: Duration = Duration::from_millis(900);
const REMEMBERED_KEYS: u64 = 100_000;

pub(crate) struct HolderCache(Cache<TokenHash, Option<Arc<KeyHolder>>>);

impl HolderCache {
    pub(crate) fn new() -> Self {
        let cache = Cache::builder().max_capacity(REMEMBERED_KEYS).time_to_live(REMEMBERED_FOR);
        Self(cache.build())
    }

    /// The cached answer.
    pub(crate) async fn known(&self, hash: &TokenHash) -> Option<Option<Arc<KeyHolder>>> {
        self.0.get(hash).await
    }

    /// Returns the cached answer, or that of `look_up`; concurrent calls share one look-up.
    pub(crate) async fn get(
        &self,
        hash: TokenHash,
        look_up: impl Future<Output = Result<Option<Arc<KeyHolder>>, StoreError>>,
    ) -> Result<Option<Arc<KeyHolder>>, StoreError> {
        let answer = self.0.try_get_with(hash, look_up).await;
        answer.map_err(|shared| match Arc::try_unwrap(shared) {
            Ok(error) => error,
            // The request that did the look-up reports the cause; this one only reports whether a retry may succeed.
            Err(shared) => match shared.as_ref() {
                StoreError::Corrupt(what) => StoreError::Corrupt(what.clone()),
                StoreError::Unavailable(_) => StoreError::Unavailable(shared.into()),
                StoreError::Failed(_) => StoreError::Failed(shared.into()),
            },
        })
    }

    /// Clears the cache, after this instance changed access.
    pub(crate) fn forget(&self) {
        self.0.invalidate_all();
    }
}
