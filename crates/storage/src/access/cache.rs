//! Caches the holders of keys for less than a second. So every instance sees a revocation within about a second, and a
//! busy key needs one look-up in that time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use moka::Expiry;
use moka::future::Cache;

use contact_hub_domain::access::{KeyHolder, TokenHash};
use contact_hub_domain::ports::StoreError;

const REMEMBERED_FOR: Duration = Duration::from_millis(900);
const REMEMBERED_KEYS: u64 = 100_000;

pub(crate) struct HolderCache {
    answers: Cache<TokenHash, Answer>,
    /// How often the cache was cleared.
    cleared: AtomicU64,
}

#[derive(Clone)]
struct Answer {
    holder: Option<Arc<KeyHolder>>,
    /// When its look-up began: it may have read what was true then.
    asked_at: Instant,
}

/// An answer expires some time after its look-up began, however long that took.
struct SinceLookUp;

impl Expiry<TokenHash, Answer> for SinceLookUp {
    fn expire_after_create(
        &self,
        _key: &TokenHash,
        answer: &Answer,
        created_at: Instant,
    ) -> Option<Duration> {
        let age = created_at.saturating_duration_since(answer.asked_at);
        Some(REMEMBERED_FOR.saturating_sub(age))
    }
}

impl HolderCache {
    pub(crate) fn new() -> Self {
        let cache = Cache::builder().max_capacity(REMEMBERED_KEYS).expire_after(SinceLookUp);
        Self { answers: cache.build(), cleared: AtomicU64::new(0) }
    }

    /// The cached answer.
    pub(crate) async fn known(&self, hash: &TokenHash) -> Option<Option<Arc<KeyHolder>>> {
        self.answers.get(hash).await.map(|answer| answer.holder)
    }

    /// Returns the cached answer, or that of `look_up`; concurrent calls share one look-up.
    pub(crate) async fn get(
        &self,
        hash: TokenHash,
        look_up: impl Future<Output = Result<Option<Arc<KeyHolder>>, StoreError>>,
    ) -> Result<Option<Arc<KeyHolder>>, StoreError> {
        let cleared = self.cleared.load(Ordering::Acquire);
        let asked_at = Instant::now();
        let look_up = async { Ok::<_, StoreError>(Answer { holder: look_up.await?, asked_at }) };
        let answer = self.answers.try_get_with(hash, look_up).await;
        // Clearing the cache does not end a look-up that may have read before the change.
        if self.cleared.load(Ordering::Acquire) != cleared {
            self.answers.invalidate(&hash).await;
        }
        answer.map(|answer| answer.holder).map_err(|shared| match Arc::try_unwrap(shared) {
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
        self.cleared.fetch_add(1, Ordering::Release);
        self.answers.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::access::Token;
    use tokio::sync::oneshot;

    use super::HolderCache;

    #[tokio::test]
    async fn an_answer_that_was_read_before_the_cache_was_cleared_is_not_kept() {
        let (cache, hash) = (HolderCache::new(), Token::from_random([1; 32]).hash());
        for is_cleared in [true, false] {
            let (read, has_read) = oneshot::channel();
            let (end, ends) = oneshot::channel();
            let look_up = async {
                read.send(()).expect("it is waited for");
                ends.await.expect("it ends");
                Ok(None)
            };
            let clear = async {
                has_read.await.expect("it reads");
                if is_cleared {
                    cache.forget();
                }
                end.send(()).expect("it is waited for");
            };
            let (answer, ()) = tokio::join!(cache.get(hash, look_up), clear);
            assert!(answer.expect("an answer").is_none());
            assert_eq!(cache.known(&hash).await.is_some(), !is_cleared);
        }
    }
}
