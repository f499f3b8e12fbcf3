//! The memory that requests in progress may take, in all and for each party.
//!
//! Two pools are counted, in KiB. *Held* is what a slow client could keep for long: bodies that arrive, answers that are
//! being taken in. It is refused at once when it is spent. *Worked on* is what reading a body or making an answer takes
//! beside that. Work always comes to an end, so one waits for it in turn, for a bounded time. A party holds a share of each
//! pool at most, and so never takes the others'.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use contact_hub_domain::access::ClientNetwork;
use contact_hub_domain::ids::CompanyId;

use crate::error::{ApiError, Code};

/// One party's share of a pool is the pool divided by this.
const SHARES: usize = 4;

/// How long one waits to work.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many parties are remembered before those without anything are forgotten.
const MANY_PARTIES: usize = 1024;

/// Who answers for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Party {
    /// A company, whichever of its users asks.
    Company(CompanyId),
    /// Someone unknown, by network.
    Network(ClientNetwork),
}

/// The budget of a process.
pub struct Budget {
    held: Pool,
    worked_on: Pool,
}

struct Pool {
    all: Arc<Semaphore>,
    share: usize,
    of_parties: Mutex<HashMap<Party, Weak<Semaphore>>>,
}

/// Memory that was granted; it is free again when this is dropped.
#[derive(Default)]
pub(crate) struct Grant {
    permits: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit, Arc<Semaphore>)>,
    bytes: usize,
    granted: usize,
}

/// The budget, or the party's share, is spent.
#[derive(Debug)]
pub(crate) struct Spent;

impl From<Spent> for ApiError {
    fn from(Spent: Spent) -> Self {
        let message = "Too much is in progress right now; try again soon.";
        Self::new(Code::ServiceUnavailable, message)
    }
}

impl Budget {
    /// A budget of so many bytes, half for each pool.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { held: Pool::new(bytes / 2), worked_on: Pool::new(bytes / 2) }
    }

    /// Adds bytes to what a party holds.
    pub(crate) fn hold(&self, party: Party, grant: &mut Grant, bytes: usize) -> Result<(), Spent> {
        self.held.grow(party, grant, bytes)
    }

    /// Waits until a party may work on so many bytes.
    pub(crate) async fn work(&self, party: Party, bytes: usize) -> Result<Grant, Spent> {
        self.worked_on.wait(party, bytes).await
    }
}

const fn kib(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}

impl Pool {
    fn new(bytes: usize) -> Self {
        let all = kib(bytes).min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(all)),
            share: all / SHARES,
            of_parties: Mutex::default(),
        }
    }

    /// What is left of a party's share.
    fn of(&self, party: Party) -> Arc<Semaphore> {
        let mut parties = self.of_parties.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = parties.get(&party).and_then(Weak::upgrade) {
            return own;
        }
        if parties.len() >= MANY_PARTIES {
            parties.retain(|_, own| own.strong_count() > 0);
        }
        let own = Arc::new(Semaphore::new(self.share));
        parties.insert(party, Arc::downgrade(&own));
        own
    }

    fn grow(&self, party: Party, grant: &mut Grant, bytes: usize) -> Result<(), Spent> {
        let whole = grant.bytes.saturating_add(bytes);
        let missing = kib(whole).saturating_sub(grant.granted);
        let Ok(count) = u32::try_from(missing) else { return Err(Spent) };
        if count == 0 {
            grant.bytes = whole;
            return Ok(());
        }
        let own = self.of(party);
        let of_share = Arc::clone(&own).try_acquire_many_owned(count).map_err(|_none| Spent)?;
        let of_all = Arc::clone(&self.all).try_acquire_many_owned(count).map_err(|_none| Spent)?;
        grant.add(of_share, of_all, own, missing);
        grant.bytes = whole;
        Ok(())
    }

    async fn wait(&self, party: Party, bytes: usize) -> Result<Grant, Spent> {
        // What is larger than a share is worked on alone.
        let wanted = kib(bytes).min(self.share);
        let count = u32::try_from(wanted).map_err(|_never| Spent)?;
        let own = self.of(party);
        let both = async {
            let of_share = Arc::clone(&own).acquire_many_owned(count).await;
            let of_all = Arc::clone(&self.all).acquire_many_owned(count).await;
            of_share.and_then(|of_share| Ok((of_share, of_all?)))
        };
        let granted = timeout(PATIENCE, both).await.map_err(|_elapsed| Spent)?;
        let (of_share, of_all) = granted.map_err(|_closed| Spent)?;
        let mut grant = Grant { bytes, ..Grant::default() };
        grant.add(of_share, of_all, own, wanted);
        Ok(grant)
    }
}

impl Grant {
    fn add(
        &mut self,
        of_share: OwnedSemaphorePermit,
        of_all: OwnedSemaphorePermit,
        own: Arc<Semaphore>,
        count: usize,
    ) {
        self.granted += count;
        match &mut self.permits {
            Some((share, all, _)) => {
                share.merge(of_share);
                all.merge(of_all);
            }
            None => self.permits = Some((of_share, of_all, own)),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use contact_hub_domain::ids::CompanyId;

    use super::{Budget, Grant, Party};

    fn company(n: u128) -> Party {
        Party::Company(CompanyId::new(Uuid::from_u128(n)))
    }

    #[test]
    fn a_party_holds_its_share_and_leaves_the_rest_to_others() {
        let budget = Budget::new(8 << 20);
        let mut one = Grant::default();
        for _ in 0..1024 {
            assert!(budget.hold(company(1), &mut one, 1024).is_ok());
        }
        assert!(budget.hold(company(1), &mut one, 1).is_err(), "a quarter of a half");
        let mut others: Vec<Grant> = (2..5).map(|_| Grant::default()).collect();
        for (n, other) in (2..).zip(&mut others) {
            assert!(budget.hold(company(n), other, 1 << 20).is_ok());
        }
        let mut late = Grant::default();
        assert!(budget.hold(company(9), &mut late, 1).is_err(), "all is spent");
        drop(one);
        assert!(budget.hold(company(9), &mut late, 1 << 20).is_ok());
    }

    #[test]
    fn small_pieces_do_not_add_up_to_more_than_they_are() {
        let budget = Budget::new(8 << 10);
        let mut grant = Grant::default();
        for _ in 0..1024 {
            assert!(budget.hold(company(1), &mut grant, 1).is_ok());
        }
        assert!(budget.hold(company(1), &mut grant, 1).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn work_is_waited_for_in_turn_and_not_for_ever() {
        let budget = Budget::new(8 << 20);
        let first = budget.work(company(1), 1 << 30).await.expect("worked on alone");
        assert!(budget.work(company(1), 1).await.is_err());
        assert!(budget.work(company(2), 1 << 20).await.is_ok());
        let second = budget.work(company(1), 1 << 20);
        let (second, ()) = tokio::join!(second, async { drop(first) });
        assert!(second.is_ok());
    }
}
