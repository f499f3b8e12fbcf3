//! Which adapter stands behind which port.

use std::sync::Arc;

use contact_hub_domain::context::Ports;
use contact_hub_domain::ports::{Chance, Clock, Ids};
use contact_hub_domain::sync::Links;
use contact_hub_storage::Storage;

use crate::adapters::{InMemoryRateLimiter, Quotas, SystemChance, SystemClock, TimeOrderedIds};

/// The ports that are not stores; a test brings its own.
#[derive(Clone)]
pub struct World {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Gives unguessable bytes.
    pub chance: Arc<dyn Chance>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            ids: Arc::new(TimeOrderedIds),
            chance: Arc::new(SystemChance),
        }
    }
}

/// Every port, with the storage behind every store.
#[must_use]
pub fn ports(world: &World, storage: &Storage, quotas: Quotas, public_url: &str) -> Ports {
    Ports {
        clock: Arc::clone(&world.clock),
        ids: Arc::clone(&world.ids),
        chance: Arc::clone(&world.chance),
        key_uses: Arc::default(),
        rate_limiter: Arc::new(InMemoryRateLimiter::new(quotas)),
        access: Arc::new(storage.clone()),
        fields: Arc::new(storage.clone()),
        contacts: Arc::new(storage.clone()),
        sync: Arc::new(storage.clone()),
        links: Links::new(public_url),
    }
}
