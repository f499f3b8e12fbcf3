//! The memory that requests in progress may take, in all and for each party.
//!
//! Two pools are counted, in KiB. *Held* is what a slow client could keep for long: bodies that arrive, answers that the
//! client still reads. When it is spent, an answer is refused at once, and a bounded number of bodies wait for a bounded
//! time. *Worked on* is what parsing a body or making an answer takes beside that. Work always ends, so requests wait for
//! it in turn, for a bounded time. A party holds at most a share of each pool: two parties together can fill a pool.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use contact_hub_domain::access::ClientNetwork;
use contact_hub_domain::ids::CompanyId;

use crate::error::{ApiError, Code};

/// One party's share of a pool is the pool divided by this.
const SHARES: usize = 2;

/// How long one waits to work.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a body waits for room, from its first wait on.
pub(crate) const WAIT_FOR_ROOM: Duration = Duration::from_secs(2);

/// How many bodies wait for room at most.
const MAX_WAITING: usize = 64;

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
    places_to_wait: Semaphore,
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

    /// As [`Self::hold`], but waits for room until then, unless too many do.
    pub(crate) async fn hold_by(
        &self,
        party: Party,
        grant: &mut Grant,
        bytes: usize,
        until: impl FnOnce() -> Instant,
    ) -> Result<(), Spent> {
        match self.hold(party, grant, bytes) {
            Ok(()) => Ok(()),
            Err(Spent) => self.held.grow_by(party, grant, bytes, until()).await,
        }
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
            places_to_wait: Semaphore::new(MAX_WAITING),
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
        let (whole, count) = grant.grown(bytes)?;
        if count == 0 {
            grant.bytes = whole;
            return Ok(());
        }
        let own = self.of(party);
        let of_share = Arc::clone(&own).try_acquire_many_owned(count).map_err(|_none| Spent)?;
        let of_all = Arc::clone(&self.all).try_acquire_many_owned(count).map_err(|_none| Spent)?;
        grant.add(of_share, of_all, own);
        grant.bytes = whole;
        Ok(())
    }

    async fn grow_by(
        &self,
        party: Party,
        grant: &mut Grant,
        bytes: usize,
        until: Instant,
    ) -> Result<(), Spent> {
        let _place = self.places_to_wait.try_acquire().map_err(|_full| Spent)?;
        let (whole, count) = grant.grown(bytes)?;
        let own = self.of(party);
        let both = timeout_at(until, self.acquire(&own, count)).await.map_err(|_elapsed| Spent)?;
        let (of_share, of_all) = both.map_err(|_closed| Spent)?;
        grant.add(of_share, of_all, own);
        grant.bytes = whole;
        Ok(())
    }

    async fn acquire(
        &self,
        own: &Arc<Semaphore>,
        count: u32,
    ) -> Result<(OwnedSemaphorePermit, OwnedSemaphorePermit), AcquireError> {
        let of_share = Arc::clone(own).acquire_many_owned(count).await?;
        let of_all = Arc::clone(&self.all).acquire_many_owned(count).await?;
        Ok((of_share, of_all))
    }

    async fn wait(&self, party: Party, bytes: usize) -> Result<Grant, Spent> {
        // What is larger than a share is worked on alone.
        let wanted = kib(bytes).min(self.share);
        let count = u32::try_from(wanted).map_err(|_never| Spent)?;
        let own = self.of(party);
        let granted =
            timeout(PATIENCE, self.acquire(&own, count)).await.map_err(|_elapsed| Spent)?;
        let (of_share, of_all) = granted.map_err(|_closed| Spent)?;
        let mut grant = Grant { bytes, ..Grant::default() };
        grant.add(of_share, of_all, own);
        Ok(grant)
    }
}

impl Grant {
    /// Its size with so many bytes more, and how many KiB it lacks for that.
    fn grown(&self, bytes: usize) -> Result<(usize, u32), Spent> {
        let whole = self.bytes.saturating_add(bytes);
        let missing = kib(whole).saturating_sub(self.granted);
        Ok((whole, u32::try_from(missing).map_err(|_huge| Spent)?))
    }

    fn add(
        &mut self,
        of_share: OwnedSemaphorePermit,
        of_all: OwnedSemaphorePermit,
        own: Arc<Semaphore>,
    ) {
        self.granted += of_all.num_permits();
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

    use tokio::time::Instant;

    use super::{Budget, Grant, MAX_WAITING, Party, WAIT_FOR_ROOM};

    fn company(n: u128) -> Party {
        Party::Company(CompanyId::new(Uuid::from_u128(n)))
    }

    #[test]
    fn a_party_holds_its_share_and_leaves_the_rest_to_others() {
        let budget = Budget::new(8 << 20);
        let mut one = Grant::default();
        for _ in 0..2048 {
            assert!(budget.hold(company(1), &mut one, 1024).is_ok());
        }
        assert!(budget.hold(company(1), &mut one, 1).is_err(), "half of a half");
        let mut others: Vec<Grant> = (2..4).map(|_| Grant::default()).collect();
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
        for _ in 0..2048 {
            assert!(budget.hold(company(1), &mut grant, 1).is_ok());
        }
        assert!(budget.hold(company(1), &mut grant, 1).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_waits_for_room_and_not_for_ever() {
        let budget = Budget::new(8 << 20);
        let (mut first, mut second) = (Grant::default(), Grant::default());
        assert!(budget.hold(company(1), &mut first, 2 << 20).is_ok());
        let until = || Instant::now() + WAIT_FOR_ROOM;
        assert!(budget.hold_by(company(1), &mut second, 1, until).await.is_err());
        let waits = budget.hold_by(company(1), &mut second, 1 << 20, until);
        let (waited, ()) = tokio::join!(waits, async { drop(first) });
        assert!(waited.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_few_bodies_wait_for_room() {
        let budget = Budget::new(8 << 20);
        let mut first = Grant::default();
        assert!(budget.hold(company(1), &mut first, 2 << 20).is_ok());
        let until = || Instant::now() + WAIT_FOR_ROOM;
        let began = Instant::now();
        let mut grants: Vec<Grant> = (0..=MAX_WAITING).map(|_| Grant::default()).collect();
        let waits = grants.iter_mut().map(|grant| async {
            let outcome = budget.hold_by(company(1), grant, 1, until).await;
            (outcome.is_err(), began.elapsed() < WAIT_FOR_ROOM)
        });
        let outcomes = futures_util::future::join_all(waits).await;
        assert!(outcomes.iter().all(|(refused, _)| *refused));
        assert_eq!(outcomes.iter().filter(|(_, at_once)| *at_once).count(), 1);
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
