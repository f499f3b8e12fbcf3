//! The connections that a pool may have open.
//!
//! While a connection is being opened, r2d2 opens another one for each call that finds none idle, up to the size of its pool.
//! So a pool has exactly as many as it may use at once. A call that comes while abandoned threads hold some of them gets
//! one of a reserve, which exists only then.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use std::time::Duration;

use r2d2::PooledConnection;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::manager::{Generation, Manager, Pooled, pool};
use super::opener::Opener;

/// How long a connection of the reserve is kept after its use.
const RESERVE_IDLE: Duration = Duration::from_mins(1);

/// The connections, of which each is in one place.
pub(super) struct Places {
    opener: Opener,
    generation: Generation,
    wait: Duration,
    /// The places of the usual pool.
    free: Semaphore,
    usual: r2d2::Pool<Manager>,
    most_in_reserve: u32,
    reserve: OnceLock<r2d2::Pool<Manager>>,
}

/// A connection in its place.
pub(super) struct Placed<'a> {
    // Returned to its pool before the place is free.
    connection: PooledConnection<Manager>,
    _place: Option<SemaphorePermit<'a>>,
}

impl Places {
    /// Places for as many connections as may be used at once, and a reserve.
    pub(super) fn new(
        opener: Opener,
        generation: Generation,
        size: u32,
        most_in_reserve: u32,
        wait: Duration,
    ) -> Self {
        let manager = Manager::new(opener.clone(), generation.clone());
        let usual = pool(manager, size, wait, None);
        let free = Semaphore::new(usize::try_from(size).unwrap_or(1));
        Self { opener, generation, wait, free, usual, most_in_reserve, reserve: OnceLock::new() }
    }

    /// A connection that is idle or opened within this time.
    pub(super) fn connection(&self, within: Duration) -> Result<Placed<'_>, r2d2::Error> {
        let place = self.free.try_acquire().ok();
        let pool = if place.is_some() { &self.usual } else { self.reserve() };
        Ok(Placed { connection: pool.get_timeout(within)?, _place: place })
    }

    fn reserve(&self) -> &r2d2::Pool<Manager> {
        self.reserve.get_or_init(|| {
            let manager = Manager::new(self.opener.clone(), self.generation.clone());
            pool(manager, self.most_in_reserve, self.wait, Some(RESERVE_IDLE))
        })
    }
}

impl Deref for Placed<'_> {
    type Target = Pooled;

    fn deref(&self) -> &Pooled {
        &self.connection
    }
}

impl DerefMut for Placed<'_> {
    fn deref_mut(&mut self) -> &mut Pooled {
        &mut self.connection
    }
}
