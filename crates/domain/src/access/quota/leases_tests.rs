//! Several instances with a simulated clock share one window, without a database.

use std::sync::Mutex;

use async_trait::async_trait;
use proptest::prelude::*;
use uuid::Uuid;

use super::{
    LeasedWindow, QuotaStore, Settlement, SharedWindow, Step, WindowKey, WindowVersion,
    WriteWindowOutcome, lease,
};
use crate::access::{Bucket, GiveBack, RateLimitState, RateLimited};
use crate::ids::{InstanceId, UserId};
use crate::ports::StoreError;
use crate::time::Timestamp;

const SECONDS: i64 = 60;
const SPAN: i64 = SECONDS * 1_000_000;

/// The lease's length, and some time to settle it.
const SETTLED: i64 = 6_000_000;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("in range")
}

/// One window in memory.
#[derive(Default)]
struct Memory(Mutex<(u128, SharedWindow)>);

#[async_trait]
impl QuotaStore for Memory {
    async fn write_window(
        &self,
        _key: WindowKey,
        version: Option<WindowVersion>,
        window: SharedWindow,
        _expires_at: Timestamp,
    ) -> Result<WriteWindowOutcome, StoreError> {
        let mut stored = self.0.lock().unwrap();
        let now = (stored.0 > 0).then_some(WindowVersion(Uuid::from_u128(stored.0)));
        if version != now {
            let found = now.map(|version| (version, stored.1.clone()));
            return Ok(WriteWindowOutcome::Changed(found));
        }
        *stored = (stored.0 + 1, window);
        Ok(WriteWindowOutcome::Written(WindowVersion(Uuid::from_u128(stored.0))))
    }

    async fn delete_expired_windows(&self, _now: Timestamp) -> Result<u64, StoreError> {
        Ok(0)
    }
}

struct World {
    store: Memory,
    instances: Vec<LeasedWindow>,
    started: u128,
    quota: u32,
    now: i64,
    admitted: Vec<i64>,
    asked: usize,
}

impl World {
    fn new(instances: usize, quota: u32) -> Self {
        let mut world = Self {
            store: Memory::default(),
            instances: Vec::new(),
            started: 0,
            quota,
            now: 0,
            admitted: Vec::new(),
            asked: 0,
        };
        world.instances = (0..instances).map(|_| world.start()).collect();
        world
    }

    fn start(&mut self) -> LeasedWindow {
        self.started += 1;
        LeasedWindow::new(InstanceId::new(Uuid::from_u128(self.started)), SECONDS)
    }

    /// Replaces an instance, with all of its state, by a new one.
    fn crash(&mut self, instance: usize) {
        self.instances[instance] = self.start();
    }

    fn call(&mut self, instance: usize) -> RateLimitState {
        let step = self.instances[instance].acquire(at(self.now), self.quota);
        let state = match step {
            Step::Counted(state) => state,
            Step::Ask => self.ask(instance, 1),
        };
        if state.is_admitted {
            self.admitted.push(self.now);
        }
        state
    }

    fn calls(&mut self, instance: usize, calls: usize) -> usize {
        (0..calls).filter(|_| self.call(instance).is_admitted).count()
    }

    fn ask(&mut self, instance: usize, calls: u32) -> RateLimitState {
        self.asked += 1;
        let window = &mut self.instances[instance];
        let (ask, known) = window.ask(at(self.now), self.quota, calls);
        let client = RateLimited::User(UserId::new(Uuid::nil()));
        let key = WindowKey::of(&client, Bucket::Standard);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(lease(&self.store, key, &ask, known)).expect("an answer");
        window.answered(answer, at(self.now), self.quota)
    }

    fn settle(&mut self) {
        for instance in 0..self.instances.len() {
            let window = &self.instances[instance];
            if window.settlement(GiveBack::Expired, at(self.now)) == Settlement::Now {
                self.ask(instance, 0);
            }
        }
    }

    fn advance(&mut self, micros: i64) {
        self.now += micros;
        self.settle();
    }

    fn in_window(&self) -> usize {
        self.admitted.iter().filter(|at| **at + SPAN > self.now).count()
    }
}

