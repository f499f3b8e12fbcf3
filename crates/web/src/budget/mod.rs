//! The memory that requests in progress may use, in total and for each party.
//!
//! There are two pools, counted in KiB. *Held* is memory that a slow client can occupy for long: incoming bodies, and
//! answers that the client still reads. When it is used up, an answer is rejected at once, and a bounded number of bodies
//! wait for a bounded time. *Worked on* is the memory that parsing a body or building an answer needs in addition. Work
//! always ends, so requests wait for this memory, for a bounded time.
//!
//! What a party may use depends on the other parties ([`shares`]): a share that shrinks with the number of parties, a
//! place that is left for the next one, and a reserve for parties with little. Free memory goes in turn to the waiting
//! parties ([`queue`]).

mod pool;
mod queue;
mod shares;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use contact_hub_domain::access::ClientNetwork;
use contact_hub_domain::ids::CompanyId;

use self::pool::{Pool, Portion};
use crate::error::{ApiError, Code};
use crate::unavailable;

/// How long a request waits to be worked on.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a body waits for room, from its first wait on.
pub(crate) const WAIT_FOR_ROOM: Duration = Duration::from_secs(2);

/// Whose budget is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Party {
    /// A company, with all its users.
    Company(CompanyId),
    /// An unauthenticated client, by network.
    Network(ClientNetwork),
}

/// The budget of a process.
pub struct Budget {
    held: Arc<Pool>,
    worked_on: Arc<Pool>,
}

/// Granted memory; it is free again when this is dropped.
#[derive(Default)]
pub(crate) struct Grant {
    bytes: usize,
    portion: Option<Portion>,
}

/// The budget, or the party's share, is used up.
#[derive(Debug)]
pub(crate) struct Spent;

impl From<Spent> for ApiError {
    fn from(Spent: Spent) -> Self {
        unavailable::count(unavailable::MEMORY);
        let message = "Too much is in progress right now; try again soon.";
        Self::new(Code::ServiceUnavailable, message)
    }
}

impl Budget {
    /// A budget of this many bytes, half for each pool.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let half = kib(bytes / 2);
        Self { held: Pool::new(half, "held"), worked_on: Pool::new(half, "worked_on") }
    }

    /// Grants a party this many bytes to hold.
    pub(crate) fn hold(&self, party: Party, bytes: usize) -> Result<Grant, Spent> {
        let portion = self.held.take(party, kib(bytes)).ok_or(Spent)?;
        Ok(Grant { bytes, portion: Some(portion) })
    }

    /// Enlarges a grant to this many bytes. Waits for room until the deadline, unless too many requests wait.
    pub(crate) async fn hold_by(
        &self,
        party: Party,
        grant: &mut Grant,
        bytes: usize,
        until: impl FnOnce() -> Instant,
    ) -> Result<(), Spent> {
        let missing = kib(bytes).saturating_sub(grant.kib());
        if missing > 0 {
            grant.add(self.held.wait(party, missing, until).await?);
        }
        grant.bytes = grant.bytes.max(bytes);
        Ok(())
    }

    /// Waits until a party may work on this many bytes.
    pub(crate) async fn work(&self, party: Party, bytes: usize) -> Result<Grant, Spent> {
        // A request that needs more than a share is worked on alone.
        let wanted = kib(bytes).min(self.worked_on.most());
        let portion = self.worked_on.wait(party, wanted, || Instant::now() + PATIENCE).await?;
        Ok(Grant { bytes, portion: Some(portion) })
    }
}

impl Grant {
    /// How many bytes it covers.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    fn kib(&self) -> usize {
        self.portion.as_ref().map_or(0, Portion::kib)
    }

    fn add(&mut self, more: Portion) {
        match &mut self.portion {
            Some(portion) => portion.merge(more),
            None => self.portion = Some(more),
        }
    }
}

