//! An instance's knowledge of a client's window, and its lease.

use std::time::Duration;

use super::shared_window::{Ask, LEASE, Report, SharedWindow};
use super::store::{Answer, WindowVersion};
use crate::access::admitted_calls::CallsAt;
use crate::access::{GiveBack, RateLimitState};
use crate::ids::InstanceId;
use crate::time::Timestamp;

/// How soon an instance asks again after the quota was used up, although as far as it knows no call has left the
/// window: soon if other instances hold leases that they may give back, otherwise rarely, because calls may have been
/// taken back.
const ASK_AGAIN_SOON: Duration = Duration::from_secs(1);
const ASK_AGAIN: Duration = Duration::from_secs(10);

/// The outcome of counting a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is decided.
    Counted(RateLimitState),
    /// The shared window must be asked.
    Ask,
}

/// Whether an instance has something to report that no further call will report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// It has.
    Now,
    /// It will have when its lease expires.
    Later,
    /// It has not.
    Never,
}

/// An instance's part of a client's window. One question is in transit at a time.
#[derive(Debug)]
pub struct LeasedWindow {
    holder: InstanceId,
    seconds: i64,
    /// The window when it was last asked. It contains the lease of this instance.
    known: Option<(WindowVersion, SharedWindow)>,
    left: u32,
    until: Timestamp,
    report: Report,
    in_transit: Option<Report>,
    /// When it was last answered, and how many calls were admitted since.
    answered_at: Option<Timestamp>,
    admitted: u32,
    ask_again_at: Timestamp,
}

impl LeasedWindow {
    /// A window of this length of which nothing is known yet.
    #[must_use]
    pub const fn new(holder: InstanceId, seconds: i64) -> Self {
        Self {
            holder,
            seconds,
            known: None,
            left: 0,
            until: Timestamp::MIN,
            report: Report::new(seconds),
            in_transit: None,
            answered_at: None,
            admitted: 0,
            ask_again_at: Timestamp::MIN,
        }
    }

    /// Counts a call within the lease, or rejects it when the quota is known to be used up.
    pub fn acquire(&mut self, now: Timestamp, quota: u32) -> Step {
        if self.left > 0 && now < self.until {
            self.left -= 1;
            return Step::Counted(self.admit(now, quota));
        }
        if self.counted(now) >= quota && now < self.ask_again_at {
            return Step::Counted(self.state(now, quota, false));
        }
        Step::Ask
    }

    /// Counts a call by what this instance knows, because the shared window cannot be read.
    pub fn acquire_alone(&mut self, now: Timestamp, quota: u32) -> RateLimitState {
        if self.counted(now) < quota {
            self.admit(now, quota)
        } else {
            self.state(now, quota, false)
        }
    }

    /// The question for this many waiting calls, or for none if it only reports, and the window as it was last seen.
    /// The lease ends with it.
    pub fn ask(
        &mut self,
        now: Timestamp,
        quota: u32,
        calls: u32,
    ) -> (Ask, Option<(WindowVersion, SharedWindow)>) {
        self.left = 0;
        let is_busy = self.answered_at.is_some_and(|at| now < at.plus(LEASE));
        let expected = if is_busy && calls > 0 { self.admitted.saturating_mul(2) } else { 0 };
        let report = std::mem::replace(&mut self.report, Report::new(self.seconds));
        self.in_transit = Some(report.clone());
        let (holder, seconds) = (self.holder, self.seconds);
        let ask = Ask { holder, now, quota, seconds, calls, expected, report };
        (ask, self.known.clone())
    }

    /// Applies the answer, and returns the outcome of the call that asked.
    pub fn answered(&mut self, answer: Answer, now: Timestamp, quota: u32) -> RateLimitState {
        let Answer { grant, window, version } = answer;
        let again = if window.is_held_beside(self.holder) { ASK_AGAIN_SOON } else { ASK_AGAIN };
        self.ask_again_at = now.plus(again);
        self.in_transit = None;
        self.known = Some((version, window));
        (self.left, self.until) = (grant.lease, grant.until);
        self.answered_at = Some(now);
        self.admitted = u32::from(grant.is_admitted);
        self.state(now, quota, grant.is_admitted)
    }