#[test]
fn the_whole_quota_is_admitted_at_one_instance_with_few_requests() {
    let mut world = World::new(4, 1000);
    assert_eq!(world.calls(0, 2000), 1000);
    assert!(world.asked < 60, "{} questions", world.asked);
    assert_eq!(world.calls(1, 100), 0);
    assert!(world.asked < 62, "a rejected call asks nothing");
}

#[test]
fn the_whole_quota_is_admitted_by_four_instances_in_turn() {
    let mut world = World::new(4, 1000);
    for n in 0..2000 {
        let _counted = world.call(n % 4);
    }
    assert_eq!(world.admitted.len(), 1000);
    assert!(world.asked < 200, "{} questions", world.asked);
}

#[test]
fn a_client_that_calls_rarely_holds_no_lease_and_its_headers_are_exact() {
    let mut world = World::new(2, 60);
    for n in 0..5 {
        assert_eq!(world.call(n % 2).remaining, 59 - u32::try_from(n).unwrap());
        world.advance(7_000_000);
    }
    let window = world.store.0.lock().unwrap().1.clone();
    assert!(window.slices().iter().all(|slice| slice.holder.is_none()));
}

#[test]
fn the_lease_of_a_dead_instance_comes_back_after_the_window() {
    let mut world = World::new(2, 1000);
    assert_eq!(world.calls(0, 100), 100);
    world.crash(0);
    let admitted = world.calls(1, 1000);
    assert!((780..900).contains(&admitted), "{admitted}");
    world.advance(SPAN + SETTLED);
    assert_eq!(world.calls(1, 1000), 1000);
}

#[test]
fn calls_that_a_dead_instance_may_have_admitted_late_in_its_lease_still_count() {
    let mut world = World::new(2, 1000);
    assert_eq!(world.calls(0, 100), 100);
    let asked = world.asked;
    world.now += 4_000_000;
    assert_eq!(world.calls(0, 5), 5);
    assert_eq!(world.asked, asked, "they were within the lease");
    world.crash(0);
    world.advance(SPAN - 4_000_000 + 1);
    assert!(world.calls(1, 1000) <= 995);
    assert!(world.in_window() <= 1000);
}

#[test]
fn a_lease_that_has_expired_admits_nothing() {
    let mut world = World::new(1, 1000);
    assert_eq!(world.calls(0, 100), 100);
    let asked = world.asked;
    world.now += 5_000_000;
    assert_eq!(world.calls(0, 1), 1);
    assert_eq!(world.asked, asked + 1);
}

#[test]
fn taking_back_a_call_that_has_left_the_window_takes_back_no_other() {
    let mut world = World::new(1, 3);
    assert_eq!(world.calls(0, 1), 1);
    world.now += SPAN / 2;
    assert_eq!(world.calls(0, 2), 2);
    world.now += SPAN / 2;
    world.instances[0].take_back(at(0));
    assert_eq!(world.calls(0, 3), 1);
}

#[test]
fn a_taken_back_call_that_left_the_window_is_not_subtracted_before_it_is_reported() {
    let mut world = World::new(1, 100);
    assert_eq!(world.calls(0, 1), 1);
    world.now += SPAN / 2;
    assert_eq!(world.calls(0, 40), 40);
    world.now += SPAN / 2;
    world.instances[0].take_back(at(0));
    let now = at(world.now);
    assert_eq!(world.instances[0].acquire_alone(now, 100).remaining, 59);
}

#[test]
fn a_call_that_is_taken_back_leaves_room_at_every_instance() {
    let mut world = World::new(2, 3);
    assert_eq!(world.calls(0, 3), 3);
    world.instances[0].take_back(at(0));
    world.advance(1000);
    world.advance(10_000_000);
    assert_eq!(world.calls(1, 2), 1);
}

#[test]
fn without_the_shared_window_an_instance_counts_alone_and_reports_later() {
    let mut world = World::new(2, 10);
    assert_eq!(world.calls(0, 2) + world.calls(1, 2), 4);
    let alone = |window: &mut LeasedWindow| window.acquire_alone(at(0), 10).is_admitted;
    let more = (0..20).filter(|_| alone(&mut world.instances[0])).count();
    assert!((7..=8).contains(&more), "{more}");
    world.advance(SETTLED);
    assert_eq!(world.calls(1, 5), 0);
}