const fn kib(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use contact_hub_domain::ids::CompanyId;

    use tokio::time::Instant;

    use super::queue::MAX_WAITING_OF_ONE;
    use super::{Budget, Grant, Party, WAIT_FOR_ROOM};

    const MIB: usize = 1 << 20;

    fn company(n: u128) -> Party {
        Party::Company(CompanyId::new(Uuid::from_u128(n)))
    }

    fn until() -> Instant {
        Instant::now() + WAIT_FOR_ROOM
    }

    /// Takes as many grants of this size as a party can get.
    fn all_of(budget: &Budget, party: Party, bytes: usize) -> Vec<Grant> {
        std::iter::from_fn(|| budget.hold(party, bytes).ok()).collect()
    }

    #[test]
    fn two_greedy_parties_leave_room_for_a_large_and_for_small_bodies_of_others() {
        let budget = Budget::new(192 * MIB);
        let first = all_of(&budget, company(1), 15 * MIB);
        let second = all_of(&budget, company(2), 15 * MIB);
        assert_eq!((first.len(), second.len()), (2, 1));
        let rest = (all_of(&budget, company(1), MIB), all_of(&budget, company(2), MIB));
        assert!(rest.0.len() + rest.1.len() > 8, "shares are not cut into large pieces");
        assert!(budget.hold(company(1), 1).is_err(), "its share is spent");
        let third = budget.hold(company(3), 16 * MIB).expect("the largest body");
        assert!(budget.hold(company(3), MIB).is_err(), "no more than one");
        assert!(budget.hold(company(4), 16 * MIB).is_err());
        let small: Vec<Grant> =
            (5..13).map(|n| budget.hold(company(n), MIB).expect("the reserve")).collect();
        drop((third, small));
    }

    #[tokio::test]
    async fn small_pieces_add_up_without_rounding_errors() {
        let budget = Budget::new(192 * MIB);
        let mut grant = Grant::default();
        for bytes in 1..=MIB {
            budget.hold_by(company(1), &mut grant, bytes, until).await.expect("room");
        }
        assert_eq!((grant.bytes(), grant.kib()), (MIB, 1024));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_waits_for_room_up_to_a_time_limit() {
        let budget = Budget::new(192 * MIB);
        let (first, mut second) =
            (budget.hold(company(1), 44 * MIB).expect("a share"), Grant::default());
        assert!(budget.hold_by(company(1), &mut second, 1, until).await.is_err());
        let waits = budget.hold_by(company(1), &mut second, 16 * MIB, until);
        let (waited, ()) = tokio::join!(waits, async { drop(first) });
        assert!(waited.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_few_bodies_of_a_party_wait_for_room() {
        let budget = Budget::new(192 * MIB);
        let _first = budget.hold(company(1), 44 * MIB).expect("a share");
        let began = Instant::now();
        let mut grants: Vec<Grant> = (0..=MAX_WAITING_OF_ONE).map(|_| Grant::default()).collect();
        let waits = grants.iter_mut().map(|grant| async {
            let outcome = budget.hold_by(company(1), grant, 1, until).await;
            (outcome.is_err(), began.elapsed() < WAIT_FOR_ROOM)
        });
        let outcomes = futures_util::future::join_all(waits).await;
        assert!(outcomes.iter().all(|(refused, _)| *refused));
        assert_eq!(outcomes.iter().filter(|(_, at_once)| *at_once).count(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_can_never_fit_is_rejected_at_once() {
        let (budget, began) = (Budget::new(192 * MIB), Instant::now());
        let mut grant = Grant::default();
        assert!(budget.hold_by(company(1), &mut grant, 60 * MIB, until).await.is_err());
        assert!(began.elapsed() < WAIT_FOR_ROOM);
    }

    #[tokio::test(start_paused = true)]
    async fn work_waits_for_its_turn_up_to_a_time_limit() {
        let budget = Budget::new(192 * MIB);
        let first = budget.work(company(1), 1 << 30).await.expect("worked on alone");
        assert!(budget.work(company(1), 1).await.is_err());
        assert!(budget.work(company(2), MIB).await.is_ok());
        let second = budget.work(company(1), MIB);
        let (second, ()) = tokio::join!(second, async { drop(first) });
        assert!(second.is_ok());
    }
}
