//! Waiting until there may be work.

use std::time::Duration;

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Look;
use tokio::time::sleep;

use super::{LOOK_AGAIN, LOOK_EVERY, Work};

/// The longest time while other instances hold leases; see [`PeerHeartbeats`](crate::peer_heartbeats::PeerHeartbeats).
const WATCH_EVERY: Duration = Duration::from_millis(500);

impl Work {
    /// Waits until there may be work; returns true when something may be due.
    pub(super) async fn pause(&mut self, seen: Option<Timestamp>) -> bool {
        if self.is_unavailable {
            sleep(LOOK_EVERY).await;
            return true;
        }
        self.running.gather().await;
        if !self.running.ended.is_empty() {
            // When attempts keep ending there is no pause, but another instance may have died.
            if self.peers.has_not_looked_for(WATCH_EVERY) {
                self.look().await;
            }
            return true;
        }
        let (wait, is_due_then) = self.next_look(seen).await;
        tokio::select! {
            () = self.running.end_any() => true,
            () = self.signal.woken() => true,
            () = sleep(wait) => is_due_then,
        }
    }

    /// How long to wait at most, and whether something is due after that. A delivery that was already due at the last
    /// claim, and was left, belongs to a webhook that is at its limit, or that another instance was just claiming
    /// for. The latter is soon over; the former may last. So the waits grow until a claim succeeds again.
    async fn next_look(&mut self, seen: Option<Timestamp>) -> (Duration, bool) {
        let Some((look, dead_in)) = self.look().await else {
            return (LOOK_EVERY, true);
        };
        let (wait, is_due) = self.wait_for(look.next_due, seen);
        match dead_in {
            Some(Duration::ZERO) => (LOOK_AGAIN, true),
            Some(dead_in) => (wait.min(dead_in).min(WATCH_EVERY), is_due),
            None => (wait, is_due),
        }
    }

    async fn look(&mut self) -> Option<(Look, Option<Duration>)> {
        let looked = self.peers.look(&self.ports).await;
        let (look, dead_in) = looked.map_err(|error| self.note_unavailable(&error)).ok()?;
        if look.is_unsettled {
            self.signal.unsettled.notify_one();
        }
        Some((look, dead_in))
    }

    fn wait_for(&mut self, next: Option<Timestamp>, seen: Option<Timestamp>) -> (Duration, bool) {
        let Some(next) = next else { return (LOOK_EVERY, false) };
        if seen.is_some_and(|seen| next <= seen) {
            let wait = self.look_again;
            self.look_again = wait.saturating_mul(2).min(LOOK_EVERY);
            return (wait, true);
        }
        let micros = next.micros().saturating_sub(self.ports.clock.now().micros());
        let wait = Duration::from_micros(u64::try_from(micros).unwrap_or(0));
        if wait > LOOK_EVERY { (LOOK_EVERY, false) } else { (wait, true) }
    }
}
