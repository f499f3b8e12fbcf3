//! Limits how many passwords are hashed at once.
//!
//! A hash takes 19 MiB and a processor, so few run at once. Other requests wait, in a bounded queue and for a bounded
//! time. One network gets a share of the queue, so that a password guesser leaves room for other clients.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contact_hub_domain::access::ClientNetwork;
use contact_hub_domain::ports::StoreError;
use metrics::counter;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many passwords are hashed at once.
const AT_ONCE: usize = 4;

/// How many requests are hashed or wait at once.
const PLACES: usize = 64;

/// How many of them may come from one network.
const PLACES_OF_NETWORK: usize = 8;

/// The longest wait.
const PATIENCE: Duration = Duration::from_secs(3);

/// Too many passwords wait already.
#[derive(Debug, thiserror::Error)]
#[error("too many passwords wait to be hashed")]
struct QueueFull;

/// The permits, and the bounded queue for them.
#[derive(Clone)]
pub(super) struct HashPermits {
    running: Arc<Semaphore>,
    places: Arc<Places>,
}

#[derive(Default)]
struct Places(Mutex<HashMap<ClientNetwork, usize>>);

/// The right to hash one password, until it is dropped.
pub(super) struct HashPermit {
    _running: OwnedSemaphorePermit,
    _place: Place,
}

struct Place {
    places: Arc<Places>,
    network: ClientNetwork,
}

impl Default for HashPermits {
    fn default() -> Self {
        Self { running: Arc::new(Semaphore::new(AT_ONCE)), places: Arc::default() }
    }
}

impl HashPermits {
    /// Waits for a permit; returns [`StoreError::Unavailable`] when the queue is full or the wait was too long.
    pub(super) async fn take(&self, client: IpAddr) -> Result<HashPermit, StoreError> {
        let queue_full = || {
            counter!("contact_hub_password_hashes_refused_total").increment(1);
            StoreError::Unavailable(Box::new(QueueFull))
        };
        let place = self.places.take(client.into()).ok_or_else(queue_full)?;
        let running = timeout(PATIENCE, Arc::clone(&self.running).acquire_owned()).await;
        let running = running.map_err(|_elapsed| queue_full())?;
        let running = running.map_err(|closed| StoreError::Failed(Box::new(closed)))?;
        Ok(HashPermit { _running: running, _place: place })
    }
}

impl Places {
    fn take(self: &Arc<Self>, network: ClientNetwork) -> Option<Place> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = taken.values().sum();
        let own = taken.get(&network).copied().unwrap_or(0);
        if all >= PLACES || own >= PLACES_OF_NETWORK {
            return None;
        }
        taken.insert(network, own + 1);
        Some(Place { places: Arc::clone(self), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.network) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use contact_hub_domain::ports::StoreError;
    use futures_util::future::join_all;

    use super::{AT_ONCE, HashPermits, PLACES, PLACES_OF_NETWORK};

    fn address(n: usize) -> IpAddr {
        Ipv4Addr::from_bits(u32::try_from(n).expect("small")).into()
    }

    #[tokio::test]
    async fn one_network_gets_a_share_of_the_slots() {
        let permits = HashPermits::default();
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(permits.take(address(1)).await.expect("a permit"));
        }
        let waiting: Vec<_> = (AT_ONCE..PLACES_OF_NETWORK)
            .map(|_| {
                tokio::spawn({
                    let permits = permits.clone();
                    async move { permits.take(address(1)).await }
                })
            })
            .collect();
        tokio::task::yield_now().await;
        let refused = permits.take(address(1)).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))));
        let other = tokio::spawn({
            let permits = permits.clone();
            async move { permits.take(address(2)).await }
        });
        tokio::task::yield_now().await;
        drop(held);
        for permit in join_all(waiting).await {
            assert!(permit.expect("no panic").is_ok());
        }
        assert!(other.await.expect("no panic").is_ok(), "another network waits and gets a permit");
        assert!(permits.take(address(1)).await.is_ok(), "places are released");
    }

    #[tokio::test(start_paused = true)]
    async fn the_slots_and_the_wait_are_bounded() {
        let permits = HashPermits::default();
        let mut held = Vec::new();
        for n in 0..AT_ONCE {
            held.push(permits.take(address(n)).await.expect("a permit"));
        }
        let all = join_all((AT_ONCE..2 * PLACES).map(|n| permits.take(address(n)))).await;
        assert!(all.iter().all(|permit| matches!(permit, Err(StoreError::Unavailable(_)))));
        drop(held);
        assert!(permits.take(address(1)).await.is_ok());
    }
}
