//! The window of a client that instances share, and the rule by which it grants leases.

use std::time::Duration;

use crate::access::admitted_calls::{AdmittedCalls, part_of};
use crate::ids::InstanceId;
use crate::time::Timestamp;

/// How long an instance may admit calls under a lease.
pub(super) const LEASE: Duration = Duration::from_secs(5);

/// A lease has at most the remaining quota divided by this number, in addition to the calls that wait for it. So an
/// instance holds little quota that it does not use, and less near the limit.
const PART_OF_REST: u32 = 8;

/// Past this number of slices, calls that are close together are stored as one slice.
const MAX_SLICES: usize = 100;

/// Calls of one moment, or a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// When the calls were admitted; of a lease, when it expires.
    pub at: Timestamp,
    /// How many there are.
    pub calls: u32,
    /// The instance that holds the lease; `None` for calls that were made.
    pub holder: Option<InstanceId>,
}

/// What an instance did since its last question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The calls that it admitted.
    pub used: AdmittedCalls,
    /// Reported calls, by their moments, that no longer count.
    pub taken_back: Vec<Timestamp>,
}

impl Report {
    /// A report of nothing, for a window of this length.
    #[must_use]
    pub const fn new(seconds: i64) -> Self {
        Self { used: AdmittedCalls::new(seconds, MAX_SLICES), taken_back: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used.is_empty() && self.taken_back.is_empty()
    }
}

/// A question of an instance. It gives back the instance's lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The instance.
    pub holder: InstanceId,
    /// The time.
    pub now: Timestamp,
    /// How many calls the window admits.
    pub quota: u32,
    /// The length of the window, in seconds.
    pub seconds: i64,
    /// How many calls wait for the answer; 0 if the instance only reports.
    pub calls: u32,
    /// How many more it expects soon.
    pub expected: u32,
    /// What it did since its last question.
    pub report: Report,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Whether the call that asks is admitted.
    pub is_admitted: bool,
    /// How many more calls the instance may admit until the lease expires.
    pub lease: u32,
    /// When the lease expires.
    pub until: Timestamp,
}

/// The calls and leases of a client, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedWindow(Vec<Slice>);

impl SharedWindow {
    /// A stored window.
    #[must_use]
    pub fn from_stored(mut slices: Vec<Slice>) -> Self {
        slices.sort_by_key(|slice| slice.at);
        Self(slices)
    }

    /// Its slices, oldest first.
    #[must_use]
    pub fn slices(&self) -> &[Slice] {
        &self.0
    }

    /// When all of it has left the window, rounded up to a minute, so that an index of it rarely changes.
    #[must_use]
    pub fn expires_at(&self, ask: &Ask) -> Timestamp {
        let last = self.0.last().map_or(ask.now, |slice| slice.at);
        let minute = last.plus_seconds(ask.seconds).minute().saturating_add(1);
        Timestamp::from_micros(minute.saturating_mul(60_000_000)).unwrap_or(Timestamp::MAX)
    }

    /// Applies an instance's report, and grants what it asks for as far as the quota permits. The first granted call is
    /// the one that asks, and counts now. The others form a lease.
    pub fn grant(&mut self, ask: &Ask) -> Grant {
        self.take_in(ask);
        let until = ask.now.plus(LEASE);
        let counted = self.0.iter().fold(0_u32, |sum, slice| sum.saturating_add(slice.calls));
        let room = ask.quota.saturating_sub(counted);
        let granted = room.min(ask.calls);
        if granted == 0 {
            return Grant { is_admitted: false, lease: 0, until };
        }
        let surplus = ask.expected.min((room - granted) / PART_OF_REST);
        let lease = granted - 1 + surplus;
        self.add(ask.now, 1);
        if lease > 0 {
            self.insert(Slice { at: until, calls: lease, holder: Some(ask.holder) });
        }
        Grant { is_admitted: true, lease, until }
    }

    /// Whether this instance holds a lease.
    pub(super) fn is_held_by(&self, holder: InstanceId) -> bool {
        self.0.iter().any(|slice| slice.holder == Some(holder))
    }

    /// Whether an instance other than this one holds a lease.
    pub(super) fn is_held_beside(&self, holder: InstanceId) -> bool {
        self.0.iter().any(|slice| slice.holder.is_some_and(|other| other != holder))
    }

    fn take_in(&mut self, ask: &Ask) {
        let Ask { holder, now, seconds, report, .. } = ask;
        self.0.retain(|slice| {
            let is_over = slice.at.plus_seconds(*seconds) <= *now;
            !is_over && slice.holder != Some(*holder)
        });
        for used in report.used.iter().filter(|used| used.at.plus_seconds(*seconds) > *now) {
            self.add(used.at, used.calls);
        }
        for at in &report.taken_back {
            self.take_back(*at, *seconds);
        }
        if self.0.len() > MAX_SLICES {
            self.coarsen(*seconds);
        }
    }

    fn add(&mut self, at: Timestamp, calls: u32) {
        let same = |slice: &&mut Slice| slice.at == at && slice.holder.is_none();
        match self.0.iter_mut().rev().find(same) {
            Some(slice) => slice.calls = slice.calls.saturating_add(calls),
            None => self.insert(Slice { at, calls, holder: None }),
        }
    }

    fn insert(&mut self, slice: Slice) {
        let place = self.0.partition_point(|other| other.at <= slice.at);
        self.0.insert(place, slice);
    }

    /// Removes a call of this moment. Calls that were merged have the moment of the last one.
    fn take_back(&mut self, at: Timestamp, seconds: i64) {
        let has_it = |slice: &&mut Slice| {
            slice.at >= at && slice.holder.is_none() && part(slice.at, seconds) == part(at, seconds)
        };
        if let Some(slice) = self.0.iter_mut().find(has_it) {
            slice.calls = slice.calls.saturating_sub(1);
        }
        self.0.retain(|slice| slice.calls > 0);
    }

    /// Merges the calls of each hundredth of the window, with the moment of the last one. So they leave the window
    /// later, never earlier.
    fn coarsen(&mut self, seconds: i64) {
        let mut merged: Vec<Slice> = Vec::with_capacity(MAX_SLICES);
        for slice in std::mem::take(&mut self.0) {
            let together = |last: &&mut Slice| {
                last.holder.is_none()
                    && slice.holder.is_none()
                    && part(last.at, seconds) == part(slice.at, seconds)
            };
            match merged.last_mut().filter(together) {
                Some(last) => {
                    last.at = slice.at;
                    last.calls = last.calls.saturating_add(slice.calls);
                }
                None => merged.push(slice),
            }
        }
        self.0 = merged;
    }
}

/// The hundredth of a window that a moment is in.
fn part(at: Timestamp, seconds: i64) -> i64 {
    part_of(at, seconds, MAX_SLICES)
}
