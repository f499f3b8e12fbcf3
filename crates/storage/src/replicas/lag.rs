//! How far a replica is behind, without comparing the clocks of two servers.
//!
//! Positions of the primary are remembered with the moment at which they were asked for. The replica is at least as
//! far behind as the oldest one that it has not replayed.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The maximum number of positions that are remembered.
const MAX_SAMPLES: usize = 64;

/// The lag of one replica.
#[derive(Default)]
pub(super) struct Lag {
    /// Positions that are not replayed yet, the oldest first.
    ahead: VecDeque<(Instant, i64)>,
    /// Whether any position was replayed: before that, the replica may be hours behind.
    is_known: bool,
}

impl Lag {
    /// Remembers that the primary was at this position at this moment.
    pub(super) fn remember(&mut self, at: Instant, position: i64) {
        self.ahead.push_back((at, position));
        if self.ahead.len() > MAX_SAMPLES {
            let mut is_kept = false;
            self.ahead.retain(|_sample| {
                is_kept = !is_kept;
                is_kept
            });
        }
    }

    /// Notes that the log is replayed up to this position.
    pub(super) fn replay(&mut self, replayed: i64) {
        while self.ahead.pop_front_if(|(_, position)| *position <= replayed).is_some() {
            self.is_known = true;
        }
    }

    /// How far the replica is behind; `None` while that is unknown.
    pub(super) fn at(&self, now: Instant) -> Option<Duration> {
        let oldest = self.ahead.front();
        self.is_known
            .then(|| oldest.map_or(Duration::ZERO, |(at, _)| now.saturating_duration_since(*at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_replica_is_as_far_behind_as_the_oldest_position_that_it_lacks() {
        let (mut lag, began) = (Lag::default(), Instant::now());
        lag.remember(began, 10);
        lag.replay(5);
        assert_eq!(lag.at(began), None, "it may be hours behind");
        lag.remember(began + SECOND, 20);
        lag.replay(10);
        assert_eq!(lag.at(began + 3 * SECOND), Some(2 * SECOND));
        lag.remember(began + 3 * SECOND, 20);
        lag.replay(20);
        assert_eq!(lag.at(began + 9 * SECOND), Some(Duration::ZERO));
    }

    #[test]
    fn a_replica_that_stays_down_uses_little_memory_and_its_lag_grows() {
        let (mut lag, began) = (Lag::default(), Instant::now());
        lag.remember(began, 0);
        lag.replay(0);
        for second in 1..=10_000 {
            lag.remember(began + second * SECOND, i64::from(second));
        }
        assert!(lag.ahead.len() <= MAX_SAMPLES);
        assert_eq!(lag.at(began + 10_001 * SECOND), Some(10_000 * SECOND));
        lag.replay(10_000);
        assert_eq!(lag.at(began + 10_001 * SECOND), Some(Duration::ZERO));
    }
}
