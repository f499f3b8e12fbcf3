//! Permits for a bounded number of connections, shared fairly between companies.
//!
//! A call that waits for a permit holds no thread. A free permit goes to the companies in round-robin, not to the
//! calls in the order of their arrival, so a company with many calls delays only its own. Short work goes before heavy
//! work, such as a list or a bulk, but only some of it in a row. Where there are several permits, heavy work never takes all,
//! and one company has at most two thirds of those that heavy work may have.

mod queue;
mod share;
#[cfg(test)]
mod tests;
mod usage;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::gauge;

use self::queue::Queue;
pub(crate) use self::queue::QueueFull;
pub(crate) use self::share::Share;
use self::usage::Usage;

/// The permits of one pool.
pub(crate) struct Permits {
    pool: &'static str,
    state: Mutex<State>,
}

struct State {
    usage: Usage,
    queue: Queue,
}

impl Permits {
    /// Creates this many permits, of which heavy work gets at most `max_heavy`.
    pub(crate) fn new(pool: &'static str, size: usize, max_heavy: usize) -> Arc<Self> {
        gauge!("contact_hub_db_connections_max", "pool" => pool)
            .set(u32::try_from(size).unwrap_or(u32::MAX));
        let state = State { usage: Usage::of(size, max_heavy), queue: Queue::default() };
        Arc::new(Self { pool, state: Mutex::new(state) })
    }

    /// The name of the pool.
    pub(crate) const fn pool(&self) -> &'static str {
        self.pool
    }

    /// Waits for a permit for this share.
    pub(crate) async fn take(self: &Arc<Self>, share: Share) -> Result<Permit, QueueFull> {
        let (id, granted) = {
            let mut state = self.state();
            if state.usage.grants(share) {
                return Ok(self.grant(&mut state.usage, share));
            }
            state.queue.add(share)?
        };
        let _waiting = Waiting::start(self, share, id);
        granted.await.map_err(|_closed| QueueFull)
    }

    /// Returns a permit if one is free.
    pub(crate) fn take_at_once(self: &Arc<Self>, share: Share) -> Option<Permit> {
        let mut state = self.state();
        state.usage.grants(share).then(|| self.grant(&mut state.usage, share))
    }

    /// Whether a permit is free for this share.
    pub(crate) fn has_free(&self, share: Share) -> bool {
        self.state().usage.grants(share)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn grant(self: &Arc<Self>, usage: &mut Usage, share: Share) -> Permit {
        usage.add(share);
        gauge!("contact_hub_db_connections_in_use", "pool" => self.pool).increment(1);
        Permit { permits: Arc::clone(self), share }
    }

    fn give_back(self: &Arc<Self>, share: Share) {
        gauge!("contact_hub_db_connections_in_use", "pool" => self.pool).decrement(1);
        let mut granted = Vec::new();
        {
            let mut state = self.state();
            let State { usage, queue } = &mut *state;
            usage.remove(share);
            while let Some((call, share)) = queue.next(|share| usage.grants(share)) {
                granted.push((call, self.grant(usage, share)));
            }
        }
        for (call, permit) in granted {
            // A call that has just given up drops the permit, and the next one gets it.
            call.granted.send(permit).ok();
        }
    }
}

/// Counts a waiting call, and removes it when it gives up or its client disconnects.
struct Waiting<'a> {
    permits: &'a Permits,
    share: Share,
    id: u64,
}

impl<'a> Waiting<'a> {
    fn start(permits: &'a Permits, share: Share, id: u64) -> Self {
        gauge!("contact_hub_db_requests_waiting", "pool" => permits.pool).increment(1);
        Self { permits, share, id }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        gauge!("contact_hub_db_requests_waiting", "pool" => self.permits.pool).decrement(1);
        self.permits.state().queue.forget(self.share, self.id);
    }
}

/// The right to use a connection of a pool, until it is dropped.
pub(crate) struct Permit {
    permits: Arc<Permits>,
    share: Share,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permits.give_back(self.share);
    }
}