#[test]
fn a_request_without_an_answer_loses_no_report() {
    let mut world = World::new(1, 10);
    assert_eq!(world.calls(0, 3), 3);
    let _lost = world.instances[0].ask(at(0), 10, 1);
    world.instances[0].unanswered();
    assert_eq!(world.calls(0, 20), 7);
}

#[test]
fn any_number_of_calls_is_counted_and_reported_in_little_memory() {
    let mut world = World::new(1, 1_000_000);
    let alone = |window: &mut LeasedWindow, now| window.acquire_alone(at(now), 1_000_000);
    for n in 1..=100_000 {
        let state = alone(&mut world.instances[0], n * 500);
        assert_eq!(i64::from(state.remaining), 1_000_000 - n);
    }
    world.now = 50_000_000;
    let (ask, _known) = world.instances[0].ask(at(world.now), world.quota, 1);
    assert_eq!(ask.report.used.total(), 100_000);
    assert!(ask.report.used.iter().count() <= 200);
    world.instances[0].unanswered();
    assert_eq!(world.ask(0, 1).remaining, 899_999);
    world.advance(SPAN - 50_000_000);
    assert!(world.call(0).remaining < 899_999, "none of them has left");
    world.advance(SPAN / 100 + 500);
    let remaining = world.call(0).remaining;
    assert!((899_999..=902_000).contains(&remaining), "{remaining}");
}

#[derive(Clone, Debug)]
enum Event {
    Advance(i64),
    Call { instance: usize, calls: usize },
    TakeBack { instance: usize },
    Crash(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => (0_i64..20_000_000).prop_map(Event::Advance),
        2 => (0_i64..3_000_000).prop_map(Event::Advance),
        12 => (0..4_usize, 1..80_usize).prop_map(|(instance, calls)| Event::Call { instance, calls }),
        1 => (0..4_usize).prop_map(|instance| Event::TakeBack { instance }),
        1 => (0..4_usize).prop_map(Event::Crash),
    ]
}

proptest! {
    #[test]
    fn no_span_admits_more_than_the_quota_and_all_of_it_is_finally_available(
        events in prop::collection::vec(event(), 1..120),
        quota in prop_oneof![1_u32..12, 50_u32..300],
    ) {
        let most = usize::try_from(quota).unwrap();
        let mut world = World::new(4, quota);
        for event in events {
            match event {
                Event::Advance(micros) => world.advance(micros),
                Event::Crash(instance) => world.crash(instance),
                Event::Call { instance, calls } => {
                    for _ in 0..calls {
                        let room = most - world.in_window();
                        let state = world.call(instance);
                        let remaining = usize::try_from(state.remaining).unwrap();
                        prop_assert!(state.is_admitted || remaining == 0);
                        prop_assert!(!state.is_admitted || room > 0, "more than the quota");
                        world.now += 137;
                    }
                }
                Event::TakeBack { instance } => {
                    if world.call(instance).is_admitted {
                        world.instances[instance].take_back(at(world.now));
                        world.admitted.pop();
                    }
                }
            }
        }
        // The leases of dead instances have left the window, and live instances have given theirs back.
        world.advance(SETTLED);
        world.advance(SPAN + SETTLED);
        for instance in 0..4 {
            let _counted = world.call(instance);
        }
        let left = most.saturating_sub(world.in_window());
        prop_assert_eq!(world.calls(3, most + 5), left);
    }

    #[test]
    fn waiting_as_long_as_a_rejection_says_is_sufficient(
        gaps in prop::collection::vec(0_i64..4_000_000, 1..60),
        quota in 1_u32..12,
    ) {
        let mut world = World::new(3, quota);
        for (n, gap) in gaps.into_iter().enumerate() {
            world.advance(gap);
            let state = world.call(n % 3);
            if !state.is_admitted {
                world.advance(state.wait_seconds * 1_000_000);
                prop_assert!(world.call(n % 3).is_admitted, "after {} s", state.wait_seconds);
            }
        }
    }
}
