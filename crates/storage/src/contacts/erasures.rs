//! The port of erasures.

use std::sync::atomic::Ordering;

use async_trait::async_trait;

use contact_hub_domain::author::Author;
use contact_hub_domain::contacts::ErasureStore;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::erase;
use crate::Storage;
use crate::units::Writing;

#[async_trait]
impl ErasureStore for Storage {
    async fn erase(&self, by: Author, id: ContactId, at: Timestamp) -> Result<bool, StoreError> {
        let (company, storage) = (by.company, self.clone());
        let erased = self
            .write_deferring(company, Writing::Many(company), move |connection| {
                erase::erase(&storage, connection, &by, id, at)
            })
            .await?;
        if erased {
            self.once_committed(|storage| storage.has_erased().store(true, Ordering::Relaxed));
            if self.call().is_none() {
                self.empty_log().await;
            }
        }
        Ok(erased)
    }
}
