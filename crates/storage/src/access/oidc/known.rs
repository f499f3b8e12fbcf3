//! Caches whether any company has an identity provider, which every page to sign in needs to know. So these pages run
//! no statement, although anybody may call them.

use std::time::Duration;

use moka::future::Cache;

use contact_hub_domain::ports::StoreError;

use crate::shared_error::shared;

/// A change by another instance or by a command is noticed within this time.
const REMEMBERED_FOR: Duration = Duration::from_secs(30);

pub(crate) struct KnownProviders(Cache<(), bool>);

impl KnownProviders {
    pub(crate) fn new() -> Self {
        Self(Cache::builder().max_capacity(1).time_to_live(REMEMBERED_FOR).build())
    }

    /// Returns the cached answer, or that of `look_up`; concurrent calls share one look-up.
    pub(super) async fn any(
        &self,
        look_up: impl Future<Output = Result<bool, StoreError>>,
    ) -> Result<bool, StoreError> {
        self.0.try_get_with((), look_up).await.map_err(|error| shared(&error))
    }

    /// Clears the cache, after this instance changed providers.
    pub(super) fn forget(&self) {
        self.0.invalidate_all();
    }
}