    /// Called when the question was not answered: its report must be sent again.
    pub fn unanswered(&mut self) {
        let Some(mut report) = self.in_transit.take() else { return };
        report.used.append(&self.report.used);
        report.taken_back.append(&mut self.report.taken_back);
        self.report = report;
    }

    /// Takes back a call that was admitted at this moment.
    pub fn take_back(&mut self, at: Timestamp) {
        if !self.report.used.take_back(at) {
            self.report.taken_back.push(at);
        }
    }

    /// Whether there is something to report that no further call will report.
    #[must_use]
    pub fn settlement(&self, leases: GiveBack, now: Timestamp) -> Settlement {
        let has_lease =
            self.known.as_ref().is_some_and(|(_, window)| window.is_held_by(self.holder));
        let is_running = has_lease && now < self.until && leases == GiveBack::Expired;
        let corrects = !self.report.taken_back.is_empty();
        match () {
            () if self.in_transit.is_some() || (is_running && !corrects) => Settlement::Later,
            () if has_lease || !self.report.is_empty() => Settlement::Now,
            () => Settlement::Never,
        }
    }

    fn admit(&mut self, now: Timestamp, quota: u32) -> RateLimitState {
        self.report.used.expire(now);
        self.report.used.add(now);
        self.admitted = self.admitted.saturating_add(1);
        self.state(now, quota, true)
    }

    fn state(&self, now: Timestamp, quota: u32, is_admitted: bool) -> RateLimitState {
        let calls = Sum::of(self.calls(now));
        let remaining = quota.saturating_sub(self.without_taken_back(now, calls.total));
        // More calls than the quota are sorted, which is rare: the quota was lowered, or instances have counted alone.
        let leaves =
            if calls.total <= quota { calls.oldest } else { self.leaves_below(now, quota) };
        let reset_at = leaves.unwrap_or(now).plus_seconds(self.seconds);
        RateLimitState::until(reset_at, now, is_admitted, quota, remaining)
    }

    /// The calls in the window by what this instance knows, and the leases of others.
    fn calls(&self, now: Timestamp) -> impl Iterator<Item = CallsAt> {
        let slices = self.known.iter().flat_map(|(_, window)| window.slices());
        let slices = slices.filter(|slice| slice.holder != Some(self.holder));
        let slices = slices.map(|slice| CallsAt { at: slice.at, calls: slice.calls });
        let used = self.in_transit.iter().chain([&self.report]);
        let calls = slices.chain(used.flat_map(|report| report.used.iter()));
        calls.filter(move |calls| calls.at.plus_seconds(self.seconds) > now)
    }

    fn counted(&self, now: Timestamp) -> u32 {
        self.without_taken_back(now, Sum::of(self.calls(now)).total)
    }

    fn without_taken_back(&self, now: Timestamp, calls: u32) -> u32 {
        let reports = self.in_transit.iter().chain([&self.report]);
        let taken_back = reports.flat_map(|report| &report.taken_back);
        let taken_back = taken_back.filter(|at| at.plus_seconds(self.seconds) > now).count();
        calls.saturating_sub(u32::try_from(taken_back).unwrap_or(u32::MAX))
    }

    /// The moment of the call that brings the window below the quota when it leaves.
    fn leaves_below(&self, now: Timestamp, quota: u32) -> Option<Timestamp> {
        let mut calls: Vec<_> = self.calls(now).collect();
        calls.sort_unstable_by_key(|calls| calls.at);
        let mut left = Sum::of(calls.iter().copied()).total;
        let leaving = calls.iter().find(|calls| {
            left = left.saturating_sub(calls.calls);
            left < quota
        });
        leaving.map(|calls| calls.at)
    }
}

/// How many calls there are, and the moment of the oldest one.
struct Sum {
    total: u32,
    oldest: Option<Timestamp>,
}

impl Sum {
    fn of(calls: impl Iterator<Item = CallsAt>) -> Self {
        calls.fold(Self { total: 0, oldest: None }, |sum, calls| Self {
            total: sum.total.saturating_add(calls.calls),
            oldest: Some(sum.oldest.map_or(calls.at, |oldest| oldest.min(calls.at))),
        })
    }
}
