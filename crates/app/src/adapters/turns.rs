//! Whose turn it is to have a password hashed.
//!
//! A hash takes 19 MiB and a processor, so few run at once. Who comes meanwhile waits, in a bounded number and for a bounded
//! time, and one network has a share of the places: so one that guesses leaves room for everyone else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contact_hub_domain::access::ClientNetwork;
use contact_hub_domain::ports::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many passwords are hashed at once.
const AT_ONCE: usize = 4;

/// How many are hashed or wait at once.
const PLACES: usize = 64;

/// How many of them come from one network.
const PLACES_OF_NETWORK: usize = 8;

/// How long one waits at most.
const PATIENCE: Duration = Duration::from_secs(3);

/// Too many passwords wait already.
#[derive(Debug, thiserror::Error)]
#[error("too many passwords wait to be hashed")]
struct Crowded;

/// The turns, and who waits for one.
#[derive(Clone)]
pub(super) struct Turns {
    running: Arc<Semaphore>,
    places: Arc<Places>,
}

#[derive(Default)]
struct Places(Mutex<HashMap<ClientNetwork, usize>>);

/// A turn; it ends when this is dropped.
pub(super) struct Turn {
    _running: OwnedSemaphorePermit,
    _place: Place,
}

struct Place {
    places: Arc<Places>,
    network: ClientNetwork,
}

impl Default for Turns {
    fn default() -> Self {
        Self { running: Arc::new(Semaphore::new(AT_ONCE)), places: Arc::default() }
    }
}

impl Turns {
    /// Waits for a turn; [`StoreError::Unavailable`] when no place is free or the wait was too long.
    pub(super) async fn take(&self, client: IpAddr) -> Result<Turn, StoreError> {
        let crowded = || StoreError::Unavailable(Box::new(Crowded));
        let place = self.places.take(client.into()).ok_or_else(crowded)?;
        let running = timeout(PATIENCE, Arc::clone(&self.running).acquire_owned()).await;
        let running = running.map_err(|_elapsed| crowded())?;
        let running = running.map_err(|closed| StoreError::Failed(Box::new(closed)))?;
        Ok(Turn { _running: running, _place: place })
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

    use super::{AT_ONCE, PLACES, PLACES_OF_NETWORK, Turns};

    fn address(n: usize) -> IpAddr {
        Ipv4Addr::from_bits(u32::try_from(n).expect("small")).into()
    }

    #[tokio::test]
    async fn one_network_has_a_share_of_the_places() {
        let turns = Turns::default();
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(turns.take(address(1)).await.expect("a turn"));
        }
        let waiting: Vec<_> = (AT_ONCE..PLACES_OF_NETWORK)
            .map(|_| {
                tokio::spawn({
                    let turns = turns.clone();
                    async move { turns.take(address(1)).await }
                })
            })
            .collect();
        tokio::task::yield_now().await;
        let refused = turns.take(address(1)).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))));
        let other = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take(address(2)).await }
        });
        tokio::task::yield_now().await;
        drop(held);
        for turn in join_all(waiting).await {
            assert!(turn.expect("no panic").is_ok());
        }
        assert!(other.await.expect("no panic").is_ok(), "another network waits and has its turn");
        assert!(turns.take(address(1)).await.is_ok(), "places are given back");
    }

    #[tokio::test(start_paused = true)]
    async fn the_places_and_the_wait_are_bounded() {
        let turns = Turns::default();
        let mut held = Vec::new();
        for n in 0..AT_ONCE {
            held.push(turns.take(address(n)).await.expect("a turn"));
        }
        let all = join_all((AT_ONCE..2 * PLACES).map(|n| turns.take(address(n)))).await;
        assert!(all.iter().all(|turn| matches!(turn, Err(StoreError::Unavailable(_)))));
        drop(held);
        assert!(turns.take(address(1)).await.is_ok());
    }
}
